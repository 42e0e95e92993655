//! Passes that change pictures: colours, blurs, masks.

use kinora_shaders::{Params, Pass};

use super::kernel::Kernel;
use super::painter::{Painter, over};
use super::sprite::Sprite;
use crate::Result;

/// A function on colours without alpha: rows for red, green and blue, each with factors of red,
/// green and blue and a constant; clamped to 0 to 1 afterwards.
pub type ColorFunction = [[f32; 4]; 3];

/// One pass applies this many colour functions.
pub const FUNCTIONS_IN_A_PASS: usize = 3;

/// Colour functions in order, and a factor on alpha.
#[derive(Clone, Debug, PartialEq)]
pub struct ColorChange {
    /// What happens to colours.
    pub functions: Vec<ColorFunction>,
    /// What happens to alpha.
    pub alpha: f32,
}

impl Default for ColorChange {
    fn default() -> Self {
        Self {
            functions: Vec::new(),
            alpha: 1.0,
        }
    }
}

/// Sets the colour functions of a pass; those beyond [`FUNCTIONS_IN_A_PASS`] are left out.
pub(super) fn set_functions(params: &mut Params, functions: &[ColorFunction]) {
    let functions = &functions[..functions.len().min(FUNCTIONS_IN_A_PASS)];
    params.cell[2] = functions.len() as u32;
    let rows = functions.iter().flatten();
    for (to, row) in params.functions.iter_mut().zip(rows) {
        *to = *row;
    }
}

/// What lies beyond the edges of a picture that is blurred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// Nothing.
    Transparent,
    /// The picture again, mirrored.
    Mirrored,
}

/// A colour that becomes see-through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Red, green and blue, 0 to 1.
    pub color: [f32; 3],
    /// The direction of its Cb and Cr.
    pub toward: (f32, f32),
    /// How far from grey it is.
    pub strength: f32,
    /// Whether it is grey itself, and has no direction.
    pub is_grey: bool,
    /// Colours nearer than this vanish.
    pub near: f32,
    /// Over this distance they come back.
    pub soft: f32,
    /// Share of its light that is taken out of what stays.
    pub spill: f32,
}

