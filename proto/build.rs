//! Compiles the contracts with protox, so that no `protoc` is needed to build.

use std::path::Path;

const FILES: [&str; 11] = [
    "kinora/v1/problem.proto",
    "kinora/v1/accounts.proto",
    "kinora/v1/renders.proto",
    "kinora/v1/farm.proto",
    "kinora/v1/objects.proto",
    "kinora/v1/variables.proto",
    "kinora/v1/projects.proto",
    "kinora/v1/templates.proto",
    "kinora/v1/webhooks.proto",
    "kinora/v1/uploads.proto",
    "kinora/v1/previews.proto",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for file in FILES {
        println!("cargo:rerun-if-changed={file}");
    }
    let descriptors = protox::compile(FILES, [Path::new(".")])?;
    tonic_prost_build::configure()
        .bytes(".")
        .compile_fds(descriptors)?;
    Ok(())
}
