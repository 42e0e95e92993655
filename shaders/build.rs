//! Assembles each pass from its parts and validates it, so that a broken shader breaks the build.

use std::{env, fs, path::Path};

/// Each pass with the files that it is made of, behind the parameters that all of them take.
const PASSES: [(&str, &[&str]); 25] = [
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
    ("snow", &["mark", "bins", "enlist", "air", "snow"]),
    ("rain", &["mark", "bins", "enlist", "air", "rain"]),
    ("confetti", &["mark", "bins", "enlist", "air", "confetti"]),
    ("fireflies", &["mark", "bins", "enlist", "air", "fireflies"]),
    ("sparkles", &["mark", "bins", "enlist", "air", "sparkles"]),
    ("bubbles", &["mark", "bins", "enlist", "air", "bubbles"]),
    ("enlist", &["mark", "bins", "enlist", "given"]),
    ("sort", &["mark", "bins", "sort"]),
];

/// What every pass that blends marks begins with.
const BEHIND_LOOKS: [&str; 3] = ["mark", "bins", "marks"];

/// Each pass that blends marks, with the files of its look.
const LOOKS: [(&str, &[&str]); 9] = [
    ("flakes", &["laid", "unmeasured", "flakes"]),
    ("streaks", &["laid", "unmeasured", "streaks"]),
    ("papers", &["laid", "papers"]),
    ("glows", &["laid", "unmeasured", "glows"]),
    ("stars", &["laid", "unmeasured", "stars"]),
    ("spheres", &["laid", "unmeasured", "spheres"]),
    ("glyphs", &["laid", "unmeasured", "atlas", "glyphs"]),
    ("cells", &["unmeasured", "atlas", "cells"]),
    ("shards", &["laid", "atlas", "shards"]),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=wgsl");
    let out = env::var("OUT_DIR")?;
    let plain = PASSES.map(|(pass, files)| (pass, files.to_vec()));
    let looks = LOOKS.map(|(pass, files)| (pass, [&BEHIND_LOOKS, files].concat()));
    for (pass, files) in plain.into_iter().chain(looks) {
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
    Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .map_err(|error| error.emit_to_string(text))?;
    Ok(())
}
