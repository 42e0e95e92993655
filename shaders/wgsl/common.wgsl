// What passes that write pixels share: how these lie in memory.
//
// A sprite is a storage buffer of RGBA8 words, alpha premultiplied, sRGB-encoded, rows padded to
// `stride` words with at least three transparent pixels, so that passes may work on four at a time. Storage buffers rather than textures: software adapters read them several times
// faster, and no pass needs more than its one source.

@group(0) @binding(1) var<storage, read_write> pixels: array<u32>;

fn target_index(x: i32, y: i32) -> u32 {
    return u32(y) * params.strides.x + u32(x);
}

// Each channel of a word times `factor` / 255, rounded; two channels at a time, since a product of
// two bytes fits in half a word.
fn scale_word(word: u32, factor: u32) -> u32 {
    let even = (word & 0x00ff00ffu) * factor + 0x00800080u;
    let odd = ((word >> 8u) & 0x00ff00ffu) * factor + 0x00800080u;
    let low = ((even + ((even >> 8u) & 0x00ff00ffu)) >> 8u) & 0x00ff00ffu;
    let high = (odd + ((odd >> 8u) & 0x00ff00ffu)) & 0xff00ff00u;
    return low | high;
}

// Source-over with premultiplied alpha: in whole numbers, so that every adapter agrees on every bit.
fn over(below: u32, above: u32) -> u32 {
    return above + scale_word(below, 255u - (above >> 24u));
}

fn blend(x: i32, y: i32, color: vec4f) {
    let index = target_index(x, y);
    pixels[index] = over(pixels[index], pack4x8unorm(color));
}

fn corner_coverage(p: vec2f, center: vec2f, radius: vec2f, toward: vec2f, pixel: vec2f) -> f32 {
    let offset = (p - center) * toward;
    let safe = max(radius, vec2f(1e-3));
    let q = offset / safe;
    let length_q = max(length(q), 1e-6);
    // First-order distance to the ellipse, in pixels.
    let gradient = length(q / safe * pixel) / length_q;
    let coverage = clamp(0.5 - (length_q - 1.0) / max(gradient, 1e-6), 0.0, 1.0);
    let is_corner = offset.x > 0.0 && offset.y > 0.0 && radius.x > 0.0 && radius.y > 0.0;
    return select(1.0, coverage, is_corner);
}

// How much of the pixel whose centre maps to `p` lies in the rounded clip box.
fn box_coverage(p: vec2f) -> f32 {
    let size = params.box_size.xy;
    let pixel = footprint(params.to_box);
    let rx = params.radii_x;
    let ry = params.radii_y;
    var coverage = edge_coverage(p, vec2f(0.0), size, pixel);
    coverage = min(coverage, corner_coverage(p, vec2f(rx.x, ry.x), vec2f(rx.x, ry.x), vec2f(-1.0, -1.0), pixel));
    coverage = min(coverage, corner_coverage(p, vec2f(size.x - rx.y, ry.y), vec2f(rx.y, ry.y), vec2f(1.0, -1.0), pixel));
    coverage = min(coverage, corner_coverage(p, vec2f(size.x - rx.z, size.y - ry.z), vec2f(rx.z, ry.z), vec2f(1.0, 1.0), pixel));
    coverage = min(coverage, corner_coverage(p, vec2f(rx.w, size.y - ry.w), vec2f(rx.w, ry.w), vec2f(-1.0, 1.0), pixel));
    return coverage;
}

fn apply_function(color: vec3f, first: u32) -> vec3f {
    let before = vec4f(color, 1.0);
    let red = dot(params.functions[first], before);
    let green = dot(params.functions[first + 1u], before);
    let blue = dot(params.functions[first + 2u], before);
    return clamp(vec3f(red, green, blue), vec3f(0.0), vec3f(1.0));
}

// Applies as many colour functions as the variant's low bits say to a colour without alpha, as browsers do:
// what leaves the range of a byte is lost for the next.
fn apply_functions(color: vec3f) -> vec3f {
    var result = color;
    if (variant & 3u) > 0u {
        result = apply_function(result, 0u);
    }
    if (variant & 3u) > 1u {
        result = apply_function(result, 3u);
    }
    if (variant & 3u) > 2u {
        result = apply_function(result, 6u);
    }
    return result;
}
