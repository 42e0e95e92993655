//! Exact frames of a video file, by time, from a decoder that stays open and moves forward.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ffmpeg_the_third as ffmpeg;

use ffmpeg::codec::decoder;
use ffmpeg::format::context::Input;
use ffmpeg::{Packet, Rational, frame, media};

use super::convert::{Coding, Converter, Output, is_planar_420};
use super::patience::Patience;
use super::{decoder_context, open_input, start_of, would_block};
use crate::{Context, Error, Result};

/// A frame counts as on screen this much before its time: times of frames come rounded to the
/// container's ticks. At most half a tick, and never a noticeable part of a frame.
const MOST_EARLY_SECONDS: f64 = 0.001;
/// Jumps forward over more than this many keyframe distances seek instead of decoding through.
const SEEK_BEYOND_GOPS: f64 = 2.0;
/// Taken for the keyframe distance until one has been seen.
const SHORTEST_GOP_SECONDS: f64 = 1.0;
/// Containers find keyframes by decoding time, which lies before the time of display; where the
/// first try lands too late, the next ones go back by this and twice as much each.
const FIRST_STEP_BACK_SECONDS: f64 = 0.5;
const MOST_DECODER_THREADS: usize = 8;

/// What is known of a video before decoding it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VideoInfo {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Length in seconds; 0 if the file does not say.
    pub duration_s: f64,
    /// Average frames a second; 0 if the file does not say.
    pub fps: f64,
}

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

/// One plane of samples.
#[derive(Clone, Copy, Debug)]
pub struct Plane<'a> {
    /// The samples, `stride` bytes to a row.
    pub data: &'a [u8],
    /// Bytes from one row to the next, at least `width`.
    pub stride: usize,
    /// Samples in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

/// A decoded picture: 8-bit 4:2:0, three planes, held in the decoder's own memory.
pub struct VideoFrame {
    frame: frame::Video,
    /// How luma and chroma make up colours.
    pub matrix: ColorMatrix,
    /// Whether samples use 0 to 255 rather than 16 to 235.
    pub full_range: bool,
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

    fn plane(&self, index: usize) -> Plane<'_> {
        Plane {
            data: self.frame.data(index),
            stride: self.frame.stride(index),
            width: self.frame.plane_width(index),
            height: self.frame.plane_height(index),
        }
    }
}

/// Reads frames of one video file.
pub struct VideoReader {
    path: PathBuf,
    input: Input,
    decoder: decoder::Video,
    stream: usize,
    time_base: f64,
    origin: i64,
    info: VideoInfo,
    converter: Option<Converter>,
    /// The frame on screen, and the one after it.
    current: Option<Timed>,
    next: Option<Timed>,
    /// When the very first frame is shown.
    first: i64,
    drained: bool,
    last_key: Option<i64>,
    longest_gop: i64,
    serial: u64,
    patience: Patience,
}

struct Timed {
    at: i64,
    picture: Picture,
}

enum Picture {
    Decoded(frame::Video),
    Shown(Arc<VideoFrame>),
}

fn undecodable() -> Error {
    Error::BadInput("is not a video that can be decoded".to_owned())
}

impl VideoReader {
    /// Opens a file and its best video stream.
    pub fn open(path: &Path) -> Result<Self> {
        let input = open_input(path).map_err(|_| undecodable())?;
        let stream = input
            .streams()
            .best(media::Type::Video)
            .ok_or_else(|| Error::BadInput("has no video stream".to_owned()))?;
        let decoder = decoder_context(&stream, decoder_threads())
            .and_then(decoder::Opened::video)
            .map_err(|_| undecodable())?;
        let time_base = f64::from(stream.time_base());
        if !(time_base > 0.0 && time_base.is_finite()) {
            return Err(undecodable());
        }
        let duration_s = if stream.duration() > 0 {
            stream.duration() as f64 * time_base
        } else {
            input.duration().max(0) as f64 / f64::from(ffmpeg::ffi::AV_TIME_BASE)
        };
        let info = VideoInfo {
            width: decoder.width(),
            height: decoder.height(),
            duration_s,
            fps: known_rate(stream.avg_frame_rate())
                .or(known_rate(stream.rate()))
                .unwrap_or(0.0),
        };
        let (origin, stream) = (start_of(&stream), stream.index());
        let mut reader = Self {
            path: path.to_owned(),
            input,
            decoder,
            stream,
            time_base,
            origin,
            info,
            converter: None,
            current: None,
            next: None,
            first: origin,
            drained: false,
            last_key: None,
            longest_gop: 0,
            serial: 0,
            patience: Patience::begin(),
        };
        reader.begin()?;
        Ok(reader)
    }

    /// Decodes the first frames, which shows whether there are any.
    fn begin(&mut self) -> Result<()> {
        self.current = self.decode()?;
        self.next = self.decode()?;
        let Some(Timed {
            at,
            picture: Picture::Decoded(decoded),
        }) = &self.current
        else {
            return Err(undecodable());
        };
        self.first = *at;
        if decoded.pts().is_none() {
            // A container that knows decoding times alone: count from what they make of the first.
            self.origin = *at;
        }
        Ok(())
    }

    /// What the file says of itself.
    pub fn info(&self) -> VideoInfo {
        self.info
    }

    /// The frame on screen at a time, in seconds from the first frame. Before the start it is the
    /// first frame, past the end the last. The same frame comes back as the same `Arc`.
    pub fn frame_at(&mut self, seconds: f64) -> Result<Arc<VideoFrame>> {
        self.patience = Patience::begin();
        let target = self.tick_at(seconds);
        match &self.current {
            None => self.seek_to(target)?,
            Some(current) if target < current.at && current.at != self.first => {
                self.seek_to(target)?;
            }
            Some(current) if self.is_far_ahead(target, current.at) => self.seek_to(target)?,
            Some(_) => {}
        }
        while self.next.as_ref().is_some_and(|next| next.at <= target) {
            self.step()?;
        }
        self.show()
    }

