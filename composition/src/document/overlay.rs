//! Overlays: the fields they share and the eight types.

use serde_json::{Map, Value, json};

use super::composition::merged;
use super::motion::{Animation, Greenscreen, MediaSegment};
use super::reader::{Field, Reader, names, record};
use super::schema::{ObjectSchema, Schemas};
use super::styles::{
    CaptionStyles, EffectStyles, ImageStyles, ShapeStyles, SoundStyles, StickerStyles, TextStyles,
    VideoStyles,
};
use crate::css::shape_ids;
use crate::stickers;
use crate::timeline::{preset_names, preset_spellings};

record! {
    /// When and where an overlay is seen.
    pub struct Base {
        /// Unique within the composition.
        id: f64, "id", required;
        /// First frame in which the overlay is seen or heard.
        from: f64, "from", required;
        /// For how many frames.
        duration_in_frames: f64, "durationInFrames", required;
        /// Track, and the stacking order: row 0 is in front, higher rows lie behind. Within one
        /// row, later overlays lie in front.
        row: f64, "row", required;
        /// Pixels from the top of the canvas.
        top: f64, "top", required;
        /// Pixels from the left of the canvas.
        left: f64, "left", required;
        /// Width in pixels.
        width: f64, "width", required;
        /// Height in pixels.
        height: f64, "height", required;
        /// Degrees, clockwise, about the centre.
        rotation: f64, "rotation", default(0.0);
        /// State of an editor; no effect on the video.
        is_dragging: bool, "isDragging", optional;
        /// Whether the overlay is a variable that `replacements` can fill.
        is_dynamic: bool, "isDynamic", optional;
        /// The variable's key in `replacements`.
        name: String, "name", optional;
    }
}

record! {
    /// Words on the canvas, centred vertically in their box.
    pub struct Text {
        /// The words; newlines break lines. A replacement goes here.
        content: String, "content", required;
        /// How the text looks.
        styles: TextStyles, "styles", default(TextStyles::default());
    }
}

record! {
    /// A moving picture with its sound. Its last frame is held past the end of the source.
    pub struct Video {
        /// URL of the video, http or https. A replacement goes here.
        src: String, "src", required;
        /// A thumbnail; no effect on the video.
        content: String, "content", optional;
        /// Seconds into the source at which it starts; 0 when omitted. Without effect beside
        /// `segments`.
        video_start_time: f64, "videoStartTime", optional;
        /// Length of the source in seconds.
        media_src_duration: f64, "mediaSrcDuration", optional;
        /// Factor on the speed, 0.1 to 10; the pitch of the sound stays.
        speed: f64, "speed", default(1.0);
        /// Stretches of the source to play one after another, in this order; the last frame of the last one stays.
        /// At most 1,000.
        segments: Vec<MediaSegment>, "segments", optional;
        /// Makes a colour see-through.
        greenscreen: Greenscreen, "greenscreen", optional;
        /// How the video looks and sounds.
        styles: VideoStyles, "styles", default(VideoStyles::default());
    }
}

record! {
    /// A still picture.
    pub struct Image {
        /// URL of the image, http or https. A replacement goes here.
        src: String, "src", required;
        /// A thumbnail; no effect on the video.
        content: String, "content", optional;
        /// Makes a colour see-through.
        greenscreen: Greenscreen, "greenscreen", optional;
        /// How the image looks.
        styles: ImageStyles, "styles", default(ImageStyles::default());
    }
}

record! {
    /// Something to hear. It needs a place on the canvas as every overlay does, but has none in the
    /// picture.
    pub struct Sound {
        /// URL of the sound, http or https. A replacement goes here.
        src: String, "src", required;
        /// A label; no effect on the video.
        content: String, "content", optional;
        /// Seconds into the source at which it starts; 0 when omitted.
        start_from_sound: f64, "startFromSound", optional;
        /// Length of the source in frames.
        video_duration_in_frames: f64, "videoDurationInFrames", optional;
        /// Length of the source in seconds.
        media_src_duration: f64, "mediaSrcDuration", optional;
        /// Factor on the speed, 0.1 to 10; the pitch stays.
        speed: f64, "speed", default(1.0);
        /// How loud it is, and how it fades.
        styles: SoundStyles, "styles", default(SoundStyles::default());
    }
}

