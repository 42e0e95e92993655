//! What a frame is drawn from.

use std::collections::HashMap;

use kinora_composition::css::Filter;
use kinora_composition::timeline::{Affine, Content, Layer, MediaBox, Projection, Size};

use super::caption;
use super::crossfade::Mixed;
use super::group::Group;
use super::still::Still;

/// What a rastered overlay depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum StillKey {
    /// A text, a shape or a sticker, painted where it rests or to be moved.
    Overlay(usize, Painted),
    /// A shape with one gradient of its run.
    Gradient(usize, usize, Painted),
    /// A shape whose gradients fade, as it was drawn last.
    Crossfade(usize),
    /// The box behind a picture.
    Frame(usize, Painted),
    /// A caption with a word highlighted.
    Caption(usize, usize, Option<usize>),
    /// The highlighted word of a caption alone.
    Spoken(usize, usize, Option<usize>),
    /// A whole layer with its effects.
    Group(usize),
}

/// For what a layer was painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Painted {
    /// To be moved.
    Flat,
    /// To stay where it rests.
    InPlace,
}

impl Painted {
    /// What a layer needs at the moment.
    pub(super) fn of(layer: &Layer) -> Self {
        match layer.is_settled {
            true => Self::InPlace,
            false => Self::Flat,
        }
    }
}

impl StillKey {
    /// The key of the box behind a layer's picture.
    pub(super) fn frame_of(layer: &Layer) -> Self {
        Self::Frame(layer.overlay, Painted::of(layer))
    }

    /// The key of a layer's own content.
    pub(super) fn of(layer: &Layer) -> Self {
        match &layer.content {
            Content::Caption { caption, word, .. } => Self::Caption(layer.overlay, *caption, *word),
            Content::Shape {
                crossfade: Some(crossfade),
                ..
            } => match crossfade.share {
                0 => Self::Gradient(layer.overlay, crossfade.from, Painted::of(layer)),
                _ => Self::Crossfade(layer.overlay),
            },
            _ => Self::Overlay(layer.overlay, Painted::of(layer)),
        }
    }
}

/// A still at its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Placed {
    pub(super) key: StillKey,
    pub(super) transform: Projection,
    pub(super) opacity: f32,
    /// The part of the box that may be seen, in its own pixels: left, top, right, bottom.
    pub(super) window: Option<[f32; 4]>,
    /// What a group or a crossfade shows, which may change.
    pub(super) shows: Option<Shown>,
}

impl Placed {
    /// Whether a video is in it, which changes without being told.
    pub(super) fn shows_video(&self) -> bool {
        let content = self.shows.as_ref().map(|shown| &shown.content);
        matches!(content, Some(Content::Video { .. }))
    }
}

/// What a group is made of, as far as that changes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shown {
    pub(super) content: Content,
    /// What the moment adds to the layer's filter.
    pub(super) filter: Vec<Filter>,
    pub(super) painted: Painted,
}

impl Shown {
    pub(super) fn by(layer: &Layer) -> Self {
        Self {
            content: layer.content.clone(),
            filter: layer.passing.filter.clone(),
            painted: Painted::of(layer),
        }
    }
}

/// The part of a layer's box that the moment leaves: left, top, right, bottom.
pub(super) fn window_of(layer: &Layer) -> Option<[f32; 4]> {
    let Size { width, height } = layer.size;
    layer.passing.reveal.map(|reveal| {
        [
            reveal.left * width,
            reveal.top * height,
            width - reveal.right * width,
            height - reveal.bottom * height,
        ]
    })
}

/// One thing to draw; a layer is one or more of them.
pub(super) enum Item<'p> {
    /// What lies behind the layer's box, filtered.
    Backdrop(&'p Layer),
    /// What lies behind the spoken word of a caption, filtered.
    SpokenBackdrop(&'p Layer),
    /// What was rastered before.
    Still(Placed),
    /// A text whose letters move, are typed or count, in its box.
    Living(&'p Layer),
    /// A picture in its box.
    Image {
        layer: &'p Layer,
        media: &'p MediaBox,
        drift: Affine,
    },
    /// A video frame in its box.
    Video {
        layer: &'p Layer,
        media: &'p MediaBox,
        drift: Affine,
    },
    /// A generated effect in its box.
    Effect(&'p Layer),
}

/// Everything that was rastered.
#[derive(Default)]
pub(super) struct Stills {
    pub(super) parts: HashMap<StillKey, Option<Still>>,
    pub(super) groups: HashMap<usize, Group>,
    pub(super) crossfades: HashMap<usize, Mixed>,
}

impl Stills {
    /// What was rastered for a key, if there is anything to see.
    pub(super) fn get(&self, key: StillKey) -> Option<&Still> {
        match key {
            StillKey::Group(overlay) => self.groups.get(&overlay)?.shown.as_ref(),
            StillKey::Crossfade(overlay) => Some(&self.crossfades.get(&overlay)?.still),
            _ => self.parts.get(&key)?.as_ref(),
        }
    }

    /// Whether a part is known to have nothing to see; of what is made anew that is never known
    /// beforehand.
    pub(super) fn is_empty(&self, key: StillKey) -> bool {
        !matches!(key, StillKey::Group(_) | StillKey::Crossfade(_)) && self.get(key).is_none()
    }
}

/// What a layer is made of, from the back; `is_group` where its parts were brought together before.
pub(super) fn items_of(layer: &Layer, is_group: bool) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    if !layer.effects.backdrop.is_empty() {
        items.push(Item::Backdrop(layer));
    }
    if is_group {
        items.push(Item::Still(Placed {
            key: StillKey::Group(layer.overlay),
            transform: layer.transform,
            opacity: layer.opacity,
            window: window_of(layer),
            shows: Some(Shown::by(layer)),
        }));
    } else {
        items.extend(parts_of(layer));
    }
    items
}

/// The parts of a layer without its effects, from the back.
pub(super) fn parts_of(layer: &Layer) -> Vec<Item<'_>> {
    let still = |key| {
        Item::Still(Placed {
            key,
            transform: layer.transform,
            opacity: layer.opacity,
            window: None,
            shows: None,
        })
    };
    let frame = still(StillKey::frame_of(layer));
    match &layer.content {
        Content::Caption {
            block,
            caption,
            word,
        } if caption::is_apart(block, *word) => vec![
            still(StillKey::of(layer)),
            Item::SpokenBackdrop(layer),
            still(StillKey::Spoken(layer.overlay, *caption, *word)),
        ],
        Content::LivingText(_) => vec![Item::Living(layer)],
        Content::Shape { crossfade, .. } => {
            let fades = crossfade.is_some_and(|crossfade| crossfade.share > 0);
            vec![Item::Still(Placed {
                key: StillKey::of(layer),
                transform: layer.transform,
                opacity: layer.opacity,
                window: None,
                shows: fades.then(|| Shown::by(layer)),
            })]
        }
        Content::Text(_) | Content::Sticker(_) | Content::Caption { .. } => {
            vec![still(StillKey::of(layer))]
        }
        Content::Image { media, drift, .. } => {
            let drift = *drift;
            vec![
                frame,
                Item::Image {
                    layer,
                    media,
                    drift,
                },
            ]
        }
        Content::Video { media, drift, .. } => {
            let drift = *drift;
            vec![
                frame,
                Item::Video {
                    layer,
                    media,
                    drift,
                },
            ]
        }
        Content::Effect { .. } => vec![Item::Effect(layer)],
    }
}
