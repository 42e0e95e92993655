//! Tests of every kind of warning and of their order.

use serde_json::{Value, json};

use super::*;
use crate::document::Limits;
use crate::fonts::tests::TestFonts;
use crate::random::Random;
use crate::request::{Ai, RenderRequest, Source, resolve};

fn overlay(extra: &Value) -> Value {
    let mut overlay = json!({
        "id": 1, "from": 0, "durationInFrames": 30, "row": 0,
        "left": 0, "top": 0, "width": 400, "height": 60
    });
    let fields = overlay.as_object_mut().expect("an object");
    fields.extend(extra.as_object().expect("an object").clone());
    overlay
}

fn text(name: &str, content: &str, styles: &Value) -> Value {
    overlay(&json!({
        "type": "text", "name": name, "isDynamic": true, "content": content, "styles": styles
    }))
}

fn warned(body: &Value, overlays: &[Value], unreachable: &[(String, String)]) -> Vec<Value> {
    let document = json!({ "overlays": overlays, "durationInFrames": 30 });
    let request = RenderRequest::parse(body.to_string().as_bytes()).expect("valid");
    let document = match &request.source {
        Source::Direct(document) => document,
        _ => &document,
    };
    let resolution = resolve(&request, document, Ai::Skip, &Limits::default()).expect("renderable");
    warnings(&resolution, &TestFonts::new(), unreachable)
        .iter()
        .map(|warning| serde_json::to_value(warning).expect("JSON"))
        .collect()
}

fn of_template(overlays: &[Value]) -> Vec<Value> {
    warned(&json!({ "templateId": "t" }), overlays, &[])
}

/// The only warning there is.
fn only(warnings: &[Value]) -> &Value {
    assert_eq!(warnings.len(), 1, "{warnings:#?}");
    let warning = &warnings[0];
    for field in ["message", "hint"] {
        assert!(
            warning[field].as_str().is_some_and(|text| !text.is_empty()),
            "{warning}"
        );
    }
    assert!(warning["detail"].is_object(), "{warning}");
    warning
}

fn assert_kind(warning: &Value, code: &str, severity: &str, variable: Option<&str>) {
    assert_eq!(warning["code"], code);
    assert_eq!(warning["severity"], severity);
    assert_eq!(warning.get("variable").and_then(Value::as_str), variable);
}

#[test]
fn a_fine_composition_has_no_warnings() {
    let overlays = [
        text(
            "a",
            "Hello",
            &json!({ "fontFamily": "Inter", "fontWeight": "700", "fontSize": "40px" }),
        ),
        text("b", "Hello", &json!({ "fontStyle": "italic" })),
        text(
            "c",
            "Hello",
            &json!({ "fontSize": "20px", "fontSizeFixed": true, "fontFamily": "serif" }),
        ),
    ];
    assert_eq!(of_template(&overlays), Vec::<Value>::new());
}

#[test]
fn an_unknown_key_suggests_the_nearest_one() {
    let overlays = [
        text("agent_name", "A", &json!({})),
        text("price", "1", &json!({})),
    ];
    let warnings = warned(
        &json!({ "templateId": "t", "agentNmae": "B" }),
        &overlays,
        &[],
    );
    let warning = only(&warnings);
    assert_kind(warning, "UNKNOWN_REPLACEMENT", "warning", Some("agentNmae"));
    assert_eq!(warning["hint"], "did you mean \"agent_name\"?");
    assert_eq!(warning["detail"]["known"], json!(["agent_name", "price"]));

    let warnings = warned(&json!({ "templateId": "t", "colour": "B" }), &overlays, &[]);
    assert_eq!(only(&warnings)["hint"], "known are agent_name, price");
    let warnings = warned(&json!({ "templateId": "t", "colour": "B" }), &[], &[]);
    assert_eq!(
        only(&warnings)["hint"],
        "this composition has no dynamic overlays"
    );
    let direct = json!({
        "inputProps": { "overlays": overlays, "durationInFrames": 30 },
        "replacements": { "price": "2" }
    });
    let warnings = warned(&direct, &[], &[]);
    let warning = only(&warnings);
    assert_kind(warning, "UNKNOWN_REPLACEMENT", "warning", Some("price"));
    assert!(
        warning["message"]
            .as_str()
            .is_some_and(|text| text.contains("inputProps"))
    );
}

