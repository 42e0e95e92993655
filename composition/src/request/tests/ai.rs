//! AI values: their shapes, and what happens to them while nothing is generated.

use super::*;

fn stored() -> [Value; 7] {
    let sound = |name: &str| variable(name, &json!({ "type": "sound", "src": "" }));
    let said = json!([{ "text": "authored", "startMs": 0, "endMs": 9, "words": [] }]);
    [
        sound("voice"),
        variable("words", &json!({ "type": "caption", "captions": said })),
        overlay(&json!({ "type": "video", "src": "https://a.test/v.mp4", "name": "clip" })),
        variable("title", &json!({ "type": "text", "content": "x" })),
        variable(
            "music",
            &json!({ "type": "sound", "src": "https://a.test/m.mp3" }),
        ),
        variable(
            "logo",
            &json!({ "type": "image", "src": "https://a.test/i.png" }),
        ),
        variable("more", &json!({ "type": "caption", "captions": [] })),
    ]
}

fn resolved(replacements: &Value, ai: Ai) -> Result<Resolution, Refusal> {
    let body = json!({ "templateId": "t", "replacements": replacements });
    resolve_with(&body, &document(&stored()), ai)
}

fn speech(text: &str) -> Value {
    json!({ "tts": { "text": text } })
}

#[test]
fn skipped_values_leave_silence_and_no_captions() {
    let resolution = resolved(
        &json!({
            "voice": { "tts": { "text": "x".repeat(1001), "voice": "amy", "speed": 1.2 } },
            "words": { "transcribe": { "source": "voice", "language": "en" } },
            "more": { "transcribe": { "source": "clip", "startTime": 1, "endTime": 2.5 } }
        }),
        Ai::Skip,
    )
    .expect("valid");
    let overlays = &resolution.composition.to_json()["overlays"];
    assert_eq!(
        overlays.as_array().map(Vec::len),
        Some(6),
        "the narration is left out"
    );
    assert_eq!(overlays[0]["captions"], json!([]));
    let skipped = |key: &str, kind, characters, credits| SkippedAi {
        key: key.into(),
        kind,
        characters,
        credits,
    };
    assert_eq!(
        resolution.skipped_ai,
        [
            skipped("more", AiKind::Transcribe, None, None),
            skipped("voice", AiKind::Tts, Some(1001), Some(1.0)),
            skipped("words", AiKind::Transcribe, None, Some(0.0)),
        ]
    );
    let by_origin: Vec<_> = resolution
        .variables
        .iter()
        .map(|variable| (variable.name.as_str(), variable.origin.as_str()))
        .collect();
    assert_eq!(
        by_origin,
        [
            ("voice", "skipped"),
            ("words", "skipped"),
            ("title", "default"),
            ("music", "default"),
            ("logo", "default"),
            ("more", "skipped")
        ]
    );
    assert_eq!(resolution.variables[0].value, Value::Null);
}

#[test]
fn refused_values_are_unrenderable_and_named() {
    let refusal = refused(resolved(
        &json!({ "voice": speech("Hi"), "words": { "transcribe": { "url": "https://a.test/a.mp3" } } }),
        Ai::Refuse,
    ));
    assert_eq!(refusal.kind, RefusalKind::Unrenderable);
    assert_eq!(
        paths(&refusal),
        ["replacements.voice", "replacements.words"]
    );
    let messages = refusal.details.to_string();
    assert!(messages.contains("tts is not available on this server yet"));
    assert!(messages.contains("transcribe is not available on this server yet"));
}

#[test]
fn without_ai_values_nothing_is_skipped() {
    for ai in [Ai::Refuse, Ai::Skip] {
        let resolution = resolved(&json!({ "voice": "https://a.test/n.mp3" }), ai).expect("valid");
        assert!(resolution.skipped_ai.is_empty());
        assert_eq!(resolution.composition.overlays.len(), 7);
    }
    let refusal = refused(resolved(&json!({}), Ai::Skip));
    assert_eq!(refusal.details["missing"][0]["name"], "voice");
}

