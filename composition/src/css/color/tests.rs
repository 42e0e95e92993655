//! What Chromium paints for each way to write a colour.

use super::*;

/// A colour, and what it looks like over white and over black, read off Chromium's own pixels; the
/// text around it is `#136f63`.
const PAINTED: &[(&str, [u8; 3], [u8; 3])] = &[
    ("tomato", [255, 99, 71], [255, 99, 71]),
    ("RebeccaPurple", [102, 51, 153], [102, 51, 153]),
    ("#1234", [192, 196, 201], [5, 9, 14]),
    ("#12345678", [143, 159, 175], [8, 24, 40]),
    ("#abc", [170, 187, 204], [170, 187, 204]),
    ("rgb(12, 200, 120)", [12, 200, 120], [12, 200, 120]),
    ("rgb(100% 60% 0%)", [255, 153, 0], [255, 153, 0]),
    ("rgb(10% 20 30)", [26, 20, 30], [26, 20, 30]),
    ("rgb(90 60 220 / 35%)", [197, 187, 243], [31, 21, 77]),
    ("rgba(200, 30, 120, 0.5)", [227, 142, 187], [100, 15, 60]),
    ("rgb(300, -20, 128)", [255, 0, 128], [255, 0, 128]),
    ("rgb(none 120 200)", [0, 120, 200], [0, 120, 200]),
    ("rgb(calc(100 + 55) 10 20)", [155, 10, 20], [155, 10, 20]),
    ("hsl(30, 90%, 55%)", [244, 140, 37], [244, 140, 37]),
    ("hsl(140 60% 45%)", [46, 184, 92], [46, 184, 92]),
    ("hsl(140 60 45)", [46, 184, 92], [46, 184, 92]),
    ("hsl(0.5turn 65% 50%)", [45, 210, 210], [45, 210, 210]),
    ("hsl(420 55% 50%)", [198, 198, 57], [198, 198, 57]),
    ("hsl(-60 55% 50%)", [198, 57, 198], [198, 57, 198]),
    ("hsl(200 80% 40% / 0.75)", [79, 161, 202], [15, 97, 138]),
    ("hsla(280, 70%, 45%, 0.6)", [187, 122, 219], [85, 20, 117]),
    ("hsl(none 50% 50%)", [191, 64, 64], [191, 64, 64]),
    ("hwb(140 20% 10%)", [51, 230, 110], [51, 230, 110]),
    ("hwb(60 60% 60%)", [128, 128, 128], [128, 128, 128]),
    ("hwb(1rad 10% 40% / 50%)", [204, 201, 140], [77, 74, 13]),
    ("lab(55% 40 -30)", [179, 104, 185], [179, 104, 185]),
    ("lab(55 40% -30%)", [190, 94, 198], [190, 94, 198]),
    ("lab(100% 110 60)", [255, 127, 148], [255, 127, 148]),
    ("lab(0% 60 60)", [73, 0, 0], [73, 0, 0]),
    ("lab(80% 100 -100)", [255, 100, 255], [255, 100, 255]),
    ("lch(60% 45 200)", [0, 165, 170], [0, 165, 170]),
    ("lch(60% 150 30)", [255, 0, 32], [255, 0, 32]),
    ("lch(50 40% 1turn)", [206, 63, 122], [206, 63, 122]),
    ("oklab(0.6 -0.1 0.08)", [81, 147, 71], [81, 147, 71]),
    ("oklab(60% -50% 20%)", [0, 163, 74], [0, 163, 74]),
    ("oklab(1 0.2 0.2)", [255, 175, 21], [255, 175, 21]),
    ("oklch(0.7 0.15 50)", [231, 127, 62], [231, 127, 62]),
    ("oklch(0.5 0.12 300 / 0.5)", [182, 168, 206], [55, 41, 79]),
    ("oklch(90% 0.4 140)", [0, 255, 0], [0, 255, 0]),
    ("oklch(0.6 none none)", [128, 128, 128], [128, 128, 128]),
    (
        "oklch(from tomato l c calc(h + 180))",
        [0, 185, 227],
        [0, 185, 227],
    ),
    ("color(srgb 0.2 0.6 0.4)", [51, 153, 102], [51, 153, 102]),
    ("color(srgb 20% 60% 140%)", [51, 153, 255], [51, 153, 255]),
    (
        "color(srgb-linear 0.2 0.6 0.4)",
        [124, 203, 170],
        [124, 203, 170],
    ),
    ("color(display-p3 0.2 0.6 0.4)", [0, 156, 97], [0, 156, 97]),
    ("color(display-p3 1 0 0)", [255, 0, 0], [255, 0, 0]),
    (
        "color(display-p3-linear 0.2 0.6 0.4)",
        [93, 206, 167],
        [93, 206, 167],
    ),
    ("color(a98-rgb 0.2 0.6 0.4)", [0, 154, 99], [0, 154, 99]),
    (
        "color(prophoto-rgb 0.2 0.6 0.4)",
        [0, 184, 112],
        [0, 184, 112],
    ),
    ("color(rec2020 0.2 0.6 0.4)", [0, 171, 110], [0, 171, 110]),
    ("color(xyz 0.2 0.3 0.4)", [0, 167, 164], [0, 167, 164]),
    ("color(xyz-d50 0.2 0.3 0.4)", [0, 168, 189], [0, 168, 189]),
    ("color(xyz-d65 20% 30% 40%)", [0, 167, 164], [0, 167, 164]),
    (
        "color-mix(in srgb, #ff0000 30%, #0000ff)",
        [77, 0, 179],
        [77, 0, 179],
    ),
    (
        "color-mix(in oklab, gold, teal)",
        [150, 173, 106],
        [150, 173, 106],
    ),
    (
        "color-mix(in oklch, gold, teal)",
        [103, 185, 107],
        [103, 185, 107],
    ),
    ("color-mix(in lch, red, blue)", [245, 0, 134], [245, 0, 134]),
    (
        "color-mix(in lab, red 25%, lime)",
        [152, 215, 0],
        [152, 215, 0],
    ),
    ("color-mix(in hsl, red, lime)", [255, 255, 0], [255, 255, 0]),
    (
        "color-mix(in hsl longer hue, red, lime)",
        [0, 0, 255],
        [0, 0, 255],
    ),
    (
        "color-mix(in hsl increasing hue, blue, lime)",
        [255, 0, 0],
        [255, 0, 0],
    ),
    (
        "color-mix(in hsl decreasing hue, red, lime)",
        [0, 0, 255],
        [0, 0, 255],
    ),
    (
        "color-mix(in hwb, red, blue 80%)",
        [102, 0, 255],
        [102, 0, 255],
    ),
    (
        "color-mix(in srgb-linear, red, lime)",
        [188, 188, 0],
        [188, 188, 0],
    ),
    ("color-mix(in xyz, red, lime)", [188, 188, 0], [188, 188, 0]),
    (
        "color-mix(in display-p3, red, lime)",
        [180, 150, 26],
        [180, 150, 26],
    ),
    (
        "color-mix(in srgb, rgb(255 0 0 / 20%), blue)",
        [127, 102, 230],
        [25, 0, 128],
    ),
    (
        "color-mix(in srgb, red 20%, blue 20%)",
        [204, 153, 204],
        [51, 0, 51],
    ),
    (
        "color-mix(in oklch, white, blue)",
        [115, 163, 255],
        [115, 163, 255],
    ),
    (
        "color-mix(in hsl, white, blue)",
        [159, 159, 223],
        [159, 159, 223],
    ),
    (
        "color-mix(in oklab, transparent, red)",
        [255, 127, 127],
        [128, 0, 0],
    ),
    (
        "color-mix(in srgb, currentColor, red)",
        [137, 56, 50],
        [137, 56, 50],
    ),
    ("color-mix(red, blue)", [140, 83, 162], [140, 83, 162]),
    (
        "color-mix(in oklch, oklch(0.6 0.2 none), blue)",
        [22, 82, 251],
        [22, 82, 251],
    ),
    (
        "color-mix(in srgb, color-mix(in lab, red, white), black 10%)",
        [244, 143, 115],
        [244, 143, 115],
    ),
    (
        "rgb(from tomato r g b / 50%)",
        [255, 177, 163],
        [128, 50, 36],
    ),
    ("rgb(from tomato b g r)", [71, 99, 255], [71, 99, 255]),
    (
        "rgb(from tomato calc(r * 0.5) g 255)",
        [128, 99, 255],
        [128, 99, 255],
    ),
    (
        "hsl(from tomato h s calc(l + 20))",
        [255, 185, 173],
        [255, 185, 173],
    ),
    (
        "hsl(from tomato calc(h + 120) 50% l)",
        [117, 209, 131],
        [117, 209, 131],
    ),
    ("hwb(from tomato h 20% b)", [255, 82, 51], [255, 82, 51]),
    (
        "lab(from tomato l a calc(b * -1))",
        [220, 106, 239],
        [220, 106, 239],
    ),
    (
        "lch(from tomato l calc(c / 2) h)",
        [210, 131, 112],
        [210, 131, 112],
    ),
    (
        "oklab(from tomato calc(l * 0.8) a b)",
        [205, 50, 21],
        [205, 50, 21],
    ),
    (
        "oklch(from hsl(200 80% 40%) l c h / 0.5)",
        [137, 192, 219],
        [10, 65, 92],
    ),
    (
        "color(from tomato srgb g r b)",
        [99, 255, 71],
        [99, 255, 71],
    ),
    (
        "color(from tomato display-p3 r g b)",
        [255, 99, 71],
        [255, 99, 71],
    ),
    ("color(from tomato xyz x y z)", [255, 99, 71], [255, 99, 71]),
    (
        "rgb(from currentColor r 128 b)",
        [19, 128, 99],
        [19, 128, 99],
    ),
    ("light-dark(coral, navy)", [255, 127, 80], [255, 127, 80]),
    ("contrast-color(navy)", [255, 255, 255], [255, 255, 255]),
    ("contrast-color(#ddd)", [0, 0, 0], [0, 0, 0]),
    ("alpha(from tomato / 0.5)", [255, 177, 163], [128, 50, 36]),
    ("currentColor", [19, 111, 99], [19, 111, 99]),
    ("transparent", [255, 255, 255], [0, 0, 0]),
    ("canvas", [255, 255, 255], [255, 255, 255]),
    ("CanvasText", [0, 0, 0], [0, 0, 0]),
    ("LinkText", [0, 0, 238], [0, 0, 238]),
    ("VisitedText", [85, 26, 139], [85, 26, 139]),
    ("ActiveText", [255, 0, 0], [255, 0, 0]),
    ("ButtonFace", [239, 239, 239], [239, 239, 239]),
    ("ButtonText", [0, 0, 0], [0, 0, 0]),
    ("ButtonBorder", [0, 0, 0], [0, 0, 0]),
    ("Field", [255, 255, 255], [255, 255, 255]),
    ("FieldText", [0, 0, 0], [0, 0, 0]),
    ("Highlight", [51, 103, 209], [0, 52, 158]),
    ("HighlightText", [255, 255, 255], [255, 255, 255]),
    ("SelectedItem", [25, 103, 210], [25, 103, 210]),
    ("SelectedItemText", [255, 255, 255], [255, 255, 255]),
    ("Mark", [255, 255, 0], [255, 255, 0]),
    ("MarkText", [0, 0, 0], [0, 0, 0]),
    ("GrayText", [128, 128, 128], [128, 128, 128]),
    ("AccentColor", [0, 117, 255], [0, 117, 255]),
    ("AccentColorText", [255, 255, 255], [255, 255, 255]),
    ("Background", [255, 255, 255], [255, 255, 255]),
    ("Window", [255, 255, 255], [255, 255, 255]),
    ("ThreeDFace", [239, 239, 239], [239, 239, 239]),
    ("ThreeDShadow", [0, 0, 0], [0, 0, 0]),
    ("Menu", [255, 255, 255], [255, 255, 255]),
    ("InfoBackground", [255, 255, 255], [255, 255, 255]),
    ("ActiveBorder", [0, 0, 0], [0, 0, 0]),
    ("ActiveCaption", [255, 255, 255], [255, 255, 255]),
    ("AppWorkspace", [255, 255, 255], [255, 255, 255]),
    ("ButtonHighlight", [239, 239, 239], [239, 239, 239]),
    ("ButtonShadow", [239, 239, 239], [239, 239, 239]),
    ("CaptionText", [0, 0, 0], [0, 0, 0]),
    ("InactiveBorder", [0, 0, 0], [0, 0, 0]),
    ("InactiveCaption", [255, 255, 255], [255, 255, 255]),
    ("InactiveCaptionText", [128, 128, 128], [128, 128, 128]),
    ("InfoText", [0, 0, 0], [0, 0, 0]),
    ("MenuText", [0, 0, 0], [0, 0, 0]),
    ("Scrollbar", [255, 255, 255], [255, 255, 255]),
    ("ThreeDDarkShadow", [0, 0, 0], [0, 0, 0]),
    ("ThreeDHighlight", [0, 0, 0], [0, 0, 0]),
    ("ThreeDLightShadow", [0, 0, 0], [0, 0, 0]),
    ("WindowFrame", [0, 0, 0], [0, 0, 0]),
    ("WindowText", [0, 0, 0], [0, 0, 0]),
];

