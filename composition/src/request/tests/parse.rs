//! Reading a body, and what it says about source, overrides and projects.

use super::*;

fn parse(body: &Value) -> Result<RenderRequest, Refusal> {
    RenderRequest::parse(body.to_string().as_bytes())
}

fn minimal() -> Value {
    document(&[])
}

#[test]
fn what_is_not_a_json_object_is_invalid() {
    for body in [
        "",
        "{",
        "[]",
        "nul",
        "null",
        "1",
        "\"x\"",
        "{\"a\":1e999}",
        "{} {}",
        "{'a':1}",
        "NaN",
        "{\"inputProps\":{\"durationInFrames\":NaN}}",
    ] {
        let refusal = refused(RenderRequest::parse(body.as_bytes()));
        assert_eq!(refusal.kind, RefusalKind::Invalid, "{body}");
        assert_eq!(paths(&refusal), [""], "{body}");
    }
    let refusal = refused(RenderRequest::parse(b"{\"projectName\": \"\xff\"}"));
    assert_eq!(paths(&refusal), [""]);
}

#[test]
fn exactly_one_source_is_needed_and_null_is_none() {
    for body in [
        json!({}),
        json!({ "inputProps": null, "templateId": null }),
        json!({ "inputProps": minimal(), "templateId": "t" }),
        json!({ "inputProps": minimal(), "projectId": "p" }),
        json!({ "templateId": "t", "projectId": "p" }),
        json!({ "inputProps": minimal(), "templateId": "t", "projectId": "p" }),
    ] {
        let refusal = refused(parse(&body));
        assert_eq!(refusal.kind, RefusalKind::Invalid, "{body}");
        assert_eq!(paths(&refusal), [""], "{body}");
        assert!(refusal.message.contains("exactly one of"), "{refusal}");
    }
    for (body, source, mode) in [
        (
            json!({ "inputProps": minimal(), "templateId": null }),
            Source::Direct(minimal()),
            "direct",
        ),
        (
            json!({ "templateId": "t", "projectId": null }),
            Source::Template("t".into()),
            "template",
        ),
        (
            json!({ "projectId": "p" }),
            Source::Project("p".into()),
            "project",
        ),
    ] {
        let request = parse(&body).expect("valid");
        assert_eq!(request.source, source);
        assert_eq!(request.mode().as_str(), mode);
    }
    for key in ["templateId", "projectId"] {
        for id in [json!(1), json!(true), json!([]), json!({ "id": "t" })] {
            assert_eq!(paths(&refused(parse(&json!({ key: id })))), [key]);
        }
    }
}

#[test]
fn every_wrong_field_is_named() {
    let body = json!({
        "templateId": "t", "replacements": [], "width": "wide", "height": -1, "fps": 29.97,
        "durationInFrames": 5e9, "createProject": "yes", "projectName": 7, "webhookUrl": 8,
        "confirmAiCost": 1
    });
    let refusal = refused(parse(&body));
    let mut found = paths(&refusal);
    found.sort_unstable();
    let expected = [
        "confirmAiCost",
        "createProject",
        "durationInFrames",
        "fps",
        "height",
        "projectName",
        "replacements",
        "webhookUrl",
        "width",
    ];
    assert_eq!(found, expected);
    assert!(refusal.message.ends_with("(and 8 more)"), "{refusal}");
}

#[test]
fn problems_of_the_body_and_of_the_composition_are_listed_together() {
    let body = json!({
        "inputProps": { "overlays": [overlay(&json!({ "type": "text" }))] },
        "webhookUrl": "nowhere"
    });
    assert_eq!(
        paths(&refused(parse(&body))),
        [
            "webhookUrl",
            "inputProps.overlays[0].content",
            "inputProps.durationInFrames"
        ]
    );
}

#[test]
fn nulls_are_as_if_not_sent() {
    let body = json!({
        "templateId": "t", "replacements": null, "width": null, "createProject": null,
        "projectName": null, "webhookUrl": null, "confirmAiCost": null, "title": null
    });
    let request = parse(&body).expect("valid");
    assert_eq!(
        request,
        parse(&json!({ "templateId": "t" })).expect("valid")
    );
    assert!(!request.confirm_ai_cost);
    assert!(request.replacements.is_empty());
}

#[test]
fn a_webhook_url_is_http_or_https() {
    for url in [
        "http://example.com/hook",
        "https://example.com:8443/a?b=c",
        " https://x.test ",
    ] {
        let request = parse(&json!({ "templateId": "t", "webhookUrl": url })).expect("valid");
        assert_eq!(request.webhook_url.as_deref(), Some(url.trim()));
    }
    for url in [
        "",
        "example.com/hook",
        "ftp://example.com",
        "file:///etc/passwd",
        "http://",
        "/x",
    ] {
        let refusal = refused(parse(&json!({ "templateId": "t", "webhookUrl": url })));
        assert_eq!(refusal.kind, RefusalKind::Invalid);
        assert_eq!(paths(&refusal), ["webhookUrl"], "{url}");
    }
}

