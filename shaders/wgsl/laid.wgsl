// Marks lie one over another.

fn joined(below: vec4f, above: vec4f, mark: Mark) -> vec4f {
    return above + below * (1.0 - above.a);
}
