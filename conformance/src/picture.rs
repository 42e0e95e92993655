//! Pictures in memory: opaque, eight bits a channel.

use std::path::Path;

use anyhow::{Context, ensure};
use image::{Rgb, RgbImage};

/// An opaque picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture(RgbImage);

impl Picture {
    /// Reads a PNG; what is see-through is laid on white.
    pub fn open(file: &Path) -> anyhow::Result<Self> {
        let read = image::open(file).with_context(|| format!("can't read {}", file.display()))?;
        let mut picture = RgbImage::new(read.width(), read.height());
        for (to, from) in picture.pixels_mut().zip(read.to_rgba8().pixels()) {
            let [r, g, b, alpha] = from.0.map(u32::from);
            let over = |channel: u32| ((channel * alpha + 255 * (255 - alpha) + 127) / 255) as u8;
            *to = Rgb([over(r), over(g), over(b)]);
        }
        Ok(Self(picture))
    }

    /// A picture of one colour.
    pub fn plain(width: u32, height: u32, colour: [u8; 3]) -> Self {
        Self(RgbImage::from_pixel(width, height, Rgb(colour)))
    }

    /// Width and height.
    pub fn size(&self) -> (u32, u32) {
        self.0.dimensions()
    }

    /// The colour at a place inside.
    pub fn at(&self, x: u32, y: u32) -> [u8; 3] {
        self.0.get_pixel(x, y).0
    }

    /// Colours a place inside.
    pub fn set(&mut self, x: u32, y: u32, colour: [u8; 3]) {
        self.0.put_pixel(x, y, Rgb(colour));
    }

    /// All colours, row by row.
    pub fn pixels(&self) -> impl Iterator<Item = [u8; 3]> + '_ {
        self.0.pixels().map(|pixel| pixel.0)
    }

    /// How far two pictures of one size are apart, made four times as visible.
    pub fn difference(&self, other: &Self) -> anyhow::Result<Self> {
        const BOOST: u8 = 4;
        ensure!(
            self.size() == other.size(),
            "pictures of {:?} and {:?}",
            self.size(),
            other.size()
        );
        let mut difference = self.0.clone();
        for (to, from) in difference.pixels_mut().zip(other.0.pixels()) {
            for (to, from) in to.0.iter_mut().zip(from.0) {
                *to = to.abs_diff(from).saturating_mul(BOOST);
            }
        }
        Ok(Self(difference))
    }

    /// Pictures in a row, on grey.
    pub fn side_by_side(pictures: &[&Self]) -> Self {
        const GAP: u32 = 4;
        const GREY: [u8; 3] = [128; 3];
        let width = pictures.iter().map(|one| one.size().0 + GAP).sum::<u32>();
        let height = pictures.iter().map(|one| one.size().1).max().unwrap_or(1);
        let mut row = Self::plain(width.saturating_sub(GAP).max(1), height.max(1), GREY);
        let mut left = 0;
        for picture in pictures {
            image::imageops::replace(&mut row.0, &picture.0, i64::from(left), 0);
            left += picture.size().0 + GAP;
        }
        row
    }

    /// Writes a PNG.
    pub fn save(&self, file: &Path) -> anyhow::Result<()> {
        self.0
            .save(file)
            .with_context(|| format!("can't write {}", file.display()))
    }
}
