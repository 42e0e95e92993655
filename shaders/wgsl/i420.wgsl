// Converts an area of the canvas for the encoder.

@group(0) @binding(2) var<storage, read> source: array<u32>;

@compute @workgroup_size(16, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = u32(params.area.x) + id.x * 8u;
    let y = u32(params.area.y) + id.y * 2u;
    if i32(x) >= params.area.z || i32(y) >= params.area.w {
        return;
    }
    let upper = y * params.strides.z + x;
    let lower = upper + params.strides.z;
    let a0 = source[upper];
    let a1 = source[upper + 1u];
    let a2 = source[upper + 2u];
    let a3 = source[upper + 3u];
    let a4 = source[upper + 4u];
    let a5 = source[upper + 5u];
    let a6 = source[upper + 6u];
    let a7 = source[upper + 7u];
    let b0 = source[lower];
    let b1 = source[lower + 1u];
    let b2 = source[lower + 2u];
    let b3 = source[lower + 3u];
    let b4 = source[lower + 4u];
    let b5 = source[lower + 5u];
    let b6 = source[lower + 6u];
    let b7 = source[lower + 7u];
    put_luma(x, y, vec4u(
        join(luma(a0), luma(a1), luma(a2), luma(a3)),
        join(luma(a4), luma(a5), luma(a6), luma(a7)),
        join(luma(b0), luma(b1), luma(b2), luma(b3)),
        join(luma(b4), luma(b5), luma(b6), luma(b7)),
    ));
    put_chroma(
        x,
        y,
        add(a0, a1, b0, b1),
        add(a2, a3, b2, b3),
        add(a4, a5, b4, b5),
        add(a6, a7, b6, b7),
    );
}
