// A drop of rain: a streak from -1 (tail) to 1 (head) along y.

// High bins: a streak that falls touches few of them, and misses few of their pixels.
const BIN: vec2f = vec2f(8.0, 32.0);
const SPECK_VECTORS: u32 = 2u;
// How much of the ink adds to what is below instead of covering it.
const LIGHT: f32 = 0.35;
// The most that is packed of its depth, and of how far inside its sides the middle is.
const MOST: vec2f = vec2f(32768.0, 2.0);
// Where its head begins to fade.
const HEAD: f32 = 0.9;

struct Speck {
    // Its middle in pixels of the target; how deep its ink is at most and how far inside its sides the middle is, in its units across,
    // packed; how sharp its head is.
    place: vec4f,
    // From pixels about its middle to its own units. Across, one of them is what fades at the sides.
    map: vec4f,
}

fn speck_of(mark: Mark) -> Speck {
    let depth = depth_of((1.0 - LIGHT) * mark.color.a);
    let across = mark.look.y;
    let packed = bitcast<f32>(pack2x16unorm(vec2f(depth, mark.look.x) / MOST));
    return Speck(vec4f(mark.place.xy, packed, mark.look.z), mark.map * vec4f(across, 1.0, across, 1.0));
}

// How deep its ink is at most, and how far inside its sides the middle is.
fn core_of(streak: Speck) -> vec2f {
    return MOST * unpack2x16unorm(bitcast<u32>(streak.place.z));
}

// How far it may reach in its own units.
fn extent(streak: Speck) -> vec2f {
    return vec2f(core_of(streak).y, max(1.0, HEAD + 1.0 / streak.place.w));
}
