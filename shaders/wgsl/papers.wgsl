// Bits of paper in -1 to 1 both ways. look: shape (0 rectangle, 1 disc, 2 curl, 3 triangle), how much white their gloss adds,
// where a curl begins in turns. place: how sharp their edges are, both ways.

struct Paper {
    shape: u32,
    // How much of an edge a unit is, both ways.
    sharp: vec2f,
    // Red, green, blue and alpha, which is not multiplied in.
    color: vec4f,
    gloss: f32,
    // Where a curl begins.
    start: f32,
}

const HELD_VECTORS: u32 = 3u;
const UPPER: u32 = 4u;
const LOWER: u32 = 8u;

// Holds what is needed of a mark in the bin that begins at a corner.
fn hold(slot: u32, mark: Mark, corner: vec2f) {
    let first = slot * HELD_VECTORS;
    let from_middle = corner - mark.place.xy;
    let halves = select(0u, UPPER, is_in_half(mark, from_middle + vec2f(0.5, 0.25) * BIN))
        | select(0u, LOWER, is_in_half(mark, from_middle + vec2f(0.5, 0.75) * BIN));
    let offset = from_middle + 0.5;
    at_hand[first] = vec4f(dot(mark.map.xz, offset), dot(mark.map.yw, offset), mark.map.xy);
    at_hand[first + 1u] = vec4f(mark.map.zw, mark.place.zw);
    at_hand[first + 2u] = bitcast<vec4f>(vec4u(
        u32(mark.look.x) | halves,
        pack2x16float(mark.color.rg),
        pack2x16float(mark.color.ba),
        pack2x16float(mark.look.yz),
    ));
}

// Whether a mark touches a half of a bin, whose middle is so far from its own.
fn is_in_half(mark: Mark, offset: vec2f) -> bool {
    let at = vec2f(dot(mark.map.xz, offset), dot(mark.map.yw, offset));
    let room = 0.5 * BIN.x * abs(mark.map.xy) + 0.25 * BIN.y * abs(mark.map.zw);
    return all(abs(at - mark.reach.xy) <= mark.reach.zw + room);
}

fn add_held(slot: u32, p: vec2f, corner: vec2f) {
    let first = slot * HELD_VECTORS;
    let words = bitcast<vec4u>(at_hand[first + 2u]);
    let inside = p - corner - 0.5;
    if (words.x & select(UPPER, LOWER, 2.0 * inside.y >= BIN.y)) == 0u {
        return;
    }
    let across = at_hand[first];
    let down = at_hand[first + 1u];
    let look = unpack2x16float(words.w);
    let color = vec4f(unpack2x16float(words.y), unpack2x16float(words.z));
    let at = across.xy + across.zw * inside.x + down.xy * inside.y;
    lay_paper(Paper(words.x & 3u, down.zw, color, look.x, look.y), at, across.zw);
}

fn add(mark: Mark, p: vec2f) {
    let offset = p - mark.place.xy;
    let at = vec2f(dot(mark.map.xz, offset), dot(mark.map.yw, offset));
    lay_paper(Paper(u32(mark.look.x), mark.place.zw, mark.color, mark.look.y, mark.look.z), at, mark.map.xy);
}

// Nearly a sine, of turns.
fn wave(turns: vec4f) -> vec4f {
    let t = 1.0 - 2.0 * fract(turns);
    return 4.0 * t * (1.0 - abs(t));
}

// Lays a bit of paper over those before it, where `at` is the first of four pixels.
fn lay_paper(paper: Paper, at: vec2f, along: vec2f) {
    let steps = vec4f(0.0, 1.0, 2.0, 3.0);
    let x = at.x + along.x * steps;
    let y = at.y + along.y * steps;
    let sides = saturate((1.0 - abs(x)) * paper.sharp.x + 0.5);
    let ends = saturate((1.0 - abs(y)) * paper.sharp.y + 0.5);
    let edges = 1.0 / paper.sharp;
    let color = paper.color.rgb + paper.gloss;
    if paper.shape == 0u {
        lay_plain(color, paper.color.a * (sides * ends));
    } else if paper.shape == 1u {
        let r = sqrt(x * x + y * y);
        let edge = inverseSqrt(max(x * x * (edges.x * edges.x) + y * y * (edges.y * edges.y), vec4f(1e-10)));
        lay_plain(color, paper.color.a * saturate((1.0 - r) * max(r, vec4f(1e-4)) * edge + 0.5));
    } else if paper.shape == 2u {
        let turns = 0.8276 * x + paper.start;
        let rise = wave(turns + 0.25);
        let slope = 3.2 * edges.x * rise;
        let distance = (0.34 - abs(y - 0.62 * wave(turns))) * inverseSqrt(slope * slope + edges.y * edges.y);
        // It is darker on the way down.
        lay_bent(paper, 0.82 + 0.18 * rise, paper.color.a * min(saturate(distance + 0.5), sides));
    } else {
        let slant = inverseSqrt(dot(vec2f(0.799236, 0.199809) * edges, edges));
        let legs = saturate((0.447 - 0.894 * abs(x) + 0.447 * y) * slant + 0.5);
        lay_plain(color, paper.color.a * min(legs, ends));
    }
}

fn lay_plain(color: vec3f, alpha: vec4f) {
    if any(alpha > vec4f(0.0)) {
        let above = vec4f(color, 1.0);
        sum = Four(mix(sum.a, above, alpha.x), mix(sum.b, above, alpha.y), mix(sum.c, above, alpha.z), mix(sum.d, above, alpha.w));
    }
}

fn lay_bent(paper: Paper, bend: vec4f, alpha: vec4f) {
    if any(alpha > vec4f(0.0)) {
        sum = Four(
            mix(sum.a, bent(paper, bend.x), alpha.x),
            mix(sum.b, bent(paper, bend.y), alpha.y),
            mix(sum.c, bent(paper, bend.z), alpha.z),
            mix(sum.d, bent(paper, bend.w), alpha.w),
        );
    }
}

fn bent(paper: Paper, bend: f32) -> vec4f {
    return vec4f(paper.color.rgb * bend + paper.gloss, 1.0);
}
