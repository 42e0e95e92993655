// Blends a sprite under any affine map, clipped to a rounded box: bilinear between texels, edges
// antialiased by coverage. Variant 1 goes from texel to texel in steps.

@group(0) @binding(2) var<storage, read> source: array<u32>;

fn texel(p: vec2f) -> vec4f {
    let index = params.planes.w + u32(p.y) * params.strides.z + u32(p.x);
    return unpack4x8unorm(source[index]);
}

fn sample(p: vec2f) -> vec4f {
    let steps = f32(params.strides.y);
    let is_fine = variant == 0u;
    // What should lie on a step must not fall short of it by an error of rounding.
    let at = select(floor((p - 0.5) * steps + 0.01) / max(steps, 1.0), p - 0.5, is_fine);
    let low = floor(at);
    let part = at - low;
    let first = params.window.xy;
    let last = max(ceil(params.window.zw) - 1.0, first);
    let a = clamp(low, floor(first), last);
    let b = clamp(low + 1.0, floor(first), last);
    let top = mix(texel(a), texel(vec2f(b.x, a.y)), part.x);
    let bottom = mix(texel(vec2f(a.x, b.y)), texel(b), part.x);
    let color = mix(top, bottom, part.y);
    // In steps, browsers round down.
    return select(floor(color * 255.0 + 0.002) / 255.0, color, is_fine);
}

@compute @workgroup_size(32, 2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = params.area.x + i32(id.x);
    let y = params.area.y + i32(id.y);
    if x >= params.area.z || y >= params.area.w {
        return;
    }
    let cx = f32(x) + 0.5;
    let cy = f32(y) + 0.5;
    let at = to_source(cx, cy);
    let window = edge_coverage(at, params.window.xy, params.window.zw, footprint(params.to_source));
    let coverage = box_coverage(to_box(cx, cy)) * window;
    blend(x, y, sample(at) * (coverage * params.box_size.z));
}
