// Drops of rain: streaks from -1 (tail) to 1 (head) along y, 1 to each side along x.

fn shade(mark: Mark, at: vec2f, measured: f32) -> vec4f {
    let pixel = footprint(mark.map);
    let along = clamp(at.y * 0.5 + 0.5, 0.0, 1.0);
    // A drop narrower than a pixel is as much fainter.
    let width = max(1.0, pixel.x);
    let across = clamp((width + 0.5 * pixel.x - abs(at.x)) / max(0.9 * width, pixel.x), 0.0, 1.0) / width;
    let ends = ramp(1.0 + pixel.y, 0.9, at.y) * step(-1.0, at.y);
    let cover = across * ends * along * along;
    return shone(mark.color.rgb, mark.color.a * cover, 0.35);
}
