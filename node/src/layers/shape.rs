//! Shape overlays.

use kinora_composition::css::{
    Background, BackgroundClip, BackgroundLayer, BackgroundOrigin, BackgroundSize, Border,
    BorderSide, BorderStyle, Color, CornerRadii, Length, Position, ShapeId,
};
use kinora_composition::timeline::{Affine, BoxStyle, ShapeBox};
use tiny_skia::{FillRule, LineJoin, Path, Stroke, Transform};

use super::boxes::gradient::GradientSource;
use super::boxes::outline::RoundedBox;
use super::boxes::shadow;
use super::easel::{Easel, HostStill, View};
use super::frame;
use super::outlines::unit_outline;
use super::snap::snapped;
use crate::Result;
use crate::raster::{Mask, Rule, paint_color, paint_rows};

/// Rasters a shape with its outline and its shadows.
pub(super) fn raster(shape: &ShapeBox, view: &View) -> Result<Option<HostStill>> {
    match painted(shape, view)? {
        Some(easel) => easel.finish(),
        None => Ok(None),
    }
}

/// Rasters a shape with one gradient of its run; all of them are of one size and lie at one place.
pub(super) fn raster_of_run(
    shape: &ShapeBox,
    gradient: usize,
    view: &View,
) -> Result<Option<HostStill>> {
    Ok(painted(&shape.showing(gradient), view)?.map(Easel::whole))
}

fn painted(shape: &ShapeBox, view: &View) -> Result<Option<Easel>> {
    if let Some(style) = box_style(shape) {
        return frame::painted(&style, shape.size, view);
    }
    let Some(mut easel) = Easel::new(view, frame::bounds(&shape.shadows, shape.size))? else {
        return Ok(None);
    };
    let area = snapped([0.0, 0.0, shape.size.width, shape.size.height], easel.map);
    let radii = shape.radii.resolve(shape.size.width, shape.size.height);
    let area = RoundedBox::new(area, radii);
    shadow::paint_outer(&mut easel, &shape.shadows, &area, false);
    if shape.id == ShapeId::Line {
        line(&mut easel, shape, &area);
    } else if let Some(path) = outline(shape.id, &area) {
        fill_and_stroke(&mut easel, shape, &area, &path);
    }
    Ok(Some(easel))
}

/// The style of a shape that is a box: its stroke is a border.
fn box_style(shape: &ShapeBox) -> Option<BoxStyle> {
    let share = |share: f32| (Length { px: 0.0, share }, Length { px: 0.0, share });
    let pixels = |px: f32| (Length { px, share: 0.0 }, Length { px, share: 0.0 });
    let radii = match shape.id {
        ShapeId::Circle => CornerRadii([share(0.5); 4]),
        ShapeId::Pill => CornerRadii([pixels(shape.size.height); 4]),
        ShapeId::RoundedRectangle if shape.radii == CornerRadii::default() => {
            let short = shape.size.width.min(shape.size.height);
            CornerRadii([pixels(short * 0.15); 4])
        }
        ShapeId::Rectangle | ShapeId::RoundedRectangle => shape.radii,
        _ => return None,
    };
    let layers = shape.gradient.iter().map(|gradient| BackgroundLayer {
        gradient: gradient.clone(),
        position: Position::CENTER,
        size: BackgroundSize::Whole,
        repeats: Default::default(),
        origin: BackgroundOrigin::PaddingBox,
        clip: BackgroundClip::BorderBox,
    });
    let side = shape
        .stroke
        .map_or_else(BorderSide::default, |(color, width)| BorderSide {
            // Borders are whole pixels, and never thinner than one.
            width: width.floor().max(1.0),
            style: BorderStyle::Solid,
            color,
        });
    Some(BoxStyle {
        background: Background {
            color: Some(shape.fill).filter(|_| shape.gradient.is_none()),
            layers: layers.collect(),
            clip: BackgroundClip::BorderBox,
        },
        border: Border::all(side),
        radii,
        shadows: shape.shadows.clone(),
        ..BoxStyle::default()
    })
}

/// A bar across the middle of the box, as thick as its stroke.
fn line(easel: &mut Easel, shape: &ShapeBox, area: &RoundedBox) {
    let height = area.height();
    let thickness = shape.stroke.map_or(height, |(_, width)| width.min(height));
    let color = shape.stroke.map_or(shape.fill, |(color, _)| color);
    let margin = (height - thickness) / 2.0;
    let bar = RoundedBox::new(area.rect(), Default::default()).inset([margin, 0.0, margin, 0.0]);
    if let Some(mask) = easel.box_mask(&bar) {
        fill(easel, shape, area, color, &mask);
    }
}

