//! An encode session on one GPU: the proof that the GPU has an encoder.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::fmt;
use std::ptr;

use crate::abi;
use crate::library::Library;

/// Why a GPU gave no encode session.
#[derive(Debug, PartialEq, Eq)]
pub enum SessionError {
    /// A CUDA call failed, usually because there is no such GPU.
    Cuda {
        /// The entry point.
        call: &'static str,
        /// Its status.
        status: i32,
    },
    /// The GPU was found and refused to encode.
    NoEncoder {
        /// The GPU's name.
        gpu: String,
        /// NVENC's status.
        status: i32,
    },
    /// The driver left out an entry point that it promised.
    MissingFunction(&'static str),
}

/// NVENC's statuses, in order from zero, in words.
const STATUS_NAMES: [&str; 26] = [
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
];

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cuda { call, status } => write!(f, "{call} failed with status {status}"),
            Self::NoEncoder { gpu, status } => {
                let words = usize::try_from(*status)
                    .ok()
                    .and_then(|at| STATUS_NAMES.get(at));
                write!(
                    f,
                    "{gpu} has no usable encoder ({})",
                    words.unwrap_or(&"unknown status")
                )
            }
            Self::MissingFunction(name) => write!(f, "the driver offers no {name}"),
        }
    }
}

impl std::error::Error for SessionError {}

/// An open encode session with the CUDA context it lives on.
pub struct Session<'library> {
    library: &'library Library,
    encoder: *mut c_void,
    context: *mut c_void,
}

impl Library {
    /// Opens an encode session on the GPU of the given ordinal.
    pub fn open_session(&self, ordinal: u32) -> Result<Session<'_>, SessionError> {
        let open = self
            .functions
            .open_session_ex
            .ok_or(SessionError::MissingFunction("nvEncOpenEncodeSessionEx"))?;
        let ordinal = c_int::try_from(ordinal).unwrap_or(c_int::MAX);
        let mut device = 0;
        let mut context = ptr::null_mut();
        // SAFETY: `cuInit` comes before all other calls; every out-pointer outlives its call.
        unsafe {
            cuda("cuInit", (self.cuda.init)(0))?;
            cuda(
                "cuDeviceGet",
                (self.cuda.device_get)(&raw mut device, ordinal),
            )?;
            cuda(
                "cuCtxCreate",
                (self.cuda.ctx_create)(&raw mut context, 0, device),
            )?;
        }
        let mut session = Session {
            library: self,
            encoder: ptr::null_mut(),
            context,
        };
        let mut params = abi::OpenSessionParams {
            version: abi::OPEN_SESSION_VERSION,
            device_type: abi::DEVICE_TYPE_CUDA,
            device: context,
            reserved: ptr::null_mut(),
            api_version: abi::API_VERSION,
            reserved1: [0; 253],
            reserved2: [ptr::null_mut(); 64],
        };
        // SAFETY: the parameters have the interface's layout and name a live CUDA context.
        let status = unsafe { open(&raw mut params, &raw mut session.encoder) };
        if status == abi::SUCCESS {
            Ok(session)
        } else {
            Err(SessionError::NoEncoder {
                gpu: self.device_name(device),
                status,
            })
        }
    }

    fn device_name(&self, device: c_int) -> String {
        const LENGTH: usize = 128;
        let mut name: [c_char; LENGTH] = [0; LENGTH];
        // SAFETY: the driver writes at most the given length; the last byte stays zero.
        let status =
            unsafe { (self.cuda.device_name)(name.as_mut_ptr(), LENGTH as c_int - 1, device) };
        if status != abi::SUCCESS {
            return "the GPU".to_owned();
        }
        // SAFETY: the buffer is zero-terminated, as above.
        unsafe { CStr::from_ptr(name.as_ptr()) }
            .to_string_lossy()
            .into_owned()
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        // SAFETY: both handles were made by the calls above, are destroyed once, and the encoder
        // goes before the context it lives on. A failure here leaves nothing to do.
        unsafe {
            if let Some(destroy) = self.library.functions.destroy_encoder
                && !self.encoder.is_null()
            {
                destroy(self.encoder);
            }
            (self.library.cuda.ctx_destroy)(self.context);
        }
    }
}

fn cuda(call: &'static str, status: c_int) -> Result<(), SessionError> {
    if status == abi::SUCCESS {
        Ok(())
    } else {
        Err(SessionError::Cuda { call, status })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_without_an_encoder_is_said_in_words() {
        let error = SessionError::NoEncoder {
            gpu: "NVIDIA H200".to_owned(),
            status: 2,
        };
        assert_eq!(
            error.to_string(),
            "NVIDIA H200 has no usable encoder (unsupported device)"
        );
    }
}
