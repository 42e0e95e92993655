//! Gradients laid out on boxes.

use super::*;

fn on_box(text: &str, width: f32, height: f32) -> GradientOnBox {
    Gradient::parse(text, Color::BLACK)
        .expect(text)
        .on_box(width, height)
}

fn thousandths(text: &str) -> Vec<i32> {
    let stops = on_box(text, 100.0, 100.0).stops;
    stops
        .iter()
        .map(|(at, _)| (at * 1000.0).round() as i32)
        .collect()
}

#[test]
fn stops_are_placed_as_css_says() {
    assert_eq!(
        thousandths("linear-gradient(red, lime, blue)"),
        [0, 500, 1000]
    );
    assert_eq!(
        thousandths("linear-gradient(red 20%, lime 10%, blue)"),
        [200, 200, 1000]
    );
    assert_eq!(
        thousandths("linear-gradient(red, lime, blue, white 90%)"),
        [0, 300, 600, 900]
    );
    assert_eq!(
        thousandths("linear-gradient(red 0 30px, blue 30px)"),
        [0, 300, 300]
    );
}

#[test]
fn a_corner_direction_reaches_both_corners_with_pure_colours() {
    let GradientLine::Linear { from, to } =
        on_box("linear-gradient(to bottom right, red, blue)", 200.0, 100.0).line
    else {
        panic!("linear")
    };
    let along = |x: f32, y: f32| {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        ((x - from.0) * dx + (y - from.1) * dy) / (dx * dx + dy * dy)
    };
    assert!(along(0.0, 0.0).abs() < 1e-5);
    assert!((along(200.0, 100.0) - 1.0).abs() < 1e-5);
    assert!(
        (along(200.0, 0.0) - 0.5).abs() < 1e-5,
        "the other corners are half way"
    );
}

#[test]
fn radial_sizes() {
    let radius = |text: &str| match on_box(text, 200.0, 100.0).line {
        GradientLine::Radial { radius, .. } => radius,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        radius("radial-gradient(circle 40px, red, blue)"),
        (40.0, 40.0)
    );
    assert_eq!(
        radius("radial-gradient(circle closest-side, red, blue)"),
        (50.0, 50.0)
    );
    let (x, y) = radius("radial-gradient(red, blue)");
    assert!((x - 141.42).abs() < 0.01 && (y - 70.71).abs() < 0.01);
}

#[test]
fn conic_gradients_run_around_their_centre() {
    let conic = on_box(
        "conic-gradient(from 0.25turn at 25% 10px, red, lime 90deg 50%, blue)",
        200.0,
        100.0,
    );
    assert_eq!(
        conic.line,
        GradientLine::Conic {
            center: (50.0, 10.0),
            from: 90.0
        }
    );
    let offsets: Vec<f32> = conic.stops.iter().map(|(at, _)| *at).collect();
    assert_eq!(offsets, [0.0, 0.25, 0.5, 1.0]);
    assert!(on_box("repeating-conic-gradient(red, blue 30deg)", 9.0, 9.0).repeating);
}

#[test]
fn a_hint_moves_the_middle() {
    let stops = on_box("linear-gradient(90deg, black, 25%, white)", 100.0, 10.0).stops;
    let at_hint = stops
        .iter()
        .find(|(at, _)| (at - 0.25).abs() < 1e-4)
        .expect("a stop at the hint");
    assert!((at_hint.1.r - 0.5).abs() < 1.0 / 255.0);
    assert!(stops.is_sorted_by(|a, b| a.0 <= b.0));
    let hard = on_box("linear-gradient(black, 0%, white)", 100.0, 10.0).stops;
    assert_eq!(hard[1], (0.0, Color::WHITE));
    let plain = on_box("linear-gradient(black, 50%, white)", 100.0, 10.0).stops;
    assert_eq!(plain.len(), 2, "a hint half way says nothing");
}

