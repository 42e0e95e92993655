//! Reads the font folder: which families and faces a render will find, and how wide their letters are.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use fontdb::{Database, FaceInfo, Style};
use kinora_composition::fonts::{CharWidths, FontFace, FontFamily, Fonts, generic};
use tokio::sync::OnceCell;
use ttf_parser::{Face, Tag};

use crate::{Error, Result};

const WEIGHT_AXIS: Tag = Tag::from_bytes(b"wght");

/// Characters whose advances are kept: European scripts, punctuation and currency signs.
const MEASURED: [std::ops::RangeInclusive<u32>; 4] = [
    0x20..=0x24F,
    0x370..=0x4FF,
    0x2010..=0x2060,
    0x20A0..=0x20BF,
];

/// How often letters come in English prose, of 1,000, the space among them.
const PROSE: [(char, f32); 27] = [
    (' ', 182.0),
    ('a', 67.0),
    ('b', 12.0),
    ('c', 23.0),
    ('d', 35.0),
    ('e', 104.0),
    ('f', 18.0),
    ('g', 16.0),
    ('h', 50.0),
    ('i', 57.0),
    ('j', 1.3),
    ('k', 6.3),
    ('l', 33.0),
    ('m', 20.0),
    ('n', 55.0),
    ('o', 61.0),
    ('p', 16.0),
    ('q', 0.8),
    ('r', 49.0),
    ('s', 52.0),
    ('t', 74.0),
    ('u', 23.0),
    ('v', 8.0),
    ('w', 19.0),
    ('x', 1.2),
    ('y', 16.0),
    ('z', 0.6),
];

/// The fonts of a folder, read when somebody first asks for them.
#[derive(Debug)]
pub(crate) struct FontShelf {
    folder: PathBuf,
    fonts: OnceCell<FolderFonts>,
}

impl FontShelf {
    /// Fonts in this folder; nothing is read yet.
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            fonts: OnceCell::new(),
        }
    }

    /// The fonts. The first call reads the folder, on a thread that may block.
    pub(crate) async fn get(&self) -> Result<&dyn Fonts> {
        let fonts = self.fonts.get_or_try_init(|| async {
            let folder = self.folder.clone();
            tokio::task::spawn_blocking(move || FolderFonts::read(&folder))
                .await
                .map_err(|error| Error::Setup(format!("the fonts can't be read: {error}")))
        });
        Ok(fonts.await?)
    }
}

/// Families by their names in lower case.
#[derive(Debug, Default)]
struct FolderFonts(BTreeMap<String, FontFamily>);

impl FolderFonts {
    fn read(folder: &Path) -> Self {
        let mut db = Database::new();
        db.load_fonts_dir(folder);
        let mut fonts = Self::default();
        for info in db.faces() {
            let faces = db.with_face_data(info.id, |data, index| {
                Face::parse(data, index).map(|face| faces(info, &face))
            });
            let Some(Ok(faces)) = faces else {
                tracing::warn!(face = info.post_script_name, "a font can't be read");
                continue;
            };
            for (name, _) in &info.families {
                fonts.add(name, &faces);
            }
        }
        for family in fonts.0.values_mut() {
            family.faces.sort_by_key(|face| (face.italic, face.weight));
        }
        tracing::debug!(families = fonts.0.len(), "fonts read");
        fonts
    }

    fn add(&mut self, name: &str, faces: &[FontFace]) {
        let family = self.0.entry(name.to_lowercase()).or_default();
        if family.name.is_empty() {
            name.clone_into(&mut family.name);
        }
        for face in faces {
            let known =
                |other: &FontFace| (other.weight, other.italic) == (face.weight, face.italic);
            if !family.faces.iter().any(known) {
                family.faces.push(face.clone());
            }
        }
    }
}

impl Fonts for FolderFonts {
    fn family(&self, name: &str) -> Option<&FontFamily> {
        let name = generic(name).unwrap_or(name).to_lowercase();
        self.0.get(&name)
    }
}

/// The faces in one font: one, or one for each hundred on its weight axis.
fn faces(info: &FaceInfo, face: &Face<'_>) -> Vec<FontFace> {
    let italic = info.style != Style::Normal;
    let axis = face
        .variation_axes()
        .into_iter()
        .find(|axis| axis.tag == WEIGHT_AXIS);
    let Some(axis) = axis else {
        return vec![measure(face, info.weight.0, italic)];
    };
    (1..=9_u16)
        .map(|hundreds| hundreds * 100)
        .filter(|weight| (axis.min_value..=axis.max_value).contains(&f32::from(*weight)))
        .map(|weight| {
            let mut face = face.clone();
            // The axis was found a moment ago.
            let _ = face.set_variation(WEIGHT_AXIS, f32::from(weight));
            measure(&face, weight, italic)
        })
        .collect()
}

fn measure(face: &Face<'_>, weight: u16, italic: bool) -> FontFace {
    let em = f32::from(face.units_per_em());
    let advance = |character: char| {
        let glyph = face.glyph_index(character)?;
        Some(f32::from(face.glyph_hor_advance(glyph)?) / em)
    };
    let widths: CharWidths = MEASURED
        .into_iter()
        .flatten()
        .filter_map(char::from_u32)
        .filter_map(|character| Some((character, advance(character)?)))
        .collect();
    FontFace {
        weight,
        italic,
        average_width: prose_average(&widths).unwrap_or_else(|| glyph_average(face, em)),
        widths,
    }
}

