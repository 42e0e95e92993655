// Fireflies: lights that wander and breathe, each in its own time.

// The radius of the glow against that of the core.
const GLOW: f32 = 20.0;
// Beyond this share of its radius a glow is less than half a step of a byte.
const SEEN: f32 = 0.72;

fn wander(home: f32, side: f32, near: f32) -> f32 {
    let reach = short_side() * between(0.05, 0.12) * (0.6 + 0.7 * near);
    let pace = between(0.25, 0.6);
    let wide = swing(pace, share());
    let middling = 0.55 * swing(1.9 * pace, share());
    return home * side + reach * (wide + middling + 0.2 * swing(4.3 * pace, share()));
}

fn made(index: u32) -> Mark {
    take_chance(4u, index);
    let near = pow(nearness(index), 1.5);
    let core = 0.5 * params.box_size.z * (0.65 + 0.95 * near);
    // Places that lie evenly in a square however many there are: steps of the plastic number.
    let steps = 2u * index + 1u;
    let home = vec2f(vec2u(steps * 1621087445u, steps * 1223722707u) >> vec2u(8u)) / PARTS;
    let x = wander(home.x, params.box_size.x, near);
    let y = wander(home.y, params.box_size.y, near);
    let pace = between(0.8, 2.0);
    let wave = 0.5 + 0.5 * swing(pace, share());
    let breath = wave * wave * (3.0 - 2.0 * wave);
    let usual = mix(vec3f(216.0, 255.0, 82.0), vec3f(255.0, 211.0, 77.0), share()) / 255.0;
    let color = select(usual, params.color.rgb, is_chosen());
    let alpha = params.color.a * (0.05 + 0.95 * breath) * (0.65 + 0.35 * near);
    let radius = core * GLOW;
    let look = vec4f(1.0 / GLOW, 0.95, 0.0, 0.0);
    return particle(vec2f(x, y), vec2f(radius, 0.0), vec2f(0.0, radius), vec2f(SEEN), vec4f(color, alpha), look);
}
