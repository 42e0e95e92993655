//! Makes finished frames smaller, for previews.

use super::{Gpu, Painter, Sprite};
use crate::Result;

/// An encoder takes nothing smaller.
const SMALLEST_SIDE: u32 = 2;
/// A pixel is summed up in one loop, and software adapters end loops after 65,535 turns. No preview
/// of the largest composition is as small as this makes it.
const LARGEST_FACTOR: u32 = 128;

/// How much smaller a picture becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduction {
    width: u32,
    height: u32,
    across: u32,
    down: u32,
}

impl Reduction {
    /// Divides each side of a picture by `factor`. Sides stay even, as encoders want them: a last
    /// odd row or column is dropped. Factors of 0 and 1 leave the picture as it is; those beyond
    /// [`LARGEST_FACTOR`] count as that.
    pub fn new((width, height): (u32, u32), factor: u32) -> Self {
        let factor = factor.clamp(1, LARGEST_FACTOR);
        let factor_of = |side: u32| factor.min(side / SMALLEST_SIDE).max(1);
        let (across, down) = (factor_of(width), factor_of(height));
        let reduced = |side: u32, factor: u32| {
            if factor == 1 {
                side
            } else {
                side / factor / 2 * 2
            }
        };
        Self {
            width: reduced(width, across),
            height: reduced(height, down),
            across,
            down,
        }
    }

    /// Width and height of the smaller picture.
    pub fn size(self) -> (u32, u32) {
        (self.width, self.height)
    }

    fn is_nothing(self) -> bool {
        (self.across, self.down) == (1, 1)
    }
}

/// Holds the smaller picture of a canvas, where there is one.
pub struct Reducer {
    reduction: Reduction,
    small: Option<Sprite>,
}

impl Reducer {
    /// A reducer for canvases of the size that the reduction was made for.
    pub fn new(gpu: &Gpu, reduction: Reduction) -> Result<Self> {
        let small = if reduction.is_nothing() {
            None
        } else {
            Some(Sprite::new(gpu, reduction.width, reduction.height)?)
        };
        Ok(Self { reduction, small })
    }

    /// Queues what makes a drawn canvas smaller; answers what shows the frame then.
    pub fn apply<'a>(&'a self, painter: &mut Painter<'_>, canvas: &'a Sprite) -> &'a Sprite {
        let Some(small) = &self.small else {
            return canvas;
        };
        let Reduction { across, down, .. } = self.reduction;
        painter.reduce(small, canvas, (across, down));
        small
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_divided_and_stay_even_and_visible() {
        for (size, factor, expected) in [
            ((1920, 1080), 0, (1920, 1080)),
            ((1920, 1080), 1, (1920, 1080)),
            ((1920, 1080), 3, (640, 360)),
            ((1080, 1920), 4, (270, 480)),
            ((1278, 718), 4, (318, 178)),
            ((16, 16), 3, (4, 4)),
            ((16, 7680), 16, (2, 480)),
            ((16, 16), u32::MAX, (2, 2)),
            ((7680, 4320), u32::MAX, (60, 32)),
        ] {
            assert_eq!(
                Reduction::new(size, factor).size(),
                expected,
                "{size:?} by {factor}"
            );
        }
    }

    /// The mean of each cell, by its definition.
    fn twin(pixels: &[u8], width: usize, cell: (usize, usize), small: (usize, usize)) -> Vec<u8> {
        let mut means = Vec::new();
        for y in 0..small.1 {
            for x in 0..small.0 {
                for channel in 0..4 {
                    let mut sum = 0.0;
                    for row in y * cell.1..(y + 1) * cell.1 {
                        for column in x * cell.0..(x + 1) * cell.0 {
                            sum += f64::from(pixels[(row * width + column) * 4 + channel]);
                        }
                    }
                    means.push((sum / (cell.0 * cell.1) as f64).round() as u8);
                }
            }
        }
        means
    }

    /// Premultiplied pixels without any order, the same each time.
    fn noise(width: u32, height: u32) -> Vec<u8> {
        let mut state = 0x2545_f491_u32;
        let mut pixels = Vec::new();
        for _ in 0..width * height {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            let [r, g, b, a] = state.to_le_bytes();
            pixels.extend([r.min(a), g.min(a), b.min(a), a]);
        }
        pixels
    }

    #[tokio::test]
    async fn every_pixel_is_the_rounded_mean_of_its_cell() {
        let gpu = Gpu::open().await.expect("an adapter");
        for (width, height, factor) in [
            (96, 54, 2),
            (97, 55, 3),
            (130, 46, 4),
            (40, 300, 20),
            (513, 400, LARGEST_FACTOR),
        ] {
            let pixels = noise(width, height);
            let canvas = Sprite::upload(&gpu, width, height, &pixels).expect("a sprite");
            let reduction = Reduction::new((width, height), factor);
            let reducer = Reducer::new(&gpu, reduction).expect("a reducer");
            let mut painter = Painter::new(&gpu);
            let small = reducer.apply(&mut painter, &canvas);
            painter.submit();
            let found = small.download(&gpu).expect("pixels");
            let size = (small.width as usize, small.height as usize);
            assert_eq!((small.width, small.height), reduction.size());
            let cell = (reduction.across as usize, reduction.down as usize);
            assert!(
                found == twin(&pixels, width as usize, cell, size),
                "{width} × {height} by {factor}"
            );
        }
    }

    #[tokio::test]
    async fn a_factor_of_one_shows_the_canvas_itself() {
        let gpu = Gpu::open().await.expect("an adapter");
        let canvas = Sprite::new(&gpu, 16, 16).expect("a sprite");
        let reducer = Reducer::new(&gpu, Reduction::new((16, 16), 1)).expect("a reducer");
        let shown = reducer.apply(&mut Painter::new(&gpu), &canvas);
        assert!(std::ptr::eq(shown, &raw const canvas));
    }
}
