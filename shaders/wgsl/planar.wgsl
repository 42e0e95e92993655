// Puts a planar 4:2:0 picture onto the target, texel for pixel.
// Chroma is repeated, so that converting back to 4:2:0 gives the source's own samples.

@group(0) @binding(2) var<storage, read> source: array<u32>;

// What two pixels in a row have in common: their chroma's share of red, green and blue, in 65536ths.
struct Tint {
    red: i32,
    green: i32,
    blue: i32,
}

fn byte(word: u32, index: u32) -> i32 {
    return i32((word >> (index * 8u)) & 255u);
}

fn tint(cb_word: u32, cr_word: u32, index: u32) -> Tint {
    let cb = byte(cb_word, index) - 128;
    let cr = byte(cr_word, index) - 128;
    let half = 32768;
    return Tint(
        params.chroma.x * cr + half,
        params.chroma.z * cb + params.chroma.w * cr + half,
        params.chroma.y * cb + half,
    );
}

fn color(luma: i32, tint: Tint) -> u32 {
    let grey = (luma - params.luma.x) * params.luma.y;
    let red = clamp((grey + tint.red) >> 16u, 0, 255);
    let green = clamp((grey + tint.green) >> 16u, 0, 255);
    let blue = clamp((grey + tint.blue) >> 16u, 0, 255);
    return u32(red) | (u32(green) << 8u) | (u32(blue) << 16u) | 0xff000000u;
}

fn put(at: u32, luma: u32, left: Tint, right: Tint) {
    pixels[at] = color(byte(luma, 0u), left);
    pixels[at + 1u] = color(byte(luma, 1u), left);
    pixels[at + 2u] = color(byte(luma, 2u), right);
    pixels[at + 3u] = color(byte(luma, 3u), right);
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
    let cb = source[params.planes.x + chroma];
    let cr = source[params.planes.y + chroma];
    let a = tint(cb, cr, 0u);
    let b = tint(cb, cr, 1u);
    let c = tint(cb, cr, 2u);
    let d = tint(cb, cr, 3u);
    let upper = params.planes.w + sy * params.strides.z + sx / 4u;
    let lower = upper + params.strides.z;
    let at = target_index(x, y);
    let below = at + params.strides.x;
    put(at, source[upper], a, b);
    put(at + 4u, source[upper + 1u], c, d);
    put(below, source[lower], a, b);
    put(below + 4u, source[lower + 1u], c, d);
}
