// Puts a planar picture block by block, as `put` says.

// The area is made of whole blocks of 8 × 2 pixels, and so is the shift between target and source.
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
    let at = target_index(x, y);
    let below = at + params.strides.x;
    put(at, block.luma.x, a, b);
    put(at + 4u, block.luma.y, c, d);
    put(below, block.luma.z, a, b);
    put(below + 4u, block.luma.w, c, d);
}
