//! From a document and a frame number to what that frame shows.
//!
//! A [`Scene`] holds the document with its CSS parsed; [`Scene::plan`] evaluates one frame into a
//! [`FramePlan`]. Two frames with equal plans look the same.

mod content;
mod frames;
mod layout3d;
mod living;
mod motion;
mod pieces;
mod plan;
mod playback;
mod scene;
mod sound;

pub use crate::geometry::{Affine, Projection, Size};
pub use content::*;
pub use frames::FrameTimes;
pub use living::{LivingText, Show, TextMotion, Typed};
pub use motion::{Passing, Reveal, preset_names, preset_spellings};
pub use pieces::{PieceState, Stagger, scattered};
pub use plan::{Content, FramePlan, Layer, Shared};
pub use scene::Scene;
pub use sound::SoundClip;
