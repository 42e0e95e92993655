// Leaves of a sprite what a mask of the same layout covers.

@group(0) @binding(2) var<storage, read> coverage: array<u32>;

fn keep(at: u32) {
    pixels[at] = scale_word(pixels[at], coverage[at] >> 24u);
}

@compute @workgroup_size(16, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = params.area.x + i32(id.x) * 4;
    let y = params.area.y + i32(id.y);
    if x >= params.area.z || y >= params.area.w {
        return;
    }
    // Beyond the area is padding.
    let at = target_index(x, y);
    keep(at);
    keep(at + 1u);
    keep(at + 2u);
    keep(at + 3u);
}
