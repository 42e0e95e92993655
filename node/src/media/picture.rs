//! Decoded frames made ready for the device: upright, 8 bit, in the colours of the canvas.

use ffmpeg_the_third as ffmpeg;

use ffmpeg::format::Pixel;
use ffmpeg::frame;

use super::convert::{Coding, Converter, Output, has_alpha, is_planar_420};
use super::image::premultiply;
use super::orientation::Turn;
use super::tone::{Light, Toner};

/// How luma and chroma make up colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorMatrix {
    /// ITU-R BT.601, standard definition.
    Bt601,
    /// ITU-R BT.709, high definition.
    Bt709,
    /// ITU-R BT.2020, ultra high definition.
    Bt2020,
}

impl ColorMatrix {
    /// The shares of red and blue in luma.
    pub fn weights(self) -> (f32, f32) {
        match self {
            Self::Bt601 => (0.299, 0.114),
            Self::Bt709 => (0.2126, 0.0722),
            Self::Bt2020 => (0.2627, 0.0593),
        }
    }
}

/// One plane of samples.
#[derive(Clone, Copy, Debug)]
pub struct Plane<'a> {
    /// The samples, `stride` bytes to a row.
    pub data: &'a [u8],
    /// Bytes from one row to the next, at least `width` samples.
    pub stride: usize,
    /// Samples in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

/// A decoded picture, upright: 8-bit 4:2:0 in three planes, or colours where it has alpha.
pub struct VideoFrame {
    frame: frame::Video,
    /// How luma and chroma make up colours.
    pub matrix: ColorMatrix,
    /// Whether samples use 0 to 255 rather than 16 to 235.
    pub full_range: bool,
    /// Width and height at which it is shown, where its pixels are not square.
    pub natural_size: (u32, u32),
    /// Differs between any two frames of a reader that are not the same picture.
    pub serial: u64,
}

impl VideoFrame {
    /// Width in pixels.
    pub fn width(&self) -> u32 {
        self.frame.width()
    }

    /// Height in pixels.
    pub fn height(&self) -> u32 {
        self.frame.height()
    }

    /// Luma.
    pub fn y(&self) -> Plane<'_> {
        self.plane(0)
    }

    /// Blue difference, half the size in both directions.
    pub fn u(&self) -> Plane<'_> {
        self.plane(1)
    }

    /// Red difference, half the size in both directions.
    pub fn v(&self) -> Plane<'_> {
        self.plane(2)
    }

    /// Premultiplied RGBA, four bytes to a pixel, of a picture with alpha; it has no other planes.
    pub fn rgba(&self) -> Option<Plane<'_>> {
        (self.frame.format() == Pixel::RGBA).then(|| Plane {
            width: self.width(),
            height: self.height(),
            ..self.plane(0)
        })
    }

    fn plane(&self, index: usize) -> Plane<'_> {
        Plane {
            data: self.frame.data(index),
            stride: self.frame.stride(index),
            width: self.frame.plane_width(index),
            height: self.frame.plane_height(index),
        }
    }
}

/// Makes the frames of one stream ready.
pub(super) struct Finisher {
    turn: Turn,
    has_alpha: bool,
    converter: Option<Converter>,
    /// Makes frames 10-bit 4:2:0, for the toner.
    deepener: Option<Converter>,
    toner: Option<Toner>,
}

impl Finisher {
    /// For frames like the first one.
    pub(super) fn new(turn: Turn, first: &frame::Video) -> Self {
        Self {
            turn,
            has_alpha: has_alpha(first.format()),
            converter: None,
            deepener: None,
            toner: None,
        }
    }

    pub(super) fn has_alpha(&self) -> bool {
        self.has_alpha
    }

    /// Makes a frame ready; its size when shown is given as it lies in the stream.
    pub(super) fn finish(
        &mut self,
        frame: frame::Video,
        natural_size: (u32, u32),
        serial: u64,
    ) -> Result<VideoFrame, ffmpeg::Error> {
        let (frame, coding) = self.finished(frame)?;
        Ok(VideoFrame {
            frame,
            matrix: coding.matrix,
            full_range: coding.full_range,
            natural_size: self.turn.apply(natural_size),
            serial,
        })
    }

