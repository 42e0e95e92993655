//! What the driver's management library knows of a GPU.

use std::ffi::{CString, c_char, c_int, c_void};
use std::fmt::Write;
use std::ptr;

use crate::abi;
use crate::error::LoadError;
use crate::library::{Libraries, name_of, open, symbol};

type InitFn = unsafe extern "C" fn() -> c_int;
type HandleByUuidFn = unsafe extern "C" fn(*const c_char, *mut *mut c_void) -> c_int;
type MemoryInfoFn = unsafe extern "C" fn(*mut c_void, *mut MemoryInfo) -> c_int;

/// As the driver writes it.
#[repr(C)]
#[derive(Default)]
struct MemoryInfo {
    total: u64,
    free: u64,
    used: u64,
}

/// Memory of a GPU in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// What is taken, by whomever.
    pub used: u64,
    /// What there is.
    pub total: u64,
}

/// One GPU, as the management library knows it.
pub struct Nvml {
    memory_info: MemoryInfoFn,
    shutdown: InitFn,
    device: *mut c_void,
    // Dropped last: everything above points into it.
    _library: libloading::Library,
}

// SAFETY: the library may be called from any thread; the handle is never changed.
unsafe impl Send for Nvml {}
// SAFETY: as above.
unsafe impl Sync for Nvml {}

impl Nvml {
    /// Opens the driver's library and finds the GPU of the given identity.
    pub fn open(libraries: &Libraries, uuid: [u8; 16]) -> Result<Self, LoadError> {
        let library = open(&libraries.management)?;
        let name = name_of(&libraries.management);
        let init: InitFn = symbol(&library, &name, "nvmlInit_v2")?;
        let handle_by_uuid: HandleByUuidFn = symbol(&library, &name, "nvmlDeviceGetHandleByUUID")?;
        let memory_info = symbol(&library, &name, "nvmlDeviceGetMemoryInfo")?;
        let shutdown = symbol(&library, &name, "nvmlShutdown")?;
        // SAFETY: the library asks for this call before all others.
        check("nvmlInit_v2", unsafe { init() })?;
        // From here on, dropping it shuts the library down.
        let mut nvml = Self {
            memory_info,
            shutdown,
            device: ptr::null_mut(),
            _library: library,
        };
        let uuid = CString::new(text(uuid)).unwrap_or_default();
        // SAFETY: the text ends with zero and both pointers outlive the call.
        let status = unsafe { handle_by_uuid(uuid.as_ptr(), &raw mut nvml.device) };
        check("nvmlDeviceGetHandleByUUID", status)?;
        Ok(nvml)
    }

    /// How much memory is taken now.
    pub fn memory(&self) -> Result<Memory, LoadError> {
        let mut info = MemoryInfo::default();
        // SAFETY: the handle is the library's own; it writes three words.
        let status = unsafe { (self.memory_info)(self.device, &raw mut info) };
        check("nvmlDeviceGetMemoryInfo", status)?;
        Ok(Memory {
            used: info.used,
            total: info.total,
        })
    }
}

impl Drop for Nvml {
    fn drop(&mut self) {
        // SAFETY: it was initialised, and every open is counted.
        unsafe { (self.shutdown)() };
    }
}

/// As the library writes identities: `GPU-` and five groups of hexadecimal digits.
fn text(uuid: [u8; 16]) -> String {
    let mut text = "GPU".to_owned();
    for (index, byte) in uuid.iter().enumerate() {
        if matches!(index, 0 | 4 | 6 | 8 | 10) {
            text.push('-');
        }
        // Writing to a string can't fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn check(call: &'static str, status: c_int) -> Result<(), LoadError> {
    if status == abi::SUCCESS {
        Ok(())
    } else {
        Err(LoadError::Unmanaged { call, status })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_is_written_as_the_library_does() {
        let uuid = std::array::from_fn(|byte| 0xa0 + byte as u8);
        assert_eq!(text(uuid), "GPU-a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf");
    }

    #[test]
    fn a_missing_library_or_gpu_says_so() {
        let libraries = Libraries {
            management: "/nowhere/libkinora-no-such-driver.so.1".into(),
            ..Libraries::default()
        };
        let missing = Nvml::open(&libraries, [0; 16]).map(drop);
        assert_eq!(
            missing,
            Err(LoadError::NotFound("libkinora-no-such-driver.so.1".into()))
        );
        // With a driver or without, nobody has a GPU of this identity.
        let unknown = Nvml::open(&Libraries::default(), [0; 16]).map(drop);
        assert!(!unknown.expect_err("no such GPU").to_string().is_empty());
    }
}
