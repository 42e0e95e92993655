// Makes a part of a picture smaller, for what looks at a blurred version of it: each pixel is the mean
// of a cell of source texels. `shifts.xy` is the cell of the first pixel in texels, `window` what there
// is of the source: beyond it everything is transparent, or left out of the mean where it goes on
// mirrored.

@group(0) @binding(2) var<storage, read> source: array<u32>;

@compute @workgroup_size(32, 2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = params.area.x + i32(id.x);
    let y = params.area.y + i32(id.y);
    if x >= params.area.z || y >= params.area.w {
        return;
    }
    let across = i32(params.cell.x);
    let down = i32(params.cell.y);
    let window = vec4i(params.window);
    let left = x * across + i32(params.shifts.x);
    let top = y * down + i32(params.shifts.y);
    let x0 = max(left, window.x);
    let y0 = max(top, window.y);
    let x1 = min(left + across, window.z);
    let y1 = min(top + down, window.w);
    let mask = 0x00ff00ffu;
    var sum = vec4u(0u);
    for (var row = y0; row < y1; row++) {
        // Two channels at a time: a row of a cell adds up to less than half a word.
        var even = 0u;
        var odd = 0u;
        let start = u32(row) * params.strides.z;
        for (var column = x0; column < x1; column++) {
            let word = source[start + u32(column)];
            even += word & mask;
            odd += (word >> 8u) & mask;
        }
        sum += vec4u(even & 0xffffu, odd & 0xffffu, even >> 16u, odd >> 16u);
    }
    let present = u32(max(x1 - x0, 0) * max(y1 - y0, 0));
    let count = max(select(u32(across * down), present, params.cell.w != 0u), 1u);
    let mean = (sum + vec4u(count / 2u)) / vec4u(count);
    pixels[target_index(x, y)] = mean.x | (mean.y << 8u) | (mean.z << 16u) | (mean.w << 24u);
}
