// What passes share that blend what is in bins. A workgroup has a bin, each invocation four pixels in a row; what comes of the
// marks goes onto the target once. `chroma` is the rectangle that may be written, `frame` one inside of it that the box does not cut; bins
// begin where four pixels begin in memory.
//
// The first variant is for GPUs: all of a workgroup works together, and it empties its bin. In the second each
// invocation works alone, and bins stay as they are.

// Four pixels each; common.wgsl says how they lie.
@group(0) @binding(1) var<storage, read_write> pixels: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> bins: array<atomic<u32>>;

const INVOCATIONS: u32 = 64u;

var<workgroup> came: u32;
var<workgroup> met: array<atomic<u32>, 2>;

// What marks come to in each of four pixels.
struct Four {
    a: vec4f,
    b: vec4f,
    c: vec4f,
    d: vec4f,
}

// Where four pixels are in memory.
fn place_of(x: i32, y: i32) -> u32 {
    return (u32(y) * params.strides.x + u32(x)) / 4u;
}

// Light needs something to be seen on: where nothing was, it covers.
fn lit(color: vec4f) -> vec4f {
    return vec4f(color.rgb, max(color.a, max(color.r, max(color.g, color.b))));
}

// A colour over a pixel.
fn laid(word: u32, above: vec4f) -> u32 {
    return pack4x8unorm(seen(above + unpack4x8unorm(word) * (1.0 - above.a)));
}

// The same where the box may cut the pixel, or it must not be written.
fn laid_in_box(word: u32, above: vec4f, x: i32, y: i32) -> u32 {
    if x < params.chroma.x || x >= params.chroma.z {
        return word;
    }
    let at = to_box(f32(x) + 0.5, f32(y) + 0.5);
    return laid(word, above * edge_coverage(at, vec2f(0.0), params.box_size.xy, footprint(params.to_box)));
}

// Lays what marks come to onto four pixels of the bin that begins at a corner.
fn lay(above: Four, x: i32, y: i32, corner: vec2i) {
    let place = place_of(x, y);
    let is_whole = all(corner >= vec2i(params.frame.xy)) && all(corner + vec2i(BIN) <= vec2i(params.frame.zw));
    if is_whole {
        let below = pixels[place];
        pixels[place] = vec4u(
            laid(below.x, above.a),
            laid(below.y, above.b),
            laid(below.z, above.c),
            laid(below.w, above.d),
        );
    } else if y >= params.chroma.y && y < params.chroma.w {
        let below = pixels[place];
        pixels[place] = vec4u(
            laid_in_box(below.x, above.a, x, y),
            laid_in_box(below.y, above.b, x + 1, y),
            laid_in_box(below.z, above.c, x + 2, y),
            laid_in_box(below.w, above.d, x + 3, y),
        );
    }
}

// Adds those of all marks that touch a bin, by a whole workgroup.
fn add_met(bin: vec2u, own: u32, p: vec2f) {
    for (var first = 0u; first < params.planes.w; first += INVOCATIONS) {
        if own < 2u {
            atomicStore(&met[own], 0u);
        }
        workgroupBarrier();
        let index = first + own;
        if index < params.planes.w && touches(index, bin) {
            atomicOr(&met[own / 32u], 1u << (own % 32u));
        }
        workgroupBarrier();
        for (var word = 0u; word < 2u; word++) {
            var bits = atomicLoad(&met[word]);
            while bits != 0u {
                add_numbered(first + word * 32u + firstTrailingBit(bits), p);
                bits &= bits - 1u;
            }
        }
        workgroupBarrier();
    }
}

// The same by an invocation for itself.
fn add_met_alone(bin: vec2u, p: vec2f) {
    for (var index = 0u; index < params.planes.w; index++) {
        if touches(index, bin) {
            add_numbered(index, p);
        }
    }
}

// All invocations in one row: software adapters take several at once only along it.
@compute @workgroup_size(INVOCATIONS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) own: u32) {
    let across = u32(BIN.x) / 4u;
    // Bins begin where the marks do, of which only a part may be drawn.
    let place = vec2u(params.area.xy - params.luma.xy) / vec2u(BIN) + group.xy;
    let corner = params.luma.xy + vec2i(place) * vec2i(BIN);
    let x = corner.x + 4 * i32(own % across);
    let y = corner.y + i32(own / across);
    let p = vec2f(f32(x) + 0.5, f32(y) + 0.5);
    if variant == 0u {
        add_together(place, own, p);
    } else {
        add_alone(place, p);
    }
    show(x, y, corner);
}
