//! Video overlays.

use std::path::Path;
use std::time::{Duration, Instant};

use kinora_composition::timeline::{Affine, Layer, MediaBox};

use super::fit::place;
use super::retouch::Retouch;
use crate::Result;
use crate::gpu::{
    ColorFunction, Gpu, HostPlane, Painter, Placement, PlanarColors, PlanarSprite, Sprite,
    YuvCoefficients,
};
use crate::media::{Decoding, Plane, VideoFrame, VideoReader};

/// An open video and the frame of it that is on the device.
pub(super) struct Clip {
    reader: VideoReader,
    frame: Option<Frame>,
}

/// A frame on the device.
struct Frame {
    serial: u64,
    /// The size at which it is shown.
    natural_size: (u32, u32),
    pixels: Pixels,
    /// Its colours; made when it has to be resampled.
    colors: Option<Colors>,
}

/// What a frame is made of.
enum Pixels {
    Planar(PlanarSprite, YuvCoefficients),
    /// Colours with alpha, which are resampled in any case.
    Rgba(Sprite),
}

impl Pixels {
    fn of(gpu: &Gpu, frame: &VideoFrame) -> Result<Self> {
        let (width, height) = (frame.width(), frame.height());
        Ok(match frame.rgba() {
            Some(_) => Self::Rgba(Sprite::new(gpu, width, height)?),
            None => Self::Planar(PlanarSprite::new(gpu, width, height)?, coefficients(frame)),
        })
    }

    fn size(&self) -> (u32, u32) {
        match self {
            Self::Planar(planes, _) => (planes.width, planes.height),
            Self::Rgba(sprite) => (sprite.width, sprite.height),
        }
    }

    fn write(&mut self, gpu: &Gpu, frame: &VideoFrame) {
        match (self, frame.rgba()) {
            (Self::Rgba(sprite), Some(pixels)) => sprite.write(gpu, host(pixels)),
            (Self::Planar(planes, yuv), _) => {
                planes.write(gpu, [frame.y(), frame.u(), frame.v()].map(host));
                *yuv = coefficients(frame);
            }
            (Self::Rgba(_), None) => {}
        }
    }
}

fn host(plane: Plane<'_>) -> HostPlane<'_> {
    HostPlane {
        data: plane.data,
        stride: plane.stride,
    }
}

/// The colours of a frame.
struct Colors {
    /// The frame that they are of, and what was done to it.
    made_of: Option<(u64, Retouch)>,
    sprite: Sprite,
}

impl Clip {
    pub(super) fn open(path: &Path, decoding: Decoding) -> Result<Self> {
        Ok(Self {
            reader: VideoReader::open_with(path, decoding)?,
            frame: None,
        })
    }

    /// Whether nothing is seen through its frames.
    pub(super) fn is_opaque(&self) -> bool {
        !self.reader.info().has_alpha
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
        let size = (frame.width(), frame.height());
        let shown = match &mut self.frame {
            Some(shown) if shown.pixels.size() == size => shown,
            slot => slot.insert(Frame {
                serial: frame.serial,
                natural_size: frame.natural_size,
                pixels: Pixels::of(gpu, frame)?,
                colors: None,
            }),
        };
        shown.pixels.write(gpu, frame);
        shown.natural_size = frame.natural_size;
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
        let placement = frame.place(layer, media, Affine::IDENTITY);
        let Some((planes, yuv, corner)) = frame.whole_blocks(&placement, canvas) else {
            return false;
        };
        let colors = PlanarColors { yuv, functions };
        painter.background(canvas, planes, corner, colors, above);
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
        let placement = frame.place(layer, media, drift);
        if media.greenscreen.is_none()
            && let Some((planes, yuv, corner)) = frame.whole_blocks(&placement, canvas)
        {
            painter.planar(canvas, planes, corner, PlanarColors { yuv, functions });
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
    /// Where its texels go.
    fn place(&self, layer: &Layer, media: &MediaBox, drift: Affine) -> Placement {
        let mut placement = place(layer, media, drift, texels(self.natural_size));
        if self.natural_size != self.pixels.size() {
            let (width, height) = texels(self.pixels.size());
            let (shown_width, shown_height) = texels(self.natural_size);
            let (x, y) = (shown_width / width, shown_height / height);
            placement.to_target = placement.to_target.then_inner(Affine::scale(x, y));
            let [left, top, right, bottom] = placement.window;
            placement.window = [left / x, top / y, right / x, bottom / y];
        }
        placement
    }

    /// The planes and where their corner lies, if they need not be resampled.
    fn whole_blocks(
        &self,
        placement: &Placement,
        canvas: &Sprite,
    ) -> Option<(&PlanarSprite, YuvCoefficients, (i32, i32))> {
        let Pixels::Planar(planes, yuv) = &self.pixels else {
            return None;
        };
        let corner = whole_blocks(placement, canvas, self.pixels.size())?;
        Some((planes, *yuv, corner))
    }

    /// The frame as colours.
    fn colors(
        &mut self,
        painter: &mut Painter<'_>,
        functions: &[ColorFunction],
        media: &MediaBox,
    ) -> Result<&Sprite> {
        let wanted = Retouch::new(media, functions);
        if let Pixels::Rgba(sprite) = &self.pixels
            && wanted == Retouch::default()
        {
            return Ok(sprite);
        }
        let colors = match &mut self.colors {
            Some(colors) => colors,
            slot => {
                let (width, height) = self.pixels.size();
                // Chroma comes in pairs of rows; an odd height has one row too many.
                let height = match self.pixels {
                    Pixels::Planar(..) => height.next_multiple_of(2),
                    Pixels::Rgba(_) => height,
                };
                slot.insert(Colors {
                    made_of: None,
                    sprite: Sprite::new(painter.gpu(), width, height)?,
                })
            }
        };
        let sprite = &colors.sprite;
        let wanted = (self.serial, wanted);
        if colors.made_of.as_ref() == Some(&wanted) {
            return Ok(sprite);
        }
        match &self.pixels {
            // A green screen goes before anything else happens to colours.
            Pixels::Planar(planes, yuv) if media.greenscreen.is_some() => {
                painter.planar(sprite, planes, (0, 0), (*yuv).into());
                wanted.1.apply(painter, sprite);
            }
            Pixels::Planar(planes, yuv) => {
                let yuv = *yuv;
                painter.planar(sprite, planes, (0, 0), PlanarColors { yuv, functions });
            }
            Pixels::Rgba(pixels) => {
                painter.duplicate(sprite, pixels);
                wanted.1.apply(painter, sprite);
            }
        }
        colors.made_of = Some(wanted);
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

fn coefficients(frame: &VideoFrame) -> YuvCoefficients {
    let (red, blue) = frame.matrix.weights();
    YuvCoefficients::new(red, blue, frame.full_range)
}
