// Marks, from the first to the last: a workgroup blends those in its bin, and what comes of them goes onto the
// target once. Each invocation has four pixels in a row. `chroma` is the rectangle that may be written; bins begin where four
// pixels begin in memory.
//
// The first variant is for GPUs: it puts lists in order itself, holds marks where all of a workgroup can
// reach them, and empties bins. The second finds lists in order and leaves them as they are.

// Four pixels each; common.wgsl says how they lie.
@group(0) @binding(1) var<storage, read_write> pixels: array<vec4u>;
// Marks; then what they refer to.
@group(0) @binding(2) var<storage, read> marks: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> bins: array<atomic<u32>>;

const INVOCATIONS: u32 = 64u;
// Room of the longest list.
const LONGEST: u32 = 128u;
// Marks that a workgroup holds at once: a vector for most invocations.
const AT_HAND: u32 = 12u;

// What marks come to in each of four pixels.
struct Four {
    a: vec4f,
    b: vec4f,
    c: vec4f,
    d: vec4f,
}

var<workgroup> came: u32;
var<workgroup> listed: array<u32, LONGEST>;
var<workgroup> ordered: array<u32, LONGEST>;
var<workgroup> at_hand: array<vec4f, AT_HAND * MARK_VECTORS>;
var<workgroup> met: array<atomic<u32>, 2>;

var<private> sum: Four;

