//! How far a picture is from its reference: the five figures that decide.

use serde::{Deserialize, Serialize};

use crate::picture::Picture;
use crate::ssim::mean_similarity;

/// Side of the tiles of which the worst counts.
const TILE: u32 = 32;
/// A pixel with a channel off by more is one that is seen to differ.
const SEEN: u8 = 16;

/// The distance of two pictures. All figures are 0 for equal ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Figures {
    /// Mean absolute difference of channels.
    pub mad_mean: f64,
    /// Share of pixels with a channel off by more than 16.
    pub over16: f64,
    /// One less the structural similarity.
    pub dssim: f64,
    /// Mean difference to the nearest value within one pixel.
    pub tol_mad: f64,
    /// The same in the worst tile.
    pub tol_tile: f64,
}

impl Figures {
    /// The names of the figures, in the order of `values`.
    pub const NAMES: [&'static str; 5] = ["madMean", "over16", "dssim", "tolMad", "tolTile"];

    /// The figures in a row.
    pub fn values(&self) -> [f64; 5] {
        [
            self.mad_mean,
            self.over16,
            self.dssim,
            self.tol_mad,
            self.tol_tile,
        ]
    }

    /// The inverse of `values`.
    pub fn of([mad_mean, over16, dssim, tol_mad, tol_tile]: [f64; 5]) -> Self {
        Self {
            mad_mean,
            over16,
            dssim,
            tol_mad,
            tol_tile,
        }
    }
}

/// Measures; `None` for pictures of different sizes.
pub fn compare(reference: &Picture, got: &Picture) -> Option<Figures> {
    if reference.size() != got.size() {
        return None;
    }
    let (width, height) = got.size();
    let pixels = f64::from(width) * f64::from(height);
    let tiles_across = width.div_ceil(TILE);
    let mut tiles = vec![0.0; (tiles_across * height.div_ceil(TILE)) as usize];
    let (mut difference, mut seen, mut tolerant) = (0_u64, 0_u64, 0.0);
    for y in 0..height {
        for x in 0..width {
            let (a, b) = (reference.at(x, y), got.at(x, y));
            if a == b {
                continue;
            }
            let apart = distance(a, b);
            difference += u64::from(apart.sum);
            seen += u64::from(apart.largest > SEEN);
            let there = nearest(a, got, x, y);
            let back = nearest(b, reference, x, y);
            let mean = f64::from(there.sum.max(back.sum)) / 3.0;
            tolerant += mean;
            tiles[(y / TILE * tiles_across + x / TILE) as usize] += mean;
        }
    }
    let worst_tile = tiles.into_iter().fold(0.0, f64::max);
    Some(Figures {
        mad_mean: difference as f64 / (3.0 * pixels),
        over16: seen as f64 / pixels,
        dssim: 1.0 - mean_similarity(reference, got),
        tol_mad: tolerant / pixels,
        tol_tile: worst_tile / f64::from(TILE * TILE),
    })
}

#[derive(Clone, Copy)]
struct Apart {
    sum: u16,
    largest: u8,
}

fn distance(a: [u8; 3], b: [u8; 3]) -> Apart {
    let channels = [0, 1, 2].map(|channel: usize| a[channel].abs_diff(b[channel]));
    Apart {
        sum: channels.iter().copied().map(u16::from).sum(),
        largest: channels.into_iter().max().unwrap_or_default(),
    }
}

/// The distance of a colour to the nearest one that a picture has within a pixel of a place.
fn nearest(colour: [u8; 3], picture: &Picture, x: u32, y: u32) -> Apart {
    let (width, height) = picture.size();
    let around = |place: u32, length: u32| {
        [-1, 0, 1].map(|step| place.saturating_add_signed(step).min(length - 1))
    };
    let mut best: Option<Apart> = None;
    for y in around(y, height) {
        for x in around(x, width) {
            let apart = distance(colour, picture.at(x, y));
            if best.is_none_or(|best| apart.largest < best.largest) {
                best = Some(apart);
            }
        }
    }
    best.unwrap_or(Apart { sum: 0, largest: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_line(column: u32) -> Picture {
        let mut picture = Picture::plain(64, 40, [255; 3]);
        for y in 0..40 {
            picture.set(column, y, [0, 0, 0]);
        }
        picture
    }

    #[test]
    fn equal_pictures_are_at_no_distance() {
        let figures = compare(&with_line(7), &with_line(7)).expect("of one size");
        assert!(figures.values().iter().all(|value| value.abs() < 1e-12));
    }

    #[test]
    fn pictures_of_different_sizes_have_no_distance() {
        let other = Picture::plain(64, 41, [255; 3]);
        assert_eq!(compare(&with_line(7), &other), None);
    }

    #[test]
    fn a_shift_by_one_pixel_is_forgiven_by_two_figures_only() {
        let figures = compare(&with_line(7), &with_line(8)).expect("of one size");
        assert_eq!((figures.tol_mad, figures.tol_tile), (0.0, 0.0));
        assert_eq!(figures.over16, 2.0 / 64.0);
        assert_eq!(figures.mad_mean, 2.0 * 255.0 / 64.0);
        assert!(figures.dssim > 0.01);
        let further = compare(&with_line(7), &with_line(9)).expect("of one size");
        assert!(further.tol_mad > 0.0);
    }

    #[test]
    fn the_worst_tile_counts_and_is_never_smaller_than_a_whole_one() {
        let reference = Picture::plain(40, 40, [0; 3]);
        let mut got = reference.clone();
        for y in 34..40 {
            for x in 34..40 {
                got.set(x, y, [30, 60, 90]);
            }
        }
        let figures = compare(&reference, &got).expect("of one size");
        assert!((figures.tol_tile - 60.0 * 36.0 / 1024.0).abs() < 1e-9);
        assert!((figures.mad_mean - 60.0 * 36.0 / 1600.0).abs() < 1e-9);
    }

    #[test]
    fn a_difference_that_nobody_sees_is_not_counted_as_seen() {
        let reference = Picture::plain(10, 10, [100; 3]);
        let figures = |by: u8| compare(&reference, &Picture::plain(10, 10, [100, 100, 100 + by]));
        assert_eq!(figures(16).expect("of one size").over16, 0.0);
        assert_eq!(figures(17).expect("of one size").over16, 1.0);
    }
}
