//! From a [`FramePlan`](kinora_composition::timeline::FramePlan) to passes on the device.
//!
//! A [`Stage`] holds what one composition needs: sprites that were rastered once, open videos, and
//! the canvas. [`Stage::draw`] queues the passes of one frame. One file for each overlay type.

mod blur;
mod caption;
mod caption_lines;
mod clip;
mod easel;
mod frame;
mod image;
mod paint;
mod shape;
mod snap;
mod stage;
mod still;
mod text;
mod veil;
mod video;
mod words;

pub use stage::{Sources, Stage, StageTimes};
