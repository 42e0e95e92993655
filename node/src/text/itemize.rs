//! Cuts text into runs that one face can shape: by direction, by script, and by which face has the letters.

use std::collections::HashMap;
use std::ops::Range;

use kinora_composition::timeline::TextStyle;
use unicode_bidi::{BidiInfo, Level};
use unicode_properties::{EmojiStatus, UnicodeEmoji};
use unicode_script::{Script, UnicodeScript};
use unicode_segmentation::UnicodeSegmentation;

use super::FontBook;
use super::face::StyledFace;

/// A piece of a paragraph that is shaped in one go.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Item {
    pub(super) range: Range<usize>,
    pub(super) level: Level,
    pub(super) script: Script,
    /// Which of the faces.
    pub(super) face: usize,
}

/// The characters of a cluster that must have glyphs.
pub(super) fn visible(cluster: &str) -> impl Iterator<Item = char> + '_ {
    cluster.chars().filter(|c| !is_ignorable(*c))
}

fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E0FFF}')
        || c.is_control()
}

/// The levels of the bytes of a paragraph whose base direction is left to right.
pub(super) fn levels(paragraph: &str) -> Vec<Level> {
    BidiInfo::new(paragraph, Some(Level::ltr())).levels
}

/// Cuts a paragraph. `faces` holds the named faces and gains those that had to be looked for.
pub(super) fn items(
    fonts: &mut FontBook,
    faces: &mut Vec<StyledFace>,
    named: usize,
    paragraph: &str,
    levels: &[Level],
    style: &TextStyle,
) -> Vec<Item> {
    let mut known: HashMap<(&str, Script), usize> = HashMap::new();
    let mut items: Vec<Item> = Vec::new();
    let first_real = paragraph.chars().map(|c| c.script()).find(is_real);
    let mut script = first_real.unwrap_or(Script::Latin);
    for (at, cluster) in paragraph.grapheme_indices(true) {
        script = cluster
            .chars()
            .map(|c| c.script())
            .find(is_real)
            .unwrap_or(script);
        let face = *known
            .entry((cluster, script))
            .or_insert_with(|| face_of(fonts, faces, named, cluster, script, style));
        let level = levels.get(at).copied().unwrap_or_else(Level::ltr);
        match items.last_mut() {
            Some(last) if (last.level, last.script, last.face) == (level, script, face) => {
                last.range.end = at + cluster.len();
            }
            _ => items.push(Item {
                range: at..at + cluster.len(),
                level,
                script,
                face,
            }),
        }
    }
    items
}

fn is_real(script: &Script) -> bool {
    !matches!(script, Script::Common | Script::Inherited | Script::Unknown)
}

fn face_of(
    fonts: &mut FontBook,
    faces: &mut Vec<StyledFace>,
    named: usize,
    cluster: &str,
    script: Script,
    style: &TextStyle,
) -> usize {
    let found = if is_emoji(cluster) {
        fonts.emoji().filter(|emoji| {
            // Joiners and selectors lie in the sequence; its first character decides.
            emoji.face.has(visible(cluster).take(1))
        })
    } else {
        None
    };
    let found = found.or_else(|| {
        let has = |face: &&StyledFace| face.face.has(visible(cluster));
        if faces[..named].iter().any(|face| has(&face)) {
            return None;
        }
        fonts.fallback(cluster, script, style)
    });
    let Some(found) = found else {
        let has = |face: &StyledFace| face.face.has(visible(cluster));
        return faces[..named].iter().position(has).unwrap_or(0);
    };
    let same = |face: &StyledFace| {
        std::sync::Arc::ptr_eq(&face.face, &found.face)
            && face.is_emboldened == found.is_emboldened
            && face.is_slanted == found.is_slanted
    };
    faces.iter().position(same).unwrap_or_else(|| {
        faces.push(found.clone());
        faces.len() - 1
    })
}

/// Whether a cluster is shown as a picture: by its own nature, or because a selector says so.
pub(super) fn is_emoji(cluster: &str) -> bool {
    const AS_TEXT: char = '\u{FE0E}';
    const AS_PICTURE: char = '\u{FE0F}';
    let Some(first) = cluster.chars().next() else {
        return false;
    };
    if first.is_ascii() && !cluster.contains('\u{20E3}') {
        return false;
    }
    let shows_picture = matches!(
        first.emoji_status(),
        EmojiStatus::EmojiPresentation
            | EmojiStatus::EmojiPresentationAndModifierBase
            | EmojiStatus::EmojiPresentationAndEmojiComponent
            | EmojiStatus::EmojiPresentationAndModifierAndEmojiComponent
    );
    if cluster.contains(AS_TEXT) {
        return false;
    }
    let is_modified = cluster
        .chars()
        .skip(1)
        .any(|c| c == AS_PICTURE || matches!(c, '\u{1F3FB}'..='\u{1F3FF}'));
    first.is_emoji_char() && (shows_picture || is_modified)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_and_nature_decide_what_is_a_picture() {
        for picture in [
            "🚀",
            "⭐",
            "❤\u{FE0F}",
            "👍🏽",
            "👩\u{200D}💻",
            "🇫🇷",
            "1\u{FE0F}\u{20E3}",
        ] {
            assert!(is_emoji(picture), "{picture}");
        }
        for text in ["a", "1", "❤", "★", "⭐\u{FE0E}", "©", ""] {
            assert!(!is_emoji(text), "{text}");
        }
    }

    #[test]
    fn right_to_left_words_lie_in_a_left_to_right_paragraph() {
        let text = "שלום abc";
        let levels = levels(text);
        assert!(levels[0].is_rtl());
        assert!(levels[text.len() - 1].is_ltr());
    }
}
