// A drop of rain: a streak from -1 (tail) to 1 (head) along y.

const SPECK_VECTORS: u32 = 3u;
// How much of the ink adds to what is below instead of covering it.
const LIGHT: f32 = 0.35;

struct Speck {
    // Its middle in pixels of the target; how deep its ink is at most; how far inside its sides the middle is, in its units across.
    place: vec4f,
    // From pixels about its middle to its own units. Across, one of them is what fades at the sides.
    map: vec4f,
    // How far behind its head the middle is, as a share of what fades there, and how much of that a unit is; unused.
    head: vec4f,
}

fn speck_of(mark: Mark) -> Speck {
    let depth = depth_of((1.0 - LIGHT) * mark.color.a);
    let across = mark.look.y;
    return Speck(
        vec4f(mark.place.xy, depth, mark.look.x),
        mark.map * vec4f(across, 1.0, across, 1.0),
        vec4f(mark.look.zw, 0.0, 0.0),
    );
}

// How far it may reach in its own units.
fn extent(streak: Speck) -> vec2f {
    return vec2f(streak.place.w, max(1.0, streak.head.x / streak.head.y));
}

// How deep its ink is in four pixels, where `p` is the middle of the first.
fn depths(streak: Speck, p: vec2f) -> vec4f {
    let map = streak.map;
    let offset = p - streak.place.xy;
    let steps = vec4f(0.0, 1.0, 2.0, 3.0);
    let x = dot(map.xz, offset) + map.x * steps;
    let y = dot(map.yw, offset) + map.y * steps;
    let across = clamp(streak.place.w - abs(x), vec4f(0.0), vec4f(1.0));
    let along = clamp(0.5 * y + 0.5, vec4f(0.0), vec4f(1.0));
    let t = clamp(streak.head.x - streak.head.y * y, vec4f(0.0), vec4f(1.0));
    return streak.place.z * (across * along * along * (t * t * (3.0 - 2.0 * t)));
}
