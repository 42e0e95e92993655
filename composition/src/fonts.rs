//! What is known of fonts without drawing them: families, their faces, and how wide letters are.

/// What text is set in unless it says otherwise, and what `sans-serif` stands for.
pub const SANS: &str = "Inter";
/// What `serif` stands for.
pub const SERIF: &str = "Noto Serif";
/// What `monospace` stands for.
pub const MONOSPACE: &str = "JetBrains Mono";
/// What emoji are drawn with.
pub const EMOJI: &str = "Noto Color Emoji";

/// The family of ours that a generic name stands for, in whatever case.
pub fn generic(name: &str) -> Option<&'static str> {
    match name.to_ascii_lowercase().as_str() {
        "sans-serif" | "system-ui" | "ui-sans-serif" => Some(SANS),
        "serif" | "ui-serif" => Some(SERIF),
        "monospace" | "ui-monospace" => Some(MONOSPACE),
        "emoji" => Some(EMOJI),
        _ => None,
    }
}

/// The fonts that a render will find. Whoever reads font files implements it.
pub trait Fonts: Send + Sync {
    /// The family of this name, in whatever case; generic names like `sans-serif` stand for ours.
    fn family(&self, name: &str) -> Option<&FontFamily>;
}

/// A family and its faces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FontFamily {
    /// The name in its own spelling.
    pub name: String,
    /// One for each weight and slant.
    pub faces: Vec<FontFace>,
}

/// One weight and slant of a family.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FontFace {
    /// 1 to 1000.
    pub weight: u16,
    /// Whether it slants.
    pub italic: bool,
    /// Mean advance over typical prose, spaces included, in em.
    pub average_width: f32,
    /// Advances of single characters.
    pub widths: CharWidths,
}

/// Advances in em by character.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CharWidths(Vec<(char, f32)>);

impl FromIterator<(char, f32)> for CharWidths {
    fn from_iter<I: IntoIterator<Item = (char, f32)>>(widths: I) -> Self {
        let mut widths: Vec<_> = widths.into_iter().collect();
        widths.sort_by_key(|(character, _)| *character);
        widths.dedup_by_key(|(character, _)| *character);
        widths.shrink_to_fit();
        Self(widths)
    }
}

impl CharWidths {
    /// The advance of a character in em, if it is known.
    pub fn get(&self, character: char) -> Option<f32> {
        self.0
            .binary_search_by_key(&character, |(known, _)| *known)
            .ok()
            .map(|index| self.0[index].1)
    }
}

impl FontFace {
    /// The advance of a character in em; the average where the face lacks it.
    pub fn advance(&self, character: char) -> f32 {
        self.widths.get(character).unwrap_or(self.average_width)
    }
}

impl FontFamily {
    /// The face that CSS font matching picks: the slant first, then the nearest weight.
    pub fn nearest_face(&self, weight: u16, italic: bool) -> Option<&FontFace> {
        self.faces
            .iter()
            .min_by_key(|face| (face.italic != italic, weight_distance(weight, face.weight)))
    }

    /// The weights of one slant, lightest first.
    pub fn weights(&self, italic: bool) -> Vec<u16> {
        let mut weights: Vec<u16> = self
            .faces
            .iter()
            .filter(|face| face.italic == italic)
            .map(|face| face.weight)
            .collect();
        weights.sort_unstable();
        weights.dedup();
        weights
    }
}

/// How far a weight is from the wanted one, as CSS ranks them: from 400 to 500 heavier ones up to 500
/// come first, otherwise lighter ones for light text and heavier ones for heavy text.
fn weight_distance(wanted: u16, found: u16) -> (u8, u16) {
    let gap = wanted.abs_diff(found);
    let rank = match wanted {
        400..=500 if (wanted..=500).contains(&found) => 0,
        400..=500 if found < wanted => 1,
        400..=500 => 2,
        0..400 if found <= wanted => 0,
        501.. if found >= wanted => 0,
        _ => 1,
    };
    (rank, gap)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Fonts for tests: Inter in three weights with italics of the regular one, and a slab of one face.
    pub(crate) struct TestFonts(Vec<FontFamily>);

    impl TestFonts {
        pub(crate) fn new() -> Self {
            let face = |weight, italic, factor: f32| FontFace {
                weight,
                italic,
                average_width: 0.5 * factor,
                widths: LETTERS
                    .iter()
                    .map(|(letter, width)| (*letter, width * factor))
                    .collect(),
            };
            Self(vec![
                FontFamily {
                    name: "Inter".into(),
                    faces: vec![
                        face(400, false, 1.0),
                        face(400, true, 1.0),
                        face(700, false, 1.06),
                        face(900, false, 1.1),
                    ],
                },
                FontFamily {
                    name: "Slab One".into(),
                    faces: vec![face(400, false, 1.2)],
                },
            ])
        }
    }

    impl Fonts for TestFonts {
        fn family(&self, name: &str) -> Option<&FontFamily> {
            let name = if name.eq_ignore_ascii_case("sans-serif") {
                "Inter"
            } else {
                name
            };
            self.0
                .iter()
                .find(|family| family.name.eq_ignore_ascii_case(name))
        }
    }

    /// Widths like those of a real sans-serif, so that prose averages half an em.
    const LETTERS: &[(char, f32)] = &[
        (' ', 0.28),
        ('a', 0.56),
        ('b', 0.61),
        ('c', 0.56),
        ('d', 0.62),
        ('e', 0.58),
        ('f', 0.36),
        ('g', 0.61),
        ('h', 0.59),
        ('i', 0.24),
        ('j', 0.24),
        ('k', 0.55),
        ('l', 0.24),
        ('m', 0.87),
        ('n', 0.59),
        ('o', 0.60),
        ('p', 0.61),
        ('q', 0.61),
        ('r', 0.38),
        ('s', 0.53),
        ('t', 0.36),
        ('u', 0.59),
        ('v', 0.55),
        ('w', 0.81),
        ('x', 0.54),
        ('y', 0.55),
        ('z', 0.54),
        ('W', 0.98),
        ('.', 0.28),
        (',', 0.28),
        ('A', 0.68),
        ('E', 0.59),
        ('O', 0.76),
        ('S', 0.63),
        ('T', 0.64),
    ];

    #[test]
    fn an_unknown_character_is_of_average_width() {
        let face = &TestFonts::new().0[0].faces[0];
        assert_eq!(face.advance('W'), 0.98);
        assert_eq!(face.advance('字'), 0.5);
    }

    #[test]
    fn the_nearest_face_is_the_one_that_css_picks() {
        let family = |weights: &[u16]| FontFamily {
            name: "x".into(),
            faces: weights
                .iter()
                .map(|weight| FontFace {
                    weight: *weight,
                    ..FontFace::default()
                })
                .collect(),
        };
        for (weights, wanted, used) in [
            (&[400, 700][..], 600, 700),
            (&[400, 700], 500, 400),
            (&[400, 500, 700], 450, 500),
            (&[300, 700], 400, 300),
            (&[700, 900], 400, 700),
            (&[300, 700], 200, 300),
            (&[100, 300], 200, 100),
            (&[400], 900, 400),
        ] {
            let family = family(weights);
            let face = family.nearest_face(wanted, false);
            assert_eq!(face.map(|face| face.weight), Some(used), "{wanted}");
        }
        let fonts = TestFonts::new();
        let inter = fonts.family("inter").expect("there");
        let face = inter.nearest_face(900, true).expect("there");
        assert_eq!((face.weight, face.italic), (400, true));
        assert_eq!(inter.weights(false), [400, 700, 900]);
        assert!(FontFamily::default().nearest_face(400, false).is_none());
    }
}
