// Puts a planar 4:2:0 picture onto the target, texel for pixel, with a sprite of the target's own
// layout over it: what would be two passes over the whole canvas is one.

@group(0) @binding(3) var<storage, read> above: array<u32>;

fn put(at: u32, luma: u32, left: Tint, right: Tint) {
    pixels[at] = over(color(byte(luma, 0u), left), above[at]);
    pixels[at + 1u] = over(color(byte(luma, 1u), left), above[at + 1u]);
    pixels[at + 2u] = over(color(byte(luma, 2u), right), above[at + 2u]);
    pixels[at + 3u] = over(color(byte(luma, 3u), right), above[at + 3u]);
}
