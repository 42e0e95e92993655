//! Overlays: the fields they share and the eight types.

use serde_json::{Map, Value};

use super::composition::merged;
use super::motion::{Animation, Greenscreen, MediaSegment};
use super::reader::{Field, Reader, names, record};
use super::styles::{
    CaptionStyles, EffectStyles, ImageStyles, ShapeStyles, SoundStyles, StickerStyles, TextStyles,
    VideoStyles,
};
use crate::css::shape_ids;
use crate::timeline::{enter_names, exit_names};

record! {
    /// When and where an overlay is seen.
    pub struct Base {
        /// Unique within the composition.
        id: f64, "id", required;
        /// First visible frame.
        from: f64, "from", required;
        /// Visible length in frames.
        duration_in_frames: f64, "durationInFrames", required;
        /// Track; lower rows are in front.
        row: f64, "row", required;
        /// Pixels from the canvas top.
        top: f64, "top", required;
        /// Pixels from the canvas left.
        left: f64, "left", required;
        /// Width in pixels.
        width: f64, "width", required;
        /// Height in pixels.
        height: f64, "height", required;
        /// Degrees, clockwise, about the centre.
        rotation: f64, "rotation", default(0.0);
        /// An editor's state; no effect on the picture.
        is_dragging: bool, "isDragging", optional;
        /// Whether the overlay is a template variable.
        is_dynamic: bool, "isDynamic", optional;
        /// The variable's key.
        name: String, "name", optional;
    }
}

record! {
    /// Words on the canvas.
    pub struct Text {
        /// The words; newlines break lines.
        content: String, "content", required;
        /// How they look.
        styles: TextStyles, "styles", default(TextStyles::default());
    }
}

record! {
    /// A moving picture with its sound.
    pub struct Video {
        /// Where the file is.
        src: String, "src", required;
        /// A thumbnail.
        content: String, "content", optional;
        /// In-point in seconds.
        video_start_time: f64, "videoStartTime", optional;
        /// Length of the source in seconds.
        media_src_duration: f64, "mediaSrcDuration", optional;
        /// How fast it plays.
        speed: f64, "speed", default(1.0);
        /// Parts of the source to play instead of one run from the in-point.
        segments: Vec<MediaSegment>, "segments", optional;
        /// Removes a colour.
        greenscreen: Greenscreen, "greenscreen", optional;
        /// How it looks.
        styles: VideoStyles, "styles", default(VideoStyles::default());
    }
}

record! {
    /// A still picture.
    pub struct Image {
        /// Where the file is.
        src: String, "src", required;
        /// A thumbnail.
        content: String, "content", optional;
        /// Removes a colour.
        greenscreen: Greenscreen, "greenscreen", optional;
        /// How it looks.
        styles: ImageStyles, "styles", default(ImageStyles::default());
    }
}

record! {
    /// Something to hear.
    pub struct Sound {
        /// Where the file is.
        src: String, "src", required;
        /// A label.
        content: String, "content", optional;
        /// In-point in seconds.
        start_from_sound: f64, "startFromSound", optional;
        /// Length of the source in frames.
        video_duration_in_frames: f64, "videoDurationInFrames", optional;
        /// Length of the source in seconds.
        media_src_duration: f64, "mediaSrcDuration", optional;
        /// How fast it plays.
        speed: f64, "speed", default(1.0);
        /// How it sounds.
        styles: SoundStyles, "styles", default(SoundStyles::default());
    }
}

record! {
    /// A vector shape.
    pub struct Shape {
        /// Which shape.
        content: String, "content", required;
        /// How it looks.
        styles: ShapeStyles, "styles", default(ShapeStyles::default());
    }
}

names! {
    /// The drawers of the sticker set.
    pub enum StickerCategory {
        Shapes = "Shapes",
        Discounts = "Discounts",
        Emojis = "Emojis",
        Reviews = "Reviews",
        Default = "Default",
    }
}

record! {
    /// A picture from the built-in set.
    pub struct Sticker {
        /// Which sticker.
        content: String, "content", required;
        /// Its drawer.
        category: StickerCategory, "category", optional;
        /// How it looks.
        styles: StickerStyles, "styles", default(StickerStyles::default());
    }
}

record! {
    /// Words that follow the speech.
    pub struct CaptionTrack {
        /// What is said, and when.
        captions: Vec<Caption>, "captions", required;
        /// The name of a style.
        template: String, "template", optional;
        /// How it looks.
        styles: CaptionStyles, "styles", default(CaptionStyles::default());
    }
}

record! {
    /// One caption: a phrase shown at once.
    pub struct Caption {
        /// The phrase.
        text: String, "text", required;
        /// When it appears.
        start_ms: f64, "startMs", required;
        /// When it goes.
        end_ms: f64, "endMs", required;
        /// The words of the phrase.
        words: Vec<CaptionWord>, "words", required;
        /// When it was spoken, by the recogniser.
        timestamp_ms: f64, "timestampMs", optional;
        /// The recogniser's confidence.
        confidence: f64, "confidence", optional;
    }
}

record! {
    /// One spoken word.
    pub struct CaptionWord {
        /// The word.
        word: String, "word", required;
        /// When it begins.
        start_ms: f64, "startMs", required;
        /// When it ends.
        end_ms: f64, "endMs", required;
        /// The recogniser's confidence.
        confidence: f64, "confidence", required;
    }
}

