//! AI replacement values: narration for sounds, transcription for captions.

use serde_json::{Map, Value};

use crate::document::{Composition, OverlayKind, Reader};
use crate::{media_url, price};

/// At most this many values of each kind in one request.
pub(super) const MOST_OF_A_KIND: usize = 3;

/// What to do with AI values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ai {
    /// Refuse them: this server can't generate anything yet.
    Refuse,
    /// Leave them out: narration stays silent, captions stay empty.
    Skip,
}

/// The two kinds of AI value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AiKind {
    /// Text to speech.
    Tts,
    /// Speech to captions.
    Transcribe,
}

impl AiKind {
    /// The key that holds such a value.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tts => "tts",
            Self::Transcribe => "transcribe",
        }
    }
}

/// An AI value that was left out.
#[derive(Clone, Debug, PartialEq)]
pub struct SkippedAi {
    /// The replacement's key.
    pub key: String,
    /// What would have been generated.
    pub kind: AiKind,
    /// How long the text to speak is.
    pub characters: Option<usize>,
    /// What it would have cost, where that is known before it is done.
    pub credits: Option<f64>,
}

/// A well-formed AI value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum AiValue {
    Tts { characters: usize },
    Transcribe { source: Option<String> },
}

impl AiValue {
    pub(super) fn kind(&self) -> AiKind {
        match self {
            Self::Tts { .. } => AiKind::Tts,
            Self::Transcribe { .. } => AiKind::Transcribe,
        }
    }

    /// What is told of a value that is left out; `narrations` are the keys with text to speak, whose
    /// captions come free with the speech.
    pub(super) fn skipped(&self, key: &str, narrations: &[&str]) -> SkippedAi {
        let (characters, hundredths) = match self {
            Self::Tts { characters } => {
                (Some(*characters), Some(price::tts_hundredths(*characters)))
            }
            Self::Transcribe { source } => {
                let is_narration = source
                    .as_deref()
                    .is_some_and(|name| narrations.contains(&name));
                (None, is_narration.then_some(0))
            }
        };
        SkippedAi {
            key: key.into(),
            kind: self.kind(),
            characters,
            credits: hundredths.map(|hundredths| hundredths as f64 / price::HUNDREDTHS as f64),
        }
    }
}

/// Reads the object that was sent for a variable of `kind`, which an AI value must be.
pub(super) fn read(
    object: &Map<String, Value>,
    kind: &OverlayKind,
    document: &Composition,
    reader: &mut Reader,
) -> Option<AiValue> {
    let named = |kind: AiKind| object.get(kind.as_str());
    match (named(AiKind::Tts), named(AiKind::Transcribe), kind) {
        (Some(tts), None, OverlayKind::Sound(_)) => {
            reader.note_unknown(object, &[&["tts"]]);
            reader.at_field("tts", |reader| read_tts(tts, reader))
        }
        (None, Some(transcribe), OverlayKind::Caption(_)) => {
            reader.note_unknown(object, &[&["transcribe"]]);
            reader.at_field("transcribe", |reader| {
                read_transcribe(transcribe, document, reader)
            })
        }
        _ => {
            reader.issue(match kind {
                OverlayKind::Sound(_) => {
                    "expected a URL, or an object with tts, found another object".into()
                }
                OverlayKind::Caption(_) => "expected a text, an array of captions, or an object \
                     with transcribe, found another object"
                    .into(),
                kind => format!(
                    "expected a text: a {} variable takes no object",
                    kind.type_name()
                ),
            });
            None
        }
    }
}

fn read_tts(value: &Value, reader: &mut Reader) -> Option<AiValue> {
    let object = reader.object(value)?;
    reader.note_unknown(object, &[&["text", "voice", "speed"]]);
    let text = reader.required::<String>(object, "text");
    let voice = reader.optional::<String>(object, "voice");
    let speed = reader.optional::<f64>(object, "speed");
    if text.as_ref().is_some_and(|text| text.trim().is_empty()) {
        reader.at_field("text", |reader| reader.issue("must not be empty"));
        return None;
    }
    if speed.flatten().is_some_and(|speed| speed <= 0.0) {
        reader.at_field("speed", |reader| reader.issue("must be more than 0"));
        return None;
    }
    voice?;
    speed?;
    Some(AiValue::Tts {
        characters: text?.chars().count(),
    })
}

fn read_transcribe(value: &Value, document: &Composition, reader: &mut Reader) -> Option<AiValue> {
    const FIELDS: &[&str] = &["source", "url", "language", "startTime", "endTime"];
    let object = reader.object(value)?;
    reader.note_unknown(object, &[FIELDS]);
    let source = reader.optional::<String>(object, "source")?;
    let url = reader.optional::<String>(object, "url")?;
    let language = reader.optional::<String>(object, "language");
    let start = read_seconds("startTime", object, reader);
    let end = read_seconds("endTime", object, reader);

    if source.is_some() == url.is_some() {
        reader.issue("exactly one of source and url is required");
        return None;
    }
    let mut problems = Vec::new();
    if source
        .as_ref()
        .is_some_and(|name| !can_be_heard(document, name))
    {
        problems.push(("source", "must be the name of a sound or video overlay"));
    }
    if url.is_some_and(|url| media_url::normalise(&url).is_none()) {
        problems.push(("url", media_url::EXPECTED));
    }
    if let (Some(Some(start)), Some(Some(end))) = (start, end)
        && end <= start
    {
        problems.push(("endTime", "must be after startTime"));
    }
    for (field, message) in &problems {
        reader.at_field(field, |reader| reader.issue(*message));
    }
    language?;
    start?;
    end?;
    problems
        .is_empty()
        .then_some(AiValue::Transcribe { source })
}

fn read_seconds(
    name: &str,
    object: &Map<String, Value>,
    reader: &mut Reader,
) -> Option<Option<f64>> {
    let seconds = reader.optional::<f64>(object, name)?;
    if seconds.is_some_and(|seconds| seconds < 0.0) {
        reader.at_field(name, |reader| reader.issue("must not be negative"));
        return None;
    }
    Some(seconds)
}

fn can_be_heard(document: &Composition, name: &str) -> bool {
    document.overlays.iter().any(|overlay| {
        overlay.base.name.as_deref() == Some(name)
            && matches!(overlay.kind, OverlayKind::Sound(_) | OverlayKind::Video(_))
    })
}
