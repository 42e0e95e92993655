//! Finding the driver's libraries and asking what they can do.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::abi::{self, Plain};
use crate::error::LoadError;

/// Where the driver's libraries are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Libraries {
    /// The encoder's.
    pub encode: PathBuf,
    /// CUDA's.
    pub cuda: PathBuf,
    /// The one that tells how GPUs fare.
    pub management: PathBuf,
}

impl Default for Libraries {
    /// Those of the installed driver.
    fn default() -> Self {
        Self {
            encode: "libnvidia-encode.so.1".into(),
            cuda: "libcuda.so.1".into(),
            management: "libnvidia-ml.so.1".into(),
        }
    }
}

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

/// The driver's encode library, with the entry points that sessions need.
pub struct Library {
    pub(crate) functions: Functions,
    version: Version,
    // Dropped last: everything above points into it.
    _encode: libloading::Library,
}

/// Entry points of the encoder.
pub(crate) struct Functions {
    pub(crate) open_session: abi::OpenSessionFn,
    pub(crate) guid_count: abi::CountFn,
    pub(crate) guids: abi::GuidsFn,
    pub(crate) preset_config: abi::PresetConfigFn,
    pub(crate) initialize: abi::With<abi::InitializeParams>,
    pub(crate) create_input: abi::With<abi::CreateInput>,
    pub(crate) destroy_input: abi::HandleFn,
    pub(crate) create_bitstream: abi::With<abi::CreateBitstream>,
    pub(crate) destroy_bitstream: abi::HandleFn,
    pub(crate) encode_picture: abi::With<abi::PictureParams>,
    pub(crate) lock_bitstream: abi::With<abi::LockBitstream>,
    pub(crate) unlock_bitstream: abi::HandleFn,
    pub(crate) lock_input: abi::With<abi::LockInput>,
    pub(crate) unlock_input: abi::HandleFn,
    pub(crate) sequence_params: abi::With<abi::SequenceParams>,
    pub(crate) register: abi::With<abi::RegisterResource>,
    pub(crate) unregister: abi::HandleFn,
    pub(crate) map_input: abi::With<abi::MapInput>,
    pub(crate) unmap_input: abi::HandleFn,
    pub(crate) destroy_encoder: abi::DestroyEncoderFn,
    pub(crate) last_error: abi::LastErrorFn,
}

impl Library {
    /// Opens the driver's encode library and checks that it speaks this interface version.
    pub fn load(libraries: &Libraries) -> Result<Self, LoadError> {
        let encode = open(&libraries.encode)?;
        let name = name_of(&libraries.encode);
        let max_version: abi::MaxSupportedVersionFn =
            symbol(&encode, &name, "NvEncodeAPIGetMaxSupportedVersion")?;
        let create_instance: abi::CreateInstanceFn =
            symbol(&encode, &name, "NvEncodeAPICreateInstance")?;

        let mut word = 0;
        // SAFETY: the symbol has this signature by the interface; `word` outlives the call.
        check("NvEncodeAPIGetMaxSupportedVersion", unsafe {
            max_version(&raw mut word)
        })?;
        let version = Version {
            major: word >> 4,
            minor: word & 0xf,
        };
        let spoken = Version {
            major: abi::API_MAJOR,
            minor: abi::API_MINOR,
        };
        if version < spoken {
            return Err(LoadError::DriverTooOld(version));
        }

        let mut list = abi::FunctionList::zeroed();
        list.version = abi::FUNCTION_LIST_VERSION;
        // SAFETY: the list has the interface's layout and version word; the driver writes within it.
        check("NvEncodeAPICreateInstance", unsafe {
            create_instance(&raw mut list)
        })?;
        Ok(Self {
            functions: Functions::of(&list, &name)?,
            version,
            _encode: encode,
        })
    }

    /// The newest interface version the driver speaks.
    pub fn max_supported_version(&self) -> Version {
        self.version
    }
}

impl Functions {
    fn of(list: &abi::FunctionList, library: &str) -> Result<Self, LoadError> {
        macro_rules! entry {
            ($field:ident, $symbol:literal) => {
                list.$field.ok_or_else(|| LoadError::MissingSymbol {
                    library: library.to_owned(),
                    symbol: $symbol,
                })?
            };
        }
        Ok(Self {
            open_session: entry!(open_session_ex, "nvEncOpenEncodeSessionEx"),
            guid_count: entry!(guid_count, "nvEncGetEncodeGUIDCount"),
            guids: entry!(guids, "nvEncGetEncodeGUIDs"),
            preset_config: entry!(preset_config_ex, "nvEncGetEncodePresetConfigEx"),
            initialize: entry!(initialize, "nvEncInitializeEncoder"),
            create_input: entry!(create_input, "nvEncCreateInputBuffer"),
            destroy_input: entry!(destroy_input, "nvEncDestroyInputBuffer"),
            create_bitstream: entry!(create_bitstream, "nvEncCreateBitstreamBuffer"),
            destroy_bitstream: entry!(destroy_bitstream, "nvEncDestroyBitstreamBuffer"),
            encode_picture: entry!(encode_picture, "nvEncEncodePicture"),
            lock_bitstream: entry!(lock_bitstream, "nvEncLockBitstream"),
            unlock_bitstream: entry!(unlock_bitstream, "nvEncUnlockBitstream"),
            lock_input: entry!(lock_input, "nvEncLockInputBuffer"),
            unlock_input: entry!(unlock_input, "nvEncUnlockInputBuffer"),
            sequence_params: entry!(sequence_params, "nvEncGetSequenceParams"),
            register: entry!(register, "nvEncRegisterResource"),
            unregister: entry!(unregister, "nvEncUnregisterResource"),
            map_input: entry!(map_input, "nvEncMapInputResource"),
            unmap_input: entry!(unmap_input, "nvEncUnmapInputResource"),
            destroy_encoder: entry!(destroy_encoder, "nvEncDestroyEncoder"),
            last_error: entry!(last_error, "nvEncGetLastErrorString"),
        })
    }
}

/// What a library is called in messages.
pub(crate) fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

pub(crate) fn open(path: &Path) -> Result<libloading::Library, LoadError> {
    // SAFETY: these are the driver's own libraries, or what the operator put in their place; their
    // initialisers have no preconditions.
    unsafe { libloading::Library::new(path) }.map_err(|_| LoadError::NotFound(name_of(path)))
}

/// Reads an entry point; `T` must be the function pointer type that the interface gives it.
pub(crate) fn symbol<T: Copy>(
    library: &libloading::Library,
    library_name: &str,
    name: &'static str,
) -> Result<T, LoadError> {
    // SAFETY: every caller passes the type the interface documents for `name`, and keeps the library
    // for as long as the pointer.
    unsafe { library.get::<T>(name) }
        .map(|symbol| *symbol)
        .map_err(|_| LoadError::MissingSymbol {
            library: library_name.to_owned(),
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
    fn a_missing_library_is_named_without_its_folder() {
        let libraries = Libraries {
            encode: "/nowhere/libkinora-no-such-driver.so.1".into(),
            ..Libraries::default()
        };
        assert_eq!(
            Library::load(&libraries).map(drop),
            Err(LoadError::NotFound("libkinora-no-such-driver.so.1".into()))
        );
    }

    #[test]
    fn loading_either_works_or_says_why_not() {
        match Library::load(&Libraries::default()) {
            Ok(library) => assert!(library.max_supported_version().major >= abi::API_MAJOR),
            Err(reason) => assert!(!reason.to_string().is_empty()),
        }
    }
}
