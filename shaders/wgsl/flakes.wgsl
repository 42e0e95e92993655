// Flakes of snow: discs of radius 1. look: how far inside the edge the middle is, as a share of what fades, and how much
// of that a radius is.

fn shade(mark: Mark, at: vec2f, measured: f32) -> vec4f {
    let t = clamp(mark.look.x - mark.look.y * length(at), 0.0, 1.0);
    let cover = t * t * (3.0 - 2.0 * t);
    return shone(mark.color.rgb, mark.color.a * cover, 0.0);
}
