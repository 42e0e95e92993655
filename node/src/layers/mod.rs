//! From a [`FramePlan`](kinora_composition::timeline::FramePlan) to passes on the device.
//!
//! A [`Stage`] holds what one composition needs: sprites that were rastered once, open videos, and
//! the canvas. [`Stage::draw`] queues the passes of one frame. One file for each overlay type.

mod backdrop;
mod base;
mod blur;
mod caption;
mod chains;
mod easel;
mod filter;
mod fit;
mod frame;
mod group;
mod image;
mod items;
mod key;
mod levels;
mod mask;
mod paint;
mod shape;
mod snap;
mod space;
mod stage;
mod still;
mod text;
mod vector;
mod veil;
mod video;

pub use stage::{Sources, Stage, StageTimes};
