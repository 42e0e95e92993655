//! How a video wants to be turned and stretched before it is shown.

use ffmpeg_the_third as ffmpeg;

use ffmpeg::codec::packet::side_data;
use ffmpeg::{Rational, Stream};

/// Pixels further from square than this are taken for a mistake.
const MOST_STRETCH: f64 = 16.0;

/// A turn by right angles, with or without a flip: first sides are swapped, then flipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Turn {
    swaps_sides: bool,
    flips_across: bool,
    flips_down: bool,
}

impl Turn {
    /// What the container of a stream asks for.
    pub(super) fn of(stream: &Stream<'_>) -> Self {
        stream
            .side_data()
            .find(|data| data.kind() == side_data::Type::DisplayMatrix)
            .map_or(Self::default(), |data| Self::from_matrix(data.data()))
    }

    /// Reads a display matrix: nine whole numbers, of which four say where the axes point.
    fn from_matrix(bytes: &[u8]) -> Self {
        let number = |index: usize| {
            let bytes = bytes.as_chunks::<4>().0.get(index);
            bytes.map_or(0, |bytes| i32::from_ne_bytes(*bytes))
        };
        let [xx, xy, yx, yy] = [0, 1, 3, 4].map(number);
        let along = u64::from(xx.unsigned_abs()) + u64::from(yy.unsigned_abs());
        let across = u64::from(xy.unsigned_abs()) + u64::from(yx.unsigned_abs());
        if across > along {
            Self {
                swaps_sides: true,
                flips_across: yx < 0,
                flips_down: xy < 0,
            }
        } else {
            Self {
                swaps_sides: false,
                flips_across: xx < 0,
                flips_down: yy < 0,
            }
        }
    }

    /// Whether pictures stay as they are.
    pub(super) fn is_none(self) -> bool {
        self == Self::default()
    }

    /// Width and height after turning.
    pub(super) fn apply<T>(self, (width, height): (T, T)) -> (T, T) {
        if self.swaps_sides {
            (height, width)
        } else {
            (width, height)
        }
    }

    /// The filters that turn a picture, in FFmpeg's words. `vflip` alone would leave the rows where they
    /// are and count them backwards.
    pub(super) fn filters(self) -> &'static [&'static str] {
        match (self.swaps_sides, self.flips_across, self.flips_down) {
            (true, false, false) => &["transpose=cclock_flip"],
            (true, true, false) => &["transpose=clock"],
            (true, false, true) => &["transpose=cclock"],
            (true, true, true) => &["transpose=clock_flip"],
            (false, false, false) => &[],
            (false, true, false) => &["hflip"],
            (false, false, true) => &["vflip", "copy"],
            (false, true, true) => &["vflip", "hflip"],
        }
    }
}

/// The size at which a picture with pixels of this shape is shown: as browsers do, it only grows.
pub(super) fn natural_size((width, height): (u32, u32), pixel: Option<Rational>) -> (u32, u32) {
    let ratio = pixel.map_or(1.0, f64::from);
    if !(1.0 / MOST_STRETCH..=MOST_STRETCH).contains(&ratio) {
        return (width, height);
    }
    if ratio >= 1.0 {
        ((f64::from(width) * ratio).round() as u32, height)
    } else {
        (width, (f64::from(height) / ratio).round() as u32)
    }
}

/// A pixel's shape, where it is known.
pub(super) fn known_ratio(ratio: Rational) -> Option<Rational> {
    (ratio.numerator() > 0 && ratio.denominator() > 0).then_some(ratio)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(numbers: [i32; 4]) -> Vec<u8> {
        let [xx, xy, yx, yy] = numbers.map(|number| number * 65536);
        [xx, xy, 0, yx, yy, 0, 0, 0, 1 << 30]
            .iter()
            .flat_map(|number: &i32| number.to_ne_bytes())
            .collect()
    }

    #[test]
    fn right_angles_and_flips_are_read_off_a_matrix() {
        let filters = |numbers| Turn::from_matrix(&matrix(numbers)).filters();
        assert!(filters([1, 0, 0, 1]).is_empty());
        assert_eq!(filters([0, 1, -1, 0]), ["transpose=clock"]);
        assert_eq!(filters([-1, 0, 0, -1]), ["vflip", "hflip"]);
        assert_eq!(filters([0, -1, 1, 0]), ["transpose=cclock"]);
        assert_eq!(filters([-1, 0, 0, 1]), ["hflip"]);
        assert_eq!(filters([0, 1, 1, 0]), ["transpose=cclock_flip"]);
        assert!(Turn::from_matrix(&[]).is_none());
        assert!(Turn::from_matrix(&matrix([0; 4])).is_none());
    }

    #[test]
    fn pixels_that_are_not_square_stretch_the_picture_one_way() {
        let size = |over, under| natural_size((720, 576), Some(Rational::new(over, under)));
        assert_eq!(size(16, 11), (1047, 576));
        assert_eq!(size(1, 2), (720, 1152));
        assert_eq!(size(1, 1), (720, 576));
        assert_eq!(size(1, 10_000), (720, 576));
        assert_eq!(natural_size((720, 576), None), (720, 576));
    }
}
