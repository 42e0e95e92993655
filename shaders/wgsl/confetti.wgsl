// Confetti: bits of paper of several shapes that tumble down, their sides in changing light.

fn shade_of_paper() -> vec3f {
    var palette = array<vec3f, 8>(
        vec3f(255.0, 77.0, 109.0),
        vec3f(255.0, 183.0, 3.0),
        vec3f(58.0, 134.0, 255.0),
        vec3f(155.0, 93.0, 229.0),
        vec3f(6.0, 214.0, 160.0),
        vec3f(255.0, 123.0, 46.0),
        vec3f(247.0, 93.0, 181.0),
        vec3f(76.0, 201.0, 240.0),
    );
    let choice = share();
    if !is_chosen() {
        return palette[min(u32(choice * 8.0), 7u)] / 255.0;
    }
    // A shade of the one that is wanted.
    let brighter = mix(params.color.rgb, vec3f(1.0), 0.5 * choice);
    let darker = params.color.rgb * (1.0 - 0.6 * (choice - 0.6));
    return select(darker, brighter, choice < 0.6);
}

// A shape, half its width and height, and how it falls against the others.
fn paper(choice: f32) -> vec4f {
    if choice < 0.48 {
        return vec4f(0.0, 0.5, 0.29, 1.0);
    }
    if choice < 0.66 {
        return vec4f(1.0, 0.36, 0.36, 1.05);
    }
    if choice < 0.86 {
        return vec4f(2.0, 0.95, 0.24, 0.8);
    }
    return vec4f(3.0, 0.44, 0.42, 1.1);
}

fn made(index: u32) -> Mark {
    take_chance(3u, index);
    let size = params.box_size.xy;
    let short = short_side();
    let near = pow(nearness(index), 1.4);
    let nearest = to_fourth(near * near) * near * near;
    let kind = paper(share());
    let scale = params.box_size.z * (0.6 + 0.75 * near + 1.1 * nearest);
    let fall = short * (0.15 + 0.13 * near + 0.1 * nearest) * kind.w * between(0.8, 1.2);
    let pace = between(1.2, 2.8);
    let phase = share();
    let sway = short * between(0.012, 0.04);
    // Half as fast as the sway, so that the sway and what is twice as fast fit into whole turns of it.
    let slow = turns(0.5 * pace / TAU);
    let aside = sway * sin(TAU * (2.0 * slow + phase));
    let x = around(share() + rounds_of(aside, size.x, scale), size.x, scale);
    // Paper rests for a moment where its swing turns.
    let rest = 0.35 * sway * sin(TAU * (4.0 * slow + 2.0 * phase));
    let y = around(share() + turns(rounds_of(fall, size.y, scale)) + rounds_of(rest, size.y, scale), size.y, scale);
    let turn = TAU * (turns(between(-1.6, 1.6) / TAU) + share()) + 0.5 * sin(TAU * (slow + phase));
    let flip = TAU * (turns(between(1.8, 5.5) / TAU) + share());
    let facing = cos(flip);
    let seen = max(abs(facing), 0.08) * select(1.0, -1.0, facing < 0.0);
    let shine = max(cos(flip - 0.5), 0.0);
    let glint = 0.55 * to_fourth(to_fourth(shine)) * to_fourth(shine) * shine * shine;
    let light = select(0.88 + 0.12 * facing + glint, 0.7 - 0.12 * facing, facing < 0.0);
    let gloss = max(light - 1.0, 0.0);
    let blur = 0.16 * scale * nearest;
    let half = scale * vec2f(kind.y, kind.z * seen);
    let along = vec2f(cos(turn), sin(turn));
    let color = vec4f(shade_of_paper() * min(light, 1.0) * (1.0 - gloss), params.color.a * (1.0 - 0.25 * nearest));
    // A blur reaches out by half its width; soft edges that are not upright further than a pixel.
    let pixel = 1.0 / (magnified() * abs(half));
    let slanted = (0.5 + 0.5 * blur * magnified()) * vec2f(pixel.y, 3.2 * pixel.x);
    let reach = 1.0 + 0.5 * blur / abs(half) + select(vec2f(0.0), slanted, kind.x > 0.5);
    let look = vec4f(kind.x, gloss, phase, 0.0);
    var bit = particle(vec2f(x, y), half.x * along, half.y * vec2f(-along.y, along.x), reach, color, look);
    bit.place = vec4f(bit.place.xy, 1.0 / (footprint(bit.map) * (1.0 + blur * magnified())));
    return bit;
}
