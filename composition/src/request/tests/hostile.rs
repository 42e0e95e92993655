//! Requests that nobody means well with, and documents changed at random.

use super::*;
use crate::random::Random;

#[test]
fn deep_nesting_is_refused_or_ignored_but_never_overflows() {
    let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    let around = |inner: &str| {
        format!("{{\"inputProps\":{{\"overlays\":{inner},\"durationInFrames\":1}},\"x\":{inner}}}")
    };
    let request =
        RenderRequest::parse(around(&nested(100)).as_bytes()).expect("within JSON's limit");
    let Source::Direct(document) = &request.source else {
        panic!("it is direct");
    };
    let outcome = resolve(&request, document, Ai::Refuse, &Limits::default());
    assert_invalid(outcome, &["inputProps.overlays[0]"]);
    for depth in [128, 100_000] {
        let refusal = refused(RenderRequest::parse(around(&nested(depth)).as_bytes()));
        assert_eq!(paths(&refusal), [""]);
    }
}

#[test]
fn an_answer_never_outgrows_its_request() {
    let long = "x".repeat(1 << 20);
    let texts = [variable(&long, &json!({ "type": "text", "content": "" }))];
    let refusal = refused(template(&texts, &json!({ &long: [] })));
    assert!(refusal.details.to_string().len() < 4096);
    assert!(refusal.message.len() < 4096);
    let images = [variable(&long, &json!({ "type": "image", "src": "" }))];
    assert!(
        refused(template(&images, &json!({})))
            .details
            .to_string()
            .len()
            < 4096
    );
    let shapes = [overlay(&json!({ "type": "shape", "content": long }))];
    assert!(refused(direct(&shapes)).details.to_string().len() < 8192);

    let many: Vec<Value> = (0..100_000).map(Value::from).collect();
    let refusal = refused(direct(&many));
    assert_eq!(paths(&refusal).len(), 1000);
    assert_eq!(refusal.details["omitted"], 99_000);
    assert!(refusal.message.contains("(and 99999 more)"), "{refusal}");
}

#[test]
fn long_values_are_taken() {
    let long = "word ".repeat(200_000);
    let overlays = [
        variable("title", &json!({ "type": "text", "content": "" })),
        variable("words", &json!({ "type": "caption", "captions": [] })),
    ];
    let resolution = template(&overlays, &json!({ "title": long, "words": long })).expect("valid");
    assert_eq!(resolution.variables[0].value, long);
}

/// A document with every overlay type and a value in most kinds of field.
fn rich() -> Value {
    document(&[
        variable(
            "title",
            &json!({ "type": "text", "content": "Hi", "rotation": 3, "styles": {
            "fontSize": "40px", "fontSizeFixed": true, "padding": "4px", "lineHeight": "1.1",
            "animation": { "enter": "fade", "enterDuration": 0.5, "during": "pulse" }
        } }),
        ),
        variable(
            "clip",
            &json!({ "type": "video", "src": "https://a.test/v.mp4", "speed": 2,
            "segments": [{ "startFrame": 0, "endFrame": 9 }],
            "greenscreen": { "enabled": true, "threshold": { "red": 1 } } }),
        ),
        variable(
            "logo",
            &json!({ "type": "image", "src": "https://a.test/my logo.png",
            "styles": { "objectFit": "cover", "cropX": 10 } }),
        ),
        variable(
            "music",
            &json!({ "type": "sound", "src": "https://www.dropbox.com/s/a/b.mp3",
            "styles": { "volume": 0.5 } }),
        ),
        variable(
            "badge",
            &json!({ "type": "shape", "content": "circle",
            "styles": { "gradientTransition": { "gradients": ["linear-gradient(red, blue)"] } } }),
        ),
        variable(
            "words",
            &json!({ "type": "caption", "captions": [
            { "text": "a b", "startMs": 0, "endMs": 90, "words": [
                { "word": "a", "startMs": 0, "endMs": 40, "confidence": 1 }] }
        ], "styles": { "highlightStyle": { "fontWeight": 800 } } }),
        ),
    ])
}

