//! Assembles each pass from its parts and validates it, so that a broken shader breaks the build.

use std::{env, fs, path::Path};

/// Each pass with the files that it is made of.
const PASSES: [(&str, &[&str]); 26] = [
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
    (
        "flakes",
        &["common", "marks", "laid", "unmeasured", "flakes"],
    ),
    (
        "streaks",
        &["common", "marks", "laid", "unmeasured", "streaks"],
    ),
    (
        "confetti",
        &["common", "marks", "laid", "unmeasured", "confetti"],
    ),
    ("glows", &["common", "marks", "laid", "unmeasured", "glows"]),
    ("stars", &["common", "marks", "laid", "unmeasured", "stars"]),
    (
        "bubbles",
        &["common", "marks", "laid", "unmeasured", "bubbles"],
    ),
    (
        "glyphs",
        &["common", "marks", "laid", "unmeasured", "atlas", "glyphs"],
    ),
    (
        "cells",
        &["common", "marks", "unmeasured", "atlas", "cells"],
    ),
    ("shards", &["common", "marks", "laid", "atlas", "shards"]),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=wgsl");
    let out = env::var("OUT_DIR")?;
    for (pass, files) in PASSES {
        let mut text = String::new();
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
