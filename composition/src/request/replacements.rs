//! Puts replacement values into the overlays that are variables.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::ai::{self, AiValue};
use crate::document::{
    Caption, CaptionWord, Composition, Field, Issue, Overlay, OverlayKind, Reader,
};
use crate::variables::variable_name;

/// What became of the replacements.
#[derive(Default)]
pub(super) struct Replaced {
    /// Indices of overlays that took a value, and the key it came under.
    pub(super) overlays: BTreeMap<usize, String>,
    /// Well-formed AI values by key. Their overlays are untouched.
    pub(super) ai: BTreeMap<String, AiValue>,
    /// Keys that name no variable.
    pub(super) unknown_keys: Vec<String>,
    /// Unknown fields inside values, by path.
    pub(super) unknown_fields: Vec<String>,
    /// What is wrong with values.
    pub(super) issues: Vec<Issue>,
}

/// Writes each value into every variable of its name.
pub(super) fn apply(values: &Map<String, Value>, composition: &mut Composition) -> Replaced {
    let mut replaced = Replaced::default();
    let mut reader = Reader::default();
    let mut takers: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, overlay) in composition.overlays.iter().enumerate() {
        if let Some(name) = variable_name(overlay) {
            takers.entry(name.into()).or_default().push(index);
        }
    }
    for (key, value) in values {
        let Some(takers) = takers.get(key) else {
            replaced.unknown_keys.push(key.clone());
            continue;
        };
        for index in takers.iter().copied() {
            let overlay = &composition.overlays[index];
            let incoming = reader.at_field("replacements", |reader| {
                reader.at_field(key, |reader| {
                    Incoming::read(value, overlay, composition, reader)
                })
            });
            match incoming {
                Some(Incoming::Ai(value)) => {
                    replaced.ai.insert(key.clone(), value);
                }
                Some(incoming) => {
                    let fps = composition.fps;
                    incoming.write(&mut composition.overlays[index], fps);
                    replaced.overlays.insert(index, key.clone());
                }
                None => {}
            }
        }
    }
    let outcome = reader.finish();
    replaced.issues = outcome.issues;
    replaced.issues.dedup();
    replaced.unknown_fields = outcome.unknown;
    replaced.unknown_fields.dedup();
    replaced
}

/// A value that suits the overlay it is for.
enum Incoming {
    Text(String),
    Captions(Vec<Caption>),
    Ai(AiValue),
}

impl Incoming {
    fn read(
        value: &Value,
        overlay: &Overlay,
        document: &Composition,
        reader: &mut Reader,
    ) -> Option<Self> {
        match (value, &overlay.kind) {
            (Value::Object(object), kind) => ai::read(object, kind, document, reader).map(Self::Ai),
            (Value::Array(_), OverlayKind::Caption(_)) => {
                Vec::<Caption>::read(value, reader).map(Self::Captions)
            }
            (Value::Array(_) | Value::Null, _) => {
                reader.wrong_type("a text", value);
                None
            }
            (Value::String(text), _) => Some(Self::Text(text.clone())),
            (Value::Bool(truth), _) => Some(Self::Text(truth.to_string())),
            (Value::Number(number), _) => Some(Self::Text(match number.as_f64() {
                // 2.0 is a whole number, however it was written.
                Some(fraction) if number.is_f64() => fraction.write().to_string(),
                _ => number.to_string(),
            })),
        }
    }

    fn write(self, overlay: &mut Overlay, fps: u32) {
        let span = length_ms(overlay, fps);
        match (self, &mut overlay.kind) {
            (Self::Text(text), OverlayKind::Caption(track)) => {
                track.captions = spoken_evenly(&text, span).into_iter().collect();
            }
            (Self::Captions(captions), OverlayKind::Caption(track)) => track.captions = captions,
            (Self::Text(text), OverlayKind::Text(overlay)) => overlay.content = text,
            (Self::Text(text), OverlayKind::Shape(overlay)) => overlay.content = text,
            (Self::Text(text), OverlayKind::Sticker(overlay)) => overlay.content = text,
            (Self::Text(text), OverlayKind::Effect(overlay)) => overlay.content = text,
            (Self::Text(text), OverlayKind::Video(overlay)) => overlay.src = text,
            (Self::Text(text), OverlayKind::Image(overlay)) => overlay.src = text,
            (Self::Text(text), OverlayKind::Sound(overlay)) => overlay.src = text,
            (Self::Captions(_) | Self::Ai(_), _) => {}
        }
    }
}

fn length_ms(overlay: &Overlay, fps: u32) -> f64 {
    (overlay.base.duration_in_frames / f64::from(fps.max(1)) * 1000.0).max(0.0)
}

/// A text as one caption over a whole span, each word as long as its share of the letters.
fn spoken_evenly(text: &str, span_ms: f64) -> Option<Caption> {
    let text = text.trim();
    let letters = |word: &str| word.chars().count() as f64;
    let total: f64 = text.split_whitespace().map(letters).sum();
    let mut before = 0.0;
    let words: Vec<CaptionWord> = text
        .split_whitespace()
        .map(|word| {
            let start_ms = (span_ms * before / total).round();
            before += letters(word);
            CaptionWord {
                word: word.into(),
                start_ms,
                end_ms: (span_ms * before / total).round(),
                confidence: 1.0,
            }
        })
        .collect();
    (!words.is_empty()).then(|| Caption {
        text: text.into(),
        start_ms: 0.0,
        end_ms: span_ms.round(),
        words,
        timestamp_ms: None,
        confidence: None,
    })
}
