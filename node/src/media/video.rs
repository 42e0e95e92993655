//! Exact frames of a video file, by time, from a decoder that stays open and moves forward.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ffmpeg_the_third as ffmpeg;

use ffmpeg::codec::decoder;
use ffmpeg::format::context::Input;
use ffmpeg::{Packet, Rational, frame, media};

use super::decoding::{Decoding, decoder_for};
use super::hardware;
use super::orientation::{Turn, known_ratio, natural_size};
use super::patience::Patience;
use super::picture::{Finisher, VideoFrame};
use super::{open_input, start_of, would_block};
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

/// What is known of a video before decoding it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VideoInfo {
    /// Width in pixels when shown: upright, and with square pixels.
    pub width: u32,
    /// Height in pixels when shown.
    pub height: u32,
    /// Whether frames may be see-through.
    pub has_alpha: bool,
    /// Whether a video engine decodes it.
    pub is_on_engine: bool,
    /// Length in seconds; 0 if the file does not say.
    pub duration_s: f64,
    /// Average frames a second; 0 if the file does not say.
    pub fps: f64,
}

/// Reads frames of one video file.
pub struct VideoReader {
    path: PathBuf,
    decoding: Decoding,
    input: Input,
    decoder: decoder::Video,
    stream: usize,
    time_base: f64,
    origin: i64,
    info: VideoInfo,
    /// The shape of a pixel by the container, which counts more than what frames say.
    pixel: Option<Rational>,
    finisher: Finisher,
    /// The frame on screen, and the one after it.
    current: Option<Timed>,
    next: Option<Timed>,
    /// When the very first frame is shown.
    first: i64,
    whole_from: WholeFrom,
    drained: bool,
    last_key: Option<i64>,
    longest_gop: i64,
    serial: u64,
    patience: Patience,
    /// Whether a video engine was asked to decode.
    tries_engine: bool,
}

/// Which frames are whole: those shown before the keyframe at which decoding began may refer to
/// others before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WholeFrom {
    /// Decoding began with the stream.
    Start,
    /// No keyframe has come yet.
    NextKey,
    /// The keyframe was shown at this time.
    Key(i64),
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

/// What is opened of a file.
struct Opened {
    input: Input,
    decoder: decoder::Video,
    stream: usize,
    time_base: f64,
    origin: i64,
    duration_s: f64,
    fps: f64,
    pixel: Option<Rational>,
    turn: Turn,
    tries_engine: bool,
}

impl Opened {
    fn open(path: &Path, decoding: Decoding) -> Result<Self> {
        let input = open_input(path).map_err(|_| undecodable())?;
        let stream = input
            .streams()
            .best(media::Type::Video)
            .ok_or_else(|| Error::BadInput("has no video stream".to_owned()))?;
        let (decoder, tries_engine) = decoder_for(&stream, decoding).map_err(|_| undecodable())?;
        let time_base = f64::from(stream.time_base());
        if !(time_base > 0.0 && time_base.is_finite()) {
            return Err(undecodable());
        }
        let duration_s = if stream.duration() > 0 {
            stream.duration() as f64 * time_base
        } else {
            input.duration().max(0) as f64 / f64::from(ffmpeg::ffi::AV_TIME_BASE)
        };
        let fps = known_rate(stream.avg_frame_rate())
            .or(known_rate(stream.rate()))
            .unwrap_or(0.0);
        let pixel = known_ratio(stream.sample_aspect_ratio());
        let turn = Turn::of(&stream);
        let (origin, stream) = (start_of(&stream), stream.index());
        Ok(Self {
            input,
            decoder,
            stream,
            time_base,
            origin,
            duration_s,
            fps,
            pixel,
            turn,
            tries_engine,
        })
    }
}

