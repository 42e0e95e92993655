// Fireflies: a bright core in a glow that ends at radius 1. look: radius of the core, strength of the
// glow.

fn shade(mark: Mark, at: vec2f, measured: f32) -> vec4f {
    let r = length(at);
    let pixel = footprint(mark.map).x;
    let core = ramp(mark.look.x * 1.25 + pixel, mark.look.x * 0.3, r);
    let rest = max(1.0 - r, 0.0);
    let glow = rest * rest * (0.2 * exp(-5.0 * r * r) + 0.8 * exp(-48.0 * r * r)) * mark.look.y;
    let color = mix(mark.color.rgb, vec3f(1.0), core * 0.8 * mark.color.a);
    let alpha = mark.color.a * max(core, glow);
    return shone(color, alpha, 1.0 - 0.5 * core);
}
