// Sparkles: stars that flare up, fade, and come again elsewhere.

fn shade_of_star() -> vec3f {
    var palette = array<vec3f, 4>(
        vec3f(255.0, 241.0, 194.0),
        vec3f(255.0, 221.0, 138.0),
        vec3f(255.0, 255.0, 255.0),
        vec3f(214.0, 236.0, 255.0),
    );
    return palette[min(u32(share() * 4.0), 3u)] / 255.0;
}

fn made(index: u32) -> Mark {
    take_chance(5u, index);
    // Lives in a second, in 65536ths: whole lives and the part of one fit into a word.
    let parts = round(65536.0 / between(1.1, 2.6));
    let whole = u32(parts) * params.cell.w;
    let life = f32(whole & 0xffffu) / 65536.0 + parts * params.box_size.w / 65536.0 + share();
    let age = fract(life);
    take_chance(6u + index, ((whole >> 16u) + u32(life)) & 0xffffu);
    let x = share() * params.box_size.x;
    let y = share() * params.box_size.y;
    let flare = pow(max(sin(0.5 * TAU * age), 1e-6), 1.7);
    let twinkle = 0.86 + 0.14 * swing(11.0, share());
    let large = share();
    let full = 0.5 * params.box_size.z * (0.35 + 1.25 * large * large * large);
    let radius = full * (0.25 + 0.75 * flare);
    let tilt = radians(between(-9.0, 9.0) + 14.0 * age);
    let color = select(shade_of_star(), params.color.rgb, is_chosen());
    // A colour that somebody chose is to be seen on any ground.
    let light = select(0.85, 0.15, is_chosen());
    let across = radius * vec2f(cos(tilt), sin(tilt));
    let alpha = params.color.a * sqrt(flare) * twinkle;
    let look = vec4f(1.0, 0.42, light, 0.0);
    return particle(vec2f(x, y), across, vec2f(-across.y, across.x), vec2f(1.0), vec4f(color, alpha), look);
}
