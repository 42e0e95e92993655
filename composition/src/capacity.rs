//! How much text a box of fixed-size text holds, estimated from the widths of letters.

use crate::css::FontSize;
use crate::document::{Overlay, OverlayKind, Text};
use crate::fonts::{FontFace, Fonts};
use crate::timeline::{Size, TextBlock};

/// What a box of fixed-size text holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// A budget for prose. A text within it is never said to clip.
    pub max_characters: u32,
    /// Lines that fit the height.
    pub lines_available: u32,
}

/// The advance of a character where no font is known, in em.
const PLAIN_WIDTH: f32 = 0.5;
/// Prose may be a little wider than the average.
const SHARE_OF_WIDTH: f32 = 0.95;
/// Characters that wrapping at words leaves empty at the end of a line, on average: half a word.
const LEFT_EMPTY: f32 = 2.5;
/// Narrow boxes break long words, so that no line loses more than this share.
const MOST_LEFT_EMPTY: f32 = 0.4;
/// Rounding must not cost a line that fits exactly.
const TOLERANCE: f32 = 1e-3;

/// Text of one size in a box: all that decides where its lines break.
pub(crate) struct TextSetting<'a> {
    face: Option<&'a FontFace>,
    font_size: f32,
    line_height: f32,
    letter_spacing: f32,
    width: f32,
    height: f32,
    in_capitals: bool,
}

impl<'a> TextSetting<'a> {
    /// The setting of a text overlay that never shrinks; `None` for all others.
    pub(crate) fn of_fixed_text(overlay: &Overlay, fonts: &'a dyn Fonts) -> Option<Self> {
        let OverlayKind::Text(text) = &overlay.kind else {
            return None;
        };
        if is_generated(text) {
            return None;
        }
        let size = Size {
            width: overlay.base.width as f32,
            height: overlay.base.height as f32,
        };
        let block = TextBlock::new(text, size);
        let FontSize::Exactly(font_size) = block.style.size else {
            return None;
        };
        let family = block
            .style
            .families
            .iter()
            .find_map(|name| fonts.family(name));
        let padding = block.frame.padding;
        let [top, right, bottom, left] = [padding.top, padding.right, padding.bottom, padding.left]
            .map(|side| side.resolve(size.width).max(0.0));
        Some(Self {
            face: family
                .and_then(|family| family.nearest_face(block.style.weight, block.style.italic)),
            font_size,
            line_height: block.style.line_height.resolve(font_size).max(1.0),
            letter_spacing: block.style.letter_spacing.px
                + block.style.letter_spacing.em * font_size,
            width: (size.width - left - right).max(0.0),
            height: (size.height - top - bottom).max(0.0),
            in_capitals: is_in_capitals(text),
        })
    }

    /// What the box holds of typical prose.
    pub(crate) fn capacity(&self) -> Capacity {
        let lines = (self.height / self.line_height + TOLERANCE).floor();
        let advance = (self.average_advance() + self.letter_spacing).max(1.0);
        let whole_line = self.width / advance * SHARE_OF_WIDTH;
        let line = if lines > 1.0 {
            whole_line - LEFT_EMPTY.min(whole_line * MOST_LEFT_EMPTY)
        } else {
            whole_line
        };
        let (lines, line) = (lines as u32, line.floor() as u32);
        Capacity {
            max_characters: lines.saturating_mul(line),
            lines_available: lines,
        }
    }

    /// How many lines a text takes, wrapped at words, and within words that are wider than the box.
    pub(crate) fn lines(&self, text: &str) -> u32 {
        let lines: usize = text.lines().map(|line| self.lines_of_paragraph(line)).sum();
        u32::try_from(lines).unwrap_or(u32::MAX)
    }

    fn lines_of_paragraph(&self, paragraph: &str) -> usize {
        let mut lines = 1;
        let mut filled = 0.0;
        let mut word = Vec::new();
        let mut characters = paragraph.chars().peekable();
        while let Some(character) = characters.next() {
            let advance = self.advance(character);
            if character.is_whitespace() {
                // Blanks hang over the end of a line; they never start a new one.
                filled += advance;
                continue;
            }
            word.push(advance);
            let ends = match characters.peek() {
                None => true,
                Some(next) => {
                    next.is_whitespace()
                        || character == '-'
                        || breaks_anywhere(character)
                        || breaks_anywhere(*next)
                }
            };
            if ends {
                self.place_word(&word, &mut filled, &mut lines);
                word.clear();
            }
        }
        lines
    }

    fn place_word(&self, word: &[f32], filled: &mut f32, lines: &mut usize) {
        let limit = self.width + TOLERANCE;
        let width: f32 = word.iter().sum();
        if *filled + width <= limit {
            *filled += width;
            return;
        }
        if *filled > 0.0 {
            *lines += 1;
            *filled = 0.0;
        }
        for advance in word {
            if *filled > 0.0 && *filled + advance > limit {
                *lines += 1;
                *filled = 0.0;
            }
            *filled += advance;
        }
    }

