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
use super::sound::SoundClip;
use crate::css::{Basis, Color, Transform};
use crate::document::{Composition, Overlay, OverlayKind};
use crate::geometry::{Affine, Projection, Size};

/// A composition with its styles parsed and its overlays in painting order.
pub struct Scene {
    composition: Arc<Composition>,
    background: Color,
    actors: Vec<Actor>,
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
        in_point: f64,
        speed: f64,
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
            .filter_map(|overlay| SoundClip::of(overlay, fps, total))
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
                    in_point: video.video_start_time.unwrap_or(0.0).max(0.0),
                    speed: video.speed,
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
            ActorContent::Video {
                media,
                in_point,
                speed,
            } => Content::Video {
                media: media.clone(),
                drift,
                time: in_point + moment.elapsed / moment.fps * speed,
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
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn scene(overlays: &Value) -> Scene {
        let document =
            json!({ "overlays": overlays, "durationInFrames": 90, "width": 640, "height": 360 });
        let (composition, _) = Composition::from_json(&document).expect("valid");
        Scene::new(Arc::new(composition))
    }

    fn shape(id: u32, row: u32, from: u32) -> Value {
        json!({ "id": id, "type": "shape", "content": "rectangle", "from": from, "durationInFrames": 30,
                "row": row, "left": 10, "top": 20, "width": 100, "height": 50 })
    }

    fn order(scene: &Scene, frame: u32) -> Vec<usize> {
        scene
            .plan(frame)
            .layers
            .iter()
            .map(|layer| layer.overlay)
            .collect()
    }

    #[test]
    fn lower_rows_are_in_front_and_equal_rows_keep_their_order() {
        let scene = scene(&json!([
            shape(1, 0, 0),
            shape(2, 15, 0),
            shape(3, 0, 0),
            shape(4, 3, 0)
        ]));
        assert_eq!(order(&scene, 0), [1, 3, 0, 2]);
    }

    #[test]
    fn an_overlay_is_seen_from_its_first_frame_and_not_at_its_end() {
        let scene = scene(&json!([shape(1, 0, 10)]));
        let seen: Vec<u32> = (0..90)
            .filter(|frame| !order(&scene, *frame).is_empty())
            .collect();
        assert_eq!(seen, (10..40).collect::<Vec<_>>());
    }

    #[test]
    fn still_frames_have_equal_plans_and_moving_ones_do_not() {
        let still = scene(&json!([shape(1, 0, 0)]));
        assert_eq!(still.plan(3), still.plan(4));
        let mut spinning = shape(1, 0, 0);
        spinning["styles"] = json!({ "animation": { "during": "spin" } });
        let spinning = scene(&json!([spinning]));
        assert_ne!(spinning.plan(3), spinning.plan(4));
    }

    #[test]
    fn the_plan_before_is_the_last_different_one() {
        let scene = scene(&json!([shape(1, 0, 10)]));
        assert_eq!(scene.plan_before(25), Some(scene.plan(9)));
        assert_eq!(scene.plan_before(10), Some(scene.plan(0)));
        assert_eq!(scene.plan_before(5), None);
    }

    #[test]
    fn a_video_shows_its_in_point_first_and_moves_with_its_speed() {
        let scene = scene(
            &json!([{ "id": 1, "type": "video", "src": "a.mp4", "from": 30, "durationInFrames": 60,
            "row": 0, "left": 0, "top": 0, "width": 64, "height": 36, "videoStartTime": 2, "speed": 0.5 }]),
        );
        let time = |frame| match &scene.plan(frame).layers[0].content {
            Content::Video { time, .. } => *time,
            other => panic!("{other:?}"),
        };
        assert_eq!(time(30), 2.0);
        assert_eq!(time(60), 2.5);
        let clips = scene.sounds();
        assert_eq!(
            (clips[0].starts_at, clips[0].length, clips[0].in_point),
            (1.0, 2.0, 2.0)
        );
    }

    #[test]
    fn an_image_stands_in_space_until_it_has_settled() {
        let image = |layout: Value| {
            scene(
                &json!([{ "id": 1, "type": "image", "src": "a.png", "from": 10, "durationInFrames": 60,
                "row": 0, "left": 20, "top": 30, "width": 200, "height": 100, "rotation": 10,
                "styles": { "layout3D": layout, "animation": { "enterDuration": 1 } } }]),
            )
        };
        let flat = image(json!({ "layout": "none", "settle": true }));
        let standing = image(json!({ "layout": "book" }));
        let settling = image(json!({ "layout": "book", "settle": true }));
        let layer = |scene: &Scene, frame| scene.plan(frame).layers.remove(0);
        let map = |scene: &Scene, frame| layer(scene, frame).transform;
        assert_eq!(map(&standing, 10), map(&standing, 50));
        assert_eq!(map(&settling, 10), map(&standing, 10));
        assert!(map(&settling, 39).as_affine().is_none());
        assert_eq!(map(&settling, 40), map(&flat, 40));
        assert!(layer(&standing, 10).is_settled);
        assert!(!layer(&settling, 39).is_settled && layer(&settling, 40).is_settled);
        // The hinge of a book is its left edge, wherever the overlay is turned to.
        let (standing, flat) = (map(&standing, 10), map(&flat, 10));
        let (x, y) = standing.apply(0.0, 100.0).expect("seen");
        let (flat_x, flat_y) = flat.apply(0.0, 100.0).expect("seen");
        assert!((x - flat_x).abs() < 0.01 && (y - flat_y).abs() < 0.01);
    }

    #[test]
    fn an_animated_picture_starts_with_its_overlay() {
        let picture = |id, src: &str| {
            json!({ "id": id, "type": "image", "src": src, "from": 10,
            "durationInFrames": 60, "row": 0, "left": 0, "top": 0, "width": 64, "height": 36 })
        };
        let times = FrameTimes::new([0.1, 0.2], None).map(Arc::new);
        let times = HashMap::from([("a.gif".to_owned(), times.expect("two frames"))]);
        let scene = scene(&json!([picture(1, "a.gif"), picture(2, "b.png")])).with_frames(&times);
        let frames = |frame: u32| -> Vec<Option<usize>> {
            let frame_of = |layer: &Layer| match &layer.content {
                Content::Image { frame, .. } => *frame,
                other => panic!("{other:?}"),
            };
            scene.plan(frame).layers.iter().map(frame_of).collect()
        };
        assert_eq!(frames(10), [Some(0), None]);
        assert_eq!(frames(12), [Some(0), None]);
        assert_eq!(frames(13), [Some(1), None]);
        assert_eq!(frames(19), [Some(0), None]);
        assert_eq!(
            scene.plan(10),
            scene.plan(12),
            "nothing moves between frames"
        );
        assert_ne!(scene.plan(12), scene.plan(13));
    }

    #[test]
    fn frames_that_differ_in_video_times_alone_are_told_from_others() {
        let video = json!({ "id": 1, "type": "video", "src": "a.mp4", "from": 0, "durationInFrames": 60,
            "row": 1, "left": 0, "top": 0, "width": 64, "height": 36 });
        let still = scene(&json!([video.clone(), shape(2, 0, 10)]));
        assert_ne!(still.plan(20), still.plan(21));
        assert!(still.plan(20).differs_in_video_times_alone(&still.plan(21)));
        assert!(!still.plan(9).differs_in_video_times_alone(&still.plan(10)));
        let mut spinning = shape(2, 0, 0);
        spinning["styles"] = json!({ "animation": { "during": "spin" } });
        let moving = scene(&json!([video, spinning]));
        assert!(
            !moving
                .plan(20)
                .differs_in_video_times_alone(&moving.plan(21))
        );
    }

    #[test]
    fn captions_follow_the_words_and_pause_between_them() {
        let scene = scene(
            &json!([{ "id": 1, "type": "caption", "from": 0, "durationInFrames": 90, "row": 0,
            "left": 0, "top": 0, "width": 300, "height": 60, "captions": [
              { "text": "a b", "startMs": 0, "endMs": 1000, "words": [
                { "word": "a", "startMs": 0, "endMs": 300, "confidence": 1 },
                { "word": "b", "startMs": 500, "endMs": 1000, "confidence": 1 } ] } ] }]),
        );
        let state = |frame| match scene
            .plan(frame)
            .layers
            .first()
            .map(|layer| layer.content.clone())
        {
            Some(Content::Caption { caption, word, .. }) => Some((caption, word)),
            _ => None,
        };
        assert_eq!(state(0), Some((0, Some(0))));
        assert_eq!(state(12), Some((0, None)));
        assert_eq!(state(20), Some((0, Some(1))));
        assert_eq!(state(30), None, "nothing between captions");
    }

    #[test]
    fn a_turned_box_starts_on_a_whole_pixel_and_a_moved_one_does_not() {
        let corner = |rotation: f64, transform: &str| {
            let mut overlay = shape(1, 0, 0);
            overlay["left"] = json!(10.25);
            overlay["top"] = json!(20.5);
            overlay["rotation"] = json!(rotation);
            overlay["styles"] = json!({ "transform": transform });
            let plan = scene(&json!([overlay])).plan(0);
            let map = plan.layers[0].transform;
            // The centre stays where it is, whatever turns about it.
            map.apply(50.0, 25.0).expect("in front")
        };
        assert_eq!(corner(0.0, "none"), (60.25, 45.5));
        assert_eq!(corner(0.0, "translate(3px, 4px)"), (63.25, 49.5));
        assert_eq!(corner(90.0, "none"), (60.0, 46.0));
        assert_eq!(corner(0.0, "scale(2)"), (60.0, 46.0));
    }

    #[test]
    fn extremes_do_not_panic() {
        let mut odd = shape(1, 0, 0);
        odd["width"] = json!(-5);
        let mut huge = shape(2, 0, 0);
        huge["left"] = json!(1e300);
        huge["durationInFrames"] = json!(1e18);
        assert_eq!(order(&scene(&json!([odd])), 0), Vec::<usize>::new());
        assert_eq!(order(&scene(&json!([huge])), 0).len(), 1);
        assert!(scene(&json!([])).plan(u32::MAX).layers.is_empty());
    }
}
