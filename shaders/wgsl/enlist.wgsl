// Puts marks into the bins that they touch.

@group(0) @binding(1) var<storage, read_write> marks: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>>;

// Invocations that share the bins of a mark: each entry waits for its place in a list.
const SHARERS: u32 = 8u;

fn enlist(index: u32, mark: Mark, sharer: u32) {
    let there = whereabouts(mark);
    let across = there.high.x - there.low.x;
    let all = across * (there.high.y - there.low.y);
    for (var number = sharer; number < all; number += SHARERS) {
        let place = there.low + vec2u(number % across, number / across);
        if !is_met(mark, there, place) {
            continue;
        }
        let bin = place.y * params.planes.x + place.x;
        let entry = atomicAdd(&bins[bin], 1u);
        if entry < params.planes.z {
            put(bin, entry, index, mark);
        }
    }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let index = id.x / SHARERS;
    if index < params.planes.w {
        take(index, id.x % SHARERS);
    }
}
