// Makes a sprite the same as another of its layout.

@group(0) @binding(2) var<storage, read> source: array<u32>;

@compute @workgroup_size(16, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = params.area.x + i32(id.x) * 4;
    let y = params.area.y + i32(id.y);
    if y >= params.area.w || x >= params.area.z {
        return;
    }
    // Beyond the area is padding, the same in both.
    let at = target_index(x, y);
    pixels[at] = source[at];
    pixels[at + 1u] = source[at + 1u];
    pixels[at + 2u] = source[at + 2u];
    pixels[at + 3u] = source[at + 3u];
}
