//! Values that are put into variables.

use super::*;

fn final_overlays(resolution: &Resolution) -> Value {
    resolution.composition.to_json()["overlays"].clone()
}

fn one_of_each() -> [Value; 8] {
    [
        variable("text", &json!({ "type": "text", "content": "authored" })),
        variable(
            "video",
            &json!({ "type": "video", "src": "https://a.test/v.mp4" }),
        ),
        variable(
            "image",
            &json!({ "type": "image", "src": "https://a.test/i.png" }),
        ),
        variable(
            "sound",
            &json!({ "type": "sound", "src": "https://a.test/s.mp3" }),
        ),
        variable("shape", &json!({ "type": "shape", "content": "rectangle" })),
        variable(
            "sticker",
            &json!({ "type": "sticker", "content": "shape-star" }),
        ),
        variable("effect", &json!({ "type": "effect", "content": "snow" })),
        variable("caption", &json!({ "type": "caption", "captions": [] })),
    ]
}

#[test]
fn each_type_takes_a_value_where_it_shows_one() {
    for (name, value, field) in [
        ("text", "Hello", "content"),
        ("shape", "circle", "content"),
        ("sticker", "emoji-1f680", "content"),
        ("effect", "confetti", "content"),
        ("video", "https://b.test/x.mp4", "src"),
        ("image", "https://b.test/x.png", "src"),
        ("sound", "https://b.test/x.mp3", "src"),
    ] {
        let overlays: Vec<Value> = one_of_each()
            .into_iter()
            .filter(|overlay| overlay["name"] == name)
            .collect();
        for key in ["templateId", "projectId"] {
            let body = json!({ key: "x", name: value });
            let resolution = resolve_with(&body, &document(&overlays), Ai::Refuse).expect("valid");
            assert_eq!(final_overlays(&resolution)[0][field], value, "{name}");
            let resolved = &resolution.variables[0];
            assert_eq!(resolved.value, value);
            assert_eq!(resolved.overlay_id, 1);
            assert_eq!((resolved.overlay_type, resolved.field), (name, field));
            assert_eq!(resolved.origin.as_str(), "replacement");
            assert!(resolution.unknown_replacements.is_empty());
        }
    }
}

#[test]
fn numbers_and_booleans_become_text_and_null_is_no_value() {
    for (value, text) in [
        (json!(1), "1"),
        (json!(1.0), "1"),
        (json!(1.5), "1.5"),
        (json!(-0.25), "-0.25"),
        (json!(u64::MAX), "18446744073709551615"),
        (json!(i64::MIN), "-9223372036854775808"),
        (json!(true), "true"),
        (json!(false), "false"),
        (json!(""), ""),
        (json!("NaN"), "NaN"),
        (json!(null), "authored"),
    ] {
        let overlays = [variable(
            "t",
            &json!({ "type": "text", "content": "authored" }),
        )];
        let resolution = template(&overlays, &json!({ "t": value })).expect("valid");
        assert_eq!(final_overlays(&resolution)[0]["content"], text);
        let origin = if value.is_null() {
            Origin::Default
        } else {
            Origin::Replacement
        };
        assert_eq!(resolution.variables[0].origin, origin);
        assert_eq!(resolution.variables[0].value, text);
    }
}

#[test]
fn objects_and_arrays_are_refused_by_their_key() {
    for overlay in one_of_each() {
        let name = overlay["name"].as_str().expect("a name").to_owned();
        let path = format!("replacements.{name}");
        let odd: &[Value] = &[
            json!({}),
            json!({ "text": "x" }),
            json!({ "tts": {}, "transcribe": {} }),
        ];
        for value in odd {
            assert_invalid(
                template(std::slice::from_ref(&overlay), &json!({ &name: value })),
                &[&path],
            );
        }
        if name != "caption" {
            for value in [json!([]), json!(["x"])] {
                let overlays = std::slice::from_ref(&overlay);
                assert_invalid(template(overlays, &json!({ &name: value })), &[&path]);
            }
        }
    }
}

#[test]
fn a_value_reaches_every_overlay_of_its_name_and_no_other() {
    let overlays = [
        variable("name", &json!({ "type": "text", "content": "a" })),
        variable("Name", &json!({ "type": "text", "content": "b" })),
        variable("name", &json!({ "type": "text", "content": "c" })),
        overlay(&json!({ "type": "text", "content": "d", "name": "name" })),
        overlay(&json!({ "type": "text", "content": "e", "name": "name", "isDynamic": false })),
        variable("", &json!({ "type": "text", "content": "f" })),
    ];
    let values = json!({ "name": "new", "NAME": "lost", "": "lost", "other": 1, "gone": null });
    let resolution = template(&overlays, &values).expect("valid");
    let contents: Vec<Value> = final_overlays(&resolution)
        .as_array()
        .expect("an array")
        .iter()
        .map(|overlay| overlay["content"].clone())
        .collect();
    assert_eq!(contents, ["new", "b", "new", "d", "e", "f"]);
    assert_eq!(resolution.unknown_replacements, ["", "NAME", "other"]);
    let variables: Vec<_> = resolution
        .variables
        .iter()
        .map(|variable| (variable.name.as_str(), variable.origin.as_str()))
        .collect();
    assert_eq!(
        variables,
        [
            ("name", "replacement"),
            ("Name", "default"),
            ("name", "replacement")
        ]
    );
}