    fn advance(&self, character: char) -> f32 {
        let shown = if self.in_capitals {
            character.to_uppercase().next().unwrap_or(character)
        } else {
            character
        };
        let em = self.face.map_or(PLAIN_WIDTH, |face| face.advance(shown));
        (em * self.font_size + self.letter_spacing).max(0.0)
    }

    /// The mean advance of prose without letter spacing.
    fn average_advance(&self) -> f32 {
        let Some(face) = self.face else {
            return PLAIN_WIDTH * self.font_size;
        };
        let growth = if self.in_capitals {
            let width = |text: &str| text.chars().map(|c| face.advance(c)).sum::<f32>();
            const SAMPLE: &str = "the quick onset of rain made all in sight seem near";
            width(&SAMPLE.to_uppercase()) / width(SAMPLE).max(TOLERANCE)
        } else {
            1.0
        };
        face.average_width * growth * self.font_size
    }
}

/// Whether what is shown is not the content at the overlay's own size.
fn is_generated(text: &Text) -> bool {
    let styles = &text.styles;
    let counts = styles.counter_mode.as_ref().and_then(|mode| mode.enabled);
    let is_code = styles.code_block.as_ref().and_then(|block| block.enabled);
    counts == Some(true) || is_code == Some(true)
}

fn is_in_capitals(text: &Text) -> bool {
    let transform = text.styles.text_transform.as_deref().unwrap_or_default();
    transform.trim().eq_ignore_ascii_case("uppercase")
}

