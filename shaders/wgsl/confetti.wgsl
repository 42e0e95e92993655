// Bits of paper in -1 to 1 both ways. look: shape (0 rectangle, 1 disc, 2 curl, 3 triangle), how much
// light the side that is seen gives back, how blurred it is in pixels, where a curl begins.

fn shade(mark: Mark, at: vec2f, measured: f32) -> vec4f {
    let pixel = footprint(mark.map);
    let kind = mark.look.x;
    let edges = (1.0 - abs(at)) / pixel;
    let r = length(at);
    let disc = (1.0 - r) / max(length(at / max(r, 1e-4) * pixel), 1e-5);
    let wave = 0.62 * sin(at.x * 5.2 + mark.look.w);
    let curl = min((0.34 - abs(at.y - wave)) / length(vec2f(pixel.x * 3.2 * cos(at.x * 5.2 + mark.look.w), pixel.y)), edges.x);
    let slope = vec2f(0.894, 0.447);
    let triangle = min(edges.y, (0.447 - dot(vec2f(abs(at.x), -at.y), slope)) / length(slope * pixel));
    var distance = select(disc, curl, kind > 1.5);
    distance = select(distance, triangle, kind > 2.5);
    let blur = 1.0 + mark.look.z;
    let rectangle = clamp(edges / blur + 0.5, vec2f(0.0), vec2f(1.0));
    let cover = select(rectangle.x * rectangle.y, clamp(distance / blur + 0.5, 0.0, 1.0), kind > 0.5);
    // A curl is darker on the way down.
    let bend = select(1.0, 0.82 + 0.18 * cos(at.x * 5.2 + mark.look.w), kind > 1.5 && kind < 2.5);
    let gloss = max(mark.look.y - 1.0, 0.0);
    let color = mix(mark.color.rgb * min(mark.look.y, 1.0) * bend, vec3f(1.0), gloss);
    return shone(color, mark.color.a * cover, 0.0);
}
