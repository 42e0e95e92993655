//! A picture under way on the host: what does not change is painted here once, then uploaded.

use kinora_composition::timeline::Affine;
use tiny_skia::{Path, Pixmap, Transform};

use super::boxes::outline::RoundedBox;
use crate::raster::{Mask, Rule};
use crate::{Error, Result};

/// From where a box is seen when it is rastered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct View {
    /// From the box, whose top left corner is the origin, to the picture that is made.
    pub(super) to_picture: Affine,
    /// Pixels of the picture beyond which nothing needs to be painted: left, top, right, bottom.
    pub(super) limits: [i32; 4],
}

/// A part of a picture. Painters work in coordinates of the box and map them by [`Easel::map`].
pub(super) struct Easel {
    pub(super) pixmap: Pixmap,
    /// From the box to pixels of `pixmap`.
    pub(super) map: Affine,
    /// Where the pixmap's top left corner lies in the picture.
    corner: (i32, i32),
}

/// Premultiplied RGBA8 pixels at a place of the picture that a [`View`] shows.
pub(super) struct HostStill {
    pub(super) pixels: Pixmap,
    pub(super) at: (i32, i32),
}

impl View {
    /// The box as it is, up to so many pixels beyond its edges.
    #[cfg(test)]
    pub(super) fn plain(size: kinora_composition::timeline::Size, beyond: i32) -> Self {
        Self {
            to_picture: Affine::IDENTITY,
            limits: [
                -beyond,
                -beyond,
                size.width.ceil() as i32 + beyond,
                size.height.ceil() as i32 + beyond,
            ],
        }
    }

    /// How much larger than the box the picture is.
    pub(super) fn scale(&self) -> f32 {
        let Affine { a, b, c, d, .. } = self.to_picture;
        (a * d - b * c).abs().sqrt()
    }
}

impl Easel {
    /// An empty easel for what lies in `bounds` of the box: left, top, right, bottom. `None` where
    /// none of it is in view.
    pub(super) fn new(view: &View, bounds: [f32; 4]) -> Result<Option<Self>> {
        let [left, top, right, bottom] = bounds;
        let corners = [(left, top), (right, top), (left, bottom), (right, bottom)]
            .map(|(x, y)| view.to_picture.apply(x, y));
        let low = |pick: fn(&(f32, f32)) -> f32| corners.iter().map(pick).fold(f32::MAX, f32::min);
        let high = |pick: fn(&(f32, f32)) -> f32| corners.iter().map(pick).fold(f32::MIN, f32::max);
        // One pixel more on each side holds what antialiasing adds.
        let x0 = (low(|c| c.0).floor() as i32)
            .saturating_sub(1)
            .max(view.limits[0]);
        let y0 = (low(|c| c.1).floor() as i32)
            .saturating_sub(1)
            .max(view.limits[1]);
        let x1 = (high(|c| c.0).ceil() as i32)
            .saturating_add(1)
            .min(view.limits[2]);
        let y1 = (high(|c| c.1).ceil() as i32)
            .saturating_add(1)
            .min(view.limits[3]);
        if x0 >= x1 || y0 >= y1 {
            return Ok(None);
        }
        Ok(Some(Self {
            pixmap: pixmap((x1 - x0) as u32, (y1 - y0) as u32)?,
            map: Affine::translate(-(x0 as f32), -(y0 as f32)).then_inner(view.to_picture),
            corner: (x0, y0),
        }))
    }

    /// The map of the easel for tiny-skia.
    pub(super) fn transform(&self) -> Transform {
        let Affine { a, b, c, d, e, f } = self.map;
        Transform::from_row(a, b, c, d, e, f)
    }

    /// How much of each pixel an outline of the box covers.
    pub(super) fn mask(&self, path: &Path) -> Option<Mask> {
        self.mask_by(path, Rule::NonZero)
    }

    /// How much of each pixel a box with rounded corners covers.
    pub(super) fn box_mask(&self, rounded: &RoundedBox) -> Option<Mask> {
        self.mask(&rounded.path(self.map)?)
    }