#[test]
fn direct_mode_ignores_replacements() {
    let overlays = [variable(
        "title",
        &json!({ "type": "text", "content": "sent" }),
    )];
    let body = json!({
        "inputProps": document(&overlays), "replacements": { "title": "x" }, "flat": { "y": [1] }
    });
    let resolution = resolve_with(&body, &Value::Null, Ai::Refuse).expect("valid");
    assert_eq!(final_overlays(&resolution)[0]["content"], "sent");
    assert_eq!(resolution.unknown_replacements, ["flat", "title"]);
    assert_eq!(resolution.variables[0].origin, Origin::Default);
    assert_eq!(resolution.variables[0].value, "sent");
    assert_eq!(resolution.mode, Mode::Direct);
}

#[test]
fn a_text_becomes_one_caption_over_the_overlays_length() {
    let mut track = variable("words", &json!({ "type": "caption", "captions": [] }));
    track["durationInFrames"] = 60.into();
    let body = json!({ "templateId": "t", "words": "  to be\nhere  ", "fps": 24 });
    let resolution = resolve_with(&body, &document(&[track]), Ai::Refuse).expect("valid");
    let expected = json!([{
        "text": "to be\nhere", "startMs": 0, "endMs": 2500, "words": [
            { "word": "to", "startMs": 0, "endMs": 625, "confidence": 1 },
            { "word": "be", "startMs": 625, "endMs": 1250, "confidence": 1 },
            { "word": "here", "startMs": 1250, "endMs": 2500, "confidence": 1 }
        ]
    }]);
    assert_eq!(final_overlays(&resolution)[0]["captions"], expected);
    assert_eq!(resolution.variables[0].value, "to be\nhere");
    assert_eq!(resolution.variables[0].field, "content");
}

#[test]
fn blank_text_is_no_caption() {
    let said = json!([{ "text": "x", "startMs": 0, "endMs": 9, "words": [] }]);
    let track = variable("words", &json!({ "type": "caption", "captions": said }));
    let resolution = template(&[track], &json!({ "words": " \n" })).expect("valid");
    assert_eq!(final_overlays(&resolution)[0]["captions"], json!([]));
}

#[test]
fn captions_are_taken_as_they_are_and_checked() {
    let track = variable("words", &json!({ "type": "caption", "captions": [] }));
    let word = json!({ "word": "hi", "startMs": 0, "endMs": 400, "confidence": 0.5 });
    let caption = json!({ "text": "hi", "startMs": 0, "endMs": 500, "words": [word] });
    let overlays = std::slice::from_ref(&track);
    let resolution = template(overlays, &json!({ "words": [caption] })).expect("valid");
    assert_eq!(final_overlays(&resolution)[0]["captions"], json!([caption]));
    assert_eq!(resolution.variables[0].value, json!([caption]));

    let mut odd = caption.clone();
    odd["colour"] = "red".into();
    let resolution = template(overlays, &json!({ "words": [odd] })).expect("valid");
    assert_eq!(resolution.unknown_fields, ["replacements.words[0].colour"]);

    let bad = json!({ "text": "hi", "startMs": "soon", "endMs": 500, "words": [{ "word": 1 }] });
    assert_invalid(
        template(overlays, &json!({ "words": [caption, bad, 7] })),
        &[
            "replacements.words[1].startMs",
            "replacements.words[1].words[0].word",
            "replacements.words[1].words[0].startMs",
            "replacements.words[1].words[0].endMs",
            "replacements.words[1].words[0].confidence",
            "replacements.words[2]",
        ],
    );
}

#[test]
fn an_unknown_shape_is_unrenderable_wherever_it_comes_from() {
    let overlays = [
        overlay(&json!({ "type": "text", "content": "x" })),
        variable("badge", &json!({ "type": "shape", "content": "circle" })),
    ];
    assert_unrenderable(
        template(&overlays, &json!({ "badge": "blob" })),
        &["overlays[1].content"],
    );
}

#[test]
fn unknown_fields_are_reported_at_any_depth_and_gone() {
    let mut sent = overlay(&json!({
        "type": "text", "content": "x", "colour": "typo",
        "styles": { "color": "red", "fontColour": 1, "animation": { "enter": "fade", "speed": 2 } }
    }));
    sent["rotation"] = 0.into();
    let mut inside = document(&[sent]);
    inside["title"] = "unknown".into();
    let resolution =
        resolve_with(&json!({ "inputProps": inside }), &Value::Null, Ai::Refuse).expect("valid");
    let mut unknown = resolution.unknown_fields.clone();
    unknown.sort_unstable();
    assert_eq!(
        unknown,
        [
            "overlays[0].colour",
            "overlays[0].styles.animation.speed",
            "overlays[0].styles.fontColour",
            "title"
        ]
    );
    let written = resolution.composition.to_json();
    let expected = overlay(&json!({
        "type": "text", "content": "x", "rotation": 0,
        "styles": { "color": "red", "animation": {
            "enter": "fade", "duringSpeed": 1, "duringIntensity": 1
        } }
    }));
    assert_eq!(written["overlays"][0], expected);
    assert_eq!(written.get("title"), None);
}
