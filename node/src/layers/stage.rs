//! What one composition needs on one device, and how its frames are drawn.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use kinora_composition::timeline::{Affine, BoxStyle, Content, FramePlan, Layer, MediaBox};

use super::easel::{HostStill, View};
use super::image::{Picture, fills_box, named};
use super::still::Still;
use super::veil::{Placed, Veil};
use super::video::Clip;
use super::{caption, frame, shape, sticker, text};
use crate::gpu::{Gpu, Painter, Sprite};
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

/// What a rastered overlay depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum StillKey {
    /// A text or a shape.
    Overlay(usize),
    /// The box behind a picture.
    Frame(usize),
    /// A caption with a word highlighted.
    Caption(usize, usize, Option<usize>),
}

/// The canvas, and everything that is kept from frame to frame.
pub struct Stage<'g> {
    gpu: &'g Gpu,
    typesetter: &'g Mutex<Typesetter>,
    sources: Sources,
    canvas: Sprite,
    stills: HashMap<StillKey, Option<Still>>,
    pictures: HashMap<String, Picture>,
    clips: HashMap<usize, Clip>,
    veil: Veil<StillKey>,
    times: StageTimes,
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
            stills: HashMap::new(),
            pictures: HashMap::new(),
            clips: HashMap::new(),
            veil: Veil::default(),
            times: StageTimes::default(),
        })
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
        for layer in &plan.layers {
            self.prepare(layer)?;
        }
        let first = plan
            .layers
            .iter()
            .rposition(|layer| self.covers_canvas(layer));
        if first.is_none() {
            painter.fill(&self.canvas, plan.background);
        }
        let background = self
            .video_background(plan)
            .filter(|found| Some(found.index) == first);
        let earlier = before.and_then(|plan| self.video_background(plan));
        let mut drawn = 0;
        if let Some(background) = background
            && earlier.is_some_and(|earlier| earlier.veil == background.veil)
        {
            drawn = self.draw_background(painter, background)?;
        }
        let items = plan.layers[first.unwrap_or(0)..].iter().flat_map(items_of);
        for item in items.skip(drawn) {
            self.draw_item(painter, &item)?;
        }
        Ok(())
    }

    /// The video that covers the canvas, and what lies still over it. Depends on the plan alone.
    fn video_background<'p>(&self, plan: &'p FramePlan) -> Option<Background<'p>> {
        let index = plan.layers.iter().rposition(|layer| {
            matches!(layer.content, Content::Video { .. }) && self.covers_canvas(layer)
        })?;
        let mut items = plan.layers[index..].iter().flat_map(items_of);
        let Some(Item::Video { layer, media, .. }) = items.next() else {
            return None;
        };
        let veil = items.map_while(|item| match item {
            Item::Still(placed) => Some(placed),
            Item::Image { .. } | Item::Video { .. } => None,
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
        let count = veil.len();
        let stills = &self.stills;
        let still = |key| stills.get(&key).and_then(Option::as_ref);
        let Some(veil) = self.veil.of(self.gpu, &self.canvas, veil, still)? else {
            return Ok(0);
        };
        let Some(clip) = self.clips.get(&layer.overlay) else {
            return Ok(0);
        };
        let is_drawn = clip.draw_under(painter, &self.canvas, layer, media, veil);
        Ok(if is_drawn { 1 + count } else { 0 })
    }

    /// Makes sure that everything a layer shows is on the device.
    fn prepare(&mut self, layer: &Layer) -> Result<()> {
        match &layer.content {
            Content::Image { media, .. } => {
                self.prepare_frame(layer, media)?;
                if !self.pictures.contains_key(&media.src) {
                    let started = Instant::now();
                    let picture = Picture::load(self.gpu, self.local_file(media)?)
                        .map_err(|error| named(media, error))?;
                    self.pictures.insert(media.src.clone(), picture);
                    self.times.raster += started.elapsed();
                }
            }
            Content::Video { media, time, .. } => {
                self.prepare_frame(layer, media)?;
                if !self.clips.contains_key(&layer.overlay) {
                    let clip =
                        Clip::open(self.local_file(media)?).map_err(|error| named(media, error))?;
                    self.clips.insert(layer.overlay, clip);
                }
                if let Some(clip) = self.clips.get_mut(&layer.overlay) {
                    let (decode, upload) = clip
                        .show(self.gpu, *time)
                        .map_err(|error| named(media, error))?;
                    self.times.decode += decode;
                    self.times.upload += upload;
                }
            }
            Content::Text(block) => {
                self.prepare_still(layer, still_key(layer), |typesetter, view| {
                    text::raster(typesetter, block, view)
                })?
            }
            Content::Shape(shape) => {
                self.prepare_still(layer, still_key(layer), |_, view| {
                    shape::raster(shape, view)
                })?;
            }
            Content::Sticker(sticker) => {
                self.prepare_still(layer, still_key(layer), |typesetter, view| {
                    sticker::raster(typesetter, sticker, view)
                })?;
            }
            Content::Caption {
                block,
                caption,
                word,
            } => {
                self.prepare_still(layer, still_key(layer), |typesetter, view| {
                    caption::raster(typesetter, block, *caption, *word, view)
                })?;
            }
        }
        Ok(())
    }

    fn prepare_frame(&mut self, layer: &Layer, media: &MediaBox) -> Result<()> {
        self.prepare_still(layer, StillKey::Frame(layer.overlay), |_, view| {
            frame::raster(&media.frame, media.size, view)
        })
    }

    fn prepare_still(
        &mut self,
        layer: &Layer,
        key: StillKey,
        raster: impl FnOnce(&mut Typesetter, &View) -> Result<Option<HostStill>>,
    ) -> Result<()> {
        if self.stills.contains_key(&key) {
            return Ok(());
        }
        let started = Instant::now();
        let mut typesetter = self
            .typesetter
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let (view, is_settled) = self.view_of(layer);
        let still = raster(&mut typesetter, &view)?
            .map(|still| Still::upload(self.gpu, &still, &view, is_settled))
            .transpose()?;
        self.stills.insert(key, still);
        self.times.raster += started.elapsed();
        Ok(())
    }

    /// How a layer is rastered: where it stays on the canvas, if it stays, else flat.
    fn view_of(&self, layer: &Layer) -> (View, bool) {
        /// How far beyond its box a moving layer is painted.
        const BEYOND: i32 = 1024;
        if let Some(to_picture) = layer.transform.as_affine().filter(|_| layer.is_settled) {
            let limits = [0, 0, self.canvas.width as i32, self.canvas.height as i32];
            return (View { to_picture, limits }, true);
        }
        let limits = [
            -BEYOND,
            -BEYOND,
            layer.size.width.ceil() as i32 + BEYOND,
            layer.size.height.ceil() as i32 + BEYOND,
        ];
        let view = View {
            to_picture: Affine::IDENTITY,
            limits,
        };
        (view, false)
    }

    fn local_file(&self, media: &MediaBox) -> Result<&PathBuf> {
        self.sources
            .get(&media.src)
            .ok_or_else(|| Error::internal("drawing", format!("{} was not fetched", media.src)))
    }

    fn draw_item(&mut self, painter: &mut Painter<'_>, item: &Item<'_>) -> Result<()> {
        match item {
            Item::Still(Placed {
                key,
                transform,
                opacity,
            }) => {
                if let Some(Some(still)) = self.stills.get(key) {
                    still.draw(painter, &self.canvas, *transform, *opacity);
                }
            }
            Item::Image {
                layer,
                media,
                drift,
            } => {
                if let Some(picture) = self.pictures.get(&media.src) {
                    picture.draw(painter, &self.canvas, layer, media, *drift);
                }
            }
            Item::Video {
                layer,
                media,
                drift,
            } => {
                if let Some(clip) = self.clips.get_mut(&layer.overlay) {
                    clip.draw(painter, &self.canvas, layer, media, *drift)?;
                }
            }
        }
        Ok(())
    }

    /// Whether nothing under a layer can be seen.
    fn covers_canvas(&self, layer: &Layer) -> bool {
        let never_shrinks = |drift: &Affine| drift.a >= 1.0 && drift.d >= 1.0;
        let is_solid = match &layer.content {
            Content::Video { media, drift, .. } => fills_box(media) && never_shrinks(drift),
            Content::Image { media, drift } => {
                fills_box(media)
                    && never_shrinks(drift)
                    && self
                        .pictures
                        .get(&media.src)
                        .is_some_and(Picture::is_opaque)
            }
            Content::Shape(_) => {
                matches!(self.stills.get(&still_key(layer)), Some(Some(still)) if still.sprite.is_opaque)
            }
            Content::Text(_) | Content::Caption { .. } | Content::Sticker(_) => false,
        };
        let Some(Affine {
            e: left, f: top, ..
        }) = layer.transform.as_affine()
        else {
            return false;
        };
        is_solid
            && layer.opacity >= 1.0
            && layer.transform.is_translation()
            && left <= 0.0
            && top <= 0.0
            && left + layer.size.width >= self.canvas.width as f32
            && top + layer.size.height >= self.canvas.height as f32
    }
}