record! {
    /// A generated effect.
    pub struct Effect {
        /// Which effect.
        content: String, "content", required;
        /// Its parameters.
        styles: EffectStyles, "styles", default(EffectStyles::default());
    }
}

/// What an overlay is.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    missing_docs,
    reason = "each variant holds the documented type of its name"
)]
#[expect(
    clippy::large_enum_variant,
    reason = "a document holds at most a thousand of them"
)]
pub enum OverlayKind {
    Text(Text),
    Video(Video),
    Image(Image),
    Sound(Sound),
    Shape(Shape),
    Sticker(Sticker),
    Caption(CaptionTrack),
    Effect(Effect),
}

/// One overlay of a composition.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlay {
    /// When and where.
    pub base: Base,
    /// What.
    pub kind: OverlayKind,
}

/// Connects each overlay type's name with its variant and record.
macro_rules! overlay_types {
    ($( $name:literal => $variant:ident($record:ident), )*) => {
        impl OverlayKind {
            /// The value of the document's `type` field.
            pub fn type_name(&self) -> &'static str {
                match self { $( Self::$variant(_) => $name, )* }
            }

            fn write(&self) -> Value {
                match self { $( Self::$variant(record) => record.write(), )* }
            }

            fn read(
                type_name: &str,
                object: &Map<String, Value>,
                reader: &mut Reader,
            ) -> Option<Self> {
                match type_name {
                    $( $name => {
                        reader.note_unknown(object, &[&["type"], Base::FIELDS, $record::FIELDS]);
                        $record::read_fields(object, reader).map(Self::$variant)
                    } )*
                    other => {
                        reader.at_field("type", |reader| {
                            let known = [$($name),*].join(", ");
                            reader.issue(format!("unknown type {other:?}; known are {known}"));
                        });
                        None
                    }
                }
            }
        }
    };
}

overlay_types! {
    "text" => Text(Text),
    "video" => Video(Video),
    "image" => Image(Image),
    "sound" => Sound(Sound),
    "shape" => Shape(Shape),
    "sticker" => Sticker(Sticker),
    "caption" => Caption(CaptionTrack),
    "effect" => Effect(Effect),
}

impl Field for Overlay {
    const EXPECTED: &'static str = "an overlay object";

    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let object = reader.object(value)?;
        let base = Base::read_fields(object, reader);
        let type_name = reader.required::<String>(object, "type");
        let kind = OverlayKind::read(&type_name?, object, reader);
        Some(Self {
            base: base?,
            kind: kind?,
        })
    }

    fn write(&self) -> Value {
        let mut base = Map::new();
        base.insert("type".into(), self.kind.type_name().into());
        self.base.write_fields(&mut base);
        merged(base.into(), self.kind.write())
    }
}

impl Overlay {
    /// How messages name this overlay: by its variable name, else by its id.
    pub fn label(&self) -> String {
        match &self.base.name {
            Some(name) if !name.is_empty() => format!("{} {name:?}", self.kind.type_name()),
            _ => format!("{} {}", self.kind.type_name(), self.base.id),
        }
    }

    /// The media source, where the type has one.
    pub fn src(&self) -> Option<&str> {
        match &self.kind {
            OverlayKind::Video(video) => Some(&video.src),
            OverlayKind::Image(image) => Some(&image.src),
            OverlayKind::Sound(sound) => Some(&sound.src),
            _ => None,
        }
    }

    /// The animation, where the type has one.
    pub fn animation(&self) -> Option<&Animation> {
        match &self.kind {
            OverlayKind::Text(text) => text.styles.animation.as_ref(),
            OverlayKind::Video(video) => video.styles.animation.as_ref(),
            OverlayKind::Image(image) => image.styles.animation.as_ref(),
            OverlayKind::Shape(shape) => shape.styles.animation.as_ref(),
            OverlayKind::Sticker(sticker) => sticker.styles.animation.as_ref(),
            OverlayKind::Sound(_) | OverlayKind::Caption(_) | OverlayKind::Effect(_) => None,
        }
    }

    /// Reports each name in this overlay that nothing is known under: its field, and what is.
    pub(super) fn unrenderable(&self, mut refuse: impl FnMut(&str, String)) {
        let mut check = |field: &str, what: &str, name: &str, known: &[&str]| {
            if !known.contains(&name) {
                refuse(
                    field,
                    format!("unknown {what} {name:?}; known are {}", known.join(", ")),
                );
            }
        };
        if let Some(animation) = self.animation() {
            for (field, preset, known) in [
                ("styles.animation.enter", &animation.enter, enter_names()),
                ("styles.animation.exit", &animation.exit, exit_names()),
            ] {
                if let Some(preset) = preset {
                    check(field, "preset", preset, known);
                }
            }
        }
        match &self.kind {
            OverlayKind::Shape(shape) => check("content", "shape", &shape.content, &shape_ids()),
            OverlayKind::Sticker(_) | OverlayKind::Effect(_) => {
                refuse(
                    "type",
                    format!("{} overlays can't be rendered yet", self.kind.type_name()),
                );
            }
            _ => {}
        }
    }
}
