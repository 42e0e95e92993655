// From R'G'B' to an encoder's frame: 4:2:0, BT.709, limited range, in whole numbers. By the variant: 4 puts
// both chromas in one plane, in turns.

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

// Writes a block of 8 × 2 pixels: four words of luma, two of chroma.
fn put_luma(x: u32, y: u32, luma: vec4u) {
    let row = y * params.frame.x + x / 4u;
    pixels[row] = luma.x;
    pixels[row + 1u] = luma.y;
    pixels[row + params.frame.x] = luma.z;
    pixels[row + params.frame.x + 1u] = luma.w;
}

fn put_chroma(x: u32, y: u32, p: vec2u, q: vec2u, r: vec2u, s: vec2u) {
    if (variant & 4u) == 0u {
        let at = y / 2u * params.frame.y + x / 8u;
        pixels[params.frame.z + at] = join(cb(p), cb(q), cb(r), cb(s));
        pixels[params.frame.w + at] = join(cr(p), cr(q), cr(r), cr(s));
    } else {
        let at = params.frame.z + y / 2u * params.frame.y + x / 4u;
        pixels[at] = join(cb(p), cr(p), cb(q), cr(q));
        pixels[at + 1u] = join(cb(r), cr(r), cb(s), cr(s));
    }
}
