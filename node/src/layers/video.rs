//! Video overlays.

use std::path::Path;
use std::time::{Duration, Instant};

use kinora_composition::timeline::{Affine, Layer, MediaBox};

use super::fit::place;
use super::key::key_of;
use crate::Result;
use crate::gpu::{
    ColorFunction, Gpu, HostPlane, Painter, Placement, PlanarColors, PlanarSprite, Sprite,
    YuvCoefficients,
};
use crate::media::{ColorMatrix, VideoFrame, VideoReader};

/// An open video and the frame of it that is on the device.
pub(super) struct Clip {
    reader: VideoReader,
    frame: Option<Frame>,
}

/// A frame on the device.
struct Frame {
    serial: u64,
    planes: PlanarSprite,
    coefficients: YuvCoefficients,
    /// Its colours; made when it has to be resampled.
    colors: Option<Colors>,
}

/// The colours of a frame.
struct Colors {
    /// The frame that they are of, and what was done to it.
    made_of: Option<(u64, Vec<ColorFunction>)>,
    sprite: Sprite,
}

impl Clip {
    pub(super) fn open(path: &Path) -> Result<Self> {
        Ok(Self {
            reader: VideoReader::open(path)?,
            frame: None,
        })
    }

    /// Whether the frame at a source time is another than the one on the device.
    pub(super) fn moves_on(&mut self, time: f64) -> Result<bool> {
        let frame = self.reader.frame_at(time)?;
        let shown = self.frame.as_ref();
        Ok(shown.is_none_or(|shown| shown.serial != frame.serial))
    }

    /// Brings the frame at a source time to the device; the time spent decoding and uploading.
    pub(super) fn show(&mut self, gpu: &Gpu, time: f64) -> Result<(Duration, Duration)> {
        let started = Instant::now();
        let frame = self.reader.frame_at(time)?;
        let decode = started.elapsed();
        if self
            .frame
            .as_ref()
            .is_some_and(|shown| shown.serial == frame.serial)
        {
            return Ok((decode, Duration::ZERO));
        }
        let started = Instant::now();
        self.upload(gpu, &frame)?;
        Ok((decode, started.elapsed()))
    }

    fn upload(&mut self, gpu: &Gpu, frame: &VideoFrame) -> Result<()> {
        let (width, height) = (frame.width(), frame.height());
        let shown = match &mut self.frame {
            Some(shown) if (shown.planes.width, shown.planes.height) == (width, height) => shown,
            slot => slot.insert(Frame {
                serial: frame.serial,
                planes: PlanarSprite::new(gpu, width, height)?,
                coefficients: coefficients(frame.matrix, frame.full_range),
                colors: None,
            }),
        };
        let planes = [frame.y(), frame.u(), frame.v()].map(|plane| HostPlane {
            data: plane.data,
            stride: plane.stride,
        });
        shown.planes.write(gpu, planes);
        shown.coefficients = coefficients(frame.matrix, frame.full_range);
        shown.serial = frame.serial;
        Ok(())
    }

    /// Draws the frame that was shown last under a sprite of the canvas's size, if it covers the
    /// canvas texel on pixel; whether it did.
    pub(super) fn draw_under(
        &self,
        painter: &mut Painter<'_>,
        canvas: &Sprite,
        layer: &Layer,
        media: &MediaBox,
        functions: &[ColorFunction],
        above: &Sprite,
    ) -> bool {
        let Some(frame) = &self.frame else {
            return false;
        };
        let size = (frame.planes.width, frame.planes.height);
        let placement = place(layer, media, Affine::IDENTITY, texels(size));
        let Some(corner) = whole_blocks(&placement, canvas, size) else {
            return false;
        };
        let colors = PlanarColors {
            yuv: frame.coefficients,
            functions,
        };
        painter.background(canvas, &frame.planes, corner, colors, above);
        true
    }

