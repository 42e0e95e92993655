//! What one frame shows: plain data, compared and tested without a GPU.

use std::ops::Deref;
use std::sync::Arc;

use super::content::{
    CaptionBlock, Crossfade, EffectBox, Effects, MediaBox, ShapeBox, StickerBox, TextBlock,
};
use super::living::LivingText;
use super::motion::Passing;
use crate::css::Color;
use crate::geometry::{Affine, Projection, Size};

/// One frame, from the background up.
#[derive(Clone, Debug, PartialEq)]
pub struct FramePlan {
    /// What lies behind everything.
    pub background: Color,
    /// Layers in painting order: the first is behind all others.
    pub layers: Vec<Layer>,
}

impl FramePlan {
    /// Whether this frame shows what another does, but for the source times of videos.
    pub fn differs_in_video_times_alone(&self, other: &Self) -> bool {
        self.background == other.background
            && self.layers.len() == other.layers.len()
            && (self.layers.iter().zip(&other.layers))
                .all(|(own, theirs)| *own == own.timing(theirs))
    }
}

impl Layer {
    /// The other layer at this one's source time, where both are videos.
    fn timing(&self, other: &Self) -> Self {
        let mut layer = other.clone();
        if let (Content::Video { time, .. }, Content::Video { time: own, .. }) =
            (&mut layer.content, &self.content)
        {
            *time = *own;
        }
        layer
    }
}

/// One overlay in one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Index of the overlay in the composition.
    pub overlay: usize,
    /// Size of the overlay's box.
    pub size: Size,
    /// From the box (its top left corner is the origin) to the canvas.
    pub transform: Projection,
    /// Whether the layer is at rest: then `transform` is the same as in every other frame in which it
    /// is, and its content may be drawn once, where it will stay.
    pub is_settled: bool,
    /// How much larger than its box the layer is by its own transform, without what moves it.
    pub raster_scale: f32,
    /// 0 to 1; on the whole layer, after its effects.
    pub opacity: f32,
    /// Filter, backdrop and clip.
    pub effects: Shared<Effects>,
    /// What the moment adds to them; nothing while the layer is settled.
    pub passing: Passing,
    /// What is in the box.
    pub content: Content,
}

/// What a layer's box holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Words.
    Text(Shared<TextBlock>),
    /// Words that move, are typed or count.
    LivingText(LivingText),
    /// A vector shape.
    Shape {
        /// The shape.
        shape: Shared<ShapeBox>,
        /// Which gradients of its run are seen, where it has one.
        crossfade: Option<Crossfade>,
    },
    /// A sticker.
    Sticker(Shared<StickerBox>),
    /// A still picture.
    Image {
        /// The picture and its box.
        media: Shared<MediaBox>,
        /// Movement of the picture inside its box, about the box.
        drift: Affine,
        /// Which frame of an animated picture.
        frame: Option<usize>,
    },
    /// A frame of a video.
    Video {
        /// The video and its box.
        media: Shared<MediaBox>,
        /// Movement of the picture inside its box, about the box.
        drift: Affine,
        /// Source time in seconds.
        time: f64,
    },
    /// A caption and the word being spoken.
    Caption {
        /// All captions of the overlay and their style.
        block: Shared<CaptionBlock>,
        /// Which caption.
        caption: usize,
        /// Which word of it is being spoken.
        word: Option<usize>,
    },
    /// A generated effect.
    Effect {
        /// Which, and its parameters.
        effect: Shared<EffectBox>,
        /// Seconds since it appeared.
        time: f64,
    },
}

/// Content that frames share; equal when it is the same content of the same scene.
#[derive(Debug)]
pub struct Shared<T>(Arc<T>);

impl<T> Shared<T> {
    pub(super) fn new(content: T) -> Self {
        Self(Arc::new(content))
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}