fn outline(id: ShapeId, area: &RoundedBox) -> Option<Path> {
    let place =
        Transform::from_translate(area.left, area.top).pre_scale(area.width(), area.height());
    unit_outline(id)?.transform(place)
}

/// Fills the whole outline, then strokes along it: only what falls inside is seen.
fn fill_and_stroke(easel: &mut Easel, shape: &ShapeBox, area: &RoundedBox, path: &Path) {
    let Some(inside) = easel.mask_by(path, Rule::EvenOdd) else {
        return;
    };
    fill(easel, shape, area, shape.fill, &inside);
    let Some((color, width)) = shape.stroke else {
        return;
    };
    // Wider strokes than this fill any shape.
    let width = width.min(area.width() + area.height());
    if let Some(stroke) = stroked(easel, path, 2.0 * width).and_then(|mask| mask.within(&inside)) {
        paint_color(&mut easel.pixmap, &stroke, color);
    }
}

/// Fills a mask with the gradient of a shape, or with a colour where there is none.
fn fill(easel: &mut Easel, shape: &ShapeBox, area: &RoundedBox, color: Color, mask: &Mask) {
    let Some(gradient) = &shape.gradient else {
        paint_color(&mut easel.pixmap, mask, color);
        return;
    };
    let on_box = gradient.on_box(area.width(), area.height());
    let map = easel.map.then_inner(Affine::translate(area.left, area.top));
    if let Some(source) = GradientSource::new(&on_box, map, (0.0, 0.0)) {
        paint_rows(&mut easel.pixmap, mask, |at, row| source.row(at, row));
    }
}

/// The coverage of a stroke along an outline, with mitred corners. Strokes overlap themselves: they
/// need samples, exact areas would count twice.
fn stroked(easel: &Easel, path: &Path, width: f32) -> Option<Mask> {
    let stroke = Stroke {
        width,
        line_join: LineJoin::Miter,
        ..Stroke::default()
    };
    let map = easel.transform();
    let scale = (map.sx.hypot(map.ky) * map.kx.hypot(map.sy)).sqrt();
    let path = path.stroke(&stroke, scale)?;
    let mut mask = tiny_skia::Mask::new(easel.pixmap.width(), easel.pixmap.height())?;
    mask.fill_path(&path, FillRule::Winding, true, map);
    Some(Mask {
        left: 0,
        top: 0,
        width: mask.width() as usize,
        coverage: mask.take(),
    })
}

#[cfg(test)]
mod tests {
    use kinora_composition::timeline::Size;

    use super::*;

    fn shape(id: &str, stroke: Option<(Color, f32)>) -> ShapeBox {
        ShapeBox {
            id: ShapeId::parse(id).expect(id),
            fill: Color::BLACK,
            gradient: None,
            run: None,
            stroke,
            radii: CornerRadii::default(),
            shadows: Vec::new(),
            size: Size {
                width: 60.0,
                height: 40.0,
            },
        }
    }

    fn raster_plain(shape: &ShapeBox) -> HostStill {
        raster(shape, &View::plain(shape.size, 10))
            .expect("small")
            .expect("seen")
    }

    #[test]
    fn strokes_stay_inside() {
        for id in ["triangle", "star", "circle", "rectangle", "heart"] {
            let still = raster_plain(&shape(id, Some((Color::WHITE, 6.0))));
            let (x, y) = still.at;
            let right = x + still.pixels.width() as i32;
            let bottom = y + still.pixels.height() as i32;
            assert!(x >= 0 && y >= 0 && right <= 60 && bottom <= 40, "{id}");
        }
        let still = raster_plain(&shape("triangle", Some((Color::WHITE, 6.0))));
        let red = |x: i32, y: i32| {
            let (x, y) = ((x - still.at.0) as u32, (y - still.at.1) as u32);
            still.pixels.pixel(x, y).expect("inside").red()
        };
        assert_eq!((red(30, 36), red(30, 30)), (255, 0), "6 px of stroke");
    }

    #[test]
    fn every_shape_can_be_drawn_with_a_gradient_and_a_stroke() {
        for id in kinora_composition::css::shape_ids() {
            let mut shape = shape(id, Some((Color::WHITE, 2.0)));
            shape.gradient = kinora_composition::css::Gradient::parse(
                "linear-gradient(red, blue)",
                Color::BLACK,
            );
            let still = raster_plain(&shape);
            assert!(still.pixels.width() >= 58, "{id} fills its box");
        }
    }
}