#[test]
fn unknown_keys_are_replacements_and_explicit_ones_win() {
    let body = json!({
        "templateId": "t", "title": "flat", "Price": 5, "Width": 3,
        "both": "flat", "hidden": "flat",
        "replacements": { "both": "explicit", "hidden": null, "width": "a key of its own" },
        "width": 640, "height": 360, "fps": 25, "durationInFrames": 50,
        "createProject": true, "projectName": "n", "webhookUrl": "https://example.com",
        "confirmAiCost": true
    });
    let request = parse(&body).expect("valid");
    let expected = json!({
        "title": "flat", "Price": 5, "Width": 3, "both": "explicit", "hidden": "flat",
        "width": "a key of its own"
    });
    assert_eq!(Value::from(request.replacements), expected);
    assert_eq!(
        request.overrides,
        Overrides {
            width: Some(640),
            height: Some(360),
            fps: Some(25),
            duration_in_frames: Some(50)
        }
    );
    assert!(request.confirm_ai_cost);
    assert_eq!(request.project_name.as_deref(), Some("n"));
}

#[test]
fn templates_become_projects_unless_told_not_to() {
    for (source, said, creates) in [
        (json!({ "inputProps": minimal() }), None, false),
        (json!({ "inputProps": minimal() }), Some(true), true),
        (json!({ "inputProps": minimal() }), Some(false), false),
        (json!({ "templateId": "t" }), None, true),
        (json!({ "templateId": "t" }), Some(true), true),
        (json!({ "templateId": "t" }), Some(false), false),
        (json!({ "projectId": "p" }), None, false),
        (json!({ "projectId": "p" }), Some(true), false),
    ] {
        let mut body = source;
        body["createProject"] = said.into();
        let request = parse(&body).expect("valid");
        assert_eq!(request.creates_project(), creates, "{body}");
    }
}

#[test]
fn overrides_win_over_the_composition() {
    let body = json!({
        "inputProps": { "overlays": [], "durationInFrames": 30, "width": 640, "fps": 25 },
        "width": 320, "durationInFrames": 10
    });
    let resolution = resolve_with(&body, &Value::Null, Ai::Refuse).expect("valid");
    let final_one = resolution.composition;
    assert_eq!((final_one.width, final_one.height), (320, 1080));
    assert_eq!((final_one.fps, final_one.duration_in_frames), (25, 10));

    let stored = json!({ "overlays": [], "durationInFrames": 30, "width": 15 });
    for key in ["templateId", "projectId"] {
        let body = json!({ key: "x", "width": 800, "height": 600, "fps": 60 });
        let resolution = resolve_with(&body, &stored, Ai::Refuse).expect("mended by overrides");
        let final_one = resolution.composition;
        assert_eq!((final_one.width, final_one.height), (800, 600));
        assert_eq!((final_one.fps, final_one.duration_in_frames), (60, 30));
    }
}

#[test]
fn every_problem_of_a_composition_is_named_by_its_path() {
    let overlays = [
        overlay(&json!({ "type": "text", "content": "x", "styles": { "opacity": "half" } })),
        overlay(&json!({ "type": "hologram" })),
        json!({ "type": "image", "id": 3 }),
    ];
    let refusal = refused(direct(&overlays));
    assert_eq!(refusal.kind, RefusalKind::Invalid);
    let found = paths(&refusal);
    for path in [
        "inputProps.overlays[0].styles.opacity",
        "inputProps.overlays[1].type",
        "inputProps.overlays[2].from",
        "inputProps.overlays[2].src",
    ] {
        assert!(found.contains(&path), "{path} is missing in {found:?}");
    }
    for document in [json!(1), json!("x"), json!([]), json!(true)] {
        let body = json!({ "inputProps": document });
        assert_invalid(
            resolve_with(&body, &Value::Null, Ai::Refuse),
            &["inputProps"],
        );
    }
    let refusal = refused(template(&overlays, &json!({})));
    assert!(paths(&refusal).contains(&"overlays[0].styles.opacity"));
}

#[test]
fn limits_and_unknown_shapes_are_unrenderable() {
    let blob = overlay(&json!({ "type": "shape", "content": "blob" }));
    assert_unrenderable(direct(&[blob]), &["overlays[0].content"]);
    for (field, value) in [
        ("width", 15),
        ("width", 101),
        ("height", 7682),
        ("fps", 0),
        ("fps", 121),
        ("durationInFrames", 0),
        ("durationInFrames", 30 * 3600 + 1),
    ] {
        let body = json!({ "inputProps": minimal(), field: value });
        assert_unrenderable(resolve_with(&body, &Value::Null, Ai::Refuse), &[field]);
    }
}

#[test]
fn a_file_is_a_composition_or_holds_one() {
    let local = document(&[overlay(&json!({ "type": "image", "src": "cat.png" }))]);
    for contents in [local.clone(), json!({ "inputProps": local, "name": "x" })] {
        let composition = read_file(contents.to_string().as_bytes()).expect("valid");
        assert_eq!(composition.overlays[0].src(), Some("cat.png"));
    }
    let empty = document(&[overlay(&json!({ "type": "image", "src": "" }))]);
    let refusal = refused(read_file(empty.to_string().as_bytes()));
    assert_eq!(refusal.details["reason"], "MISSING_MEDIA_SOURCE");
    assert_eq!(paths(&refusal), ["overlays[0].src"]);
    let blob = document(&[overlay(&json!({ "type": "shape", "content": "blob" }))]);
    let refusal = refused(read_file(blob.to_string().as_bytes()));
    assert_eq!(refusal.kind, RefusalKind::Unrenderable);
}
