// Bins with lists of marks.

const BIN: vec2f = vec2f(16.0, 16.0);

// Where the list of a bin begins.
fn first_listed(bin: u32) -> u32 {
    return u32(params.luma.z) + bin * params.planes.z;
}
