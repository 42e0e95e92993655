//! The CUDA driver's interface, as far as frames need it.

use std::ffi::{c_char, c_int, c_void};

use super::Plain;

/// `CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD`.
pub(crate) const HANDLE_OPAQUE_FD: u32 = 1;
/// `CUDA_EXTERNAL_MEMORY_DEDICATED`: one allocation for one resource.
pub(crate) const DEDICATED: u32 = 1;

pub(crate) type CuInitFn = unsafe extern "C" fn(flags: u32) -> c_int;
pub(crate) type CuDeviceCountFn = unsafe extern "C" fn(count: *mut c_int) -> c_int;
pub(crate) type CuDeviceGetFn = unsafe extern "C" fn(device: *mut c_int, ordinal: c_int) -> c_int;
pub(crate) type CuDeviceNameFn =
    unsafe extern "C" fn(name: *mut c_char, length: c_int, device: c_int) -> c_int;
pub(crate) type CuDeviceUuidFn = unsafe extern "C" fn(uuid: *mut [u8; 16], device: c_int) -> c_int;
pub(crate) type CuRetainFn =
    unsafe extern "C" fn(context: *mut *mut c_void, device: c_int) -> c_int;
pub(crate) type CuReleaseFn = unsafe extern "C" fn(device: c_int) -> c_int;
pub(crate) type CuPushFn = unsafe extern "C" fn(context: *mut c_void) -> c_int;
pub(crate) type CuPopFn = unsafe extern "C" fn(context: *mut *mut c_void) -> c_int;
pub(crate) type CuErrorTextFn =
    unsafe extern "C" fn(status: c_int, text: *mut *const c_char) -> c_int;
pub(crate) type CuImportFn =
    unsafe extern "C" fn(memory: *mut *mut c_void, handle: *const ExternalMemory) -> c_int;
pub(crate) type CuMappedBufferFn = unsafe extern "C" fn(
    pointer: *mut u64,
    memory: *mut c_void,
    range: *const ExternalBuffer,
) -> c_int;
pub(crate) type CuDestroyMemoryFn = unsafe extern "C" fn(memory: *mut c_void) -> c_int;
pub(crate) type CuFreeFn = unsafe extern "C" fn(pointer: u64) -> c_int;
pub(crate) type CuCopyToHostFn =
    unsafe extern "C" fn(host: *mut c_void, pointer: u64, bytes: usize) -> c_int;

/// `CUDA_EXTERNAL_MEMORY_HANDLE_DESC`.
#[repr(C)]
pub(crate) struct ExternalMemory {
    pub(crate) kind: u32,
    /// A union of 16 bytes, of which a file descriptor takes the first four.
    pub(crate) fd: FdHandle,
    pub(crate) bytes: u64,
    pub(crate) flags: u32,
    reserved: [u32; 16],
}

#[repr(C, align(8))]
pub(crate) struct FdHandle {
    pub(crate) fd: c_int,
    rest: [u32; 3],
}

/// `CUDA_EXTERNAL_MEMORY_BUFFER_DESC`.
#[repr(C)]
pub(crate) struct ExternalBuffer {
    pub(crate) offset: u64,
    pub(crate) bytes: u64,
    flags: u32,
    reserved: [u32; 16],
}

// SAFETY: numbers.
unsafe impl Plain for ExternalMemory {}
// SAFETY: numbers.
unsafe impl Plain for ExternalBuffer {}

#[cfg(target_pointer_width = "64")]
const _: () = {
    use std::mem::{offset_of, size_of};
    assert!(size_of::<ExternalMemory>() == 104);
    assert!(offset_of!(ExternalMemory, fd) == 8);
    assert!(offset_of!(ExternalMemory, bytes) == 24);
    assert!(offset_of!(ExternalMemory, flags) == 32);
    assert!(size_of::<ExternalBuffer>() == 88);
};
