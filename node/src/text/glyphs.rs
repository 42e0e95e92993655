//! Glyphs as coverage: outlines filled under a map, kept for the next time.

use std::collections::HashMap;
use std::sync::Arc;

use kinora_composition::timeline::Affine;
use ttf_parser::{GlyphId, OutlineBuilder};
use zeno::{Command, Mask, PathBuilder, Stroke, Transform, Vector};

use super::face::StyledFace;

/// Skew of letters that have no slanted face.
const SLANT: f32 = 0.25;
/// Glyphs are kept up to this many bytes of coverage.
const MOST_KEPT: usize = 32 << 20;
/// Points of kept outlines lie nearer than this, in pixels.
const FARTHEST: f32 = 10_000.0;

/// How much of each pixel a glyph covers.
pub(super) struct GlyphMask {
    /// From the glyph's origin, in whole pixels.
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) width: usize,
    pub(super) coverage: Vec<u8>,
}

/// A glyph at a size, under a map, at a quarter of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    face: u32,
    id: u16,
    is_emboldened: bool,
    is_slanted: bool,
    size: u32,
    map: [u32; 4],
    quarter: (u8, u8),
}

/// Glyphs drawn so far.
#[derive(Default)]
pub(super) struct GlyphCache {
    masks: HashMap<Key, Option<Arc<GlyphMask>>>,
    bytes: usize,
}

impl GlyphCache {
    /// A glyph whose origin lies so many quarters of a pixel right of and below a whole one.
    pub(super) fn mask(
        &mut self,
        face: &StyledFace,
        id: u16,
        size: f32,
        map: Affine,
        quarter: (u8, u8),
    ) -> Option<Arc<GlyphMask>> {
        let key = Key {
            face: face.face.serial,
            id,
            is_emboldened: face.is_emboldened,
            is_slanted: face.is_slanted,
            size: size.to_bits(),
            map: [map.a, map.b, map.c, map.d].map(f32::to_bits),
            quarter,
        };
        if let Some(mask) = self.masks.get(&key) {
            return mask.clone();
        }
        let at = (f32::from(quarter.0) / 4.0, f32::from(quarter.1) / 4.0);
        let map = Affine {
            e: at.0,
            f: at.1,
            ..map
        };
        let mask = fill(face, id, size, map).map(Arc::new);
        if self.bytes > MOST_KEPT {
            self.masks.clear();
            self.bytes = 0;
        }
        self.bytes += 128 + mask.as_ref().map_or(0, |mask| mask.coverage.len());
        self.masks.insert(key, mask.clone());
        mask
    }
}

/// Fills the outline of a glyph. `map` leads from pixels at the font size, with the glyph's origin as
/// theirs, to the picture.
fn fill(face: &StyledFace, id: u16, size: f32, map: Affine) -> Option<GlyphMask> {
    let mut outline = outline(face, id, size)?;
    if [map.a, map.b, map.c, map.d] == [1.0, 0.0, 0.0, 1.0] && !face.is_slanted {
        put_on_grid(&mut outline, face.face.is_cubic);
    }
    let is_near = |command: &Command| {
        points(command).all(|point| {
            let (x, y) = map.apply(point.x, point.y);
            x.abs() < FARTHEST && y.abs() < FARTHEST
        })
    };
    if outline.is_empty() || !outline.iter().all(is_near) {
        return None;
    }
    let transform = Transform::new(map.a, map.b, map.c, map.d, map.e, map.f);
    let draw = |style: zeno::Style<'_>| {
        let mut mask = Mask::new(outline.as_slice());
        mask.transform(Some(transform)).style(style);
        let (coverage, placement) = mask.render();
        GlyphMask {
            left: placement.left,
            top: placement.top,
            width: placement.width as usize,
            coverage,
        }
    };
    let mask = draw(zeno::Fill::NonZero.into());
    if !face.is_emboldened {
        return Some(mask);
    }
    let mut around = draw(Stroke::new(extra_weight(size)).into());
    around.add(&mask);
    Some(around)
}

/// Puts points on 64ths of pixels, as font engines do: outlines of cubic curves are cut off there,
/// others rounded.
fn put_on_grid(outline: &mut [Command], is_cubic: bool) {
    const GRID: f32 = 64.0;
    let place = |point: &mut Vector| {
        let nearest = if is_cubic { 0.0 } else { 0.5 };
        point.x = (point.x * GRID + nearest).floor() / GRID;
        // Heights count upwards.
        point.y = -(-point.y * GRID + nearest).floor() / GRID;
    };
    for command in outline {
        match command {
            Command::MoveTo(p) | Command::LineTo(p) => place(p),
            Command::QuadTo(p, q) => [p, q].into_iter().for_each(place),
            Command::CurveTo(p, q, r) => [p, q, r].into_iter().for_each(place),
            Command::Close => {}
        }
    }
}

