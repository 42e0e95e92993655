// Which marks touch which part of a target. A bin is a small rectangle with marks, in whatever order they came to it: a list
// of their numbers, or a shelf of what is needed of them. `planes` says how many bins are in a row, how many rows there are, how many
// marks each has room for, and how many marks there are; `luma` where the first bin begins (x, y), and lists or shelves in
// memory (z). The numbers of marks that came to each bin lie by themselves, before the lists. Bins are empty before marks
// come: whoever blends these takes the numbers away. `BIN` says how large bins are in pixels.

// Where a mark is among bins: those from `low` to before `high` may touch it.
struct Whereabouts {
    low: vec2u,
    high: vec2u,
    // Its middle in pixels from where bins begin.
    place: vec2f,
    // How far the middle of a bin may be away, in units of the mark.
    room: vec2f,
}

fn whereabouts(mark: Mark) -> Whereabouts {
    let map = mark.map;
    let area = map.x * map.w - map.y * map.z;
    let place = mark.place.xy - vec2f(params.luma.xy);
    if !(mark.color.a > 0.0 && abs(area) > 1e-12) {
        return Whereabouts(vec2u(0u), vec2u(0u), place, vec2f(0.0));
    }
    let back = vec4f(map.w, -map.y, -map.z, map.x) / area;
    let middle = mark.reach.xy;
    let extent = mark.reach.zw;
    let center = place + back.xy * middle.x + back.zw * middle.y;
    let far = abs(back.xy) * extent.x + abs(back.zw) * extent.y;
    let most = vec2f(params.planes.xy);
    let low = vec2u(clamp(floor((center - far) / BIN), vec2f(0.0), most));
    let high = vec2u(clamp(ceil((center + far) / BIN), vec2f(0.0), most));
    let room = extent + 0.5 * (abs(map.xy) * BIN.x + abs(map.zw) * BIN.y);
    return Whereabouts(low, high, place, room);
}

// Whether a mark touches one of the bins between.
fn is_met(mark: Mark, there: Whereabouts, bin: vec2u) -> bool {
    let offset = (vec2f(bin) + 0.5) * BIN - there.place;
    let at = vec2f(dot(mark.map.xz, offset), dot(mark.map.yw, offset));
    return all(abs(at - mark.reach.xy) <= there.room);
}

