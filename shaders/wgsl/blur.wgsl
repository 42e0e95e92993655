// One direction of a blur. `shifts.xy` leads from target pixels to source texels, `shifts.zw` is the
// step, (1, 0) or (0, 1); `window` is the source. Weights of the taps, from the middle outwards, are
// in `to_source`, `to_box`, `radii_x` and `radii_y`; the variant is twice the number of those after the
// first that are needed, and 1 more where the picture goes on mirrored.

@group(0) @binding(2) var<storage, read> source: array<u32>;

fn mirrored(at: i32, size: i32) -> i32 {
    let low = select(at, -1 - at, at < 0);
    let high = select(low, 2 * size - 1 - low, low >= size);
    return clamp(high, 0, size - 1);
}

fn texel(at: vec2i) -> vec4f {
    let size = vec2i(params.window.zw);
    if (variant & 1u) != 0u {
        let x = u32(mirrored(at.x, size.x));
        let y = u32(mirrored(at.y, size.y));
        return unpack4x8unorm(source[y * params.strides.z + x]);
    }
    let inside = clamp(at, vec2i(0), size - 1);
    let word = source[u32(inside.y) * params.strides.z + u32(inside.x)];
    return select(vec4f(0.0), unpack4x8unorm(word), all(inside == at));
}

fn pair(at: vec2i, step: vec2i, distance: i32) -> vec4f {
    return texel(at + step * distance) + texel(at - step * distance);
}

fn four(at: vec2i, step: vec2i, first: i32, weights: vec4f) -> vec4f {
    return pair(at, step, first) * weights.x
        + pair(at, step, first + 1) * weights.y
        + pair(at, step, first + 2) * weights.z
        + pair(at, step, first + 3) * weights.w;
}

@compute @workgroup_size(32, 2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = params.area.x + i32(id.x);
    let y = params.area.y + i32(id.y);
    if x >= params.area.z || y >= params.area.w {
        return;
    }
    let at = vec2i(x, y) + vec2i(params.shifts.xy);
    let step = vec2i(params.shifts.zw);
    let first = params.to_source;
    var sum = texel(at) * first.x
        + pair(at, step, 1) * first.y
        + pair(at, step, 2) * first.z
        + pair(at, step, 3) * first.w;
    if variant >= 2u {
        sum += four(at, step, 4, params.to_box);
    }
    if variant >= 4u {
        sum += four(at, step, 8, params.radii_x);
    }
    if variant >= 6u {
        sum += four(at, step, 12, params.radii_y);
    }
    pixels[target_index(x, y)] = pack4x8unorm(sum);
}
