// Puts a planar 4:2:0 picture onto the target, texel for pixel. Chroma is repeated, so that
// converting back to 4:2:0 gives the source's own samples.

fn put(at: u32, luma: u32, left: Tint, right: Tint) {
    pixels[at] = color(byte(luma, 0u), left);
    pixels[at + 1u] = color(byte(luma, 1u), left);
    pixels[at + 2u] = color(byte(luma, 2u), right);
    pixels[at + 3u] = color(byte(luma, 3u), right);
}

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
