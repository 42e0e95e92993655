// Bubbles: they rise and wobble, large ones faster.

fn made(index: u32) -> Mark {
    take_chance(7u, index);
    let size = params.box_size.xy;
    let short = short_side();
    let near = nearness(index);
    let nearest = to_fourth(near * near);
    let radius = 0.5 * params.box_size.z * (0.22 + 0.9 * near * near + 0.9 * nearest) * between(0.75, 1.25);
    let rise = short * (0.05 + 0.085 * near + 0.05 * nearest) * between(0.8, 1.2);
    let pace = between(0.7, 1.6);
    let reach = short * between(0.006, 0.02);
    let sway = reach * (swing(pace, share()) + 0.4 * swing(2.1 * pace, share()));
    let wobble = 0.035 * swing(3.1 * pace, share());
    let beyond = 1.1 * radius;
    let x = around(share() + rounds_of(sway, size.x, beyond), size.x, beyond);
    let y = around(share() + turns(rounds_of(-rise, size.y, beyond)), size.y, beyond);
    let alpha = (0.6 + 0.4 * near) * (1.0 - 0.45 * nearest);
    let color = vec4f(params.color.rgb, params.color.a * alpha);
    let film = select(0.5, 0.12, is_chosen());
    let look = vec4f(film, TAU * share(), 0.12 * nearest, 0.055);
    let across = vec2f(radius * (1.0 + wobble), 0.0);
    let down = vec2f(0.0, radius * (1.0 - wobble));
    return particle(vec2f(x, y), across, down, vec2f(1.05), color, look);
}
