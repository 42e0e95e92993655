//! Properties of every preset, and of ramps.

use serde_json::{Value, json};

use super::presets::PRESETS;
use super::*;
use crate::css::Filter;
use crate::geometry::Size;

/// What jumps by its nature.
const STEPPED: [&str; 2] = ["glitch", "typing"];

fn places() -> Vec<Place> {
    let sides = [0.5, 16.0, 300.0, 1920.0, 100_000.0];
    let size = |width, height| Size { width, height };
    let boxes = sides
        .iter()
        .flat_map(|width| sides.map(|height| size(*width, height)));
    boxes
        .flat_map(|size| [place(size, (1920.0, 1080.0)), place(size, (64.0, 64.0))])
        .collect()
}

fn place(size: Size, (width, height): (f32, f32)) -> Place {
    Place {
        size,
        canvas: Size { width, height },
    }
}

fn card() -> Place {
    let size = Size {
        width: 400.0,
        height: 200.0,
    };
    place(size, (1280.0, 720.0))
}

/// Everything about a pose that can be seen, each as a number in which a tenth is a small change.
fn seen(pose: &Pose, place: &Place) -> Vec<f64> {
    let side = place.across().max(place.down());
    let mut numbers = vec![
        pose.opacity,
        pose.shift.0 / side,
        pose.shift.1 / side,
        pose.scale.0,
        pose.scale.1,
        pose.skew.0 / 90.0,
        pose.skew.1 / 90.0,
    ];
    numbers.extend(pose.turn.map(|angle| angle / 90.0));
    let open = pose.reveal.unwrap_or(Reveal::OPEN);
    // Beyond the box nothing is cut off.
    let cut = [open.left, open.top, open.right, open.bottom].map(|edge| f64::from(edge).max(0.0));
    numbers.extend(cut);
    let (mut blur, mut light) = (0.0, 1.0);
    for filter in &pose.filter {
        match filter {
            Filter::Blur(sigma) => blur += f64::from(*sigma) / place.shorter().max(8.0),
            Filter::Brightness(factor) => light *= f64::from(*factor),
            _ => {}
        }
    }
    numbers.extend([blur, light]);
    numbers
}

#[test]
fn every_preset_ends_at_rest_whatever_the_box() {
    for preset in PRESETS {
        for place in places() {
            for end in [1.0, 1.5, f64::INFINITY, f64::NAN] {
                assert_eq!(preset.entering(end, &place), Pose::REST, "{}", preset.name);
                assert_eq!(
                    preset.leaving(end, &place).on_box(place.size),
                    Projection::IDENTITY
                );
            }
            assert_eq!(
                preset.entering(-3.0, &place),
                preset.entering(0.0, &place),
                "{}",
                preset.name
            );
        }
    }
}

#[test]
fn every_pose_of_any_box_is_finite() {
    for preset in PRESETS {
        for place in places() {
            for step in 0..=60 {
                let progress = f64::from(step) / 60.0;
                for pose in [
                    preset.entering(progress, &place),
                    preset.leaving(progress, &place),
                ] {
                    let map = pose.on_box(place.size);
                    let is_finite = map.is_finite()
                        && seen(&pose, &place).iter().all(|number| number.is_finite());
                    assert!(is_finite, "{} at {progress} on {place:?}", preset.name);
                    assert!((0.0..=1.0).contains(&pose.opacity), "{}", preset.name);
                    let (x, y) = (place.size.width / 2.0, place.size.height / 2.0);
                    assert!(
                        map.apply(x, y).is_some(),
                        "{} comes to the eye",
                        preset.name
                    );
                }
            }
        }
    }
}

#[test]
fn nothing_jumps_but_what_should() {
    const STEPS: u32 = 4000;
    for preset in PRESETS {
        let place = card();
        let states: Vec<Vec<f64>> = (0..=STEPS)
            .map(|step| preset.entering(f64::from(step) / f64::from(STEPS), &place))
            .map(|pose| seen(&pose, &place))
            .collect();
        let largest = states
            .windows(2)
            .flat_map(|pair| pair[0].iter().zip(&pair[1]))
            .map(|(from, to)| (to - from).abs())
            .fold(0.0, f64::max);
        if STEPPED.contains(&preset.name) {
            assert!(largest > 0.05, "{} is smooth: {largest}", preset.name);
        } else {
            assert!(largest < 0.01, "{} jumps by {largest}", preset.name);
        }
    }
}

