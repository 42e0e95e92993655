//! Video overlays.

use std::path::Path;
use std::time::{Duration, Instant};

use kinora_composition::timeline::{Affine, Layer, MediaBox};

use super::image::place;
use crate::Result;
use crate::gpu::{Gpu, HostPlane, Painter, PlanarSprite, Sprite, YuvCoefficients};
use crate::media::{ColorMatrix, VideoFrame, VideoReader};

/// An open video and the frame of it that is on the device.
pub(super) struct Clip {
    reader: VideoReader,
    sprite: Option<PlanarSprite>,
    shown: Option<u64>,
    coefficients: YuvCoefficients,
}

impl Clip {
    pub(super) fn open(path: &Path) -> Result<Self> {
        Ok(Self {
            reader: VideoReader::open(path)?,
            sprite: None,
            shown: None,
            coefficients: coefficients(ColorMatrix::Bt709, false),
        })
    }

    /// Brings the frame at a source time to the device; the time spent decoding and uploading.
    pub(super) fn show(&mut self, gpu: &Gpu, time: f64) -> Result<(Duration, Duration)> {
        let started = Instant::now();
        let frame = self.reader.frame_at(time)?;
        let decode = started.elapsed();
        if self.shown == Some(frame.serial) {
            return Ok((decode, Duration::ZERO));
        }
        let started = Instant::now();
        self.upload(gpu, &frame)?;
        Ok((decode, started.elapsed()))
    }

    fn upload(&mut self, gpu: &Gpu, frame: &VideoFrame) -> Result<()> {
        let size = (frame.width(), frame.height());
        let sprite = match &mut self.sprite {
            Some(sprite) if (sprite.width, sprite.height) == size => sprite,
            slot => slot.insert(PlanarSprite::new(gpu, size.0, size.1)?),
        };
        let planes = [frame.y(), frame.u(), frame.v()].map(|plane| HostPlane {
            data: plane.data,
            stride: plane.stride,
        });
        sprite.write(gpu, planes);
        self.coefficients = coefficients(frame.matrix, frame.full_range);
        self.shown = Some(frame.serial);
        Ok(())
    }

    /// Draws the frame that was shown last.
    pub(super) fn draw(
        &self,
        painter: &mut Painter<'_>,
        canvas: &Sprite,
        layer: &Layer,
        media: &MediaBox,
        drift: Affine,
    ) {
        if let Some(sprite) = &self.sprite {
            let placement = place(layer, media, drift, (sprite.width, sprite.height));
            painter.video(canvas, sprite, &placement, self.coefficients);
        }
    }
}

fn coefficients(matrix: ColorMatrix, is_full_range: bool) -> YuvCoefficients {
    let (red, blue) = match matrix {
        ColorMatrix::Bt601 => (0.299, 0.114),
        ColorMatrix::Bt709 => (0.2126, 0.0722),
        ColorMatrix::Bt2020 => (0.2627, 0.0593),
    };
    YuvCoefficients::new(red, blue, is_full_range)
}
