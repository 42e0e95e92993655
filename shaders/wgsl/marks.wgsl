// Marks, from the first to the last: each invocation blends those in its bin, and what comes of them
// goes onto the target once. It has four pixels in a row, for which a mark is read once.

// Marks; then what they refer to.
@group(0) @binding(2) var<storage, read> marks: array<vec4f>;
@group(0) @binding(3) var<storage, read> bins: array<u32>;

// Smoothly from 0 at one number to 1 at another, which may be the smaller one.
fn ramp(start: f32, end: f32, x: f32) -> f32 {
    let t = clamp((x - start) / (end - start), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

// A colour that covers; `light` of it adds to what is below instead.
fn shone(color: vec3f, alpha: f32, light: f32) -> vec4f {
    return vec4f(color * alpha, alpha * (1.0 - light));
}

fn lay(x: i32, y: i32, sum: vec4f) {
    if x >= params.area.z {
        return;
    }
    let at = to_box(f32(x) + 0.5, f32(y) + 0.5);
    let coverage = edge_coverage(at, vec2f(0.0), params.box_size.xy, footprint(params.to_box));
    let above = min(sum, vec4f(1.0)) * (coverage * params.box_size.z);
    let index = target_index(x, y);
    let color = min(above + unpack4x8unorm(pixels[index]) * (1.0 - above.a), vec4f(1.0));
    // Light needs something to be seen on: where nothing was, it covers.
    let alpha = max(color.a, max(color.r, max(color.g, color.b)));
    pixels[index] = pack4x8unorm(vec4f(color.rgb, alpha));
}

@compute @workgroup_size(4, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = params.area.x + 4 * i32(id.x);
    let y = params.area.y + i32(id.y);
    if x >= params.area.z || y >= params.area.w {
        return;
    }
    // Bins begin where the marks do, of which only a part may be drawn.
    let from_first = vec2u(vec2i(x, y) - vec2i(params.shifts.xy));
    let place = (from_first / vec2u(BIN_ACROSS, BIN_DOWN)) >> vec2u(params.cell.y);
    let bin = place.y * params.cell.x + place.x;
    let groups = bin_groups();
    let at_once = groups_at_once();
    let first_group = bin * (1u + groups);
    let first_word = first_bin_word() + bin * bin_words();
    let p = vec2f(f32(x) + 0.5, f32(y) + 0.5);
    var a = vec4f(0.0);
    var b = vec4f(0.0);
    var c = vec4f(0.0);
    var d = vec4f(0.0);
    var full = bins[first_group];
    while full != 0u {
        let first = firstTrailingBit(full) * at_once;
        full &= full - 1u;
        for (var group = first; group < min(first + at_once, groups); group++) {
            var rest = bins[first_group + 1u + group];
            while rest != 0u {
                let word = group * 32u + firstTrailingBit(rest);
                rest &= rest - 1u;
                var bits = bins[first_word + word];
                while bits != 0u {
                    let k = (word * 32u + firstTrailingBit(bits)) * MARK_VECTORS;
                    bits &= bits - 1u;
                    let mark = Mark(marks[k], marks[k + 1u], marks[k + 2u], marks[k + 3u], marks[k + 4u]);
                    let offset = p - mark.place.xy;
                    let at = vec2f(dot(mark.map.xz, offset), dot(mark.map.yw, offset));
                    let along = mark.map.xy;
                    let measured = measure(mark, at, along);
                    a = joined(a, shade(mark, at, measured.x), mark);
                    b = joined(b, shade(mark, at + along, measured.y), mark);
                    c = joined(c, shade(mark, at + 2.0 * along, measured.z), mark);
                    d = joined(d, shade(mark, at + 3.0 * along, measured.w), mark);
                }
            }
        }
    }
    if all(a + b + c + d == vec4f(0.0)) {
        return;
    }
    lay(x, y, a);
    lay(x + 1, y, b);
    lay(x + 2, y, c);
    lay(x + 3, y, d);
}
