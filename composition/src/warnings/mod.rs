//! What will not look as it was meant, though it can be rendered.

mod css;
mod fonts;
#[cfg(test)]
mod tests;
mod text;

use serde::Serialize;
use serde_json::{Value, json};

use crate::document::{self, Overlay};
use crate::fonts::Fonts;
use crate::media_url;
use crate::nearest::nearest;
use crate::request::{Mode, Resolution};
use crate::variables::variable_name;

/// Something that the sender of a composition should know.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Warning {
    /// What kind of thing.
    pub code: WarningCode,
    /// How bad.
    pub severity: Severity,
    /// One sentence.
    pub message: String,
    /// The replacement key concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The facts, for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<Value>,
}

/// The kinds of warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum WarningCode {
    /// A key matches no variable.
    UnknownReplacement,
    /// A field is not in the schema.
    UnknownField,
    /// A family is not there.
    FontNotResolved,
    /// A family lacks a weight or a slant.
    FontWeightUnavailable,
    /// A URL was made fetchable.
    MediaUrlRewritten,
    /// A text is longer than its box.
    TextMayClip,
    /// A size is not in pixels.
    FontSizeUnitIgnored,
    /// A URL did not answer.
    MediaUnreachable,
    /// A value is not CSS.
    CssIgnored,
}

/// How bad a warning is, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The render will be wrong, or fail.
    Error,
    /// It renders, but not as it was authored.
    Warning,
    /// Good to know.
    Info,
}

impl WarningCode {
    /// How bad a warning of this kind is.
    pub fn severity(self) -> Severity {
        match self {
            Self::MediaUnreachable => Severity::Error,
            Self::UnknownReplacement
            | Self::UnknownField
            | Self::FontNotResolved
            | Self::FontWeightUnavailable
            | Self::FontSizeUnitIgnored
            | Self::CssIgnored => Severity::Warning,
            Self::MediaUrlRewritten | Self::TextMayClip => Severity::Info,
        }
    }
}

impl Warning {
    fn new(code: WarningCode, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(),
            message: message.into(),
            variable: None,
            hint: None,
            detail: None,
        }
    }

    fn variable(mut self, variable: Option<&str>) -> Self {
        self.variable = variable.map(Into::into);
        self
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    fn detail(mut self, detail: Value) -> Self {
        self.detail = Some(detail);
        self
    }
}

/// Nobody reads more of one kind.
const MOST_OF_A_KIND: usize = 100;

/// Everything worth saying about a resolved request, the most severe first.
///
/// `unreachable` names media that did not answer, and why; it is found by whoever can do I/O.
pub fn warnings(
    resolution: &Resolution,
    fonts: &dyn Fonts,
    unreachable: &[(String, String)],
) -> Vec<Warning> {
    let mut warnings = unreachable_media(resolution, unreachable);
    warnings.extend(unknown_replacements(resolution));
    warnings.extend(unknown_fields(resolution));
    warnings.extend(css::ignored(&resolution.composition));
    warnings.extend(fonts::missing(&resolution.composition, fonts));
    for overlay in &resolution.composition.overlays {
        warnings.extend(text::ignored_size(overlay));
        warnings.extend(text::clipped(overlay, fonts));
    }
    warnings.extend(rewritten_urls(resolution));
    warnings.sort_by_key(|warning| warning.severity);
    warnings
}

/// A warning for each of the first `items`, and one that counts the others.
fn for_each<T>(code: WarningCode, items: &[T], warning: impl FnMut(&T) -> Warning) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = items.iter().take(MOST_OF_A_KIND).map(warning).collect();
    let more = items.len() - warnings.len();
    if more > 0 {
        let message = format!("and {more} more of this kind");
        warnings.push(Warning::new(code, message).detail(json!({ "more": more })));
    }
    warnings
}

/// How a message names an overlay.
fn subject(overlay: &Overlay) -> String {
    format!("the {} overlay", overlay.label())
}

fn unreachable_media(resolution: &Resolution, unreachable: &[(String, String)]) -> Vec<Warning> {
    let mut users: Vec<(Option<String>, Option<Value>, String)> = Vec::new();
    let mut composition = resolution.composition.clone();
    let overlays = &resolution.composition.overlays;
    media_url::visit_urls(&mut composition, |index, _, url| {
        let overlay = index.map(|index| &overlays[index]);
        let name = overlay.and_then(variable_name).map(Into::into);
        let id = overlay.map(|overlay| document::Field::write(&overlay.base.id));
        users.push((name, id, url.clone()));
    });
    let place = |src: &str| users.iter().position(|(_, _, url)| url == src);
    let mut in_order: Vec<_> = unreachable.iter().collect();
    in_order.sort_by_key(|(src, _)| place(src).unwrap_or(usize::MAX));
    in_order
        .into_iter()
        .map(|(src, why)| {
            let of_src = || users.iter().filter(|(_, _, url)| url == src);
            let variable = of_src().find_map(|(name, _, _)| name.as_deref());
            let ids: Vec<&Value> = of_src().filter_map(|(_, id, _)| id.as_ref()).collect();
            Warning::new(
                WarningCode::MediaUnreachable,
                format!("{src} can't be fetched: {why}"),
            )
            .variable(variable)
            .hint(
                "make sure that the URL opens without signing in and answers with the file itself",
            )
            .detail(json!({ "url": src, "reason": why, "overlays": ids }))
        })
        .collect()
}

