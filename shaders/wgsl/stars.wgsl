// Sparkles: stars of four points that reach 1. look: strength of the glow, length of the points
// between the four, how much of it is light.

fn star(at: vec2f, pixel: f32) -> f32 {
    let root = pow(abs(at) + 1e-5, vec2f(0.42));
    let edge = pow(root.x + root.y, 1.0 / 0.42);
    let soft = max(0.75, 2.0 * pixel);
    return ramp(1.0 + 0.3 * pixel, 1.0 - soft, edge);
}

fn shade(mark: Mark, at: vec2f, measured: f32) -> vec4f {
    let pixel = footprint(mark.map).x;
    let r2 = dot(at, at);
    let turned = vec2f(at.x + at.y, at.x - at.y) * (0.7071 / max(mark.look.y, 0.05));
    let points = max(star(at, pixel), 0.7 * star(turned, pixel / max(mark.look.y, 0.05)));
    let rest = max(1.0 - r2, 0.0);
    let glow = mark.look.x * rest * rest * (0.3 * exp(-7.0 * r2) + 0.9 * exp(-70.0 * r2));
    let cover = max(points, glow);
    let color = mix(mark.color.rgb, vec3f(1.0), clamp(exp(-28.0 * r2) + 0.25 * points, 0.0, 1.0) * mark.look.z);
    return shone(color, mark.color.a * cover, mark.look.z);
}
