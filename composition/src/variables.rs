//! What may be replaced in a document: its dynamic overlays.

use serde_json::Value;

pub use crate::capacity::Capacity;
use crate::capacity::TextSetting;
use crate::document::{Composition, Overlay, OverlayKind};
use crate::fonts::Fonts;

/// A variable as template and project lists show it.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedVariable {
    /// The key of its replacement.
    pub name: String,
    /// The authored value.
    pub default: Value,
    /// The JSON type of a value.
    pub kind: &'static str,
}

/// A variable as its contract describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// The key of its replacement.
    pub name: String,
    /// `url` where a source is replaced, else `text`.
    pub kind: &'static str,
    /// The name, readable.
    pub label: String,
    /// What a value does.
    pub help: String,
    /// The type of the overlay.
    pub overlay_type: &'static str,
    /// The field that a replacement writes: `content` or `src`.
    pub field: &'static str,
    /// How much text fits; of fixed-size text only.
    pub capacity: Option<Capacity>,
    /// The authored value.
    pub default: String,
}

/// The variables of a document, in its order, for lists.
pub fn listed(composition: &Composition) -> Vec<ListedVariable> {
    first_of_each_name(composition)
        .map(|(name, overlay)| ListedVariable {
            name: name.into(),
            default: default_value(overlay).into(),
            kind: "string",
        })
        .collect()
}

/// The variables of a document, in its order, with all that a caller needs to fill them.
pub fn describe(composition: &Composition, fonts: &dyn Fonts) -> Vec<Variable> {
    first_of_each_name(composition)
        .map(|(name, overlay)| {
            let capacity = TextSetting::of_fixed_text(overlay, fonts).map(|set| set.capacity());
            let field = field_name(&overlay.kind);
            Variable {
                name: name.into(),
                kind: if field == "src" { "url" } else { "text" },
                label: label(name),
                help: help(&overlay.kind, capacity),
                overlay_type: overlay.kind.type_name(),
                field,
                capacity,
                default: default_value(overlay),
            }
        })
        .collect()
}

/// The key under which an overlay takes a replacement, if it does.
pub(crate) fn variable_name(overlay: &Overlay) -> Option<&str> {
    let name = overlay.base.name.as_deref();
    name.filter(|name| overlay.base.is_dynamic == Some(true) && !name.is_empty())
}

/// The field that a replacement of this overlay writes.
pub(crate) fn field_name(kind: &OverlayKind) -> &'static str {
    match kind {
        OverlayKind::Video(_) | OverlayKind::Image(_) | OverlayKind::Sound(_) => "src",
        OverlayKind::Text(_)
        | OverlayKind::Shape(_)
        | OverlayKind::Sticker(_)
        | OverlayKind::Caption(_)
        | OverlayKind::Effect(_) => "content",
    }
}

/// What stands in that field; of captions, what is said.
pub(crate) fn default_value(overlay: &Overlay) -> String {
    match &overlay.kind {
        OverlayKind::Text(text) => text.content.clone(),
        OverlayKind::Shape(shape) => shape.content.clone(),
        OverlayKind::Sticker(sticker) => sticker.content.clone(),
        OverlayKind::Effect(effect) => effect.content.clone(),
        OverlayKind::Video(video) => video.src.clone(),
        OverlayKind::Image(image) => image.src.clone(),
        OverlayKind::Sound(sound) => sound.src.clone(),
        OverlayKind::Caption(track) => {
            let texts: Vec<&str> = track.captions.iter().map(|c| c.text.trim()).collect();
            texts.join(" ")
        }
    }
}

fn first_of_each_name(composition: &Composition) -> impl Iterator<Item = (&str, &Overlay)> {
    let mut seen = std::collections::BTreeSet::new();
    composition
        .overlays
        .iter()
        .filter_map(|overlay| variable_name(overlay).map(|name| (name, overlay)))
        .filter(move |(name, _)| seen.insert(*name))
}

/// A key as words: `agent_name` and `agentName` are both "Agent name".
fn label(name: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut previous = ' ';
    for character in name.chars() {
        let starts_word = previous.is_lowercase() && character.is_uppercase();
        if matches!(character, '_' | '-' | '.') || character.is_whitespace() {
            words.push(String::new());
        } else if starts_word || words.is_empty() {
            words.push(character.into());
        } else if let Some(word) = words.last_mut() {
            word.push(character);
        }
        previous = character;
    }
    words.retain(|word| !word.is_empty());
    let is_acronym =
        |word: &str| word.chars().count() > 1 && word.chars().all(|letter| !letter.is_lowercase());
    for (index, word) in words.iter_mut().enumerate() {
        if is_acronym(word) {
            continue;
        }
        let mut letters = word.chars();
        let first = letters.next().into_iter();
        *word = if index == 0 {
            first.flat_map(char::to_uppercase).chain(letters).collect()
        } else {
            first.flat_map(char::to_lowercase).chain(letters).collect()
        };
    }
    if words.is_empty() {
        name.into()
    } else {
        words.join(" ")
    }
}

