//! The videos of a composition that are open, and which are shown.

use std::collections::HashMap;
use std::time::Instant;

use kinora_composition::timeline::{Content, FramePlan, Layer, MediaBox};

use super::image::named;
use super::stage::Stage;
use super::video::Clip;
use crate::Result;
use crate::media::Decoding;

/// Videos by their overlays. One is open while its overlay is on the timeline, and no longer: a
/// decoder holds many pictures.
#[derive(Default)]
pub(super) struct Videos {
    open: HashMap<usize, Clip>,
    /// Whether nothing is seen through a source; known of all that were ever open.
    opaque: HashMap<String, bool>,
    /// How many share the processors.
    count: usize,
    pub(super) may_use_engine: bool,
}

impl Videos {
    pub(super) fn get(&self, layer: &Layer) -> Option<&Clip> {
        self.open.get(&layer.overlay)
    }

    pub(super) fn get_mut(&mut self, layer: &Layer) -> Option<&mut Clip> {
        self.open.get_mut(&layer.overlay)
    }

    /// Closes what a plan does not show any more.
    pub(super) fn make_room(&mut self, plan: &FramePlan) {
        let is_video = |layer: &&Layer| matches!(layer.content, Content::Video { .. });
        let shown = || plan.layers.iter().filter(is_video);
        self.open
            .retain(|overlay, _| shown().any(|layer| layer.overlay == *overlay));
        self.count = shown().count();
    }

    pub(super) fn is_opaque(&self, media: &MediaBox) -> bool {
        self.opaque.get(&media.src).copied().unwrap_or_default()
    }
}

impl Stage<'_> {
    /// Whether a video of a plan shows another picture than it did when it was drawn last.
    pub fn has_new_pictures(&mut self, plan: &FramePlan) -> Result<bool> {
        let lowest = self.first_seen(plan).unwrap_or(0);
        for layer in &plan.layers[lowest..] {
            let Content::Video { media, time, .. } = &layer.content else {
                continue;
            };
            let Some(clip) = self.videos.get_mut(layer) else {
                return Ok(true);
            };
            let started = Instant::now();
            let is_new = clip.moves_on(*time).map_err(|error| named(media, error))?;
            self.times.decode += started.elapsed();
            if is_new {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Makes sure that it is known whether a video lets anything through.
    pub(super) fn look_at_video(&mut self, layer: &Layer, media: &MediaBox) -> Result<()> {
        if !self.videos.opaque.contains_key(&media.src) {
            let clip = self.open_video(layer, media)?;
            let is_opaque = clip.is_opaque();
            self.videos.opaque.insert(media.src.clone(), is_opaque);
        }
        Ok(())
    }

    /// Brings the frame of a video to the device.
    pub(super) fn show_video(&mut self, layer: &Layer) -> Result<()> {
        let Content::Video { media, time, .. } = &layer.content else {
            return Ok(());
        };
        let gpu = self.gpu;
        let clip = self.open_video(layer, media)?;
        let (decode, upload) = clip.show(gpu, *time).map_err(|error| named(media, error))?;
        self.times.decode += decode;
        self.times.upload += upload;
        Ok(())
    }

    fn open_video(&mut self, layer: &Layer, media: &MediaBox) -> Result<&mut Clip> {
        if !self.videos.open.contains_key(&layer.overlay) {
            let started = Instant::now();
            let decoding = Decoding {
                threads: Decoding::threads_for(self.videos.count),
                may_use_engine: self.videos.may_use_engine,
            };
            let file = self.local_file(media)?;
            let clip = Clip::open(file, decoding).map_err(|error| named(media, error))?;
            self.videos.open.insert(layer.overlay, clip);
            self.times.decode += started.elapsed();
        }
        self.videos
            .get_mut(layer)
            .ok_or_else(|| crate::Error::internal("drawing", "a video was not opened"))
    }
}
