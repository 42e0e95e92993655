//! What living text shows in each frame.

use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::document::Composition;
use crate::timeline::Scene;

fn scene(content: &str, styles: &Value, fps: u32) -> Scene {
    let document = json!({ "durationInFrames": 600, "fps": fps, "width": 640, "height": 360,
        "overlays": [{ "id": 1, "type": "text", "content": content, "from": 0,
            "durationInFrames": 600, "row": 0, "left": 0, "top": 0, "width": 600, "height": 300,
            "styles": styles }] });
    let (composition, _) = Composition::from_json(&document).expect("valid");
    Scene::new(Arc::new(composition))
}

fn content(scene: &Scene, frame: u32) -> Content {
    scene.plan(frame).layers[0].content.clone()
}

/// The letters of a text that is typed, with `_` for a cursor and a wrong letter in brackets.
fn typed(text: &str, mode: &Value, frames: impl IntoIterator<Item = u32>) -> Vec<String> {
    use unicode_segmentation::UnicodeSegmentation;
    let mut mode = mode.clone();
    mode["enabled"] = json!(true);
    let scene = scene(text, &json!({ "typeWriter": mode }), 30);
    let shown = |frame| {
        let Content::LivingText(living) = content(&scene, frame) else {
            return text.to_owned();
        };
        let Show::Typed(typed) = living.show else {
            panic!("not typed")
        };
        let mut shown: String = text.graphemes(true).take(typed.letters).collect();
        if let Some(wrong) = typed.wrong {
            shown += &format!("[{wrong}]");
        }
        if typed.has_cursor {
            shown.push('_');
        }
        shown
    };
    frames.into_iter().map(shown).collect()
}

fn numbers(content_text: &str, mode: &Value, frames: &[u32]) -> Vec<String> {
    let mut mode = mode.clone();
    mode["enabled"] = json!(true);
    let scene = scene(content_text, &json!({ "counterMode": mode }), 30);
    let number = |frame: &u32| match content(&scene, *frame) {
        Content::LivingText(living) => living.number.expect("a number"),
        other => panic!("{other:?}"),
    };
    frames.iter().map(number).collect()
}

#[test]
fn letters_are_typed_one_by_one_and_the_cursor_blinks_in_the_end() {
    let mode = json!({ "typeSpeed": 2, "blinkSpeed": 4 });
    assert_eq!(
        typed("abc", &mode, 0..13),
        [
            "_", "_", "a_", "a_", "ab_", "ab_", "abc_", "abc_", "abc", "abc", "abc_", "abc_", "abc"
        ]
    );
    let quiet = json!({ "typeSpeed": 2, "cursor": false });
    assert_eq!(typed("ab", &quiet, 0..5), ["", "", "a", "a", "ab"]);
}

#[test]
fn a_letter_takes_a_twentieth_of_a_second_at_any_fps() {
    for fps in [10, 30, 60, 120] {
        let styles = json!({ "typeWriter": { "enabled": true } });
        let scene = scene("twelve words", &styles, fps);
        let Content::LivingText(living) = content(&scene, fps / 10 * 2) else {
            panic!("typed")
        };
        let Show::Typed(typed) = living.show else {
            panic!("typed")
        };
        assert_eq!(typed.letters, 4, "{fps}");
    }
}

#[test]
fn clusters_and_newlines_count_as_one_letter_each() {
    let text = "e\u{301}\n👩\u{200D}💻x";
    let shown = typed(text, &json!({ "typeSpeed": 1, "cursor": false }), 0..5);
    assert_eq!(
        shown,
        ["", "e\u{301}", "e\u{301}\n", "e\u{301}\n👩\u{200D}💻", text]
    );
}

#[test]
fn a_loop_starts_empty_and_deletes_first_if_told_to() {
    let mode = json!({ "typeSpeed": 1, "loop": true, "pauseAfterType": 2, "cursor": false });
    assert_eq!(
        typed("ab", &mode, 0..9),
        ["", "a", "ab", "ab", "", "a", "ab", "ab", ""]
    );
    let mode = json!({ "typeSpeed": 1, "loop": true, "deleteBeforeNext": true, "cursor": false,
        "pauseAfterType": 1, "pauseAfterDelete": 2 });
    assert_eq!(
        typed("ab", &mode, 0..10),
        ["", "a", "ab", "ab", "a", "", "", "", "a", "ab"],
        "typed, one to read, deleted, two to wait"
    );
    let once =
        json!({ "typeSpeed": 1, "deleteBeforeNext": true, "cursor": false, "pauseAfterType": 1 });
    assert_eq!(typed("ab", &once, [2, 4, 5, 400]), ["ab", "a", "", ""]);
}

