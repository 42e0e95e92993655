//! Every enter and exit preset, by name. A new one is one more entry.

use super::pose::{Place, Pose};
use super::{fades, falls, flips, reveals, scales, shakes, slides, turns};

/// One way to come and to go.
#[derive(Debug)]
pub(super) struct Preset {
    pub(super) name: &'static str,
    /// The pose at a time from 0, gone, to 1, at rest.
    pose: fn(f64, &Place) -> Pose,
    leaves: Leaves,
}

/// How an overlay goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leaves {
    /// The way that it came.
    Back,
    /// On the way that it was going.
    Onward,
}

const fn back(name: &'static str, pose: fn(f64, &Place) -> Pose) -> Preset {
    Preset {
        name,
        pose,
        leaves: Leaves::Back,
    }
}

const fn onward(name: &'static str, pose: fn(f64, &Place) -> Pose) -> Preset {
    Preset {
        leaves: Leaves::Onward,
        ..back(name, pose)
    }
}

pub(super) const PRESETS: [Preset; 39] = [
    back("fade", fades::fade),
    onward("slideRight", slides::slide_right),
    onward("slideLeft", slides::slide_left),
    onward("slideUp", slides::slide_up),
    onward("slideDown", slides::slide_down),
    back("scale", scales::scale),
    back("bounce", falls::bounce),
    back("flipX", flips::flip_x),
    back("flipY", flips::flip_y),
    back("zoomBlur", fades::zoom_blur),
    back("snapRotate", turns::snap_rotate),
    back("glitch", shakes::glitch),
    onward("swipeReveal", reveals::swipe_reveal),
    onward("floatIn", fades::float_in),
    onward("spin", turns::spin),
    onward("diagonalSlide", slides::diagonal_slide),
    back("wobble", shakes::wobble),
    back("pulse", scales::pulse),
    back("drop", falls::drop),
    back("squeeze", scales::squeeze),
    onward("roll", turns::roll),
    back("swing", flips::swing),
    back("expandVertical", reveals::expand_vertical),
    back("expandHorizontal", reveals::expand_horizontal),
    back("twist", flips::twist),
    back("blur", fades::blur),
    back("spiral", turns::spiral),
    back("shake", shakes::shake),
    back("curtain", reveals::curtain),
    back("fold", flips::fold),
    back("zigzag", slides::zigzag),
    back("elastic", scales::elastic),
    onward("slingshot", slides::slingshot),
    back("rotateIn", turns::rotate_in),
    onward("skew", slides::skew),
    back("peek", slides::peek),
    back("vortex", turns::vortex),
    back("typing", reveals::typing),
    back("none", fades::none),
];

/// The names of enter and exit presets.
pub fn preset_names() -> [&'static str; PRESETS.len()] {
    PRESETS.map(|preset| preset.name)
}

/// Everything that enter and exit may be: each name, then those of several words with hyphens, as in
/// `slide-right`.
pub fn preset_spellings() -> Vec<String> {
    let names = preset_names();
    let hyphenated = names.map(hyphenated);
    let others = hyphenated
        .into_iter()
        .filter(|spelling| !names.contains(&spelling.as_str()));
    names.map(String::from).into_iter().chain(others).collect()
}

fn hyphenated(name: &str) -> String {
    let mut spelling = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            spelling.push('-');
        }
        spelling.push(letter.to_ascii_lowercase());
    }
    spelling
}

impl Preset {
    /// The preset of that name, in either spelling.
    pub(super) fn named(name: &str) -> Option<Self> {
        PRESETS
            .into_iter()
            .find(|preset| preset.name == name || hyphenated(preset.name) == name)
    }

    /// The pose of an overlay that has come so far, 0 to 1.
    pub(super) fn entering(&self, progress: f64, place: &Place) -> Pose {
        if progress >= 1.0 || progress.is_nan() {
            return Pose::REST;
        }
        (self.pose)(progress.max(0.0), place)
    }

    /// The pose of an overlay of which so much is left, 1 to 0.
    pub(super) fn leaving(&self, left: f64, place: &Place) -> Pose {
        let pose = self.entering(left, place);
        match self.leaves {
            Leaves::Back => pose,
            Leaves::Onward => pose.beyond(),
        }
    }
}
