//! The final file: chunks joined as they are, with the sound of the whole timeline.

use std::path::{Path, PathBuf};

use ffmpeg_the_third as ffmpeg;

use ffmpeg::codec::Id;
use ffmpeg::format::context::{Input, Output};
use ffmpeg::{Dictionary, Packet, Rational, media};
use tokio_util::sync::CancellationToken;

use super::aac::AacTrack;
use super::avcc::read_avcc;
use crate::audio::{Mixer, SAMPLE_RATE};
use crate::media::open_input;
use crate::{Context, Error, Result};

const VIDEO: usize = 0;
const AUDIO: usize = 1;

/// What a finished file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assembled {
    /// Pictures.
    pub frames: u64,
    /// Samples of each channel.
    pub samples: u64,
}

/// A chunk, looked into.
struct Chunk {
    path: PathBuf,
    frames: i64,
    /// By how many frames decoding runs ahead of display.
    delay: i64,
}

/// Joins chunks in order into an MP4 file that plays while it loads, with the mixed sound (or
/// silence) as long as the pictures. Blocks; call it where blocking is allowed.
pub fn assemble(
    chunks: &[PathBuf],
    mixer: Option<Mixer>,
    fps: u32,
    out: &Path,
    cancel: &CancellationToken,
) -> Result<Assembled> {
    let rate = i32::try_from(fps).context("joining chunks")?;
    let frame_time = Rational::new(1, rate);
    let chunks = inspect(chunks, frame_time)?;
    let frames: i64 = chunks.iter().map(|chunk| chunk.frames).sum();
    let delay = chunks.iter().map(|chunk| chunk.delay).max().unwrap_or(0);
    let samples = frames as u64 * u64::from(SAMPLE_RATE) / u64::from(fps);

    let mut sound = AacTrack::open(mixer, samples)?;
    let mut file = create(out, &chunks, rate, &sound)?;
    let ticks = file
        .stream(VIDEO)
        .map_or(frame_time, |stream| stream.time_base());

    let mut decoded = 0;
    let mut shown = 0;
    for chunk in &chunks {
        let mut reader = ChunkReader::open(&chunk.path, frame_time)?;
        let mut count = 0;
        while let Some((mut packet, at)) = reader.next()? {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            // Frames are evenly spaced, so that decoding times follow from the order alone and
            // stay monotonic over every seam.
            packet.set_pts(Some(shown + at));
            packet.set_dts(Some(decoded - delay));
            packet.set_duration(1);
            packet.rescale_ts(frame_time, ticks);
            packet.set_stream(VIDEO);
            packet.set_position(-1);
            packet
                .write_interleaved(&mut file)
                .context("writing the video")?;
            decoded += 1;
            count += 1;
            let due = decoded as u64 * u64::from(SAMPLE_RATE) / u64::from(fps);
            while !sound.is_finished() && sound.position() < due.min(samples) {
                write_sound(&mut sound, &mut file)?;
            }
        }
        if count != chunk.frames {
            let reason = format!("{count} packets where {} were announced", chunk.frames);
            return Err(Error::internal("reading a chunk", reason));
        }
        shown += chunk.frames;
    }
    while !sound.is_finished() {
        write_sound(&mut sound, &mut file)?;
    }
    file.write_trailer().context("closing the video")?;
    Ok(Assembled {
        frames: frames as u64,
        samples,
    })
}

/// Looks into every chunk: all must have the same headers.
fn inspect(paths: &[PathBuf], frame_time: Rational) -> Result<Vec<Chunk>> {
    let mut headers: Option<Vec<u8>> = None;
    let mut chunks = Vec::with_capacity(paths.len());
    for path in paths {
        let own = read_avcc(path).context("reading a chunk's headers")?;
        if headers.get_or_insert_with(|| own.clone()) != &own {
            let reason = format!(
                "chunk {} was encoded differently from the first",
                chunks.len()
            );
            return Err(Error::internal("joining chunks", reason));
        }
        chunks.push(ChunkReader::open(path, frame_time)?.inspect(path)?);
    }
    if chunks.is_empty() {
        return Err(Error::internal("joining chunks", "there are none"));
    }
    Ok(chunks)
}

fn create(out: &Path, chunks: &[Chunk], rate: i32, sound: &AacTrack) -> Result<Output> {
    let creating = "creating the video";
    let first = open_input(&chunks[0].path).context(creating)?;
    let pictures = first
        .streams()
        .best(media::Type::Video)
        .ok_or(ffmpeg::Error::StreamNotFound)
        .context(creating)?;
    let mut file = ffmpeg::format::output_as(out, "mp4").context(creating)?;
    let mut stream = file.add_stream(Id::H264).context(creating)?;
    stream.set_parameters(pictures.parameters());
    stream.set_time_base((1, rate));
    stream.set_avg_frame_rate((rate, 1));
    let mut stream = file.add_stream(Id::AAC).context(creating)?;
    stream.set_parameters(sound.parameters());
    stream.set_time_base((1, SAMPLE_RATE as i32));
    let mut options = Dictionary::new();
    options.set("movflags", "+faststart");
    file.write_header_with(options).context(creating)?;
    Ok(file)
}

fn write_sound(sound: &mut AacTrack, file: &mut Output) -> Result<()> {
    let sample_time = Rational::new(1, SAMPLE_RATE as i32);
    let ticks = file
        .stream(AUDIO)
        .map_or(sample_time, |stream| stream.time_base());
    let mut packets = Vec::new();
    sound.advance(&mut packets)?;
    for mut packet in packets {
        packet.set_stream(AUDIO);
        packet.rescale_ts(sample_time, ticks);
        packet
            .write_interleaved(file)
            .context("writing the sound")?;
    }
    Ok(())
}

/// The packets of a chunk with their times counted in frames.
struct ChunkReader {
    input: Input,
    /// Ticks of the file in one frame.
    ticks_per_frame: f64,
    frames: i64,
}

impl ChunkReader {
    fn open(path: &Path, frame_time: Rational) -> Result<Self> {
        let input = open_input(path).context("opening a chunk")?;
        let stream = input
            .stream(0)
            .ok_or(ffmpeg::Error::StreamNotFound)
            .context("opening a chunk")?;
        let ticks_per_frame = f64::from(frame_time / stream.time_base());
        let frames = stream.frames();
        Ok(Self {
            input,
            ticks_per_frame,
            frames,
        })
    }

    fn in_frames(&self, ticks: i64) -> i64 {
        (ticks as f64 / self.ticks_per_frame).round() as i64
    }

    /// The next packet and the frame it shows, in order of decoding.
    fn next(&mut self) -> Result<Option<(Packet, i64)>> {
        let mut packet = Packet::empty();
        match packet.read(&mut self.input) {
            Ok(()) => {}
            Err(ffmpeg::Error::Eof) => return Ok(None),
            Err(error) => return Err(Error::internal("reading a chunk", error)),
        }
        let at = packet
            .pts()
            .ok_or(ffmpeg::Error::InvalidData)
            .context("reading a chunk")?;
        let at = self.in_frames(at);
        Ok(Some((packet, at)))
    }

    fn inspect(mut self, path: &Path) -> Result<Chunk> {
        let Some((first, at)) = self.next()? else {
            return Err(Error::internal("reading a chunk", "it has no frames"));
        };
        let decoded = first.dts().map_or(at, |dts| self.in_frames(dts));
        Ok(Chunk {
            path: path.to_owned(),
            frames: self.frames,
            delay: at - decoded,
        })
    }
}
