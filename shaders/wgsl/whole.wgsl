// Marks that are held as they are, and blended pixel by pixel.

const HELD_VECTORS: u32 = MARK_VECTORS;

fn hold(slot: u32, mark: Mark, corner: vec2f) {
    let first = slot * HELD_VECTORS;
    at_hand[first] = mark.place;
    at_hand[first + 1u] = mark.map;
    at_hand[first + 2u] = mark.color;
    at_hand[first + 3u] = mark.look;
    at_hand[first + 4u] = mark.reach;
}

fn add_held(slot: u32, p: vec2f, corner: vec2f) {
    let k = slot * HELD_VECTORS;
    let mark = Mark(at_hand[k], at_hand[k + 1u], at_hand[k + 2u], at_hand[k + 3u], at_hand[k + 4u]);
    if !is_missed(mark, p) {
        add(mark, p);
    }
}

// Whether a mark touches none of four pixels.
fn is_missed(mark: Mark, p: vec2f) -> bool {
    let offset = p + vec2f(1.5, 0.0) - mark.place.xy;
    let at = vec2f(dot(mark.map.xz, offset), dot(mark.map.yw, offset));
    return any(abs(at - mark.reach.xy) > mark.reach.zw + 1.5 * abs(mark.map.xy));
}

// Puts a mark over those before it, where `p` is the middle of the first pixel.
fn add(mark: Mark, p: vec2f) {
    let offset = p - mark.place.xy;
    let at = vec2f(dot(mark.map.xz, offset), dot(mark.map.yw, offset));
    let along = mark.map.xy;
    let measured = measure(mark, at, along);
    sum = Four(
        joined(sum.a, shade(mark, at, measured.x), mark),
        joined(sum.b, shade(mark, at + along, measured.y), mark),
        joined(sum.c, shade(mark, at + 2.0 * along, measured.z), mark),
        joined(sum.d, shade(mark, at + 3.0 * along, measured.w), mark),
    );
}
