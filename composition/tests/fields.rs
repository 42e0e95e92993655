//! Every field of a document, written out by hand: name, type, whether it must be there, default.
//! Whatever the records say, this is what callers were promised.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kinora_composition::document::{Composition, schemas};
use kinora_composition::timeline::Scene;
use serde_json::{Value, json};

/// Fields as `name type`, with `!` behind the name where it is required and `=` before a default.
/// Types: s(tring), n(umber), i(nteger), b(oolean), `[…]` a list, `a|b` one of these names, `?`
/// also null, and otherwise the name of another object.
const OBJECTS: &[(&str, &str)] = &[
    (
        "Composition",
        "overlays! [Overlay], durationInFrames! i, fps i =30, width i =1920, height i =1080, \
         backgroundColor s =white, src s =",
    ),
    ("TextOverlay", "content! s, styles TextStyles"),
    (
        "TextStyles",
        "fontSize s, fontSizeFixed b, fontSizeScale n, fontWeight s, color s, backgroundColor s, \
         fontFamily s, fontStyle s, textDecoration s, lineHeight s, letterSpacing s, \
         textAlign left|center|right, textShadow s, padding s, paddingBackgroundColor s, \
         borderRadius s, boxShadow s, background s, WebkitBackgroundClip s, \
         WebkitTextFillColor s, backdropFilter s, border s, borderTop s, borderRight s, borderBottom s, \
         borderLeft s, textTransform s, opacity n, zIndex n, \
         transform s, animation AnimationConfig, staggeredMotion StaggeredMotionConfig, \
         animatedText AnimatedText, typeWriter TypeWriter, counterMode CounterMode, \
         codeBlock CodeBlock",
    ),
    (
        "AnimatedText",
        "enabled b, split none|word|character|line, splitStagger n, y [n], x [n], blur [n], \
         opacity [n], scale [n], rotate [n], glitch [n], duration n, delay n, easing s",
    ),
    (
        "TypeWriter",
        "enabled b, cursor b, loop b, deleteBeforeNext b, typeSpeed n, errorRate n, blinkSpeed n, \
         pauseAfterType n, pauseAfterDelete n",
    ),
    (
        "CounterMode",
        "enabled b, from n, to n, toFixed n, duration n, prefix s, postfix s, easing s",
    ),
    (
        "CodeBlock",
        "enabled b, language s, theme dark|light, showLineNumbers b, lineStagger n, fontSize n",
    ),
    (
        "VideoOverlay",
        "src! s, content s, videoStartTime n, mediaSrcDuration n, speed n =1, \
         segments [OverlayMediaSegment], greenscreen GreenscreenConfig, styles VideoStyles",
    ),
    (
        "VideoStyles",
        "objectFit contain|cover|fill|none|scale-down, objectPosition s, filter s, boxShadow s, \
         border s, borderTop s, borderRight s, borderBottom s, \
         borderLeft s, padding s, paddingBackgroundColor s, borderRadius s, transform s, clipPath s, \
         volume n, opacity n, zIndex n, animation AnimationConfig, \
         staggeredMotion StaggeredMotionConfig, cropEnabled b, cropX n, cropY n, cropWidth n, \
         cropHeight n",
    ),
    (
        "ImageOverlay",
        "src! s, content s, greenscreen GreenscreenConfig, styles ImageStyles",
    ),
    (
        "ImageStyles",
        "filter s, borderRadius s, objectFit contain|cover|fill|none|scale-down, \
         objectPosition s, boxShadow s, border s, borderTop s, borderRight s, borderBottom s, \
         borderLeft s, padding s, paddingBackgroundColor s, \
         transform s, clipPath s, opacity n, zIndex n, animation AnimationConfig, \
         staggeredMotion StaggeredMotionConfig, cropEnabled b, cropX n, cropY n, cropWidth n, \
         cropHeight n, layout3D Layout3D",
    ),
    (
        "Layout3D",
        "layout none|tilt-up|tilt-down|card-left|card-right|book|floating|billboard|skewed, \
         settle b",
    ),
    (
        "SoundOverlay",
        "src! s, content s, startFromSound n, videoDurationInFrames n, mediaSrcDuration n, \
         speed n =1, styles SoundStyles",
    ),
    (
        "SoundStyles",
        "volume n, fadeIn n, fadeOut n, opacity n, zIndex n, transform s",
    ),
    (
        "ShapeOverlay",
        "content! rectangle|square|rounded-rectangle|pill|circle|ellipse|oval|triangle|\
         triangle-up|triangle-down|right-triangle|diamond|rhombus|pentagon|hexagon|\
         octagon|parallelogram|trapezoid|star|star-4|star-6|burst|heart|cross|plus|\
         chevron|arrow|arrow-right|arrow-left|arrow-up|arrow-down|double-arrow|ring|\
         semicircle|quarter-circle|crescent|drop|cloud|lightning|speech-bubble|bubble|\
         shield|flag|line, styles ShapeStyles",
    ),
    (
        "ShapeStyles",
        "fill s, stroke s, borderRadius s, boxShadow s, gradient s, transform s, strokeWidth n, \
         opacity n, zIndex n, gradientTransition GradientTransitionConfig, \
         animation AnimationConfig, staggeredMotion StaggeredMotionConfig",
    ),
    (
        "StickerOverlay",
        "content! s, category Shapes|Discounts|Emojis|Reviews|Default, styles StickerStyles",
    ),
    (
        "StickerStyles",
        "fill s, stroke s, filter s, transform s, strokeWidth n, scale n, opacity n, zIndex n, \
         animation AnimationConfig, staggeredMotion StaggeredMotionConfig",
    ),
    (
        "CaptionOverlay",
        "captions! [Caption], template s, styles CaptionStyles",
    ),
    (
        "CaptionStyles",
        "fontFamily s, fontSize s, lineHeight n, textAlign left|center|right, color s, \
         backgroundColor s, background s, backdropFilter s, padding s, letterSpacing s, \
         textShadow s, borderRadius s, transition s, fontWeight n+s, highlightStyle HighlightStyle",
    ),
    (
        "HighlightStyle",
        "backgroundColor s, color s, textShadow s, padding s, borderRadius s, transition s, \
         background s, border s, backdropFilter s, scale n, fontWeight n",
    ),
    (
        "Caption",
        "text! s, startMs! n, endMs! n, words! [CaptionWord], timestampMs n?, confidence n?",
    ),
    (
        "CaptionWord",
        "word! s, startMs! n, endMs! n, confidence! n",
    ),
    (
        "EffectOverlay",
        "content! snow|confetti|rain|fireflies|sparkles|bubbles|matrix|grid-stagger|fracture|\
         scrolling-columns, styles EffectStyles",
    ),
    (
        "EffectStyles",
        "color s, matrixColor s, matrixCharset s, transform s, particleCount n, speed n, size n, \
         opacity n, zIndex n, matrixFontSize n, matrixDensity n, gridCols n, gridRows n, \
         staggerDelay n, animDuration n, columnGap n, imageHeight n, cellColors [s], \
         cellImages [s], staggerDir forward|reverse|center|random, columns [Column], \
         staggeredMotion StaggeredMotionConfig",
    ),
    ("Column", "images [s], speed n, direction up|down"),
    (
        "AnimationConfig",
        "enter fade|slideRight|slideLeft|slideUp|slideDown|scale|bounce|flipX|flipY|zoomBlur|\
         snapRotate|glitch|swipeReveal|floatIn|spin|diagonalSlide|wobble|pulse|drop|squeeze|\
         roll|swing|expandVertical|expandHorizontal|twist|blur|spiral|shake|curtain|fold|\
         zigzag|elastic|slingshot|rotateIn|skew|peek|vortex|typing|none|slide-right|\
         slide-left|slide-up|slide-down|flip-x|flip-y|zoom-blur|snap-rotate|swipe-reveal|\
         float-in|diagonal-slide|expand-vertical|expand-horizontal|rotate-in, \
         exit fade|slideRight|slideLeft|slideUp|slideDown|scale|bounce|flipX|flipY|zoomBlur|\
         snapRotate|glitch|swipeReveal|floatIn|spin|diagonalSlide|wobble|pulse|drop|squeeze|\
         roll|swing|expandVertical|expandHorizontal|twist|blur|spiral|shake|curtain|fold|\
         zigzag|elastic|slingshot|rotateIn|skew|peek|vortex|typing|none|slide-right|\
         slide-left|slide-up|slide-down|flip-x|flip-y|zoom-blur|snap-rotate|swipe-reveal|\
         float-in|diagonal-slide|expand-vertical|expand-horizontal|rotate-in, \
         enterDuration n, exitDuration n, \
         during ken-burns-in|ken-burns-out|pan-left|pan-right|drift-diagonal|pulse|float|sway|\
         breathe|spin, duringSpeed n =1, duringIntensity n =1",
    ),
    (
        "StaggeredMotionConfig",
        "enabled b, stagger n, staggerDirection forward|reverse|center|random, y [n], x [n], \
         scale [n], opacity [n], rotate [n], blur [n], duration n, delay n, easing s",
    ),
    (
        "GreenscreenConfig",
        "enabled! b, sensitivity n, threshold GreenscreenThreshold, smoothing n, spill n",
    ),
    ("GreenscreenThreshold", "red n, green n, blue n"),
    ("OverlayMediaSegment", "startFrame! n, endFrame! n, speed n"),
    (
        "GradientTransitionConfig",
        "enabled b, gradients [s], duration n, easing s",
    ),
];