    /// How much of each pixel an outline covers whose inside a rule tells.
    pub(super) fn mask_by(&self, path: &Path, rule: Rule) -> Option<Mask> {
        let size = (self.pixmap.width(), self.pixmap.height());
        Mask::of_shape(path, rule, self.transform(), size)
    }

    /// Whether rectangles of the box stay rectangles.
    pub(super) fn keeps_rectangles(&self) -> bool {
        let Affine { a, b, c, d, .. } = self.map;
        (b, c) == (0.0, 0.0) || (a, d) == (0.0, 0.0)
    }

    /// What was painted with its margins, which are the same whatever it was.
    pub(super) fn whole(self) -> HostStill {
        HostStill {
            pixels: self.pixmap,
            at: self.corner,
        }
    }

    /// What was painted, without empty margins; `None` when nothing was.
    pub(super) fn finish(self) -> Result<Option<HostStill>> {
        let (width, height) = (self.pixmap.width() as usize, self.pixmap.height() as usize);
        let pixels = self.pixmap.pixels();
        let is_empty =
            |row: &[tiny_skia::PremultipliedColorU8]| row.iter().all(|pixel| pixel.alpha() == 0);
        let rows = || pixels.chunks_exact(width);
        let Some(top) = rows().position(|row| !is_empty(row)) else {
            return Ok(None);
        };
        let bottom = height - rows().rev().position(|row| !is_empty(row)).unwrap_or(0);
        let (mut left, mut right) = (width, 0);
        for row in rows().take(bottom).skip(top) {
            left = row
                .iter()
                .position(|pixel| pixel.alpha() > 0)
                .unwrap_or(width)
                .min(left);
            let last = row.iter().rposition(|pixel| pixel.alpha() > 0);
            right = last.map_or(0, |last| last + 1).max(right);
        }
        let at = (self.corner.0 + left as i32, self.corner.1 + top as i32);
        if (left, top, right, bottom) == (0, 0, width, height) {
            return Ok(Some(HostStill {
                pixels: self.pixmap,
                at,
            }));
        }
        let mut trimmed = pixmap((right - left) as u32, (bottom - top) as u32)?;
        let row = (right - left) * 4;
        let from = self.pixmap.data().chunks_exact(width * 4).skip(top);
        for (to, from) in trimmed.data_mut().chunks_exact_mut(row).zip(from) {
            to.copy_from_slice(&from[left * 4..right * 4]);
        }
        Ok(Some(HostStill {
            pixels: trimmed,
            at,
        }))
    }
}

/// An empty picture of this size.
pub(super) fn pixmap(width: u32, height: u32) -> Result<Pixmap> {
    Pixmap::new(width, height).ok_or_else(|| {
        Error::BadInput(format!(
            "a layer of {width} × {height} pixels can't be drawn"
        ))
    })
}

#[cfg(test)]
mod tests {
    use kinora_composition::timeline::Size;

    use super::*;

    #[test]
    fn margins_are_left_out() {
        let view = View::plain(
            Size {
                width: 40.0,
                height: 30.0,
            },
            0,
        );
        let mut easel = Easel::new(&view, [0.0, 0.0, 40.0, 30.0])
            .expect("small")
            .expect("in view");
        easel.pixmap.data_mut()[(7 * 40 + 5) * 4 + 3] = 9;
        easel.pixmap.data_mut()[(9 * 40 + 11) * 4 + 3] = 9;
        let still = easel.finish().expect("small").expect("two pixels");
        assert_eq!(still.at, (5, 7));
        assert_eq!((still.pixels.width(), still.pixels.height()), (7, 3));
        let empty = Easel::new(&view, [0.0, 0.0, 9.0, 9.0])
            .expect("small")
            .expect("in view");
        assert!(empty.finish().expect("small").is_none());
    }

    #[test]
    fn what_is_out_of_view_is_not_painted() {
        let view = View::plain(
            Size {
                width: 40.0,
                height: 30.0,
            },
            0,
        );
        assert!(
            Easel::new(&view, [50.0, 0.0, 90.0, 30.0])
                .expect("small")
                .is_none()
        );
        let huge = Easel::new(&view, [-1e9, -1e9, 1e9, 1e9])
            .expect("small")
            .expect("in view");
        assert_eq!((huge.pixmap.width(), huge.pixmap.height()), (40, 30));
    }
}
