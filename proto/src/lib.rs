//! gRPC contracts between gateway, controller and node.
//!
//! The `.proto` files in `kinora/v1` are the contracts; everything in [`v1`] is generated from
//! them. What goes wrong in a call travels as a [`v1::Problem`] inside a [`tonic::Status`]:
//! [`v1::Problem::into_status`] on the side that serves, [`v1::Problem::from_status`] on the
//! side that called. Who may call at all is the business of [`access`]; traces pass between roles as [`trace`] says.

/// The messages, clients and servers of version 1.
#[expect(
    missing_docs,
    unused_qualifications,
    clippy::all,
    clippy::allow_attributes_without_reason,
    reason = "generated code"
)]
pub mod v1 {
    tonic::include_proto!("kinora.v1");
}

pub mod access;
mod problem;
pub mod trace;
