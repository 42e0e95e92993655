// Flakes of snow: discs of radius 1. look: the share of the radius over which the edge fades.

fn shade(mark: Mark, at: vec2f, measured: f32) -> vec4f {
    let r = length(at);
    let pixel = footprint(mark.map).x;
    let soft = max(mark.look.x, pixel);
    let cover = ramp(0.0, 1.0, (1.0 + 0.5 * pixel - r) / soft);
    return shone(mark.color.rgb, mark.color.a * cover, 0.0);
}
