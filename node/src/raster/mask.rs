//! Coverage of a part of a picture, and what masks do with each other.

/// Coverage of the pixels of a rectangle; 0 outside of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mask {
    /// Where the rectangle's left column lies in the picture.
    pub(crate) left: usize,
    /// Where its top row lies.
    pub(crate) top: usize,
    /// Pixels of a row; never 0.
    pub(crate) width: usize,
    /// Row by row, 255 for a pixel that is covered whole.
    pub(crate) coverage: Vec<u8>,
}

impl Mask {
    /// Its rows: the row of the picture, and the coverage from `left` on.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (usize, &[u8])> {
        self.coverage
            .chunks_exact(self.width)
            .enumerate()
            .map(|(index, row)| (self.top + index, row))
    }

    /// The coverage of a row of the picture, from `left` on.
    pub(crate) fn row(&self, y: usize) -> Option<&[u8]> {
        let start = y.checked_sub(self.top)?.checked_mul(self.width)?;
        self.coverage.get(start..start + self.width)
    }

    fn right(&self) -> usize {
        self.left + self.width
    }

    fn bottom(&self) -> usize {
        self.top + self.coverage.len() / self.width
    }

    /// What both masks cover; `None` where they have nothing in common.
    pub(crate) fn within(&self, other: &Self) -> Option<Self> {
        let mut common = self.part(
            [self.left.max(other.left), self.top.max(other.top)],
            [
                self.right().min(other.right()),
                self.bottom().min(other.bottom()),
            ],
        )?;
        common.combine(other, product);
        Some(common)
    }

    /// Takes away what another mask covers.
    pub(crate) fn cut(&mut self, other: &Self) {
        self.combine(other, |coverage, other| product(coverage, 255 - other));
    }

    /// The same coverage on a rectangle that is larger by a margin on each side, within a picture
    /// of this size.
    pub(crate) fn grown(&self, margin: usize, size: (u32, u32)) -> Self {
        let (left, top) = (
            self.left.saturating_sub(margin),
            self.top.saturating_sub(margin),
        );
        let right = (self.right() + margin).min(size.0 as usize);
        let bottom = (self.bottom() + margin).min(size.1 as usize);
        let width = right - left;
        let mut coverage = vec![0; width * (bottom - top)];
        for (y, row) in self.rows() {
            let start = (y - top) * width + self.left - left;
            coverage[start..start + self.width].copy_from_slice(row);
        }
        Self {
            left,
            top,
            width,
            coverage,
        }
    }

    /// What is left of a mask on a picture of this size that was larger by a margin before.
    pub(crate) fn without_margin(&self, margin: usize, size: (u32, u32)) -> Option<Self> {
        let (right, bottom) = (margin + size.0 as usize, margin + size.1 as usize);
        let mut part = self.part(
            [self.left.max(margin), self.top.max(margin)],
            [self.right().min(right), self.bottom().min(bottom)],
        )?;
        part.left -= margin;
        part.top -= margin;
        Some(part)
    }

    /// A rectangle of the mask, from its first to behind its last column and row.
    fn part(&self, [left, top]: [usize; 2], [right, bottom]: [usize; 2]) -> Option<Self> {
        if left >= right || top >= bottom {
            return None;
        }
        let mut coverage = Vec::with_capacity((right - left) * (bottom - top));
        for (_, row) in self.rows().skip(top - self.top).take(bottom - top) {
            coverage.extend_from_slice(&row[left - self.left..right - self.left]);
        }
        Some(Self {
            left,
            top,
            width: right - left,
            coverage,
        })
    }

    /// Changes the coverage where the other mask lies.
    fn combine(&mut self, other: &Self, change: impl Fn(u8, u8) -> u8) {
        let (left, right) = (self.left.max(other.left), self.right().min(other.right()));
        if left >= right {
            return;
        }
        let (own_left, own_top, width) = (self.left, self.top, self.width);
        for (y, other_row) in other.rows() {
            let Some(start) = y.checked_sub(own_top).map(|row| row * width) else {
                continue;
            };
            let Some(row) = self.coverage.get_mut(start..start + width) else {
                return;
            };
            let own = &mut row[left - own_left..right - own_left];
            let others = &other_row[left - other.left..right - other.left];
            for (own, other) in own.iter_mut().zip(others) {
                *own = change(*own, *other);
            }
        }
    }
}

fn product(a: u8, b: u8) -> u8 {
    let product = u32::from(a) * u32::from(b) + 127;
    (product / 255) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(left: usize, top: usize, width: usize, coverage: &[u8]) -> Mask {
        Mask {
            left,
            top,
            width,
            coverage: coverage.to_vec(),
        }
    }

    #[test]
    fn masks_cut_and_bound_each_other() {
        let a = mask(1, 1, 2, &[255, 100, 255, 0]);
        let b = mask(2, 0, 3, &[9, 9, 9, 128, 255, 255]);
        assert_eq!(a.within(&b), Some(mask(2, 1, 1, &[50])));
        assert_eq!(a.within(&mask(7, 1, 1, &[255])), None);
        let mut cut = a;
        cut.cut(&b);
        assert_eq!(cut, mask(1, 1, 2, &[255, 50, 255, 0]));
    }

    #[test]
    fn margins_come_and_go() {
        let a = mask(2, 0, 1, &[7, 8]);
        let grown = a.grown(1, (3, 9));
        assert_eq!(grown, mask(1, 0, 2, &[0, 7, 0, 8, 0, 0]));
        assert_eq!(
            grown.without_margin(1, (2, 2)),
            Some(mask(0, 0, 2, &[0, 8, 0, 0]))
        );
    }
}
