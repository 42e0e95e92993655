//! Finds what somebody who mistyped a name may have meant.

/// Names longer than this are not typing mistakes.
const LONGEST_NAME: usize = 64;

/// The known name nearest to `name`, if it is near enough to suggest.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.chars().count() > LONGEST_NAME {
        return None;
    }
    let wanted = folded(name);
    let most = (wanted.len() / 3).max(1);
    known
        .into_iter()
        .filter(|candidate| *candidate != name && candidate.chars().count() <= LONGEST_NAME)
        .map(|candidate| (edits(&wanted, &folded(candidate)), candidate))
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// A name without what is often written in another way: case and separators.
fn folded(name: &str) -> Vec<char> {
    name.chars()
        .filter(|character| !matches!(character, '_' | '-' | ' ' | '.'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// How many letters must be inserted, removed or changed to make one name the other.
fn edits(from: &[char], to: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (removed, letter) in from.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = removed + 1;
        for (column, other) in to.iter().enumerate() {
            let change = diagonal + usize::from(letter != other);
            diagonal = row[column + 1];
            row[column + 1] = change.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_mistakes_are_recognised_and_other_words_are_not() {
        let known = ["agent_name", "headline", "logo"];
        for (name, meant) in [
            ("agentName", Some("agent_name")),
            ("agent-nam", Some("agent_name")),
            ("Headline", Some("headline")),
            ("headlnie", Some("headline")),
            ("loga", Some("logo")),
            ("price", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, known), meant, "{name}");
        }
        assert_eq!(nearest(&"logo".repeat(1_000_000), known), None);
    }

    #[test]
    fn edits_are_counted() {
        let count = |a: &str, b: &str| edits(&folded(a), &folded(b));
        assert_eq!(count("kitten", "sitting"), 3);
        assert_eq!(count("", "abc"), 3);
        assert_eq!(count("abc", ""), 3);
        assert_eq!(count("fontSize", "font_size"), 0);
    }
}
