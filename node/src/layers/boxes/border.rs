//! Borders: rings between two outlines, shared out among the sides.

use kinora_composition::css::{Border, BorderSide, BorderStyle, Color};
use tiny_skia::{Path, PathBuilder};

use super::dashes;
use super::model::BoxModel;
use super::outline::RoundedBox;
use crate::layers::easel::Easel;
use crate::raster::{Mask, Rule, paint_color, paint_rows, premultiplied};

/// Paints a border, side by side or in one where all sides are alike. It reaches `beyond` the outer
/// edge where that is cut off later.
pub(in crate::layers) fn paint(easel: &mut Easel, border: &Border, model: &BoxModel, beyond: f32) {
    let sides = border.sides().map(plain);
    let is_seen = |side: &BorderSide| side.width > 0.0 && side.color.a > 0.0;
    if !sides.iter().any(is_seen) {
        return;
    }
    // A line of its own is drawn only where all sides ask for it: they meet without a seam.
    for style in STYLES {
        let here = sides.map(|side| is_seen(&side) && side.style == style);
        if !here.contains(&true) {
            continue;
        }
        match style {
            BorderStyle::Dashed | BorderStyle::Dotted => {
                dashes::paint(easel, sides, here, model);
            }
            _ => {
                for stripe in stripes(style) {
                    let colors = std::array::from_fn(|side| {
                        here[side].then(|| stripe_color(stripe, side, sides[side].color))
                    });
                    paint_stripe(easel, sides, model, (stripe, beyond), colors);
                }
            }
        }
    }
}

const STYLES: [BorderStyle; 8] = [
    BorderStyle::Solid,
    BorderStyle::Double,
    BorderStyle::Groove,
    BorderStyle::Ridge,
    BorderStyle::Inset,
    BorderStyle::Outset,
    BorderStyle::Dashed,
    BorderStyle::Dotted,
];

/// A side as it is drawn: lines that are too thin for their style are solid.
fn plain(side: BorderSide) -> BorderSide {
    let is_thin = match side.style {
        BorderStyle::Double => side.width < 3.0,
        BorderStyle::Groove | BorderStyle::Ridge => side.width < 2.0,
        _ => false,
    };
    BorderSide {
        style: match side.style {
            BorderStyle::Double if is_thin => BorderStyle::Solid,
            BorderStyle::Groove if is_thin => BorderStyle::Inset,
            BorderStyle::Ridge if is_thin => BorderStyle::Outset,
            style => style,
        },
        ..side
    }
}

/// A part of a border's width, and how it is shaded.
#[derive(Clone, Copy)]
struct Stripe {
    part: Part,
    shade: Shade,
}

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Whole,
    OuterThird,
    InnerThird,
    OuterHalf,
    InnerHalf,
}

#[derive(Clone, Copy, PartialEq)]
enum Shade {
    Flat,
    /// Light falls from the top left onto what lies deeper.
    Sunken,
    /// Light falls from the top left onto what lies higher.
    Raised,
}

fn stripes(style: BorderStyle) -> Vec<Stripe> {
    let stripe = |part, shade| Stripe { part, shade };
    match style {
        BorderStyle::Double => vec![
            stripe(Part::OuterThird, Shade::Flat),
            stripe(Part::InnerThird, Shade::Flat),
        ],
        BorderStyle::Groove => vec![
            stripe(Part::OuterHalf, Shade::Sunken),
            stripe(Part::InnerHalf, Shade::Raised),
        ],
        BorderStyle::Ridge => vec![
            stripe(Part::OuterHalf, Shade::Raised),
            stripe(Part::InnerHalf, Shade::Sunken),
        ],
        BorderStyle::Inset => vec![stripe(Part::Whole, Shade::Sunken)],
        BorderStyle::Outset => vec![stripe(Part::Whole, Shade::Raised)],
        BorderStyle::Solid | BorderStyle::Dashed | BorderStyle::Dotted => {
            vec![stripe(Part::Whole, Shade::Flat)]
        }
    }
}

impl Part {
    /// Where the part starts and ends on a side of this width, from the outer edge on.
    fn span(self, width: f32) -> (f32, f32) {
        // Thirds and halves are whole pixels, and the outer and inner third alike.
        let third = ((width + 1.0) / 3.0).floor();
        let half = (width / 2.0).floor();
        match self {
            Self::Whole => (0.0, width),
            Self::OuterThird => (0.0, third),
            Self::InnerThird => (width - third, width),
            Self::OuterHalf => (0.0, half),
            Self::InnerHalf => (half, width),
        }
    }
}

/// The colour of a stripe on a side: 0 is the top, then clockwise.
fn stripe_color(stripe: Stripe, side: usize, color: Color) -> Color {
    let is_lit = match stripe.shade {
        Shade::Flat => return color,
        Shade::Sunken => side == 1 || side == 2,
        Shade::Raised => side == 0 || side == 3,
    };
    // What is nearly black has no darker shade: both of its shades are lighter.
    match (is_lit, is_nearly_black(color)) {
        (false, false) => shaded(color, -SHADE),
        (false, true) => shaded(color, SHADE),
        (true, true) => shaded(shaded(color, SHADE), SHADE),
        (true, false) if is_nearly_white(color) => color,
        (true, false) => shaded(color, SHADE),
    }
}

/// How much lighter and darker the sides are that light falls on or not.
const SHADE: f32 = 0.33;

