//! A picture at its own size and at halves of it, so that a shrunken one does not shimmer.

use kinora_composition::timeline::{Affine, Projection};

use crate::Result;
use crate::gpu::{Gpu, Painter, Placement, Sprite};
use crate::media::DecodedImage;

/// The sizes of a picture that have been needed so far.
pub(super) struct Levels {
    /// From the full size down.
    sprites: Vec<Sprite>,
    /// The smallest of them, from which the next is made.
    smallest: DecodedImage,
}

impl Levels {
    pub(super) fn new(gpu: &Gpu, mut image: DecodedImage) -> Result<Self> {
        while image.width.max(image.height) > gpu.max_side() {
            image = halved(&image);
        }
        Ok(Self {
            sprites: vec![upload(gpu, &image)?],
            smallest: image,
        })
    }

    pub(super) fn full(&self) -> &Sprite {
        &self.sprites[0]
    }

    /// Draws the picture, given where its full size goes and whether it stays there.
    pub(super) fn draw(
        &mut self,
        painter: &mut Painter<'_>,
        canvas: &Sprite,
        mut placement: Placement,
        is_settled: bool,
    ) -> Result<()> {
        let level = self.level_for(placement.to_target);
        while self.sprites.len() <= level {
            self.smallest = halved(&self.smallest);
            self.sprites.push(upload(painter.gpu(), &self.smallest)?);
        }
        let (full, sprite) = (self.full(), &self.sprites[level]);
        let (x, y) = (
            full.width as f32 / sprite.width as f32,
            full.height as f32 / sprite.height as f32,
        );
        placement.to_target = placement.to_target.then_inner(Affine::scale(x, y));
        let [left, top, right, bottom] = placement.window;
        placement.window = [left / x, top / y, right / x, bottom / y];
        if is_settled {
            painter.settled_picture(canvas, sprite, &placement);
        } else {
            painter.picture(canvas, sprite, &placement);
        }
        Ok(())
    }

    /// The smallest level that still has a texel for every pixel, in both directions.
    fn level_for(&self, to_target: Projection) -> usize {
        /// Halves that miss by an error of rounding count.
        const SLACK: f32 = 1e-4;
        let full = self.full();
        let scale = match to_target.as_affine() {
            Some(Affine { a, b, c, d, .. }) => a.hypot(b).max(c.hypot(d)),
            None => to_target.largest_scale(full.width as f32, full.height as f32),
        };
        let shrink = 1.0 / scale.max(1e-6);
        let wanted = (shrink.log2() + SLACK).floor().max(0.0) as usize;
        wanted.min(full.width.min(full.height).max(1).ilog2() as usize)
    }
}

fn upload(gpu: &Gpu, image: &DecodedImage) -> Result<Sprite> {
    Sprite::upload(gpu, image.width, image.height, &image.pixels)
}

/// Half the size, odd sizes rounded down. Each pixel is the mean of the two in a row, or of three
/// where an odd one has to find a place; the one in the middle then counts twice. Rounded down, as
/// browsers do.
pub(super) fn halved(image: &DecodedImage) -> DecodedImage {
    let (width, height) = ((image.width / 2).max(1), (image.height / 2).max(1));
    let row = image.width as usize * 4;
    let across = Taps::of(image.width);
    let down = Taps::of(image.height);
    let mut pixels = Vec::with_capacity(width as usize * height as usize * 4);
    let mut sums = vec![0_u16; row];
    for y in 0..height as usize {
        let rows = &image.pixels[2 * y * row..];
        let line = |index: usize| &rows[index * row..][..row];
        match down {
            Taps::One => add(&mut sums, line(0), line(0), None),
            Taps::Two => add(&mut sums, line(0), line(1), None),
            Taps::Three => add(&mut sums, line(0), line(2), Some(line(1))),
        }
        let rows_weigh = match down {
            Taps::One | Taps::Two => 2,
            Taps::Three => 4,
        };
        for x in 0..width as usize {
            let at = |texel: usize, channel: usize| sums[(2 * x + texel) * 4 + channel];
            for channel in 0..4 {
                let mean = match across {
                    Taps::One => at(0, channel) / rows_weigh,
                    Taps::Two => (at(0, channel) + at(1, channel)) / (2 * rows_weigh),
                    Taps::Three => {
                        (at(0, channel) + 2 * at(1, channel) + at(2, channel)) / (4 * rows_weigh)
                    }
                };
                // A mean of bytes is a byte.
                pixels.push(mean as u8);
            }
        }
    }
    DecodedImage {
        width,
        height,
        pixels,
    }
}

/// How many pixels of a row become one.
#[derive(Clone, Copy)]
enum Taps {
    One,
    Two,
    Three,
}

impl Taps {
    fn of(length: u32) -> Self {
        match length {
            0 | 1 => Self::One,
            even if even % 2 == 0 => Self::Two,
            _ => Self::Three,
        }
    }
}

/// Adds rows; one between them counts twice.
fn add(sums: &mut [u16], upper: &[u8], lower: &[u8], between: Option<&[u8]>) {
    let pairs = sums.iter_mut().zip(upper.iter().zip(lower));
    match between {
        None => pairs.for_each(|(sum, (a, b))| *sum = u16::from(*a) + u16::from(*b)),
        Some(between) => pairs.zip(between).for_each(|((sum, (a, b)), twice)| {
            *sum = u16::from(*a) + u16::from(*b) + 2 * u16::from(*twice);
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grey(width: u32, height: u32, values: &[u8]) -> DecodedImage {
        DecodedImage {
            width,
            height,
            pixels: values.iter().flat_map(|value| [*value; 4]).collect(),
        }
    }

    #[test]
    fn halving_averages_four_pixels_and_ends_at_one() {
        let image = DecodedImage {
            width: 2,
            height: 2,
            pixels: [
                [0, 0, 0, 255],
                [255, 0, 0, 255],
                [0, 255, 0, 255],
                [1, 1, 0, 255],
            ]
            .concat(),
        };
        let half = halved(&image);
        assert_eq!((half.width, half.height), (1, 1));
        assert_eq!(half.pixels, [64, 64, 0, 255]);
        assert_eq!(halved(&grey(1, 1, &[7])), grey(1, 1, &[7]));
    }

    #[test]
    fn an_odd_pixel_is_shared_by_its_neighbours() {
        assert_eq!(halved(&grey(1, 3, &[0, 100, 0])), grey(1, 1, &[50]));
        assert_eq!(
            halved(&grey(5, 1, &[0, 0, 80, 0, 0])),
            grey(2, 1, &[20, 20])
        );
        let white = grey(7, 5, &[255; 35]);
        assert_eq!(halved(&white), grey(3, 2, &[255; 6]));
    }
}
