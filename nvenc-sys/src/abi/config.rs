//! How a stream is encoded: rate control, codec, headers.

use std::ffi::c_void;

use super::{Guid, Plain, grown_version, struct_version};

/// Variable rate, aimed at a quality.
pub(crate) const RATE_VARIABLE: u32 = 1;
/// `tuningInfo`: latency does not matter.
pub(crate) const TUNING_HIGH_QUALITY: u32 = 1;
/// `frameFieldMode`: whole frames.
pub(crate) const FRAMES: u32 = 1;
/// `entropyCodingMode` of H.264.
pub(crate) const CABAC: u32 = 1;

/// `NV_ENC_QP`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Quantizers {
    inter_p: u32,
    inter_b: u32,
    intra: u32,
}

/// `NV_ENC_RC_PARAMS`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct RateControl {
    pub(crate) version: u32,
    pub(crate) mode: u32,
    constant: Quantizers,
    pub(crate) average_bit_rate: u32,
    pub(crate) max_bit_rate: u32,
    pub(crate) buffer_bits: u32,
    pub(crate) initial_delay_bits: u32,
    pub(crate) flags: u32,
    lowest: Quantizers,
    highest: Quantizers,
    initial: Quantizers,
    temporal_layer_mask: u32,
    temporal_layer_quantizers: [u8; 8],
    pub(crate) target_quality: u8,
    pub(crate) target_quality_fraction: u8,
    pub(crate) lookahead_depth: u16,
    low_delay_key_frame_scale: u8,
    dc_offsets: [i8; 3],
    map_mode: u32,
    pub(crate) multi_pass: u32,
    alpha_rate_ratio: u32,
    chroma_offsets: [i8; 2],
    reserved2: u16,
    reserved: [u32; 4],
}

impl RateControl {
    /// Spatial adaptive quantization.
    pub(crate) const ADAPTIVE: u32 = 1 << 3;
    /// Looking at later frames.
    pub(crate) const LOOKAHEAD: u32 = 1 << 5;
    /// No keyframes at scene cuts.
    pub(crate) const NO_SCENE_CUTS: u32 = 1 << 6;
}

/// `NV_ENC_CONFIG_H264_VUI_PARAMETERS`, the same for HEVC.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Vui {
    overscan_present: u32,
    overscan: u32,
    pub(crate) signal_present: u32,
    pub(crate) video_format: u32,
    pub(crate) full_range: u32,
    pub(crate) colours_present: u32,
    pub(crate) primaries: u32,
    pub(crate) transfer: u32,
    pub(crate) matrix: u32,
    chroma_location: [u32; 3],
    pub(crate) restriction_present: u32,
    pub(crate) timing_present: u32,
    pub(crate) units_in_tick: u32,
    pub(crate) time_scale: u32,
    reserved: [u32; 12],
}

/// `NV_ENC_CONFIG_H264`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct H264Config {
    pub(crate) flags: u32,
    level: u32,
    pub(crate) idr_period: u32,
    separate_planes: u32,
    deblocking: u32,
    temporal_layers: u32,
    sps_id: u32,
    pps_id: u32,
    adaptive_transform: u32,
    fmo: u32,
    direct: u32,
    pub(crate) entropy_coding: u32,
    stereo: u32,
    intra_refresh_period: u32,
    intra_refresh_count: u32,
    max_references: u32,
    slice_mode: u32,
    slice_mode_data: u32,
    pub(crate) vui: Vui,
    long_term_frames: u32,
    long_term_trust: u32,
    pub(crate) chroma_format: u32,
    max_temporal_layers: u32,
    b_frames_as_references: u32,
    references: [u32; 2],
    reserved1: [u32; 267],
    reserved2: [*mut c_void; 64],
}

impl H264Config {
    pub(crate) const NO_HEADERS: u32 = 1 << 7;
    pub(crate) const REPEAT_HEADERS: u32 = 1 << 12;
}

/// `NV_ENC_CONFIG_HEVC`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct HevcConfig {
    level: u32,
    tier: u32,
    unit_sizes: [u32; 2],
    pub(crate) flags: u32,
    pub(crate) idr_period: u32,
    intra_refresh_period: u32,
    intra_refresh_count: u32,
    max_references: u32,
    long_term_frames: u32,
    vps_id: u32,
    sps_id: u32,
    pps_id: u32,
    slice_mode: u32,
    slice_mode_data: u32,
    max_temporal_layers: u32,
    pub(crate) vui: Vui,
    long_term_trust: u32,
    b_frames_as_references: u32,
    references: [u32; 2],
    reserved1: [u32; 214],
    reserved2: [*mut c_void; 64],
}

