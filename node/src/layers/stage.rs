//! What one composition needs on one device, and how its frames are drawn.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use kinora_composition::timeline::{Affine, Content, FramePlan, Layer, MediaBox};

use super::image::{Picture, fills_box, named};
use super::still::Still;
use super::video::Clip;
use super::{caption, frame, shape, text};
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
    /// The shadows of a picture.
    Shadows(usize),
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

    /// Queues the passes of a frame. Layers under one that covers everything are left out.
    pub fn draw(&mut self, painter: &mut Painter<'_>, plan: &FramePlan) -> Result<()> {
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
        for layer in &plan.layers[first.unwrap_or(0)..] {
            self.draw_layer(painter, layer)?;
        }
        Ok(())
    }

    /// Makes sure that everything a layer shows is on the device.
    fn prepare(&mut self, layer: &Layer) -> Result<()> {
        match &layer.content {
            Content::Image { media, .. } => {
                self.prepare_shadows(layer, media)?;
                if !self.pictures.contains_key(&media.src) {
                    let started = Instant::now();
                    let picture = Picture::load(self.gpu, self.local_file(media)?)
                        .map_err(|error| named(media, error))?;
                    self.pictures.insert(media.src.clone(), picture);
                    self.times.raster += started.elapsed();
                }
            }
            Content::Video { media, time, .. } => {
                self.prepare_shadows(layer, media)?;
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
            Content::Text(block) => self.prepare_still(still_key(layer), |gpu, typesetter| {
                text::raster(gpu, typesetter, block)
            })?,
            Content::Shape(shape) => {
                self.prepare_still(still_key(layer), |gpu, _| shape::raster(gpu, shape))?;
            }
            Content::Caption {
                block,
                caption,
                word,
            } => {
                self.prepare_still(still_key(layer), |gpu, typesetter| {
                    caption::raster(gpu, typesetter, block, *caption, *word)
                })?;
            }
        }
        Ok(())
    }

    fn prepare_shadows(&mut self, layer: &Layer, media: &MediaBox) -> Result<()> {
        self.prepare_still(StillKey::Shadows(layer.overlay), |gpu, _| {
            frame::raster_shadows(gpu, &media.shadows, &media.radii, media.size)
        })
    }

    fn prepare_still(
        &mut self,
        key: StillKey,
        raster: impl FnOnce(&Gpu, &mut Typesetter) -> Result<Option<Still>>,
    ) -> Result<()> {
        if self.stills.contains_key(&key) {
            return Ok(());
        }
        let started = Instant::now();
        let mut typesetter = self
            .typesetter
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let still = raster(self.gpu, &mut typesetter)?;
        self.stills.insert(key, still);
        self.times.raster += started.elapsed();
        Ok(())
    }

    fn local_file(&self, media: &MediaBox) -> Result<&PathBuf> {
        self.sources
            .get(&media.src)
            .ok_or_else(|| Error::internal("drawing", format!("{} was not fetched", media.src)))
    }

    fn draw_layer(&mut self, painter: &mut Painter<'_>, layer: &Layer) -> Result<()> {
        let still = |painter: &mut Painter<'_>, key| {
            if let Some(Some(still)) = self.stills.get(&key) {
                still.draw(painter, &self.canvas, layer.transform, layer.opacity);
            }
        };
        match &layer.content {
            Content::Text(_) | Content::Shape(_) | Content::Caption { .. } => {
                still(painter, still_key(layer));
            }
            Content::Image { media, drift } => {
                still(painter, StillKey::Shadows(layer.overlay));
                if let Some(picture) = self.pictures.get(&media.src) {
                    picture.draw(painter, &self.canvas, layer, media, *drift);
                }
            }
            Content::Video { media, drift, .. } => {
                still(painter, StillKey::Shadows(layer.overlay));
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
            Content::Text(_) | Content::Caption { .. } => false,
        };
        let Affine {
            e: left, f: top, ..
        } = layer.transform;
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
