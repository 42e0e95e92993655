//! A document made ready for evaluation.

use std::collections::HashMap;
use std::sync::Arc;

use super::content::{CaptionBlock, EffectBox, Effects, MediaBox, ShapeBox, StickerBox};
use super::frames::FrameTimes;
use super::layout3d::Stand;
use super::living::TextActor;
use super::motion::{Moment, Movement, Place};
use super::pieces::Stagger;
use super::plan::{Content, FramePlan, Layer, Shared};
use super::playback::Playback;
use super::sound::SoundClip;
use crate::css::{Basis, Color, Transform};
use crate::document::{Composition, Overlay, OverlayKind};
use crate::geometry::{Affine, Projection, Size};

/// A composition with its styles parsed and its overlays in painting order.
pub struct Scene {
    composition: Arc<Composition>,
    background: Color,
    actors: Vec<Actor>,
    /// Frames a second of videos, by their sources, as far as they are known.
    rates: HashMap<String, f64>,
}

/// An overlay that can be seen.
struct Actor {
    overlay: usize,
    size: Size,
    /// Where the box lies on the canvas before anything turns it.
    corner: (f64, f64),
    /// The overlay's own turn, about the centre.
    turn: Affine,
    /// The style's own transform, about the centre.
    pose: Projection,
    /// How it stands in space.
    stand: Option<Stand>,
    opacity: f64,
    effects: Shared<Effects>,
    movement: Movement,
    /// What distances of the movement refer to.
    place: Place,
    /// Seconds in which it enters, where the document says so.
    enter_seconds: Option<f64>,
    content: ActorContent,
}

enum ActorContent {
    Text(TextActor),
    Shape(Shared<ShapeBox>),
    Sticker(Shared<StickerBox>),
    Image {
        media: Shared<MediaBox>,
        /// Of an animated picture.
        frames: Option<Arc<FrameTimes>>,
    },
    Video {
        media: Shared<MediaBox>,
        playback: Playback,
    },
    Caption(Shared<CaptionBlock>),
    Effect(Shared<EffectBox>),
}

impl ActorContent {
    /// What relative lengths of the whole overlay refer to.
    fn basis(&self) -> Basis {
        match self {
            Self::Text(text) => Basis {
                em: text.block().style.size.limit(),
                ..Basis::default()
            },
            _ => Basis::default(),
        }
    }
}

impl Scene {
    /// Parses every style of the document.
    pub fn new(composition: Arc<Composition>) -> Self {
        let background = Color::parse(&composition.background_color).unwrap_or(Color::WHITE);
        let mut actors: Vec<Actor> = composition
            .overlays
            .iter()
            .enumerate()
            .filter_map(|(index, overlay)| Actor::new(index, overlay, &composition))
            .collect();
        // Stable: overlays of one row keep the order of the array.
        actors.sort_by(|a, b| {
            let row = |actor: &Actor| composition.overlays[actor.overlay].base.row;
            row(b).total_cmp(&row(a))
        });
        Self {
            composition,
            background,
            actors,
            rates: HashMap::new(),
        }
    }

    /// The scene with pictures that move, by their sources: what a document can't know before its
    /// media are there.
    #[must_use]
    pub fn with_frames(mut self, times: &HashMap<String, Arc<FrameTimes>>) -> Self {
        for actor in &mut self.actors {
            if let ActorContent::Image { media, frames } = &mut actor.content {
                *frames = times.get(&media.src).cloned();
            }
        }
        self
    }

    /// The scene with the frame rates of videos, by their sources: segments count their frames.
    #[must_use]
    pub fn with_rates(mut self, rates: HashMap<String, f64>) -> Self {
        for actor in &mut self.actors {
            let overlay = &self.composition.overlays[actor.overlay];
            if let (ActorContent::Video { playback, .. }, OverlayKind::Video(video)) =
                (&mut actor.content, &overlay.kind)
                && let Some(rate) = rates.get(&video.src)
            {
                *playback = Playback::of_video(video, *rate);
            }
        }
        self.rates = rates;
        self
    }

    /// The document.
    pub fn composition(&self) -> &Arc<Composition> {
        &self.composition
    }

