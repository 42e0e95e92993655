//! The shapes that a shape overlay can name.

/// A shape that fills its box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as drawn")]
pub enum ShapeId {
    Rectangle,
    RoundedRectangle,
    Pill,
    Circle,
    Triangle,
    TriangleDown,
    RightTriangle,
    Diamond,
    Pentagon,
    Hexagon,
    Octagon,
    Parallelogram,
    Trapezoid,
    Star,
    FourPointStar,
    SixPointStar,
    Burst,
    Heart,
    Cross,
    Chevron,
    Arrow,
    ArrowLeft,
    ArrowUp,
    ArrowDown,
    DoubleArrow,
    Ring,
    Semicircle,
    QuarterCircle,
    Crescent,
    Drop,
    Cloud,
    Lightning,
    SpeechBubble,
    Shield,
    Flag,
    Line,
}

const SHAPES: [(&str, ShapeId); 44] = [
    ("rectangle", ShapeId::Rectangle),
    ("square", ShapeId::Rectangle),
    ("rounded-rectangle", ShapeId::RoundedRectangle),
    ("pill", ShapeId::Pill),
    ("circle", ShapeId::Circle),
    ("ellipse", ShapeId::Circle),
    ("oval", ShapeId::Circle),
    ("triangle", ShapeId::Triangle),
    ("triangle-up", ShapeId::Triangle),
    ("triangle-down", ShapeId::TriangleDown),
    ("right-triangle", ShapeId::RightTriangle),
    ("diamond", ShapeId::Diamond),
    ("rhombus", ShapeId::Diamond),
    ("pentagon", ShapeId::Pentagon),
    ("hexagon", ShapeId::Hexagon),
    ("octagon", ShapeId::Octagon),
    ("parallelogram", ShapeId::Parallelogram),
    ("trapezoid", ShapeId::Trapezoid),
    ("star", ShapeId::Star),
    ("star-4", ShapeId::FourPointStar),
    ("star-6", ShapeId::SixPointStar),
    ("burst", ShapeId::Burst),
    ("heart", ShapeId::Heart),
    ("cross", ShapeId::Cross),
    ("plus", ShapeId::Cross),
    ("chevron", ShapeId::Chevron),
    ("arrow", ShapeId::Arrow),
    ("arrow-right", ShapeId::Arrow),
    ("arrow-left", ShapeId::ArrowLeft),
    ("arrow-up", ShapeId::ArrowUp),
    ("arrow-down", ShapeId::ArrowDown),
    ("double-arrow", ShapeId::DoubleArrow),
    ("ring", ShapeId::Ring),
    ("semicircle", ShapeId::Semicircle),
    ("quarter-circle", ShapeId::QuarterCircle),
    ("crescent", ShapeId::Crescent),
    ("drop", ShapeId::Drop),
    ("cloud", ShapeId::Cloud),
    ("lightning", ShapeId::Lightning),
    ("speech-bubble", ShapeId::SpeechBubble),
    ("bubble", ShapeId::SpeechBubble),
    ("shield", ShapeId::Shield),
    ("flag", ShapeId::Flag),
    ("line", ShapeId::Line),
];

/// Every identifier that a shape overlay may carry.
pub fn shape_ids() -> [&'static str; SHAPES.len()] {
    SHAPES.map(|(name, _)| name)
}

impl ShapeId {
    /// The shape of that name.
    pub fn parse(name: &str) -> Option<Self> {
        SHAPES
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, id)| *id)
    }
}
