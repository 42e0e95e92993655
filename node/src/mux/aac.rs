//! The sound of a file: AAC-LC, 48 kHz, stereo, from a mixer or from silence.

use ffmpeg_the_third as ffmpeg;

use ffmpeg::codec::{self, Parameters, encoder};
use ffmpeg::format::sample::{Sample, Type};
use ffmpeg::{ChannelLayout, ChannelLayoutMask, Packet, frame};

use crate::audio::{CHANNELS, Mixer, SAMPLE_RATE};
use crate::media::would_block;
use crate::{Context, Error, Result};

const BIT_RATE: usize = 192_000;

/// Encodes exactly so many samples, taken from a mixer as far as that goes, then silence.
pub(super) struct AacTrack {
    encoder: encoder::audio::Encoder,
    mixer: Option<Mixer>,
    /// Samples handed to the encoder so far, and how many there will be.
    position: u64,
    total: u64,
    buffer: Vec<f32>,
    finished: bool,
}

impl AacTrack {
    pub(super) fn open(mixer: Option<Mixer>, total: u64) -> Result<Self> {
        let opening = "opening the AAC encoder";
        let codec = encoder::find(codec::Id::AAC)
            .ok_or(ffmpeg::Error::EncoderNotFound)
            .context(opening)?;
        let mut context = codec::Context::new_with_codec(codec);
        context.set_flags(codec::Flags::GLOBAL_HEADER);
        let mut audio = context.encoder().audio().context(opening)?;
        audio.set_rate(SAMPLE_RATE as i32);
        audio.set_ch_layout(ChannelLayout::STEREO);
        audio.set_format(Sample::F32(Type::Planar));
        audio.set_bit_rate(BIT_RATE);
        audio.set_time_base((1, SAMPLE_RATE as i32));
        let encoder = audio.open().context(opening)?;
        let frame_samples = encoder.frame_size().max(1) as usize;
        Ok(Self {
            encoder,
            mixer,
            position: 0,
            total,
            buffer: vec![0.0; frame_samples * CHANNELS],
            finished: false,
        })
    }

    pub(super) fn parameters(&self) -> Parameters {
        Parameters::from(&self.encoder)
    }

    /// Samples encoded so far, of each channel.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Whether everything has been encoded.
    pub(super) fn is_finished(&self) -> bool {
        self.finished
    }

    /// Encodes one frame's worth, or the end, and appends the packets that are ready, with times in
    /// samples. The first begin before zero: that is the encoder's priming, which the container
    /// tells players to skip.
    pub(super) fn advance(&mut self, out: &mut Vec<Packet>) -> Result<()> {
        let capacity = self.buffer.len() / CHANNELS;
        let left = usize::try_from(self.total - self.position).unwrap_or(usize::MAX);
        let samples = left.min(capacity);
        if samples == 0 {
            self.finished = true;
            self.encoder.send_eof().context("encoding sound")?;
        } else {
            let wanted = &mut self.buffer[..samples * CHANNELS];
            let mixed = match &mut self.mixer {
                Some(mixer) => mixer.fill(wanted)?,
                None => 0,
            };
            wanted[mixed * CHANNELS..].fill(0.0);
            let mut sound = frame::Audio::new(
                Sample::F32(Type::Planar),
                samples,
                ChannelLayoutMask::STEREO,
            );
            sound.set_ch_layout(ChannelLayout::STEREO);
            sound.set_rate(SAMPLE_RATE);
            sound.set_pts(Some(self.position as i64));
            for channel in 0..CHANNELS {
                let source = wanted.iter().skip(channel).step_by(CHANNELS);
                for (sample, &value) in sound.plane_mut::<f32>(channel).iter_mut().zip(source) {
                    *sample = value;
                }
            }
            self.position += samples as u64;
            self.encoder.send_frame(&sound).context("encoding sound")?;
        }
        loop {
            let mut packet = Packet::empty();
            match self.encoder.receive_packet(&mut packet) {
                Ok(()) => out.push(packet),
                Err(ffmpeg::Error::Eof) => return Ok(()),
                Err(error) if would_block(error) => return Ok(()),
                Err(error) => return Err(Error::internal("encoding sound", error)),
            }
        }
    }
}