    fn finished(&mut self, frame: frame::Video) -> Result<(frame::Video, Coding), ffmpeg::Error> {
        let coding = Coding::of(&frame);
        if self.has_alpha {
            let frame = self.converted(&frame, coding, Output::Rgba)?;
            return Ok((premultiplied(&frame), coding));
        }
        let frame = match frame.format() {
            // What video engines hand out.
            Pixel::P010LE => self.converted(&frame, coding, Output::Deep)?,
            _ => frame,
        };
        let (frame, coding) = match Light::of(&frame) {
            Some(light) => (self.toned(frame, light, coding)?, Toner::coding()),
            None => (frame, coding),
        };
        let is_ready = self.turn.is_none() && is_planar_420(&frame);
        let frame = match is_ready {
            true => frame,
            false => match self.turn.is_none().then(|| narrowed(&frame, coding)) {
                Some(Some(frame)) => frame,
                _ => self.converted(&frame, coding, Output::Planar)?,
            },
        };
        Ok((frame, coding))
    }

    fn toned(
        &mut self,
        frame: frame::Video,
        light: Light,
        coding: Coding,
    ) -> Result<frame::Video, ffmpeg::Error> {
        let frame = match frame.format() {
            Pixel::YUV420P10LE => frame,
            _ => self.converted(&frame, coding, Output::Deep)?,
        };
        let toner = match self.toner.take() {
            Some(toner) if toner.fits(light, coding) => toner,
            _ => Toner::new(light, coding),
        };
        let toned = self.toner.insert(toner).apply(&frame);
        toned.ok_or(ffmpeg::Error::InvalidData)
    }

    fn converted(
        &mut self,
        frame: &frame::Video,
        coding: Coding,
        output: Output,
    ) -> Result<frame::Video, ffmpeg::Error> {
        // What is deep is turned when it is shallow.
        let (slot, turn) = match output {
            Output::Deep => (&mut self.deepener, Turn::default()),
            Output::Planar | Output::Rgba => (&mut self.converter, self.turn),
        };
        let converter = match slot.take() {
            Some(converter) if converter.fits(frame, coding) => converter,
            _ => Converter::new(frame, coding, output, turn)?,
        };
        slot.insert(converter).convert(frame)
    }
}

/// A copy with alpha multiplied in: decoders may still refer to the frame itself.
fn premultiplied(frame: &frame::Video) -> frame::Video {
    let mut copy = frame::Video::new(Pixel::RGBA, frame.width(), frame.height());
    let row = frame.width() as usize * 4;
    let (from, to) = (frame.stride(0), copy.stride(0));
    let lines = frame.data(0).chunks(from);
    for (out, line) in copy.data_mut(0).chunks_mut(to).zip(lines) {
        out[..row].copy_from_slice(&line[..row]);
        premultiply(&mut out[..row]);
    }
    copy
}

/// Deep 4:2:0 samples rounded to bytes; none for frames of another kind.
fn narrowed(frame: &frame::Video, coding: Coding) -> Option<frame::Video> {
    let bits: u32 = match frame.format() {
        Pixel::YUV420P10LE => 10,
        Pixel::YUV420P12LE => 12,
        _ => return None,
    };
    let most = (1_u32 << bits) - 1;
    let (half, shift) = (1 << (bits - 9), bits - 8);
    let is_full = coding.full_range;
    let byte = move |sample: u16| {
        let sample = u32::from(sample).min(most);
        if is_full {
            ((sample * 255 + most / 2) / most) as u8
        } else {
            ((sample + half) >> shift).min(255) as u8
        }
    };
    let mut narrow = frame::Video::new(Pixel::YUV420P, frame.width(), frame.height());
    for plane in 0..3 {
        let (width, height) = (frame.plane_width(plane), frame.plane_height(plane));
        let from = i32::try_from(frame.stride(plane)).ok()? as usize;
        let to = narrow.stride(plane);
        let rows = frame.data(plane).chunks(from).take(height as usize);
        for (out, row) in narrow.data_mut(plane).chunks_mut(to).zip(rows) {
            let samples = row.as_chunks::<2>().0;
            for (out, sample) in out[..width as usize].iter_mut().zip(samples) {
                *out = byte(u16::from_le_bytes(*sample));
            }
        }
    }
    Some(narrow)
}
