//! Finding the driver's libraries and asking what they can do.

use std::fmt;

use crate::abi;

const ENCODE_LIBRARY: &str = "libnvidia-encode.so.1";
const CUDA_LIBRARY: &str = "libcuda.so.1";

/// An interface version, as the driver counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// Major part.
    pub major: u32,
    /// Minor part.
    pub minor: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// Why NVENC cannot be used on this machine.
#[derive(Debug, PartialEq, Eq)]
pub enum LoadError {
    /// A library of the driver is not installed.
    NotFound(&'static str),
    /// The library is there and lacks an entry point.
    MissingSymbol {
        /// The library.
        library: &'static str,
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
    /// The driver is older than these bindings.
    DriverTooOld(Version),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound(library) => write!(f, "{library} not found"),
            Self::MissingSymbol { library, symbol } => write!(f, "{library} has no {symbol}"),
            Self::Refused { call, status } => write!(f, "{call} failed with status {status}"),
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

/// The driver's encode and CUDA libraries, with the entry points that sessions need.
pub struct Library {
    pub(crate) functions: abi::FunctionList,
    pub(crate) cuda: Cuda,
    version: Version,
    // Dropped last: everything above points into it.
    _encode: libloading::Library,
}

/// The CUDA driver calls that make a context.
pub(crate) struct Cuda {
    pub(crate) init: abi::CuInitFn,
    pub(crate) device_get: abi::CuDeviceGetFn,
    pub(crate) device_name: abi::CuDeviceNameFn,
    pub(crate) ctx_create: abi::CuCtxCreateFn,
    pub(crate) ctx_destroy: abi::CuCtxDestroyFn,
    _library: libloading::Library,
}

impl Library {
    /// Opens the driver's libraries and checks that they speak this interface version.
    pub fn load() -> Result<Self, LoadError> {
        let encode = open(ENCODE_LIBRARY)?;
        let max_version: abi::MaxSupportedVersionFn =
            symbol(&encode, ENCODE_LIBRARY, "NvEncodeAPIGetMaxSupportedVersion")?;
        let create_instance: abi::CreateInstanceFn =
            symbol(&encode, ENCODE_LIBRARY, "NvEncodeAPICreateInstance")?;

        let mut word = 0;
        // SAFETY: the symbol has this signature by the interface; `word` outlives the call.
        check("NvEncodeAPIGetMaxSupportedVersion", unsafe {
            max_version(&raw mut word)
        })?;
        let version = Version {
            major: word >> 4,
            minor: word & 0xf,
        };
        if version
            < (Version {
                major: abi::API_MAJOR,
                minor: abi::API_MINOR,
            })
        {
            return Err(LoadError::DriverTooOld(version));
        }

        let mut functions = abi::FunctionList::empty();
        // SAFETY: the list has the interface's layout and version word; the driver writes within it.
        check("NvEncodeAPICreateInstance", unsafe {
            create_instance(&raw mut functions)
        })?;
        Ok(Self {
            functions,
            cuda: Cuda::load()?,
            version,
            _encode: encode,
        })
    }

    /// The newest interface version the driver speaks.
    pub fn max_supported_version(&self) -> Version {
        self.version
    }
}

impl Cuda {
    fn load() -> Result<Self, LoadError> {
        let library = open(CUDA_LIBRARY)?;
        Ok(Self {
            init: symbol(&library, CUDA_LIBRARY, "cuInit")?,
            device_get: symbol(&library, CUDA_LIBRARY, "cuDeviceGet")?,
            device_name: symbol(&library, CUDA_LIBRARY, "cuDeviceGetName")?,
            ctx_create: symbol(&library, CUDA_LIBRARY, "cuCtxCreate_v2")?,
            ctx_destroy: symbol(&library, CUDA_LIBRARY, "cuCtxDestroy_v2")?,
            _library: library,
        })
    }
}

fn open(name: &'static str) -> Result<libloading::Library, LoadError> {
    // SAFETY: these are the driver's own libraries under their fixed names; their initialisers
    // have no preconditions.
    unsafe { libloading::Library::new(name) }.map_err(|_| LoadError::NotFound(name))
}

/// Reads an entry point; `T` must be the function pointer type that the interface gives it.
fn symbol<T: Copy>(
    library: &libloading::Library,
    library_name: &'static str,
    name: &'static str,
) -> Result<T, LoadError> {
    // SAFETY: every caller above passes the type the interface documents for `name`, and keeps the
    // library for as long as the pointer.
    unsafe { library.get::<T>(name) }
        .map(|symbol| *symbol)
        .map_err(|_| LoadError::MissingSymbol {
            library: library_name,
            symbol: name,
        })
}

fn check(call: &'static str, status: abi::Status) -> Result<(), LoadError> {
    if status == abi::SUCCESS {
        Ok(())
    } else {
        Err(LoadError::Refused { call, status })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_library_is_named() {
        assert_eq!(
            open("libkinora-no-such-driver.so.1").map(drop),
            Err(LoadError::NotFound("libkinora-no-such-driver.so.1"))
        );
    }

    #[test]
    fn loading_either_works_or_says_why_not() {
        match Library::load() {
            Ok(library) => assert!(library.max_supported_version().major >= abi::API_MAJOR),
            Err(reason) => assert!(!reason.to_string().is_empty()),
        }
    }
}
