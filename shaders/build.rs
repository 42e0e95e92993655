//! Assembles each pass from its parts and validates it, so that a broken shader breaks the build.

use std::{env, fs, path::Path};

/// Each pass with the files that it is made of, behind the parameters that all of them take.
const PASSES: [(&str, &[&str]); 18] = [
    ("fill", &["common", "fill"]),
    ("duplicate", &["common", "duplicate"]),
    ("copy", &["common", "copy"]),
    ("picture", &["common", "picture"]),
    ("inside", &["common", "inside"]),
    ("planar", &["common", "yuv", "planar", "planar_blocks"]),
    (
        "planar_under",
        &["common", "yuv", "planar_under", "planar_blocks"],
    ),
    (
        "planar_through",
        &["common", "yuv", "encode", "planar_through"],
    ),
    ("i420", &["common", "encode", "i420"]),
    ("blur", &["common", "blur"]),
    ("reduce", &["common", "reduce"]),
    ("shrink", &["common", "shrink"]),
    ("colors", &["common", "colors"]),
    ("mask", &["common", "mask"]),
    ("mix", &["common", "mix"]),
    ("projected", &["common", "projected"]),
    ("key", &["common", "key"]),
    ("sort", &["lists", "sort"]),
];

/// What every pass that puts marks into bins begins with.
const BEHIND_MAKERS: [&str; 3] = ["mark", "bins", "enlist"];

/// Each pass that puts marks into bins.
const MAKERS: [(&str, &[&str]); 7] = [
    ("snow", &["flake", "ink", "shelved", "air", "snow"]),
    ("rain", &["streak", "ink", "shelved", "air", "rain"]),
    ("confetti", &["lists", "listed", "air", "confetti"]),
    ("fireflies", &["lists", "listed", "air", "fireflies"]),
    ("sparkles", &["lists", "listed", "air", "sparkles"]),
    ("bubbles", &["lists", "listed", "air", "bubbles"]),
    ("enlist", &["lists", "listed", "given"]),
];

/// What every pass that blends marks begins with.
const BEHIND_LOOKS: [&str; 3] = ["mark", "bins", "blending"];

/// Each pass that blends specks of one ink, with the files of its look.
const SPECKS: [(&str, &[&str]); 2] = [
    ("flakes", &["ink", "specks", "flake", "flakes"]),
    ("streaks", &["ink", "specks", "streak", "streaks"]),
];

/// What every pass that blends other marks goes on with.
const BEHIND_MARKS: [&str; 2] = ["lists", "marks"];

/// Each pass that blends other marks, with the files of its look.
const MARKS: [(&str, &[&str]); 7] = [
    ("papers", &["papers"]),
    ("glows", &["whole", "laid", "unmeasured", "glows"]),
    ("stars", &["whole", "laid", "unmeasured", "stars"]),
    ("spheres", &["whole", "laid", "unmeasured", "spheres"]),
    (
        "glyphs",
        &["whole", "laid", "unmeasured", "atlas", "glyphs"],
    ),
    ("cells", &["whole", "unmeasured", "atlas", "cells"]),
    ("shards", &["whole", "laid", "atlas", "shards"]),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=wgsl");
    let out = env::var("OUT_DIR")?;
    let plain = PASSES.map(|(pass, files)| (pass, files.to_vec()));
    let makers = MAKERS.map(|(pass, files)| (pass, [&BEHIND_MAKERS, files].concat()));
    let specks = SPECKS.map(|(pass, files)| (pass, [&BEHIND_LOOKS, files].concat()));
    let marks =
        MARKS.map(|(pass, files)| (pass, [&BEHIND_LOOKS, &BEHIND_MARKS[..], files].concat()));
    let all = plain.into_iter().chain(makers).chain(specks).chain(marks);
    for (pass, files) in all {
        let mut text = fs::read_to_string("wgsl/params.wgsl")?;
        for file in files {
            text += &fs::read_to_string(format!("wgsl/{file}.wgsl"))?;
        }
        validate(&text).map_err(|error| format!("wgsl/{pass}.wgsl: {error}"))?;
        fs::write(Path::new(&out).join(format!("{pass}.wgsl")), text)?;
    }
    Ok(())
}

fn validate(text: &str) -> Result<(), String> {
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    let module = naga::front::wgsl::parse_str(text).map_err(|error| error.emit_to_string(text))?;
    Validator::new(
        ValidationFlags::all(),
        Capabilities::SHADER_FLOAT16_IN_FLOAT32,
    )
    .validate(&module)
    .map_err(|error| error.emit_to_string(text))?;
    Ok(())
}
