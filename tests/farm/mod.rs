//! `TestFarm`: real roles as processes, in a temporary folder, on free loopback ports.

mod api;
pub(crate) mod audit;
mod build;
pub(crate) mod command;
pub(crate) mod media;
mod postgres;
mod process;
pub(crate) mod scene;
pub(crate) mod video;

pub(crate) use api::Finished;
pub(crate) use build::TestFarm;
pub(crate) use process::Process;