#[test]
fn an_unknown_field_is_named_at_any_depth() {
    for (overlays, path, meant) in [
        (
            [overlay(
                &json!({ "type": "text", "content": "", "rotatoin": 1 }),
            )],
            "overlays[0].rotatoin",
            json!("rotation"),
        ),
        (
            [overlay(
                &json!({ "type": "text", "content": "", "styles": { "colour": "red" } }),
            )],
            "overlays[0].styles.colour",
            json!("color"),
        ),
        (
            [overlay(&json!({ "type": "text", "content": "", "styles": {
                "animation": { "enter": "fade", "enterduration": 1 } } }))],
            "overlays[0].styles.animation.enterduration",
            json!("enterDuration"),
        ),
        (
            [overlay(&json!({ "type": "text", "content": "", "zzz": 1 }))],
            "overlays[0].zzz",
            Value::Null,
        ),
    ] {
        let warnings = of_template(&overlays);
        let warning = only(&warnings);
        assert_kind(warning, "UNKNOWN_FIELD", "warning", None);
        assert_eq!(warning["detail"]["path"], path);
        assert_eq!(warning["detail"]["suggestion"], meant);
        let named = format!("inputProps.{path} ");
        assert!(
            warning["message"]
                .as_str()
                .is_some_and(|text| text.starts_with(&named))
        );
    }
}

#[test]
fn many_unknown_fields_are_counted() {
    let fields: serde_json::Map<String, Value> = (0..5000)
        .map(|index| (format!("field{index}"), json!(1)))
        .collect();
    let mut odd = overlay(&json!({ "type": "text", "content": "" }));
    odd.as_object_mut().expect("an object").extend(fields);
    let warnings = of_template(&[odd]);
    assert_eq!(warnings.len(), 101);
    assert_eq!(warnings[100]["detail"]["more"], 4900);
    assert_eq!(warnings[100]["code"], "UNKNOWN_FIELD");
}

#[test]
fn a_family_that_is_not_there_is_told_with_the_one_used() {
    for (families, missing, used) in [
        ("Papyrus", "Papyrus", "Inter"),
        ("'Papyrus', \"Slab One\", sans-serif", "Papyrus", "Slab One"),
        ("cursive, Papyrus", "Papyrus", "Inter"),
        (
            "-apple-system, BlinkMacSystemFont, 'Segoe UI', sans-serif",
            "Segoe UI",
            "Inter",
        ),
        ("12;", "12;", "Inter"),
    ] {
        let warnings = of_template(&[text("t", "x", &json!({ "fontFamily": families }))]);
        let warning = only(&warnings);
        assert_kind(warning, "FONT_NOT_RESOLVED", "warning", Some("t"));
        assert_eq!(warning["detail"]["family"], missing);
        assert_eq!(warning["detail"]["used"], used);
    }
    for families in [
        "inter",
        "INTER, Papyrus",
        "sans-serif",
        "cursive",
        "",
        "system-ui",
    ] {
        let warnings = of_template(&[text("t", "x", &json!({ "fontFamily": families }))]);
        assert!(warnings.is_empty(), "{families}: {warnings:?}");
    }
}

#[test]
fn what_several_overlays_lack_is_said_once() {
    let mut plain = overlay(&json!({
        "type": "caption", "captions": [], "styles": { "fontFamily": "Papyrus" }
    }));
    plain["id"] = 7.into();
    let overlays = [
        plain,
        text("t", "x", &json!({ "fontFamily": "Papyrus" })),
        text(
            "u",
            "x",
            &json!({ "fontFamily": "Papyrus", "fontWeight": "bold" }),
        ),
    ];
    let warnings = of_template(&overlays);
    let warning = only(&warnings);
    assert_kind(warning, "FONT_NOT_RESOLVED", "warning", Some("t"));
    assert_eq!(warning["detail"]["overlays"], json!([7, 1, 1]));
}

#[test]
fn a_weight_or_slant_that_is_not_there_lists_those_that_are() {
    let cases = [
        (
            json!({ "fontWeight": "600" }),
            600,
            700,
            "normal",
            "normal",
            json!([400, 700, 900]),
        ),
        (
            json!({ "fontWeight": "lighter" }),
            100,
            400,
            "normal",
            "normal",
            json!([400, 700, 900]),
        ),
        (
            json!({ "fontWeight": "bold", "fontStyle": "italic" }),
            700,
            400,
            "italic",
            "italic",
            json!([400]),
        ),
        (
            json!({ "fontFamily": "Slab One", "fontStyle": "oblique" }),
            400,
            400,
            "italic",
            "normal",
            json!([400]),
        ),
    ];
    for (styles, requested, used, style, used_style, available) in cases {
        let warnings = of_template(&[text("t", "x", &styles)]);
        let warning = only(&warnings);
        assert_kind(warning, "FONT_WEIGHT_UNAVAILABLE", "warning", Some("t"));
        let detail = &warning["detail"];
        assert_eq!(detail["requested"], requested, "{styles}");
        assert_eq!(detail["used"], used, "{styles}");
        assert_eq!(detail["requestedStyle"], style, "{styles}");
        assert_eq!(detail["usedStyle"], used_style, "{styles}");
        assert_eq!(detail["availableWeights"], available, "{styles}");
    }
}