#[test]
fn nothing_is_to_be_seen_at_the_start_and_all_of_it_near_the_end() {
    for preset in PRESETS {
        let place = card();
        let start = preset.entering(0.0, &place);
        let is_hidden = start.opacity == 0.0 || start.reveal.is_some_and(Reveal::is_closed);
        assert_eq!(is_hidden, preset.name != "none", "{}", preset.name);
        let near = preset.entering(0.999, &place);
        assert!(near.opacity > 0.9, "{}: {near:?}", preset.name);
    }
}

#[test]
fn no_preset_is_a_copy_of_another() {
    let place = card();
    let course = |preset: &Preset| -> Vec<Pose> {
        (1..10)
            .map(|step| preset.entering(f64::from(step) / 10.0, &place))
            .collect()
    };
    let courses = PRESETS.map(|preset| (preset.name, course(&preset)));
    for (index, (name, course)) in courses.iter().enumerate() {
        for (other, theirs) in &courses[..index] {
            assert_ne!(course, theirs, "{name} is {other}");
        }
    }
}

#[test]
fn what_leaves_goes_back_or_on_in_its_direction() {
    let place = card();
    let shift = |name: &str, is_leaving: bool| {
        let preset = Preset::named(name).expect(name);
        match is_leaving {
            false => preset.entering(0.3, &place).shift,
            true => preset.leaving(0.3, &place).shift,
        }
    };
    assert!(shift("slideLeft", false).0 > 0.0, "from the right");
    assert!(shift("slideLeft", true).0 < 0.0, "to the left");
    assert!(shift("slide-up", false).1 > 0.0 && shift("slide-up", true).1 < 0.0);
    assert_eq!(shift("drop", false), shift("drop", true));
    for preset in PRESETS {
        for step in 0..=20 {
            let progress = f64::from(step) / 20.0;
            let (came, goes) = (
                preset.entering(progress, &place),
                preset.leaving(progress, &place),
            );
            let is_mirror = goes == came || goes == came.clone().beyond();
            assert!(is_mirror, "{} at {progress}", preset.name);
        }
    }
    let wipe = |is_leaving| {
        let preset = Preset::named("swipeReveal").expect("a preset");
        let pose = match is_leaving {
            false => preset.entering(0.5, &place),
            true => preset.leaving(0.5, &place),
        };
        pose.reveal.expect("a part")
    };
    assert!(wipe(false).right > 0.0 && wipe(false).left < 0.0);
    assert!(wipe(true).left > 0.0 && wipe(true).right < 0.0);
}

#[test]
fn names_are_read_in_both_spellings_and_no_other() {
    let spellings = preset_spellings();
    assert_eq!(preset_names().len(), 39);
    for spelling in &spellings {
        assert!(Preset::named(spelling).is_some(), "{spelling}");
    }
    for (camel, kebab) in [
        ("slideRight", "slide-right"),
        ("expandVertical", "expand-vertical"),
        ("flipX", "flip-x"),
        ("rotateIn", "rotate-in"),
    ] {
        assert!(spellings.contains(&camel.to_owned()) && spellings.contains(&kebab.to_owned()));
    }
    for unknown in [
        "",
        "Fade",
        "slide_right",
        "slideright",
        "-fade",
        "fade-",
        "unroll",
    ] {
        assert!(Preset::named(unknown).is_none(), "{unknown}");
    }
}

fn movement(animation: &Value, fps: f64) -> Movement {
    let overlay = json!({
        "id": 1, "type": "shape", "content": "circle", "from": 0, "durationInFrames": 90, "row": 0,
        "left": 0, "top": 0, "width": 9, "height": 9, "styles": { "animation": animation }
    });
    let document = json!({
        "overlays": [overlay], "durationInFrames": 90, "width": 64, "height": 36
    });
    let (composition, _) = crate::document::Composition::from_json(&document).expect("valid");
    Movement::new(composition.overlays[0].animation(), None, fps)
}

fn at(movement: &Movement, elapsed: f64, fps: f64) -> Motion {
    let moment = Moment {
        elapsed,
        duration: 90.0,
        fps,
    };
    movement.at(moment, &card(), false)
}

#[test]
fn a_ramp_takes_fifteen_frames_unless_told_otherwise() {
    for fps in [1.0, 12.0, 25.0, 30.0, 60.0, 120.0] {
        let fading = json!({ "enter": "fade", "exit": "fade", "exitDuration": 15.0 / fps });
        let fading = movement(&fading, fps);
        let opacity = |frame: f64| at(&fading, frame, fps).opacity;
        assert_eq!(opacity(0.0), 0.0);
        assert_eq!(opacity(6.0), 0.4, "whatever the fps");
        assert_eq!(opacity(15.0), 1.0);
        assert!((opacity(75.0) - 1.0).abs() < 1e-9);
        let last = opacity(89.0);
        assert!(
            (last - 1.0 / 15.0).abs() < 1e-9,
            "the last frame is not empty"
        );
    }
}

