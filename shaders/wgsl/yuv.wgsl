// From Y'CbCr to R'G'B', by the coefficients of the source, in whole numbers.

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
    if (variant & 3u) == 0u {
        return u32(red) | (u32(green) << 8u) | (u32(blue) << 16u) | 0xff000000u;
    }
    let changed = apply_functions(vec3f(f32(red), f32(green), f32(blue)) / 255.0);
    return pack4x8unorm(vec4f(changed, 1.0));
}

// The words of one block of 8 × 2 pixels.
struct Block {
    cb: u32,
    cr: u32,
    // Luma of four pixels each: upper left, upper right, lower left, lower right.
    luma: vec4u,
}

fn block(x: i32, y: i32) -> Block {
    let sx = u32(x + i32(params.shifts.x));
    let sy = u32(y + i32(params.shifts.y));
    let chroma = (sy / 2u) * params.strides.w + sx / 8u;
    let upper = params.planes.w + sy * params.strides.z + sx / 4u;
    let lower = upper + params.strides.z;
    return Block(
        source[params.planes.x + chroma],
        source[params.planes.y + chroma],
        vec4u(source[upper], source[upper + 1u], source[lower], source[lower + 1u]),
    );
}
