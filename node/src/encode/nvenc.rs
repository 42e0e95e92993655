//! NVIDIA's encoder, where the driver and the GPU have one.

use std::sync::Arc;

use ffmpeg_the_third as ffmpeg;

use ffmpeg::Packet;
use ffmpeg::codec::Parameters;
use ffmpeg::codec::packet::Flags;
use nvenc_sys::{Context, Cuda, Encoder, Libraries, Library, Settings, Surface};

use super::{Codec, EncoderSettings, Frame, VideoEncoder, headers};
use crate::{Context as _, Result};

/// Our name for it.
pub(super) const NAME: &str = "nvenc";

/// A GPU with the libraries that encode on it.
pub(super) struct Device {
    library: Arc<Library>,
    context: Arc<Context>,
}

impl Device {
    /// Looks for the driver and the GPU: the preferred one, else the first.
    pub(super) fn find(libraries: &Libraries, preferred: Option<[u8; 16]>) -> Result<Self, String> {
        let library = Library::load(libraries).map_err(|error| error.to_string())?;
        let cuda = Cuda::load(libraries).map_err(|error| error.to_string())?;
        let context = Context::open(&cuda, preferred).map_err(|error| error.to_string())?;
        Ok(Self {
            library: Arc::new(library),
            context,
        })
    }

    /// The GPU's name.
    pub(super) fn gpu(&self) -> &str {
        self.context.gpu()
    }

    /// Opens a session; the GPU may have too few of them.
    pub(super) fn open(&self, settings: &EncoderSettings) -> Result<NvencEncoder> {
        let opening = "opening nvenc";
        let asked = Settings {
            codec: match settings.codec {
                Codec::H264 => nvenc_sys::Codec::H264,
                Codec::Hevc => nvenc_sys::Codec::Hevc,
            },
            width: settings.width,
            height: settings.height,
            fps: settings.fps,
            quality: settings.crf,
            keyframe_interval: settings.keyframe_interval(),
        };
        let encoder = Encoder::open(&self.library, &self.context, asked).context(opening)?;
        Ok(NvencEncoder {
            parameters: headers::parameters(settings, encoder.headers())?,
            encoder,
            packets: Vec::new(),
        })
    }
}

/// An open session.
pub(super) struct NvencEncoder {
    encoder: Encoder,
    parameters: Parameters,
    packets: Vec<nvenc_sys::Packet>,
}

impl NvencEncoder {
    fn deliver(&mut self, out: &mut Vec<Packet>) -> Result<()> {
        for encoded in self.packets.drain(..) {
            let mut packet = Packet::copy(&encoded.data);
            // Frames are decoded in the order they are shown.
            let at = i64::try_from(encoded.timestamp).context("encoding")?;
            packet.set_pts(Some(at));
            packet.set_dts(Some(at));
            packet.set_duration(1);
            if encoded.is_key {
                packet.set_flags(Flags::KEY);
            }
            out.push(packet);
        }
        Ok(())
    }
}

impl VideoEncoder for NvencEncoder {
    fn name(&self) -> &'static str {
        NAME
    }

    fn parameters(&self) -> Parameters {
        self.parameters.clone()
    }

    fn device(&self) -> Option<&Arc<Context>> {
        Some(self.encoder.context())
    }

    fn push(&mut self, frame: Frame<'_>, index: i64, out: &mut Vec<Packet>) -> Result<()> {
        let at = u64::try_from(index).context("encoding")?;
        match frame {
            Frame::Planes(planes) => self.encoder.encode_planar(planes, at, &mut self.packets),
            Frame::Shared(frame) => {
                let surface = Surface {
                    memory: Arc::clone(frame.memory()),
                    pitch: frame.pitch(),
                    hold: Arc::clone(frame) as _,
                };
                self.encoder.encode_surface(surface, at, &mut self.packets)
            }
        }
        .context("encoding")?;
        self.deliver(out)
    }

    fn finish(&mut self, out: &mut Vec<Packet>) -> Result<()> {
        self.encoder.finish(&mut self.packets).context("encoding")?;
        self.deliver(out)
    }
}
