// Blends an upright sprite over pixels that it covers whole: bilinear between texels, no edges. Bits of
// the variant: 1 goes from texel to texel in steps; 2 is opaque, so that nothing shows through; 4 is
// magnified, so that four pixels in a row lie between five texels; 8 is magnified so much that they lie
// between three.

@group(0) @binding(2) var<storage, read> source: array<u32>;

// Between two words, `weight` / 256 of the way.
fn mix_words(a: u32, b: u32, weight: u32) -> u32 {
    let rest = 256u - weight;
    let even = (a & 0x00ff00ffu) * rest + (b & 0x00ff00ffu) * weight + 0x00800080u;
    let odd = ((a >> 8u) & 0x00ff00ffu) * rest + ((b >> 8u) & 0x00ff00ffu) * weight + 0x00800080u;
    return ((even >> 8u) & 0x00ff00ffu) | (odd & 0xff00ff00u);
}

// A texel coordinate in 256ths: the two texels around it, and how far it is to the second.
struct Taps {
    first: u32,
    second: u32,
    weight: u32,
}

fn taps(at: f32, low: f32, high: f32) -> Taps {
    var position: i32;
    if (variant & 1u) == 0u {
        position = i32(round((at - 0.5) * 256.0));
    } else {
        // What should lie on a step must not fall short of it by an error of rounding.
        let steps = i32(params.strides.y);
        position = i32(floor((at - 0.5) * f32(steps) + 0.01)) * (256 / max(steps, 1));
    }
    let texel = position >> 8u;
    let first = clamp(texel, i32(low), i32(high));
    let second = clamp(texel + 1, i32(low), i32(high));
    return Taps(u32(first), u32(second), u32(position & 255));
}

// Between four words, in steps: rounded down once, as browsers do.
fn mix_in_steps(a: u32, b: u32, c: u32, d: u32, across: u32, down: u32) -> u32 {
    let ab = across / 16u;
    let cd = down / 16u;
    let weights = vec4u((16u - ab) * (16u - cd), ab * (16u - cd), (16u - ab) * cd, ab * cd);
    let mask = 0x00ff00ffu;
    let even = dot(vec4u(a & mask, b & mask, c & mask, d & mask), weights);
    let odd = dot(vec4u((a >> 8u) & mask, (b >> 8u) & mask, (c >> 8u) & mask, (d >> 8u) & mask), weights);
    return ((even >> 8u) & mask) | (odd & 0xff00ff00u);
}

fn taps_across(x: f32) -> Taps {
    return taps(
        params.to_source.x * x + params.shifts.x,
        floor(params.window.x),
        ceil(params.window.z) - 1.0,
    );
}

fn put(at: u32, texel: u32, opacity: u32) {
    if (variant & 2u) == 0u {
        pixels[at] = over(pixels[at], scale_word(texel, opacity));
    } else if opacity > 0u {
        pixels[at] = texel;
    }
}

fn blend_column(at: u32, x: f32, upper: u32, lower: u32, down: u32, opacity: u32) {
    let across = taps_across(x);
    let a = source[upper + across.first];
    let b = source[upper + across.second];
    let c = source[lower + across.first];
    let d = source[lower + across.second];
    var texel: u32;
    if (variant & 1u) == 0u {
        texel = mix_words(mix_words(a, b, across.weight), mix_words(c, d, across.weight), down);
    } else {
        texel = mix_in_steps(a, b, c, d, across.weight, down);
    }
    put(at, texel, opacity);
}

// Five columns of texels, each already between its two rows.
struct Columns {
    a: u32,
    b: u32,
    c: u32,
    d: u32,
    e: u32,
}

fn columns(x: f32, upper: u32, lower: u32, down: u32) -> Columns {
    let low = i32(floor(params.window.x));
    let high = i32(ceil(params.window.z)) - 1;
    let first = texel_of(x);
    let a = u32(clamp(first, low, high));
    let b = u32(clamp(first + 1, low, high));
    let c = u32(clamp(first + 2, low, high));
    var all = Columns(
        mix_words(source[upper + a], source[lower + a], down),
        mix_words(source[upper + b], source[lower + b], down),
        mix_words(source[upper + c], source[lower + c], down),
        0u,
        0u,
    );
    if (variant & 8u) == 0u {
        let d = u32(clamp(first + 3, low, high));
        let e = u32(clamp(first + 4, low, high));
        all.d = mix_words(source[upper + d], source[lower + d], down);
        all.e = mix_words(source[upper + e], source[lower + e], down);
    }
    return all;
}

// Where a pixel lies among texels across, in 256ths.
fn position_across(x: f32) -> i32 {
    return i32(round((params.to_source.x * x + params.shifts.x - 0.5) * 256.0));
}

fn texel_of(x: f32) -> i32 {
    return position_across(x) >> 8u;
}

// The `number`th of four pixels; its first texel is at most as many columns on as it is.
fn between_columns(all: Columns, first: i32, x: f32, number: i32) -> u32 {
    var index = number;
    if (variant & 8u) != 0u {
        index = min(number, 1);
    }
    let position = position_across(x);
    let way = (position >> 8u) - first;
    // Rounding may carry it onto the next texel: that is the whole way from the one before.
    let weight = select(u32(position & 255), 256u, way > index);
    let column = min(way, index);
    var left = all.a;
    var right = all.b;
    if index >= 1 {
        left = select(left, all.b, column == 1);
        right = select(right, all.c, column == 1);
    }
    if index >= 2 {
        left = select(left, all.c, column == 2);
        right = select(right, all.d, column == 2);
    }
    if index >= 3 {
        left = select(left, all.d, column == 3);
        right = select(right, all.e, column == 3);
    }
    return mix_words(left, right, weight);
}

@compute @workgroup_size(16, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = params.area.x + i32(id.x) * 4;
    let y = params.area.y + i32(id.y);
    if x >= params.area.z || y >= params.area.w {
        return;
    }
    let down = taps(
        params.to_source.w * (f32(y) + 0.5) + params.shifts.y,
        floor(params.window.y),
        ceil(params.window.w) - 1.0,
    );
    let upper = params.planes.w + down.first * params.strides.z;
    let lower = params.planes.w + down.second * params.strides.z;
    let opacity = u32(round(params.box_size.z * 255.0));
    let at = target_index(x, y);
    let cx = f32(x) + 0.5;
    // Beyond the area nothing is drawn.
    let last = params.area.z - 1;
    let second = select(0u, opacity, x + 1 <= last);
    let third = select(0u, opacity, x + 2 <= last);
    let fourth = select(0u, opacity, x + 3 <= last);
    if (variant & 4u) != 0u {
        let all = columns(cx, upper, lower, down.weight);
        let first = texel_of(cx);
        put(at, between_columns(all, first, cx, 0), opacity);
        put(at + 1u, between_columns(all, first, cx + 1.0, 1), second);
        put(at + 2u, between_columns(all, first, cx + 2.0, 2), third);
        put(at + 3u, between_columns(all, first, cx + 3.0, 3), fourth);
    } else {
        blend_column(at, cx, upper, lower, down.weight, opacity);
        blend_column(at + 1u, cx + 1.0, upper, lower, down.weight, second);
        blend_column(at + 2u, cx + 2.0, upper, lower, down.weight, third);
        blend_column(at + 3u, cx + 3.0, upper, lower, down.weight, fourth);
    }
}
