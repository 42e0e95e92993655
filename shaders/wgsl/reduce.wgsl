// Makes a picture smaller by whole factors: each pixel is the mean of a cell of source texels, in
// whole numbers, rounded. Alpha is premultiplied, so the mean of words is the mean of what is seen.

@group(0) @binding(2) var<storage, read> source: array<u32>;

@compute @workgroup_size(32, 2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = params.area.x + i32(id.x);
    let y = params.area.y + i32(id.y);
    if x >= params.area.z || y >= params.area.w {
        return;
    }
    let across = params.cell.x;
    let down = params.cell.y;
    var row = u32(y) * down * params.strides.z + u32(x) * across;
    let mask = 0x00ff00ffu;
    var sum = vec4u(0u);
    for (var i = 0u; i < down; i++) {
        // Two channels at a time: a row of a cell adds up to less than half a word.
        var even = 0u;
        var odd = 0u;
        for (var texel = row; texel < row + across; texel++) {
            let word = source[texel];
            even += word & mask;
            odd += (word >> 8u) & mask;
        }
        sum += vec4u(even & 0xffffu, odd & 0xffffu, even >> 16u, odd >> 16u);
        row += params.strides.z;
    }
    let count = across * down;
    let mean = (sum + vec4u(count / 2u)) / vec4u(count);
    pixels[target_index(x, y)] = mean.x | (mean.y << 8u) | (mean.z << 16u) | (mean.w << 24u);
}
