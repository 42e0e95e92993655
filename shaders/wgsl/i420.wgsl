// Converts the canvas to planar 4:2:0, BT.709, limited range: what the encoder takes.

@group(0) @binding(2) var<storage, read> source: array<u32>;

// The matrix of BT.709 and the limited range, in 65536ths.
fn luma(word: u32) -> u32 {
    let sum = (word & 255u) * 11966u + ((word >> 8u) & 255u) * 40254u + ((word >> 16u) & 255u) * 4064u;
    return (sum + (16u << 16u) + 32768u) >> 16u;
}

// Red and blue in the halves of the first word, green in the second: four of them add up without
// carrying over.
fn add(a: u32, b: u32, c: u32, d: u32) -> vec2u {
    let mask = 0x00ff00ffu;
    return vec2u(
        (a & mask) + (b & mask) + (c & mask) + (d & mask),
        ((a >> 8u) & 255u) + ((b >> 8u) & 255u) + ((c >> 8u) & 255u) + ((d >> 8u) & 255u),
    );
}

fn cb(sum: vec2u) -> u32 {
    let red = i32(sum.x & 0xffffu);
    let blue = i32(sum.x >> 16u);
    let green = i32(sum.y);
    return u32((blue * 28784 - red * 6596 - green * 22188 + (512 << 16) + (2 << 16)) >> 18u);
}

fn cr(sum: vec2u) -> u32 {
    let red = i32(sum.x & 0xffffu);
    let blue = i32(sum.x >> 16u);
    let green = i32(sum.y);
    return u32((red * 28784 - blue * 2639 - green * 26145 + (512 << 16) + (2 << 16)) >> 18u);
}

fn join(a: u32, b: u32, c: u32, d: u32) -> u32 {
    return a | (b << 8u) | (c << 16u) | (d << 24u);
}

@compute @workgroup_size(16, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = id.x * 8u;
    let y = id.y * 2u;
    if i32(x) >= params.area.z || i32(y) >= params.area.w {
        return;
    }
    let upper = y * params.strides.z + x;
    let lower = upper + params.strides.z;
    let a0 = source[upper];
    let a1 = source[upper + 1u];
    let a2 = source[upper + 2u];
    let a3 = source[upper + 3u];
    let a4 = source[upper + 4u];
    let a5 = source[upper + 5u];
    let a6 = source[upper + 6u];
    let a7 = source[upper + 7u];
    let b0 = source[lower];
    let b1 = source[lower + 1u];
    let b2 = source[lower + 2u];
    let b3 = source[lower + 3u];
    let b4 = source[lower + 4u];
    let b5 = source[lower + 5u];
    let b6 = source[lower + 6u];
    let b7 = source[lower + 7u];
    let row = y * params.strides.x + x / 4u;
    pixels[row] = join(luma(a0), luma(a1), luma(a2), luma(a3));
    pixels[row + 1u] = join(luma(a4), luma(a5), luma(a6), luma(a7));
    pixels[row + params.strides.x] = join(luma(b0), luma(b1), luma(b2), luma(b3));
    pixels[row + params.strides.x + 1u] = join(luma(b4), luma(b5), luma(b6), luma(b7));
    let p = add(a0, a1, b0, b1);
    let q = add(a2, a3, b2, b3);
    let r = add(a4, a5, b4, b5);
    let s = add(a6, a7, b6, b7);
    let chroma = id.y * params.strides.w + id.x;
    pixels[params.planes.x + chroma] = join(cb(p), cb(q), cb(r), cb(s));
    pixels[params.planes.y + chroma] = join(cr(p), cr(q), cr(r), cr(s));
}