#[test]
fn captions_and_their_highlight_need_weights_too() {
    let caption =
        |styles: Value| overlay(&json!({ "type": "caption", "captions": [], "styles": styles }));
    for styles in [
        json!({ "fontWeight": 500 }),
        json!({ "fontWeight": "500" }),
        json!({ "fontWeight": 700, "highlightStyle": { "fontWeight": 500 } }),
    ] {
        let warnings = of_template(&[caption(styles)]);
        let warning = only(&warnings);
        assert_kind(warning, "FONT_WEIGHT_UNAVAILABLE", "warning", None);
        assert_eq!(warning["detail"]["requested"], 500);
    }
    let fine = json!({ "fontWeight": "bold", "highlightStyle": { "fontWeight": 900 } });
    assert!(of_template(&[caption(fine)]).is_empty());
}

#[test]
fn a_size_in_another_unit_is_ignored_and_said_so() {
    for (size, hint) in [
        ("3rem", "48px"),
        ("2em", "32px"),
        ("5vw", "48px"),
        ("50%", "8px"),
        ("12pt", "16px"),
        ("large", "18px"),
    ] {
        let warnings = of_template(&[text("t", "x", &json!({ "fontSize": size }))]);
        let warning = only(&warnings);
        assert_kind(warning, "FONT_SIZE_UNIT_IGNORED", "warning", Some("t"));
        assert_eq!(warning["detail"]["fontSize"], size);
        assert!(
            warning["hint"]
                .as_str()
                .is_some_and(|text| text.contains(hint)),
            "{warning}"
        );
    }
    let caption = json!({ "type": "caption", "captions": [], "styles": { "fontSize": "3rem" } });
    assert!(of_template(&[overlay(&caption)]).is_empty());
}

#[test]
fn fixed_text_that_is_too_long_may_clip() {
    let fixed = json!({ "fontSize": "20px", "fontSizeFixed": true });
    let long = "a house with a garden ".repeat(9);
    let warnings = of_template(&[text("t", &long, &fixed)]);
    let warning = only(&warnings);
    assert_kind(warning, "TEXT_MAY_CLIP", "info", Some("t"));
    assert_eq!(warning["detail"]["linesAvailable"], 2);
    assert_eq!(warning["detail"]["maxCharacters"], 70);
    assert_eq!(warning["detail"]["characters"], 197);
    // The second "garden" of a line never fits, so that 197 characters go 35 to a line.
    assert_eq!(warning["detail"]["lines"], 6);

    let warnings = of_template(&[text("t", "a\nb\nc", &fixed)]);
    assert_kind(only(&warnings), "TEXT_MAY_CLIP", "info", Some("t"));
    for content in ["", "\n\n\n", "a\nb\n\n", "short"] {
        assert!(
            of_template(&[text("t", content, &fixed)]).is_empty(),
            "{content:?}"
        );
    }
    for styles in [json!({ "fontSize": "20px" }), json!({})] {
        assert!(
            of_template(&[text("t", &long, &styles)]).is_empty(),
            "{styles}"
        );
    }
}

#[test]
fn a_replacement_within_its_budget_never_clips() {
    let mut warned_beyond = 0;
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let size = format!("{}px", 12 + random.below(40));
        let mut overlay = text("t", "", &json!({ "fontSize": size, "fontSizeFixed": true }));
        overlay["width"] = (60 + random.below(900)).into();
        overlay["height"] = (20 + random.below(400)).into();
        let document = json!({ "overlays": [overlay], "durationInFrames": 30 });
        let (composition, _) = document::Composition::from_json(&document).expect("valid");
        let variable = crate::variables::describe(&composition, &TestFonts::new()).remove(0);
        let most = variable.capacity.expect("fixed").max_characters as usize;
        let word = random.pick(&["W", "i", "word ", "neighbourhood ", "字"]);
        let content: String = word.chars().cycle().take(most).collect();
        let body = json!({ "templateId": "t", "t": content });
        let warnings = warned(&body, std::slice::from_ref(&overlay), &[]);
        assert!(warnings.is_empty(), "seed {seed}: {warnings:?}");
        let content: String = "word ".chars().cycle().take(3 * most + 10).collect();
        let body = json!({ "templateId": "t", "t": content });
        warned_beyond += warned(&body, &[overlay], &[]).len();
    }
    assert_eq!(warned_beyond, 300, "three times the budget always clips");
}

#[test]
fn rewritten_urls_are_told() {
    let src = "https://github.com/o/r/blob/main/a.png";
    let image = overlay(&json!({ "type": "image", "src": src, "name": "logo", "isDynamic": true }));
    let warnings = of_template(&[image]);
    let warning = only(&warnings);
    assert_kind(warning, "MEDIA_URL_REWRITTEN", "info", Some("logo"));
    assert_eq!(
        warning["detail"],
        json!({
            "path": "overlays[0].src", "from": src,
            "to": "https://raw.githubusercontent.com/o/r/main/a.png"
        })
    );
}

