//! Where lines may break, as browsers do it.

use unicode_linebreak::{BreakOpportunity, linebreaks};

/// The bytes of a paragraph before which a line may begin, in order.
pub(super) fn opportunities(paragraph: &str) -> Vec<usize> {
    linebreaks(paragraph)
        .filter(|(at, kind)| {
            *at < paragraph.len()
                && *kind == BreakOpportunity::Allowed
                && is_allowed(paragraph, *at)
        })
        .map(|(at, _)| at)
        .collect()
}

/// Between ASCII characters browsers break after spaces, hyphens and question marks only: an address or
/// `and/or` stays whole.
fn is_allowed(paragraph: &str, at: usize) -> bool {
    let (before, after) = paragraph.split_at(at);
    match (before.chars().next_back(), after.chars().next()) {
        (Some(before), Some(after)) if before.is_ascii() && after.is_ascii() => {
            matches!(before, ' ' | '\t' | '-' | '?')
        }
        _ => true,
    }
}

/// Whether a word begins at a byte of a paragraph: after white space, or where a line may break in
/// writing without spaces.
pub(super) fn begins_word(paragraph: &str, at: usize, is_opportunity: bool) -> bool {
    let Some(before) = paragraph[..at].chars().next_back() else {
        return true;
    };
    let is_unspaced = !before.is_ascii()
        && (before.is_alphanumeric()
            || matches!(before, '\u{3000}'..='\u{303F}' | '\u{FF00}'..='\u{FFEF}'));
    before.is_whitespace() || (is_opportunity && is_unspaced)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<&str> {
        let mut from = 0;
        let mut pieces = Vec::new();
        for at in opportunities(text).into_iter().chain([text.len()]) {
            pieces.push(&text[from..at]);
            from = at;
        }
        pieces
    }

    #[test]
    fn words_break_at_spaces_and_hyphens() {
        assert_eq!(pieces("two  words"), ["two  ", "words"]);
        assert_eq!(pieces("hyphen-ated"), ["hyphen-", "ated"]);
        assert_eq!(pieces("a/b/c x"), ["a/b/c ", "x"]);
        assert_eq!(pieces("dashes – too"), ["dashes ", "– ", "too"]);
        assert_eq!(pieces("long?query=1"), ["long?", "query=1"]);
    }

    #[test]
    fn ideographs_break_anywhere_but_not_before_a_full_stop() {
        assert_eq!(pieces("日本語。"), ["日", "本", "語。"]);
        assert_eq!(pieces(""), [""]);
    }
}
