// Shards of a pane, in pixels of it about their middle. color: that of the shard; or, where it shows a
// picture, the light on it and alpha. look: the middle on the pane, the first of the shard's edges, how
// bright those are. place: pixels that edges reach out, how wide their light is, below 0 where the shard
// shows a picture. Edges follow the marks: normal, distance, 0 for the last one of a shard.

// How far inside the nearest edge each of four pixels is.
fn measure(mark: Mark, at: vec2f, along: vec2f) -> vec4f {
    let pixel = footprint(mark.map);
    var nearest = vec4f(1e6);
    var index = u32(mark.look.z);
    loop {
        let side = marks[index];
        let first = side.z - dot(side.xy, at);
        let distances = first - vec4f(0.0, 1.0, 2.0, 3.0) * dot(side.xy, along);
        nearest = min(nearest, distances / length(side.xy * pixel));
        if side.w < 0.5 {
            break;
        }
        index++;
    }
    return nearest;
}

fn shade(mark: Mark, at: vec2f, nearest: f32) -> vec4f {
    let cover = clamp(nearest + mark.place.z + 0.5, 0.0, 1.0);
    let rim = mark.look.w * ramp(abs(mark.place.w), 0.0, nearest);
    if mark.place.w < 0.0 {
        let slot = vec4f(0.0, 0.0, params.window.zw);
        let picture = atlas_color(slot, clamp((mark.look.xy + at) / params.window.xy, vec2f(0.0), vec2f(1.0)));
        let color = min(picture.rgb * mark.color.r + rim * picture.a, vec3f(picture.a));
        return vec4f(color, picture.a) * (cover * mark.color.a);
    }
    return shone(min(mark.color.rgb + rim, vec3f(1.0)), mark.color.a * cover, 0.0);
}
