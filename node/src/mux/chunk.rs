//! A chunk: an MP4 file with the frames of one task and nothing else.

use std::path::Path;

use ffmpeg_the_third as ffmpeg;

use ffmpeg::codec::Id;
use ffmpeg::format::context::Output;
use ffmpeg::{Packet, Rational};

use crate::encode::{EncoderSettings, VideoEncoder, open_best};
use crate::{Context, Error, Result};

/// Encodes frames into a chunk file.
pub struct ChunkEncoder {
    encoder: Box<dyn VideoEncoder>,
    file: Output,
    frame_time: Rational,
    first: Option<u64>,
    frames: u64,
    packets: Vec<Packet>,
}

impl ChunkEncoder {
    /// Opens the encoder (see [`open_best`]) and the file.
    pub fn create(path: &Path, settings: &EncoderSettings, wanted: Option<&str>) -> Result<Self> {
        let encoder = open_best(settings, wanted)?;
        let fps = i32::try_from(settings.fps).context("creating a chunk")?;
        let mut file = ffmpeg::format::output_as(path, "mp4").context("creating a chunk")?;
        let mut stream = file.add_stream(Id::H264).context("creating a chunk")?;
        stream.set_parameters(encoder.parameters());
        stream.set_time_base((1, fps));
        stream.set_avg_frame_rate((fps, 1));
        file.write_header().context("creating a chunk")?;
        let frame_time = Rational::new(1, fps);
        Ok(Self {
            encoder,
            file,
            frame_time,
            first: None,
            frames: 0,
            packets: Vec::new(),
        })
    }

    /// The encoder in use.
    pub fn encoder_name(&self) -> &'static str {
        self.encoder.name()
    }

    /// Encodes the next frame, in I420 without padding. Indices may begin anywhere and must follow
    /// one another.
    pub fn push(&mut self, i420: &[u8], index: u64) -> Result<()> {
        let wanted = *self.first.get_or_insert(index) + self.frames;
        if index != wanted {
            let reason = format!("frame {index} came where {wanted} was due");
            return Err(Error::internal("encoding a chunk", reason));
        }
        let at = i64::try_from(self.frames).context("encoding a chunk")?;
        self.encoder.push(i420, at, &mut self.packets)?;
        self.frames += 1;
        self.write()
    }

    /// Writes what the encoder still holds, closes the file and returns its number of frames.
    pub fn finish(mut self) -> Result<u64> {
        self.encoder.finish(&mut self.packets)?;
        self.write()?;
        self.file.write_trailer().context("closing a chunk")?;
        Ok(self.frames)
    }

    fn write(&mut self) -> Result<()> {
        let ticks = self
            .file
            .stream(0)
            .map_or(self.frame_time, |stream| stream.time_base());
        for mut packet in self.packets.drain(..) {
            packet.set_stream(0);
            packet.rescale_ts(self.frame_time, ticks);
            packet
                .write_interleaved(&mut self.file)
                .context("writing a chunk")?;
        }
        Ok(())
    }
}
