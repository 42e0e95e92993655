// Bits of paper in -1 to 1 both ways. look: shape (0 rectangle, 1 disc, 2 curl, 3 triangle), how much
// light the side that is seen gives back, how blurred it is in pixels, where a curl begins in turns.

// Nearly a sine, of turns.
fn wave(turns: f32) -> f32 {
    let t = 1.0 - 2.0 * fract(turns);
    return 4.0 * t * (1.0 - abs(t));
}

fn shade(mark: Mark, at: vec2f, measured: f32) -> vec4f {
    let pixel = footprint(mark.map);
    let kind = mark.look.x;
    let blur = 1.0 + mark.look.z;
    let edges = (1.0 - abs(at)) / pixel;
    var bend = 1.0;
    var cover = 0.0;
    if kind < 0.5 {
        let rectangle = clamp(edges / blur + 0.5, vec2f(0.0), vec2f(1.0));
        cover = rectangle.x * rectangle.y;
    } else {
        var distance = 0.0;
        if kind < 1.5 {
            let r = length(at);
            distance = (1.0 - r) / max(length(at / max(r, 1e-4) * pixel), 1e-5);
        } else if kind < 2.5 {
            let phase = 0.8276 * at.x + mark.look.w;
            let slope = wave(phase + 0.25);
            distance = (0.34 - abs(at.y - 0.62 * wave(phase))) / length(vec2f(pixel.x * 3.2 * slope, pixel.y));
            distance = min(distance, edges.x);
            // A curl is darker on the way down.
            bend = 0.82 + 0.18 * slope;
        } else {
            let slope = vec2f(0.894, 0.447);
            distance = (0.447 - dot(vec2f(abs(at.x), -at.y), slope)) / length(slope * pixel);
            distance = min(distance, edges.y);
        }
        cover = clamp(distance / blur + 0.5, 0.0, 1.0);
    }
    let gloss = max(mark.look.y - 1.0, 0.0);
    let color = mix(mark.color.rgb * min(mark.look.y, 1.0) * bend, vec3f(1.0), gloss);
    return shone(color, mark.color.a * cover, 0.0);
}
