//! Chunks and final MP4 files.
//!
//! A [`ChunkEncoder`] writes the frames of one task; [`assemble`] joins chunks, without encoding
//! pictures again, with the sound of the whole timeline.

mod aac;
mod assemble;
mod avcc;
mod chunk;

pub use assemble::{Assembled, assemble};
pub use chunk::ChunkEncoder;
