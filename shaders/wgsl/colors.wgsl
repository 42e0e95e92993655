// Changes the colours of a sprite in place: colour functions, then a factor on alpha.

fn changed(word: u32) -> u32 {
    if word == 0u {
        return 0u;
    }
    let before = unpack4x8unorm(word);
    let color = apply_functions(min(before.rgb / max(before.a, 1e-6), vec3f(1.0)));
    let alpha = before.a * params.box_size.w;
    return pack4x8unorm(vec4f(color * alpha, alpha));
}

@compute @workgroup_size(16, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = params.area.x + i32(id.x) * 4;
    let y = params.area.y + i32(id.y);
    if x >= params.area.z || y >= params.area.w {
        return;
    }
    // Beyond the area is padding, which stays transparent.
    let at = target_index(x, y);
    pixels[at] = changed(pixels[at]);
    pixels[at + 1u] = changed(pixels[at + 1u]);
    pixels[at + 2u] = changed(pixels[at + 2u]);
    pixels[at + 3u] = changed(pixels[at + 3u]);
}
