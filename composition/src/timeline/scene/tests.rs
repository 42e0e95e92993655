//! What a scene shows, frame by frame.

use serde_json::{Value, json};

use super::*;

fn scene(overlays: &Value) -> Scene {
    let document =
        json!({ "overlays": overlays, "durationInFrames": 90, "width": 640, "height": 360 });
    let (composition, _) = Composition::from_json(&document).expect("valid");
    Scene::new(Arc::new(composition))
}

fn shape(id: u32, row: u32, from: u32) -> Value {
    json!({ "id": id, "type": "shape", "content": "rectangle", "from": from, "durationInFrames": 30,
            "row": row, "left": 10, "top": 20, "width": 100, "height": 50 })
}

fn order(scene: &Scene, frame: u32) -> Vec<usize> {
    scene
        .plan(frame)
        .layers
        .iter()
        .map(|layer| layer.overlay)
        .collect()
}

#[test]
fn lower_rows_are_in_front_and_equal_rows_keep_their_order() {
    let scene = scene(&json!([
        shape(1, 0, 0),
        shape(2, 15, 0),
        shape(3, 0, 0),
        shape(4, 3, 0)
    ]));
    assert_eq!(order(&scene, 0), [1, 3, 0, 2]);
}

#[test]
fn an_overlay_is_seen_from_its_first_frame_and_not_at_its_end() {
    let scene = scene(&json!([shape(1, 0, 10)]));
    let seen: Vec<u32> = (0..90)
        .filter(|frame| !order(&scene, *frame).is_empty())
        .collect();
    assert_eq!(seen, (10..40).collect::<Vec<_>>());
}

#[test]
fn still_frames_have_equal_plans_and_moving_ones_do_not() {
    let still = scene(&json!([shape(1, 0, 0)]));
    assert_eq!(still.plan(3), still.plan(4));
    let mut spinning = shape(1, 0, 0);
    spinning["styles"] = json!({ "animation": { "during": "spin" } });
    let spinning = scene(&json!([spinning]));
    assert_ne!(spinning.plan(3), spinning.plan(4));
}

#[test]
fn the_plan_before_is_the_last_different_one() {
    let scene = scene(&json!([shape(1, 0, 10)]));
    assert_eq!(scene.plan_before(25), Some(scene.plan(9)));
    assert_eq!(scene.plan_before(10), Some(scene.plan(0)));
    assert_eq!(scene.plan_before(5), None);
}

#[test]
fn a_video_shows_its_in_point_first_and_moves_with_its_speed() {
    let scene = scene(
        &json!([{ "id": 1, "type": "video", "src": "a.mp4", "from": 30, "durationInFrames": 60,
        "row": 0, "left": 0, "top": 0, "width": 64, "height": 36, "videoStartTime": 2, "speed": 0.5 }]),
    );
    let time = |frame| match &scene.plan(frame).layers[0].content {
        Content::Video { time, .. } => *time,
        other => panic!("{other:?}"),
    };
    assert_eq!(time(30), 2.0);
    assert_eq!(time(60), 2.5);
    let clips = scene.sounds();
    assert_eq!(
        (clips[0].starts_at, clips[0].length, clips[0].in_point),
        (1.0, 2.0, 2.0)
    );
}

#[test]
fn segments_count_frames_of_the_source_in_picture_and_sound() {
    let scene = scene(
        &json!([{ "id": 1, "type": "video", "src": "a.mp4", "from": 30, "durationInFrames": 60,
        "row": 0, "left": 0, "top": 0, "width": 64, "height": 36,
        "segments": [{ "startFrame": 100, "endFrame": 150, "speed": 2 }, { "startFrame": 0, "endFrame": 500 }] }]),
    )
    .with_rates([("a.mp4".to_owned(), 50.0)].into());
    let time = |frame| match &scene.plan(frame).layers[0].content {
        Content::Video { time, .. } => *time,
        other => panic!("{other:?}"),
    };
    assert_eq!((time(30), time(45), time(60)), (2.0, 0.0, 0.5));
    let heard: Vec<_> = scene
        .sounds()
        .iter()
        .map(|clip| (clip.starts_at, clip.length, clip.in_point, clip.speed))
        .collect();
    assert_eq!(heard, [(1.0, 0.5, 2.0, 2.0), (1.5, 1.5, 0.0, 1.0)]);
}

#[test]
fn an_image_stands_in_space_until_it_has_settled() {
    let image = |layout: Value| {
        scene(
            &json!([{ "id": 1, "type": "image", "src": "a.png", "from": 10, "durationInFrames": 60,
            "row": 0, "left": 20, "top": 30, "width": 200, "height": 100, "rotation": 10,
            "styles": { "layout3D": layout, "animation": { "enterDuration": 1 } } }]),
        )
    };
    let flat = image(json!({ "layout": "none", "settle": true }));
    let standing = image(json!({ "layout": "book" }));
    let settling = image(json!({ "layout": "book", "settle": true }));
    let layer = |scene: &Scene, frame| scene.plan(frame).layers.remove(0);
    let map = |scene: &Scene, frame| layer(scene, frame).transform;
    assert_eq!(map(&standing, 10), map(&standing, 50));
    assert_eq!(map(&settling, 10), map(&standing, 10));
    assert!(map(&settling, 39).as_affine().is_none());
    assert_eq!(map(&settling, 40), map(&flat, 40));
    assert!(layer(&standing, 10).is_settled);
    assert!(!layer(&settling, 39).is_settled && layer(&settling, 40).is_settled);
    // The hinge of a book is its left edge, wherever the overlay is turned to.
    let (standing, flat) = (map(&standing, 10), map(&flat, 10));
    let (x, y) = standing.apply(0.0, 100.0).expect("seen");
    let (flat_x, flat_y) = flat.apply(0.0, 100.0).expect("seen");
    assert!((x - flat_x).abs() < 0.01 && (y - flat_y).abs() < 0.01);
}

