// A flake of snow: a soft disc.

const BIN: vec2f = vec2f(16.0, 16.0);
const SPECK_VECTORS: u32 = 2u;
// How much of the ink adds to what is below instead of covering it.
const LIGHT: f32 = 0.0;

struct Speck {
    // Its middle in pixels of the target; how deep its ink is there; how far inside its edge that is, in squares of its units.
    place: vec4f,
    // From pixels about its middle to its own units: within one square unit of the edge it grows to its full depth.
    map: vec4f,
}

fn speck_of(mark: Mark) -> Speck {
    return Speck(vec4f(mark.place.xy, mark.look.z, mark.look.x), mark.look.y * mark.map);
}

// How far it may reach in its own units.
fn extent(flake: Speck) -> vec2f {
    return vec2f(sqrt(flake.place.w));
}

// How deep its ink is in four pixels, where `p` is the middle of the first.
fn depths(flake: Speck, p: vec2f) -> vec4f {
    let map = flake.map;
    let offset = p - flake.place.xy;
    let at = vec2f(dot(map.xz, offset), dot(map.yw, offset));
    // From pixel to pixel, squares of distances grow evenly more quickly.
    let inside = flake.place.w - dot(at, at);
    let less = -2.0 * dot(at, map.xy);
    let ever = -dot(map.xy, map.xy);
    let all = vec4f(inside, inside + (less + ever), fma(2.0, less, fma(4.0, ever, inside)), fma(3.0, less, fma(9.0, ever, inside)));
    let t = clamp(all, vec4f(0.0), vec4f(1.0));
    return flake.place.z * (t * t * t);
}