    /// Draws the frame that was shown last, its colours changed by functions.
    pub(super) fn draw(
        &mut self,
        painter: &mut Painter<'_>,
        canvas: &Sprite,
        layer: &Layer,
        media: &MediaBox,
        drift: Affine,
        functions: &[ColorFunction],
    ) -> Result<()> {
        let Some(frame) = &mut self.frame else {
            return Ok(());
        };
        let size = (frame.planes.width, frame.planes.height);
        let placement = place(layer, media, drift, texels(size));
        if media.greenscreen.is_none()
            && let Some(corner) = whole_blocks(&placement, canvas, size)
        {
            let colors = PlanarColors {
                yuv: frame.coefficients,
                functions,
            };
            painter.planar(canvas, &frame.planes, corner, colors);
            return Ok(());
        }
        let colors = frame.colors(painter, functions, media)?;
        if layer.is_settled && drift == Affine::IDENTITY {
            painter.settled_picture(canvas, colors, &placement);
        } else {
            painter.picture(canvas, colors, &placement);
        }
        Ok(())
    }
}

impl Frame {
    /// The frame as colours.
    fn colors(
        &mut self,
        painter: &mut Painter<'_>,
        functions: &[ColorFunction],
        media: &MediaBox,
    ) -> Result<&Sprite> {
        let colors = match &mut self.colors {
            Some(colors) => colors,
            slot => {
                // Chroma comes in pairs of rows; an odd height has one row too many.
                let height = self.planes.height.next_multiple_of(2);
                slot.insert(Colors {
                    made_of: None,
                    sprite: Sprite::new(painter.gpu(), self.planes.width, height)?,
                })
            }
        };
        let wanted = (self.serial, functions.to_vec());
        let sprite = &colors.sprite;
        if colors.made_of.as_ref() != Some(&wanted) {
            let planar = PlanarColors {
                yuv: self.coefficients,
                functions,
            };
            painter.planar(sprite, &self.planes, (0, 0), planar);
            if let Some(screen) = &media.greenscreen {
                painter.key(sprite, &key_of(screen));
            }
            colors.made_of = Some(wanted);
        }
        Ok(sprite)
    }
}

/// Where a frame's corner lies when it covers its box, texel on pixel, in whole blocks: then it need
/// not be resampled.
fn whole_blocks(placement: &Placement, canvas: &Sprite, size: (u32, u32)) -> Option<(i32, i32)> {
    let map = placement.to_target.as_affine()?;
    let clip = placement.clip;
    let clip_to_target = clip.to_target.as_affine()?;
    let (left, top) = clip_to_target.apply(0.0, 0.0);
    let is_block = |value: f32, block: f32| value % block == 0.0 && value.abs() < 1e6;
    let covers_canvas = left <= 0.0
        && top <= 0.0
        && left + clip.size.width >= canvas.width as f32
        && top + clip.size.height >= canvas.height as f32;
    let is_box = (left, top) == (map.e, map.f)
        && (clip.size.width, clip.size.height) == (size.0 as f32, size.1 as f32)
        && is_block(clip.size.width, 8.0)
        && is_block(clip.size.height, 2.0);
    let is_whole = placement.opacity == 1.0
        && map.is_translation()
        && clip_to_target.is_translation()
        && is_block(map.e, 8.0)
        && is_block(map.f, 2.0)
        && clip.radii.iter().all(|(x, y)| *x == 0.0 || *y == 0.0);
    (is_whole && (covers_canvas || is_box)).then_some((map.e as i32, map.f as i32))
}

fn texels((width, height): (u32, u32)) -> (f32, f32) {
    (width as f32, height as f32)
}

fn coefficients(matrix: ColorMatrix, is_full_range: bool) -> YuvCoefficients {
    let (red, blue) = match matrix {
        ColorMatrix::Bt601 => (0.299, 0.114),
        ColorMatrix::Bt709 => (0.2126, 0.0722),
        ColorMatrix::Bt2020 => (0.2627, 0.0593),
    };
    YuvCoefficients::new(red, blue, is_full_range)
}
