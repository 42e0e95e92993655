// Rectangles from 0 to 1 both ways. look: the slot of their picture, without a size for plain ones.

fn shade(mark: Mark, at: vec2f) -> vec4f {
    let cover = edge_coverage(at, vec2f(0.0), vec2f(1.0), footprint(mark.map));
    if mark.look.z <= 0.0 {
        return shone(mark.color.rgb, mark.color.a * cover, 0.0);
    }
    return atlas_color(mark.look, clamp(at, vec2f(0.0), vec2f(1.0))) * (mark.color.a * cover);
}
