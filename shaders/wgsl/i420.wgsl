// Converts the canvas to planar 4:2:0, BT.709, limited range: what the encoder takes.

@group(0) @binding(2) var<storage, read> source: array<u32>;

const LUMA = vec3f(0.182586, 0.614231, 0.062007);
const CB = vec3f(-0.100644, -0.338572, 0.439216);
const CR = vec3f(0.439216, -0.398942, -0.040274);

fn canvas(x: u32, y: u32) -> vec3f {
    // A canvas whose width is no multiple of eight repeats its last column for the padding.
    return unpack4x8unorm(source[y * params.strides.z + min(x, u32(params.area.z) - 1u)]).rgb;
}

struct Row {
    luma: vec4f,
    // Sums of two neighbouring pixels.
    left: vec3f,
    right: vec3f,
}

fn row(x: u32, y: u32) -> Row {
    let a = canvas(x, y);
    let b = canvas(x + 1u, y);
    let c = canvas(x + 2u, y);
    let d = canvas(x + 3u, y);
    let luma = vec4f(dot(a, LUMA), dot(b, LUMA), dot(c, LUMA), dot(d, LUMA)) + 16.0 / 255.0;
    return Row(luma, a + b, c + d);
}

@compute @workgroup_size(16, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = id.x * 8u;
    let y = id.y * 2u;
    if i32(x) >= params.area.z || i32(y) >= params.area.w {
        return;
    }
    let upper_a = row(x, y);
    let upper_b = row(x + 4u, y);
    let lower_a = row(x, y + 1u);
    let lower_b = row(x + 4u, y + 1u);
    let luma = y * params.strides.x + x / 4u;
    pixels[luma] = pack4x8unorm(upper_a.luma);
    pixels[luma + 1u] = pack4x8unorm(upper_b.luma);
    pixels[luma + params.strides.x] = pack4x8unorm(lower_a.luma);
    pixels[luma + params.strides.x + 1u] = pack4x8unorm(lower_b.luma);
    let p = (upper_a.left + lower_a.left) * 0.25;
    let q = (upper_a.right + lower_a.right) * 0.25;
    let r = (upper_b.left + lower_b.left) * 0.25;
    let s = (upper_b.right + lower_b.right) * 0.25;
    let chroma = id.y * params.strides.w + id.x;
    let grey = 128.0 / 255.0;
    pixels[params.planes.x + chroma] = pack4x8unorm(vec4f(dot(p, CB), dot(q, CB), dot(r, CB), dot(s, CB)) + grey);
    pixels[params.planes.y + chroma] = pack4x8unorm(vec4f(dot(p, CR), dot(q, CR), dot(r, CR), dot(s, CR)) + grey);
}
