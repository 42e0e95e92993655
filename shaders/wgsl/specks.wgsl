// Specks of one ink, whose order does not matter: how deep they are together is added up in whole numbers, so that the same
// comes of it however they lie on their shelf. A workgroup that works together holds specks where all of it can reach them.

// All specks; then shelves.
@group(0) @binding(2) var<storage, read> specks: array<vec4f>;

// To this, small numbers are added as whole ones.
const ROUNDING: f32 = 12582912.0;
const ROUNDING_BITS: i32 = 0x4b400000;

var<workgroup> at_hand: array<vec4f, IN_FRONT * SPECK_VECTORS>;

// How deep the ink is in each of four pixels.
var<private> depth: vec4i;

fn seen(color: vec4f) -> vec4f {
    if LIGHT == 0.0 {
        return color;
    }
    return lit(color);
}

// What is seen of ink that covers so much. Light of many specks is not brighter than white.
fn inked(covered: f32) -> vec4f {
    let ink = vec4f(params.color.rgb / (1.0 - LIGHT), 1.0);
    if LIGHT == 0.0 {
        return ink * (covered * params.box_size.z);
    }
    return min(ink * covered, vec4f(1.0)) * params.box_size.z;
}

fn whole_depths(speck: Speck, p: vec2f) -> vec4i {
    return bitcast<vec4i>(depths(speck, p) + ROUNDING) - ROUNDING_BITS;
}

fn add(speck: Speck, p: vec2f) {
    depth += whole_depths(speck, p);
}

// Fetches as many specks as there are in front: a vector for each invocation at most.
fn hold(first: u32, own: u32) {
    if own < min(IN_FRONT, params.planes.z) * SPECK_VECTORS {
        at_hand[own] = specks[first + own];
    }
}

fn add_held(count: u32, p: vec2f) {
    var number = 0u;
    // In pairs: while one is fetched, the other is worked on.
    for (; number + 1u < count; number += 2u) {
        depth += whole_depths(held(number), p) + whole_depths(held(number + 1u), p);
    }
    if number < count {
        add(held(number), p);
    }
}

fn touches(index: u32, bin: vec2u) -> bool {
    let speck = kept(index * SPECK_VECTORS);
    let offset = vec2f(params.luma.xy) + (vec2f(bin) + 0.5) * BIN - speck.place.xy;
    let at = vec2f(dot(speck.map.xz, offset), dot(speck.map.yw, offset));
    return all(abs(at) <= extent(speck) + 0.5 * (abs(speck.map.xy) * BIN.x + abs(speck.map.zw) * BIN.y));
}

fn add_numbered(index: u32, p: vec2f) {
    add(kept(index * SPECK_VECTORS), p);
}

// Adds the specks of a bin by a whole workgroup.
fn add_together(place: vec2u, own: u32, p: vec2f) {
    let bin = place.y * params.planes.x + place.x;
    // Before it is known how many there are: one wait is enough for both.
    hold(shelved(bin, 0u), own);
    if own == INVOCATIONS - 1u {
        came = atomicExchange(&bins[bin], 0u);
    }
    let count = workgroupUniformLoad(&came);
    if count > params.planes.z {
        add_met(place, own, p);
        return;
    }
    add_held(min(count, IN_FRONT), p);
    for (var done = IN_FRONT; done < count; done += IN_FRONT) {
        workgroupBarrier();
        hold(shelved(bin, done), own);
        workgroupBarrier();
        add_held(min(count - done, IN_FRONT), p);
    }
}

// Adds the specks of a bin by each invocation for itself.
fn add_alone(place: vec2u, p: vec2f) {
    let bin = place.y * params.planes.x + place.x;
    let count = atomicLoad(&bins[bin]);
    if count <= params.planes.z {
        for (var entry = 0u; entry < count; entry++) {
            add(kept(shelved(bin, entry)), p);
        }
        return;
    }
    add_met_alone(place, p);
}

fn show(x: i32, y: i32, corner: vec2i) {
    if any(depth != vec4i(0)) {
        let covered = 1.0 - exp2(vec4f(depth) * (-1.0 / DEPTHS));
        lay(Four(inked(covered.x), inked(covered.y), inked(covered.z), inked(covered.w)), x, y, corner);
    }
}
