// Blends a sprite that lies on whole pixels: no resampling.

@group(0) @binding(2) var<storage, read> source: array<u32>;

fn blend_texel(at: u32, texel: u32, opacity: u32) {
    pixels[at] = over(pixels[at], scale_word(source[texel], opacity));
}

@compute @workgroup_size(16, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = params.area.x + i32(id.x) * 4;
    let y = params.area.y + i32(id.y);
    if y >= params.area.w || x >= params.area.z {
        return;
    }
    let at = target_index(x, y);
    let sx = u32(x + i32(params.shifts.x));
    let sy = u32(y + i32(params.shifts.y));
    let texel = params.planes.w + sy * params.strides.z + sx;
    let opacity = u32(params.box_size.z);
    // Beyond the area nothing is drawn.
    let last = params.area.z - 1;
    blend_texel(at, texel, opacity);
    blend_texel(at + 1u, texel + 1u, select(0u, opacity, x + 1 <= last));
    blend_texel(at + 2u, texel + 2u, select(0u, opacity, x + 2 <= last));
    blend_texel(at + 3u, texel + 3u, select(0u, opacity, x + 3 <= last));
}
