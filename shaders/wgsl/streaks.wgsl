// Drops of rain: streaks from -1 (tail) to 1 (head) along y, 1 to each side along x. look: how far inside its sides the
// middle is, as a share of what fades there, and how much of that a half width is; the same of its head.

fn shade(mark: Mark, at: vec2f, measured: f32) -> vec4f {
    let along = clamp(at.y * 0.5 + 0.5, 0.0, 1.0);
    let across = clamp(mark.look.x - mark.look.y * abs(at.x), 0.0, 1.0);
    let t = clamp(mark.look.z - mark.look.w * at.y, 0.0, 1.0);
    let head = t * t * (3.0 - 2.0 * t);
    return shone(mark.color.rgb, mark.color.a * across * head * along * along, 0.35);
}
