// Snow: small and faint far away, large and out of focus near by, all of it in one wind.

fn made(index: u32) -> Mark {
    take_chance(1u, index);
    let size = params.box_size.xy;
    let short = short_side();
    let near = pow(nearness(index), 2.2);
    let nearest = to_fourth(near * near);
    let radius = 0.5 * params.box_size.z * (0.42 + 1.15 * near + 3.4 * nearest) * between(0.8, 1.2);
    let fall = short * (0.06 + 0.12 * near + 0.1 * nearest) * between(0.85, 1.15);
    let reach = short * between(0.008, 0.028) * (0.4 + near);
    let pace = between(0.6, 1.7);
    let sway = reach * (swing(pace, share()) + 0.4 * swing(2.3 * pace, share()));
    // A breeze that comes and goes.
    let breeze = 0.4 + near;
    let drift = turns(rounds_of(0.022 * short * breeze, size.x, radius));
    let aside = rounds_of(params.window.y * breeze + sway, size.x, radius);
    let x = around(share() + drift + aside, size.x, radius);
    let y = around(share() + turns(rounds_of(fall, size.y, radius)), size.y, radius);
    let soft = 1.0 - 0.25 * near * (1.0 - nearest);
    let alpha = (0.5 + 0.5 * sqrt(near)) * (1.0 - 0.72 * nearest);
    let color = vec4f(params.color.rgb, params.color.a * alpha);
    var flake = particle(vec2f(x, y), vec2f(radius, 0.0), vec2f(0.0, radius), vec2f(1.0), color, vec4f(0.0));
    let pixel = footprint(flake.map).x;
    let fade = max(soft, pixel);
    let edge = 1.0 + 0.5 * pixel;
    let core = edge - fade;
    let ring = edge * edge - core * core;
    let depth = depth_of(flake.color.a);
    flake.look = vec4f(edge * edge / ring, inverseSqrt(ring), depth, 0.0);
    // Near its edge it is too faint to be seen.
    let faint = pow(FAINTEST / max(depth, FAINTEST), 1.0 / 3.0);
    flake.reach = vec4f(0.0, 0.0, vec2f(sqrt(max(edge * edge - faint * ring, 0.0))));
    return flake;
}

fn store(first: u32, flake: Speck) {
    marks[first] = flake.place;
    marks[first + 1u] = flake.map;
}