    /// What a frame shows.
    pub fn plan(&self, frame: u32) -> FramePlan {
        let fps = f64::from(self.composition.fps);
        let layers = self
            .actors
            .iter()
            .filter_map(|actor| {
                let base = &self.composition.overlays[actor.overlay].base;
                let elapsed = f64::from(frame) - base.from;
                let is_visible = elapsed >= 0.0 && elapsed < base.duration_in_frames;
                let moment = Moment {
                    elapsed,
                    duration: base.duration_in_frames,
                    fps,
                };
                is_visible.then(|| actor.layer(moment)).flatten()
            })
            .collect();
        FramePlan {
            background: self.background,
            layers,
        }
    }

    /// What was shown before the picture of a frame appeared; `None` when nothing was. A frame looks
    /// the same wherever drawing starts, so what depends on the past asks here.
    pub fn plan_before(&self, frame: u32) -> Option<FramePlan> {
        let plan = self.plan(frame);
        (0..frame)
            .rev()
            .map(|earlier| self.plan(earlier))
            .find(|earlier| *earlier != plan)
    }

    /// Everything that is heard.
    pub fn sounds(&self) -> Vec<SoundClip> {
        let fps = f64::from(self.composition.fps);
        let total = self.composition.seconds();
        self.composition
            .overlays
            .iter()
            .flat_map(|overlay| {
                let rate = overlay.src().and_then(|src| self.rates.get(src));
                SoundClip::of(overlay, fps, rate.copied().unwrap_or(fps), total)
            })
            .collect()
    }
}

impl Actor {
    fn new(overlay_index: usize, overlay: &Overlay, composition: &Composition) -> Option<Self> {
        let base = &overlay.base;
        let size = Size {
            width: base.width as f32,
            height: base.height as f32,
        };
        if size.width <= 0.0 || size.height <= 0.0 {
            return None;
        }
        let fps = f64::from(composition.fps);
        let kind = &overlay.kind;
        let animation = overlay.animation();
        let (content, opacity, transform, effects) = match kind {
            OverlayKind::Text(text) => (
                ActorContent::Text(TextActor::new(text, size, base.duration_in_frames, fps)),
                text.styles.opacity,
                &text.styles.transform,
                TextActor::effects(text),
            ),
            OverlayKind::Shape(shape) => (
                ActorContent::Shape(Shared::new(ShapeBox::new(shape, size)?)),
                shape.styles.opacity,
                &shape.styles.transform,
                Effects::default(),
            ),
            OverlayKind::Sticker(sticker) => (
                ActorContent::Sticker(Shared::new(StickerBox::new(sticker, size)?)),
                sticker.styles.opacity,
                &sticker.styles.transform,
                StickerBox::effects(sticker),
            ),
            OverlayKind::Image(image) => (
                ActorContent::Image {
                    media: Shared::new(MediaBox::image(image, overlay.label(), size)),
                    frames: None,
                },
                image.styles.opacity,
                &image.styles.transform,
                MediaBox::image_effects(image),
            ),
            OverlayKind::Video(video) => (
                ActorContent::Video {
                    media: Shared::new(MediaBox::video(video, overlay.label(), size)),
                    playback: Playback::of_video(video, fps),
                },
                video.styles.opacity,
                &video.styles.transform,
                MediaBox::video_effects(video),
            ),
            OverlayKind::Caption(track) => (
                ActorContent::Caption(Shared::new(CaptionBlock::new(track, size))),
                None,
                &None,
                CaptionBlock::effects(track),
            ),
            OverlayKind::Effect(effect) => (
                ActorContent::Effect(Shared::new(EffectBox::new(
                    effect,
                    &overlay.label(),
                    size,
                    fps,
                )?)),
                effect.styles.opacity,
                &effect.styles.transform,
                Effects::default(),
            ),
            OverlayKind::Sound(_) => return None,
        };
        let pose = transform
            .as_ref()
            .and_then(|text| Transform::parse_in(text, content.basis()))
            .map_or(Projection::IDENTITY, |transform| {
                transform.on_box(size.width, size.height)
            });
        let stand = match kind {
            OverlayKind::Image(image) => Stand::of(image.styles.layout_3d.as_ref()),
            _ => None,
        };
        let staggered = match kind {
            OverlayKind::Image(image) => image.styles.staggered_motion.as_ref(),
            OverlayKind::Video(video) => video.styles.staggered_motion.as_ref(),
            OverlayKind::Shape(shape) => shape.styles.staggered_motion.as_ref(),
            OverlayKind::Sticker(sticker) => sticker.styles.staggered_motion.as_ref(),
            _ => None,
        };
        let stagger = staggered.and_then(|motion| Stagger::of(motion, fps));
        let turn = Affine::rotate(base.rotation).about(size.width / 2.0, size.height / 2.0);
        Some(Self {
            overlay: overlay_index,
            size,
            corner: (base.left, base.top),
            turn,
            pose,
            stand,
            opacity: opacity.unwrap_or(1.0).clamp(0.0, 1.0),
            effects: Shared::new(effects),
            movement: Movement::new(animation, stagger, fps),
            place: Place {
                size,
                canvas: Size {
                    width: composition.width as f32,
                    height: composition.height as f32,
                },
            },
            enter_seconds: animation.and_then(|animation| animation.enter_duration),
            content,
        })
    }