#[test]
fn mistakes_are_made_seen_and_corrected() {
    let mode = json!({ "typeSpeed": 1, "errorRate": 1, "cursor": false });
    let shown = typed("So", &mode, 0..9);
    assert_eq!(shown[0], "");
    let wrong = &shown[1];
    assert!(["[A]", "[D]"].contains(&wrong.as_str()), "{wrong}");
    assert_eq!(shown[1], shown[2]);
    assert_eq!(shown[3..5], ["", "S"]);
    assert!(["S[i]", "S[p]"].contains(&shown[5].as_str()));
    assert_eq!(shown[7..], ["S", "So"]);
    assert_eq!(typed("So", &mode, 0..9), shown, "the same every time");
    let right = json!({ "typeSpeed": 1, "errorRate": 0, "cursor": false });
    assert_eq!(typed("So", &right, 0..3), ["", "S", "So"]);
}

#[test]
fn about_as_many_letters_go_wrong_as_asked_for() {
    let text = "abcdefghij".repeat(50);
    let mode = json!({ "typeSpeed": 0.25, "errorRate": 0.2, "cursor": false });
    let shown = typed(&text, &mode, 0..599);
    let end = shown.iter().position(|one| *one == text).expect("typed");
    // Each mistake takes three strokes more.
    let mistakes = (end as f64 * 4.0 - 500.0) / 3.0;
    assert!((60.0..140.0).contains(&mistakes), "{mistakes}");
}

#[test]
fn odd_times_of_typing_have_a_result() {
    for mode in [
        json!({ "typeSpeed": 0 }),
        json!({ "typeSpeed": -3 }),
        json!({ "typeSpeed": 0, "loop": true, "pauseAfterType": 0 }),
        json!({ "typeSpeed": 0, "loop": true, "pauseAfterType": -5, "errorRate": 7 }),
    ] {
        let shown = typed("abc", &mode, [0, 1, 7, 599]);
        assert!(
            shown.iter().all(|one| one.starts_with("abc")),
            "{mode}: {shown:?}"
        );
    }
    for mode in [
        json!({ "typeSpeed": 1e300, "loop": true }),
        json!({ "typeSpeed": 1e-300, "blinkSpeed": 1e-300, "loop": true, "pauseAfterType": 1e-300 }),
        json!({ "blinkSpeed": -1, "errorRate": -1, "pauseAfterDelete": 1e308, "deleteBeforeNext": true }),
    ] {
        typed("abc", &mode, [0, 1, 300, 599]);
    }
    assert_eq!(typed("", &json!({ "cursor": false }), [0, 9]), ["", ""]);
    assert_eq!(typed("", &json!({ "cursor": true }), [0, 9]), ["", ""]);
}

#[test]
fn numbers_run_up_and_down_and_stay() {
    let up = json!({ "to": 100, "duration": 10, "easing": "linear" });
    assert_eq!(
        numbers("", &up, &[0, 5, 10, 500]),
        ["0", "50", "100", "100"]
    );
    let down = json!({ "from": 3, "to": -3, "duration": 12, "easing": "linear" });
    assert_eq!(numbers("", &down, &[0, 6, 7, 12]), ["3", "0", "-1", "-3"]);
    let low = json!({ "from": -0.4, "to": 0.4, "toFixed": 0, "duration": 10, "easing": "linear" });
    assert_eq!(numbers("", &low, &[0, 3, 10]), ["0", "0", "0"], "no minus");
    let two_seconds = json!({ "to": 8 });
    assert_eq!(numbers("", &two_seconds, &[30, 60]), ["7", "8"]);
}

#[test]
fn numbers_are_spelled_as_the_text_spells_its_own() {
    let spelled = |text: &str, to: f64, decimals: u32| {
        let mode = json!({ "to": to, "toFixed": decimals, "duration": 0 });
        numbers(text, &mode, &[0]).remove(0)
    };
    assert_eq!(spelled("", 1234567.0, 0), "1234567");
    assert_eq!(spelled("1,000", 1234567.0, 1), "1,234,567.0");
    assert_eq!(spelled("$1.000,50", 1234.5, 2), "1.234,50");
    assert_eq!(
        spelled("1.000", 1234.5, 2),
        "1234.50",
        "that may be a decimal"
    );
    assert_eq!(spelled("1 000 000,5", -99999.0, 1), "-99 999,0");
    assert_eq!(spelled("12,34", 1234.0, 1), "1234,0");
    assert_eq!(spelled("", 2.5, 0), "3", "halves go up");
    let all = json!({ "from": 0.25, "to": 3, "prefix": "≈ ", "postfix": "x", "duration": 2, "easing": "linear" });
    assert_eq!(numbers("", &all, &[0, 9]), ["≈ 0.25x", "≈ 3.00x"]);
    assert_eq!(
        numbers("over 1,250 users", &json!({ "duration": 0 }), &[0]),
        ["1,250"]
    );
}

