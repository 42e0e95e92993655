// Looks that measure nothing for four pixels at once.

fn measure(mark: Mark, at: vec2f, along: vec2f) -> vec4f {
    return vec4f(0.0);
}
