// Blends an upright sprite over pixels that it covers whole: bilinear between texels, no edges.

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
    let steps = i32(params.strides.y);
    // What should lie on a step must not fall short of it by an error of rounding.
    let coarse = i32(floor((at - 0.5) * f32(steps) + 0.01)) * (256 / max(steps, 1));
    let fine = i32(round((at - 0.5) * 256.0));
    let position = select(coarse, fine, steps == 0);
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

fn blend_column(at: u32, x: f32, upper: u32, lower: u32, down: u32, opacity: u32) {
    let across = taps(
        params.to_source.x * x + params.shifts.x,
        floor(params.window.x),
        ceil(params.window.z) - 1.0,
    );
    let a = source[upper + across.first];
    let b = source[upper + across.second];
    let c = source[lower + across.first];
    let d = source[lower + across.second];
    var texel: u32;
    if params.strides.y == 0u {
        texel = mix_words(mix_words(a, b, across.weight), mix_words(c, d, across.weight), down);
    } else {
        texel = mix_in_steps(a, b, c, d, across.weight, down);
    }
    pixels[at] = over(pixels[at], scale_word(texel, opacity));
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
    blend_column(at, cx, upper, lower, down.weight, opacity);
    // Beyond the area nothing is drawn.
    let last = params.area.z - 1;
    blend_column(at + 1u, cx + 1.0, upper, lower, down.weight, select(0u, opacity, x + 1 <= last));
    blend_column(at + 2u, cx + 2.0, upper, lower, down.weight, select(0u, opacity, x + 2 <= last));
    blend_column(at + 3u, cx + 3.0, upper, lower, down.weight, select(0u, opacity, x + 3 <= last));
}
