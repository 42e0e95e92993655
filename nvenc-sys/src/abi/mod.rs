//! The C interface of NVENC 12.0 and of the CUDA driver, as far as encoding needs it.
//!
//! Layouts are those of the public header; every one is asserted when this crate is built.

mod calls;
mod config;
mod cuda;

pub(crate) use calls::*;
pub(crate) use config::*;
pub(crate) use cuda::*;

use std::ffi::{c_char, c_int, c_void};

/// Interface version these bindings speak: 12.0, accepted by every driver since 525.
pub(crate) const API_MAJOR: u32 = 12;
/// Minor part of the interface version.
pub(crate) const API_MINOR: u32 = 0;
/// The version word that every call carries.
pub(crate) const API_VERSION: u32 = API_MAJOR | (API_MINOR << 24);

/// The version word of a structure: revision and interface together.
const fn struct_version(revision: u32) -> u32 {
    API_VERSION | (revision << 16) | (0x7 << 28)
}

/// The version word of a structure that grew in the life of the interface.
const fn grown_version(revision: u32) -> u32 {
    struct_version(revision) | (1 << 31)
}

/// What an NVENC call returns.
pub(crate) type Status = c_int;
/// Success of NVENC and of CUDA calls.
pub(crate) const SUCCESS: c_int = 0;
/// The encoder keeps the picture and has nothing to give yet.
pub(crate) const NEED_MORE_INPUT: Status = 17;
/// The hardware is busy; to be tried again.
pub(crate) const ENCODER_BUSY: Status = 18;

/// NVENC's statuses, in order from zero, in words.
pub(crate) const STATUS_NAMES: [&str; 27] = [
    "success",
    "no encode device",
    "unsupported device",
    "invalid encoder device",
    "invalid device",
    "device does not exist",
    "invalid pointer",
    "invalid event",
    "invalid parameter",
    "invalid call",
    "out of memory",
    "encoder not initialised",
    "unsupported parameter",
    "lock busy",
    "not enough buffer",
    "invalid version",
    "mapping failed",
    "need more input",
    "encoder busy",
    "event not registered",
    "generic error",
    "incompatible client key",
    "not implemented",
    "resource registration failed",
    "resource not registered",
    "resource not mapped",
    "need more output",
];

/// A structure of numbers and pointers alone, for which all bits zero is a value.
///
/// # Safety
///
/// All bits zero must be a valid value.
pub(crate) unsafe trait Plain: Sized {
    /// All bits zero.
    fn zeroed() -> Self {
        // SAFETY: implementors promise that this is a value.
        unsafe { std::mem::zeroed() }
    }
}

/// Names a codec, a profile or a preset.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Guid(u32, u16, u16, [u8; 8]);

macro_rules! guid {
    ($name:ident, $a:literal, $b:literal, $c:literal, $d:expr) => {
        pub(crate) const $name: Guid = Guid($a, $b, $c, $d);
    };
}

guid!(
    CODEC_H264,
    0x6bc8_2762,
    0x4e63,
    0x4ca4,
    0xaa85_1e50_f321_f6bf_u64.to_be_bytes()
);
guid!(
    CODEC_HEVC,
    0x790c_dc88,
    0x4522,
    0x4d7b,
    0x9425_bda9_975f_7603_u64.to_be_bytes()
);
guid!(
    H264_HIGH,
    0xe7cb_c309,
    0x4f7a,
    0x4b89,
    0xaf2a_d537_c92b_e310_u64.to_be_bytes()
);
guid!(
    HEVC_MAIN,
    0xb514_c39a,
    0xb55b,
    0x40fa,
    0x878f_f125_3b4d_fdec_u64.to_be_bytes()
);
guid!(
    PRESET_P4,
    0x90a7_b826,
    0xdf06,
    0x4862,
    0xb9d2_cd6d_73a0_8681_u64.to_be_bytes()
);

type Encoder = *mut c_void;

/// `NvEncodeAPIGetMaxSupportedVersion`.
pub(crate) type MaxSupportedVersionFn = unsafe extern "C" fn(version: *mut u32) -> Status;
/// `NvEncodeAPICreateInstance`.
pub(crate) type CreateInstanceFn = unsafe extern "C" fn(list: *mut FunctionList) -> Status;
pub(crate) type OpenSessionFn =
    unsafe extern "C" fn(params: *mut OpenSessionParams, encoder: *mut Encoder) -> Status;
pub(crate) type CountFn = unsafe extern "C" fn(Encoder, count: *mut u32) -> Status;
pub(crate) type GuidsFn =
    unsafe extern "C" fn(Encoder, guids: *mut Guid, room: u32, count: *mut u32) -> Status;
