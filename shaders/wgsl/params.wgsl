// What every pass shares: its parameters, and the maps in them.

struct Params {
    // The rectangle of the target that this pass may write: x0, y0, x1, y1.
    area: vec4i,
    // Words in a row of the target or of a sprite that lies like it; into how many steps
    // the way from one texel of a picture to the next is cut: 16, or 0 for as many as can be told apart; words in a row of
    // the source; words in a chroma row of the source.
    strides: vec4u,
    // From target pixels to source texels: x' = a·x + c·y + e, y' = b·x + d·y + f.
    to_source: vec4f,
    // e, f of to_source; then e, f of to_box.
    shifts: vec4f,
    // From target pixels to the clip box, whose top left corner is the origin.
    to_box: vec4f,
    // Width and height of the clip box; opacity, of 255 in copies, and the share of 255 in mixes; factor on alpha of colour functions.
    box_size: vec4f,
    // Corner radii of the clip box, from the top left clockwise.
    radii_x: vec4f,
    radii_y: vec4f,
    // Source texels that may be seen: x0, y0, x1, y1.
    window: vec4f,
    // A flat colour, premultiplied.
    color: vec4f,
    // Luma of black as a byte and luma scale in 65536ths; unused.
    luma: vec4i,
    // Cr to red, Cb to blue, Cb to green, Cr to green, in 65536ths.
    chroma: vec4i,
    // First word of the source's Cb and Cr planes; unused; first word of the source.
    planes: vec4u,
    // Of an encoder's frame: words in a luma and a chroma row, first word of Cb and of Cr.
    frame: vec4u,
    // Source texels across and down that make one pixel of a smaller picture; how many colour
    // functions there are, up to three; 1 where a picture goes on mirrored beyond its edges, or is
    // opaque; else 0.
    cell: vec4u,
    // Colour functions: rows for red, green and blue, each with factors of red, green and blue and
    // a constant.
    functions: array<vec4f, 9>,
}

// Which variant of the pass this is; `Pass::variant` says what asks for which.
override variant: u32 = 0u;

@group(0) @binding(0) var<uniform> params: Params;

fn to_box(x: f32, y: f32) -> vec2f {
    let m = params.to_box;
    return vec2f(m.x * x + m.z * y + params.shifts.z, m.y * x + m.w * y + params.shifts.w);
}

fn to_source(x: f32, y: f32) -> vec2f {
    let m = params.to_source;
    return vec2f(m.x * x + m.z * y + params.shifts.x, m.y * x + m.w * y + params.shifts.y);
}

// The size of a target pixel on the other side of a map.
fn footprint(map: vec4f) -> vec2f {
    return max(sqrt(vec2f(map.x * map.x + map.z * map.z, map.y * map.y + map.w * map.w)), vec2f(1e-6));
}

// How much of the pixel whose centre maps to `p` lies between two edges, each axis by itself:
// exact for upright boxes.
fn edge_coverage(p: vec2f, low: vec2f, high: vec2f, footprint: vec2f) -> f32 {
    let near = clamp((p - low) / footprint + 0.5, vec2f(0.0), vec2f(1.0));
    let far = clamp((high - p) / footprint + 0.5, vec2f(0.0), vec2f(1.0));
    let inside = max(near + far - 1.0, vec2f(0.0));
    return inside.x * inside.y;
}
