// Drops of rain where they are.

fn kept(first: u32) -> Speck {
    return Speck(specks[first], specks[first + 1u]);
}

fn held(number: u32) -> Speck {
    let first = number * SPECK_VECTORS;
    return Speck(at_hand[first], at_hand[first + 1u]);
}

// What is left of the ink so far along a streak.
fn left_at(streak: Speck, y: vec4f) -> vec4f {
    let along = saturate(0.5 * y + 0.5);
    let t = saturate(streak.place.w * (HEAD - y) + 1.0);
    return along * along * (t * t * (3.0 - 2.0 * t));
}

// How deep its ink is in four pixels, where `p` is the middle of the first.
fn depths(streak: Speck, p: vec2f) -> vec4f {
    let map = streak.map;
    let offset = p - streak.place.xy;
    let at = vec2f(dot(map.xz, offset), dot(map.yw, offset));
    let steps = vec4f(0.0, 1.0, 2.0, 3.0);
    let core = core_of(streak);
    let across = saturate(core.y - abs(at.x + map.x * steps));
    // Where all of a row is equally far along; invocations that work alone would go both ways.
    if variant == 0u && map.y == 0.0 {
        return (core.x * left_at(streak, vec4f(at.y)).x) * across;
    }
    return core.x * left_at(streak, at.y + map.y * steps) * across;
}
