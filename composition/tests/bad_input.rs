//! Wrong values in every field of a document: what the schema forbids is refused by the field's
//! path, what it allows is read, and nothing panics.

use std::collections::BTreeMap;
use std::sync::Arc;

use kinora_composition::css::Easing;
use kinora_composition::document::{Composition, Issue, Limits, schemas};
use kinora_composition::request::{RefusalKind, read_file};
use kinora_composition::timeline::{Scene, preset_names, preset_spellings};
use serde_json::{Map, Value, json};

type Schemas = BTreeMap<String, Value>;

/// One place of the complete document.
struct Place<'a> {
    /// As issues name it.
    path: String,
    /// As JSON Pointer names it.
    pointer: String,
    schema: &'a Value,
    is_required: bool,
}

/// The schema itself, or the one that it refers to.
fn target<'a>(schema: &'a Value, schemas: &'a Schemas) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(reference) => &schemas[reference.trim_start_matches("#/components/schemas/")],
        None => schema,
    }
}

fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    }
}

/// A valid value with every field that the schema knows.
fn complete(schema: &Value, schemas: &Schemas) -> Value {
    let schema = target(schema, schemas);
    if let Some(variants) = schema["oneOf"].as_array() {
        return complete(&variants[0], schemas);
    }
    if let Some(only) = schema.get("const") {
        return only.clone();
    }
    if let Some(names) = schema["enum"].as_array() {
        return names[0].clone();
    }
    match types(schema).first() {
        Some(&"object") => fields(schema)
            .map(|(name, field)| (name.clone(), complete_field(field, schemas)))
            .collect::<Map<_, _>>()
            .into(),
        Some(&"array") => {
            let items = target(&schema["items"], schemas);
            match items["oneOf"].as_array() {
                Some(variants) => variants.iter().map(|one| complete(one, schemas)).collect(),
                None => json!([complete(items, schemas)]),
            }
        }
        Some(&"boolean") => json!(true),
        Some(&"string") if schema["format"] == "easing" => json!("easeOutCubic"),
        Some(&"string") => json!("1"),
        _ => json!(30),
    }
}

fn complete_field(field: &Value, schemas: &Schemas) -> Value {
    match field.get("default") {
        Some(default) if !default.is_object() => default.clone(),
        _ => complete(field, schemas),
    }
}

fn fields(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flatten()
}

/// Every place below a value, and the value's own.
fn places<'a>(place: Place<'a>, value: &Value, schemas: &'a Schemas, found: &mut Vec<Place<'a>>) {
    let mut schema = target(place.schema, schemas);
    if let Some(variants) = schema["oneOf"].as_array() {
        let type_name = &value["type"];
        schema = variants
            .iter()
            .map(|variant| target(variant, schemas))
            .find(|variant| variant["properties"]["type"]["const"] == *type_name)
            .expect("the document holds only types of the schema");
    }
    for (name, field) in fields(schema) {
        let separator = if place.path.is_empty() { "" } else { "." };
        let required = schema["required"].as_array();
        let inner = Place {
            path: format!("{}{separator}{name}", place.path),
            pointer: format!("{}/{name}", place.pointer),
            schema: field,
            is_required: required.is_some_and(|names| names.iter().any(|one| one == name)),
        };
        places(inner, &value[name], schemas, found);
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        let inner = Place {
            path: format!("{}[{index}]", place.path),
            pointer: format!("{}/{index}", place.pointer),
            schema: &schema["items"],
            is_required: true,
        };
        places(inner, item, schemas, found);
    }
    found.push(place);
}

/// Whether the schema allows a value, as far as the schemas of documents go.
fn allows(schema: &Value, value: &Value, schemas: &Schemas) -> bool {
    let schema = target(schema, schemas);
    if let Some(variants) = schema["oneOf"].as_array() {
        return variants.iter().any(|one| allows(one, value, schemas));
    }
    if schema["format"] == "easing" {
        return value
            .as_str()
            .is_some_and(|text| Easing::parse(text).is_some());
    }
    if let Some(only) = schema.get("const") {
        return only == value;
    }
    let is_of_type = types(schema).iter().any(|name| match *name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "null" => value.is_null(),
        other => panic!("{other} is no type of the schema"),
    });
    let number = value.as_f64();
    let is_in_range = number.is_none_or(|number| {
        schema["minimum"]
            .as_f64()
            .is_none_or(|least| number >= least)
            && schema["maximum"].as_f64().is_none_or(|most| number <= most)
    });
    let is_known = schema["enum"]
        .as_array()
        .is_none_or(|names| names.contains(value));
    let has_fields = !value.is_object()
        || schema["required"].as_array().is_none_or(|names| {
            names
                .iter()
                .all(|name| value.get(name.as_str().unwrap_or_default()).is_some())
        });
    is_of_type && is_in_range && is_known && has_fields
}