impl HevcConfig {
    pub(crate) const NO_HEADERS: u32 = 1 << 6;
    pub(crate) const REPEAT_HEADERS: u32 = 1 << 7;
    /// The field of the chroma format: 1 is 4:2:0.
    pub(crate) const CHROMA_FORMAT: u32 = 3 << 9;
    pub(crate) const CHROMA_420: u32 = 1 << 9;
    /// The field of the bits beyond eight.
    pub(crate) const BIT_DEPTH: u32 = 7 << 11;
}

/// `NV_ENC_CODEC_CONFIG`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) union CodecConfig {
    pub(crate) h264: H264Config,
    pub(crate) hevc: HevcConfig,
    reserved: [u32; 320],
}

/// `NV_ENC_CONFIG`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Config {
    pub(crate) version: u32,
    pub(crate) profile: Guid,
    pub(crate) gop_length: u32,
    pub(crate) p_interval: i32,
    pub(crate) monochrome: u32,
    pub(crate) frame_field_mode: u32,
    vector_precision: u32,
    pub(crate) rate: RateControl,
    pub(crate) codec: CodecConfig,
    reserved: [u32; 278],
    reserved2: [*mut c_void; 64],
}

pub(crate) const CONFIG_VERSION: u32 = grown_version(8);
pub(crate) const RATE_CONTROL_VERSION: u32 = struct_version(1);

/// `NV_ENC_PRESET_CONFIG`.
#[repr(C)]
pub(crate) struct PresetConfig {
    pub(crate) version: u32,
    pub(crate) config: Config,
    reserved1: [u32; 255],
    reserved2: [*mut c_void; 64],
}

// SAFETY: numbers and pointers.
unsafe impl Plain for PresetConfig {}

pub(crate) const PRESET_CONFIG_VERSION: u32 = grown_version(4);

/// `NV_ENC_INITIALIZE_PARAMS`.
#[repr(C)]
pub(crate) struct InitializeParams {
    pub(crate) version: u32,
    pub(crate) codec: Guid,
    pub(crate) preset: Guid,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) aspect_width: u32,
    pub(crate) aspect_height: u32,
    pub(crate) rate_numerator: u32,
    pub(crate) rate_denominator: u32,
    asynchronous: u32,
    /// Whether the encoder decides on the types of pictures.
    pub(crate) decides_types: u32,
    flags: u32,
    private_bytes: u32,
    private: *mut c_void,
    pub(crate) config: *mut Config,
    max_size: [u32; 2],
    motion_hints: [[u32; 4]; 2],
    pub(crate) tuning: u32,
    buffer_format: u32,
    state_buffers: u32,
    statistics_level: u32,
    reserved: [u32; 285],
    reserved2: [*mut c_void; 64],
}

// SAFETY: numbers and pointers.
unsafe impl Plain for InitializeParams {}

pub(crate) const INITIALIZE_VERSION: u32 = grown_version(6);

#[cfg(target_pointer_width = "64")]
const _: () = {
    use std::mem::{offset_of, size_of};
    assert!(size_of::<RateControl>() == 128);
    assert!(offset_of!(RateControl, flags) == 36);
    assert!(offset_of!(RateControl, target_quality) == 88);
    assert!(offset_of!(RateControl, lookahead_depth) == 90);
    assert!(offset_of!(RateControl, multi_pass) == 100);
    assert!(size_of::<Vui>() == 112);
    assert!(offset_of!(Vui, restriction_present) == 48);
    assert!(size_of::<H264Config>() == 1792);
    assert!(offset_of!(H264Config, entropy_coding) == 44);
    assert!(offset_of!(H264Config, vui) == 72);
    assert!(offset_of!(H264Config, chroma_format) == 192);
    assert!(size_of::<HevcConfig>() == 1560);
    assert!(offset_of!(HevcConfig, flags) == 16);
    assert!(offset_of!(HevcConfig, vui) == 64);
    assert!(size_of::<CodecConfig>() == 1792);
    assert!(size_of::<Config>() == 3584);
    assert!(offset_of!(Config, rate) == 40);
    assert!(offset_of!(Config, codec) == 168);
    assert!(size_of::<PresetConfig>() == 5128);
    assert!(offset_of!(PresetConfig, config) == 8);
    assert!(size_of::<InitializeParams>() == 1808);
    assert!(offset_of!(InitializeParams, config) == 88);
    assert!(offset_of!(InitializeParams, tuning) == 136);
};
