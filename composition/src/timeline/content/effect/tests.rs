use serde_json::{Value, json};

use super::*;
use crate::document::{Composition, OverlayKind};

fn effect(name: &str, (width, height): (f64, f64), styles: &Value) -> EffectBox {
    let document = json!({ "durationInFrames": 9, "width": 640, "height": 360, "overlays": [{
        "id": 1, "type": "effect", "content": name, "from": 0, "durationInFrames": 9, "row": 0,
        "left": 0, "top": 0, "width": width, "height": height, "styles": styles }] });
    let (composition, _) = Composition::from_json(&document).expect("valid");
    let OverlayKind::Effect(effect) = &composition.overlays[0].kind else {
        panic!("an effect");
    };
    let size = Size {
        width: width as f32,
        height: height as f32,
    };
    EffectBox::new(effect, "effect 1", size, 30.0).expect("known")
}

fn particles(name: &str, size: (f64, f64), styles: &Value) -> Particles {
    match effect(name, size, styles).kind {
        EffectKind::Particles(particles) => particles,
        other => panic!("{other:?}"),
    }
}

fn grid(name: &str, size: (f64, f64), styles: &Value) -> Grid {
    match effect(name, size, styles).kind {
        EffectKind::GridStagger(grid) | EffectKind::Fracture(grid) => grid,
        other => panic!("{other:?}"),
    }
}

#[test]
fn particles_suit_their_box() {
    let wide = particles("snow", (1920.0, 1080.0), &json!({}));
    let tall = particles("snow", (1080.0, 1920.0), &json!({}));
    let small = particles("snow", (192.0, 108.0), &json!({}));
    assert_eq!(wide, tall);
    assert!(small.size < wide.size && small.count < wide.count);
    let half = particles("snow", (960.0, 540.0), &json!({}));
    assert_eq!(wide.count, half.count);
}

#[test]
fn very_many_particles_are_smaller_and_hide_no_more_than_fewer_do() {
    const SPECIES: [&str; 6] = [
        "snow",
        "confetti",
        "rain",
        "fireflies",
        "sparkles",
        "bubbles",
    ];
    for name in SPECIES {
        let full = |styles| particles(name, (1920.0, 1080.0), &styles);
        let usual = full(json!({}));
        let some = full(json!({ "particleCount": 6 * usual.count }));
        assert_eq!(some.size, usual.size, "{name}");
        let mut before = some.size;
        for times in [8, 12, 16] {
            let many = full(json!({ "particleCount": times * usual.count }));
            let covered = |all: &Particles| all.count as f64 * all.size * all.size;
            assert!(
                (covered(&many) / covered(&some) - 1.0).abs() < 0.01,
                "{name}"
            );
            assert!(many.size < before, "{name}");
            before = many.size;
        }
        let chosen = full(json!({ "particleCount": 16 * usual.count, "size": usual.size }));
        assert_eq!(chosen.size, usual.size, "{name}");
        let no_smaller = full(json!({ "particleCount": 20_000 }));
        assert_eq!(no_smaller.count, 20_000, "{name}");
        let (_, _, least) = no_smaller.species.usual();
        assert!(no_smaller.size >= least, "{name}");
    }
}

#[test]
fn particles_stay_within_bounds() {
    let count = |styles| particles("snow", (640.0, 360.0), &styles).count;
    assert_eq!(count(json!({ "particleCount": 10_000 })), 10_000);
    assert_eq!(count(json!({ "particleCount": 1e300 })), 20_000);
    assert_eq!(count(json!({ "particleCount": -5 })), 0);
    assert_eq!(count(json!({ "particleCount": 20_000, "size": 1e9 })), 9);
    let odd = particles(
        "rain",
        (640.0, 360.0),
        &json!({ "size": -1, "speed": -1e300 }),
    );
    assert_eq!((odd.size, odd.speed), (0.1, 0.0));
    particles("rain", (1e-30, 1e30), &json!({}));
}

#[test]
fn cells_are_square_unless_their_number_is_given() {
    let sides = |size, styles| {
        let grid = grid("grid-stagger", size, &styles);
        assert_eq!(grid.starts.len(), grid.columns * grid.rows);
        (grid.columns, grid.rows)
    };
    assert_eq!(sides((1600.0, 1000.0), json!({})), (8, 5));
    assert_eq!(sides((1000.0, 2000.0), json!({ "gridCols": 4 })), (4, 8));
    assert_eq!(sides((1000.0, 2000.0), json!({ "gridRows": 4 })), (2, 4));
    let odd = json!({ "gridCols": -1e300, "gridRows": 1e300 });
    assert_eq!(sides((640.0, 360.0), odd), (1, 200));
}

#[test]
fn cells_start_one_after_another() {
    let starts = |direction: &str| {
        let styles = json!({ "gridCols": 3, "gridRows": 1, "staggerDir": direction,
            "staggerDelay": 30, "animDuration": 60 });
        let grid = grid("grid-stagger", (300.0, 100.0), &styles);
        assert_eq!(grid.duration, 2.0);
        grid.starts
    };
    assert_eq!(starts("forward"), [0.0, 1.0, 2.0]);
    assert_eq!(starts("reverse"), [2.0, 1.0, 0.0]);
    assert_eq!(starts("center"), [1.0, 0.0, 1.0]);
    let mut random = starts("random");
    random.sort_by(f64::total_cmp);
    assert_eq!(random, [0.0, 1.0, 2.0]);
}

