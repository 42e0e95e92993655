//! Shapes laid out on boxes.

use super::*;

fn steps(text: &str) -> Vec<PathStep> {
    ClipPath::parse(text)
        .expect(text)
        .on_box(200.0, 100.0)
        .steps
}

/// Left, top, right and bottom of an outline.
fn bounds(text: &str) -> [i32; 4] {
    let mut bounds = [f32::MAX, f32::MAX, f32::MIN, f32::MIN];
    for step in steps(text) {
        let (x, y) = match step {
            PathStep::MoveTo(x, y)
            | PathStep::LineTo(x, y)
            | PathStep::QuadTo(_, _, x, y)
            | PathStep::CubicTo(_, _, _, _, x, y) => (x, y),
            PathStep::Close => continue,
        };
        bounds = [
            bounds[0].min(x),
            bounds[1].min(y),
            bounds[2].max(x),
            bounds[3].max(y),
        ];
    }
    bounds.map(|value| value.round() as i32)
}

#[test]
fn shapes_reach_as_far_as_they_say() {
    for (text, expected) in [
        ("border-box", [0, 0, 200, 100]),
        ("inset(10px)", [10, 10, 190, 90]),
        ("inset(10% 20%)", [40, 10, 160, 90]),
        ("inset(10px 20px 30px 5px round 24px)", [5, 10, 180, 70]),
        ("rect(10px 150px auto 25%)", [50, 10, 150, 100]),
        (
            "xywh(10px 20px 50% 30px round 5px) padding-box",
            [10, 20, 110, 50],
        ),
        ("circle()", [50, 0, 150, 100]),
        ("circle(40px at left top)", [-40, -40, 40, 40]),
        ("circle(farthest-side at 50px 50px)", [-100, -100, 200, 200]),
        ("ellipse(25% 10px at 50% 20px)", [50, 10, 150, 30]),
        (
            "ellipse(closest-side farthest-side at 50px 20px)",
            [0, -60, 100, 100],
        ),
        (
            "polygon(0 0, 50% 100%, 20px calc(10% + 5px))",
            [0, 0, 100, 100],
        ),
        ("path(\"M10 20h30v40z\")", [10, 20, 40, 60]),
    ] {
        assert_eq!(bounds(text), expected, "{text}");
    }
}

#[test]
fn the_percentage_of_a_circle_is_of_both_sides() {
    let radius = (200f32.hypot(100.0) / std::f32::consts::SQRT_2 * 0.4).round() as i32;
    let [left, ..] = bounds("circle(40%)");
    assert_eq!(left, 100 - radius);
}

#[test]
fn nothing_is_inside_an_empty_shape() {
    for text in ["inset(60px)", "circle(0)", "ellipse(0 10px)"] {
        assert_eq!(steps(text), [], "{text}");
    }
}

#[test]
fn rules() {
    let rule = |text: &str| ClipPath::parse(text).expect(text).on_box(1.0, 1.0).rule;
    assert_eq!(rule("polygon(evenodd, 0 0, 1px 1px)"), FillRule::EvenOdd);
    assert_eq!(rule("path(evenodd, 'M0 0')"), FillRule::EvenOdd);
    assert_eq!(rule("polygon(0 0, 1px 1px)"), FillRule::NonZero);
}

#[test]
fn what_is_no_shape_is_ignored() {
    for text in [
        "",
        "none",
        "circle(-4px)",
        "circle(4px 5px)",
        "ellipse(4px)",
        "polygon(0 0 0)",
        "polygon()",
        "inset(1px 2px 3px 4px 5px)",
        "inset()",
        "url(#clip)",
        "path(M0 0)",
        "path('nonsense')",
        "path('')",
        "circle(farthest-corner)",
        "circle() circle()",
        "xywh(0 0 -1px 5px)",
    ] {
        assert_eq!(ClipPath::parse(text), None, "{text}");
    }
}