/// Whether lines may break before and after a character of any word: the scripts without blanks.
fn breaks_anywhere(character: char) -> bool {
    matches!(character,
        '\u{2E80}'..='\u{A4CF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FF00}'..='\u{FFEF}' | '\u{1F000}'..='\u{1FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::document::Composition;
    use crate::fonts::tests::TestFonts;
    use crate::random::Random;

    fn text(width: f64, height: f64, styles: &Value) -> Overlay {
        let document = json!({ "durationInFrames": 30, "overlays": [{
            "type": "text", "content": "", "id": 1, "from": 0, "durationInFrames": 30, "row": 0,
            "left": 0, "top": 0, "width": width, "height": height, "styles": styles
        }] });
        let (mut composition, _) = Composition::from_json(&document).expect("valid");
        composition.overlays.remove(0)
    }

    fn fixed(size: &str, extra: &Value) -> Value {
        let mut styles = json!({ "fontSize": size, "fontSizeFixed": true });
        let fields = styles.as_object_mut().expect("an object");
        fields.extend(extra.as_object().expect("an object").clone());
        styles
    }

    fn capacity(width: f64, height: f64, styles: &Value) -> Option<(u32, u32)> {
        let fonts = TestFonts::new();
        TextSetting::of_fixed_text(&text(width, height, styles), &fonts)
            .map(|setting| setting.capacity())
            .map(|capacity| (capacity.max_characters, capacity.lines_available))
    }

    #[test]
    fn only_fixed_text_in_pixels_has_a_capacity() {
        let plain = json!({});
        assert!(capacity(400.0, 100.0, &fixed("20px", &plain)).is_some());
        assert!(capacity(400.0, 100.0, &fixed("20", &plain)).is_some());
        for styles in [
            json!({}),
            json!({ "fontSize": "20px" }),
            json!({ "fontSizeFixed": true }),
            json!({ "fontSize": "20px", "fontSizeFixed": false }),
            fixed("2rem", &plain),
            fixed("-4px", &plain),
            fixed("20px", &json!({ "codeBlock": { "enabled": true } })),
            fixed("20px", &json!({ "counterMode": { "enabled": true } })),
        ] {
            assert_eq!(capacity(400.0, 100.0, &styles), None, "{styles}");
        }
    }

    #[test]
    fn lines_and_characters_follow_the_content_box() {
        let of = |width, height, extra: Value| {
            capacity(width, height, &fixed("20px", &extra)).expect("fixed")
        };
        // 400 px hold 40 letters of 10 px, less 5%, less what wrapping leaves empty.
        assert_eq!(of(400.0, 24.0, json!({})), (38, 1));
        assert_eq!(of(400.0, 96.0, json!({})), (4 * 35, 4));
        assert_eq!(of(400.0, 95.0, json!({})), (3 * 35, 3));
        assert_eq!(of(440.0, 136.0, json!({ "padding": "20px" })), (4 * 35, 4));
        assert_eq!(of(500.0, 124.0, json!({ "padding": "10%" })), (38, 1));
        assert_eq!(of(400.0, 100.0, json!({ "lineHeight": "2" })), (2 * 35, 2));
        assert_eq!(
            of(400.0, 100.0, json!({ "lineHeight": "50px" })),
            (2 * 35, 2)
        );
        assert_eq!(of(400.0, 24.0, json!({ "letterSpacing": "10px" })), (19, 1));
        assert_eq!(
            of(400.0, 24.0, json!({ "letterSpacing": "0.5em" })),
            (19, 1)
        );
        assert_eq!(
            of(400.0, 24.0, json!({ "fontFamily": "'Slab One'" })),
            (31, 1)
        );
        assert_eq!(of(400.0, 24.0, json!({ "fontWeight": "bold" })), (35, 1));
        let (capitals, _) = of(400.0, 24.0, json!({ "textTransform": "uppercase" }));
        assert!(capitals < 38, "{capitals}");
    }

    #[test]
    fn absurd_boxes_hold_nothing_or_a_lot() {
        for (width, height) in [
            (0.0, 0.0),
            (-5.0, -5.0),
            (1e308, 1e308),
            (400.0, 10.0),
            (3.0, 300.0),
        ] {
            for extra in [
                json!({}),
                json!({ "letterSpacing": "-1000px" }),
                json!({ "letterSpacing": "1e30px" }),
                json!({ "lineHeight": "0" }),
                json!({ "padding": "1e30px" }),
            ] {
                for size in ["0.0001px", "20px", "1e30px"] {
                    let styles = fixed(size, &extra);
                    let (characters, lines) = capacity(width, height, &styles).expect("fixed");
                    assert!(lines > 0 || characters == 0, "{styles}");
                }
            }
        }
        assert_eq!(
            capacity(400.0, 10.0, &fixed("20px", &json!({}))),
            Some((0, 0))
        );
    }

    #[test]
    fn lines_break_at_blanks_and_hyphens_and_inside_long_words() {
        let fonts = TestFonts::new();
        let overlay = text(100.0, 100.0, &fixed("20px", &json!({})));
        let setting = TextSetting::of_fixed_text(&overlay, &fonts).expect("fixed");
        for (content, lines) in [
            ("", 0),
            ("aaaa", 1),
            ("aaaaaaaa", 1),  // 8 × 11.2 = 89.6
            ("aaaaaaaaa", 2), // 100.8: broken inside
            ("aaaa aaaa", 1), // 95.2
            ("aaaa aaaaa", 2),
            ("aaaa      aaaa", 2),
            ("aaaa aaaa        ", 1), // blanks hang
            ("aaaaaa-aaaaa", 2),
            ("a\nb\n\nc", 4),
            ("aaaaaaaaaaaaaaaaaaaaaaaaaaaa", 4),
            ("字字字字字字字字字字", 1), // ten of average width
            ("字字字字字字字字字字字", 2),
        ] {
            assert_eq!(setting.lines(content), lines, "{content:?}");
        }
    }

    const WORDS: &[&str] = &[
        "a",
        "the",
        "of",
        "and",
        "house",
        "garden",
        "with",
        "view",
        "morning",
        "light",
        "is",
        "in",
        "kitchen",
        "beautiful",
        "neighbourhood",
        "two",
        "new",
        "price",
        "walk",
        "to",
        "school",
        "summer",
        "sale",
        "now",
        "join",
        "us",
        "for",
        "an",
        "evening",
        "music",
        "it",
        "was",
        "all",
        "extraordinary",
        "offers",
        "near",
        "you",
        "our",
        "team",
        "will",
        "help",
    ];

    fn prose(most: usize, random: &mut Random) -> String {
        let mut text = String::new();
        loop {
            let word = random.pick(WORDS);
            let blank = usize::from(!text.is_empty());
            if text.len() + blank + word.len() > most {
                return text;
            }
            if blank == 1 {
                text.push(' ');
            }
            text.push_str(word);
        }
    }

    #[test]
    fn prose_within_the_budget_nearly_always_fits() {
        let fonts = TestFonts::new();
        let (mut fits, mut all, mut filled) = (0, 0, 0.0);
        for seed in 0..2000 {
            let mut random = Random::new(seed);
            let width = 240.0 + random.below(1200) as f64;
            let height = 60.0 + random.below(400) as f64;
            let size = format!("{}px", 16 + random.below(40));
            let overlay = text(width, height, &fixed(&size, &json!({})));
            let setting = TextSetting::of_fixed_text(&overlay, &fonts).expect("fixed");
            let capacity = setting.capacity();
            let content = prose(capacity.max_characters as usize, &mut random);
            let lines = setting.lines(&content);
            all += 1;
            fits += u32::from(lines <= capacity.lines_available);
            if capacity.lines_available > 0 {
                filled += f64::from(lines) / f64::from(capacity.lines_available);
            }
        }
        let share = f64::from(fits) / f64::from(all);
        assert!(share > 0.97, "only {share} fit");
        let filled = filled / f64::from(all);
        assert!(filled > 0.85, "the budget fills {filled} of the box only");
    }
}
