// Takes a planar 4:2:0 picture, with a sprite of the canvas's layout over it, to the encoder's frame
// without touching the canvas: for areas where nothing else is drawn. Bit for bit what drawing on
// the canvas and converting it gives.

@group(0) @binding(3) var<storage, read> above: array<u32>;

fn shade(word: u32, index: u32, tint: Tint, at: u32) -> u32 {
    return over(color(byte(word, index), tint), above[at + index]);
}

@compute @workgroup_size(16, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = params.area.x + i32(id.x) * 8;
    let y = params.area.y + i32(id.y) * 2;
    if x >= params.area.z || y >= params.area.w {
        return;
    }
    let block = block(x, y);
    let a = tint(block.cb, block.cr, 0u);
    let b = tint(block.cb, block.cr, 1u);
    let c = tint(block.cb, block.cr, 2u);
    let d = tint(block.cb, block.cr, 3u);
    let upper = target_index(x, y);
    let lower = upper + params.strides.x;
    let a0 = shade(block.luma.x, 0u, a, upper);
    let a1 = shade(block.luma.x, 1u, a, upper);
    let a2 = shade(block.luma.x, 2u, b, upper);
    let a3 = shade(block.luma.x, 3u, b, upper);
    let a4 = shade(block.luma.y, 0u, c, upper + 4u);
    let a5 = shade(block.luma.y, 1u, c, upper + 4u);
    let a6 = shade(block.luma.y, 2u, d, upper + 4u);
    let a7 = shade(block.luma.y, 3u, d, upper + 4u);
    let b0 = shade(block.luma.z, 0u, a, lower);
    let b1 = shade(block.luma.z, 1u, a, lower);
    let b2 = shade(block.luma.z, 2u, b, lower);
    let b3 = shade(block.luma.z, 3u, b, lower);
    let b4 = shade(block.luma.w, 0u, c, lower + 4u);
    let b5 = shade(block.luma.w, 1u, c, lower + 4u);
    let b6 = shade(block.luma.w, 2u, d, lower + 4u);
    let b7 = shade(block.luma.w, 3u, d, lower + 4u);
    put_luma(u32(x), u32(y), vec4u(
        join(luma(a0), luma(a1), luma(a2), luma(a3)),
        join(luma(a4), luma(a5), luma(a6), luma(a7)),
        join(luma(b0), luma(b1), luma(b2), luma(b3)),
        join(luma(b4), luma(b5), luma(b6), luma(b7)),
    ));
    put_chroma(
        u32(x),
        u32(y),
        add(a0, a1, b0, b1),
        add(a2, a3, b2, b3),
        add(a4, a5, b4, b5),
        add(a6, a7, b6, b7),
    );
}