#[test]
fn what_has_come_to_rest_does_not_change() {
    let styles = json!({ "gridCols": 2, "gridRows": 1, "staggerDelay": 30, "animDuration": 30 });
    let shown = effect("grid-stagger", (64.0, 36.0), &styles);
    assert_eq!(shown.time_at(1.5), 1.5);
    assert_eq!(shown.time_at(99.0), 2.0);
    assert_eq!(effect("snow", (64.0, 36.0), &json!({})).time_at(99.0), 99.0);
}

#[test]
fn parts_move_one_after_another() {
    let motion = json!({ "enabled": true, "y": [60, 0], "stagger": 30, "duration": 30,
        "easing": "linear" });
    let moved = |name: &str, time| -> Vec<f64> {
        let styles = json!({ "gridCols": 2, "gridRows": 1, "staggerDelay": 0, "animDuration": 0,
            "columns": [{}, {}, {}], "staggeredMotion": motion });
        let effect = effect(name, (64.0, 36.0), &styles);
        effect.pieces(time).into_iter().map(|one| one.y).collect()
    };
    assert_eq!(moved("grid-stagger", 1.5), [0.0, 30.0]);
    assert_eq!(moved("fracture", 1.5), [0.0, 30.0]);
    assert_eq!(moved("scrolling-columns", 1.5), [0.0, 30.0, 60.0]);
    assert_eq!(moved("rain", 0.5), [30.0]);
    assert_eq!(effect("rain", (64.0, 36.0), &json!({})).pieces(0.5), []);
    let styles = json!({ "gridCols": 2, "gridRows": 1, "staggerDelay": 0, "animDuration": 0,
        "staggeredMotion": motion });
    assert_eq!(
        effect("grid-stagger", (64.0, 36.0), &styles).time_at(9.0),
        2.0
    );
}

#[test]
fn pictures_are_kept_once_and_empty_names_are_none() {
    let styles = json!({ "cellImages": ["a.png", "", "b.png", "a.png"], "cellColors": ["red"] });
    let cells = effect("grid-stagger", (64.0, 36.0), &styles);
    let sources: Vec<&str> = cells.pictures.iter().map(|one| one.src.as_str()).collect();
    assert_eq!(sources, ["a.png", "b.png"]);
    let EffectKind::GridStagger(grid) = cells.kind else {
        panic!("a grid");
    };
    assert_eq!(grid.fills, [0, 1, 0].map(CellFill::Picture));
    let pane = effect("fracture", (64.0, 36.0), &styles);
    assert_eq!(pane.pictures.len(), 1);
    assert_eq!(pane.pictures[0].size, pane.size);
}

#[test]
fn colours_are_those_given_or_shades_or_a_palette() {
    let colors = |styles| grid("grid-stagger", (64.0, 36.0), &styles).fills;
    let red = Color::parse("red").expect("a colour");
    let given = colors(json!({ "cellColors": ["red", "nonsense"], "color": "blue" }));
    assert_eq!(given, [CellFill::Color(red)]);
    assert_eq!(colors(json!({ "color": "red" }))[0], CellFill::Color(red));
    assert!(colors(json!({ "cellColors": [] })).len() > 3);
}

#[test]
fn characters_are_those_of_the_set_each_once() {
    let matrix = |styles| match effect("matrix", (640.0, 360.0), &styles).kind {
        EffectKind::Matrix(matrix) => matrix,
        other => panic!("{other:?}"),
    };
    let texts = |styles| -> Vec<String> {
        matrix(styles)
            .glyphs
            .into_iter()
            .map(|one| one.text)
            .collect()
    };
    assert_eq!(texts(json!({ "matrixCharset": "01 0\n1" })), ["0", "1"]);
    assert!(texts(json!({ "matrixCharset": " " })).contains(&"ｱ".to_owned()));
    let many: String = ('\u{4e00}'..='\u{9000}').collect();
    assert_eq!(texts(json!({ "matrixCharset": many })).len(), 256);
    let odd = matrix(json!({ "matrixFontSize": -3, "matrixDensity": 7 }));
    assert_eq!(odd.density, 1.0);
    assert!(odd.cell.height > 4.0);
}

#[test]
fn columns_move_their_way_and_share_the_width() {
    let columns = |styles| match effect("scrolling-columns", (640.0, 360.0), &styles).kind {
        EffectKind::Columns(columns) => columns,
        other => panic!("{other:?}"),
    };
    let three = columns(json!({ "columnGap": 20, "speed": 2, "columns": [
        { "images": ["a.png", "b.png"], "speed": 1 },
        { "images": ["a.png"], "speed": 1 },
        { "speed": 3, "direction": "down" } ] }));
    let speeds: Vec<f64> = three.columns.iter().map(|one| one.speed).collect();
    assert_eq!(speeds, [-60.0, 60.0, 180.0]);
    assert_eq!((three.picture.width, three.picture.height), (200.0, 250.0));
    assert_eq!(three.columns[0].pictures, [0, 1]);
    let odd = columns(
        json!({ "columns": vec![json!({}); 1000], "columnGap": 1e300,
        "imageHeight": -1 }),
    );
    assert_eq!(odd.columns.len(), 50);
    assert!(odd.picture.width > 0.0 && odd.picture.height > 0.0);
    assert!(columns(json!({ "columns": [] })).columns.is_empty());
}