const ODD: &[&str] = &[
    "null",
    "true",
    "0",
    "-1",
    "1e308",
    "-1e308",
    "0.5",
    "4294967296",
    "18446744073709551615",
    "\"\"",
    "\"NaN\"",
    "\"Infinity\"",
    "\"-Infinity\"",
    "\"1e999px\"",
    "\"https://a.test/x y\"",
    "\"\\u0000\"",
    "\"日本語\"",
    "\"%\"",
    "[]",
    "[1]",
    "[[\"x\"]]",
    "{}",
    "{\"tts\":{\"text\":\"x\"}}",
    "{\"transcribe\":{\"source\":\"clip\"}}",
    "{\"id\":{\"id\":[]}}",
];

fn odd_value(random: &mut Random) -> Value {
    serde_json::from_str(random.pick(ODD)).expect("JSON")
}

/// Changes, removes or adds something somewhere in a value.
fn mutate(value: &mut Value, random: &mut Random) {
    match value {
        Value::Object(fields) if !fields.is_empty() && random.below(8) > 0 => {
            let keys: Vec<String> = fields.keys().cloned().collect();
            let key = random.pick(&keys);
            match random.below(12) {
                0 => drop(fields.remove(&key)),
                1 => drop(fields.insert("unheardOf".into(), odd_value(random))),
                _ => mutate(&mut fields[&key], random),
            }
        }
        Value::Array(items) if !items.is_empty() && random.below(8) > 0 => {
            let index = random.below(items.len());
            match random.below(12) {
                0 => drop(items.remove(index)),
                1 => items.push(items[index].clone()),
                _ => mutate(&mut items[index], random),
            }
        }
        _ => *value = odd_value(random),
    }
}

#[test]
fn whatever_is_sent_is_refused_with_a_path_or_resolves_to_itself() {
    let (mut resolved, mut refused) = (0, 0);
    for seed in 0..4000 {
        let mut random = Random::new(seed);
        let mut stored = rich();
        let mut body = json!({
            "templateId": "t", "title": "x", "logo": "https://a.test/a.png", "fps": 25,
            "replacements": { "words": "said", "clip": "https://github.com/o/r/blob/main/v.mp4" }
        });
        for _ in 0..random.below(4) {
            mutate(&mut stored, &mut random);
        }
        for _ in 0..random.below(3) {
            mutate(&mut body, &mut random);
        }
        if random.below(3) == 0 && body.is_object() {
            body["templateId"] = Value::Null;
            body["inputProps"] = stored.clone();
        }
        let ai = random.pick(&[Ai::Refuse, Ai::Skip]);
        match resolve_with(&body, &stored, ai) {
            Ok(first) => {
                resolved += 1;
                let json = first.composition.to_json();
                let again = resolve_with(&json!({ "inputProps": json }), &Value::Null, Ai::Refuse)
                    .unwrap_or_else(|refusal| panic!("seed {seed}: {refusal:?}"));
                assert_eq!(again.composition, first.composition, "seed {seed}");
                assert!(
                    again.rewritten.is_empty(),
                    "seed {seed}: {:?}",
                    again.rewritten
                );
                assert!(again.unknown_fields.is_empty(), "seed {seed}");
                let fonts = crate::fonts::tests::TestFonts::new();
                crate::warnings::warnings(&first, &fonts, &[]);
                crate::variables::describe(&first.composition, &fonts);
            }
            Err(refusal) => {
                refused += 1;
                assert!(!paths(&refusal).is_empty(), "seed {seed}: {refusal:?}");
                assert!(!refusal.message.is_empty());
            }
        }
    }
    assert!(
        resolved > 500 && refused > 500,
        "{resolved} resolved, {refused} refused"
    );
}