fn help(kind: &OverlayKind, capacity: Option<Capacity>) -> String {
    match (kind, capacity) {
        (OverlayKind::Text(_), Some(capacity)) => {
            let lines = match capacity.lines_available {
                1 => "1 line".into(),
                lines => format!("{lines} lines"),
            };
            format!(
                "The text to show, at most about {} characters on {lines}; what does not fit is cut off.",
                capacity.max_characters
            )
        }
        (OverlayKind::Text(_), None) => {
            "The text to show; it shrinks where it would not fit.".into()
        }
        (OverlayKind::Video(_), _) => "The http or https URL of the video to play.".into(),
        (OverlayKind::Image(_), _) => "The http or https URL of the image to show.".into(),
        (OverlayKind::Sound(_), _) => "The http or https URL of the sound to play.".into(),
        (OverlayKind::Shape(_), _) => "The name of the shape to draw.".into(),
        (OverlayKind::Sticker(_), _) => "The name of the sticker to show.".into(),
        (OverlayKind::Effect(_), _) => "The name of the effect to play.".into(),
        (OverlayKind::Caption(_), _) => {
            "The words to show as captions, spread over the overlay's whole length.".into()
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::fonts::tests::TestFonts;

    fn document(overlays: &[Value]) -> Composition {
        let overlays: Vec<Value> = overlays
            .iter()
            .map(|extra| {
                let mut overlay = json!({
                    "id": 1, "from": 0, "durationInFrames": 30, "row": 0,
                    "left": 0, "top": 0, "width": 400, "height": 100, "isDynamic": true
                });
                let fields = overlay.as_object_mut().expect("an object");
                fields.extend(extra.as_object().expect("an object").clone());
                overlay
            })
            .collect();
        let document = json!({ "overlays": overlays, "durationInFrames": 30 });
        Composition::from_json(&document).expect("valid").0
    }

    #[test]
    fn only_dynamic_overlays_with_a_name_are_variables() {
        let composition = document(&[
            json!({ "type": "text", "content": "a" }),
            json!({ "type": "text", "content": "b", "name": "" }),
            json!({ "type": "text", "content": "c", "name": "off", "isDynamic": false }),
            json!({ "type": "text", "content": "d", "name": "on" }),
            json!({ "type": "image", "src": "https://example.com/e.png", "name": "on" }),
        ]);
        let variables = listed(&composition);
        assert_eq!(
            variables,
            [ListedVariable {
                name: "on".into(),
                default: "d".into(),
                kind: "string"
            }]
        );
    }

    #[test]
    fn each_type_says_what_a_value_writes() {
        let composition = document(&[
            json!({ "type": "text", "content": "Hi", "name": "headline" }),
            json!({ "type": "video", "src": "https://example.com/v.mp4", "name": "clip" }),
            json!({ "type": "image", "src": "https://example.com/i.png", "name": "logo" }),
            json!({ "type": "sound", "src": "https://example.com/s.mp3", "name": "music" }),
            json!({ "type": "shape", "content": "circle", "name": "badge" }),
            json!({ "type": "sticker", "content": "star", "name": "sticker" }),
            json!({ "type": "caption", "name": "words", "captions": [
                { "text": "one ", "startMs": 0, "endMs": 5, "words": [] },
                { "text": "two", "startMs": 5, "endMs": 9, "words": [] }
            ] }),
            json!({ "type": "effect", "content": "snow", "name": "weather" }),
        ]);
        let described: Vec<_> = describe(&composition, &TestFonts::new())
            .into_iter()
            .map(|variable| {
                assert!(variable.help.ends_with('.'), "{}", variable.help);
                assert_eq!(variable.capacity, None);
                (
                    variable.overlay_type,
                    variable.kind,
                    variable.field,
                    variable.default,
                )
            })
            .collect();
        let expected = [
            ("text", "text", "content", "Hi"),
            ("video", "url", "src", "https://example.com/v.mp4"),
            ("image", "url", "src", "https://example.com/i.png"),
            ("sound", "url", "src", "https://example.com/s.mp3"),
            ("shape", "text", "content", "circle"),
            ("sticker", "text", "content", "star"),
            ("caption", "text", "content", "one two"),
            ("effect", "text", "content", "snow"),
        ];
        assert_eq!(
            described,
            expected.map(|(a, b, c, d)| (a, b, c, d.to_owned()))
        );
    }

    #[test]
    fn fixed_size_text_tells_its_budget() {
        let composition = document(&[json!({
            "type": "text", "content": "Hi", "name": "headline",
            "styles": { "fontSize": "20px", "fontSizeFixed": true }
        })]);
        let variable = &describe(&composition, &TestFonts::new())[0];
        let capacity = variable.capacity.expect("fixed");
        assert_eq!(capacity.lines_available, 4);
        let budget = format!("about {} characters on 4 lines", capacity.max_characters);
        assert!(variable.help.contains(&budget), "{}", variable.help);
    }

    #[test]
    fn labels_are_readable() {
        for (name, expected) in [
            ("agent_name", "Agent name"),
            ("agentName", "Agent name"),
            ("Agent-Name", "Agent name"),
            ("headline", "Headline"),
            ("price2", "Price2"),
            ("logo URL", "Logo URL"),
            ("CTA", "CTA"),
            ("__", "__"),
            ("été_prix", "Été prix"),
        ] {
            assert_eq!(label(name), expected, "{name}");
        }
    }
}