fn still_key(layer: &Layer) -> StillKey {
    match &layer.content {
        Content::Caption { caption, word, .. } => StillKey::Caption(layer.overlay, *caption, *word),
        _ => StillKey::Overlay(layer.overlay),
    }
}

/// A video that covers the canvas, and what lies still over it.
struct Background<'p> {
    index: usize,
    layer: &'p Layer,
    media: &'p MediaBox,
    veil: Vec<Placed<StillKey>>,
}

/// One thing to draw; a layer is one or two of them.
enum Item<'p> {
    /// What was rastered before.
    Still(Placed<StillKey>),
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
}

/// What a layer is made of, from the back.
fn items_of(layer: &Layer) -> Vec<Item<'_>> {
    let still = |key| {
        Item::Still(Placed {
            key,
            transform: layer.transform,
            opacity: layer.opacity,
        })
    };
    let frame = |media: &MediaBox| {
        (media.frame != BoxStyle::default()).then(|| still(StillKey::Frame(layer.overlay)))
    };
    match &layer.content {
        Content::Text(_) | Content::Shape(_) | Content::Sticker(_) | Content::Caption { .. } => {
            vec![still(still_key(layer))]
        }
        Content::Image { media, drift } => {
            let picture = Item::Image {
                layer,
                media,
                drift: *drift,
            };
            frame(media).into_iter().chain([picture]).collect()
        }
        Content::Video { media, drift, .. } => {
            let picture = Item::Video {
                layer,
                media,
                drift: *drift,
            };
            frame(media).into_iter().chain([picture]).collect()
        }
    }
}
