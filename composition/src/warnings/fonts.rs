//! Warnings about fonts that are not there. What several overlays share is said once.

use serde_json::{Value, json};

use super::{Warning, WarningCode, subject};
use crate::css::font_families;
use crate::document::{Composition, Field, Overlay, OverlayKind};
use crate::fonts::{FontFamily, Fonts};
use crate::timeline::{CaptionBlock, Size, TextBlock, TextStyle};
use crate::variables::variable_name;

/// Families that every browser has some font for, so that nobody means one of their own by them.
const GENERIC: &[&str] = &[
    "serif",
    "sans-serif",
    "monospace",
    "cursive",
    "fantasy",
    "system-ui",
    "ui-serif",
    "ui-sans-serif",
    "ui-monospace",
    "ui-rounded",
    "math",
    "emoji",
    "fangsong",
    "-apple-system",
    "blinkmacsystemfont",
    "inherit",
    "initial",
    "unset",
];

/// Families, weights and slants that the fonts lack, in document order.
pub(super) fn missing(composition: &Composition, fonts: &dyn Fonts) -> Vec<Warning> {
    let mut found: Vec<Finding> = Vec::new();
    let mut note = |finding: Finding| match found.iter_mut().find(|known| known.same(&finding)) {
        Some(known) => {
            known.overlays.extend(finding.overlays);
            known.variable = known.variable.take().or(finding.variable);
        }
        None => found.push(finding),
    };
    for overlay in &composition.overlays {
        let Some(lettering) = Lettering::of(overlay) else {
            continue;
        };
        let used = lettering
            .style
            .families
            .iter()
            .find_map(|name| fonts.family(name));
        if let Some(family) = lettering.unresolved(fonts) {
            note(Finding::family(overlay, &family, used));
        }
        for (weight, italic) in lettering.faces() {
            if let Some(family) = used
                && !has_face(family, weight, italic)
            {
                note(Finding::face(overlay, family, weight, italic));
            }
        }
    }
    found.into_iter().map(Finding::into_warning).collect()
}

fn has_face(family: &FontFamily, weight: u16, italic: bool) -> bool {
    let mut faces = family.faces.iter();
    faces.any(|face| face.weight == weight && face.italic == italic)
}

/// How the words of an overlay are set.
struct Lettering<'a> {
    style: TextStyle,
    highlight_weight: Option<u16>,
    written_family: Option<&'a str>,
}

impl<'a> Lettering<'a> {
    fn of(overlay: &'a Overlay) -> Option<Self> {
        match &overlay.kind {
            OverlayKind::Text(text) => Some(Self {
                style: TextBlock::new(text, Size::default()).style,
                highlight_weight: None,
                written_family: text.styles.font_family.as_deref(),
            }),
            OverlayKind::Caption(track) => {
                let block = CaptionBlock::new(track, Size::default());
                Some(Self {
                    style: block.style,
                    highlight_weight: block.highlight.weight,
                    written_family: track.styles.font_family.as_deref(),
                })
            }
            _ => None,
        }
    }

    /// The first family that was meant and is not there; those after one that is there don't matter.
    fn unresolved(&self, fonts: &dyn Fonts) -> Option<String> {
        let written = self.written_family.filter(|text| !text.trim().is_empty())?;
        let Some(families) = font_families(written) else {
            return Some(written.trim().into());
        };
        families
            .into_iter()
            .take_while(|name| fonts.family(name).is_none())
            .find(|name| {
                !GENERIC
                    .iter()
                    .any(|generic| name.eq_ignore_ascii_case(generic))
            })
    }

    fn faces(&self) -> impl Iterator<Item = (u16, bool)> {
        let italic = self.style.italic;
        let weight = self.style.weight;
        let highlight = self.highlight_weight.filter(|other| *other != weight);
        std::iter::once(weight)
            .chain(highlight)
            .map(move |weight| (weight, italic))
    }
}

/// Something that is not there, and the overlays that want it.
struct Finding {
    code: WarningCode,
    message: String,
    hint: String,
    detail: serde_json::Map<String, Value>,
    overlays: Vec<Value>,
    variable: Option<String>,
}

impl Finding {
    fn new(
        overlay: &Overlay,
        code: WarningCode,
        message: &str,
        hint: String,
        detail: Value,
    ) -> Self {
        Self {
            code,
            message: format!("{} {message}", subject(overlay)),
            hint,
            detail: match detail {
                Value::Object(detail) => detail,
                _ => serde_json::Map::new(),
            },
            overlays: vec![overlay.base.id.write()],
            variable: variable_name(overlay).map(Into::into),
        }
    }

    fn family(overlay: &Overlay, family: &str, used: Option<&FontFamily>) -> Self {
        let used = used.map_or("a default font", |family| &family.name);
        Self::new(
            overlay,
            WarningCode::FontNotResolved,
            &format!("asks for the font {family:?}, which is not there; {used} is used"),
            "name a family that is there, or one more after it to fall back on".into(),
            json!({ "family": family, "used": used }),
        )
    }

    fn face(overlay: &Overlay, family: &FontFamily, weight: u16, italic: bool) -> Self {
        let used = family.nearest_face(weight, italic);
        let (used_weight, used_italic) =
            used.map_or((weight, italic), |face| (face.weight, face.italic));
        let weights = family.weights(used_italic);
        let slant = |italic: bool| if italic { "italic" } else { "normal" };
        let known: Vec<String> = weights.iter().map(u16::to_string).collect();
        Self::new(
            overlay,
            WarningCode::FontWeightUnavailable,
            &format!(
                "asks for {} at weight {weight} {}, which the family lacks; {used_weight} {} is used",
                family.name,
                slant(italic),
                slant(used_italic)
            ),
            format!(
                "{} has the weights {} in {}",
                family.name,
                known.join(", "),
                slant(used_italic)
            ),
            json!({
                "family": family.name,
                "requested": weight,
                "used": used_weight,
                "availableWeights": weights,
                "requestedStyle": slant(italic),
                "usedStyle": slant(used_italic),
            }),
        )
    }

    fn same(&self, other: &Self) -> bool {
        self.code == other.code && self.detail == other.detail
    }

    fn into_warning(self) -> Warning {
        let Self {
            code,
            message,
            hint,
            mut detail,
            overlays,
            variable,
        } = self;
        detail.insert("overlays".into(), overlays.into());
        Warning::new(code, message)
            .variable(variable.as_deref())
            .hint(hint)
            .detail(detail.into())
    }
}
