//! What to encode and how well, in the driver's terms.

use crate::abi::{self, Config, H264Config, HevcConfig, RateControl, Vui};

/// A codec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// H.264, High profile.
    H264,
    /// HEVC, Main profile.
    Hevc,
}

impl Codec {
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::H264 => "H.264",
            Self::Hevc => "HEVC",
        }
    }

    pub(crate) fn guid(self) -> abi::Guid {
        match self {
            Self::H264 => abi::CODEC_H264,
            Self::Hevc => abi::CODEC_HEVC,
        }
    }
}

/// What to encode, and how well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How.
    pub codec: Codec,
    /// Width in pixels, even.
    pub width: u32,
    /// Height in pixels, even.
    pub height: u32,
    /// Frames a second.
    pub fps: u32,
    /// Constant quality from 1, the best, to 51.
    pub quality: u8,
    /// Frames from one keyframe to the next.
    pub keyframe_interval: u32,
}

/// Numbers of BT.709 in headers, the same for primaries, transfer and matrix.
const BT709: u32 = 1;
/// `video_format` in headers: not said.
const UNSPECIFIED_FORMAT: u32 = 5;

impl Settings {
    /// Changes a preset's configuration to what is wanted here.
    pub(crate) fn apply(&self, config: &mut Config) {
        config.version = abi::CONFIG_VERSION;
        config.gop_length = self.keyframe_interval;
        // Every frame follows the one before it: frames are decoded in the order they are shown.
        config.p_interval = 1;
        config.frame_field_mode = abi::FRAMES;
        self.control_rate(&mut config.rate);
        match self.codec {
            Codec::H264 => {
                config.profile = abi::H264_HIGH;
                // SAFETY: all fields of the union are plain numbers; the codec says which one is meant.
                let h264 = unsafe { &mut config.codec.h264 };
                h264.flags |= H264Config::NO_HEADERS;
                h264.flags &= !H264Config::REPEAT_HEADERS;
                h264.idr_period = self.keyframe_interval;
                h264.entropy_coding = abi::CABAC;
                h264.chroma_format = 1;
                // H.264 counts fields.
                self.describe(&mut h264.vui, 2 * self.fps);
            }
            Codec::Hevc => {
                config.profile = abi::HEVC_MAIN;
                // SAFETY: as above.
                let hevc = unsafe { &mut config.codec.hevc };
                hevc.flags |= HevcConfig::NO_HEADERS;
                hevc.flags &= !(HevcConfig::REPEAT_HEADERS
                    | HevcConfig::CHROMA_FORMAT
                    | HevcConfig::BIT_DEPTH);
                hevc.flags |= HevcConfig::CHROMA_420;
                hevc.idr_period = self.keyframe_interval;
                self.describe(&mut hevc.vui, self.fps);
            }
        }
    }

    fn control_rate(&self, rate: &mut RateControl) {
        rate.version = abi::RATE_CONTROL_VERSION;
        rate.mode = abi::RATE_VARIABLE;
        // No rate to hold: the quality alone decides.
        rate.average_bit_rate = 0;
        rate.max_bit_rate = 0;
        rate.buffer_bits = 0;
        rate.initial_delay_bits = 0;
        rate.target_quality = self.quality.clamp(1, 51);
        rate.target_quality_fraction = 0;
        rate.flags |= RateControl::ADAPTIVE | RateControl::NO_SCENE_CUTS;
        rate.flags &= !RateControl::LOOKAHEAD;
        rate.lookahead_depth = 0;
    }

    fn describe(&self, vui: &mut Vui, time_scale: u32) {
        vui.signal_present = 1;
        vui.video_format = UNSPECIFIED_FORMAT;
        vui.full_range = 0;
        vui.colours_present = 1;
        vui.primaries = BT709;
        vui.transfer = BT709;
        vui.matrix = BT709;
        // Lets decoders show frames at once: it says that none are reordered.
        vui.restriction_present = 1;
        vui.timing_present = 1;
        vui.units_in_tick = 1;
        vui.time_scale = time_scale;
    }

    pub(crate) fn frame_bytes(&self) -> usize {
        self.width as usize * self.height as usize * 3 / 2
    }
}
