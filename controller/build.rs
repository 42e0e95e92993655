//! Rebuilds the crate when a migration or a template changes: they are compiled in.

fn main() {
    println!("cargo:rerun-if-changed=migrations");
    println!("cargo:rerun-if-changed=../templates");
}