impl VideoReader {
    /// Opens a file and its best video stream.
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_with(path, Decoding::default())
    }

    /// Opens a file and its best video stream, to be decoded as told.
    pub fn open_with(path: &Path, decoding: Decoding) -> Result<Self> {
        match Self::open_as_told(path, decoding) {
            Ok(reader) if reader.info.is_on_engine == reader.tries_engine => Ok(reader),
            Err(error) if !decoding.tries_engine() => Err(error),
            _ => Self::open_as_told(path, decoding.on_processors()),
        }
    }

    fn open_as_told(path: &Path, decoding: Decoding) -> Result<Self> {
        let opened = Opened::open(path, decoding)?;
        let (size, origin) = (
            (opened.decoder.width(), opened.decoder.height()),
            opened.origin,
        );
        let mut reader = Self {
            path: path.to_owned(),
            decoding,
            input: opened.input,
            decoder: opened.decoder,
            stream: opened.stream,
            time_base: opened.time_base,
            origin,
            info: VideoInfo {
                width: size.0,
                height: size.1,
                has_alpha: false,
                is_on_engine: false,
                duration_s: opened.duration_s,
                fps: opened.fps,
            },
            pixel: opened.pixel,
            finisher: Finisher::new(opened.turn, &frame::Video::empty()),
            current: None,
            next: None,
            first: origin,
            whole_from: WholeFrom::Start,
            drained: false,
            last_key: None,
            longest_gop: 0,
            serial: 0,
            patience: Patience::begin(),
            tries_engine: opened.tries_engine,
        };
        reader.begin(opened.turn)?;
        Ok(reader)
    }

    /// Decodes the first frames, which shows whether there are any, and of what kind.
    fn begin(&mut self, turn: Turn) -> Result<()> {
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
        self.finisher = Finisher::new(turn, decoded);
        let pixel = self.pixel.or(known_ratio(decoded.aspect_ratio()));
        let size = natural_size((decoded.width(), decoded.height()), pixel);
        (self.info.width, self.info.height) = turn.apply(size);
        self.info.has_alpha = self.finisher.has_alpha();
        self.info.is_on_engine = hardware::is_on_device(decoded);
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
        match self.find(seconds) {
            Err(_) if self.info.is_on_engine => {
                // A video engine may give up on what processors can still decode.
                let serial = self.serial;
                *self = Self::open_as_told(&self.path, self.decoding.on_processors())?;
                self.serial = serial;
                self.find(seconds)
            }
            found => found,
        }
    }

    fn find(&mut self, seconds: f64) -> Result<Arc<VideoFrame>> {
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
        self.whole_from = WholeFrom::NextKey;
        if moved.is_err() {
            // The start, or a container that cannot seek: begin anew.
            self.input = open_input(&self.path).context("opening a video again")?;
            self.whole_from = WholeFrom::Start;
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
                    if matches!(self.whole_from, WholeFrom::Key(key) if at < key) {
                        continue;
                    }
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
                Ok(()) if packet.stream() == self.stream && self.is_wanted(&packet) => break,
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

    /// Whether a packet can be decoded from where decoding began.
    fn is_wanted(&mut self, packet: &Packet) -> bool {
        if self.whole_from == WholeFrom::NextKey && packet.is_key() {
            self.whole_from = packet
                .pts()
                .or(packet.dts())
                .map_or(WholeFrom::Start, WholeFrom::Key);
        }
        self.whole_from != WholeFrom::NextKey
    }

    fn show(&mut self) -> Result<Arc<VideoFrame>> {
        let Some(current) = &mut self.current else {
            return Err(undecodable());
        };
        let shown = match &mut current.picture {
            Picture::Shown(shown) => return Ok(shown.clone()),
            Picture::Decoded(decoded) => std::mem::replace(decoded, frame::Video::empty()),
        };
        let shown = match hardware::is_on_device(&shown) {
            true => hardware::fetched(&shown).context("fetching a decoded frame")?,
            false => shown,
        };
        self.serial += 1;
        let pixel = self.pixel.or(known_ratio(shown.aspect_ratio()));
        let size = natural_size((shown.width(), shown.height()), pixel);
        let finished = self.finisher.finish(shown, size, self.serial);
        let shown = Arc::new(finished.context("converting pixels")?);
        current.picture = Picture::Shown(shown.clone());
        Ok(shown)
    }
}

fn known_rate(rate: Rational) -> Option<f64> {
    (rate.numerator() > 0 && rate.denominator() > 0).then(|| f64::from(rate))
}
