//! What one composition needs on one device, and how its frames are drawn.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use kinora_composition::timeline::{Affine, Content, FramePlan, Layer, MediaBox};

use super::base::{self, Base};
use super::caption::Part;
use super::chains::Chains;
use super::damage::OnCanvas;
use super::easel::{HostStill, View};
use super::effects::EffectState;
use super::fit::fills_box;
use super::image::{Picture, named};
use super::items::{Item, Placed, StillKey, Stills, items_of};
use super::living::Living;
use super::retouch::Retouch;
use super::space::Space;
use super::still::{Still, Surface};
use super::veil::Veil;
use super::videos::Videos;
use super::{caption, filter, frame, shape, sticker, text};
use crate::gpu::{Area, Gpu, Painter, Sprite};
use crate::text::Typesetter;
use crate::{Error, Result};

/// Local files of media sources, by the source's name in the document.
pub type Sources = HashMap<String, PathBuf>;

/// Where the time of drawing went, on the host.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StageTimes {
    /// Decoding video.
    pub decode: Duration,
    /// Bringing video frames to the device.
    pub upload: Duration,
    /// Rastering what does not change.
    pub raster: Duration,
}

/// The canvas, and everything that is kept from frame to frame.
pub struct Stage<'g> {
    pub(super) gpu: &'g Gpu,
    pub(super) typesetter: &'g Mutex<Typesetter>,
    sources: Sources,
    canvas: Sprite,
    pub(super) stills: Stills,
    pub(super) chains: Chains,
    pub(super) pictures: HashMap<PictureKey, Picture>,
    pub(super) effects: HashMap<usize, EffectState>,
    pub(super) videos: Videos,
    pub(super) living: HashMap<usize, Living>,
    veil: Veil,
    base: Base,
    shown: OnCanvas,
    pub(super) times: StageTimes,
}

impl<'g> Stage<'g> {
    /// A stage for a canvas of this size.
    pub fn new(
        gpu: &'g Gpu,
        typesetter: &'g Mutex<Typesetter>,
        (width, height): (u32, u32),
        sources: Sources,
    ) -> Result<Self> {
        Ok(Self {
            gpu,
            typesetter,
            sources,
            canvas: Sprite::new(gpu, width, height)?,
            stills: Stills::default(),
            chains: Chains::default(),
            pictures: HashMap::new(),
            effects: HashMap::new(),
            videos: Videos::default(),
            living: HashMap::new(),
            veil: Veil::default(),
            base: Base::default(),
            shown: OnCanvas::default(),
            times: StageTimes::default(),
        })
    }

    /// Lets a video engine decode, where there is one.
    pub fn with_video_engine(mut self, is_allowed: bool) -> Self {
        self.videos.may_use_engine = is_allowed;
        self
    }

    /// The canvas that frames are drawn on.
    pub fn canvas(&self) -> &Sprite {
        &self.canvas
    }

    /// Where the time went so far.
    pub fn times(&self) -> StageTimes {
        self.times
    }

    /// Queues the passes of a frame. Layers under one that covers everything are left out. `before` is
    /// what was shown before: what has not changed since is worth flattening.
    pub fn draw(
        &mut self,
        painter: &mut Painter<'_>,
        plan: &FramePlan,
        before: Option<&FramePlan>,
    ) -> Result<()> {
        self.canvas.is_opaque = plan.background.a == 1.0;
        self.videos.make_room(plan);
        for layer in &plan.layers {
            self.prepare(layer)?;
            self.make_crossfade(painter, layer)?;
        }
        let first = self.first_seen(plan);
        let lowest = first.unwrap_or(0);
        for layer in &plan.layers[lowest..] {
            self.show_video(layer)?;
        }
        for layer in &plan.layers[lowest..] {
            if self.is_group(layer) {
                self.make_group(painter, layer)?;
            }
        }
        let background = self
            .video_background(plan)
            .filter(|found| Some(found.index) == first);
        if let (Some(_), Some(before)) = (&background, before) {
            // What was shown must be known even where drawing starts with this frame.
            for layer in &before.layers {
                self.prepare_stills(layer)?;
            }
        }
        let earlier = before.and_then(|plan| self.video_background(plan));
        if let Some(background) = background
            && earlier.is_some_and(|earlier| earlier.veil == background.veil)
        {
            self.shown.forget();
            let drawn = self.draw_background(painter, background)?;
            self.draw_items(painter, &plan.layers[lowest..], drawn)?;
            return Ok(());
        }
        let unchanged = before.map_or(0, |before| base::unchanged(plan, before));
        let mut next = lowest;
        if unchanged > lowest {
            next = self.base.restore(painter, &self.canvas, plan);
        }
        if next <= lowest {
            next = lowest;
            if first.is_none() {
                painter.fill(&self.canvas, plan.background);
            }
        }
        let mut drawn = HashMap::new();
        if next < unchanged {
            drawn = self.draw_items(painter, &plan.layers[next..unchanged], 0)?;
            self.base.keep(painter, &self.canvas, plan, unchanged)?;
            next = unchanged;
        }
        drawn.extend(self.draw_items(painter, &plan.layers[next..], 0)?);
        self.shown.update(painter, &self.canvas, plan, drawn);
        Ok(())
    }