/// A document with everything in it, and every place of it.
fn complete_document(schemas: &Schemas) -> (Value, Vec<Place<'_>>) {
    let schema = &schemas["Composition"];
    let document = complete(schema, schemas);
    let mut found = Vec::new();
    let whole = Place {
        path: String::new(),
        pointer: String::new(),
        schema,
        is_required: true,
    };
    places(whole, &document, schemas, &mut found);
    (document, found)
}

fn with(document: &Value, pointer: &str, value: &Value) -> Value {
    let mut document = document.clone();
    *document.pointer_mut(pointer).expect("the place is there") = value.clone();
    document
}

/// What is wrong with a document: in its types, or else in what they hold.
fn problems(document: &Value) -> Result<(Composition, Vec<Issue>), Vec<Issue>> {
    let (composition, _) = Composition::from_json(document)?;
    let unrenderable = composition.unrenderable(&Limits::default());
    Ok((composition, unrenderable))
}

fn evaluates(composition: Composition) -> bool {
    std::panic::catch_unwind(|| {
        let scene = Scene::new(Arc::new(composition));
        for frame in [0, 15, 29] {
            scene.plan(frame);
        }
        scene.sounds();
    })
    .is_ok()
}

#[test]
fn the_complete_document_is_read_without_a_word() {
    let schemas = schemas();
    let (document, places) = complete_document(&schemas);
    let (composition, unknown) = Composition::from_json(&document).expect("it is valid");
    assert_eq!(unknown, [""; 0]);
    assert_eq!(composition.to_json(), document);
    assert_eq!(composition.overlays.len(), 8);
    assert!(places.len() > 300, "only {} places", places.len());
}

#[test]
fn each_field_takes_what_its_schema_allows_and_refuses_the_rest_by_its_path() {
    let values = [
        json!(null),
        json!(true),
        json!([]),
        json!([[]]),
        json!({}),
        json!(""),
        json!("NaN"),
        json!("Infinity"),
        json!("-1"),
        json!("\u{0}\u{fffd}%s'\"<"),
        json!(0),
        json!(0.5),
        json!(-0.0),
        json!(7),
        json!(-1),
        json!(-1e308),
        json!(1e308),
        json!(u64::MAX),
        json!(5e-324),
    ];
    let schemas = schemas();
    let (document, places) = complete_document(&schemas);
    let (_, known) = problems(&document).expect("the complete document is valid");
    let (mut refused, mut accepted) = (0, 0);
    for place in &places {
        for value in &values {
            let at = format!("{} = {value}", place.path);
            // An array's items are places of their own; a wrong one is refused as itself.
            let item = value
                .get(0)
                .filter(|_| types(place.schema).contains(&"array"));
            let path = match item {
                Some(_) => format!("{}[0]", place.path),
                None => place.path.clone(),
            };
            let allowed = match item {
                Some(item) => allows(&place.schema["items"], item, &schemas),
                None if value.is_null() => !place.is_required,
                None => allows(place.schema, value, &schemas),
            };
            match problems(&with(&document, &place.pointer, value)) {
                Err(issues) => {
                    refused += 1;
                    assert!(!allowed, "{at} is allowed but refused: {issues:?}");
                    let is_object = target(place.schema, &schemas)["type"] == "object"
                        || target(place.schema, &schemas).get("oneOf").is_some();
                    for issue in &issues {
                        // An empty object is refused by the fields that it lacks.
                        let is_lacking = is_object
                            && value.is_object()
                            && issue.path.starts_with(&place.path)
                            && issue.message.starts_with("is required");
                        assert!(issue.path == path || is_lacking, "{at}: {issue:?}");
                    }
                }
                Ok((composition, issues)) => {
                    let new: Vec<_> = issues
                        .into_iter()
                        .filter(|issue| !known.contains(issue))
                        .collect();
                    assert!(allowed || !new.is_empty(), "{at} is forbidden but accepted");
                    for issue in &new {
                        assert_eq!(issue.path, path, "{at}: {issue:?}");
                    }
                    assert!(!new.is_empty() || evaluates(composition), "{at} panics");
                    accepted += u32::from(new.is_empty());
                }
            }
        }
    }
    // Else the matrix would prove nothing.
    assert!(refused > 3000 && accepted > 1000, "{refused}, {accepted}");
}

#[test]
fn a_number_beyond_any_double_is_refused_wherever_it_stands() {
    let schemas = schemas();
    let (document, places) = complete_document(&schemas);
    let beyond = format!("1{}", "0".repeat(400));
    let mut tried = 0;
    for place in &places {
        if !matches!(types(place.schema).first(), Some(&("number" | "integer"))) {
            continue;
        }
        for number in [&beyond, &format!("-{beyond}"), "1e400"] {
            let marked = with(&document, &place.pointer, &json!("HERE")).to_string();
            let refusal = read_file(marked.replace("\"HERE\"", number).as_bytes())
                .expect_err("no double is that large");
            assert_eq!(refusal.kind, RefusalKind::Invalid, "{}", place.path);
            assert!(refusal.message.contains("number out of range"), "{refusal}");
        }
        tried += 1;
    }
    assert!(tried > 100, "only {tried} numbers");
}

