// Makes a key colour of an opaque picture see-through, in place. `color` is the key's chroma (Cb, Cr)
// and the distance up to which colours vanish; `box_size` the width of the soft edge, how much spill
// is taken out, and 1 over the key's distance from grey.

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
    let key = params.color.xy;
    let alpha = before.a * smoothstep(0.0, 1.0, (length(tint - key) - params.color.z) / params.box_size.x);
    // What points towards the key is its light on the subject, or the key itself shining through.
    let toward = max(dot(tint, key) * params.box_size.z, 0.0);
    let less = toward * params.box_size.z * params.box_size.y;
    let removed = vec2f(key.x, key.y) * less;
    let clean = color - vec3f(1.402 * removed.y, -0.344136 * removed.x - 0.714136 * removed.y, 1.772 * removed.x);
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