#[test]
fn the_longest_number_counts_what_an_easing_overshoots() {
    let styles = json!({ "counterMode": { "enabled": true, "to": 95, "easing": "easeOutBack" } });
    let scene = scene("", &styles, 30);
    let Content::LivingText(living) = content(&scene, 0) else {
        panic!("a number")
    };
    let longest = living.block.number.clone().expect("a number");
    assert_eq!(longest.len(), 3, "{longest}");
    let widest = (0..90).map(|frame| numbers_at(&scene, frame).len()).max();
    assert_eq!(widest, Some(3));
}

fn numbers_at(scene: &Scene, frame: u32) -> String {
    match content(scene, frame) {
        Content::LivingText(living) => living.number.expect("a number"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn extreme_numbers_have_a_result() {
    for mode in [
        json!({ "from": -1e308, "to": 1e308, "toFixed": 20, "easing": "easeOutElastic" }),
        json!({ "from": 1e-308, "to": 5e-324, "toFixed": 1e9 }),
        json!({ "to": 1, "toFixed": -4, "duration": -7 }),
    ] {
        for text in numbers("9.999.999,1", &mode, &[0, 1, 20, 599]) {
            assert!(!text.is_empty() && !text.contains("inf") && !text.contains("NaN"));
        }
    }
}

#[test]
fn text_that_has_arrived_is_just_text() {
    let styles = json!({ "animatedText": { "enabled": true, "split": "character", "duration": 10,
        "splitStagger": 2, "delay": 3 } });
    let moving = scene("abcd", &styles, 30);
    assert!(matches!(content(&moving, 0), Content::LivingText(_)));
    assert_ne!(moving.plan(4), moving.plan(5));
    // Three turns of two frames after a delay of three.
    assert!(matches!(content(&moving, 18), Content::LivingText(_)));
    assert!(matches!(content(&moving, 19), Content::Text(_)));
    assert_eq!(moving.plan(19), moving.plan(500));
}

#[test]
fn text_that_ends_elsewhere_stays_there() {
    let styles = json!({ "animatedText": { "enabled": true, "split": "none", "opacity": [1, 0.5],
        "duration": 10 } });
    let faded = scene("abcd", &styles, 30);
    assert!(matches!(content(&faded, 300), Content::LivingText(_)));
    assert_eq!(faded.plan(10), faded.plan(300));
    let styles = json!({ "animatedText": { "enabled": true, "split": "none", "glitch": [0, 5],
        "duration": 10 } });
    let restless = scene("abcd", &styles, 30);
    assert_ne!(restless.plan(300), restless.plan(301));
}

#[test]
fn displaced_letters_jump_thirty_times_a_second_at_any_fps() {
    let ticks = |fps: u32| -> Vec<u64> {
        let styles =
            json!({ "animatedText": { "enabled": true, "glitch": [9, 0], "duration": 600 } });
        let scene = scene("ab", &styles, fps);
        let tick = |frame| match content(&scene, frame) {
            Content::LivingText(LivingText {
                show: Show::Pieces { tick, .. },
                ..
            }) => tick,
            other => panic!("{other:?}"),
        };
        (0..fps).map(tick).collect()
    };
    assert_eq!(ticks(30), (0..30).collect::<Vec<_>>());
    let mut doubled = ticks(60);
    doubled.dedup();
    assert_eq!(doubled, ticks(30));
}

#[test]
fn code_has_its_own_look_and_its_lines_come_one_by_one() {
    let code = json!({ "enabled": true, "language": "rust", "lineStagger": 4, "fontSize": 20 });
    let lines = scene(
        "fn a() {\n\tb\n}",
        &json!({ "codeBlock": code, "textAlign": "center" }),
        30,
    );
    let Content::LivingText(living) = content(&lines, 0) else {
        panic!("lines that appear")
    };
    assert_eq!(living.block.text, "fn a() {\n    b\n}");
    assert_eq!(living.block.style.families[0], "JetBrains Mono");
    assert_eq!(living.block.style.align, crate::document::TextAlign::Left);
    assert!(living.block.frame.background.color.is_some());
    assert!(matches!(content(&lines, 599), Content::Text(_)));
    let own = json!({ "codeBlock": { "enabled": true, "lineStagger": -3 }, "background": "none" });
    let still = scene("x", &own, 30);
    let Content::Text(block) = content(&still, 0) else {
        panic!("no movement")
    };
    assert_eq!(block.frame.background.color, None);
}

#[test]
fn what_is_off_changes_nothing() {
    let styles = json!({ "animatedText": { "y": [9, 0] }, "typeWriter": { "enabled": false },
        "counterMode": { "to": 7 }, "codeBlock": { "language": "rust" },
        "staggeredMotion": { "y": [9, 0] } });
    assert!(matches!(
        content(&scene("abc", &styles, 30), 0),
        Content::Text(_)
    ));
}
