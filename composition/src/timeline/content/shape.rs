//! Shape overlays.

use super::crossfade::GradientRun;
use super::parse::{box_shadows, color, radii};
use crate::css::{Color, CornerRadii, Gradient, Shadow, ShapeId};
use crate::document::Shape;
use crate::geometry::Size;

/// A shape overlay.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeBox {
    /// Which shape.
    pub id: ShapeId,
    /// Flat fill.
    pub fill: Color,
    /// Gradient instead of the flat fill.
    pub gradient: Option<Gradient>,
    /// Gradients that fade one into the next, instead of the one and the flat fill.
    pub run: Option<GradientRun>,
    /// Colour and width of the outline, inside the box.
    pub stroke: Option<(Color, f32)>,
    /// Corners of a rectangle.
    pub radii: CornerRadii,
    /// Shadows of the box, the front one first.
    pub shadows: Vec<Shadow>,
    /// Size of the box.
    pub size: Size,
}

impl ShapeBox {
    pub(crate) fn new(shape: &Shape, size: Size) -> Option<Self> {
        const DEFAULT_FILL: Color = Color::BLACK;
        const DEFAULT_STROKE_WIDTH: f64 = 1.0;
        let styles = &shape.styles;
        let stroke_width = styles.stroke_width.unwrap_or(DEFAULT_STROKE_WIDTH) as f32;
        let transition = styles.gradient_transition.as_ref();
        let mut gradients = GradientRun::gradients(transition);
        let run = transition
            .filter(|_| gradients.len() > 1)
            .map(|transition| GradientRun::new(std::mem::take(&mut gradients), transition));
        let alone = gradients.pop();
        Some(Self {
            id: ShapeId::parse(&shape.content)?,
            fill: match styles.fill.as_ref() {
                Some(fill) if fill.trim().eq_ignore_ascii_case("none") => Color::TRANSPARENT,
                fill => color(fill, Color::BLACK).unwrap_or(DEFAULT_FILL),
            },
            gradient: alone.or_else(|| Gradient::parse(styles.gradient.as_ref()?, Color::BLACK)),
            run,
            stroke: color(styles.stroke.as_ref(), Color::BLACK)
                .filter(|stroke| stroke.a > 0.0 && stroke_width > 0.0)
                .map(|stroke| (stroke, stroke_width)),
            radii: radii(styles.border_radius.as_ref()),
            shadows: box_shadows(styles.box_shadow.as_ref(), Color::BLACK),
            size,
        })
    }

    /// The shape with one gradient of its run, or with its own fill where there is no such gradient.
    #[must_use]
    pub fn showing(&self, gradient: usize) -> Self {
        let of_run = |run: &GradientRun| run.gradients.get(gradient).cloned();
        Self {
            gradient: self.run.as_ref().and_then(of_run).or(self.gradient.clone()),
            run: None,
            shadows: self.shadows.clone(),
            ..*self
        }
    }
}