#[test]
fn colours_look_as_chromium_paints_them() {
    let current = Color::parse("#136f63").expect("a colour");
    let mut wrong = Vec::new();
    for &(text, on_white, on_black) in PAINTED {
        let Some(color) = Color::parse_with_current(text, current) else {
            wrong.push(format!("{text} is not understood"));
            continue;
        };
        let over = |ground: f32| {
            [color.r, color.g, color.b].map(|c| (c * color.a + ground * (1.0 - color.a)) * 255.0)
        };
        let is_near = |got: [f32; 3], expected: [u8; 3]| {
            got.iter()
                .zip(expected)
                .all(|(got, expected)| (got - f32::from(expected)).abs() < 1.3)
        };
        if !is_near(over(1.0), on_white) || !is_near(over(0.0), on_black) {
            wrong.push(format!("{text}: {:?} instead of {on_white:?}", over(1.0)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn opaque_bytes_are_exact() {
    for &(text, on_white, on_black) in PAINTED {
        if on_white == on_black {
            let [r, g, b, a] =
                Color::parse_with_current(text, Color::parse("#136f63").expect("a colour"))
                    .expect(text)
                    .to_bytes();
            let far = [r, g, b]
                .iter()
                .zip(on_white)
                .any(|(got, expected)| got.abs_diff(expected) > 1);
            assert!(!far && a == 255, "{text}: {r} {g} {b} {a}");
        }
    }
}

#[test]
fn what_is_no_colour_is_ignored() {
    for text in [
        "",
        "redd",
        "rgb(",
        "rgb()",
        "#12",
        "#12345",
        "12px",
        "red blue",
        "rgb(1,2,none)",
        "rgb(10%, 20, 30)",
        "rgb(1 2)",
        "rgb(1 2 3 4)",
        "rgb(1, 2 3)",
        "rgb(1 2 3 / 4 5)",
        "hsl(0deg, 100, 50)",
        "hsl(10% 20% 30%)",
        "hwb(30,90%,55%)",
        "lab(1deg 2 3)",
        "color(lab 1 2 3)",
        "color(srgb 1 2)",
        "color(nowhere 1 2 3)",
        "color-mix(in srgb, red)",
        "color-mix(in srgb, red 120%, blue)",
        "color-mix(in srgb longer hue, red, blue)",
        "color-mix(in srgb, red, blue, lime)",
        "rgb(from red)",
        "rgb(from nothing r g b)",
        "rgb(r g b)",
        "calc(1)",
    ] {
        assert_eq!(Color::parse(text), None, "{text}");
    }
    assert_eq!(Color::parse("transparent"), Some(Color::TRANSPARENT));
    assert_eq!(Color::parse("currentColor"), Some(Color::BLACK));
}