fn unknown_replacements(resolution: &Resolution) -> Vec<Warning> {
    let code = WarningCode::UnknownReplacement;
    let mut known: Vec<&str> = Vec::new();
    for variable in &resolution.variables {
        if !known.contains(&variable.name.as_str()) {
            known.push(&variable.name);
        }
    }
    for_each(code, &resolution.unknown_replacements, |key| {
        let warning = if resolution.mode == Mode::Direct {
            Warning::new(
                code,
                format!(
                    "the replacement {key:?} is ignored: inputProps is rendered as it was sent"
                ),
            )
            .hint("put the value into inputProps, or render a template or a project")
        } else {
            let warning = Warning::new(
                code,
                format!("the replacement {key:?} matches no variable and is ignored"),
            );
            match nearest(key, known.iter().copied()) {
                Some(meant) => warning.hint(format!("did you mean {meant:?}?")),
                None if known.is_empty() => {
                    warning.hint("this composition has no dynamic overlays")
                }
                None => warning.hint(format!("known are {}", known.join(", "))),
            }
        };
        warning
            .variable(Some(key))
            .detail(json!({ "key": key, "known": known }))
    })
}

fn unknown_fields(resolution: &Resolution) -> Vec<Warning> {
    let code = WarningCode::UnknownField;
    for_each(code, &resolution.unknown_fields, |path| {
        let (parent, field) = path.rsplit_once('.').unwrap_or(("", path));
        let place = if path.starts_with("replacements.") {
            path.clone()
        } else {
            format!("inputProps.{path}")
        };
        let meant = nearest(field, known_fields(parent));
        let warning = Warning::new(
            code,
            format!("{place} is not a field of the schema and is left out"),
        )
        .detail(json!({ "path": path, "field": field, "suggestion": meant }));
        match meant {
            Some(meant) => warning.hint(format!("did you mean {meant:?}?")),
            None => warning.hint("remove the field"),
        }
    })
}

/// The fields that may stand in the object at a path, or in one like it.
fn known_fields(parent: &str) -> impl Iterator<Item = &'static str> {
    use document::*;
    const STYLES: &[&[&str]] = &[
        TextStyles::FIELDS,
        VideoStyles::FIELDS,
        ImageStyles::FIELDS,
        SoundStyles::FIELDS,
        ShapeStyles::FIELDS,
        StickerStyles::FIELDS,
        CaptionStyles::FIELDS,
        EffectStyles::FIELDS,
    ];
    const OVERLAYS: &[&[&str]] = &[
        Base::FIELDS,
        Text::FIELDS,
        Video::FIELDS,
        Image::FIELDS,
        Sound::FIELDS,
        Shape::FIELDS,
        Sticker::FIELDS,
        CaptionTrack::FIELDS,
        Effect::FIELDS,
    ];
    const NESTED: &[&[&str]] = &[
        Animation::FIELDS,
        StaggeredMotion::FIELDS,
        AnimatedText::FIELDS,
        TypeWriter::FIELDS,
        CounterMode::FIELDS,
        CodeBlock::FIELDS,
        Greenscreen::FIELDS,
        GradientTransition::FIELDS,
        HighlightStyle::FIELDS,
        Caption::FIELDS,
        CaptionWord::FIELDS,
    ];
    let last = parent.rsplit('.').next().unwrap_or_default();
    let groups = match last {
        "" => &[Composition::FIELDS],
        "styles" => STYLES,
        last if last.starts_with("overlays[") => OVERLAYS,
        _ => NESTED,
    };
    groups.iter().flat_map(|group| group.iter().copied())
}

fn rewritten_urls(resolution: &Resolution) -> Vec<Warning> {
    let code = WarningCode::MediaUrlRewritten;
    for_each(code, &resolution.rewritten, |url| {
        Warning::new(code, format!("{} is fetched as {}", url.from, url.to))
            .variable(url.variable.as_deref())
            .hint("send the direct URL to be sure of what is fetched")
            .detail(json!({ "path": url.path, "from": url.from, "to": url.to }))
    })
}