/// What every overlay has beside the fields of its type.
const BASE: &str = "id! n, from! n, durationInFrames! n, row! n, top! n, left! n, width! n, \
                    height! n, rotation n =0, isDragging b, isDynamic b, name s";

fn promised(fields: &str) -> BTreeSet<String> {
    fields.split(", ").map(str::to_owned).collect()
}

fn letter(name: &str) -> &str {
    match name {
        "string" => "s",
        "number" => "n",
        "integer" => "i",
        "boolean" => "b",
        other => panic!("{other} is no type of a field"),
    }
}

fn type_of(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        return reference.rsplit('/').next().unwrap_or_default().to_owned();
    }
    let names = |list: &Value| -> Vec<String> {
        let list = list.as_array().expect("a list");
        list.iter()
            .map(|name| name.as_str().expect("a name").to_owned())
            .collect()
    };
    if schema["enum"].is_array() {
        return names(&schema["enum"]).join("|");
    }
    match &schema["type"] {
        Value::Array(_) => {
            let names = names(&schema["type"]);
            match names.as_slice() {
                [one, null] if null == "null" => format!("{}?", letter(one)),
                both => both
                    .iter()
                    .map(|name| letter(name))
                    .collect::<Vec<_>>()
                    .join("+"),
            }
        }
        one if one == "array" => format!("[{}]", type_of(&schema["items"])),
        one => letter(one.as_str().expect("a type")).to_owned(),
    }
}

