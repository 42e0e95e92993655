//! CSS that is ignored, as a browser ignores what it can't read.

use serde_json::{Value, json};

use super::{Warning, WarningCode, for_each, subject};
use crate::css::{
    Background, BorderSide, ClipPath, Color, CornerRadii, Filter, Gradient, LetterSpacing,
    Position, Shadow, Sides, TextDecoration, TextTransform, Transform, css_font_size, font_weight,
    is_slanted, line_height,
};
use crate::document::{Composition, Field, Overlay, OverlayKind};
use crate::variables::variable_name;

/// Whether a value can be read.
type Reads = fn(&str) -> bool;

/// How the value of each field with CSS is read, whichever overlay it stands on. Families are told by
/// the warnings about fonts.
const FIELDS: &[(&str, Reads)] = &[
    ("background", |text| {
        Background::parse(text, None, Color::BLACK).is_some()
    }),
    ("backgroundColor", is_color),
    ("backdropFilter", is_filter),
    ("border", is_border),
    ("borderBottom", is_border),
    ("borderLeft", is_border),
    ("borderRadius", |text| CornerRadii::parse(text).is_some()),
    ("borderRight", is_border),
    ("borderTop", is_border),
    ("boxShadow", |text| {
        Shadow::parse_box(text, Color::BLACK).is_some()
    }),
    ("cellColors", is_color),
    ("clipPath", |text| {
        is_none(text) || ClipPath::parse(text).is_some()
    }),
    ("color", is_color),
    ("fill", |text| is_none(text) || is_color(text)),
    ("filter", is_filter),
    ("fontSize", |text| css_font_size(text).is_some()),
    ("fontStyle", |text| is_slanted(text).is_some()),
    ("fontWeight", |text| font_weight(text).is_some()),
    ("gradient", is_gradient),
    ("gradients", |text| {
        Gradient::parse(text, Color::BLACK).is_some()
    }),
    ("letterSpacing", |text| LetterSpacing::parse(text).is_some()),
    ("lineHeight", |text| line_height(text).is_some()),
    ("matrixColor", is_color),
    ("objectPosition", |text| Position::parse(text).is_some()),
    ("padding", |text| Sides::parse_padding(text).is_some()),
    ("paddingBackgroundColor", is_color),
    ("stroke", |text| is_none(text) || is_color(text)),
    ("textDecoration", |text| {
        TextDecoration::parse_any(text, Color::BLACK).is_some()
    }),
    ("textShadow", |text| {
        Shadow::parse_text(text, Color::BLACK).is_some()
    }),
    ("textTransform", |text| TextTransform::parse(text).is_some()),
    ("transform", |text| Transform::parse(text).is_some()),
    ("WebkitBackgroundClip", |text| {
        Background::parse_clip(text).is_some()
    }),
    ("WebkitTextFillColor", is_color),
];

fn is_color(text: &str) -> bool {
    Color::parse(text).is_some()
}

fn is_border(text: &str) -> bool {
    BorderSide::parse(text, Color::BLACK).is_some()
}

fn is_filter(text: &str) -> bool {
    Filter::parse_list(text, Color::BLACK).is_some()
}

fn is_gradient(text: &str) -> bool {
    is_none(text) || Gradient::parse(text, Color::BLACK).is_some()
}

fn is_none(text: &str) -> bool {
    text.trim().eq_ignore_ascii_case("none")
}

/// Nothing at all, and words that every property takes, leave a style as it is.
fn says_nothing(text: &str) -> bool {
    const WORDS: [&str; 5] = ["inherit", "initial", "unset", "revert", "revert-layer"];
    let text = text.trim();
    text.is_empty() || WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// A value that can't be read.
struct Ignored<'c> {
    overlay: Option<&'c Overlay>,
    path: String,
    field: String,
    value: String,
}

/// A warning for every value of CSS that can't be read.
pub(super) fn ignored(composition: &Composition) -> Vec<Warning> {
    let mut found = Vec::new();
    let ground = Value::String(composition.background_color.clone());
    visit(
        None,
        "backgroundColor",
        "backgroundColor",
        &ground,
        &mut found,
    );
    for (index, overlay) in composition.overlays.iter().enumerate() {
        let path = format!("overlays[{index}].styles");
        visit(Some(overlay), &path, "styles", &styles(overlay), &mut found);
    }
    let code = WarningCode::CssIgnored;
    for_each(code, &found, |ignored| {
        let subject = ignored.overlay.map_or("the composition".into(), subject);
        let shown: String = ignored.value.chars().take(LONGEST_QUOTE).collect();
        Warning::new(
            code,
            format!(
                "{subject} has the {} {shown:?}, which is not valid CSS and is ignored",
                ignored.field
            ),
        )
        .variable(ignored.overlay.and_then(variable_name))
        .hint("write the value as a browser takes it, or leave the field out")
        .detail(json!({
            "overlayId": ignored.overlay.map(|overlay| overlay.base.id.write()),
            "path": ignored.path,
            "field": ignored.field,
            "value": shown,
        }))
    })
}

/// Characters of a value that a warning repeats.
const LONGEST_QUOTE: usize = 200;

fn styles(overlay: &Overlay) -> Value {
    match &overlay.kind {
        OverlayKind::Text(text) => text.styles.write(),
        OverlayKind::Video(video) => video.styles.write(),
        OverlayKind::Image(image) => image.styles.write(),
        OverlayKind::Sound(_) => Value::Null,
        OverlayKind::Shape(shape) => shape.styles.write(),
        OverlayKind::Sticker(sticker) => sticker.styles.write(),
        OverlayKind::Caption(track) => track.styles.write(),
        OverlayKind::Effect(effect) => effect.styles.write(),
    }
}

fn visit<'c>(
    overlay: Option<&'c Overlay>,
    path: &str,
    field: &str,
    value: &Value,
    found: &mut Vec<Ignored<'c>>,
) {
    match value {
        Value::String(text) => {
            let reads = FIELDS
                .iter()
                .find(|(name, _)| *name == field)
                .map(|(_, reads)| *reads);
            // The size of text has a warning of its own.
            let is_text = overlay.is_some_and(|o| matches!(o.kind, OverlayKind::Text(_)));
            let reads = reads.filter(|_| !(is_text && field == "fontSize"));
            if reads.is_some_and(|reads| !says_nothing(text) && !reads(text)) {
                found.push(Ignored {
                    overlay,
                    path: path.to_owned(),
                    field: field.to_owned(),
                    value: text.clone(),
                });
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                visit(overlay, &format!("{path}[{index}]"), field, item, found);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                visit(overlay, &format!("{path}.{name}"), name, value, found);
            }
        }
        _ => {}
    }
}