    /// Whether a turned box filters what lies behind it: browsers draw such a box flat and turn the
    /// picture of it.
    fn is_turned_glass(&self) -> bool {
        let turn = Projection::from(self.turn).then_inner(self.pose);
        !self.effects.backdrop.is_empty() && !turn.is_translation()
    }

    fn is_picture(&self) -> bool {
        matches!(
            self.content,
            ActorContent::Image { .. } | ActorContent::Video { .. }
        )
    }

    /// From the box to the canvas, with the movement of the moment. As browsers do, a box that is
    /// more than moved starts on a whole pixel: its fraction is dropped before it is turned.
    fn placed(&self, movement: Projection, stand: Projection) -> Projection {
        let inner = Projection::from(self.turn)
            .then_inner(movement)
            .then_inner(stand)
            .then_inner(self.pose);
        let (left, top) = if inner.is_translation() {
            self.corner
        } else {
            let (left, top) = self.corner;
            ((left + 0.5).floor(), (top + 0.5).floor())
        };
        Projection::from(Affine::translate(left as f32, top as f32)).then_inner(inner)
    }

    /// The actor at a moment of its life; `None` when there is nothing to see.
    fn layer(&self, moment: Moment) -> Option<Layer> {
        let (width, height) = (self.size.width, self.size.height);
        let motion = self.movement.at(moment, &self.place, self.is_picture());
        let opacity = (self.opacity * motion.opacity) as f32;
        if opacity <= 0.0 {
            return None;
        }
        let drift = motion.inside;
        let content = match &self.content {
            ActorContent::Text(text) => text.at(moment),
            ActorContent::Shape(shape) => Content::Shape {
                shape: shape.clone(),
                crossfade: shape.run.as_ref().map(|run| run.at(moment)),
            },
            ActorContent::Sticker(sticker) => Content::Sticker(sticker.clone()),
            ActorContent::Image { media, frames } => Content::Image {
                media: media.clone(),
                drift,
                frame: frames
                    .as_ref()
                    .map(|frames| frames.at(moment.elapsed / moment.fps)),
            },
            ActorContent::Video { media, playback } => Content::Video {
                media: media.clone(),
                drift,
                time: playback.time_at(moment.elapsed / moment.fps),
            },
            ActorContent::Caption(block) => {
                let (caption, word) = block.at(moment.elapsed / moment.fps * 1000.0)?;
                Content::Caption {
                    block: block.clone(),
                    caption,
                    word,
                }
            }
            ActorContent::Effect(effect) => Content::Effect {
                effect: effect.clone(),
                time: effect.time_at(moment.elapsed / moment.fps),
            },
        };
        let stand = self.stand.map_or(Projection::IDENTITY, |stand| {
            stand.at(moment, self.enter_seconds, self.size)
        });
        let stands_still = self
            .stand
            .is_none_or(|stand| stand.is_at_rest(moment, self.enter_seconds));
        Some(Layer {
            overlay: self.overlay,
            size: self.size,
            transform: self.placed(motion.whole, stand),
            is_settled: motion.is_at_rest && stands_still && !self.is_turned_glass(),
            raster_scale: self.pose.largest_scale(width, height),
            opacity,
            effects: self.effects.clone(),
            passing: motion.passing,
            content,
        })
    }
}

#[cfg(test)]
mod tests;
