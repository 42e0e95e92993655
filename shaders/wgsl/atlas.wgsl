// Pictures that marks show, side by side in one sprite.

@group(0) @binding(4) var<storage, read> atlas: array<u32>;

fn atlas_texel(p: vec2f) -> vec4f {
    return unpack4x8unorm(atlas[u32(p.y) * params.strides.z + u32(p.x)]);
}

// The colour at a share of a slot (left, top, width, height), between texels.
fn atlas_color(slot: vec4f, share: vec2f) -> vec4f {
    let at = share * slot.zw - 0.5;
    let low = floor(at);
    let part = at - low;
    let last = max(slot.zw - 1.0, vec2f(0.0));
    let a = slot.xy + clamp(low, vec2f(0.0), last);
    let b = slot.xy + clamp(low + 1.0, vec2f(0.0), last);
    let top = mix(atlas_texel(a), atlas_texel(vec2f(b.x, a.y)), part.x);
    let bottom = mix(atlas_texel(vec2f(a.x, b.y)), atlas_texel(b), part.x);
    return mix(top, bottom, part.y);
}
