// Rain: streaks as long as drops fall in the time of an exposure, slanted by the wind.

// Seconds for which a shutter is open.
const EXPOSURE: f32 = 0.034;
// Pixels to the side for each pixel down.
const SLANT: f32 = -0.13;

fn made(index: u32) -> Mark {
    take_chance(2u, index);
    let size = params.box_size.xy;
    let near = pow(nearness(index), 1.6);
    let fall = short_side() * (1.35 + 1.75 * near) * between(0.9, 1.1);
    let slant = SLANT * between(0.85, 1.15);
    let half_width = 0.5 * params.box_size.z * (0.6 + near);
    let shortest = 2.0 * half_width;
    let half_length = clamp(0.5 * fall * params.window.z * EXPOSURE, shortest, max(shortest, 0.3 * size.y));
    let y = around(share() + turns(rounds_of(fall, size.y, half_length)), size.y, half_length);
    let beyond = half_length * abs(slant) + half_width;
    let x = around(share() + turns(rounds_of(slant * fall, size.x, beyond)), size.x, beyond);
    let color = vec4f(params.color.rgb, params.color.a * (0.26 + 0.6 * near));
    let down = half_length * vec2f(slant, 1.0);
    var drop = particle(vec2f(x, y), vec2f(half_width, 0.0), down, vec2f(1.5, 1.0), color, vec4f(0.0));
    let pixel = footprint(drop.map);
    // A drop narrower than a pixel is as much fainter.
    let width = max(1.0, pixel.x);
    drop.color.a /= width;
    let sides = max(0.9 * width, pixel.x);
    drop.look = vec4f((width + 0.5 * pixel.x) / sides, 1.0 / sides, 1.0 / (1.0 - HEAD + pixel.y), 0.0);
    return drop;
}

fn store(first: u32, streak: Speck) {
    marks[first] = streak.place;
    marks[first + 1u] = streak.map;
}
