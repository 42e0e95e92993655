//! Compiles the contracts with protox, so that no `protoc` is needed to build.

use std::path::Path;

const FILES: [&str; 4] = [
    "kinora/v1/problem.proto",
    "kinora/v1/accounts.proto",
    "kinora/v1/renders.proto",
    "kinora/v1/farm.proto",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for file in FILES {
        println!("cargo:rerun-if-changed={file}");
    }
    let descriptors = protox::compile(FILES, [Path::new(".")])?;
    tonic_prost_build::configure()
        .bytes(".kinora.v1.CreateRenderRequest.body_json")
        .compile_fds(descriptors)?;
    Ok(())
}