impl Painter<'_> {
    /// Makes a sprite empty.
    pub fn clear(&mut self, target: &Sprite) {
        self.fill(target, kinora_composition::css::Color::TRANSPARENT);
    }

    /// Changes the colours of a sprite.
    pub fn colors(&mut self, sprite: &Sprite, change: &ColorChange) {
        let mut chunks = change.functions.chunks(FUNCTIONS_IN_A_PASS).peekable();
        if chunks.peek().is_none() && change.alpha == 1.0 {
            return;
        }
        let mut alpha = change.alpha;
        loop {
            let mut params = over(sprite);
            set_functions(&mut params, chunks.next().unwrap_or_default());
            params.box_size[3] = std::mem::replace(&mut alpha, 1.0);
            self.push(Pass::Colors, &params, &sprite.buffer, &[]);
            if chunks.peek().is_none() {
                return;
            }
        }
    }

    /// Leaves what a mask of the same size covers.
    pub fn mask(&mut self, sprite: &Sprite, mask: &Sprite) {
        debug_assert_eq!((sprite.width, sprite.height), (mask.width, mask.height));
        self.push(Pass::Mask, &over(sprite), &sprite.buffer, &[&mask.buffer]);
    }

    /// Fades one picture into another of its size: `share` of 255 is seen of the one that comes.
    pub fn mix(&mut self, target: &Sprite, going: &Sprite, coming: &Sprite, share: u8) {
        debug_assert!(
            [going, coming].map(|s| (s.width, s.height)) == [(target.width, target.height); 2],
            "pictures that fade are of one size"
        );
        let mut params = over(target);
        params.box_size[2] = f32::from(share);
        let sources = [&going.buffer, &coming.buffer];
        self.push(Pass::Mix, &params, &target.buffer, &sources);
    }

    /// Makes a colour see-through.
    pub fn key(&mut self, sprite: &Sprite, key: &Key) {
        let mut params = over(sprite);
        let [red, green, blue] = key.color;
        params.color = [key.toward.0, key.toward.1, key.near, key.strength];
        params.box_size = [
            key.soft.max(1e-4),
            key.spill,
            f32::from(u8::from(key.is_grey)),
            0.0,
        ];
        params.functions[0] = [red, green, blue, 0.0];
        self.push(Pass::Key, &params, &sprite.buffer, &[]);
    }

    /// The part `window` of a picture (left, top, right, bottom), smaller by whole factors: its first
    /// pixel is the mean of the cell whose corner is `from`.
    pub fn shrink(
        &mut self,
        target: &Sprite,
        source: &Sprite,
        window: [i32; 4],
        from: (i32, i32),
        cell: (u32, u32),
        beyond: Beyond,
    ) {
        let mut params = over(target);
        params.strides[2] = source.stride;
        params.window = window.map(|edge| edge as f32);
        params.shifts = [from.0 as f32, from.1 as f32, 0.0, 0.0];
        params.cell = [cell.0, cell.1, 0, u32::from(beyond == Beyond::Mirrored)];
        self.push_reading(
            Pass::Shrink,
            &params,
            &target.buffer,
            &[&source.buffer],
            window,
        );
    }

    /// Blurs a sprite across and down, each by its kernel's weights. The result is larger by the
    /// kernels' reach on each side, or of the same size where the picture goes on mirrored.
    pub fn blur(
        &mut self,
        sprite: &Sprite,
        kernels: [Option<&Kernel>; 2],
        beyond: Beyond,
    ) -> Result<Sprite> {
        let reach = |kernel: Option<&Kernel>| match beyond {
            Beyond::Transparent => kernel.map_or(0, |kernel| kernel.reach),
            Beyond::Mirrored => 0,
        };
        let [across, down] = kernels.map(reach);
        let wide = Sprite::new(self.gpu(), sprite.width + 2 * across, sprite.height)?;
        self.blur_line(&wide, sprite, kernels[0], (1, 0), (across, 0), beyond);
        let both = Sprite::new(self.gpu(), wide.width, wide.height + 2 * down)?;
        self.blur_line(&both, &wide, kernels[1], (0, 1), (0, down), beyond);
        Ok(both)
    }

    fn blur_line(
        &mut self,
        target: &Sprite,
        source: &Sprite,
        kernel: Option<&Kernel>,
        step: (i32, i32),
        margin: (u32, u32),
        beyond: Beyond,
    ) {
        const NO_BLUR: [f32; super::kernel::MOST_WEIGHTS] = {
            let mut weights = [0.0; super::kernel::MOST_WEIGHTS];
            weights[0] = 1.0;
            weights
        };
        let weights = kernel.map_or(NO_BLUR, |kernel| kernel.weights);
        let four = |first: usize| std::array::from_fn(|index| weights[first + index]);
        let mut params = over(target);
        params.strides[2] = source.stride;
        params.window = [0.0, 0.0, source.width as f32, source.height as f32];
        params.shifts = [
            -(margin.0 as f32),
            -(margin.1 as f32),
            step.0 as f32,
            step.1 as f32,
        ];
        params.to_source = four(0);
        params.to_box = four(4);
        params.radii_x = four(8);
        params.radii_y = four(12);
        params.cell[3] = u32::from(beyond == Beyond::Mirrored);
        self.push(Pass::Blur, &params, &target.buffer, &[&source.buffer]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::Gpu;

    /// A blur by its definition: every pixel the weighted sum of its row, then of its column.
    fn twin(pixels: &[u8], (width, height): (usize, usize), kernel: &Kernel) -> Vec<u8> {
        let reach = kernel.reach as usize;
        let (wide, high) = (width + 2 * reach, height + 2 * reach);
        let weight = |a: usize, b: usize| kernel.weights.get(a.abs_diff(b)).copied().unwrap_or(0.0);
        let mut result = Vec::new();
        for y in 0..high {
            for x in 0..wide {
                for channel in 0..4 {
                    let mut sum = 0.0;
                    for row in 0..height {
                        for column in 0..width {
                            let value = f32::from(pixels[(row * width + column) * 4 + channel]);
                            sum += value * weight(x, column + reach) * weight(y, row + reach);
                        }
                    }
                    result.push(sum.round() as u8);
                }
            }
        }
        result
    }

    #[tokio::test]
    async fn a_blur_spreads_every_pixel_by_its_weights() {
        let gpu = Gpu::open().await.expect("an adapter");
        let (width, height) = (13, 9);
        let pixels: Vec<u8> = (0..width * height)
            .flat_map(|i| [(i * 37 % 200) as u8, (i * 11 % 200) as u8, 90, 200])
            .collect();
        for sigma in [0.7, 1.5, 2.0, 3.5] {
            let kernel = Kernel::new(sigma).expect("a blur");
            assert_eq!(kernel.factor, 1);
            let sprite = Sprite::upload(&gpu, width, height, &pixels).expect("a sprite");
            let mut painter = Painter::new(&gpu);
            let kernels = [Some(&kernel), Some(&kernel)];
            let blurred = painter
                .blur(&sprite, kernels, Beyond::Transparent)
                .expect("a sprite");
            painter.submit();
            let found = blurred.download(&gpu).expect("pixels");
            let expected = twin(&pixels, (width as usize, height as usize), &kernel);
            assert_eq!(found.len(), expected.len());
            for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
                assert!(found.abs_diff(expected) <= 1, "{sigma}: byte {index}");
            }
        }
    }

    #[tokio::test]
    async fn a_mirrored_picture_keeps_its_size_and_its_mean() {
        let gpu = Gpu::open().await.expect("an adapter");
        let pixels = [[255; 4]; 20 * 10].concat();
        let sprite = Sprite::upload(&gpu, 20, 10, &pixels).expect("a sprite");
        let mut painter = Painter::new(&gpu);
        let kernel = Kernel::new(3.0).expect("a blur");
        let kernels = [Some(&kernel), Some(&kernel)];
        let blurred = painter
            .blur(&sprite, kernels, Beyond::Mirrored)
            .expect("a sprite");
        painter.submit();
        let found = blurred.download(&gpu).expect("pixels");
        assert_eq!(found.len(), pixels.len());
        assert!(found.iter().all(|byte| *byte >= 254));
    }

    #[tokio::test]
    async fn colours_change_by_one_function_after_another_and_clamp_between() {
        let gpu = Gpu::open().await.expect("an adapter");
        let times = |factor: f32| -> ColorFunction {
            [
                [factor, 0.0, 0.0, 0.0],
                [0.0, factor, 0.0, 0.0],
                [0.0, 0.0, factor, 0.0],
            ]
        };
        let invert: ColorFunction = [
            [-1.0, 0.0, 0.0, 1.0],
            [0.0, -1.0, 0.0, 1.0],
            [0.0, 0.0, -1.0, 1.0],
        ];
        let change = |functions: &[ColorFunction], alpha: f32| ColorChange {
            functions: functions.to_vec(),
            alpha,
        };
        // Half transparent: 200 of 255 stands for a colour of 100 by alpha 128.
        let pixels = [[100, 20, 0, 128], [0, 0, 0, 0], [250, 250, 250, 255]].concat();
        for (change, expected) in [
            (
                change(&[times(0.5)], 1.0),
                [[50, 10, 0, 128], [0; 4], [125, 125, 125, 255]],
            ),
            (
                change(&[times(2.0), invert, times(0.5), invert], 0.5),
                [[64, 42, 32, 64], [0; 4], [128, 128, 128, 128]],
            ),
            (
                change(&[], 0.5),
                [[50, 10, 0, 64], [0; 4], [125, 125, 125, 128]],
            ),
        ] {
            let sprite = Sprite::upload(&gpu, 3, 1, &pixels).expect("a sprite");
            let mut painter = Painter::new(&gpu);
            painter.colors(&sprite, &change);
            painter.submit();
            let found = sprite.download(&gpu).expect("pixels");
            for (found, expected) in found.iter().zip(expected.concat()) {
                assert!(
                    found.abs_diff(expected) <= 1,
                    "{change:?}: {found} {expected}"
                );
            }
        }
    }
}
