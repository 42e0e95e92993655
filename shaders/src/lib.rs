//! WGSL passes and their Rust-side layout types.
//!
//! Every pass is one file of `wgsl/` behind `params.wgsl`, validated by naga when this crate is
//! built. All passes take the same [`Params`]; binding 0 is them, 1 the pixels written, those from 2
//! on what is read.

use bytemuck::{Pod, Zeroable};

/// A compute pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pass {
    /// Sets the area to a colour.
    Fill,
    /// Makes a sprite the same as another of its layout.
    Duplicate,
    /// Blends a sprite on whole pixels.
    Copy,
    /// Blends a sprite under an affine map, clipped to a rounded box.
    Picture,
    /// Blends an upright sprite over pixels that it covers whole.
    Inside,
    /// Puts a planar picture on whole pixels.
    Planar,
    /// Puts a planar picture on whole pixels, under a sprite of the target's layout.
    PlanarUnder,
    /// Takes a planar picture under a sprite to the encoder's frame, past the canvas.
    PlanarThrough,
    /// Converts the canvas for the encoder.
    I420,
    /// Blurs in one direction.
    Blur,
    /// Makes a picture smaller by whole factors.
    Reduce,
    /// Makes a part of a picture smaller by whole factors, for what looks at it blurred.
    Shrink,
    /// Changes colours.
    Colors,
    /// Leaves what a mask covers.
    Mask,
    /// Fades one sprite into another.
    Mix,
    /// Blends a sprite in perspective, clipped to a rounded box.
    Projected,
    /// Makes a colour see-through.
    Key,
    /// Makes flakes of snow.
    Snow,
    /// Makes drops of rain.
    Rain,
    /// Makes bits of paper.
    Confetti,
    /// Makes fireflies.
    Fireflies,
    /// Makes sparkles.
    Sparkles,
    /// Makes bubbles.
    Bubbles,
    /// Puts marks into the bins that they touch.
    Enlist,
    /// Puts the lists of bins in order.
    Sort,
    /// Blends flakes of snow.
    Flakes,
    /// Blends drops of rain.
    Streaks,
    /// Blends bits of paper.
    Papers,
    /// Blends fireflies.
    Glows,
    /// Blends sparkles.
    Stars,
    /// Blends bubbles.
    Spheres,
    /// Blends characters of an atlas.
    Glyphs,
    /// Blends rectangles, plain or with pictures of an atlas.
    Cells,
    /// Blends shards of a pane, plain or with a picture.
    Shards,
}

impl Pass {
    /// All passes.
    pub const ALL: [Self; 34] = [
        Self::Fill,
        Self::Duplicate,
        Self::Copy,
        Self::Picture,
        Self::Inside,
        Self::Planar,
        Self::PlanarUnder,
        Self::PlanarThrough,
        Self::I420,
        Self::Blur,
        Self::Reduce,
        Self::Shrink,
        Self::Colors,
        Self::Mask,
        Self::Mix,
        Self::Projected,
        Self::Key,
        Self::Snow,
        Self::Rain,
        Self::Confetti,
        Self::Fireflies,
        Self::Sparkles,
        Self::Bubbles,
        Self::Enlist,
        Self::Sort,
        Self::Flakes,
        Self::Streaks,
        Self::Papers,
        Self::Glows,
        Self::Stars,
        Self::Spheres,
        Self::Glyphs,
        Self::Cells,
        Self::Shards,
    ];