fn animated(overlay_type: &str, styles: &Value) -> Value {
    json!({ "durationInFrames": 60, "overlays": [{
        "type": overlay_type, "content": "star", "src": "a.png", "id": 1, "from": 0,
        "durationInFrames": 60, "row": 0, "left": 0, "top": 0, "width": 100, "height": 50,
        "styles": styles
    }] })
}

#[test]
fn an_unknown_preset_is_refused_with_the_names_of_all() {
    for field in ["enter", "exit"] {
        for unknown in ["", "Fade", "slide_right", "fly", "slide-"] {
            let styles = json!({ "animation": { field: unknown } });
            let refusal = read_file(animated("shape", &styles).to_string().as_bytes())
                .expect_err("there is no such preset");
            assert_eq!(refusal.kind, RefusalKind::Unrenderable);
            let issue = &refusal.details["issues"][0];
            let path = format!("overlays[0].styles.animation.{field}");
            assert_eq!(issue["path"], path.as_str(), "{unknown:?}");
            let message = issue["message"].as_str().expect("words");
            for name in preset_names() {
                assert!(message.contains(name), "{message} does not name {name}");
            }
        }
        for known in preset_spellings() {
            let styles = json!({ "animation": { field: known } });
            for kind in ["text", "image", "video", "shape"] {
                let document = animated(kind, &styles).to_string();
                assert!(read_file(document.as_bytes()).is_ok(), "{kind}: {known}");
            }
        }
    }
}

#[test]
fn movement_of_any_length_and_reach_has_a_place_or_is_out_of_sight() {
    let numbers = [0.0, -1.0, 5e-324, 1e-9, 0.5, 1e9, 1e308, -1e308];
    let mut staggers = vec![
        json!({}),
        json!({ "x": [], "y": [1e308], "blur": [-5, 1e308] }),
    ];
    for number in numbers {
        staggers.push(json!({
            "x": [number, -number], "y": [number], "scale": [number], "rotate": [0, number],
            "blur": [number], "opacity": [number, -number], "duration": number, "delay": number
        }));
    }
    for name in preset_names() {
        for (number, stagger) in numbers.iter().zip(&mut staggers) {
            stagger["enabled"] = json!(true);
            let styles = json!({ "staggeredMotion": stagger, "animation": {
                "enter": name, "exit": name, "enterDuration": number, "exitDuration": number,
                "during": "pulse", "duringSpeed": number, "duringIntensity": 1 } });
            let (composition, _) =
                Composition::from_json(&animated("shape", &styles)).expect("valid");
            let scene = Scene::new(Arc::new(composition));
            for frame in [0, 1, 7, 30, 59] {
                let plan = scene.plan(frame);
                assert_eq!(plan, scene.plan(frame), "{name}, {number}");
                for layer in plan.layers {
                    let numbers = layer.transform.0.into_iter().flatten();
                    assert!(numbers.into_iter().all(f32::is_finite), "{name}, {number}");
                    assert!((0.0..=1.0).contains(&layer.opacity), "{name}, {number}");
                }
            }
        }
    }
}

#[test]
fn a_thousand_overlays_are_the_most() {
    let overlay = json!({
        "type": "text", "content": "", "id": 1, "from": 0, "durationInFrames": 30, "row": 0,
        "left": 0, "top": 0, "width": 100, "height": 50
    });
    let document = |count: usize| {
        let overlays = vec![overlay.clone(); count];
        json!({ "overlays": overlays, "durationInFrames": 30 }).to_string()
    };
    assert!(read_file(document(1000).as_bytes()).is_ok());
    let refusal = read_file(document(1001).as_bytes()).expect_err("one too many");
    assert_eq!(refusal.kind, RefusalKind::Unrenderable);
    assert_eq!(refusal.details["issues"][0]["path"], "overlays");
}

#[test]
fn deep_nesting_is_refused_where_it_stands_or_as_no_json() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let document = |field: &str, depth: usize| {
        format!(
            r#"{{"durationInFrames":30,"overlays":[],{field:?}:{}}}"#,
            nested(depth)
        )
    };
    assert!(read_file(document("unknown", 100).as_bytes()).is_ok());
    let refusal = read_file(document("src", 100).as_bytes()).expect_err("not a string");
    assert_eq!(refusal.details["issues"][0]["path"], "src");
    for depth in [200, 1_000_000] {
        let refusal = read_file(document("unknown", depth).as_bytes()).expect_err("too deep");
        assert_eq!(refusal.kind, RefusalKind::Invalid, "{depth}");
    }
}