/// By how much strokes grow in all to look bold: more, relatively, in small text.
fn extra_weight(size: f32) -> f32 {
    let share = ((size - 9.0) / (36.0 - 9.0)).clamp(0.0, 1.0);
    size * (1.0 / 24.0 + (1.0 / 32.0 - 1.0 / 24.0) * share)
}

impl GlyphMask {
    /// Adds what another mask covers.
    fn add(&mut self, other: &Self) {
        if self.width == 0 || other.width == 0 {
            return;
        }
        let height = self.coverage.len() / self.width;
        for (y, row) in other.coverage.chunks_exact(other.width).enumerate() {
            let y = other.top + y as i32 - self.top;
            if y < 0 || y as usize >= height {
                continue;
            }
            let own = &mut self.coverage[y as usize * self.width..][..self.width];
            let shift = other.left - self.left;
            for (x, coverage) in row.iter().enumerate() {
                let x = x as i32 + shift;
                if let Ok(x) = usize::try_from(x)
                    && let Some(own) = own.get_mut(x)
                {
                    *own = (*own).max(*coverage);
                }
            }
        }
    }
}

/// The outline of a glyph in pixels at a font size, downwards from its origin on the baseline.
pub(super) fn outline(face: &StyledFace, id: u16, size: f32) -> Option<Vec<Command>> {
    let parsed = face.face.parsed()?;
    let mut sink = Sink {
        scale: size / face.face.units_per_em(),
        slant: if face.is_slanted { SLANT } else { 0.0 },
        commands: Vec::new(),
    };
    parsed.outline_glyph(GlyphId(id), &mut sink)?;
    Some(sink.commands)
}

/// The outlines of a glyph as paths to fill: one, and another around it where strokes are thickened.
pub(super) fn paths(face: &StyledFace, id: u16, size: f32) -> Vec<tiny_skia::Path> {
    let mut path = tiny_skia::PathBuilder::new();
    for command in outline(face, id, size).unwrap_or_default() {
        match command {
            Command::MoveTo(p) => path.move_to(p.x, p.y),
            Command::LineTo(p) => path.line_to(p.x, p.y),
            Command::QuadTo(p, q) => path.quad_to(p.x, p.y, q.x, q.y),
            Command::CurveTo(p, q, r) => path.cubic_to(p.x, p.y, q.x, q.y, r.x, r.y),
            Command::Close => path.close(),
        }
    }
    let Some(path) = path.finish() else {
        return Vec::new();
    };
    let stroke = tiny_skia::Stroke {
        width: extra_weight(size),
        ..tiny_skia::Stroke::default()
    };
    let around = (face.is_emboldened)
        .then(|| path.stroke(&stroke, 1.0))
        .flatten();
    [Some(path), around].into_iter().flatten().collect()
}

/// The points that a command names.
fn points(command: &Command) -> impl Iterator<Item = Vector> + use<> {
    let (points, count) = match *command {
        Command::MoveTo(p) | Command::LineTo(p) => ([p; 3], 1),
        Command::QuadTo(p, q) => ([p, q, q], 2),
        Command::CurveTo(p, q, r) => ([p, q, r], 3),
        Command::Close => ([Vector::ZERO; 3], 0),
    };
    points.into_iter().take(count)
}

struct Sink {
    scale: f32,
    slant: f32,
    commands: Vec<Command>,
}

impl Sink {
    fn point(&self, x: f32, y: f32) -> Vector {
        Vector::new((x + self.slant * y) * self.scale, -y * self.scale)
    }
}

impl OutlineBuilder for Sink {
    fn move_to(&mut self, x: f32, y: f32) {
        let to = self.point(x, y);
        self.commands.move_to(to);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let to = self.point(x, y);
        self.commands.line_to(to);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (control, to) = (self.point(x1, y1), self.point(x, y));
        self.commands.quad_to(control, to);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (first, second) = (self.point(x1, y1), self.point(x2, y2));
        let to = self.point(x, y);
        self.commands.curve_to(first, second, to);
    }

    fn close(&mut self) {
        self.commands.close();
    }
}
