// Marks, from the first to the last. A workgroup that works together puts lists in order itself, and holds marks where all
// of it can reach them; invocations that work alone find lists in order.

// Marks; then what they refer to.
@group(0) @binding(2) var<storage, read> marks: array<vec4f>;

// Room of the longest list.
const LONGEST: u32 = 128u;
// Marks that a workgroup holds at once: a vector for most invocations.
const AT_HAND: u32 = 12u;

var<workgroup> listed: array<u32, LONGEST>;
var<workgroup> ordered: array<u32, LONGEST>;
var<workgroup> at_hand: array<vec4f, AT_HAND * MARK_VECTORS>;

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
    add_met_alone(place, p);
}

fn show(x: i32, y: i32, corner: vec2i) {
    if any(max(max(sum.a, sum.b), max(sum.c, sum.d)) > vec4f(0.0)) {
        lay(Four(seen_of(sum.a), seen_of(sum.b), seen_of(sum.c), seen_of(sum.d)), x, y, corner);
    }
}
