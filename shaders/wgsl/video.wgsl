// Blends a planar 4:2:0 picture under any affine map, clipped to a rounded box.

@group(0) @binding(2) var<storage, read> source: array<u32>;

fn byte(base: u32, stride: u32, x: f32, y: f32) -> f32 {
    let column = u32(x);
    let word = source[base + u32(y) * stride + column / 4u];
    return f32((word >> ((column & 3u) * 8u)) & 255u) / 255.0;
}

fn sample_plane(base: u32, stride: u32, p: vec2f, first: vec2f, last: vec2f) -> f32 {
    let at = p - 0.5;
    let low = floor(at);
    let part = at - low;
    let a = clamp(low, first, last);
    let b = clamp(low + 1.0, first, last);
    let top = mix(byte(base, stride, a.x, a.y), byte(base, stride, b.x, a.y), part.x);
    let bottom = mix(byte(base, stride, a.x, b.y), byte(base, stride, b.x, b.y), part.x);
    return mix(top, bottom, part.y);
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
    let first = floor(params.window.xy);
    let last = max(ceil(params.window.zw) - 1.0, first);
    let luma = sample_plane(params.planes.w, params.strides.z, at, first, last);
    // Chroma samples sit between two rows, and on the left one of two columns.
    let chroma_at = vec2f(at.x * 0.5 + 0.25, at.y * 0.5);
    let chroma_first = floor(first * 0.5);
    let chroma_last = floor(last * 0.5);
    let cb = sample_plane(params.planes.x, params.strides.w, chroma_at, chroma_first, chroma_last);
    let cr = sample_plane(params.planes.y, params.strides.w, chroma_at, chroma_first, chroma_last);
    let window = edge_coverage(at, params.window.xy, params.window.zw, footprint(params.to_source));
    let coverage = box_coverage(to_box(cx, cy)) * window * params.box_size.z;
    blend(x, y, vec4f(to_rgb(luma, cb, cr), 1.0) * coverage);
}
