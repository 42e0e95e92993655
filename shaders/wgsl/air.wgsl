// Particles in the air of a box, each made from its number and the time alone. `cell.w` says how many whole seconds
// went by, `box_size` the sides of the box, the size of a particle and the part of a second that went by on
// top, `to_source` and `shifts` lead from the box to the target. `color` is the colour; `window` says whether
// somebody chose it (1 or 0), how far gusts carry, and the speed.

const TAU: f32 = 6.2831853;
// Parts of a turn that movements are counted in.
const PARTS: f32 = 16777216.0;

var<private> chance: u32;

fn scattered(number: u32) -> u32 {
    let state = number * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

// From here on, the chance of one thing among many of its kind.
fn take_chance(kind: u32, index: u32) {
    chance = scattered(scattered(kind) ^ index);
}

// From 0 to 1.
fn share() -> f32 {
    chance += 0x9e3779b9u;
    return f32(scattered(chance) >> 8u) / PARTS;
}

fn between(low: f32, high: f32) -> f32 {
    return low + (high - low) * share();
}

// How many turns a movement of so many turns in a second has made, less some whole ones. Whole seconds are counted in
// integers: after hours it is as smooth as at first.
fn turns(rate: f32) -> f32 {
    let parts = u32(round(abs(rate) * PARTS));
    let whole = f32((parts * params.cell.w) & 0xffffffu);
    return sign(rate) * (whole + f32(parts) * params.box_size.w) / PARTS;
}

// A wave of so many radians in a second.
fn swing(pace: f32, phase: f32) -> f32 {
    return sin(TAU * (turns(pace / TAU) + phase));
}

// A place on a way of so many rounds that begins again where it ended, out of sight: so far beyond both
// ends of a side.
fn around(rounds: f32, side: f32, beyond: f32) -> f32 {
    return fract(rounds) * (side + 2.0 * beyond) - beyond;
}

// So many pixels as rounds of such a way.
fn rounds_of(pixels: f32, side: f32, beyond: f32) -> f32 {
    return pixels / (side + 2.0 * beyond);
}

// How large a pixel of the box is on the target.
fn magnified() -> f32 {
    let m = params.to_source;
    return sqrt(abs(m.x * m.w - m.y * m.z));
}

fn short_side() -> f32 {
    return min(params.box_size.x, params.box_size.y);
}

// How near a particle is, 0 to 1: those that are painted later are nearer.
fn nearness(index: u32) -> f32 {
    return (f32(index) + 0.5) / f32(params.planes.w);
}

fn to_fourth(x: f32) -> f32 {
    return x * x * x * x;
}

fn is_chosen() -> bool {
    return params.window.x > 0.5;
}

// A particle as a mark. Its own units lead to the box by a step across and one down; it covers as many of them to each
// side as `reach` says.
fn particle(middle: vec2f, across: vec2f, down: vec2f, reach: vec2f, color: vec4f, look: vec4f) -> Mark {
    let m = params.to_source;
    let right = m.xy * across.x + m.zw * across.y;
    let below = m.xy * down.x + m.zw * down.y;
    let area = right.x * below.y - right.y * below.x;
    let map = vec4f(below.y, -right.y, -below.x, right.x) / area;
    return Mark(
        vec4f(to_source(middle.x, middle.y), 0.0, 0.0),
        map,
        // What has no area is not seen.
        vec4f(color.rgb, select(0.0, color.a, abs(area) > 1e-9)),
        look,
        vec4f(0.0, 0.0, reach + footprint(map)),
    );
}

fn take(index: u32, sharer: u32) {
    let mark = made(index);
    if sharer == 0u {
        keep(index, mark);
    }
    enlist(index, mark, sharer);
}
