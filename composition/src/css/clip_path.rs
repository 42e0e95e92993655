//! Basic shapes that clip a box.

/// A parsed `clip-path`.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipPath {}

/// Which points of an outline that crosses itself are inside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as in CSS")]
pub enum FillRule {
    #[default]
    NonZero,
    EvenOdd,
}

/// One step of an outline, in pixels of the box.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "named as in vector graphics everywhere")]
pub enum PathStep {
    MoveTo(f32, f32),
    LineTo(f32, f32),
    QuadTo(f32, f32, f32, f32),
    CubicTo(f32, f32, f32, f32, f32, f32),
    Close,
}

/// An outline on a box.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outline {
    /// What counts as inside.
    pub rule: FillRule,
    /// Its steps; none means that nothing is inside.
    pub steps: Vec<PathStep>,
}

impl ClipPath {
    /// Parses a CSS `clip-path` that is a basic shape.
    pub fn parse(_text: &str) -> Option<Self> {
        None
    }

    /// The shape on a box of this size.
    pub fn on_box(&self, _width: f32, _height: f32) -> Outline {
        Outline::default()
    }
}