    /// Its program.
    pub fn source(self) -> &'static str {
        macro_rules! wgsl {
            ($name:literal) => {
                include_str!(concat!(env!("OUT_DIR"), "/", $name, ".wgsl"))
            };
        }
        match self {
            Self::Fill => wgsl!("fill"),
            Self::Duplicate => wgsl!("duplicate"),
            Self::Copy => wgsl!("copy"),
            Self::Picture => wgsl!("picture"),
            Self::Inside => wgsl!("inside"),
            Self::Planar => wgsl!("planar"),
            Self::PlanarUnder => wgsl!("planar_under"),
            Self::PlanarThrough => wgsl!("planar_through"),
            Self::I420 => wgsl!("i420"),
            Self::Blur => wgsl!("blur"),
            Self::Reduce => wgsl!("reduce"),
            Self::Shrink => wgsl!("shrink"),
            Self::Colors => wgsl!("colors"),
            Self::Mask => wgsl!("mask"),
            Self::Mix => wgsl!("mix"),
            Self::Projected => wgsl!("projected"),
            Self::Key => wgsl!("key"),
            Self::Snow => wgsl!("snow"),
            Self::Rain => wgsl!("rain"),
            Self::Confetti => wgsl!("confetti"),
            Self::Fireflies => wgsl!("fireflies"),
            Self::Sparkles => wgsl!("sparkles"),
            Self::Bubbles => wgsl!("bubbles"),
            Self::Enlist => wgsl!("enlist"),
            Self::Sort => wgsl!("sort"),
            Self::Flakes => wgsl!("flakes"),
            Self::Streaks => wgsl!("streaks"),
            Self::Papers => wgsl!("papers"),
            Self::Glows => wgsl!("glows"),
            Self::Stars => wgsl!("stars"),
            Self::Spheres => wgsl!("spheres"),
            Self::Glyphs => wgsl!("glyphs"),
            Self::Cells => wgsl!("cells"),
            Self::Shards => wgsl!("shards"),
        }
    }

    /// Which variant of the pass its parameters ask for. What is the same for all pixels is decided when
    /// a pass is compiled: software adapters would go both ways of a branch for each of them.
    pub fn variant(self, params: &Params) -> u32 {
        match self {
            Self::Planar | Self::PlanarUnder | Self::Colors => params.cell[2],
            Self::PlanarThrough => params.cell[2] + interleaved(params),
            Self::I420 => interleaved(params),
            Self::Picture => u32::from(params.strides[1] > 0),
            Self::Inside => {
                let in_steps = params.strides[1] > 0;
                let up_to = |most: f32| !in_steps && (0.0..=most).contains(&params.to_source[0]);
                let magnified = match (up_to(1.0 / 3.0), up_to(1.0)) {
                    (true, _) => 4 + 8,
                    (_, true) => 4,
                    _ => 0,
                };
                u32::from(in_steps) + 2 * params.cell[3].min(1) + magnified
            }
            Self::Blur => {
                let is_used = |weights: &[f32; 4]| weights.iter().any(|weight| *weight > 0.0);
                let further = [params.to_box, params.radii_x, params.radii_y];
                let groups = further.iter().take_while(|group| is_used(group)).count();
                groups as u32 * 2 + params.cell[3].min(1)
            }
            _ if self.is_look() => params.strides[1],
            _ => 0,
        }
    }

    /// Target pixels, or marks or bins in a row, that one workgroup covers. Of passes that blend marks it is the size of a bin, which
    /// WGSL calls `BIN`.
    pub fn tile(self) -> (u32, u32) {
        match self {
            Self::Fill
            | Self::Duplicate
            | Self::Copy
            | Self::Inside
            | Self::Colors
            | Self::Mask
            | Self::Mix => (64, 4),
            Self::Picture
            | Self::Blur
            | Self::Reduce
            | Self::Shrink
            | Self::Projected
            | Self::Key => (32, 2),
            Self::Planar | Self::PlanarUnder | Self::PlanarThrough | Self::I420 => (128, 8),
            Self::Snow
            | Self::Rain
            | Self::Confetti
            | Self::Fireflies
            | Self::Sparkles
            | Self::Bubbles
            | Self::Enlist => (8, 1),
            Self::Sort => (64, 1),
            Self::Streaks => (8, 32),
            Self::Flakes
            | Self::Papers
            | Self::Glows
            | Self::Stars
            | Self::Spheres
            | Self::Glyphs
            | Self::Cells
            | Self::Shards => (16, 16),
        }
    }

    /// How many buffers the pass has beside the one that it draws on or makes.
    pub fn sources(self) -> usize {
        match self {
            Self::Fill | Self::Colors | Self::Key | Self::Sort => 0,
            Self::PlanarUnder
            | Self::PlanarThrough
            | Self::Mix
            | Self::Flakes
            | Self::Streaks
            | Self::Papers
            | Self::Glows
            | Self::Stars
            | Self::Spheres => 2,
            Self::Glyphs | Self::Cells | Self::Shards => 3,
            _ => 1,
        }
    }

    /// Which of these it writes, too: bins of marks.
    pub fn written_source(self) -> Option<usize> {
        match (self.is_maker(), self.is_look()) {
            (true, _) => Some(0),
            (_, true) => Some(1),
            _ => None,
        }
    }

    /// Whether the pass puts marks into bins, made by it or not.
    pub fn is_maker(self) -> bool {
        self.tile() == (8, 1)
    }

    /// Whether the pass blends marks.
    pub fn is_look(self) -> bool {
        matches!(
            self,
            Self::Flakes
                | Self::Streaks
                | Self::Papers
                | Self::Glows
                | Self::Stars
                | Self::Spheres
                | Self::Glyphs
                | Self::Cells
                | Self::Shards
        )
    }

    /// Whether the pass makes or blends specks of one ink, whose order does not matter.
    pub fn has_specks(self) -> bool {
        self.mark_vectors() != MARK_VECTORS
    }

    /// Vectors that a mark of the pass takes in memory.
    pub fn mark_vectors(self) -> u32 {
        match self {
            Self::Snow | Self::Flakes | Self::Rain | Self::Streaks => 2,
            _ => MARK_VECTORS,
        }
    }
}

