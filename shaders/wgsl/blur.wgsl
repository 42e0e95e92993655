// One direction of a Gaussian blur; `to_source.xy` is the step, (1, 0) or (0, 1).

@group(0) @binding(2) var<storage, read> source: array<u32>;

fn texel(x: i32, y: i32) -> vec4f {
    let is_inside = x >= 0 && y >= 0 && x < params.area.z && y < params.area.w;
    let index = u32(clamp(y, 0, params.area.w - 1)) * params.strides.z + u32(clamp(x, 0, params.area.z - 1));
    return select(vec4f(0.0), unpack4x8unorm(source[index]), is_inside);
}

@compute @workgroup_size(32, 2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = i32(id.x);
    let y = i32(id.y);
    if x >= params.area.z || y >= params.area.w {
        return;
    }
    let step = vec2i(params.to_source.xy);
    let sigma = params.box_size.w;
    let reach = i32(ceil(sigma * 3.0));
    var sum = texel(x, y);
    var weights = 1.0;
    for (var i = 1; i <= reach; i++) {
        let weight = exp(-0.5 * f32(i * i) / (sigma * sigma));
        sum += (texel(x + step.x * i, y + step.y * i) + texel(x - step.x * i, y - step.y * i)) * weight;
        weights += 2.0 * weight;
    }
    pixels[target_index(x, y)] = pack4x8unorm(sum / weights);
}
