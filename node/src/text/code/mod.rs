//! Source code in colours.

mod palette;

use std::ops::Range;
use std::sync::OnceLock;

use kinora_composition::code_languages::grammar;
use kinora_composition::css::Color;
use kinora_composition::document::CodeTheme;
use syntect::parsing::{ParseState, ScopeStack, SyntaxSet};
use syntect::util::LinesWithEndings;
use unicode_segmentation::UnicodeSegmentation;

pub(crate) use palette::Palette;

/// The colour of each letter of a source, in reading order, newlines included.
pub(crate) fn letter_colors(code: &str, language: &str, theme: CodeTheme) -> Vec<Color> {
    let palette = Palette::of(theme);
    let mut spans = grammar(language).map_or(Vec::new(), |name| spans(code, name, palette));
    spans.push((code.len()..code.len(), palette.plain));
    let mut span = 0;
    code.grapheme_indices(true)
        .map(|(at, _)| {
            while spans[span].0.end <= at && span + 1 < spans.len() {
                span += 1;
            }
            let (bytes, color) = &spans[span];
            if bytes.contains(&at) {
                *color
            } else {
                palette.plain
            }
        })
        .collect()
}

/// The bytes of a source that have a colour, in order. What follows a line that can't be understood is
/// left out.
fn spans(code: &str, grammar: &str, palette: &Palette) -> Vec<(Range<usize>, Color)> {
    let set = grammars();
    let mut spans = Vec::new();
    let Some(syntax) = set.find_syntax_by_name(grammar) else {
        return spans;
    };
    let mut state = ParseState::new(syntax);
    let mut stack = ScopeStack::new();
    let mut line_start = 0;
    for line in LinesWithEndings::from(code) {
        let Ok(changes) = state.parse_line(line, set) else {
            return spans;
        };
        let mut from = 0;
        for (at, change) in changes {
            spans.push((line_start + from..line_start + at, palette.color(&stack)));
            from = at;
            if stack.apply(&change).is_err() {
                return spans;
            }
        }
        line_start += line.len();
        spans.push((
            line_start - line.len() + from..line_start,
            palette.color(&stack),
        ));
    }
    spans
}

fn grammars() -> &'static SyntaxSet {
    static GRAMMARS: OnceLock<SyntaxSet> = OnceLock::new();
    GRAMMARS.get_or_init(two_face::syntax::extra_newlines)
}

#[cfg(test)]
mod tests {
    use kinora_composition::code_languages::grammars as named;

    use super::*;

    #[test]
    fn every_language_that_can_be_named_has_a_grammar() {
        let missing: Vec<&str> = named()
            .filter(|name| grammars().find_syntax_by_name(name).is_none())
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
        assert!(named().count() >= 30);
    }

    #[test]
    fn every_letter_has_a_colour_and_words_of_a_language_have_their_own() {
        let code = "// né\nfn main() { let x = \"é👩\u{200D}💻\"; }\n";
        let colors = letter_colors(code, "rust", CodeTheme::Dark);
        assert_eq!(colors.len(), code.graphemes(true).count());
        let palette = Palette::of(CodeTheme::Dark);
        let at = |part: &str| {
            let byte = code.find(part).expect(part);
            colors[code[..byte].graphemes(true).count()]
        };
        assert_eq!(at("// né"), palette.comment);
        assert_eq!(at("fn "), palette.keyword);
        assert_eq!(at("main"), palette.function);
        assert_eq!(at("👩"), palette.string);
        for language in ["", "klingon"] {
            let colors = letter_colors(code, language, CodeTheme::Light);
            let plain = Palette::of(CodeTheme::Light).plain;
            assert!(colors.iter().all(|color| *color == plain));
        }
        assert!(letter_colors("", "rust", CodeTheme::Dark).is_empty());
    }
}
