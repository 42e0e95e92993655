//! Families that have the letters which the named families lack.

use kinora_composition::fonts::{EMOJI, SANS};
use unicode_script::Script;

/// Where to look for letters of a script, the best family first.
pub(super) fn families(script: Script) -> impl Iterator<Item = &'static str> {
    of_script(script).iter().chain(COMMON).copied()
}

/// The order in which Chromium tries the fonts that we ship for symbols that the family lacks; what is not among them comes
/// after those that speak English.
const COMMON: &[&str] = &[
    "Montserrat",
    SANS,
    "Inter Display",
    "JetBrains Mono",
    "Roboto",
    "Lato",
    "Noto Sans",
    "Noto Sans CJK JP",
    "Noto Sans Symbols2",
    "Noto Sans Symbols 2",
    "Noto Sans Math",
    "Noto Sans Symbols",
    "Noto Music",
    EMOJI,
];

fn of_script(script: Script) -> &'static [&'static str] {
    match script {
        Script::Arabic => &["Noto Sans Arabic", "Noto Naskh Arabic"],
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
