// Puts a planar 4:2:0 picture onto the target, texel for pixel. Chroma is repeated, so that
// converting back to 4:2:0 gives the source's own samples.

fn put(at: u32, luma: u32, left: Tint, right: Tint) {
    pixels[at] = color(byte(luma, 0u), left);
    pixels[at + 1u] = color(byte(luma, 1u), left);
    pixels[at + 2u] = color(byte(luma, 2u), right);
    pixels[at + 3u] = color(byte(luma, 3u), right);
}
