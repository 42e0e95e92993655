// Bits of paper in -1 to 1 both ways. look: shape (0 rectangle, 1 disc, 2 curl, 3 triangle), how much
// light the side that is seen gives back, how blurred it is in pixels, where a curl begins in turns.

// Nearly a sine, of turns.
fn wave(turns: vec4f) -> vec4f {
    let t = 1.0 - 2.0 * fract(turns);
    return 4.0 * t * (1.0 - abs(t));
}

// How far along a curl pixels are, in turns.
fn phase(mark: Mark, x: vec4f) -> vec4f {
    return 0.8276 * x + mark.look.w;
}

// How much of four pixels is covered.
fn measure(mark: Mark, at: vec2f, along: vec2f) -> vec4f {
    let steps = vec4f(0.0, 1.0, 2.0, 3.0);
    let x = at.x + along.x * steps;
    let y = at.y + along.y * steps;
    let pixel = footprint(mark.map);
    let in_pixel = 1.0 / pixel;
    let blur = 1.0 / (1.0 + mark.look.z);
    let kind = mark.look.x;
    let sides = (1.0 - abs(x)) * in_pixel.x;
    let ends = (1.0 - abs(y)) * in_pixel.y;
    var distance = vec4f(0.0);
    if kind < 0.5 {
        return clamp(sides * blur + 0.5, vec4f(0.0), vec4f(1.0)) * clamp(ends * blur + 0.5, vec4f(0.0), vec4f(1.0));
    } else if kind < 1.5 {
        let r = sqrt(x * x + y * y);
        let across = sqrt(x * x * pixel.x * pixel.x + y * y * pixel.y * pixel.y) / max(r, vec4f(1e-4));
        distance = (1.0 - r) / max(across, vec4f(1e-5));
    } else if kind < 2.5 {
        let turns = phase(mark, x);
        let slope = 3.2 * pixel.x * wave(turns + 0.25);
        distance = (0.34 - abs(y - 0.62 * wave(turns))) / sqrt(slope * slope + pixel.y * pixel.y);
        distance = min(distance, sides);
    } else {
        distance = (0.447 - 0.894 * abs(x) + 0.447 * y) / length(vec2f(0.894, 0.447) * pixel);
        distance = min(distance, ends);
    }
    return clamp(distance * blur + 0.5, vec4f(0.0), vec4f(1.0));
}

fn shade(mark: Mark, at: vec2f, measured: f32) -> vec4f {
    // A curl is darker on the way down.
    let slope = wave(phase(mark, vec4f(at.x)) + 0.25).x;
    let bend = select(1.0, 0.82 + 0.18 * slope, mark.look.x > 1.5 && mark.look.x < 2.5);
    let gloss = max(mark.look.y - 1.0, 0.0);
    let color = mix(mark.color.rgb * min(mark.look.y, 1.0) * bend, vec3f(1.0), gloss);
    return shone(color, mark.color.a * measured, 0.0);
}
