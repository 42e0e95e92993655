// Puts the list of each bin in order, for passes that don't do it themselves.

@group(0) @binding(1) var<storage, read_write> bins: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= params.planes.x * params.planes.y {
        return;
    }
    let count = bins[id.x];
    if count > params.planes.z {
        return;
    }
    let first = first_listed(id.x);
    for (var sorted = 1u; sorted < count; sorted++) {
        let index = bins[first + sorted];
        var entry = first + sorted;
        while entry > first && bins[entry - 1u] > index {
            bins[entry] = bins[entry - 1u];
            entry--;
        }
        bins[entry] = index;
    }
}
