//! What calls of a session carry.

use std::ffi::c_void;

use super::{Plain, grown_version, struct_version};

/// `deviceType` of a CUDA context.
pub(crate) const DEVICE_TYPE_CUDA: u32 = 1;
/// `NV_ENC_BUFFER_FORMAT_NV12`.
pub(crate) const FORMAT_NV12: u32 = 1;
/// `NV_ENC_INPUT_RESOURCE_TYPE_CUDADEVICEPTR`.
pub(crate) const RESOURCE_CUDA_POINTER: u32 = 1;
/// `NV_ENC_PIC_STRUCT_FRAME`.
pub(crate) const WHOLE_FRAME: u32 = 1;
/// `NV_ENC_PIC_FLAG_EOS`.
pub(crate) const FLAG_END: u32 = 8;
/// `NV_ENC_PIC_TYPE_IDR`.
pub(crate) const PICTURE_IDR: u32 = 3;

/// `NV_ENC_OPEN_ENCODE_SESSION_EX_PARAMS`.
#[repr(C)]
pub(crate) struct OpenSessionParams {
    pub(crate) version: u32,
    pub(crate) device_type: u32,
    pub(crate) device: *mut c_void,
    reserved: *mut c_void,
    pub(crate) api_version: u32,
    reserved1: [u32; 253],
    reserved2: [*mut c_void; 64],
}
pub(crate) const OPEN_SESSION_VERSION: u32 = struct_version(1);

/// `NV_ENC_CREATE_INPUT_BUFFER`.
#[repr(C)]
pub(crate) struct CreateInput {
    pub(crate) version: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
    memory_heap: u32,
    pub(crate) format: u32,
    reserved: u32,
    pub(crate) buffer: *mut c_void,
    system_memory: *mut c_void,
    reserved1: [u32; 57],
    reserved2: [*mut c_void; 63],
}
pub(crate) const CREATE_INPUT_VERSION: u32 = struct_version(1);

/// `NV_ENC_CREATE_BITSTREAM_BUFFER`.
#[repr(C)]
pub(crate) struct CreateBitstream {
    pub(crate) version: u32,
    bytes: u32,
    memory_heap: u32,
    reserved: u32,
    pub(crate) buffer: *mut c_void,
    pointer: *mut c_void,
    reserved1: [u32; 58],
    reserved2: [*mut c_void; 64],
}
pub(crate) const CREATE_BITSTREAM_VERSION: u32 = struct_version(1);

/// `NV_ENC_LOCK_INPUT_BUFFER`.
#[repr(C)]
pub(crate) struct LockInput {
    pub(crate) version: u32,
    flags: u32,
    pub(crate) buffer: *mut c_void,
    pub(crate) pointer: *mut c_void,
    pub(crate) pitch: u32,
    reserved1: [u32; 251],
    reserved2: [*mut c_void; 64],
}
pub(crate) const LOCK_INPUT_VERSION: u32 = struct_version(1);

/// `NV_ENC_REGISTER_RESOURCE`.
#[repr(C)]
pub(crate) struct RegisterResource {
    pub(crate) version: u32,
    pub(crate) kind: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) pitch: u32,
    sub_resource: u32,
    pub(crate) resource: *mut c_void,
    pub(crate) registered: *mut c_void,
    pub(crate) format: u32,
    /// Zero is an input picture.
    usage: u32,
    fence: *mut c_void,
    chroma_offsets: [u32; 2],
    reserved1: [u32; 245],
    reserved2: [*mut c_void; 61],
}
pub(crate) const REGISTER_VERSION: u32 = struct_version(4);

/// `NV_ENC_MAP_INPUT_RESOURCE`.
#[repr(C)]
pub(crate) struct MapInput {
    pub(crate) version: u32,
    sub_resource: u32,
    deprecated: *mut c_void,
    pub(crate) registered: *mut c_void,
    pub(crate) mapped: *mut c_void,
    pub(crate) format: u32,
    reserved1: [u32; 251],
    reserved2: [*mut c_void; 63],
}
pub(crate) const MAP_INPUT_VERSION: u32 = struct_version(4);

