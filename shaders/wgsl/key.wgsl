// Makes a key colour see-through, in place. `color` is the direction of the key among chroma (Cb, Cr),
// the distance up to which colours vanish, and how far from grey the key is; `box_size` the width of
// the soft edge, the share of the key's light that is taken out of what stays, and 1 where the key is
// grey itself. The key is the first of `functions`.

fn chroma(color: vec3f) -> vec2f {
    return vec2f(
        dot(color, vec3f(-0.168736, -0.331264, 0.5)),
        dot(color, vec3f(0.5, -0.418688, -0.081312)),
    );
}

fn keyed(word: u32) -> u32 {
    let before = unpack4x8unorm(word);
    let color = min(before.rgb / max(before.a, 1e-6), vec3f(1.0));
    let tint = chroma(color);
    let toward = params.color.xy;
    let along = dot(tint, toward);
    let aside = abs(tint.x * toward.y - tint.y * toward.x);
    // Stronger colours of the key's hue are the key as well.
    let short = max(params.color.w - along, 0.0);
    let of_hue = length(vec2f(short, aside));
    let of_grey = length(color - params.functions[0].xyz) * 0.57735;
    let is_grey = params.box_size.z > 0.0;
    let distance = select(of_hue, of_grey, is_grey);
    let kept = smoothstep(0.0, 1.0, (distance - params.color.z) / params.box_size.x);
    // What is left of the key in a colour: its light on the subject, or itself shining through.
    let excess = select(max(along - aside, 0.0), 0.0, is_grey);
    let less = toward * (excess * mix(1.0, params.box_size.y, kept));
    let clean = color - vec3f(1.402 * less.y, -0.344136 * less.x - 0.714136 * less.y, 1.772 * less.x);
    let alpha = before.a * kept;
    return pack4x8unorm(vec4f(clamp(clean, vec3f(0.0), vec3f(1.0)) * alpha, alpha));
}

@compute @workgroup_size(32, 2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = params.area.x + i32(id.x);
    let y = params.area.y + i32(id.y);
    if x >= params.area.z || y >= params.area.w {
        return;
    }
    let at = target_index(x, y);
    pixels[at] = keyed(pixels[at]);
}
