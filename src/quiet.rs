//! Keeps a graphics layer from complaining on machines without a desktop.
//!
//! Mesa's device-selection layer asks Wayland for the default GPU and, on a server, writes
//! "error: XDG_RUNTIME_DIR is invalid" to standard error each time. The layer is switched off by a
//! variable that must be there before the process starts, so the process starts itself again.

use std::env;
use std::os::unix::process::CommandExt;
use std::process::Command;

const SWITCH: &str = "NODEVICE_SELECT";
const DESKTOP: &str = "XDG_RUNTIME_DIR";

/// Starts the same program with the layer switched off, unless it is off or there is a desktop.
/// Returns only if there is nothing to do or it can't be done, which is no reason to stop.
pub(crate) fn start_without_device_selection() {
    if env::var_os(SWITCH).is_some() || env::var_os(DESKTOP).is_some() {
        return;
    }
    let Ok(program) = env::current_exe() else {
        return;
    };
    let error = Command::new(program)
        .args(env::args_os().skip(1))
        .env(SWITCH, "1")
        .exec();
    tracing::debug!(%error, "could not start again without device selection");
}
