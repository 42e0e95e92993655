// Puts marks into the bins that they touch. The first variant tells which words there will be and empties
// them, the second one fills them: what was in them before need not be wiped out everywhere.

@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read> marks: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let index = id.x;
    if index >= params.cell.z {
        return;
    }
    let first = index * MARK_VECTORS;
    let map = marks[first + 1u];
    let area = map.x * map.w - map.y * map.z;
    if !(marks[first + 2u].a > 0.0 && abs(area) > 1e-12) {
        return;
    }
    let reach = marks[first + 4u];
    // In its own units, with the pixel that antialiasing adds.
    let middle = 0.5 * (reach.xy + reach.zw);
    let extent = 0.5 * abs(reach.zw - reach.xy) + footprint(map);
    // In pixels from where bins begin.
    let place = marks[first].xy - params.shifts.xy;
    let back = vec4f(map.w, -map.y, -map.z, map.x) / area;
    let center = place + back.xy * middle.x + back.zw * middle.y;
    let far = abs(back.xy) * extent.x + abs(back.zw) * extent.y;
    let side = vec2f(vec2u(BIN_ACROSS, BIN_DOWN) << vec2u(params.cell.y));
    let most = vec2f(vec2u(params.cell.x, params.cell.w));
    let low = vec2u(clamp(floor((center - far) / side), vec2f(0.0), most));
    let high = vec2u(clamp(ceil((center + far) / side), vec2f(0.0), most));
    // How far a bin reaches out from its own middle, in units of the mark.
    let room = extent + 0.5 * vec2f(dot(abs(map.xz), side), dot(abs(map.yw), side));
    let word = index / 32u;
    let words = bin_words();
    let groups = bin_groups();
    let behind = first_bin_word();
    for (var row = low.y; row < high.y; row++) {
        for (var column = low.x; column < high.x; column++) {
            let offset = (vec2f(vec2u(column, row)) + 0.5) * side - place;
            let at = vec2f(dot(map.xz, offset), dot(map.yw, offset));
            if any(abs(at - middle) > room) {
                continue;
            }
            let bin = row * params.cell.x + column;
            if variant == 0u {
                let group = word / 32u;
                atomicOr(&bins[bin * (1u + groups)], 1u << (group / groups_at_once()));
                atomicOr(&bins[bin * (1u + groups) + 1u + group], 1u << (word % 32u));
                atomicStore(&bins[behind + bin * words + word], 0u);
            } else {
                atomicOr(&bins[behind + bin * words + word], 1u << (index % 32u));
            }
        }
    }
}