/// The fields that a schema describes, written as [`OBJECTS`] writes them.
fn described(schema: &Value) -> BTreeSet<String> {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let fields = schema["properties"].as_object().expect("an object");
    let fields = fields.iter().filter(|(name, _)| *name != "type");
    fields
        .map(|(name, field)| {
            let mark = if required.contains(&json!(name)) {
                "!"
            } else {
                ""
            };
            let default = match &field["default"] {
                Value::String(text) => format!(" ={text}"),
                Value::Number(number) => format!(" ={number}"),
                _ => String::new(),
            };
            format!("{name}{mark} {}{default}", type_of(field))
        })
        .collect()
}

#[test]
fn every_field_that_was_promised_is_there_and_no_other() {
    let schemas = schemas();
    let mut left: BTreeMap<_, _> = schemas.iter().collect();
    for (name, fields) in OBJECTS {
        let schema = left.remove(&(*name).to_owned());
        let schema = schema.unwrap_or_else(|| panic!("{name} is not described"));
        let mut expected = promised(fields);
        if let Some(type_name) = name.strip_suffix("Overlay") {
            expected.extend(promised(BASE));
            let only = &schema["properties"]["type"]["const"];
            assert_eq!(only, &json!(type_name.to_lowercase()));
            let required = schema["required"].as_array().expect("a list");
            assert!(required.contains(&json!("type")), "{name}");
        }
        assert_eq!(described(schema), expected, "{name}");
    }
    let left: Vec<_> = left.into_keys().collect();
    assert_eq!(left, ["Overlay"], "nothing else is described");
}

#[test]
fn what_is_omitted_is_filled_in() {
    let document = json!({ "overlays": [], "durationInFrames": 1 });
    let (composition, _) = Composition::from_json(&document).expect("valid");
    assert_eq!(
        composition.to_json(),
        json!({ "overlays": [], "durationInFrames": 1, "fps": 30, "width": 1920, "height": 1080,
                "backgroundColor": "white", "src": "" })
    );
}

#[test]
fn no_z_index_lifts_an_overlay_past_another_row() {
    let shape = |row: u32, z_index: i32| {
        json!({ "type": "shape", "content": "rectangle", "id": 1, "from": 0, "durationInFrames": 9,
                "row": row, "left": 0, "top": 0, "width": 9, "height": 9,
                "styles": { "zIndex": z_index } })
    };
    let overlays = [shape(2, 9000), shape(1, -5), shape(1, 7), shape(1, -9)];
    let document = json!({ "overlays": overlays, "durationInFrames": 9 });
    let (composition, _) = Composition::from_json(&document).expect("valid");
    let plan = Scene::new(Arc::new(composition)).plan(0);
    let order: Vec<_> = plan.layers.iter().map(|layer| layer.overlay).collect();
    assert_eq!(order, [0, 1, 2, 3]);
}

#[test]
fn a_video_plays_its_sound_at_full_volume_unless_told_otherwise() {
    let overlay = |kind: &str, styles: Value| {
        json!({ "type": kind, "src": "https://a.test/a", "id": 1, "from": 0,
                "durationInFrames": 30, "row": 0, "left": 0, "top": 0, "width": 9, "height": 9,
                "styles": styles })
    };
    let overlays = [
        overlay("video", json!({})),
        overlay("sound", json!({})),
        overlay("video", json!({ "volume": 0.25 })),
        overlay(
            "sound",
            json!({ "volume": 0.5, "fadeIn": 0.5, "fadeOut": 0.25 }),
        ),
        overlay("sound", json!({ "volume": 0 })),
    ];
    let document = json!({ "overlays": overlays, "durationInFrames": 30 });
    let (composition, _) = Composition::from_json(&document).expect("valid");
    let heard: Vec<_> = Scene::new(Arc::new(composition))
        .sounds()
        .into_iter()
        .map(|clip| (clip.volume, clip.fade_in, clip.fade_out))
        .collect();
    assert_eq!(
        heard,
        [
            (1.0, 0.0, 0.0),
            (1.0, 0.0, 0.0),
            (0.25, 0.0, 0.0),
            (0.5, 0.5, 0.25)
        ]
    );
}
