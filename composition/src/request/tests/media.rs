//! Sources of media: missing, foreign, and made fetchable.

use super::*;

#[test]
fn every_empty_source_is_named() {
    let overlays = [
        overlay(&json!({ "type": "image", "src": "", "name": "logo" })),
        overlay(&json!({ "type": "video", "src": " \n", "id": 7 })),
        overlay(&json!({ "type": "text", "content": "" })),
        overlay(&json!({ "type": "sound", "src": "", "name": "", "id": 9 })),
    ];
    let refusal = refused(direct(&overlays));
    assert_eq!(refusal.kind, RefusalKind::Invalid);
    assert_eq!(refusal.details["reason"], "MISSING_MEDIA_SOURCE");
    let missing = refusal.details["missing"].as_array().expect("a list");
    let names: Vec<&Value> = missing.iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["logo", "video 7", "sound 9"]);
    assert_eq!(
        paths(&refusal),
        [
            "inputProps.overlays[0].src",
            "inputProps.overlays[1].src",
            "inputProps.overlays[3].src"
        ]
    );
}

#[test]
fn an_empty_replacement_leaves_no_source_and_a_full_one_mends_it() {
    let overlays = [variable(
        "logo",
        &json!({ "type": "image", "src": "https://a.test/a.png" }),
    )];
    let refusal = refused(template(&overlays, &json!({ "logo": "" })));
    assert_eq!(refusal.details["reason"], "MISSING_MEDIA_SOURCE");
    assert_eq!(refusal.details["missing"][0]["name"], "logo");
    assert_eq!(paths(&refusal), ["replacements.logo"]);

    let overlays = [variable("logo", &json!({ "type": "image", "src": "" }))];
    assert!(template(&overlays, &json!({})).is_err());
    assert!(template(&overlays, &json!({ "logo": "https://a.test/a.png" })).is_ok());
}

#[test]
fn only_http_and_https_are_fetched() {
    for src in [
        "/etc/passwd",
        "file:///etc/passwd",
        "cat.png",
        "data:image/png;base64,AA",
        "http://",
    ] {
        for kind in ["image", "video", "sound"] {
            let overlays = [overlay(&json!({ "type": kind, "src": src }))];
            assert_invalid(direct(&overlays), &["inputProps.overlays[0].src"]);
        }
        let overlays = [variable(
            "logo",
            &json!({ "type": "image", "src": "https://a.test/a.png" }),
        )];
        assert_invalid(
            template(&overlays, &json!({ "logo": src })),
            &["replacements.logo"],
        );
        let body = json!({ "inputProps": { "overlays": [], "durationInFrames": 1, "src": src } });
        assert_invalid(
            resolve_with(&body, &Value::Null, Ai::Refuse),
            &["inputProps.src"],
        );
    }
    let overlays = [variable(
        "logo",
        &json!({ "type": "image", "src": "https://a.test/a.png" }),
    )];
    assert_invalid(
        template(&overlays, &json!({ "logo": 5 })),
        &["replacements.logo"],
    );
    let effect = overlay(
        &json!({ "type": "effect", "content": "grid-stagger", "styles": {
        "cellImages": ["https://a.test/a.png", "file:///x", ""],
        "columns": [{ "images": [] }, { "images": ["https://a.test/a.png", "gopher://x"] }]
    } }),
    );
    assert_invalid(
        direct(&[effect]),
        &[
            "inputProps.overlays[0].styles.cellImages[1]",
            "inputProps.overlays[0].styles.columns[1].images[1]",
        ],
    );
}

#[test]
fn an_effect_shows_at_most_two_hundred_images() {
    let image = "https://a.test/a.png";
    let effect = |name: &str, count: usize| {
        let column = json!({ "images": vec![image; count] });
        overlay(&json!({ "type": "effect", "content": name,
            "styles": { "cellImages": vec![image; count], "columns": [column] } }))
    };
    for (name, field) in [
        ("grid-stagger", "cellImages"),
        ("scrolling-columns", "columns"),
    ] {
        assert!(direct(&[effect(name, 200)]).is_ok(), "{name}");
        let refusal = refused(direct(&[effect(name, 201)]));
        assert_eq!(paths(&refusal), [format!("overlays[0].styles.{field}")]);
    }
    assert!(direct(&[effect("snow", 1000)]).is_ok(), "shows none");
}

#[test]
fn missing_and_foreign_sources_are_told_together() {
    let overlays = [
        overlay(&json!({ "type": "image", "src": "/etc/passwd" })),
        variable("clip", &json!({ "type": "video", "src": "" })),
        variable("title", &json!({ "type": "text", "content": "" })),
    ];
    let refusal = refused(template(&overlays, &json!({ "title": [] })));
    assert_eq!(refusal.details["reason"], "MISSING_MEDIA_SOURCE");
    assert_eq!(
        paths(&refusal),
        ["replacements.title", "overlays[0].src", "overlays[1].src"]
    );
}

#[test]
fn share_links_are_rewritten_and_reported() {
    let shared = "https://www.dropbox.com/s/abc/cat.png?dl=0";
    let fetched = "https://dl.dropboxusercontent.com/s/abc/cat.png?dl=1";
    let overlays = [
        overlay(&json!({ "type": "image", "src": "https://a.test/a.png" })),
        overlay(&json!({ "type": "video", "src": " https://a.test/my clip.mp4" })),
        variable(
            "logo",
            &json!({ "type": "image", "src": "https://a.test/a.png" }),
        ),
    ];
    let resolution = template(&overlays, &json!({ "logo": shared })).expect("valid");
    let sources: Vec<_> = resolution
        .composition
        .overlays
        .iter()
        .map(|o| o.src())
        .collect();
    assert_eq!(
        sources,
        [
            Some("https://a.test/a.png"),
            Some("https://a.test/my%20clip.mp4"),
            Some(fetched)
        ]
    );
    assert_eq!(
        resolution.rewritten,
        [
            RewrittenUrl {
                overlay: Some(1),
                path: "overlays[1].src".into(),
                variable: None,
                from: " https://a.test/my clip.mp4".into(),
                to: "https://a.test/my%20clip.mp4".into()
            },
            RewrittenUrl {
                overlay: Some(2),
                path: "overlays[2].src".into(),
                variable: Some("logo".into()),
                from: shared.into(),
                to: fetched.into()
            },
        ]
    );
    assert_eq!(resolution.variables[0].value, fetched);
}
