// How much ink a speck leaves in a pixel: what passes through a stack of specks halves with each unit of their depths together, in
// whichever order they lie.

// Whole numbers for each such unit.
const DEPTHS: f32 = 4096.0;

// A depth that changes a byte of a pixel by less than half.
const FAINTEST: f32 = 8.0;

// How deep the ink is that covers so much.
fn depth_of(alpha: f32) -> f32 {
    return -DEPTHS * log2(max(1.0 - alpha, 1.0 / 256.0));
}

// Specks at the front of a shelf.
const IN_FRONT: u32 = 12u;

// Where an entry is on the shelf of a bin. All fronts lie together, and what is behind them further back: with what is seldom
// used between them, they would be slow to read.
fn shelved(bin: u32, entry: u32) -> u32 {
    let front = min(params.planes.z, IN_FRONT);
    let bins = params.planes.x * params.planes.y;
    let behind = bins * front + bin * (params.planes.z - front) + entry - front;
    return u32(params.luma.z) + select(behind, bin * front + entry, entry < front) * SPECK_VECTORS;
}