fn is_nearly_white(color: Color) -> bool {
    const NEAR: f32 = 235.0 / 255.0;
    let off = |c: f32| (1.0 - c).powi(2);
    off(color.r) + off(color.g) + off(color.b) < 3.0 * off(NEAR) - 1e-6
}

fn is_nearly_black(color: Color) -> bool {
    const NEAR: f32 = 32.0 / 255.0;
    let square = |c: f32| c * c;
    square(color.r) + square(color.g) + square(color.b) <= 3.0 * square(NEAR) + 1e-6
}

/// A colour whose strongest component is changed by so much, the others in proportion.
fn shaded(color: Color, by: f32) -> Color {
    let strongest = color.r.max(color.g).max(color.b);
    let target = (strongest + by).clamp(0.0, 1.0);
    if strongest <= 0.0 {
        return Color {
            r: target,
            g: target,
            b: target,
            ..color
        };
    }
    let factor = target / strongest;
    Color {
        r: color.r * factor,
        g: color.g * factor,
        b: color.b * factor,
        ..color
    }
}

/// Paints a stripe in the colours of its sides; a side without a colour is left out.
fn paint_stripe(
    easel: &mut Easel,
    sides: [BorderSide; 4],
    model: &BoxModel,
    (stripe, beyond): (Stripe, f32),
    colors: [Option<Color>; 4],
) {
    let spans = sides.map(|side| stripe.part.span(side.width));
    let outer = model.border.inset(spans.map(|(from, to)| {
        if from <= 0.0 && to > 0.0 {
            -beyond
        } else {
            from
        }
    }));
    let inner = model.border.inset(spans.map(|(_, to)| to));
    let ring = outer
        .ring(&inner, easel.map)
        .and_then(|ring| easel.mask_by(&ring, Rule::EvenOdd));
    let Some(ring) = ring else {
        return;
    };
    let used = sides.map(|side| side.width > 0.0);
    let mut seen = colors.iter().zip(used).filter(|(_, used)| *used);
    let first = seen.next().and_then(|(color, _)| *color);
    if first.is_some() && seen.all(|(color, _)| *color == first) {
        if let Some(color) = first {
            paint_color(&mut easel.pixmap, &ring, color);
        }
        return;
    }
    let wedges = wedges(&model.border, sides.map(|side| side.width));
    let wedges: Vec<(Mask, [f32; 4])> = wedges
        .iter()
        .zip(colors)
        .filter_map(|(wedge, color)| {
            let mask = easel.mask(wedge.as_ref()?)?;
            Some((mask, premultiplied(color?)))
        })
        .collect();
    // Where two sides meet in a pixel, each has its share of it: nothing shines through between.
    paint_rows(&mut easel.pixmap, &ring, |(x, y), row| {
        row.fill([0.0; 4]);
        for (mask, color) in &wedges {
            let Some(coverage) = mask.row(y) else {
                continue;
            };
            for (index, to) in row.iter_mut().enumerate() {
                let at = (x + index).checked_sub(mask.left);
                let Some(share) = at.and_then(|at| coverage.get(at)) else {
                    continue;
                };
                let share = f32::from(*share) / 255.0;
                for (to, color) in to.iter_mut().zip(color) {
                    *to += color * share;
                }
            }
        }
        for color in row {
            *color = color.map(|channel| channel.min(1.0));
        }
    });
}

/// The part of a box that belongs to each side: the points that are nearer to it than to any other,
/// counted in widths of the sides.
pub(super) fn wedges(border: &RoundedBox, widths: [f32; 4]) -> [Option<Path>; 4] {
    const MARGIN: f32 = 4.0;
    let [left, top, right, bottom] = border.rect();
    // Distances to the top, right, bottom and left side: factors of x and y, and an offset.
    let distances = [
        (0.0, 1.0, -top),
        (-1.0, 0.0, right),
        (0.0, -1.0, bottom),
        (1.0, 0.0, -left),
    ];
    std::array::from_fn(|side| {
        if widths[side] <= 0.0 {
            return None;
        }
        // A little more than the box, so that its own edges are not counted twice.
        let mut polygon = vec![
            (left - MARGIN, top - MARGIN),
            (right + MARGIN, top - MARGIN),
            (right + MARGIN, bottom + MARGIN),
            (left - MARGIN, bottom + MARGIN),
        ];
        for other in 0..4 {
            if other == side || widths[other] <= 0.0 {
                continue;
            }
            let (ax, ay, a) = distances[side];
            let (bx, by, b) = distances[other];
            let (wa, wb) = (widths[side], widths[other]);
            let farther =
                |(x, y): (f32, f32)| (bx * x + by * y + b) * wa - (ax * x + ay * y + a) * wb;
            polygon = clipped(&polygon, farther);
        }
        let mut path = PathBuilder::new();
        for (index, (x, y)) in polygon.iter().enumerate() {
            if index == 0 {
                path.move_to(*x, *y);
            } else {
                path.line_to(*x, *y);
            }
        }
        path.close();
        path.finish()
    })
}

/// The part of a convex polygon where a linear function is not negative.
fn clipped(polygon: &[(f32, f32)], value: impl Fn((f32, f32)) -> f32) -> Vec<(f32, f32)> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (index, &from) in polygon.iter().enumerate() {
        let to = polygon[(index + 1) % polygon.len()];
        let (a, b) = (value(from), value(to));
        if a >= 0.0 {
            kept.push(from);
        }
        if (a < 0.0) != (b < 0.0) {
            let t = a / (a - b);
            kept.push((from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t));
        }
    }
    kept
}
