// Sets every pixel of the area to one colour, whatever was there.

@compute @workgroup_size(16, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = params.area.x + i32(id.x) * 4;
    let y = params.area.y + i32(id.y);
    if y >= params.area.w {
        return;
    }
    let word = pack4x8unorm(params.color);
    let last = params.area.z - 1;
    pixels[target_index(min(x, last), y)] = word;
    pixels[target_index(min(x + 1, last), y)] = word;
    pixels[target_index(min(x + 2, last), y)] = word;
    pixels[target_index(min(x + 3, last), y)] = word;
}