#[test]
fn ramps_of_seconds_look_the_same_at_any_frame_rate() {
    for name in preset_names() {
        for fps in [12.0, 60.0, 120.0] {
            let animation = json!({ "enter": name, "enterDuration": 1.0 });
            for tenth in 0..=10 {
                let (one, other) = (tenth as f64 * 3.0, tenth as f64 / 10.0 * fps);
                let one = at(&movement(&animation, 30.0), one, 30.0);
                let other = at(&movement(&animation, fps), other, fps);
                assert!((one.opacity - other.opacity).abs() < 1e-6, "{name}");
            }
        }
    }
}

#[test]
fn ramps_of_odd_lengths_are_defined() {
    let opacity = |seconds: f64, frame: f64| {
        let animation = json!({ "enter": "fade", "enterDuration": seconds });
        at(&movement(&animation, 30.0), frame, 30.0).opacity
    };
    assert_eq!(opacity(0.0, 0.0), 1.0);
    assert_eq!(opacity(-2.0, 0.0), 1.0);
    assert_eq!(opacity(1e308, 30.0), 0.0);
    assert!(opacity(1e9, 30.0) > 0.0);
}

#[test]
fn a_short_life_comes_and_goes_at_once() {
    let animation = json!({
        "enter": "slideLeft", "exit": "expandVertical", "enterDuration": 3, "exitDuration": 3
    });
    let both = at(&movement(&animation, 30.0), 45.0, 30.0);
    let enter = json!({ "enter": "slideLeft", "enterDuration": 3 });
    let enter = at(&movement(&enter, 30.0), 45.0, 30.0);
    let exit = json!({ "exit": "expandVertical", "exitDuration": 3 });
    let exit = at(&movement(&exit, 30.0), 45.0, 30.0);
    assert_eq!(both.whole, enter.whole.then_inner(exit.whole));
    assert_eq!(both.passing, exit.passing);
    assert_eq!(both.opacity, enter.opacity * exit.opacity);
    assert!(!both.is_at_rest);
}

#[test]
fn only_what_moves_the_box_keeps_it_from_rest() {
    let rests =
        |animation: Value, frame: f64| at(&movement(&animation, 30.0), frame, 30.0).is_at_rest;
    assert!(rests(json!({ "enter": "fade" }), 5.0));
    assert!(!rests(json!({ "enter": "slideUp" }), 5.0));
    assert!(rests(json!({ "enter": "slideUp" }), 15.0));
    assert!(!rests(json!({ "enter": "blur" }), 5.0));
    assert!(!rests(json!({ "exit": "typing" }), 80.0));
    assert!(!rests(json!({ "enter": "fade", "during": "float" }), 50.0));
    assert!(!rests(json!({ "exit": "slideUp" }), 89.0));
}

#[test]
fn at_rest_a_layer_is_the_same_in_every_frame_and_as_without_animation() {
    let layer = |styles: Value, frame: u32| {
        let overlay = json!({
            "id": 1, "type": "shape", "content": "star", "from": 0, "durationInFrames": 90,
            "row": 0, "left": 10.25, "top": 20, "width": 100, "height": 50, "rotation": 10,
            "styles": styles
        });
        let document = json!({
            "overlays": [overlay], "durationInFrames": 90, "width": 640, "height": 360
        });
        let (composition, _) = crate::document::Composition::from_json(&document).expect("valid");
        let scene = crate::timeline::Scene::new(std::sync::Arc::new(composition));
        assert_eq!(scene.plan(40), scene.plan(41));
        let layer = scene.plan(frame).layers.into_iter().next();
        layer.map(|layer| {
            (
                layer.transform,
                layer.is_settled,
                layer.opacity,
                layer.passing,
            )
        })
    };
    let plain = layer(json!({}), 40).expect("seen");
    assert!(plain.1);
    let stagger = json!({ "enabled": true, "x": [50, 0], "blur": [9], "duration": 12 });
    for name in preset_names() {
        let styles = json!({
            "animation": { "enter": name, "exit": name }, "staggeredMotion": stagger
        });
        for frame in [15, 40, 75] {
            assert_eq!(
                layer(styles.clone(), frame).as_ref(),
                Some(&plain),
                "{name}, {frame}"
            );
        }
        for frame in [5, 84] {
            let is_plain = layer(styles.clone(), frame).as_ref() == Some(&plain);
            assert_eq!(is_plain, frame == 84 && name == "none", "{name}, {frame}");
        }
    }
}