/// The variant of passes that write a frame without a third plane: both chromas lie in the second.
fn interleaved(params: &Params) -> u32 {
    4 * u32::from(params.frame[3] == 0)
}

/// Vectors of a mark where nothing else is said.
const MARK_VECTORS: u32 = (size_of::<Mark>() / size_of::<[f32; 4]>()) as u32;

/// Pixels that passes which blend marks read and write at once.
pub const MARK_PIXELS: u32 = 4;

/// The most marks that a bin has room for; `marks.wgsl` says the same.
pub const MARKS_IN_BIN: u32 = 128;

/// Something small to blend; `mark.wgsl` says what each field is.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[expect(missing_docs, reason = "mark.wgsl documents the fields once")]
pub struct Mark {
    pub place: [f32; 4],
    pub map: [f32; 4],
    pub color: [f32; 4],
    pub look: [f32; 4],
    pub reach: [f32; 4],
}

/// The parameters of a pass; `params.wgsl` says what each field is.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[expect(missing_docs, reason = "params.wgsl documents the fields once")]
pub struct Params {
    pub area: [i32; 4],
    pub strides: [u32; 4],
    pub to_source: [f32; 4],
    pub shifts: [f32; 4],
    pub to_box: [f32; 4],
    pub box_size: [f32; 4],
    pub radii_x: [f32; 4],
    pub radii_y: [f32; 4],
    pub window: [f32; 4],
    pub color: [f32; 4],
    pub luma: [i32; 4],
    pub chroma: [i32; 4],
    pub planes: [u32; 4],
    pub frame: [u32; 4],
    pub cell: [u32; 4],
    pub functions: [[f32; 4]; 9],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_fit_a_slot() {
        assert!(size_of::<Params>() <= 512);
        assert_eq!(size_of::<Params>() % 16, 0);
    }

    #[test]
    fn every_pass_has_its_entry_point() {
        for pass in Pass::ALL {
            assert!(pass.source().contains("fn main("), "{pass:?}");
        }
    }
}