    /// Draws what layers are made of onto the canvas, without the first `skipped` of their items; where
    /// each overlay was drawn.
    fn draw_items(
        &mut self,
        painter: &mut Painter<'_>,
        layers: &[Layer],
        mut skipped: usize,
    ) -> Result<HashMap<usize, Area>> {
        let canvas = self.canvas.clone();
        let surface = Surface {
            sprite: &canvas,
            corner: (0, 0),
            scale: 1.0,
        };
        let mut drawn = HashMap::new();
        for layer in layers {
            let mark = painter.mark();
            for item in items_of(layer, self.is_group(layer)) {
                if skipped > 0 {
                    skipped -= 1;
                } else {
                    self.draw_item(painter, surface, &item)?;
                }
            }
            if let Some(area) = painter.touched_since(mark, &canvas) {
                drawn.insert(layer.overlay, area);
            }
        }
        Ok(drawn)
    }

    /// The video that covers the canvas, and what lies still over it. Depends on the plan alone.
    fn video_background<'p>(&self, plan: &'p FramePlan) -> Option<Background<'p>> {
        let index = plan.layers.iter().rposition(|layer| {
            matches!(layer.content, Content::Video { .. }) && self.covers_canvas(layer)
        })?;
        let mut items = plan.layers[index..]
            .iter()
            .flat_map(|layer| items_of(layer, self.is_group(layer)))
            .filter(
                |item| !matches!(item, Item::Still(placed) if self.stills.is_empty(placed.key)),
            );
        let Some(Item::Video { layer, media, .. }) = items.next() else {
            return None;
        };
        let veil = items.map_while(|item| match item {
            Item::Still(placed) if !placed.shows_video() => Some(placed),
            _ => None,
        });
        Some(Background {
            index,
            layer,
            media,
            veil: veil.collect(),
        })
    }

    /// Draws a background together with what lies still over it; how many items that were.
    fn draw_background(
        &mut self,
        painter: &mut Painter<'_>,
        background: Background<'_>,
    ) -> Result<usize> {
        let Background {
            layer, media, veil, ..
        } = background;
        let chain = self.chains.of(&layer.effects.filter);
        let functions = filter::only_colors(&chain).unwrap_or_default();
        let count = veil.len();
        let veil = self.veil.of(painter, &self.canvas, veil, &self.stills)?;
        let (Some(veil), Some(clip)) = (veil, self.videos.get(layer)) else {
            return Ok(0);
        };
        let is_drawn = clip.draw_under(painter, &self.canvas, layer, media, functions, veil);
        Ok(if is_drawn { 1 + count } else { 0 })
    }

    /// Makes sure that everything a layer shows is on the device.
    fn prepare(&mut self, layer: &Layer) -> Result<()> {
        self.prepare_stills(layer)?;
        match &layer.content {
            Content::LivingText(text) => self.prepare_living(layer, text)?,
            Content::Image { media, frame, .. } => self.prepare_picture(layer, media, *frame)?,
            _ => {}
        }
        Ok(())
    }

    /// Makes sure that what is painted of a layer on the host is on the device.
    fn prepare_stills(&mut self, layer: &Layer) -> Result<()> {
        match &layer.content {
            Content::Image { media, .. } => self.prepare_frame(layer, media)?,
            Content::Video { media, .. } => {
                self.prepare_frame(layer, media)?;
                self.look_at_video(layer, media)?;
            }
            Content::Text(block) => {
                self.prepare_still(layer, StillKey::of(layer), |typesetter, view| {
                    text::raster(typesetter, block, view)
                })?;
            }
            // Of letters that move only the frame that is drawn now is kept.
            Content::LivingText(_) => {}
            Content::Shape {
                shape,
                crossfade: Some(crossfade),
            } => self.prepare_crossfade(layer, shape, *crossfade)?,
            Content::Shape { shape, .. } => {
                self.prepare_still(layer, StillKey::of(layer), |_, view| {
                    shape::raster(shape, view)
                })?;
            }
            Content::Sticker(sticker) => {
                self.prepare_still(layer, StillKey::of(layer), |typesetter, view| {
                    sticker::raster(typesetter, sticker, view)
                })?;
            }
            Content::Caption {
                block,
                caption,
                word,
            } => {
                let is_apart = caption::is_apart(block, *word);
                let part = if is_apart { Part::Quiet } else { Part::Whole };
                self.prepare_still(layer, StillKey::of(layer), |typesetter, view| {
                    caption::raster(typesetter, block, *caption, *word, part, view)
                })?;
                if is_apart {
                    let key = StillKey::Spoken(layer.overlay, *caption, *word);
                    self.prepare_still(layer, key, |typesetter, view| {
                        caption::raster(typesetter, block, *caption, *word, Part::Spoken, view)
                    })?;
                }
            }
            Content::Effect { effect, .. } => self.prepare_effect(layer, effect)?,
        }
        Ok(())
    }

    pub(super) fn prepare_picture(
        &mut self,
        layer: &Layer,
        media: &MediaBox,
        frame: Option<usize>,
    ) -> Result<()> {
        let started = Instant::now();
        let key = self.picture_key(layer, media);
        if let Some(picture) = self.pictures.get_mut(&key) {
            if let Some(frame) = frame {
                picture
                    .show(self.gpu, frame)
                    .map_err(|error| named(media, error))?;
            }
        } else {
            let fonts = || {
                let typesetter = self.typesetter.lock();
                let typesetter = typesetter.unwrap_or_else(PoisonError::into_inner);
                typesetter.fonts.for_pictures()
            };
            let chain = self.chains.of(&layer.effects.filter);
            let functions = match self.is_group(layer) {
                true => &[],
                false => filter::only_colors(&chain).unwrap_or_default(),
            };
            let retouch = Retouch::new(media, functions);
            let file = self.local_file(media)?;
            let picture = Picture::load(self.gpu, file, retouch, frame, fonts)
                .map_err(|error| named(media, error))?;
            self.pictures.insert(key, picture);
        }
        self.times.raster += started.elapsed();
        Ok(())
    }

    /// Does something with the device and the typesetter.
    pub(super) fn with_typesetter<T>(&self, work: impl FnOnce(&Gpu, &mut Typesetter) -> T) -> T {
        let typesetter = self.typesetter.lock();
        let mut typesetter = typesetter.unwrap_or_else(PoisonError::into_inner);
        work(self.gpu, &mut typesetter)
    }

    fn prepare_frame(&mut self, layer: &Layer, media: &MediaBox) -> Result<()> {
        self.prepare_still(layer, StillKey::frame_of(layer), |_, view| {
            frame::raster(&media.frame, media.size, view)
        })
    }

    pub(super) fn prepare_still(
        &mut self,
        layer: &Layer,
        key: StillKey,
        raster: impl FnOnce(&mut Typesetter, &View) -> Result<Option<HostStill>>,
    ) -> Result<()> {
        if self.stills.parts.contains_key(&key) {
            return Ok(());
        }
        let started = Instant::now();
        let mut typesetter = self
            .typesetter
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let space = self.space_of(layer);
        let still = raster(&mut typesetter, &space.view)?
            .map(|still| Still::upload(self.gpu, &still, &space))
            .transpose()?;
        self.stills.parts.insert(key, still);
        self.times.raster += started.elapsed();
        Ok(())
    }

    /// The picture that a layer is painted in.
    pub(super) fn space_of(&self, layer: &Layer) -> Space {
        let chain = self.chains.of(&layer.effects.filter);
        Space::of(layer, &chain, (self.canvas.width, self.canvas.height))
    }

    /// Which picture an image shows.
    pub(super) fn picture_key(&self, layer: &Layer, media: &MediaBox) -> PictureKey {
        let is_animated = matches!(layer.content, Content::Image { frame: Some(_), .. });
        let is_filtered = !layer.effects.filter.is_empty() && !self.is_group(layer);
        let is_own = media.greenscreen.is_some() || is_animated || is_filtered;
        let overlay = is_own.then_some(layer.overlay);
        (media.src.clone(), overlay, is_filtered)
    }

    pub(super) fn local_file(&self, media: &MediaBox) -> Result<&PathBuf> {
        self.sources
            .get(&media.src)
            .ok_or_else(|| Error::internal("drawing", format!("{} was not fetched", media.src)))
    }

    /// Draws one thing onto a surface.
    pub(super) fn draw_item(
        &mut self,
        painter: &mut Painter<'_>,
        surface: Surface<'_>,
        item: &Item<'_>,
    ) -> Result<()> {
        match item {
            Item::Backdrop(layer) => self.draw_backdrop(painter, surface, layer)?,
            Item::SpokenBackdrop(layer) => self.draw_spoken_backdrop(painter, surface, layer)?,
            Item::Still(placed) => {
                if let Some(still) = self.stills.get(placed.key) {
                    still.draw(painter, surface, placed);
                }
            }
            Item::Living(layer) => self.draw_living(painter, surface, layer)?,
            Item::Image {
                layer,
                media,
                drift,
            } => {
                let key = self.picture_key(layer, media);
                if let Some(picture) = self.pictures.get_mut(&key) {
                    picture.draw(painter, surface.sprite, layer, media, *drift)?;
                }
            }
            Item::Video {
                layer,
                media,
                drift,
            } => {
                let chain = self.chains.of(&layer.effects.filter);
                let functions = match self.is_group(layer) {
                    true => &[],
                    false => filter::only_colors(&chain).unwrap_or_default(),
                };
                if let Some(clip) = self.videos.get_mut(layer) {
                    clip.draw(painter, surface.sprite, layer, media, *drift, functions)?;
                }
            }
            Item::Effect(layer) => self.draw_effect(painter, surface, layer)?,
        }
        Ok(())
    }

    /// Which layer covers everything behind it.
    pub(super) fn first_seen(&self, plan: &FramePlan) -> Option<usize> {
        let layers = &plan.layers;
        layers.iter().rposition(|layer| self.covers_canvas(layer))
    }

    /// Whether nothing under a layer can be seen.
    fn covers_canvas(&self, layer: &Layer) -> bool {
        let never_shrinks = |drift: &Affine| drift.a >= 1.0 && drift.d >= 1.0;
        let is_solid = match &layer.content {
            Content::Video { media, drift, .. } => {
                fills_box(media) && never_shrinks(drift) && self.videos.is_opaque(media)
            }
            Content::Image { media, drift, .. } => {
                fills_box(media)
                    && never_shrinks(drift)
                    && self
                        .pictures
                        .get(&self.picture_key(layer, media))
                        .is_some_and(Picture::is_opaque)
            }
            Content::Shape { .. } => self
                .stills
                .get(StillKey::of(layer))
                .is_some_and(|still| still.raster.sprite.is_opaque),
            Content::Text(_)
            | Content::LivingText(_)
            | Content::Caption { .. }
            | Content::Sticker(_)
            | Content::Effect { .. } => false,
        };
        let Some(Affine {
            e: left, f: top, ..
        }) = layer.transform.as_affine()
        else {
            return false;
        };
        let chain = self.chains.of(&layer.effects.filter);
        is_solid
            && layer.effects.clip_path.is_none()
            && layer.passing.is_nothing()
            && filter::only_colors(&chain).is_some()
            && layer.opacity >= 1.0
            && layer.transform.is_translation()
            && left <= 0.0
            && top <= 0.0
            && left + layer.size.width >= self.canvas.width as f32
            && top + layer.size.height >= self.canvas.height as f32
    }
}

/// The source of a picture, the overlay that it is drawn for, and whether its colours are filtered.
pub(super) type PictureKey = (String, Option<usize>, bool);

/// A video that covers the canvas, and what lies still over it.
struct Background<'p> {
    index: usize,
    layer: &'p Layer,
    media: &'p MediaBox,
    veil: Vec<Placed>,
}
