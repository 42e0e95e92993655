//! Software encoders reached through libavcodec: x264, OpenH264 and x265.

use ffmpeg_the_third as ffmpeg;

use ffmpeg::codec::{self, Parameters, encoder, threading};
use ffmpeg::format::Pixel;
use ffmpeg::{Dictionary, Packet, frame};

use super::{EncoderSettings, Frame, VideoEncoder, headers};
use crate::media::{init, would_block};
use crate::{Context, Error, Result};

/// An encoder of libavcodec and the options it is opened with.
pub(super) struct Kind {
    /// Our name for it.
    pub(super) name: &'static str,
    /// libavcodec's name for it.
    codec: &'static str,
    profile: &'static str,
    options: fn(&EncoderSettings, &mut Dictionary),
}

/// x264, the reference for quality and speed on processors.
pub(super) const X264: Kind = Kind {
    name: "x264",
    codec: "libx264",
    profile: "high",
    options: x264_options,
};
/// OpenH264, where FFmpeg was built without x264.
pub(super) const OPENH264: Kind = Kind {
    name: "openh264",
    codec: "libopenh264",
    profile: "high",
    options: openh264_options,
};
/// x265, for HEVC.
pub(super) const X265: Kind = Kind {
    name: "x265",
    codec: "libx265",
    profile: "main",
    options: x265_options,
};

fn x264_options(settings: &EncoderSettings, options: &mut Dictionary) {
    options.set("preset", &settings.preset);
    options.set("crf", settings.crf.to_string());
    options.set("keyint_min", settings.keyframe_interval().to_string());
    // The preset looks ten frames ahead. Looking further costs next to nothing, and what stays for
    // long is drawn better.
    options.set("rc-lookahead", "40");
    // Keyframes fall on the beat alone, whatever the pictures show.
    options.set("sc_threshold", "0");
}

fn openh264_options(settings: &EncoderSettings, options: &mut Dictionary) {
    // It aims at a rate rather than a quality: a tenth of a bit a pixel is near x264's default.
    let pixels = u64::from(settings.width) * u64::from(settings.height);
    options.set("b", (pixels * u64::from(settings.fps) / 10).to_string());
    options.set("rc_mode", "quality");
}

fn x265_options(settings: &EncoderSettings, options: &mut Dictionary) {
    /// x265 counts quality so that the same picture is this much further.
    const BEYOND_X264: u8 = 5;
    options.set("preset", &settings.preset);
    options.set("crf", (settings.crf + BEYOND_X264).to_string());
    let interval = settings.keyframe_interval();
    let mut more =
        format!("keyint={interval}:min-keyint={interval}:scenecut=0:open-gop=0:log-level=none");
    if settings.threads > 0 {
        more += &format!(":pools={}", settings.threads);
    }
    options.set("x265-params", more);
}

/// An open encoder.
pub(super) struct LibavEncoder {
    name: &'static str,
    encoder: encoder::video::Encoder,
    /// Reused for every frame: encoders copy what they are given before they answer.
    picture: frame::Video,
    /// Planes of frames that come from the device.
    room: Vec<u8>,
    frame_bytes: usize,
}

impl LibavEncoder {
    pub(super) fn open(kind: &Kind, settings: &EncoderSettings) -> Result<Self> {
        init();
        let Some(codec) = encoder::find_by_name(kind.codec) else {
            let reason = format!("this FFmpeg was built without {}", kind.codec);
            return Err(Error::internal(format!("opening {}", kind.name), reason));
        };
        let mut context = codec::Context::new_with_codec(codec);
        let mut threading = threading::Config::kind(threading::Type::Frame);
        threading.count = settings.threads;
        context.set_threading(threading);
        context.set_flags(codec::Flags::GLOBAL_HEADER | codec::Flags::CLOSED_GOP);

        let opening = || format!("opening {}", kind.name);
        let mut video = context.encoder().video().context(opening())?;
        let fps = i32::try_from(settings.fps).context(opening())?;
        video.set_width(settings.width);
        video.set_height(settings.height);
        video.set_format(Pixel::YUV420P);
        video.set_time_base((1, fps));
        video.set_frame_rate(Some((fps, 1)));
        video.set_aspect_ratio((1, 1));
        video.set_gop(settings.keyframe_interval());

        let mut options = Dictionary::new();
        for (name, value) in [
            ("profile", kind.profile),
            ("colorspace", "bt709"),
            ("color_primaries", "bt709"),
            ("color_trc", "bt709"),
            ("color_range", "tv"),
        ] {
            options.set(name, value);
        }
        (kind.options)(settings, &mut options);
        Ok(Self {
            name: kind.name,
            encoder: video.open_with(options).context(opening())?,
            picture: frame::Video::new(Pixel::YUV420P, settings.width, settings.height),
            room: Vec::new(),
            frame_bytes: settings.frame_bytes(),
        })
    }

    fn drain(&mut self, out: &mut Vec<Packet>) -> Result<()> {
        loop {
            let mut packet = Packet::empty();
            match self.encoder.receive_packet(&mut packet) {
                Ok(()) => {
                    packet.set_duration(1);
                    out.push(packet);
                }
                Err(ffmpeg::Error::Eof) => return Ok(()),
                Err(error) if would_block(error) => return Ok(()),
                Err(error) => return Err(Error::internal("encoding", error)),
            }
        }
    }
}

impl VideoEncoder for LibavEncoder {
    fn name(&self) -> &'static str {
        self.name
    }

    fn parameters(&self) -> Parameters {
        headers::tagged(Parameters::from(&self.encoder))
    }

    fn push(&mut self, frame: Frame<'_>, index: i64, out: &mut Vec<Packet>) -> Result<()> {
        let i420 = frame.planes(&mut self.room)?;
        if i420.len() != self.frame_bytes {
            let reason = format!("a frame of {} bytes, not {}", i420.len(), self.frame_bytes);
            return Err(Error::internal("encoding", reason));
        }
        let mut rest = i420;
        for plane in 0..3 {
            let width = self.picture.plane_width(plane) as usize;
            let height = self.picture.plane_height(plane) as usize;
            let stride = self.picture.stride(plane);
            let (samples, after) = rest.split_at(width * height);
            rest = after;
            let rows = self.picture.data_mut(plane).chunks_exact_mut(stride);
            for (row, source) in rows.zip(samples.chunks_exact(width)) {
                row[..width].copy_from_slice(source);
            }
        }
        self.picture.set_pts(Some(index));
        self.encoder.send_frame(&self.picture).context("encoding")?;
        // Also lets go of the encoder's hold on `picture`.
        self.drain(out)
    }

    fn finish(&mut self, out: &mut Vec<Packet>) -> Result<()> {
        self.encoder.send_eof().context("encoding")?;
        self.drain(out)
    }
}
