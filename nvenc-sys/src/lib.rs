//! Raw NVENC bindings, loaded at run time: no NVIDIA file is needed to build or to start.
//!
//! [`Library::load`] opens the driver's libraries or says why it could not; [`Library::open_session`]
//! asks a GPU for an encoder. Machines without NVIDIA hardware, and data-centre GPUs without an
//! encoder, are normal cases and come back as a readable error.
#![expect(
    unsafe_code,
    reason = "this crate is the boundary to the driver's C interface"
)]

pub mod abi;
mod library;
mod session;

pub use library::{Library, LoadError, Version};
pub use session::{Session, SessionError};
