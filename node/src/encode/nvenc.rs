//! Whether NVIDIA's encoder could be used on this machine, and why not.

use nvenc_sys::Library;

/// Our name for it.
pub(super) const NAME: &str = "nvenc";

/// Why NVENC does not encode here. Looks at the driver and the first GPU, so that the answer is the
/// nearest true reason: the driver, the GPU, and last that frames are not handed to it yet.
pub(super) fn why_not() -> String {
    let library = match Library::load() {
        Ok(library) => library,
        Err(reason) => return reason.to_string(),
    };
    match library.open_session(0) {
        Ok(_) => "encoding through NVENC is not built in yet".to_owned(),
        Err(reason) => reason.to_string(),
    }
}
