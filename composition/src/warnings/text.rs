//! Warnings about the size of text.

use serde_json::json;

use super::{Warning, WarningCode, subject};
use crate::capacity::TextSetting;
use crate::css::{FontSize, css_font_size, text_font_size};
use crate::document::{Field, Overlay, OverlayKind};
use crate::fonts::Fonts;
use crate::variables::variable_name;

/// A size that is not in pixels.
pub(super) fn ignored_size(overlay: &Overlay) -> Option<Warning> {
    let OverlayKind::Text(text) = &overlay.kind else {
        return None;
    };
    let size = text.styles.font_size.as_deref()?;
    if !matches!(text_font_size(Some(size), None, true), FontSize::Fit { .. }) {
        return None;
    }
    let warning = Warning::new(
        WarningCode::FontSizeUnitIgnored,
        format!(
            "{} has the fontSize {size:?}, which is not in pixels; the text is fitted to its box instead",
            subject(overlay)
        ),
    )
    .variable(variable_name(overlay));
    let pixels = css_font_size(size);
    let hint = match pixels {
        Some(pixels) => format!("write \"{pixels}px\", or leave fontSize out"),
        None => "write a number of pixels, as in \"48px\", or leave fontSize out".into(),
    };
    Some(warning.hint(hint).detail(json!({
        "overlayId": overlay.base.id.write(), "fontSize": size, "pixels": pixels,
    })))
}

/// Text of fixed size that is estimated to be longer than its box. Within its budget of characters a
/// text only clips by its own line breaks.
pub(super) fn clipped(overlay: &Overlay, fonts: &dyn Fonts) -> Option<Warning> {
    let OverlayKind::Text(text) = &overlay.kind else {
        return None;
    };
    let setting = TextSetting::of_fixed_text(overlay, fonts)?;
    let content = text.content.trim_end();
    let capacity = setting.capacity();
    let available = capacity.lines_available;
    let characters = u32::try_from(content.chars().count()).unwrap_or(u32::MAX);
    let lines = if characters > capacity.max_characters {
        setting.lines(content)
    } else {
        u32::try_from(content.lines().count()).unwrap_or(u32::MAX)
    };
    if lines <= available {
        return None;
    }
    let hint = if characters > capacity.max_characters {
        format!(
            "keep it to about {} characters, make the box larger, or leave fontSizeFixed out",
            capacity.max_characters
        )
    } else {
        "use fewer line breaks, make the box larger, or leave fontSizeFixed out".into()
    };
    Some(
        Warning::new(
            WarningCode::TextMayClip,
            format!(
                "{} is estimated to need {lines} lines where {available} fit; the rest is cut off",
                subject(overlay)
            ),
        )
        .variable(variable_name(overlay))
        .hint(hint)
        .detail(json!({
            "overlayId": overlay.base.id.write(),
            "characters": characters,
            "maxCharacters": capacity.max_characters,
            "lines": lines,
            "linesAvailable": available,
        })),
    )
}
