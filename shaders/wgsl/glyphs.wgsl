// Characters from 0 to 1 both ways, coloured, some with a glow about them. look: the slot of the
// character. place: strength of the glow, how white the character is.

fn shade(mark: Mark, at: vec2f, measured: f32) -> vec4f {
    let ink = atlas_color(mark.look, at).a * edge_coverage(at, vec2f(0.0), vec2f(1.0), footprint(mark.map));
    let offset = (at - 0.5) * vec2f(0.72, 1.0);
    let rest = max(1.0 - dot(offset, offset) * 0.7, 0.0);
    let glow = mark.place.z * rest * rest * exp(-2.2 * dot(offset, offset));
    let color = mix(mark.color.rgb, vec3f(1.0), mark.place.w * ink);
    return shone(color, mark.color.a * max(ink, glow), 1.0 - ink);
}