pub(crate) type PresetConfigFn = unsafe extern "C" fn(
    Encoder,
    codec: Guid,
    preset: Guid,
    tuning: u32,
    config: *mut PresetConfig,
) -> Status;
/// A call with one structure.
pub(crate) type With<T> = unsafe extern "C" fn(Encoder, params: *mut T) -> Status;
/// A call with a handle that an earlier call gave.
pub(crate) type HandleFn = unsafe extern "C" fn(Encoder, handle: *mut c_void) -> Status;
pub(crate) type DestroyEncoderFn = unsafe extern "C" fn(Encoder) -> Status;
pub(crate) type LastErrorFn = unsafe extern "C" fn(Encoder) -> *const c_char;

/// `NV_ENCODE_API_FUNCTION_LIST`: the driver fills in its entry points. Those that are never called
/// are untyped slots, so that the layout stays whole.
#[repr(C)]
pub(crate) struct FunctionList {
    pub(crate) version: u32,
    reserved: u32,
    open_session: *mut c_void,
    pub(crate) guid_count: Option<CountFn>,
    profiles: [*mut c_void; 2],
    pub(crate) guids: Option<GuidsFn>,
    formats_caps_and_presets: [*mut c_void; 6],
    pub(crate) initialize: Option<With<InitializeParams>>,
    pub(crate) create_input: Option<With<CreateInput>>,
    pub(crate) destroy_input: Option<HandleFn>,
    pub(crate) create_bitstream: Option<With<CreateBitstream>>,
    pub(crate) destroy_bitstream: Option<HandleFn>,
    pub(crate) encode_picture: Option<With<PictureParams>>,
    pub(crate) lock_bitstream: Option<With<LockBitstream>>,
    pub(crate) unlock_bitstream: Option<HandleFn>,
    pub(crate) lock_input: Option<With<LockInput>>,
    pub(crate) unlock_input: Option<HandleFn>,
    statistics: *mut c_void,
    pub(crate) sequence_params: Option<With<SequenceParams>>,
    events: [*mut c_void; 2],
    pub(crate) map_input: Option<With<MapInput>>,
    pub(crate) unmap_input: Option<HandleFn>,
    pub(crate) destroy_encoder: Option<DestroyEncoderFn>,
    invalidate_references: *mut c_void,
    pub(crate) open_session_ex: Option<OpenSessionFn>,
    pub(crate) register: Option<With<RegisterResource>>,
    pub(crate) unregister: Option<HandleFn>,
    reconfiguration_and_motion: [*mut c_void; 5],
    pub(crate) last_error: Option<LastErrorFn>,
    cuda_streams: *mut c_void,
    pub(crate) preset_config_ex: Option<PresetConfigFn>,
    last: [*mut c_void; 278],
}

// SAFETY: numbers, pointers and optional functions.
unsafe impl Plain for FunctionList {}

/// Version word of [`FunctionList`].
pub(crate) const FUNCTION_LIST_VERSION: u32 = struct_version(2);

#[cfg(target_pointer_width = "64")]
const _: () = {
    use std::mem::{offset_of, size_of};
    const fn slot(index: usize) -> usize {
        8 + 8 * index
    }
    assert!(size_of::<Guid>() == 16);
    assert!(size_of::<FunctionList>() == 2552);
    assert!(offset_of!(FunctionList, guid_count) == slot(1));
    assert!(offset_of!(FunctionList, guids) == slot(4));
    assert!(offset_of!(FunctionList, initialize) == slot(11));
    assert!(offset_of!(FunctionList, create_bitstream) == slot(14));
    assert!(offset_of!(FunctionList, encode_picture) == slot(16));
    assert!(offset_of!(FunctionList, lock_input) == slot(19));
    assert!(offset_of!(FunctionList, sequence_params) == slot(22));
    assert!(offset_of!(FunctionList, map_input) == slot(25));
    assert!(offset_of!(FunctionList, destroy_encoder) == slot(27));
    assert!(offset_of!(FunctionList, open_session_ex) == slot(29));
    assert!(offset_of!(FunctionList, register) == slot(30));
    assert!(offset_of!(FunctionList, last_error) == slot(37));
    assert!(offset_of!(FunctionList, preset_config_ex) == slot(39));
    assert!(API_VERSION == 0x0000_000c);
    assert!(FUNCTION_LIST_VERSION == 0x7002_000c);
    assert!(grown_version(6) == 0xf006_000c);
};
