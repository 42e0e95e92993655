//! The shapes that a shape overlay can name.

/// A shape that fills its box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as drawn")]
pub enum ShapeId {
    Rectangle,
    Circle,
    Ellipse,
    Triangle,
    Star,
    Heart,
    Arrow,
    Hexagon,
    Diamond,
    Pentagon,
    Line,
}

const SHAPES: [(&str, ShapeId); 12] = [
    ("rectangle", ShapeId::Rectangle),
    ("square", ShapeId::Rectangle),
    ("circle", ShapeId::Circle),
    ("ellipse", ShapeId::Ellipse),
    ("triangle", ShapeId::Triangle),
    ("star", ShapeId::Star),
    ("heart", ShapeId::Heart),
    ("arrow", ShapeId::Arrow),
    ("hexagon", ShapeId::Hexagon),
    ("diamond", ShapeId::Diamond),
    ("pentagon", ShapeId::Pentagon),
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
