// Blends a sprite that lies on whole pixels: no resampling.

@group(0) @binding(2) var<storage, read> source: array<u32>;

fn texel(x: i32, y: i32) -> vec4f {
    let sx = u32(x + i32(params.shifts.x));
    let sy = u32(y + i32(params.shifts.y));
    return unpack4x8unorm(source[params.planes.w + sy * params.strides.z + sx]) * params.box_size.z;
}

@compute @workgroup_size(16, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = params.area.x + i32(id.x) * 4;
    let y = params.area.y + i32(id.y);
    if y >= params.area.w || x >= params.area.z {
        return;
    }
    blend(x, y, texel(x, y));
    if x + 1 < params.area.z {
        blend(x + 1, y, texel(x + 1, y));
    }
    if x + 2 < params.area.z {
        blend(x + 2, y, texel(x + 2, y));
    }
    if x + 3 < params.area.z {
        blend(x + 3, y, texel(x + 3, y));
    }
}
