//! No value makes a parser panic or take long, whatever it is.

use std::time::{Duration, Instant};

use super::*;
use crate::random::Random;

/// A parser that also lays its result out, and values that it takes.
type Case = (fn(&str) -> bool, &'static [&'static str]);

const CASES: &[Case] = &[
    (
        |text| Color::parse(text).is_some(),
        &[
            "rgb(from tomato calc(r * 0.5) g b / 50%)",
            "color-mix(in hsl longer hue, red 20%, oklch(0.6 0.2 none))",
            "color(display-p3 1 0.5 0)",
            "#12345678",
        ],
    ),
    (
        |text| {
            Gradient::parse(text, Color::BLACK)
                .map(|gradient| gradient.on_box(100.0, 0.0))
                .is_some()
        },
        &[
            "repeating-linear-gradient(to top left in oklch longer hue, red -10%, 30%, blue 20px 60px)",
            "radial-gradient(circle closest-side at 10% 20px, red, lime, blue)",
            "conic-gradient(from 0.3turn at left top, red 10deg 20%, #00f)",
        ],
    ),
    (
        |text| Background::parse(text, None, Color::BLACK).is_some(),
        &[
            "linear-gradient(red, blue) right 10px top 5% / 20px auto repeat-x padding-box, none, url(a.png) #fff",
        ],
    ),
    (
        |text| BorderSide::parse(text, Color::BLACK).is_some(),
        &["calc(1px + 0.2em) dashed hsl(10 20% 30%)"],
    ),
    (
        |text| {
            Transform::parse(text)
                .map(|transform| transform.on_box(1e30, f32::NAN))
                .is_some()
        },
        &[
            "perspective(400px) rotate3d(1, 0, 1, 40grad) translate(10%, calc(5px - 3%)) matrix(1, 2, 3, 4, 5, 6) skew(10deg)",
        ],
    ),
    (
        |text| {
            ClipPath::parse(text)
                .map(|clip| clip.on_box(0.0, f32::INFINITY))
                .is_some()
        },
        &[
            "inset(10% 20px round 5px / 10%)",
            "path(evenodd, \"M0 0a5 6 30 1 0 9-9q1 2 3 4t5 6s7 8 9 10z\")",
            "polygon(nonzero, 0 0, 50% 10px, min(3px, 2em) 100%)",
            "ellipse(closest-side 20% at bottom 10% right 5px)",
        ],
    ),
    (
        |text| {
            Filter::parse_list(text, Color::BLACK)
                .map(|list| list.iter().filter_map(Filter::color_matrix).count())
                .is_some()
        },
        &["blur(2px) hue-rotate(1rad) drop-shadow(1px 2px 3px red) sepia(30%)"],
    ),
    (
        |text| Shadow::parse_box(text, Color::BLACK).is_some(),
        &["inset 1px -2px 3px 4px rgba(0,0,0,.5), 0 0 10px red"],
    ),
    (
        |text| {
            CornerRadii::parse(text)
                .map(|radii| radii.resolve(f32::MAX, -1.0))
                .is_some()
        },
        &["10px 20% / calc(1px + 2%) 3em"],
    ),
    (
        |text| TextDecoration::parse(text, Color::BLACK).is_some(),
        &["underline overline wavy 10% #f00"],
    ),
    (
        |text| Position::parse(text).is_some(),
        &["right 10px bottom 20%"],
    ),
    (
        |text| Sides::parse_padding(text).is_some(),
        &["1px 2% 3em max(1px, 2px)"],
    ),
    (
        |text| font_families(text).is_some(),
        &["'Open Sans', Noto Sans, sans-serif"],
    ),
    (|text| line_height(text).is_some(), &["calc(1.2em + 2px)"]),
    (
        |text| LetterSpacing::parse(text).is_some(),
        &["calc(0.1em - 1px)"],
    ),
    (
        |text| css_font_size(text).is_some(),
        &["clamp(1rem, 20px, 3em)"],
    ),
    (|text| is_slanted(text).is_some(), &["oblique 10deg"]),
];

fn mutated(seed: &str, random: &mut Random) -> String {
    const PIECES: [&str; 20] = [
        "(", ")", ",", " ", "/", "%", "-", "1e38", "-1e999", "NaN", "calc(", "infinity", "\"",
        "\\", "none", "é", "\u{0}", "0", "from", "#",
    ];
    let mut letters: Vec<String> = seed.chars().map(String::from).collect();
    for _ in 0..=random.below(4) {
        let at = random.below(letters.len().max(1));
        match random.below(4) {
            0 if !letters.is_empty() => drop(letters.remove(at)),
            1 => letters.insert(at, random.pick(&PIECES).into()),
            2 if !letters.is_empty() => letters[at] = random.pick(&PIECES).into(),
            _ => {
                let end = (at + random.below(20)).min(letters.len());
                let piece = letters[at..end].to_vec();
                letters.splice(at..at, piece);
            }
        }
    }
    letters.concat()
}

#[test]
fn mutations_of_good_values_never_panic() {
    let mut random = Random::new(7);
    for (parses, seeds) in CASES {
        for seed in *seeds {
            assert!(parses(seed), "{seed}");
        }
        for turn in 0..2_000 {
            let value = mutated(seeds[turn % seeds.len()], &mut random);
            let started = Instant::now();
            parses(&value);
            assert!(started.elapsed() < Duration::from_millis(500), "{value}");
        }
    }
}

#[test]
fn long_and_deep_values_are_ignored_at_once() {
    let values = [
        "a".repeat(100_000),
        "(".repeat(100_000),
        "calc(".repeat(5_000),
        format!("{}1px{}", "calc(".repeat(1_000), ")".repeat(1_000)),
        format!("linear-gradient({})", vec!["red"; 10_000].join(",")),
        vec!["linear-gradient(red, blue)"; 10_000].join(", "),
        format!(
            "{}red{}",
            "color-mix(in lab, ".repeat(200),
            ", blue)".repeat(200)
        ),
        "1px ".repeat(30_000),
        "rotate(1deg) ".repeat(10_000),
    ];
    for (parses, _) in CASES {
        for value in &values {
            let started = Instant::now();
            assert!(!parses(value), "{}", &value[..40]);
            assert!(
                started.elapsed() < Duration::from_secs(1),
                "{}",
                &value[..40]
            );
        }
    }
}