// Smoothly from 0 at one number to 1 at another, which may be the smaller one.
fn ramp(start: f32, end: f32, x: f32) -> f32 {
    let t = clamp((x - start) / (end - start), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

// A colour that covers; `light` of it adds to what is below instead.
fn shone(color: vec3f, alpha: f32, light: f32) -> vec4f {
    return vec4f(color * alpha, alpha * (1.0 - light));
}

// Where four pixels are in memory.
fn place_of(x: i32, y: i32) -> u32 {
    return (u32(y) * params.strides.x + u32(x)) / 4u;
}

fn laid_on(word: u32, sum: vec4f, x: i32, y: i32, is_inside: bool) -> u32 {
    if x < params.chroma.x || x >= params.chroma.z {
        return word;
    }
    var coverage = params.box_size.z;
    if !is_inside {
        let at = to_box(f32(x) + 0.5, f32(y) + 0.5);
        coverage *= edge_coverage(at, vec2f(0.0), params.box_size.xy, footprint(params.to_box));
    }
    let above = min(sum, vec4f(1.0)) * coverage;
    let color = min(above + unpack4x8unorm(word) * (1.0 - above.a), vec4f(1.0));
    // Light needs something to be seen on: where nothing was, it covers.
    let alpha = max(color.a, max(color.r, max(color.g, color.b)));
    return pack4x8unorm(vec4f(color.rgb, alpha));
}

fn lay(x: i32, y: i32, is_inside: bool) {
    let is_nothing = all(sum.a + sum.b + sum.c + sum.d == vec4f(0.0));
    if is_nothing || y < params.chroma.y || y >= params.chroma.w {
        return;
    }
    let place = place_of(x, y);
    let below = pixels[place];
    pixels[place] = vec4u(
        laid_on(below.x, sum.a, x, y, is_inside),
        laid_on(below.y, sum.b, x + 1, y, is_inside),
        laid_on(below.z, sum.c, x + 2, y, is_inside),
        laid_on(below.w, sum.d, x + 3, y, is_inside),
    );
}

// Whether a bin is so far inside the box that none of its pixels is cut.
fn is_bin_inside(corner: vec2f) -> bool {
    let middle = to_box(corner.x + 0.5 * BIN.x, corner.y + 0.5 * BIN.y);
    let m = params.to_box;
    let far = 0.5 * (abs(m.xy) * BIN.x + abs(m.zw) * BIN.y) + footprint(m);
    return all(middle >= far) && all(middle <= params.box_size.xy - far);
}

// Puts a mark over those before it, where `p` is the middle of the first pixel.
fn add(mark: Mark, p: vec2f) {
    let offset = p - mark.place.xy;
    let at = vec2f(dot(mark.map.xz, offset), dot(mark.map.yw, offset));
    let along = mark.map.xy;
    let measured = measure(mark, at, along);
    sum = Four(
        joined(sum.a, shade(mark, at, measured.x), mark),
        joined(sum.b, shade(mark, at + along, measured.y), mark),
        joined(sum.c, shade(mark, at + 2.0 * along, measured.z), mark),
        joined(sum.d, shade(mark, at + 3.0 * along, measured.w), mark),
    );
}

// Whether a mark touches none of four pixels.
fn is_missed(mark: Mark, p: vec2f) -> bool {
    let offset = p + vec2f(1.5, 0.0) - mark.place.xy;
    let at = vec2f(dot(mark.map.xz, offset), dot(mark.map.yw, offset));
    return any(abs(at - mark.reach.xy) > mark.reach.zw + 1.5 * abs(mark.map.xy));
}

fn add_at_hand(count: u32, p: vec2f) {
    for (var number = 0u; number < count; number++) {
        let k = number * MARK_VECTORS;
        let mark = Mark(at_hand[k], at_hand[k + 1u], at_hand[k + 2u], at_hand[k + 3u], at_hand[k + 4u]);
        if !is_missed(mark, p) {
            add(mark, p);
        }
    }
}

// How many marks of a list come before one.
fn rank(index: u32, count: u32) -> u32 {
    var before = 0u;
    for (var other = 0u; other < count; other++) {
        before += select(0u, 1u, listed[other] < index);
    }
    return before;
}

// Blends a few marks of a list.
fn add_few(count: u32, own: u32, p: vec2f) {
    for (var vector = own; vector < count * MARK_VECTORS; vector += INVOCATIONS) {
        let index = listed[vector / MARK_VECTORS];
        let part = vector % MARK_VECTORS;
        at_hand[rank(index, count) * MARK_VECTORS + part] = marks[index * MARK_VECTORS + part];
    }
    workgroupBarrier();
    add_at_hand(count, p);
}

// Blends many marks of a list.
fn add_many(first: u32, count: u32, own: u32, p: vec2f) {
    for (var entry = own + INVOCATIONS; entry < count; entry += INVOCATIONS) {
        listed[entry] = atomicLoad(&bins[first + entry]);
    }
    workgroupBarrier();
    for (var entry = own; entry < count; entry += INVOCATIONS) {
        let index = listed[entry];
        ordered[rank(index, count)] = index;
    }
    workgroupBarrier();
    for (var done = 0u; done < count; done += AT_HAND) {
        let next = min(count - done, AT_HAND);
        for (var vector = own; vector < next * MARK_VECTORS; vector += INVOCATIONS) {
            let index = ordered[done + vector / MARK_VECTORS];
            at_hand[vector] = marks[index * MARK_VECTORS + vector % MARK_VECTORS];
        }
        workgroupBarrier();
        add_at_hand(next, p);
        workgroupBarrier();
    }
}

// Blends those of all marks that touch a bin.
fn add_met(bin: vec2u, own: u32, p: vec2f) {
    for (var first = 0u; first < params.planes.w; first += INVOCATIONS) {
        if own < 2u {
            atomicStore(&met[own], 0u);
        }
        workgroupBarrier();
        let index = first + own;
        if index < params.planes.w {
            let mark = mark_at(index);
            let there = whereabouts(mark);
            if all(bin >= there.low) && all(bin < there.high) && is_met(mark, there, bin) {
                atomicOr(&met[own / 32u], 1u << (own % 32u));
            }
        }
        workgroupBarrier();
        for (var word = 0u; word < 2u; word++) {
            var bits = atomicLoad(&met[word]);
            while bits != 0u {
                add(mark_at(first + word * 32u + firstTrailingBit(bits)), p);
                bits &= bits - 1u;
            }
        }
        workgroupBarrier();
    }
}

fn mark_at(index: u32) -> Mark {
    let k = index * MARK_VECTORS;
    return Mark(marks[k], marks[k + 1u], marks[k + 2u], marks[k + 3u], marks[k + 4u]);
}

// Blends the marks of a bin by a whole workgroup.
fn add_together(place: vec2u, own: u32, p: vec2f) {
    let bin = place.y * params.planes.x + place.x;
    let first = first_listed(bin);
    // Before it is known how many there are: one wait is enough for both.
    if own < params.planes.z {
        listed[own] = atomicLoad(&bins[first + own]);
    }
    if own == 0u {
        came = atomicExchange(&bins[bin], 0u);
    }
    let count = workgroupUniformLoad(&came);
    if count == 0u {
        return;
    }
    if count <= AT_HAND && count <= params.planes.z {
        add_few(count, own, p);
    } else if count <= params.planes.z {
        add_many(first, count, own, p);
    } else {
        add_met(place, own, p);
    }
}

// Blends the marks of a bin by each invocation for itself.
fn add_alone(place: vec2u, p: vec2f) {
    let bin = place.y * params.planes.x + place.x;
    let count = atomicLoad(&bins[bin]);
    if count <= params.planes.z {
        let first = first_listed(bin);
        for (var entry = first; entry < first + count; entry++) {
            add(mark_at(atomicLoad(&bins[entry])), p);
        }
        return;
    }
    for (var index = 0u; index < params.planes.w; index++) {
        let mark = mark_at(index);
        let there = whereabouts(mark);
        if all(place >= there.low) && all(place < there.high) && is_met(mark, there, place) {
            add(mark, p);
        }
    }
}

@compute @workgroup_size(4, 16)
fn main(
    @builtin(local_invocation_id) id: vec3u,
    @builtin(workgroup_id) group: vec3u,
    @builtin(local_invocation_index) own: u32,
) {
    // Bins begin where the marks do, of which only a part may be drawn.
    let place = vec2u(params.area.xy - params.luma.xy) / vec2u(BIN) + group.xy;
    let corner = params.luma.xy + vec2i(place) * vec2i(BIN);
    let x = corner.x + 4 * i32(id.x);
    let y = corner.y + i32(id.y);
    let p = vec2f(f32(x) + 0.5, f32(y) + 0.5);
    if variant == 0u {
        add_together(place, own, p);
    } else {
        add_alone(place, p);
    }
    let is_inside = is_bin_inside(vec2f(corner));
    lay(x, y, is_inside);
}
