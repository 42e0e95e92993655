// Fades one sprite into another, both of the target's layout: each channel, alpha too, goes straight from one to the other.

@group(0) @binding(2) var<storage, read> going: array<u32>;
@group(0) @binding(3) var<storage, read> coming: array<u32>;

// Two channels of each at a time, with weights that make 255.
fn halves(first: u32, second: u32, share: u32) -> u32 {
    let sum = (first & 0x00ff00ffu) * (255u - share) + (second & 0x00ff00ffu) * share + 0x00800080u;
    return ((sum + ((sum >> 8u) & 0x00ff00ffu)) >> 8u) & 0x00ff00ffu;
}

fn fade(at: u32, share: u32) {
    let first = going[at];
    let second = coming[at];
    pixels[at] = halves(first, second, share) | (halves(first >> 8u, second >> 8u, share) << 8u);
}

@compute @workgroup_size(16, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = params.area.x + i32(id.x) * 4;
    let y = params.area.y + i32(id.y);
    if x >= params.area.z || y >= params.area.w {
        return;
    }
    // Beyond the area is padding.
    let at = target_index(x, y);
    let share = u32(params.box_size.z);
    fade(at, share);
    fade(at + 1u, share);
    fade(at + 2u, share);
    fade(at + 3u, share);
}