record! {
    /// A vector shape that fills its box.
    pub struct Shape {
        /// Which shape. A replacement goes here.
        content: String, "content", required, one_of(shape_ids());
        /// How the shape looks.
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
    /// A picture from the built-in set, in its own proportions in the middle of its box.
    pub struct Sticker {
        /// Which sticker: a drawing of the set, as in `discount-sale`, or a colour emoji by its name
        /// or its code points, as in `emoji-tada` or `emoji-1f389`. A replacement goes here.
        content: String, "content", required;
        /// The drawer that the sticker lies in; no effect on the video.
        category: StickerCategory, "category", optional;
        /// How the sticker looks.
        styles: StickerStyles, "styles", default(StickerStyles::default());
    }
}

record! {
    /// Words that follow speech: the phrase at the time, with the spoken word highlighted.
    pub struct CaptionTrack {
        /// What is said, and when.
        captions: Vec<Caption>, "captions", required;
        /// Name of a ready-made look.
        template: String, "template", optional;
        /// How the captions look.
        styles: CaptionStyles, "styles", default(CaptionStyles::default());
    }
}

record! {
    /// One caption: a phrase shown at once.
    pub struct Caption {
        /// The phrase.
        text: String, "text", required;
        /// Milliseconds from the overlay's start until it appears.
        start_ms: f64, "startMs", required;
        /// Milliseconds from the overlay's start until it goes.
        end_ms: f64, "endMs", required;
        /// The words of the phrase, each with its time.
        words: Vec<CaptionWord>, "words", required;
        /// When a recogniser heard it, in milliseconds.
        timestamp_ms: f64, "timestampMs", nullable;
        /// How sure a recogniser was, 0 to 1.
        confidence: f64, "confidence", nullable;
    }
}

record! {
    /// One spoken word.
    pub struct CaptionWord {
        /// The word.
        word: String, "word", required;
        /// Milliseconds from the overlay's start until it is spoken.
        start_ms: f64, "startMs", required;
        /// Milliseconds from the overlay's start until it is over.
        end_ms: f64, "endMs", required;
        /// How sure a recogniser was, 0 to 1.
        confidence: f64, "confidence", required;
    }
}

/// Every effect that there is a name for.
const EFFECTS: [&str; 10] = [
    "snow",
    "confetti",
    "rain",
    "fireflies",
    "sparkles",
    "bubbles",
    "matrix",
    "grid-stagger",
    "fracture",
    "scrolling-columns",
];

record! {
    /// A generated effect.
    pub struct Effect {
        /// Which effect.
        content: String, "content", required, one_of(EFFECTS);
        /// Parameters of the effect; each effect reads those that concern it.
        styles: EffectStyles, "styles", default(EffectStyles::default());
    }
}

impl Effect {
    /// Pictures that an effect may show.
    const MOST_IMAGES: usize = 200;

    /// Sources of the pictures that the effect shows.
    fn images(&self) -> Vec<&str> {
        let cells = self.styles.cell_images.iter().flatten();
        let columns = self.styles.columns.iter().flatten();
        let images: Vec<&String> = match self.content.as_str() {
            "grid-stagger" => cells.collect(),
            "fracture" => cells.filter(|src| !src.trim().is_empty()).take(1).collect(),
            "scrolling-columns" => columns
                .flat_map(|column| column.images.iter().flatten())
                .collect(),
            _ => Vec::new(),
        };
        let named = images.into_iter().filter(|src| !src.trim().is_empty());
        named.map(String::as_str).collect()
    }

    fn too_many_images(&self, mut refuse: impl FnMut(&str, String)) {
        let count = self.images().len();
        if count > Self::MOST_IMAGES {
            let field = match self.content.as_str() {
                "scrolling-columns" => "styles.columns",
                _ => "styles.cellImages",
            };
            let most = Self::MOST_IMAGES;
            refuse(
                field,
                format!("has {count} images; an effect shows at most {most}"),
            );
        }
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

            /// Each type's name and a reference to its schema.
            fn schemas(schemas: &mut Schemas) -> Vec<(&'static str, Value)> {
                vec![$( {
                    let schema_name = concat!(stringify!($variant), "Overlay");
                    let reference = schemas.reference(schema_name, |schemas| {
                        let mut object = ObjectSchema::default();
                        object.field("type", json!({ "const": $name }), "Says what the overlay is.");
                        object.require("type");
                        Base::describe_fields(&mut object, schemas);
                        $record::describe_fields(&mut object, schemas);
                        object.finish($record::DOC)
                    });
                    ($name, reference)
                } ),*]
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

    fn schema(schemas: &mut Schemas) -> Value {
        schemas.reference("Overlay", |schemas| {
            let types = OverlayKind::schemas(schemas);
            let mapping: Map<_, _> = types
                .iter()
                .map(|(name, reference)| ((*name).to_owned(), reference["$ref"].clone()))
                .collect();
            let types: Vec<_> = types.into_iter().map(|(_, reference)| reference).collect();
            json!({
                "description": "Something to see or hear for a while; `type` says what.",
                "oneOf": types,
                "discriminator": { "propertyName": "type", "mapping": mapping },
            })
        })
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

    /// The media source that a variable fills, where the type has one.
    pub fn src(&self) -> Option<&str> {
        match &self.kind {
            OverlayKind::Video(video) => Some(&video.src),
            OverlayKind::Image(image) => Some(&image.src),
            OverlayKind::Sound(sound) => Some(&sound.src),
            _ => None,
        }
    }

    /// Every media source that is seen or heard.
    pub fn sources(&self) -> Vec<&str> {
        match &self.kind {
            OverlayKind::Effect(effect) => effect.images(),
            _ => self.src().into_iter().collect(),
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
        if let Some(animation) = self.animation() {
            for (field, preset) in [
                ("styles.animation.enter", &animation.enter),
                ("styles.animation.exit", &animation.exit),
            ] {
                let Some(preset) = preset else { continue };
                if !preset_spellings().contains(preset) {
                    refuse(
                        field,
                        format!(
                            "unknown preset {preset:?}; known are {}, also spelled as in slide-right",
                            preset_names().join(", ")
                        ),
                    );
                }
            }
        }
        let mut check = |field: &str, what: &str, name: &str, known: &[&str]| {
            if !known.contains(&name) {
                refuse(
                    field,
                    format!("unknown {what} {name:?}; known are {}", known.join(", ")),
                );
            }
        };
        match &self.kind {
            OverlayKind::Video(video) => video.unplayable(refuse),
            OverlayKind::Sound(sound) => sound.unplayable(refuse),
            OverlayKind::Shape(shape) => check("content", "shape", &shape.content, &shape_ids()),
            OverlayKind::Sticker(sticker) => {
                if let Some(why) = stickers::refusal(&sticker.content) {
                    refuse("content", why);
                }
            }
            OverlayKind::Effect(effect) => {
                check("content", "effect", &effect.content, &EFFECTS);
                effect.too_many_images(refuse);
            }
            _ => {}
        }
    }
}
