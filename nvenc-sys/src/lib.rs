//! NVENC and the CUDA memory it reads, loaded at run time: no NVIDIA file is needed to build or to start.
//!
//! [`Cuda::load`] and [`Library::load`] open the driver's libraries or say why they could not. A
//! [`Context`] is one GPU; [`Context::import`] lets it see memory that another interface of the same
//! GPU exported. [`Encoder::open`] asks the GPU for an encoder, frames go in from the host or from
//! imported memory, packets come out. Machines without NVIDIA hardware, and data-centre GPUs
//! without an encoder, are normal cases and come back as a readable error. [`Nvml`] tells how much of a GPU's
//! memory is taken.
#![expect(
    unsafe_code,
    reason = "this crate is the boundary to the driver's C interface"
)]

mod abi;
mod cuda;
mod encoder;
mod error;
mod library;
mod nvml;
mod registry;
mod session;
mod settings;

pub use cuda::{Context, Cuda, ImportedMemory};
pub use encoder::{Encoder, Packet, Surface};
pub use error::{Error, LoadError};
pub use library::{Libraries, Library, Version};
pub use nvml::{Memory, Nvml};
pub use settings::{Codec, Settings};
