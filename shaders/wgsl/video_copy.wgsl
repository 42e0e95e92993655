// Puts an opaque planar 4:2:0 picture that lies on whole pixels onto the target, texel for pixel.
// Chroma is repeated, so that converting back to 4:2:0 gives the source's own samples.

@group(0) @binding(2) var<storage, read> source: array<u32>;

fn put(index: u32, luma: vec4f, cb: vec2f, cr: vec2f) {
    pixels[index] = pack4x8unorm(vec4f(to_rgb(luma.x, cb.x, cr.x), 1.0));
    pixels[index + 1u] = pack4x8unorm(vec4f(to_rgb(luma.y, cb.x, cr.x), 1.0));
    pixels[index + 2u] = pack4x8unorm(vec4f(to_rgb(luma.z, cb.y, cr.y), 1.0));
    pixels[index + 3u] = pack4x8unorm(vec4f(to_rgb(luma.w, cb.y, cr.y), 1.0));
}

// The area is made of whole blocks of 8 × 2 pixels, and so is the shift between target and source.
@compute @workgroup_size(16, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = params.area.x + i32(id.x) * 8;
    let y = params.area.y + i32(id.y) * 2;
    if x >= params.area.z || y >= params.area.w {
        return;
    }
    let sx = u32(x + i32(params.shifts.x));
    let sy = u32(y + i32(params.shifts.y));
    let chroma = (sy / 2u) * params.strides.w + sx / 8u;
    let cb = unpack4x8unorm(source[params.planes.x + chroma]);
    let cr = unpack4x8unorm(source[params.planes.y + chroma]);
    let upper = params.planes.w + sy * params.strides.z + sx / 4u;
    let lower = upper + params.strides.z;
    let index = target_index(x, y);
    let below = index + params.strides.x;
    put(index, unpack4x8unorm(source[upper]), cb.xy, cr.xy);
    put(index + 4u, unpack4x8unorm(source[upper + 1u]), cb.zw, cr.zw);
    put(below, unpack4x8unorm(source[lower]), cb.xy, cr.xy);
    put(below + 4u, unpack4x8unorm(source[lower + 1u]), cb.zw, cr.zw);
}