/// The mean advance of English prose; none for a font without its letters.
fn prose_average(widths: &CharWidths) -> Option<f32> {
    let (mut total, mut count) = (0.0, 0.0);
    for (letter, frequency) in PROSE {
        total += widths.get(letter)? * frequency;
        count += frequency;
    }
    Some(total / count)
}

/// The mean advance of all that a font has.
fn glyph_average(face: &Face<'_>, em: f32) -> f32 {
    let advances = (0..face.number_of_glyphs())
        .filter_map(|glyph| face.glyph_hor_advance(ttf_parser::GlyphId(glyph)))
        .filter(|advance| *advance > 0)
        .map(f32::from);
    let (total, count) = advances.fold((0.0, 0.0), |(total, count), advance| {
        (total + advance, count + 1.0)
    });
    if count > 0.0 { total / count / em } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shelf() -> FontShelf {
        FontShelf::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../fonts"))
    }

    #[tokio::test]
    async fn families_are_found_in_any_case_and_by_generic_names() {
        let shelf = shelf();
        let fonts = shelf.get().await.expect("fonts");
        let name = |asked: &str| fonts.family(asked).map(|family| family.name.clone());
        assert_eq!(name("INTER").as_deref(), Some("Inter"));
        assert_eq!(name("sans-serif").as_deref(), Some("Inter"));
        assert_eq!(name("monospace").as_deref(), Some("JetBrains Mono"));
        assert_eq!(name("Comic Sans MS"), None);
    }

    #[tokio::test]
    async fn prose_is_about_half_an_em_wide_and_bold_is_wider() {
        let shelf = shelf();
        let fonts = shelf.get().await.expect("fonts");
        let inter = fonts.family("Inter").expect("Inter");
        let width = |weight| {
            let face = inter.nearest_face(weight, false).expect("a face");
            assert_eq!((face.weight, face.italic), (weight, false));
            face.average_width
        };
        let (regular, bold) = (width(400), width(700));
        assert!((0.45..0.6).contains(&regular), "{regular}");
        assert!(bold > regular, "{bold} {regular}");
        let face = inter.nearest_face(400, false).expect("a face");
        assert!(face.advance('W') > face.advance('i') * 2.0);

        let mono = fonts.family("JetBrains Mono").expect("JetBrains Mono");
        let face = mono.nearest_face(400, false).expect("a face");
        assert!((face.average_width - face.advance('i')).abs() < 1e-4);
    }

    /// The font with a weight axis from 200 to 650 added: none of ours is variable.
    fn with_weight_axis(font: &[u8]) -> Vec<u8> {
        let fixed = |value: u32| (value << 16).to_be_bytes();
        let mut axes = Vec::new();
        for half in [1_u16, 0, 16, 2, 1, 20, 0, 8] {
            axes.extend(half.to_be_bytes());
        }
        axes.extend(b"wght");
        for weight in [200, 400, 650] {
            axes.extend(fixed(weight));
        }
        axes.extend([0, 0, 1, 0]);

        // The table goes to the end; its record goes first and moves the others by its 16 bytes.
        const RECORD: usize = 16;
        let count = u16::from_be_bytes([font[4], font[5]]);
        let (head, rest) = font.split_at(12);
        let (records, tables) = rest.split_at(usize::from(count) * RECORD);
        let number = |bytes: &[u8]| u32::from_be_bytes(bytes.try_into().expect("four bytes"));
        let mut records: Vec<[u8; RECORD]> = records
            .chunks(RECORD)
            .map(|record| {
                let mut record: [u8; RECORD] = record.try_into().expect("a record");
                let moved = number(&record[8..12]) + 16;
                record[8..12].copy_from_slice(&moved.to_be_bytes());
                record
            })
            .collect();
        let end = u32::try_from(font.len() + RECORD).expect("a small file");
        let length = u32::try_from(axes.len()).expect("a small table");
        let mut own = [0; RECORD];
        own[..4].copy_from_slice(b"fvar");
        own[8..12].copy_from_slice(&end.to_be_bytes());
        own[12..].copy_from_slice(&length.to_be_bytes());
        records.push(own);
        records.sort_by_key(|record| number(&record[..4]));

        let mut made = head.to_vec();
        made[4..6].copy_from_slice(&(count + 1).to_be_bytes());
        made.extend(records.concat());
        made.extend(tables);
        made.extend(axes);
        made
    }

    #[tokio::test]
    async fn every_hundred_of_a_weight_axis_is_a_face() {
        let fixed = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../fonts/jetbrains-mono/JetBrainsMono-Regular.ttf");
        let fixed = std::fs::read(fixed).expect("a font");
        for (font, weights) in [
            (fixed.clone(), vec![400]),
            (with_weight_axis(&fixed), vec![200, 300, 400, 500, 600]),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            std::fs::write(folder.path().join("font.ttf"), font).expect("written");
            let shelf = FontShelf::new(folder.path().to_owned());
            let fonts = shelf.get().await.expect("fonts");
            let family = fonts.family("JetBrains Mono").expect("the family");
            assert_eq!(family.weights(false), weights);
        }
    }
}