#[test]
fn media_that_did_not_answer_are_errors() {
    let src = "https://a.test/a.png";
    let overlays = [
        overlay(&json!({ "type": "image", "src": src, "id": 4 })),
        overlay(
            &json!({ "type": "image", "src": src, "id": 5, "name": "logo", "isDynamic": true }),
        ),
    ];
    let unreachable = [(src.to_owned(), "it answered 404".to_owned())];
    let warnings = warned(&json!({ "templateId": "t" }), &overlays, &unreachable);
    let warning = only(&warnings);
    assert_kind(warning, "MEDIA_UNREACHABLE", "error", Some("logo"));
    assert_eq!(
        warning["detail"],
        json!({ "url": src, "reason": "it answered 404", "overlays": [4, 5] })
    );
    assert!(
        warning["message"]
            .as_str()
            .is_some_and(|text| text.contains("404"))
    );
}

#[test]
fn the_most_severe_come_first_and_then_document_order() {
    let fixed = json!({ "fontSize": "40px", "fontSizeFixed": true });
    let overlays = [
        text("long", &"long text ".repeat(20), &fixed),
        text("first", "x", &json!({ "fontSize": "2rem" })),
        overlay(&json!({ "type": "image", "src": "https://a.test/b c.png" })),
        text(
            "second",
            "x",
            &json!({ "fontSize": "3rem", "fontFamily": "Papyrus" }),
        ),
        overlay(&json!({ "type": "image", "src": "https://a.test/z.png" })),
    ];
    let unreachable = [
        ("https://a.test/z.png".to_owned(), "it is away".to_owned()),
        (
            "https://a.test/b%20c.png".to_owned(),
            "it is away".to_owned(),
        ),
    ];
    let warnings = warned(
        &json!({ "templateId": "t", "typo": 1 }),
        &overlays,
        &unreachable,
    );
    let order: Vec<(&str, &str)> = warnings
        .iter()
        .map(|warning| {
            let concerned = warning["variable"].as_str();
            let concerned = concerned.or(warning["detail"]["url"].as_str());
            (
                warning["code"].as_str().expect("a code"),
                concerned.unwrap_or_default(),
            )
        })
        .collect();
    assert_eq!(
        order,
        [
            ("MEDIA_UNREACHABLE", "https://a.test/b%20c.png"),
            ("MEDIA_UNREACHABLE", "https://a.test/z.png"),
            ("UNKNOWN_REPLACEMENT", "typo"),
            ("FONT_NOT_RESOLVED", "second"),
            ("FONT_SIZE_UNIT_IGNORED", "first"),
            ("FONT_SIZE_UNIT_IGNORED", "second"),
            ("TEXT_MAY_CLIP", "long"),
            ("MEDIA_URL_REWRITTEN", ""),
        ]
    );
}

#[test]
fn css_that_can_not_be_read_is_said_so() {
    let highlight = json!({ "type": "caption", "captions": [],
        "styles": { "fontSize": "huge", "highlightStyle": { "background": "linear-gradient(red," } } });
    let shape = json!({ "type": "shape", "content": "star", "styles": { "fill": "none", "gradient": "rainbow",
        "gradientTransition": { "enabled": true, "gradients": ["linear-gradient(red, blue)", "red", "none"] } } });
    let picture = json!({ "type": "image", "src": "https://a.test/b.png", "styles": {
        "filter": "blur(-3px)", "clipPath": "none", "borderTop": "4 solid", "transform": "turn(3deg)" } });
    let warnings = of_template(&[
        text(
            "t",
            "x",
            &json!({ "boxShadow": "4px", "color": " ", "border": "inherit", "padding": "1em" }),
        ),
        overlay(&highlight),
        overlay(&shape),
        overlay(&picture),
    ]);
    let mut paths: Vec<&str> = warnings
        .iter()
        .map(|warning| {
            assert_eq!(warning["code"], "CSS_IGNORED", "{warning}");
            assert_eq!(warning["severity"], "warning");
            warning["detail"]["path"].as_str().expect("a path")
        })
        .collect();
    paths.sort_unstable();
    assert_eq!(
        paths,
        [
            "overlays[0].styles.boxShadow",
            "overlays[1].styles.fontSize",
            "overlays[1].styles.highlightStyle.background",
            "overlays[2].styles.gradient",
            "overlays[2].styles.gradientTransition.gradients[1]",
            "overlays[2].styles.gradientTransition.gradients[2]",
            "overlays[3].styles.borderTop",
            "overlays[3].styles.filter",
            "overlays[3].styles.transform",
        ]
    );
    assert_kind(&warnings[0], "CSS_IGNORED", "warning", Some("t"));
    assert_eq!(warnings[0]["detail"]["value"], "4px");
}