#[test]
fn what_is_no_gradient_is_ignored() {
    for text in [
        "linear-gradient(red,)",
        "linear-gradient(10%, red, blue)",
        "linear-gradient(red, 10%, 20%, blue)",
        "linear-gradient(45, red, blue)",
        "linear-gradient(to right left, red, blue)",
        "radial-gradient(circle 10px 20px, red, blue)",
        "radial-gradient(ellipse 10px, red, blue)",
        "radial-gradient(-4px, red, blue)",
        "radial-gradient(at center circle, red, blue)",
        "conic-gradient(at center from 30deg, red, blue)",
        "conic-gradient(from 30px, red, blue)",
        "conic-gradient(red 10px, blue)",
        "linear-gradient(red, blue) red",
        "linear-gradient(in srgb longer hue, red, blue)",
        "radial-gradient(circle in hsl at center, red, blue)",
        "",
    ] {
        assert_eq!(Gradient::parse(text, Color::BLACK), None, "{text}");
    }
}

/// The colours at x = 50, 100, 150, 200 and 300 of 400 pixels, read off Chromium's own.
#[test]
fn colours_are_mixed_where_the_gradient_says() {
    for (text, expected) in [
        (
            "linear-gradient(90deg, oklch(0.7 0.2 30), oklch(0.7 0.2 200))",
            [
                [237, 119, 98],
                [213, 135, 115],
                [187, 149, 132],
                [157, 160, 148],
                [62, 178, 178],
            ],
        ),
        (
            "linear-gradient(in srgb 90deg, oklch(0.7 0.2 30), oklch(0.7 0.2 200))",
            [
                [210, 109, 93],
                [162, 121, 110],
                [114, 133, 126],
                [66, 144, 142],
                [0, 168, 175],
            ],
        ),
        (
            "linear-gradient(90deg in hsl longer hue, red, lime)",
            [
                [255, 0, 129],
                [254, 0, 255],
                [126, 0, 255],
                [0, 1, 255],
                [0, 255, 254],
            ],
        ),
        (
            "linear-gradient(90deg in oklch, red, blue)",
            [
                [247, 0, 81],
                [232, 0, 123],
                [212, 0, 161],
                [186, 0, 194],
                [122, 0, 244],
            ],
        ),
        (
            "linear-gradient(90deg, color(display-p3 1 0 0), blue)",
            [
                [247, 27, 65],
                [216, 62, 104],
                [184, 76, 134],
                [153, 81, 160],
                [88, 71, 209],
            ],
        ),
        (
            "linear-gradient(90deg in oklab, red, 25%, blue)",
            [
                [175, 80, 132],
                [140, 83, 163],
                [114, 81, 184],
                [91, 75, 202],
                [52, 57, 230],
            ],
        ),
        (
            "linear-gradient(90deg in lch, yellow 20%, navy 70%, lime)",
            [
                [255, 255, 0],
                [255, 213, 0],
                [255, 104, 54],
                [224, 0, 103],
                [0, 64, 192],
            ],
        ),
        (
            "linear-gradient(90deg in srgb-linear, red, lime)",
            [
                [241, 100, 0],
                [225, 137, 0],
                [207, 165, 0],
                [187, 188, 0],
                [137, 225, 0],
            ],
        ),
        (
            "linear-gradient(90deg, red, 25%, blue)",
            [
                [166, 0, 89],
                [127, 0, 128],
                [99, 0, 156],
                [75, 0, 181],
                [36, 0, 219],
            ],
        ),
    ] {
        let stops = on_box(text, 400.0, 10.0).stops;
        let at = |x: f32| {
            let after = stops.partition_point(|(at, _)| *at < x);
            if after == 0 {
                return stops[0].1;
            }
            let ((from, a), (to, b)) = (stops[after - 1], stops[after]);
            a.mixed(b, (x - from) / (to - from))
        };
        for (x, expected) in [50.5, 100.5, 150.5, 200.5, 300.5].into_iter().zip(expected) {
            let [r, g, b, _] = at(x / 400.0).to_bytes();
            let is_near = [r, g, b]
                .iter()
                .zip(expected)
                .all(|(got, expected)| got.abs_diff(expected) <= 4);
            assert!(
                is_near,
                "{text} at {x}: {r} {g} {b} instead of {expected:?}"
            );
        }
    }
}