    fn tick_at(&self, seconds: f64) -> i64 {
        let early = (self.time_base / 2.0).min(MOST_EARLY_SECONDS);
        let seconds = if seconds.is_finite() {
            seconds.max(0.0)
        } else {
            0.0
        };
        self.origin
            .saturating_add(((seconds + early) / self.time_base).floor() as i64)
    }

    fn is_far_ahead(&self, target: i64, current: i64) -> bool {
        let gop = (self.longest_gop as f64 * self.time_base).max(SHORTEST_GOP_SECONDS);
        let ahead = target.saturating_sub(current) as f64 * self.time_base;
        !self.drained && ahead > gop * SEEK_BEYOND_GOPS
    }

    /// Moves the decoder to a keyframe at or before the target and fills both slots.
    fn seek_to(&mut self, target: i64) -> Result<()> {
        let mut step_back = 0.0;
        loop {
            let wanted = target as f64 * self.time_base - step_back;
            let at_start = wanted <= self.origin as f64 * self.time_base;
            self.jump((!at_start).then_some(wanted))?;
            self.current = self.decode()?;
            self.next = self.decode()?;
            match &self.current {
                Some(first) if first.at <= target => return Ok(()),
                Some(_) if at_start => return Ok(()),
                None if at_start => return Err(undecodable()),
                _ => step_back = (step_back * 2.0).max(FIRST_STEP_BACK_SECONDS),
            }
        }
    }

    /// Positions the demuxer at a time of the container, or at its start.
    fn jump(&mut self, seconds: Option<f64>) -> Result<()> {
        let microseconds =
            |seconds: f64| (seconds * f64::from(ffmpeg::ffi::AV_TIME_BASE)).floor() as i64;
        let moved = seconds
            .map(microseconds)
            .map_or(Err(ffmpeg::Error::Bug), |at| self.input.seek(at, ..=at));
        if moved.is_err() {
            // The start, or a container that cannot seek: begin anew.
            self.input = open_input(&self.path).context("opening a video again")?;
        }
        self.decoder.flush();
        self.drained = false;
        self.last_key = None;
        Ok(())
    }

    fn step(&mut self) -> Result<()> {
        let following = self.decode()?;
        self.current = std::mem::replace(&mut self.next, following);
        Ok(())
    }

    /// The next frame in order of display, or none at the end.
    fn decode(&mut self) -> Result<Option<Timed>> {
        let mut decoded = frame::Video::empty();
        loop {
            self.patience.check()?;
            match self.decoder.receive_frame(&mut decoded) {
                Ok(()) => {
                    let after_last = self.next.as_ref().map_or(self.origin, |last| last.at + 1);
                    let at = decoded.timestamp().or(decoded.pts()).unwrap_or(after_last);
                    return Ok(Some(Timed {
                        at,
                        picture: Picture::Decoded(decoded),
                    }));
                }
                Err(ffmpeg::Error::Eof) => return Ok(None),
                Err(error) if would_block(error) => self.feed(),
                // A damaged frame is passed over, as players do.
                Err(ffmpeg::Error::InvalidData) => {}
                Err(_) => return Err(undecodable()),
            }
        }
    }

    /// Gives the decoder one packet of the stream, or the end of it.
    fn feed(&mut self) {
        let mut packet = Packet::empty();
        loop {
            match packet.read(&mut self.input) {
                Ok(()) if packet.stream() == self.stream => break,
                Ok(()) => {}
                Err(error) if would_block(error) => {}
                // A file that breaks off ends there.
                Err(_) => {
                    self.drained = true;
                    // Fails only when the end was announced before, which changes nothing.
                    let _ = self.decoder.send_eof();
                    return;
                }
            }
        }
        if packet.is_key()
            && let Some(at) = packet.pts()
        {
            if let Some(last) = self.last_key {
                self.longest_gop = self.longest_gop.max(at - last);
            }
            self.last_key = Some(at);
        }
        // A damaged packet is passed over; if nothing decodes, that is found at the end.
        let _ = self.decoder.send_packet(&packet);
    }

    fn show(&mut self) -> Result<Arc<VideoFrame>> {
        let Some(current) = &mut self.current else {
            return Err(undecodable());
        };
        let shown = match &mut current.picture {
            Picture::Shown(shown) => return Ok(shown.clone()),
            Picture::Decoded(decoded) => std::mem::replace(decoded, frame::Video::empty()),
        };
        self.serial += 1;
        let coding = Coding::of(&shown);
        let frame = if is_planar_420(&shown) {
            shown
        } else {
            let converter = match self.converter.take() {
                Some(converter) if converter.fits(&shown, coding) => converter,
                _ => Converter::new(&shown, coding, Output::Planar).map_err(|_| undecodable())?,
            };
            self.converter
                .insert(converter)
                .convert(&shown)
                .context("converting pixels")?
        };
        let shown = Arc::new(VideoFrame {
            frame,
            matrix: coding.matrix,
            full_range: coding.full_range,
            serial: self.serial,
        });
        current.picture = Picture::Shown(shown.clone());
        Ok(shown)
    }
}

fn decoder_threads() -> usize {
    std::thread::available_parallelism()
        .map_or(2, std::num::NonZero::get)
        .clamp(2, MOST_DECODER_THREADS)
}

fn known_rate(rate: Rational) -> Option<f64> {
    (rate.numerator() > 0 && rate.denominator() > 0).then(|| f64::from(rate))
}
