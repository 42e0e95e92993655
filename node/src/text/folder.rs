//! Where the fonts are: the product never looks at what the machine happens to have.

use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// Where the fonts are: the given folder, else `KINORA_FONTS`, else `fonts` in the working
/// folder, beside the program or above it, else the system-wide place.
pub fn find_font_folder(given: Option<&Path>) -> Result<PathBuf> {
    let named = given
        .map(Path::to_owned)
        .or_else(|| std::env::var_os("KINORA_FONTS").map(Into::into));
    if let Some(folder) = named {
        return if folder.is_dir() {
            Ok(folder)
        } else {
            Err(missing(&format!(
                "the font folder {} does not exist",
                folder.display()
            )))
        };
    }
    let program = std::env::current_exe().unwrap_or_default();
    std::iter::once(PathBuf::from("."))
        .chain(program.ancestors().skip(1).take(4).map(Path::to_owned))
        .map(|folder| folder.join("fonts"))
        .chain([PathBuf::from("/usr/share/kinora/fonts")])
        .find(|folder| folder.is_dir())
        .ok_or_else(|| missing("there is no font folder"))
}

pub(super) fn missing(what: &str) -> Error {
    Error::internal(
        what,
        "run `make fonts` in the project, or name the folder in KINORA_FONTS",
    )
}
