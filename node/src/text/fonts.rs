//! The font folder: the product never looks at what the machine happens to have.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use glyphon::cosmic_text::Fallback;
use glyphon::{FontSystem, fontdb};
use kinora_composition::fonts::{EMOJI, MONOSPACE, SANS, SERIF, generic};

use crate::media::VectorFonts;
use crate::{Error, Result};

/// The fonts of one folder.
pub struct FontBook {
    pub(super) system: FontSystem,
    families: BTreeSet<String>,
    folder: PathBuf,
    for_pictures: OnceLock<Arc<VectorFonts>>,
}

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

fn missing(what: &str) -> Error {
    Error::internal(
        what,
        "run `make fonts` in the project, or name the folder in KINORA_FONTS",
    )
}

impl FontBook {
    /// Reads every font of a folder.
    pub fn open(folder: &Path) -> Result<Self> {
        let mut db = fontdb::Database::new();
        db.load_fonts_dir(folder);
        db.set_sans_serif_family(SANS);
        db.set_serif_family(SERIF);
        db.set_monospace_family(MONOSPACE);
        let families: BTreeSet<String> = db
            .faces()
            .flat_map(|face| face.families.iter().map(|(name, _)| name.clone()))
            .collect();
        if !families.contains(SANS) {
            return Err(missing(&format!(
                "the font folder {} has no {SANS}",
                folder.display()
            )));
        }
        let system =
            FontSystem::new_with_locale_and_db_and_fallback("en-US".into(), db, NotoFallback);
        Ok(Self {
            system,
            families,
            folder: folder.to_owned(),
            for_pictures: OnceLock::new(),
        })
    }

    /// The same fonts for words in pictures; read when first asked for.
    pub(crate) fn for_pictures(&self) -> Arc<VectorFonts> {
        let read = || {
            let mut fonts = VectorFonts::new();
            fonts.load_fonts_dir(&self.folder);
            fonts.set_sans_serif_family(SANS);
            fonts.set_serif_family(SERIF);
            fonts.set_monospace_family(MONOSPACE);
            Arc::new(fonts)
        };
        Arc::clone(self.for_pictures.get_or_init(read))
    }

    /// The families that can be named.
    pub fn families(&self) -> &BTreeSet<String> {
        &self.families
    }

    /// Where they were read from.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The first family that is there; generic names stand for ours.
    pub(super) fn resolve<'a>(&'a self, wanted: &'a [String]) -> &'a str {
        wanted
            .iter()
            .find_map(|name| {
                generic(name).or_else(|| {
                    let mut families = self.families.iter();
                    let family = families.find(|family| family.eq_ignore_ascii_case(name));
                    family.map(String::as_str)
                })
            })
            .unwrap_or(SANS)
    }
}

/// Where glyphs come from that a family does not have: always our own folder.
#[derive(Debug)]
struct NotoFallback;

impl Fallback for NotoFallback {
    fn common_fallback(&self) -> &[&'static str] {
        &[
            SANS,
            "Noto Sans",
            EMOJI,
            "Noto Sans Symbols",
            "Noto Sans Symbols 2",
            "Noto Sans Symbols2",
            "Noto Sans Math",
            "Noto Sans CJK SC",
        ]
    }

    fn forbidden_fallback(&self) -> &[&'static str] {
        &[]
    }

    fn script_fallback(&self, script: unicode_script::Script, _locale: &str) -> &[&'static str] {
        use unicode_script::Script;
        match script {
            Script::Arabic => &["Noto Sans Arabic"],
            Script::Armenian => &["Noto Sans Armenian"],
            Script::Bengali => &["Noto Sans Bengali"],
            Script::Devanagari => &["Noto Sans Devanagari"],
            Script::Ethiopic => &["Noto Sans Ethiopic"],
            Script::Georgian => &["Noto Sans Georgian"],
            Script::Gujarati => &["Noto Sans Gujarati"],
            Script::Gurmukhi => &["Noto Sans Gurmukhi"],
            Script::Han | Script::Bopomofo => &["Noto Sans CJK SC"],
            Script::Hangul => &["Noto Sans CJK KR"],
            Script::Hebrew => &["Noto Sans Hebrew"],
            Script::Hiragana | Script::Katakana => &["Noto Sans CJK JP"],
            Script::Kannada => &["Noto Sans Kannada"],
            Script::Khmer => &["Noto Sans Khmer"],
            Script::Lao => &["Noto Sans Lao"],
            Script::Malayalam => &["Noto Sans Malayalam"],
            Script::Myanmar => &["Noto Sans Myanmar"],
            Script::Oriya => &["Noto Sans Oriya"],
            Script::Sinhala => &["Noto Sans Sinhala"],
            Script::Tamil => &["Noto Sans Tamil"],
            Script::Telugu => &["Noto Sans Telugu"],
            Script::Thai => &["Noto Sans Thai"],
            Script::Tibetan => &["Noto Serif Tibetan"],
            _ => &[],
        }
    }
}
