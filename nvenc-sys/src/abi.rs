//! Types and constants of the NVENC and CUDA driver interfaces, as far as sessions need them.

use std::ffi::{c_char, c_int, c_void};

/// Interface version these bindings speak: 12.0, accepted by every driver since 525.
pub const API_MAJOR: u32 = 12;
/// Minor part of the interface version.
pub const API_MINOR: u32 = 0;
/// The version word that every call carries.
pub const API_VERSION: u32 = API_MAJOR | (API_MINOR << 24);

/// The version word of a structure: revision and interface together.
pub const fn struct_version(revision: u32) -> u32 {
    API_VERSION | (revision << 16) | (0x7 << 28)
}

/// Version word of [`FunctionList`].
pub const FUNCTION_LIST_VERSION: u32 = struct_version(2);
/// Version word of [`OpenSessionParams`].
pub const OPEN_SESSION_VERSION: u32 = struct_version(1);
/// `deviceType` of a CUDA context.
pub const DEVICE_TYPE_CUDA: u32 = 1;

/// What an NVENC call returns; zero is success.
pub type Status = c_int;
/// Success of NVENC and of CUDA calls.
pub const SUCCESS: c_int = 0;

/// Opens an encode session on a device.
pub type OpenSessionFn =
    unsafe extern "C" fn(params: *mut OpenSessionParams, encoder: *mut *mut c_void) -> Status;
/// Ends an encode session.
pub type DestroyEncoderFn = unsafe extern "C" fn(encoder: *mut c_void) -> Status;
/// Describes the last failure of a session.
pub type LastErrorFn = unsafe extern "C" fn(encoder: *mut c_void) -> *const c_char;
/// `NvEncodeAPIGetMaxSupportedVersion`.
pub type MaxSupportedVersionFn = unsafe extern "C" fn(version: *mut u32) -> Status;
/// `NvEncodeAPICreateInstance`.
pub type CreateInstanceFn = unsafe extern "C" fn(list: *mut FunctionList) -> Status;

/// `cuInit`.
pub type CuInitFn = unsafe extern "C" fn(flags: u32) -> c_int;
/// `cuDeviceGet`.
pub type CuDeviceGetFn = unsafe extern "C" fn(device: *mut c_int, ordinal: c_int) -> c_int;
/// `cuDeviceGetName`.
pub type CuDeviceNameFn =
    unsafe extern "C" fn(name: *mut c_char, length: c_int, device: c_int) -> c_int;
/// `cuCtxCreate_v2`.
pub type CuCtxCreateFn =
    unsafe extern "C" fn(context: *mut *mut c_void, flags: u32, device: c_int) -> c_int;
/// `cuCtxDestroy_v2`.
pub type CuCtxDestroyFn = unsafe extern "C" fn(context: *mut c_void) -> c_int;

/// `NV_ENC_OPEN_ENCODE_SESSION_EX_PARAMS`.
#[repr(C)]
pub struct OpenSessionParams {
    /// [`OPEN_SESSION_VERSION`].
    pub version: u32,
    /// Kind of `device`.
    pub device_type: u32,
    /// The CUDA context.
    pub device: *mut c_void,
    /// Must be null.
    pub reserved: *mut c_void,
    /// [`API_VERSION`].
    pub api_version: u32,
    /// Must be zero.
    pub reserved1: [u32; 253],
    /// Must be null.
    pub reserved2: [*mut c_void; 64],
}

/// `NV_ENCODE_API_FUNCTION_LIST`: the driver fills in its entry points. Those not called yet are
/// kept as untyped slots so that the layout stays whole.
#[repr(C)]
pub struct FunctionList {
    /// [`FUNCTION_LIST_VERSION`].
    pub version: u32,
    /// Must be zero.
    pub reserved: u32,
    /// `nvEncOpenEncodeSession` to `nvEncUnmapInputResource`.
    pub first_slots: [*mut c_void; 27],
    /// `nvEncDestroyEncoder`.
    pub destroy_encoder: Option<DestroyEncoderFn>,
    /// `nvEncInvalidateRefFrames`.
    pub invalidate_ref_frames: *mut c_void,
    /// `nvEncOpenEncodeSessionEx`.
    pub open_session_ex: Option<OpenSessionFn>,
    /// `nvEncRegisterResource` to `nvEncRunMotionEstimationOnly`.
    pub middle_slots: [*mut c_void; 7],
    /// `nvEncGetLastErrorString`.
    pub last_error: Option<LastErrorFn>,
    /// `nvEncSetIOCudaStreams` and all after it, reserved ones included.
    pub last_slots: [*mut c_void; 280],
}

impl FunctionList {
    /// A list that asks the driver for this interface version.
    pub const fn empty() -> Self {
        Self {
            version: FUNCTION_LIST_VERSION,
            reserved: 0,
            first_slots: [std::ptr::null_mut(); 27],
            destroy_encoder: None,
            invalidate_ref_frames: std::ptr::null_mut(),
            open_session_ex: None,
            middle_slots: [std::ptr::null_mut(); 7],
            last_error: None,
            last_slots: [std::ptr::null_mut(); 280],
        }
    }
}

#[cfg(test)]
#[cfg(target_pointer_width = "64")]
mod tests {
    use std::mem::{offset_of, size_of};

    use super::*;

    #[test]
    fn layouts_are_those_of_the_c_header() {
        assert_eq!(offset_of!(FunctionList, destroy_encoder), 8 + 27 * 8);
        assert_eq!(offset_of!(FunctionList, open_session_ex), 8 + 29 * 8);
        assert_eq!(offset_of!(FunctionList, last_error), 304);
        assert_eq!(size_of::<FunctionList>(), 2552);
        assert_eq!(offset_of!(OpenSessionParams, api_version), 24);
        assert_eq!(size_of::<OpenSessionParams>(), 24 + 4 * 254 + 8 * 64);
    }

    #[test]
    fn version_words_are_those_of_the_c_header() {
        assert_eq!(API_VERSION, 0x0000_000c);
        assert_eq!(FUNCTION_LIST_VERSION, 0x7002_000c);
    }
}