#[test]
fn an_animated_picture_starts_with_its_overlay() {
    let picture = |id, src: &str| {
        json!({ "id": id, "type": "image", "src": src, "from": 10,
        "durationInFrames": 60, "row": 0, "left": 0, "top": 0, "width": 64, "height": 36 })
    };
    let times = FrameTimes::new([0.1, 0.2], None).map(Arc::new);
    let times = HashMap::from([("a.gif".to_owned(), times.expect("two frames"))]);
    let scene = scene(&json!([picture(1, "a.gif"), picture(2, "b.png")])).with_frames(&times);
    let frames = |frame: u32| -> Vec<Option<usize>> {
        let frame_of = |layer: &Layer| match &layer.content {
            Content::Image { frame, .. } => *frame,
            other => panic!("{other:?}"),
        };
        scene.plan(frame).layers.iter().map(frame_of).collect()
    };
    assert_eq!(frames(10), [Some(0), None]);
    assert_eq!(frames(12), [Some(0), None]);
    assert_eq!(frames(13), [Some(1), None]);
    assert_eq!(frames(19), [Some(0), None]);
    assert_eq!(
        scene.plan(10),
        scene.plan(12),
        "nothing moves between frames"
    );
    assert_ne!(scene.plan(12), scene.plan(13));
}

#[test]
fn frames_that_differ_in_video_times_alone_are_told_from_others() {
    let video = json!({ "id": 1, "type": "video", "src": "a.mp4", "from": 0, "durationInFrames": 60,
        "row": 1, "left": 0, "top": 0, "width": 64, "height": 36 });
    let still = scene(&json!([video.clone(), shape(2, 0, 10)]));
    assert_ne!(still.plan(20), still.plan(21));
    assert!(still.plan(20).differs_in_video_times_alone(&still.plan(21)));
    assert!(!still.plan(9).differs_in_video_times_alone(&still.plan(10)));
    let mut spinning = shape(2, 0, 0);
    spinning["styles"] = json!({ "animation": { "during": "spin" } });
    let moving = scene(&json!([video, spinning]));
    assert!(
        !moving
            .plan(20)
            .differs_in_video_times_alone(&moving.plan(21))
    );
}

#[test]
fn captions_follow_the_words_and_pause_between_them() {
    let scene = scene(
        &json!([{ "id": 1, "type": "caption", "from": 0, "durationInFrames": 90, "row": 0,
        "left": 0, "top": 0, "width": 300, "height": 60, "captions": [
          { "text": "a b", "startMs": 0, "endMs": 1000, "words": [
            { "word": "a", "startMs": 0, "endMs": 300, "confidence": 1 },
            { "word": "b", "startMs": 500, "endMs": 1000, "confidence": 1 } ] } ] }]),
    );
    let state = |frame| match scene
        .plan(frame)
        .layers
        .first()
        .map(|layer| layer.content.clone())
    {
        Some(Content::Caption { caption, word, .. }) => Some((caption, word)),
        _ => None,
    };
    assert_eq!(state(0), Some((0, Some(0))));
    assert_eq!(state(12), Some((0, None)));
    assert_eq!(state(20), Some((0, Some(1))));
    assert_eq!(state(30), None, "nothing between captions");
}

#[test]
fn a_turned_box_starts_on_a_whole_pixel_and_a_moved_one_does_not() {
    let corner = |rotation: f64, transform: &str| {
        let mut overlay = shape(1, 0, 0);
        overlay["left"] = json!(10.25);
        overlay["top"] = json!(20.5);
        overlay["rotation"] = json!(rotation);
        overlay["styles"] = json!({ "transform": transform });
        let plan = scene(&json!([overlay])).plan(0);
        let map = plan.layers[0].transform;
        // The centre stays where it is, whatever turns about it.
        map.apply(50.0, 25.0).expect("in front")
    };
    assert_eq!(corner(0.0, "none"), (60.25, 45.5));
    assert_eq!(corner(0.0, "translate(3px, 4px)"), (63.25, 49.5));
    assert_eq!(corner(90.0, "none"), (60.0, 46.0));
    assert_eq!(corner(0.0, "scale(2)"), (60.0, 46.0));
}

#[test]
fn extremes_do_not_panic() {
    let mut odd = shape(1, 0, 0);
    odd["width"] = json!(-5);
    let mut huge = shape(2, 0, 0);
    huge["left"] = json!(1e300);
    huge["durationInFrames"] = json!(1e18);
    assert_eq!(order(&scene(&json!([odd])), 0), Vec::<usize>::new());
    assert_eq!(order(&scene(&json!([huge])), 0).len(), 1);
    assert!(scene(&json!([])).plan(u32::MAX).layers.is_empty());
}
