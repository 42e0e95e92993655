//! The render node: leases in, MP4 files out.
//!
//! A composition flows in, as a file or inside a lease ([`worker`], [`TaskRunner`]). Its media are
//! fetched and decoded ([`media`]), each frame's plan is drawn on the device ([`layers`], [`gpu`],
//! [`text`]), encoded ([`encode`]) and written as a chunk ([`mux`]); chunks and the mixed sound
//! ([`audio`]) become the final file, which goes where the lease says ([`objects`]). The two types to know are [`Engine`], which does all of that
//! on one machine, and [`worker::run`], which does it for a farm.

pub mod audio;
pub mod encode;
mod engine;
mod error;
pub mod gpu;
pub mod layers;
pub mod media;
pub mod mux;
pub mod objects;
mod options;
mod pace;
mod patience;
mod pipeline;
mod raster;
mod stills;
mod task;
pub mod text;
pub mod worker;

pub use engine::{Engine, EngineConfig};
pub use error::{Context, Error, Result};
pub use options::RenderOptions;
pub use pace::{Pace, PayingTask, PayingWork};
pub use patience::Patience;
pub use pipeline::{FrameSink, RenderTimes};
pub use task::TaskRunner;
