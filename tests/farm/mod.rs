//! `TestFarm`: real roles as processes, in a temporary folder, on free loopback ports.

mod api;
pub(crate) mod audit;
pub(crate) mod browser;
mod build;
pub(crate) mod certificates;
pub(crate) mod collector;
pub(crate) mod command;
pub(crate) mod media;
pub(crate) mod postgres;
mod process;
mod receiver;
pub(crate) mod s3;
pub(crate) mod scene;
pub(crate) mod video;

pub(crate) use api::{Api, Finished};
pub(crate) use build::{TestFarm, new_key, role};
pub(crate) use process::Process;
pub(crate) use receiver::Receiver;
