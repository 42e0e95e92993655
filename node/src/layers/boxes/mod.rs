//! The parts that boxes are painted of.

pub(super) mod background;
pub(super) mod border;
mod dashes;
pub(super) mod gradient;
pub(super) mod model;
pub(super) mod outline;
pub(super) mod shadow;
#[cfg(test)]
mod tests;
