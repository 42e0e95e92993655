//! A chunk: an MP4 file with the frames of one task and nothing else.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ffmpeg_the_third as ffmpeg;

use ffmpeg::codec::Id;
use ffmpeg::format::context::Output;
use ffmpeg::{Packet, Rational};

use crate::encode::{CudaContext, EncoderSettings, Encoders, Frame, VideoEncoder};
use crate::gpu::SharedFrame;
use crate::{Context, Error, Result};

/// Encodes frames into a chunk file.
pub struct ChunkEncoder {
    path: PathBuf,
    settings: EncoderSettings,
    /// Where to look for another encoder, if this one fails before it encoded anything.
    others: Option<Encoders>,
    encoder: Box<dyn VideoEncoder>,
    file: Output,
    frame_time: Rational,
    first: Option<u64>,
    frames: u64,
    packets: Vec<Packet>,
}

impl ChunkEncoder {
    /// Opens an encoder of this process (see [`Encoders::open`]) and the file.
    pub fn create(path: &Path, settings: &EncoderSettings, wanted: Option<&str>) -> Result<Self> {
        Self::create_with(Encoders::of_this_process(), path, settings, wanted)
    }

    /// Opens one of the encoders and the file.
    pub fn create_with(
        encoders: &Encoders,
        path: &Path,
        settings: &EncoderSettings,
        wanted: Option<&str>,
    ) -> Result<Self> {
        let encoder = encoders.open(settings, wanted)?;
        let others = wanted.is_none().then(|| encoders.clone());
        Self::start(path, settings, encoder, others)
    }

    fn start(
        path: &Path,
        settings: &EncoderSettings,
        encoder: Box<dyn VideoEncoder>,
        others: Option<Encoders>,
    ) -> Result<Self> {
        let fps = i32::try_from(settings.fps).context("creating a chunk")?;
        let mut file = ffmpeg::format::output_as(path, "mp4").context("creating a chunk")?;
        let mut stream = file.add_stream(Id::H264).context("creating a chunk")?;
        stream.set_parameters(encoder.parameters());
        stream.set_time_base((1, fps));
        stream.set_avg_frame_rate((fps, 1));
        file.write_header().context("creating a chunk")?;
        let frame_time = Rational::new(1, fps);
        Ok(Self {
            path: path.to_owned(),
            settings: settings.clone(),
            others,
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

    /// The GPU whose memory the encoder reads frames from, if it does.
    pub fn device(&self) -> Option<&Arc<CudaContext>> {
        self.encoder.device()
    }

    /// Encodes the next frame, in I420 without padding. Indices may begin anywhere and must follow
    /// one another.
    pub fn push(&mut self, i420: &[u8], index: u64) -> Result<()> {
        self.encode(Frame::Planes(i420), index)
    }

    /// Encodes the next frame where it lies on the device.
    pub fn push_shared(&mut self, frame: &Arc<SharedFrame>, index: u64) -> Result<()> {
        self.encode(Frame::Shared(frame), index)
    }

    fn encode(&mut self, frame: Frame<'_>, index: u64) -> Result<()> {
        let wanted = *self.first.get_or_insert(index) + self.frames;
        if index != wanted {
            let reason = format!("frame {index} came where {wanted} was due");
            return Err(Error::internal("encoding a chunk", reason));
        }
        let at = i64::try_from(self.frames).context("encoding a chunk")?;
        match self.encoder.push(frame, at, &mut self.packets) {
            Err(error) if self.frames == 0 => {
                self.start_over(error)?;
                self.encoder.push(frame, at, &mut self.packets)?;
            }
            pushed => pushed?,
        }
        self.frames += 1;
        self.write()
    }

    /// Begins the file again with the next encoder.
    fn start_over(&mut self, failure: Error) -> Result<()> {
        let Some(others) = self.others.clone() else {
            return Err(failure);
        };
        let failed = self.encoder.name();
        tracing::warn!(encoder = failed, reason = %failure, "failed at the first frame");
        let Ok(encoder) = others.open_after(&self.settings, failed) else {
            return Err(failure);
        };
        let first = self.first;
        *self = Self::start(&self.path, &self.settings, encoder, Some(others))?;
        self.first = first;
        Ok(())
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