#[test]
fn malformed_values_are_named_by_their_path() {
    let tts = |value: Value| json!({ "voice": { "tts": value } });
    let transcribe =
        |value: Value| json!({ "voice": "https://a.test/n.mp3", "words": { "transcribe": value } });
    for (replacements, path) in [
        (tts(json!("Hi")), "replacements.voice.tts"),
        (tts(json!(null)), "replacements.voice.tts"),
        (tts(json!({})), "replacements.voice.tts.text"),
        (tts(json!({ "text": 1 })), "replacements.voice.tts.text"),
        (tts(json!({ "text": " " })), "replacements.voice.tts.text"),
        (
            tts(json!({ "text": "a", "voice": 1 })),
            "replacements.voice.tts.voice",
        ),
        (
            tts(json!({ "text": "a", "speed": "1" })),
            "replacements.voice.tts.speed",
        ),
        (
            tts(json!({ "text": "a", "speed": 0 })),
            "replacements.voice.tts.speed",
        ),
        (transcribe(json!([])), "replacements.words.transcribe"),
        (transcribe(json!({})), "replacements.words.transcribe"),
        (
            transcribe(json!({ "source": "clip", "url": "https://a.test/a" })),
            "replacements.words.transcribe",
        ),
        (
            transcribe(json!({ "source": "title" })),
            "replacements.words.transcribe.source",
        ),
        (
            transcribe(json!({ "source": "nobody" })),
            "replacements.words.transcribe.source",
        ),
        (
            transcribe(json!({ "source": 1 })),
            "replacements.words.transcribe.source",
        ),
        (
            transcribe(json!({ "url": "file:///x" })),
            "replacements.words.transcribe.url",
        ),
        (
            transcribe(json!({ "source": "clip", "language": 1 })),
            "replacements.words.transcribe.language",
        ),
        (
            transcribe(json!({ "source": "clip", "startTime": -1 })),
            "replacements.words.transcribe.startTime",
        ),
        (
            transcribe(json!({ "source": "clip", "startTime": 2, "endTime": 2 })),
            "replacements.words.transcribe.endTime",
        ),
        (
            transcribe(json!({ "source": "clip", "endTime": "end" })),
            "replacements.words.transcribe.endTime",
        ),
    ] {
        for ai in [Ai::Refuse, Ai::Skip] {
            let refusal = refused(resolved(&replacements, ai));
            assert_eq!(refusal.kind, RefusalKind::Invalid, "{replacements}");
            assert_eq!(paths(&refusal)[0], path, "{replacements}");
        }
    }
}

#[test]
fn values_for_the_wrong_type_are_invalid() {
    let voice = "https://a.test/n.mp3";
    let transcribe = json!({ "transcribe": { "source": "clip" } });
    for (key, value) in [
        ("title", speech("Hi")),
        ("logo", speech("Hi")),
        ("words", speech("Hi")),
        ("title", transcribe.clone()),
        ("music", transcribe),
    ] {
        let path = format!("replacements.{key}");
        let replacements = json!({ "voice": voice, key: value });
        assert_invalid(resolved(&replacements, Ai::Skip), &[&path]);
    }
}

#[test]
fn three_of_a_kind_are_enough() {
    let overlays: Vec<Value> = (0..8)
        .map(|index| match index % 2 {
            0 => variable(&format!("s{index}"), &json!({ "type": "sound", "src": "" })),
            _ => variable(
                &format!("c{index}"),
                &json!({ "type": "caption", "captions": [] }),
            ),
        })
        .collect();
    let all = json!({
        "s0": speech("a"), "s2": speech("b"), "s4": speech("c"), "s6": speech("d"),
        "c1": { "transcribe": { "source": "s0" } }, "c3": { "transcribe": { "source": "s0" } },
        "c5": { "transcribe": { "source": "s0" } }, "c7": { "transcribe": { "source": "s0" } }
    });
    let body = |replacements: &Value| json!({ "templateId": "t", "replacements": replacements });
    assert_unrenderable(
        resolve_with(&body(&all), &document(&overlays), Ai::Skip),
        &["replacements.s6", "replacements.c7"],
    );
    let mut three = all.clone();
    three["s6"] = "https://a.test/s.mp3".into();
    three["c7"] = "said".into();
    assert!(resolve_with(&body(&three), &document(&overlays), Ai::Skip).is_ok());
}

#[test]
fn unknown_fields_of_values_are_reported() {
    let value = json!({ "tts": { "text": "Hi", "pitch": 2 }, "note": 1 });
    let resolution = resolved(&json!({ "voice": value }), Ai::Skip).expect("valid");
    assert_eq!(
        resolution.unknown_fields,
        ["replacements.voice.note", "replacements.voice.tts.pitch"]
    );
}
