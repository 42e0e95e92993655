//! The sticker set: pictures of our own drawing, and every picture of the colour emoji font.
//!
//! A drawing is an SVG file in `composition/stickers/`. What `styles.fill` recolours has the class
//! `tint` there, what `styles.stroke` and `styles.strokeWidth` outline has the class `edge`. Words are
//! outlines, so that a drawing looks the same wherever it is drawn.

mod drawings;
mod emoji;

use crate::document::StickerCategory;
use crate::nearest::nearest;

pub use emoji::EMOJI_FORM;

/// What a sticker's identifier stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StickerArt {
    /// An SVG document.
    Drawing(&'static str),
    /// Characters for the colour emoji font.
    Emoji(String),
}

impl StickerArt {
    /// The art of that identifier.
    pub fn find(id: &str) -> Option<Self> {
        drawings::svg(id)
            .map(Self::Drawing)
            .or_else(|| emoji::characters(id).map(Self::Emoji))
    }
}

/// Identifiers of all drawings, drawer by drawer.
pub fn drawn_sticker_ids() -> impl Iterator<Item = &'static str> {
    drawings::DRAWINGS.iter().map(|(id, _)| *id)
}

/// Names of emoji that need no code points.
pub fn named_emoji_ids() -> impl Iterator<Item = &'static str> {
    emoji::NAMES.iter().map(|(id, _)| *id)
}

/// The drawer that a sticker lies in, by the beginning of its identifier.
pub fn category_of(id: &str) -> Option<StickerCategory> {
    const DRAWERS: [(&str, StickerCategory); 5] = [
        ("shape-", StickerCategory::Shapes),
        ("discount-", StickerCategory::Discounts),
        ("emoji-", StickerCategory::Emojis),
        ("review-", StickerCategory::Reviews),
        ("default-", StickerCategory::Default),
    ];
    let drawer = DRAWERS.iter().find(|(prefix, _)| id.starts_with(prefix));
    drawer.map(|(_, category)| *category)
}

/// Why an identifier can't be used; `None` where it can.
pub(crate) fn refusal(id: &str) -> Option<String> {
    if StickerArt::find(id).is_some() {
        return None;
    }
    let known: Vec<&str> = drawn_sticker_ids().collect();
    let suggestion = nearest(id, known.iter().copied().chain(named_emoji_ids()))
        .map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
    let separator = if suggestion.is_empty() { ";" } else { "" };
    Some(format!(
        "unknown sticker {id:?}{suggestion}{separator} known are {}, and {EMOJI_FORM}",
        known.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_identifier_is_there_once_and_begins_with_its_drawer() {
        let ids: Vec<&str> = drawn_sticker_ids().chain(named_emoji_ids()).collect();
        let unique: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(unique.len(), ids.len());
        for id in ids {
            assert!(category_of(id).is_some(), "{id}");
            assert!(StickerArt::find(id).is_some(), "{id}");
        }
        for drawer in ["shape-", "discount-", "emoji-", "review-", "default-"] {
            let count = drawn_sticker_ids()
                .filter(|id| id.starts_with(drawer))
                .count();
            assert!(count >= 10, "{drawer}: {count}");
        }
    }

    #[test]
    fn every_file_in_the_folder_is_in_the_set() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/stickers");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .expect("the folder is there")
            .map(|entry| {
                entry
                    .expect("readable")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .map(|name| name.trim_end_matches(".svg").to_owned())
            .collect();
        files.sort();
        let mut known: Vec<&str> = drawn_sticker_ids().collect();
        known.sort_unstable();
        assert_eq!(files, known);
    }

    #[test]
    fn every_drawing_can_be_recoloured_and_outlined_and_needs_no_font() {
        for (id, svg) in drawings::DRAWINGS {
            for class in ["tint", "edge"] {
                let marks = [
                    format!("\"{class}\""),
                    format!("{class} "),
                    format!(" {class}\""),
                ];
                assert!(marks.iter().any(|mark| svg.contains(mark)), "{id}: {class}");
            }
            assert!(!svg.contains("<text") && !svg.contains("href"), "{id}");
        }
    }

    #[test]
    fn the_documentation_names_every_sticker() {
        let page = include_str!("../../../docs/STICKERS.md");
        for id in drawn_sticker_ids().chain(named_emoji_ids()) {
            assert!(page.contains(&format!("`{id}`")), "{id}");
        }
    }

    #[test]
    fn what_is_unknown_is_refused_with_what_is_near_and_what_is_known() {
        assert_eq!(refusal("discount-sale"), None);
        let near = refusal("discount-sael").expect("unknown");
        assert!(near.contains("did you mean \"discount-sale\"?"), "{near}");
        let far = refusal("").expect("unknown");
        assert!(
            !far.contains("did you mean") && far.contains("shape-star"),
            "{far}"
        );
        assert!(refusal(&"x".repeat(100_000)).is_some());
    }
}
