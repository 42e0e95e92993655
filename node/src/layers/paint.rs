//! Colours and gradients on vector paths, by tiny-skia.

use kinora_composition::css::{Color, Gradient, GradientLine, Radii};
use tiny_skia::{
    FillRule, GradientStop, LinearGradient, Paint, Path, PathBuilder, Pixmap, Point,
    RadialGradient, Rect, Shader, SpreadMode, SweepGradient, Transform,
};

/// Fills a path with a gradient, or with a colour where there is none.
pub(super) fn fill(
    pixmap: &mut Pixmap,
    path: &Path,
    color: Color,
    gradient: Option<(&Gradient, Rect)>,
    map: Transform,
) {
    let shader = gradient
        .and_then(|(gradient, area)| gradient_shader(gradient, area))
        .unwrap_or_else(|| Shader::SolidColor(skia_color(color)));
    let paint = Paint {
        shader,
        anti_alias: true,
        ..Paint::default()
    };
    pixmap.fill_path(path, &paint, FillRule::Winding, map, None);
}

pub(super) fn skia_color(color: Color) -> tiny_skia::Color {
    let [r, g, b, a] = [color.r, color.g, color.b, color.a].map(|c| c.clamp(0.0, 1.0));
    tiny_skia::Color::from_rgba(r, g, b, a).unwrap_or(tiny_skia::Color::TRANSPARENT)
}

fn gradient_shader(gradient: &Gradient, area: Rect) -> Option<Shader<'static>> {
    let laid_out = gradient.on_box(area.width(), area.height());
    let origin = Transform::from_translate(area.x(), area.y());
    let (Some(first), Some(last)) = (laid_out.stops.first(), laid_out.stops.last()) else {
        return None;
    };
    // Offsets are brought into 0 to 1 by moving the ends of the line.
    let (low, high) = if laid_out.repeating {
        (first.0, last.0)
    } else {
        (first.0.min(0.0), last.0.max(1.0))
    };
    let span = high - low;
    if span <= 0.0 {
        return Some(Shader::SolidColor(skia_color(last.1)));
    }
    let stops = smooth(&laid_out.stops)
        .into_iter()
        .map(|(at, color)| GradientStop::new((at - low) / span, skia_color(color)))
        .collect();
    let mode = if laid_out.repeating {
        SpreadMode::Repeat
    } else {
        SpreadMode::Pad
    };
    match laid_out.line {
        GradientLine::Linear { from, to } => {
            let at =
                |t: f32| Point::from_xy(from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t);
            LinearGradient::new(at(low), at(high), stops, mode, origin)
        }
        GradientLine::Radial { center, radius } => {
            let (rx, ry) = (radius.0.max(1e-3), radius.1.max(1e-3));
            let squash = origin
                .pre_translate(center.0, center.1)
                .pre_scale(1.0, ry / rx);
            let zero = Point::from_xy(0.0, 0.0);
            RadialGradient::new(zero, 0.0, zero, rx * high.max(1e-3), stops, mode, squash)
        }
        GradientLine::Conic { center, from } => {
            let at = Point::from_xy(center.0, center.1);
            let turned = origin.pre_concat(Transform::from_rotate_at(from - 90.0, at.x, at.y));
            SweepGradient::new(at, low * 360.0, high * 360.0, stops, mode, turned)
        }
    }
}

/// CSS mixes with premultiplied alpha and tiny-skia without: where alpha changes, more stops
/// follow the CSS curve.
fn smooth(stops: &[(f32, Color)]) -> Vec<(f32, Color)> {
    const STEPS: u8 = 16;
    let mut smoothed = Vec::with_capacity(stops.len());
    for (index, &(at, color)) in stops.iter().enumerate() {
        if let Some(&(before, from)) = index.checked_sub(1).and_then(|i| stops.get(i))
            && from.a != color.a
        {
            for step in 1..STEPS {
                let t = f32::from(step) / f32::from(STEPS);
                smoothed.push((before + (at - before) * t, from.mixed(color, t)));
            }
        }
        smoothed.push((at, color));
    }
    smoothed
}

/// The outline of a box with rounded corners.
pub(super) fn rounded_box(x: f32, y: f32, width: f32, height: f32, radii: &Radii) -> Option<Path> {
    /// How far the handles of a quarter ellipse reach.
    const KAPPA: f32 = 0.552_284_8;
    if radii.iter().all(|(rx, ry)| *rx <= 0.0 || *ry <= 0.0) {
        return Some(PathBuilder::from_rect(Rect::from_xywh(
            x, y, width, height,
        )?));
    }
    let [tl, tr, br, bl] = *radii;
    let (right, bottom) = (x + width, y + height);
    let k = 1.0 - KAPPA;
    let mut path = PathBuilder::new();
    path.move_to(x + tl.0, y);
    path.line_to(right - tr.0, y);
    path.cubic_to(right - tr.0 * k, y, right, y + tr.1 * k, right, y + tr.1);
    path.line_to(right, bottom - br.1);
    path.cubic_to(
        right,
        bottom - br.1 * k,
        right - br.0 * k,
        bottom,
        right - br.0,
        bottom,
    );
    path.line_to(x + bl.0, bottom);
    path.cubic_to(x + bl.0 * k, bottom, x, bottom - bl.1 * k, x, bottom - bl.1);
    path.line_to(x, y + tl.1);
    path.cubic_to(x, y + tl.1 * k, x + tl.0 * k, y, x + tl.0, y);
    path.close();
    path.finish()
}
