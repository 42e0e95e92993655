//! One font face: its metrics, its letters, and text shaped with it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use harfrust::{
    BufferClusterLevel, Direction, Feature, FontRef, Script, ShaperData, Tag, UnicodeBuffer,
};

/// A face of a font file.
pub(super) struct Face {
    /// Tells faces apart.
    pub(super) serial: u32,
    /// From the baseline up, in em.
    pub(super) ascent: f32,
    /// From the baseline down, in em.
    pub(super) descent: f32,
    /// Between lines, in em.
    pub(super) line_gap: f32,
    /// Whether its glyphs are pictures in colour.
    pub(super) is_colored: bool,
    /// Whether its outlines are made of cubic curves.
    pub(super) is_cubic: bool,
    data: Arc<Vec<u8>>,
    index: u32,
    shaper: ShaperData,
    units_per_em: f32,
}

/// A face as it is used: what it lacks in weight or slant is made up.
#[derive(Clone)]
pub(super) struct StyledFace {
    pub(super) face: Arc<Face>,
    /// Strokes are thickened.
    pub(super) is_emboldened: bool,
    /// Letters are skewed.
    pub(super) is_slanted: bool,
}

/// A glyph of a run, in em.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RunGlyph {
    pub(super) id: u16,
    /// Byte of the text that it begins to stand for.
    pub(super) cluster: usize,
    pub(super) advance: f32,
    pub(super) dx: f32,
    /// Upwards.
    pub(super) dy: f32,
}

/// What is shaped in one go.
pub(super) struct Run<'t> {
    /// The whole paragraph.
    pub(super) text: &'t str,
    pub(super) range: std::ops::Range<usize>,
    pub(super) is_rtl: bool,
    pub(super) script: unicode_script::Script,
    /// Whether letters may join into one glyph where they need not.
    pub(super) has_ligatures: bool,
    /// Whether digits are all as wide as each other.
    pub(super) has_even_digits: bool,
}

impl Face {
    pub(super) fn new(data: Arc<Vec<u8>>, index: u32) -> Option<Self> {
        static SERIAL: AtomicU32 = AtomicU32::new(0);
        let parsed = ttf_parser::Face::parse(&data, index).ok()?;
        let units = f32::from(parsed.units_per_em());
        let tables = parsed.tables();
        let is_colored = tables.cbdt.is_some() || tables.sbix.is_some();
        let is_cubic = tables.cff.is_some();
        let (ascent, descent) = (parsed.ascender(), parsed.descender());
        let line_gap = parsed.line_gap();
        let shaper = ShaperData::new(&FontRef::from_index(&data, index).ok()?);
        Some(Self {
            serial: SERIAL.fetch_add(1, Ordering::Relaxed),
            ascent: f32::from(ascent) / units,
            descent: -f32::from(descent) / units,
            line_gap: f32::from(line_gap).max(0.0) / units,
            is_colored,
            is_cubic,
            data,
            index,
            shaper,
            units_per_em: units,
        })
    }

    /// The face as its tables say.
    pub(super) fn parsed(&self) -> Option<ttf_parser::Face<'_>> {
        ttf_parser::Face::parse(&self.data, self.index).ok()
    }

    /// Whether every one of these characters has a glyph.
    pub(super) fn has(&self, mut characters: impl Iterator<Item = char>) -> bool {
        self.parsed()
            .is_some_and(|face| characters.all(|c| face.glyph_index(c).is_some()))
    }

    /// The glyph of a character, and its advance in em.
    pub(super) fn letter(&self, character: char) -> Option<(u16, f32)> {
        let face = self.parsed()?;
        let glyph = face.glyph_index(character)?;
        let advance = f32::from(face.glyph_hor_advance(glyph)?) / self.units_per_em;
        Some((glyph.0, advance))
    }

    /// The glyphs of a run in visual order.
    pub(super) fn shape(&self, run: &Run<'_>) -> Vec<RunGlyph> {
        let Ok(font) = FontRef::from_index(&self.data, self.index) else {
            return Vec::new();
        };
        let mut buffer = UnicodeBuffer::new();
        buffer.set_cluster_level(BufferClusterLevel::MonotoneGraphemes);
        for (at, character) in run.text[run.range.clone()].char_indices() {
            buffer.add(character, (run.range.start + at) as u32);
        }
        buffer.set_pre_context(&run.text[..run.range.start]);
        buffer.set_post_context(&run.text[run.range.end..]);
        buffer.set_direction(if run.is_rtl {
            Direction::RightToLeft
        } else {
            Direction::LeftToRight
        });
        let tag = run.script.short_name().as_bytes();
        if let Ok(tag) = <[u8; 4]>::try_from(tag)
            && let Some(script) = Script::from_iso15924_tag(Tag::new(&tag))
        {
            buffer.set_script(script);
        }
        let feature = |tag: &[u8; 4], value| Feature::new(Tag::new(tag), value, ..);
        let mut features = Vec::new();
        if !run.has_ligatures {
            features.extend([feature(b"liga", 0), feature(b"clig", 0)]);
        }
        if run.has_even_digits {
            features.push(feature(b"tnum", 1));
        }
        let shaped = self.shaper.shaper(&font).build().shape(buffer, &features);
        let em = |units: i32| units as f32 / self.units_per_em;
        let mut glyphs: Vec<RunGlyph> = shaped
            .glyph_infos()
            .iter()
            .zip(shaped.glyph_positions())
            .map(|(info, position)| RunGlyph {
                id: info.glyph_id as u16,
                cluster: info.cluster as usize,
                advance: em(position.x_advance),
                dx: em(position.x_offset),
                dy: em(position.y_offset),
            })
            .collect();
        if self.is_colored {
            self.widen_to_pictures(&mut glyphs);
        }
        glyphs
    }

    /// Pictures are as wide as their pixels say, not as the outlines they replace.
    fn widen_to_pictures(&self, glyphs: &mut [RunGlyph]) {
        let Some(face) = self.parsed() else { return };
        for glyph in glyphs.iter_mut().filter(|glyph| glyph.advance > 0.0) {
            if let Some(picture) = face.glyph_raster_image(ttf_parser::GlyphId(glyph.id), u16::MAX)
                && picture.pixels_per_em > 0
            {
                glyph.advance = f32::from(picture.width) / f32::from(picture.pixels_per_em);
            }
        }
    }

    /// Ascent and descent at a size, in whole pixels as browsers count them.
    pub(super) fn extent(&self, size: f32) -> (f32, f32) {
        ((self.ascent * size).round(), (self.descent * size).round())
    }

    /// An advance in em at a size, as precise as browsers on Linux have it: in 65536ths of a pixel, by a scale that is
    /// rounded itself. Sums that would meet a 64th exactly then lie beyond it or not, as theirs do.
    pub(super) fn advance_at(&self, advance: f32, size: f32) -> f32 {
        const FIXED: f64 = 65536.0;
        const PER_PIXEL: f64 = 64.0;
        if self.is_colored {
            return advance * size;
        }
        let per_em = f64::from(self.units_per_em);
        let units = (f64::from(advance) * per_em).round();
        let scale = (f64::from(size) * PER_PIXEL * FIXED / per_em).round();
        ((units * scale / PER_PIXEL).round() / FIXED) as f32
    }

    pub(super) fn units_per_em(&self) -> f32 {
        self.units_per_em
    }
}
