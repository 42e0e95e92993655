// Rectangles from 0 to 1 both ways. look: the slot of their picture, without a size for plain ones.
// place: 1 where they lie beside the ones before and meet them without a seam, else 0.

fn joined(below: vec4f, above: vec4f, mark: Mark) -> vec4f {
    let room = clamp((1.0 - below.a) / max(above.a, 1e-4), 0.0, 1.0);
    return select(above + below * (1.0 - above.a), below + above * room, mark.place.z > 0.5);
}

fn shade(mark: Mark, at: vec2f, measured: f32) -> vec4f {
    let cover = edge_coverage(at, vec2f(0.0), vec2f(1.0), footprint(mark.map));
    if mark.look.z <= 0.0 {
        return shone(mark.color.rgb, mark.color.a * cover, 0.0);
    }
    return atlas_color(mark.look, clamp(at, vec2f(0.0), vec2f(1.0))) * (mark.color.a * cover);
}
