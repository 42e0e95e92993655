//! From a [`FramePlan`](kinora_composition::timeline::FramePlan) to passes on the device.
//!
//! A [`Stage`] holds what one composition needs: sprites that were rastered once, open videos, and
//! the canvas. [`Stage::draw`] queues the passes of one frame. One file for each overlay type.

mod backdrop;
mod base;
mod blur;
mod boxes;
mod caption;
mod caption_lines;
mod chains;
mod clip;
mod crossfade;
mod damage;
mod easel;
mod effects;
mod filter;
mod fit;
mod frame;
mod group;
mod image;
mod items;
mod key;
mod levels;
mod living;
mod mask;
mod outlines;
mod retouch;
mod set_text;
mod shape;
mod snap;
mod space;
mod stage;
mod sticker;
mod still;
mod text;
mod vector;
mod veil;
mod video;
mod videos;
mod words;

pub use stage::{Sources, Stage, StageTimes};
