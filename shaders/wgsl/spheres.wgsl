// Bubbles of radius 1: a rim that catches light, two reflections, nearly nothing inside. look: how
// strong the colours of the film are, where they begin, blur as a share of the radius, how wide the rim is.

fn spot(at: vec2f, middle: vec2f, size: vec2f, turn: vec2f) -> f32 {
    let offset = at - middle;
    let p = vec2f(dot(offset, turn), dot(offset, vec2f(-turn.y, turn.x))) / size;
    return ramp(1.0, 0.1, length(p));
}

fn shade(mark: Mark, at: vec2f, measured: f32) -> vec4f {
    let r = length(at);
    let pixel = footprint(mark.map).x;
    let soft = max(pixel, mark.look.z);
    let body = ramp(0.0, 1.0, (1.0 - r) / soft + 0.5);
    let width = max(mark.look.w, 1.5 * pixel);
    let rim = ramp(1.0 - 2.2 * width - soft, 1.0 - 0.4 * width, r);
    // Light comes from above on the left and is caught again below on the right.
    let toward = dot(at / max(r, 1e-4), vec2f(-0.6, -0.8));
    let lit = 0.34 + 0.5 * ramp(0.1, 1.0, toward) + 0.3 * ramp(0.35, 1.0, -toward);
    let turn = atan2(at.y, at.x) + mark.look.y;
    let film = 0.5 + 0.5 * cos(vec3f(0.0, 2.1, 4.2) + turn * 2.0 + r * 3.0);
    let tint = mix(mark.color.rgb, film, mark.look.x * rim);
    let shine = spot(at, vec2f(-0.42, -0.47), vec2f(0.3, 0.17), vec2f(0.75, -0.66));
    let glint = spot(at, vec2f(0.46, 0.5), vec2f(0.19, 0.09), vec2f(0.72, -0.69));
    let white = clamp(0.95 * shine + 0.5 * glint, 0.0, 1.0);
    let inner = 0.05 + 0.11 * r * r;
    let cover = body * clamp(inner + rim * lit + white, 0.0, 1.0);
    return shone(mix(tint, vec3f(1.0), max(white, 0.3 * rim * lit)), mark.color.a * cover, 0.45);
}
