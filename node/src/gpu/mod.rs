//! The device, pixels on it, and the passes that draw them.
//!
//! A [`Sprite`] is a picture in device memory. A [`Painter`] collects passes over sprites and
//! submits them as one piece of work. [`Readback`] brings finished frames to the host, or into memory
//! that an encoder on the same GPU reads ([`SharedFrame`]), while later ones are being drawn. A
//! [`Reducer`] makes frames smaller before they go anywhere. A device may be lost at any moment: then whoever waits
//! for it is told ([`Loss`]), and [`Gpu::try_out`] tells whether the next one is any good.

mod areas;
mod bins;
mod device;
mod effects;
mod export;
mod hole;
mod kernel;
mod loss;
mod marks;
mod memory;
mod painter;
mod perspective;
mod readback;
mod reduce;
mod shape;
mod shared;
mod sharing;
mod split;
mod sprite;
mod stopwatch;
mod submission;
mod swarm;
mod trial;

pub(crate) use areas::Area;
pub use device::Gpu;
pub use effects::{Beyond, ColorChange, ColorFunction, FUNCTIONS_IN_A_PASS, Key};
pub use kernel::Kernel;
pub use loss::Loss;
pub(crate) use marks::{Crowd, Dab, MarkBox, MarkBuffers, Marks};
pub use memory::GpuMemory;
pub use painter::{Clip, Painter, Placement, PlanarColors, YuvCoefficients};
pub use readback::{DrawnFrame, Readback};
pub use reduce::{Reducer, Reduction};
pub use shape::FrameShape;
pub use shared::SharedFrame;
pub use sharing::check_sharing;
pub(crate) use sprite::HostPlane;
pub use sprite::{PlanarSprite, Sprite};
pub(crate) use stopwatch::Stopwatch;
pub(crate) use swarm::Swarm;