/// `NV_ENC_PIC_PARAMS`. What is said of a picture beyond its memory and time is never used, and kept
/// as words.
#[repr(C)]
pub(crate) struct PictureParams {
    pub(crate) version: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) pitch: u32,
    pub(crate) flags: u32,
    pub(crate) frame_index: u32,
    pub(crate) timestamp: u64,
    pub(crate) duration: u64,
    pub(crate) input: *mut c_void,
    pub(crate) output: *mut c_void,
    event: *mut c_void,
    pub(crate) format: u32,
    pub(crate) structure: u32,
    picture_type: u32,
    codec_params: [u64; 194],
    motion_hint_counts: [[u32; 4]; 2],
    motion_hints: *mut c_void,
    reserved1: [u32; 6],
    reserved2: [*mut c_void; 2],
    quantizer_map: *mut c_void,
    quantizer_map_bytes: u32,
    reserved_bits: u32,
    motion_hint_distances: [u16; 2],
    alpha: *mut c_void,
    block_hints: *mut c_void,
    block_hint_count: u32,
    state_buffer: u32,
    reconstruction: *mut c_void,
    reserved3: [u32; 284],
    reserved4: [*mut c_void; 57],
}
pub(crate) const PICTURE_VERSION: u32 = grown_version(6);

/// `NV_ENC_LOCK_BITSTREAM`.
#[repr(C)]
pub(crate) struct LockBitstream {
    pub(crate) version: u32,
    flags: u32,
    pub(crate) buffer: *mut c_void,
    slice_offsets: *mut u32,
    frame_index: u32,
    hardware_status: u32,
    slices: u32,
    pub(crate) bytes: u32,
    pub(crate) timestamp: u64,
    duration: u64,
    pub(crate) pointer: *mut c_void,
    pub(crate) picture_type: u32,
    picture_structure: u32,
    statistics: [u32; 11],
    statistics_pointer: *mut c_void,
    display_index: u32,
    reserved1: [u32; 220],
    reserved2: [*mut c_void; 63],
    reserved_internal: [u32; 8],
}
pub(crate) const LOCK_BITSTREAM_VERSION: u32 = grown_version(1);

/// `NV_ENC_SEQUENCE_PARAM_PAYLOAD`.
#[repr(C)]
pub(crate) struct SequenceParams {
    pub(crate) version: u32,
    pub(crate) room: u32,
    sps_id: u32,
    pps_id: u32,
    pub(crate) buffer: *mut c_void,
    pub(crate) bytes: *mut u32,
    reserved: [u32; 250],
    reserved2: [*mut c_void; 64],
}
pub(crate) const SEQUENCE_VERSION: u32 = struct_version(1);

macro_rules! plain {
    ($($name:ident),*) => {
        $(
            // SAFETY: numbers and pointers.
            unsafe impl Plain for $name {}
        )*
    };
}
plain!(
    OpenSessionParams,
    CreateInput,
    CreateBitstream,
    LockInput,
    RegisterResource,
    MapInput,
    PictureParams,
    LockBitstream,
    SequenceParams
);

#[cfg(target_pointer_width = "64")]
const _: () = {
    use std::mem::{offset_of, size_of};
    assert!(size_of::<OpenSessionParams>() == 1552);
    assert!(offset_of!(OpenSessionParams, api_version) == 24);
    assert!(size_of::<CreateInput>() == 776);
    assert!(offset_of!(CreateInput, buffer) == 24);
    assert!(size_of::<CreateBitstream>() == 776);
    assert!(offset_of!(CreateBitstream, buffer) == 16);
    assert!(size_of::<LockInput>() == 1544);
    assert!(offset_of!(LockInput, pitch) == 24);
    assert!(size_of::<RegisterResource>() == 1536);
    assert!(offset_of!(RegisterResource, resource) == 24);
    assert!(offset_of!(RegisterResource, format) == 40);
    assert!(size_of::<MapInput>() == 1544);
    assert!(offset_of!(MapInput, mapped) == 24);
    assert!(size_of::<PictureParams>() == 3360);
    assert!(offset_of!(PictureParams, timestamp) == 24);
    assert!(offset_of!(PictureParams, format) == 64);
    assert!(offset_of!(PictureParams, codec_params) == 80);
    assert!(offset_of!(PictureParams, motion_hint_counts) == 1632);
    assert!(offset_of!(PictureParams, alpha) == 1736);
    assert!(offset_of!(PictureParams, reconstruction) == 1760);
    assert!(size_of::<LockBitstream>() == 1552);
    assert!(offset_of!(LockBitstream, bytes) == 36);
    assert!(offset_of!(LockBitstream, pointer) == 56);
    assert!(offset_of!(LockBitstream, statistics_pointer) == 120);
    assert!(size_of::<SequenceParams>() == 1544);
    assert!(offset_of!(SequenceParams, bytes) == 24);
};
