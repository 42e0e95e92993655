// Marks, from the first to the last. A workgroup that works together puts lists in order itself, and holds marks where all
// of it can reach them; invocations that work alone find lists in order.

// Marks; then what they refer to.
@group(0) @binding(2) var<storage, read> marks: array<vec4f>;

// Room of the longest list.
const LONGEST: u32 = 128u;
// Marks that a workgroup holds at once.
const AT_HAND: u32 = 16u;

var<workgroup> listed: array<u32, LONGEST>;
var<workgroup> ordered: array<u32, LONGEST>;
var<workgroup> at_hand: array<vec4f, AT_HAND * HELD_VECTORS>;

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

fn seen(color: vec4f) -> vec4f {
    return lit(color);
}

// What is seen of marks in a pixel.
fn seen_of(sum: vec4f) -> vec4f {
    return min(sum, vec4f(1.0)) * params.box_size.z;
}

// How many marks of a list come before one.
fn rank(index: u32, count: u32) -> u32 {
    var before = 0u;
    for (var other = 0u; other < count; other++) {
        before += select(0u, 1u, listed[other] < index);
    }
    return before;
}

fn add_at_hand(count: u32, p: vec2f, corner: vec2f) {
    workgroupBarrier();
    for (var slot = 0u; slot < count; slot++) {
        add_held(slot, p, corner);
    }
}

// Blends a few marks of a list.
fn add_few(count: u32, own: u32, p: vec2f, corner: vec2f) {
    if own < count {
        let index = listed[own];
        hold(rank(index, count), mark_at(index), corner);
    }
    add_at_hand(count, p, corner);
}

// Blends many marks of a list.
fn add_many(first: u32, count: u32, own: u32, p: vec2f, corner: vec2f) {
    for (var entry = own + INVOCATIONS; entry < count; entry += INVOCATIONS) {
        listed[entry] = atomicLoad(&bins[first + entry]);
    }
    workgroupBarrier();
    for (var entry = own; entry < count; entry += INVOCATIONS) {
        let index = listed[entry];
        ordered[rank(index, count)] = index;
    }
    for (var done = 0u; done < count; done += AT_HAND) {
        let next = min(count - done, AT_HAND);
        workgroupBarrier();
        if own < next {
            hold(own, mark_at(ordered[done + own]), corner);
        }
        add_at_hand(next, p, corner);
    }
}

fn touches(index: u32, bin: vec2u) -> bool {
    let mark = mark_at(index);
    let there = whereabouts(mark);
    return all(bin >= there.low) && all(bin < there.high) && is_met(mark, there, bin);
}

fn add_numbered(index: u32, p: vec2f) {
    add(mark_at(index), p);
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
    let corner = vec2f(params.luma.xy) + vec2f(place) * BIN;
    if count <= AT_HAND && count <= params.planes.z {
        add_few(count, own, p, corner);
    } else if count <= params.planes.z {
        add_many(first, count, own, p, corner);
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
    add_met_alone(place, p);
}

fn show(x: i32, y: i32, corner: vec2i) {
    if any(max(max(sum.a, sum.b), max(sum.c, sum.d)) > vec4f(0.0)) {
        lay(Four(seen_of(sum.a), seen_of(sum.b), seen_of(sum.c), seen_of(sum.d)), x, y, corner);
    }
}
