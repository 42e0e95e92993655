//! The fonts of a folder, and which of them text is set in.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use fontdb::{Database, FaceInfo, ID, Source, Stretch, Style};
use kinora_composition::fonts::{EMOJI, MONOSPACE, SANS, SERIF, generic};
use kinora_composition::timeline::TextStyle;
use unicode_script::Script;

use super::face::{Face, StyledFace};
use super::fallback;
use super::folder::missing;
use crate::Result;
use crate::media::VectorFonts;

/// From this weight on, text is bold.
const BOLD: u16 = 600;
/// A face that is lighter than wanted by more than this is thickened.
const THICKENED_FROM: u16 = 200;

/// The fonts of one folder.
pub struct FontBook {
    db: Database,
    families: BTreeSet<String>,
    by_family: HashMap<String, Vec<ID>>,
    folder: PathBuf,
    for_pictures: OnceLock<Arc<VectorFonts>>,
    files: HashMap<PathBuf, Arc<Vec<u8>>>,
    faces: HashMap<ID, Option<Arc<Face>>>,
    /// What was found for characters that the named families lack.
    found: HashMap<String, Option<ID>>,
}

impl FontBook {
    /// Reads every font of a folder.
    pub fn open(folder: &Path) -> Result<Self> {
        let mut db = Database::new();
        db.load_fonts_dir(folder);
        db.set_sans_serif_family(SANS);
        db.set_serif_family(SERIF);
        db.set_monospace_family(MONOSPACE);
        let mut families = BTreeSet::new();
        let mut by_family: HashMap<String, Vec<ID>> = HashMap::new();
        for face in db.faces() {
            for (name, _) in &face.families {
                families.insert(name.clone());
                let faces = by_family.entry(name.to_ascii_lowercase()).or_default();
                if !faces.contains(&face.id) {
                    faces.push(face.id);
                }
            }
        }
        if !families.contains(SANS) {
            return Err(missing(&format!(
                "the font folder {} has no {SANS}",
                folder.display()
            )));
        }
        Ok(Self {
            db,
            families,
            by_family,
            folder: folder.to_owned(),
            for_pictures: OnceLock::new(),
            files: HashMap::new(),
            faces: HashMap::new(),
            found: HashMap::new(),
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

    /// The faces of the families that a style names, as far as they are there; never none.
    pub(super) fn named(&mut self, style: &TextStyle) -> Vec<StyledFace> {
        let mut faces: Vec<StyledFace> = Vec::new();
        let names = style.families.iter().map(String::as_str).chain([SANS]);
        for name in names {
            let Some(id) = self.nearest(generic(name).unwrap_or(name), style.weight, style.italic)
            else {
                continue;
            };
            let Some(face) = self.styled(id, style.weight, style.italic) else {
                continue;
            };
            if !faces
                .iter()
                .any(|known| Arc::ptr_eq(&known.face, &face.face))
            {
                faces.push(face);
            }
        }
        faces
    }

    /// A face for characters that none of the named families has.
    pub(super) fn fallback(
        &mut self,
        cluster: &str,
        script: Script,
        style: &TextStyle,
    ) -> Option<StyledFace> {
        /// Remembered answers are forgotten beyond this many.
        const MOST_REMEMBERED: usize = 10_000;
        let id = if let Some(found) = self.found.get(cluster) {
            *found
        } else {
            let found = self.search(cluster, script);
            if self.found.len() >= MOST_REMEMBERED {
                self.found.clear();
            }
            self.found.insert(cluster.to_owned(), found);
            found
        }?;
        let mut face = self.styled(id, style.weight, style.italic)?;
        // Browsers take the plain face and thicken it, whether the family has a bold one or not.
        face.is_emboldened = style.weight >= BOLD && !face.face.is_colored;
        Some(face)
    }

    /// The face that draws emoji.
    pub(super) fn emoji(&mut self) -> Option<StyledFace> {
        let id = self.nearest(EMOJI, 400, false)?;
        self.styled(id, 400, false)
    }

    fn search(&mut self, cluster: &str, script: Script) -> Option<ID> {
        let letters = || super::itemize::visible(cluster);
        for family in fallback::families(script) {
            if let Some(id) = self.nearest(family, 400, false)
                && self.face(id).is_some_and(|face| face.has(letters()))
            {
                return Some(id);
            }
        }
        let plain: Vec<ID> = self
            .db
            .faces()
            .filter(|info| info.style == Style::Normal && info.weight.0 == 400)
            .map(|info| info.id)
            .collect();
        plain
            .into_iter()
            .find(|id| self.face(*id).is_some_and(|face| face.has(letters())))
    }

    /// The face of a family that is nearest to a weight and slant.
    fn nearest(&self, family: &str, weight: u16, italic: bool) -> Option<ID> {
        let wanted = weight_on_scale(weight);
        self.by_family
            .get(&family.to_ascii_lowercase())?
            .iter()
            .filter_map(|id| self.db.face(*id))
            .min_by_key(|info| {
                let found = weight_on_scale(info.weight.0);
                let slants = info.style != Style::Normal;
                (
                    info.stretch != Stretch::Normal,
                    slants != italic,
                    wanted.abs_diff(found),
                    std::cmp::Reverse(found),
                )
            })
            .map(|info| info.id)
    }

    fn styled(&mut self, id: ID, weight: u16, italic: bool) -> Option<StyledFace> {
        let info = self.db.face(id)?;
        let lacks_weight = weight > info.weight.0.saturating_add(THICKENED_FROM) && weight >= BOLD;
        let lacks_slant = italic && info.style == Style::Normal;
        let face = self.face(id)?;
        Some(StyledFace {
            is_emboldened: lacks_weight && !face.is_colored,
            is_slanted: lacks_slant && !face.is_colored,
            face,
        })
    }

    fn face(&mut self, id: ID) -> Option<Arc<Face>> {
        if let Some(face) = self.faces.get(&id) {
            return face.clone();
        }
        let info = self.db.face(id)?.clone();
        let face = self
            .read(&info)
            .and_then(|data| Face::new(data, info.index))
            .map(Arc::new);
        self.faces.insert(id, face.clone());
        face
    }

    fn read(&mut self, info: &FaceInfo) -> Option<Arc<Vec<u8>>> {
        let path = match &info.source {
            Source::Binary(data) => return Some(Arc::new((**data).as_ref().to_vec())),
            Source::File(path) | Source::SharedFile(path, _) => path,
        };
        if let Some(data) = self.files.get(path) {
            return Some(data.clone());
        }
        let data = Arc::new(std::fs::read(path).ok()?);
        self.files.insert(path.clone(), data.clone());
        Some(data)
    }
}

/// A weight on the scale on which Linux browsers look for the nearest face, in hundredths: regular and
/// medium are near each other, bold and black too.
fn weight_on_scale(weight: u16) -> u32 {
    const SCALE: [(u32, u32); 12] = [
        (1, 0),
        (100, 0),
        (200, 40),
        (300, 50),
        (350, 55),
        (380, 75),
        (400, 80),
        (500, 100),
        (600, 180),
        (700, 200),
        (800, 205),
        (900, 210),
    ];
    let weight = u32::from(weight).max(1);
    let above = SCALE.iter().position(|(known, _)| *known >= weight);
    match above {
        None => 21_000 + (weight.min(1000) - 900) * 10,
        Some(0) => 0,
        Some(index) => {
            let ((low, from), (high, to)) = (SCALE[index - 1], SCALE[index]);
            from * 100 + (to - from) * 100 * (weight - low) / (high - low)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_near_as_browsers_on_linux_see_them() {
        let distance = |a, b| weight_on_scale(a).abs_diff(weight_on_scale(b));
        assert!(distance(500, 400) < distance(500, 600));
        assert!(distance(600, 700) < distance(600, 500));
        assert!(distance(200, 250) < distance(200, 300));
        assert_eq!(distance(800, 700), distance(800, 900));
        assert!(weight_on_scale(0) <= weight_on_scale(1000));
        assert!(weight_on_scale(u16::MAX) >= weight_on_scale(950));
    }
}
