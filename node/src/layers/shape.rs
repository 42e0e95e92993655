//! Shape overlays.

use kinora_composition::css::ShapeId;
use kinora_composition::timeline::ShapeBox;
use tiny_skia::{LineCap, LineJoin, Paint, Path, PathBuilder, Rect, Shader, Stroke, Transform};

use super::easel::{Easel, HostStill, View};
use super::frame::{bounds, paint_shadows};
use super::paint::{fill, rounded_box, skia_color};
use crate::Result;

/// Rasters a shape with its outline and its shadows.
pub(super) fn raster(shape: &ShapeBox, view: &View) -> Result<Option<HostStill>> {
    let (width, height) = (shape.size.width, shape.size.height);
    let Some(mut easel) = Easel::new(view, bounds(&shape.shadows, shape.size))? else {
        return Ok(None);
    };
    paint_shadows(&mut easel, &shape.shadows, &shape.radii, shape.size)?;
    let map = easel.transform();
    let area = Rect::from_xywh(0.0, 0.0, width, height);
    let gradient = shape.gradient.as_ref().zip(area);
    if shape.id == ShapeId::Line {
        let thickness = shape
            .stroke
            .map_or(height, |(_, stroke_width)| stroke_width)
            .min(height);
        let color = shape.stroke.map_or(shape.fill, |(color, _)| color);
        let top = (height - thickness) / 2.0;
        if let Some(bar) = rounded_box(0.0, top, width, thickness, &Default::default()) {
            fill(&mut easel.pixmap, &bar, color, gradient, map);
        }
    } else {
        let stroke_width = shape.stroke.map_or(0.0, |(_, stroke_width)| stroke_width);
        if let Some(path) = outline(shape, 0.0) {
            fill(&mut easel.pixmap, &path, shape.fill, gradient, map);
        }
        if let (Some((color, _)), Some(path)) = (shape.stroke, outline(shape, stroke_width / 2.0)) {
            let paint = Paint {
                shader: Shader::SolidColor(skia_color(color)),
                anti_alias: true,
                ..Paint::default()
            };
            let stroke = Stroke {
                width: stroke_width,
                line_cap: LineCap::Butt,
                line_join: LineJoin::Miter,
                ..Stroke::default()
            };
            easel.pixmap.stroke_path(&path, &paint, &stroke, map, None);
        }
    }
    easel.finish()
}

/// The outline of a shape, moved inwards by `inset` so that a stroke on it stays in the box.
fn outline(shape: &ShapeBox, inset: f32) -> Option<Path> {
    let (full_width, full_height) = (shape.size.width, shape.size.height);
    let (width, height) = (full_width - 2.0 * inset, full_height - 2.0 * inset);
    if width <= 0.0 || height <= 0.0 {
        return None;
    }
    if shape.id == ShapeId::Rectangle {
        let radii = shape
            .radii
            .resolve(full_width, full_height)
            .map(|(x, y)| ((x - inset).max(0.0), (y - inset).max(0.0)));
        return rounded_box(inset, inset, width, height, &radii);
    }
    if matches!(shape.id, ShapeId::Circle | ShapeId::Ellipse) {
        return PathBuilder::from_oval(Rect::from_xywh(inset, inset, width, height)?);
    }
    let place = Transform::from_translate(inset, inset).pre_scale(width, height);
    unit_outline(shape.id)?.transform(place)
}

/// The outline of a shape in a box of one by one.
fn unit_outline(id: ShapeId) -> Option<Path> {
    let polygon = |points: &[(f32, f32)]| {
        let mut path = PathBuilder::new();
        for (index, (x, y)) in points.iter().enumerate() {
            if index == 0 {
                path.move_to(*x, *y);
            } else {
                path.line_to(*x, *y);
            }
        }
        path.close();
        path.finish()
    };
    match id {
        ShapeId::Rectangle | ShapeId::Circle | ShapeId::Ellipse | ShapeId::Line => None,
        ShapeId::Triangle => polygon(&[(0.5, 0.0), (1.0, 1.0), (0.0, 1.0)]),
        ShapeId::Diamond => polygon(&[(0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5)]),
        ShapeId::Hexagon => polygon(&[
            (0.25, 0.0),
            (0.75, 0.0),
            (1.0, 0.5),
            (0.75, 1.0),
            (0.25, 1.0),
            (0.0, 0.5),
        ]),
        ShapeId::Pentagon => polygon(&[
            (0.5, 0.0),
            (1.0, 0.382),
            (0.809, 1.0),
            (0.191, 1.0),
            (0.0, 0.382),
        ]),
        ShapeId::Arrow => polygon(&[
            (0.0, 0.3),
            (0.6, 0.3),
            (0.6, 0.0),
            (1.0, 0.5),
            (0.6, 1.0),
            (0.6, 0.7),
            (0.0, 0.7),
        ]),
        ShapeId::Star => polygon(&star_points()),
        ShapeId::Heart => {
            let mut path = PathBuilder::new();
            path.move_to(0.5, 1.0);
            path.cubic_to(0.2, 0.75, 0.0, 0.55, 0.0, 0.3);
            path.cubic_to(0.0, 0.12, 0.13, 0.0, 0.27, 0.0);
            path.cubic_to(0.37, 0.0, 0.46, 0.06, 0.5, 0.16);
            path.cubic_to(0.54, 0.06, 0.63, 0.0, 0.73, 0.0);
            path.cubic_to(0.87, 0.0, 1.0, 0.12, 1.0, 0.3);
            path.cubic_to(1.0, 0.55, 0.8, 0.75, 0.5, 1.0);
            path.close();
            path.finish()
        }
    }
}

/// A five-pointed star that touches all sides of its box.
fn star_points() -> [(f32, f32); 10] {
    const INNER: f32 = 0.381_966;
    let mut points = [(0.0, 0.0); 10];
    for (index, point) in points.iter_mut().enumerate() {
        let angle = std::f32::consts::PI * index as f32 / 5.0;
        let radius = if index % 2 == 0 { 1.0 } else { INNER };
        *point = (radius * angle.sin(), -radius * angle.cos());
    }
    let low = points
        .iter()
        .fold((f32::MAX, f32::MAX), |m, p| (m.0.min(p.0), m.1.min(p.1)));
    let high = points
        .iter()
        .fold((f32::MIN, f32::MIN), |m, p| (m.0.max(p.0), m.1.max(p.1)));
    points.map(|(x, y)| {
        (
            (x - low.0) / (high.0 - low.0),
            (y - low.1) / (high.1 - low.1),
        )
    })
}
