// Shards of a pane, in pixels of it about their middle. color: that of the shard; or, where it shows a
// picture, the light on it and alpha. look: the middle on the pane, the first of the shard's edges, how
// bright those are. place: pixels that edges reach out, 1 where the shard shows a picture. Edges follow
// the marks, four in the room of one: normal, distance, 0 for the last one of a shard.

fn edge(index: u32) -> vec4f {
    let mark = marks[index / 4u];
    switch index % 4u {
        case 0u: { return mark.place; }
        case 1u: { return mark.map; }
        case 2u: { return mark.color; }
        default: { return mark.look; }
    }
}

fn shade(mark: Mark, at: vec2f) -> vec4f {
    let pixel = max(footprint(mark.map), vec2f(1e-6));
    var nearest = 1e6;
    var index = u32(mark.look.z);
    loop {
        let side = edge(index);
        let distance = (side.z - dot(side.xy, at)) / length(side.xy * pixel);
        nearest = min(nearest, distance);
        if side.w < 0.5 {
            break;
        }
        index++;
    }
    let cover = inside(nearest + mark.place.z);
    let rim = mark.look.w * ramp(3.0, 0.0, nearest);
    if mark.place.w > 0.5 {
        let slot = vec4f(0.0, 0.0, params.window.zw);
        let picture = atlas_color(slot, clamp((mark.look.xy + at) / params.window.xy, vec2f(0.0), vec2f(1.0)));
        let color = min(picture.rgb * mark.color.r + rim * picture.a, vec3f(picture.a));
        return vec4f(color, picture.a) * (cover * mark.color.a);
    }
    return shone(min(mark.color.rgb + rim, vec3f(1.0)), mark.color.a * cover, 0.0);
}
