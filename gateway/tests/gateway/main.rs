//! A real gateway on loopback, in front of a controller whose answers the tests decide.

mod api;
mod files;
mod support;
