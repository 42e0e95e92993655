//! Gradients, worked out for each pixel.

use kinora_composition::css::{GradientLine, GradientOnBox};
use kinora_composition::timeline::Affine;

use crate::raster::premultiplied;

/// A gradient that can be asked for the colours of pixels.
pub(in crate::layers) struct GradientSource {
    line: Line,
    ramp: Ramp,
    /// From pixels to the gradient's box.
    to_box: Affine,
    /// Width and height after which the box is repeated; 0 where it is not.
    tile: (f32, f32),
}

/// Where along a gradient a point of its box lies.
enum Line {
    /// Factors of x and y, and an offset.
    Linear(f32, f32, f32),
    /// Centre, and factors of the distances from it.
    Radial((f32, f32), (f32, f32)),
    /// Centre, and where offset 0 lies in turns.
    Conic((f32, f32), f32),
    /// Everything lies beyond the end.
    Beyond,
}

impl GradientSource {
    /// A gradient on a box that `map` brings to pixels; `tile` is what the box is repeated after,
    /// 0 where it is not.
    pub(in crate::layers) fn new(
        gradient: &GradientOnBox,
        map: Affine,
        tile: (f32, f32),
    ) -> Option<Self> {
        let line = match gradient.line {
            GradientLine::Linear { from, to } => {
                let (dx, dy) = (to.0 - from.0, to.1 - from.1);
                let square = dx * dx + dy * dy;
                if square > 0.0 && square.is_finite() {
                    let (x, y) = (dx / square, dy / square);
                    Line::Linear(x, y, -(from.0 * x + from.1 * y))
                } else {
                    Line::Beyond
                }
            }
            GradientLine::Radial { center, radius } => {
                /// Ellipses flatter than this have no inside.
                const THIN: f32 = 1e-4;
                if radius.0 > THIN && radius.1 > THIN {
                    Line::Radial(center, (1.0 / radius.0, 1.0 / radius.1))
                } else {
                    Line::Beyond
                }
            }
            GradientLine::Conic { center, from } => Line::Conic(center, from / 360.0),
        };
        Some(Self {
            line,
            ramp: Ramp::new(gradient)?,
            to_box: map.inverse()?,
            tile,
        })
    }

    /// Writes premultiplied colours of a row of pixels, from the given one on.
    pub(in crate::layers) fn row(&self, (x, y): (usize, usize), colors: &mut [[f32; 4]]) {
        let wrap = |value: f32, tile: f32| {
            if tile > 0.0 {
                value.rem_euclid(tile)
            } else {
                value
            }
        };
        let Affine { a, b, .. } = self.to_box;
        let (start_x, start_y) = self.to_box.apply(x as f32 + 0.5, y as f32 + 0.5);
        let mut segment = 0;
        for (index, color) in colors.iter_mut().enumerate() {
            let step = index as f32;
            let x = wrap(start_x + a * step, self.tile.0);
            let y = wrap(start_y + b * step, self.tile.1);
            *color = self.ramp.color(self.line.at(x, y), &mut segment);
        }
    }
}

impl Line {
    fn at(&self, x: f32, y: f32) -> f32 {
        match *self {
            // A hair more: where a hard edge meets the middle of a pixel, what follows it is seen.
            Self::Linear(fx, fy, offset) => x * fx + y * fy + offset + 1e-6,
            Self::Radial((cx, cy), (fx, fy)) => {
                let (x, y) = ((x - cx) * fx, (y - cy) * fy);
                (x * x + y * y).sqrt()
            }
            Self::Conic((cx, cy), from) => {
                let turns = (x - cx).atan2(cy - y) / std::f32::consts::TAU;
                (turns - from).rem_euclid(1.0)
            }
            Self::Beyond => f32::INFINITY,
        }
    }
}

/// The colours along a gradient.
struct Ramp {
    /// Between stops, in ascending order, and beyond the ends.
    segments: Vec<Segment>,
    /// First offset and length of what is repeated.
    repeats: Option<(f32, f32)>,
}

/// A stretch of a ramp, from its start to that of the next one: colour = base + slope · offset.
#[derive(Clone, Copy)]
struct Segment {
    start: f32,
    base: [f32; 4],
    slope: [f32; 4],
}

impl Segment {
    fn flat(start: f32, color: [f32; 4]) -> Self {
        Self {
            start,
            base: color,
            slope: [0.0; 4],
        }
    }
}

impl Ramp {
    fn new(gradient: &GradientOnBox) -> Option<Self> {
        let stops: Vec<(f32, [f32; 4])> = gradient
            .stops
            .iter()
            .filter(|(at, _)| !at.is_nan())
            .map(|(at, color)| (*at, premultiplied(*color)))
            .collect();
        let (first, last) = (*stops.first()?, *stops.last()?);
        let length = last.0 - first.0;
        if gradient.repeating && !(length > 0.0 && length.is_finite()) {
            // Repeating nothing shows the last colour.
            return Some(Self {
                segments: vec![Segment::flat(f32::NEG_INFINITY, last.1)],
                repeats: None,
            });
        }
        let mut segments = vec![Segment::flat(f32::NEG_INFINITY, first.1)];
        for pair in stops.windows(2) {
            let ((from, start), (to, end)) = (pair[0], pair[1]);
            if to > from {
                let slope: [f32; 4] = std::array::from_fn(|i| (end[i] - start[i]) / (to - from));
                let base = std::array::from_fn(|i| start[i] - slope[i] * from);
                segments.push(Segment {
                    start: from,
                    base,
                    slope,
                });
            }
        }
        segments.push(Segment::flat(last.0, last.1));
        Some(Self {
            segments,
            repeats: gradient.repeating.then_some((first.0, length)),
        })
    }

    /// The colour at an offset. `segment` is where the last one was found: neighbours are quick.
    fn color(&self, offset: f32, segment: &mut usize) -> [f32; 4] {
        let offset = match self.repeats {
            Some((first, length)) => first + (offset - first).rem_euclid(length),
            None => offset,
        };
        let holds = |index: usize| {
            self.segments[index].start <= offset
                && self
                    .segments
                    .get(index + 1)
                    .is_none_or(|next| offset < next.start)
        };
        if !holds(*segment) {
            let after = self.segments.partition_point(|s| s.start <= offset);
            *segment = after.saturating_sub(1);
        }
        let Segment { base, slope, .. } = self.segments[*segment];
        if slope == [0.0; 4] {
            return base;
        }
        std::array::from_fn(|i| (base[i] + slope[i] * offset).clamp(0.0, 1.0))
    }
}
