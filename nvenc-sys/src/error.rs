//! Why something can't be done with the GPU, in words.

use std::fmt;

use crate::abi;
use crate::library::Version;

/// Why NVENC or CUDA cannot be used on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// A library of the driver is not installed.
    NotFound(String),
    /// The library is there and lacks an entry point.
    MissingSymbol {
        /// The library.
        library: String,
        /// The entry point.
        symbol: &'static str,
    },
    /// The driver refused a call.
    Refused {
        /// The entry point.
        call: &'static str,
        /// Its status.
        status: i32,
    },
    /// The management library refused a call.
    Unmanaged {
        /// The entry point.
        call: &'static str,
        /// Its status.
        status: i32,
    },
    /// The driver is older than these bindings.
    DriverTooOld(Version),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound(library) => write!(f, "{library} not found"),
            Self::MissingSymbol { library, symbol } => write!(f, "{library} has no {symbol}"),
            Self::Refused { call, status } => {
                write!(f, "{call} failed ({})", status_in_words(*status))
            }
            Self::Unmanaged { call, status } => write!(f, "{call} failed (status {status})"),
            Self::DriverTooOld(version) => write!(
                f,
                "the driver speaks NVENC {version}, {}.{} is needed",
                abi::API_MAJOR,
                abi::API_MINOR
            ),
        }
    }
}

impl std::error::Error for LoadError {}

/// Why a GPU did not do what it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A CUDA call failed.
    Cuda {
        /// The entry point.
        call: &'static str,
        /// What the driver says of its status.
        reason: String,
    },
    /// The GPU was found and gave no encode session.
    NoEncoder {
        /// The GPU's name.
        gpu: String,
        /// NVENC's status.
        status: i32,
    },
    /// The GPU encodes, and not this.
    NoCodec {
        /// The GPU's name.
        gpu: String,
        /// What it does not encode.
        codec: &'static str,
    },
    /// An NVENC call failed.
    Nvenc {
        /// The entry point.
        call: &'static str,
        /// Its status.
        status: i32,
        /// What the driver adds.
        detail: String,
    },
    /// What was asked for makes no sense.
    Misused(&'static str),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cuda { call, reason } => write!(f, "{call} failed ({reason})"),
            Self::NoEncoder { gpu, status } => write!(
                f,
                "{gpu} has no usable encoder ({})",
                status_in_words(*status)
            ),
            Self::NoCodec { gpu, codec } => write!(f, "{gpu} does not encode {codec}"),
            Self::Nvenc {
                call,
                status,
                detail,
            } => {
                write!(f, "{call} failed ({}", status_in_words(*status))?;
                if !detail.is_empty() {
                    write!(f, ": {detail}")?;
                }
                f.write_str(")")
            }
            Self::Misused(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {}

fn status_in_words(status: i32) -> String {
    let words = usize::try_from(status)
        .ok()
        .and_then(|at| abi::STATUS_NAMES.get(at));
    words.map_or_else(|| format!("status {status}"), ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_without_an_encoder_is_said_in_words() {
        let error = Error::NoEncoder {
            gpu: "NVIDIA H200".to_owned(),
            status: 2,
        };
        assert_eq!(
            error.to_string(),
            "NVIDIA H200 has no usable encoder (unsupported device)"
        );
    }

    #[test]
    fn an_unknown_status_is_said_as_a_number() {
        let error = Error::Nvenc {
            call: "nvEncEncodePicture",
            status: 99,
            detail: "who knows".to_owned(),
        };
        assert_eq!(
            error.to_string(),
            "nvEncEncodePicture failed (status 99: who knows)"
        );
    }
}
