//! The case of letters, as `text-transform` asks for it.

use super::tokens::{keyword, whole};

/// A parsed `text-transform`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as in CSS")]
pub enum TextTransform {
    None,
    Uppercase,
    Lowercase,
    Capitalize,
}

impl TextTransform {
    /// Parses a CSS `text-transform`.
    pub fn parse(text: &str) -> Option<Self> {
        const WORDS: [(&str, TextTransform); 5] = [
            ("none", TextTransform::None),
            ("math-auto", TextTransform::None),
            ("uppercase", TextTransform::Uppercase),
            ("lowercase", TextTransform::Lowercase),
            ("capitalize", TextTransform::Capitalize),
        ];
        whole(text, |input| keyword(input, &WORDS))
    }

    /// The text in this case.
    pub fn apply(self, text: &str) -> String {
        match self {
            Self::None => text.to_owned(),
            Self::Uppercase => text.to_uppercase(),
            Self::Lowercase => text.to_lowercase(),
            Self::Capitalize => capitalized(text),
        }
    }
}

/// The first letter of each word becomes large and the others stay as they are. As in Chromium, an
/// apostrophe between letters and an underscore belong to the word; full stops, colons and hyphens
/// end it.
fn capitalized(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut is_inside = false;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_word = letter.is_alphanumeric() || letter == '_' || is_mark(letter);
        let joins = matches!(letter, '\'' | '\u{2018}' | '\u{2019}')
            && is_inside
            && letters.peek().is_some_and(|next| next.is_alphabetic());
        if is_word && !is_inside {
            result.push(title_case(letter));
        } else {
            result.push(letter);
        }
        is_inside = is_word || joins;
    }
    result
}

/// Marks that sit on the letter before them.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}')
}

/// The one large letter for a small one; what would become several letters stays as it is.
fn title_case(letter: char) -> char {
    match letter {
        '\u{1c4}' | '\u{1c6}' => '\u{1c5}',
        '\u{1c7}' | '\u{1c9}' => '\u{1c8}',
        '\u{1ca}' | '\u{1cc}' => '\u{1cb}',
        '\u{1f1}' | '\u{1f3}' => '\u{1f2}',
        other => {
            let mut large = other.to_uppercase();
            match (large.next(), large.next()) {
                (Some(one), None) => one,
                _ => other,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The right hand sides are what Chromium shows.
    #[test]
    fn letters_change_as_in_a_browser() {
        for (transform, text, expected) in [
            ("uppercase", "straße ǆ ﬁ İi ŉ ΑΣ", "STRASSE Ǆ FI İI ʼN ΑΣ"),
            ("lowercase", "İI ΑΣ ΣΑΣ. ẞ", "i̇i ας σας. ß"),
            ("capitalize", "don't stop-me now", "Don't Stop-Me Now"),
            (
                "capitalize",
                "hello_world a.b a:b 3d x1y (foo) \"bar\" 'baz' ßa ǆa éa o’neil e-mail/and so—on\n\
                 new line mcDONALD ﬁsh ⓐbc 'tis",
                "Hello_world A.B A:B 3d X1y (Foo) \"Bar\" 'Baz' ßa ǅa Éa O’neil E-Mail/And So—On\n\
                 New Line McDONALD ﬁsh Ⓐbc 'Tis",
            ),
            ("none", "As Is", "As Is"),
        ] {
            let transform = TextTransform::parse(transform).expect(transform);
            assert_eq!(transform.apply(text), expected);
        }
    }

    #[test]
    fn unknown_transforms_are_ignored() {
        for text in ["", "full-width", "upper", "uppercase lowercase"] {
            assert_eq!(TextTransform::parse(text), None, "{text}");
        }
    }
}
