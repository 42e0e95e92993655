//! Cuts the canvas into what layers touch and what only the background shows.

/// Left, top, right, bottom.
pub(crate) type Area = [i32; 4];

/// Blocks that planar passes work on, and that areas of the canvas are cut into.
pub(super) const BLOCK: (i32, i32) = (8, 2);
/// Cutting finer than this costs more than it saves.
const MOST_TOUCHED: usize = 48;

/// A canvas in rectangles of whole blocks.
#[derive(Debug, PartialEq)]
pub(super) struct Cut {
    pub(super) touched: Vec<Area>,
    pub(super) free: Vec<Area>,
}

/// Cuts a canvas along the areas that are touched.
pub(super) fn cut(width: i32, height: i32, touched: &[Area]) -> Cut {
    let whole = [0, 0, width, height];
    let blocks: Vec<Area> = touched
        .iter()
        .map(|area| {
            [
                (area[0].max(0) / BLOCK.0) * BLOCK.0,
                (area[1].max(0) / BLOCK.1) * BLOCK.1,
                ((area[2].max(0) + BLOCK.0 - 1) / BLOCK.0 * BLOCK.0).min(width),
                ((area[3].max(0) + BLOCK.1 - 1) / BLOCK.1 * BLOCK.1).min(height),
            ]
        })
        .filter(|area| area[0] < area[2] && area[1] < area[3])
        .collect();
    if blocks.len() > MOST_TOUCHED {
        return Cut {
            touched: vec![whole],
            free: Vec::new(),
        };
    }
    let mut rows: Vec<i32> = blocks.iter().flat_map(|area| [area[1], area[3]]).collect();
    rows.extend([0, height]);
    rows.sort_unstable();
    rows.dedup();
    let mut cut = Cut {
        touched: Vec::new(),
        free: Vec::new(),
    };
    for band in rows.windows(2) {
        let (top, bottom) = (band[0], band[1]);
        let mut spans: Vec<(i32, i32)> = blocks
            .iter()
            .filter(|area| area[1] < bottom && area[3] > top)
            .map(|area| (area[0], area[2]))
            .collect();
        spans.sort_unstable();
        let mut x = 0;
        for (left, right) in spans {
            if left > x {
                add(&mut cut.free, [x, top, left, bottom]);
            }
            if right > x {
                add(&mut cut.touched, [left.max(x), top, right, bottom]);
                x = right;
            }
        }
        if x < width {
            add(&mut cut.free, [x, top, width, bottom]);
        }
    }
    cut
}

/// Rectangles of whole blocks that hold the damaged areas of a canvas and overlap nowhere; `None` where
/// drawing everything costs no more.
pub(super) fn damaged(width: i32, height: i32, areas: &[Area]) -> Option<Vec<Area>> {
    const MOST_AREAS: usize = 6;
    const MOST_SHARE: f64 = 0.7;
    let mut touched = cut(width, height, areas).touched;
    if touched.len() > MOST_AREAS {
        touched = touched.into_iter().reduce(union).into_iter().collect();
    }
    let pixels = |area: &Area| f64::from(area[2] - area[0]) * f64::from(area[3] - area[1]);
    let share = touched.iter().map(pixels).sum::<f64>() / pixels(&[0, 0, width, height]);
    (share <= MOST_SHARE).then_some(touched)
}

/// The smallest area that holds two others.
pub(super) fn union(a: Area, b: Area) -> Area {
    [
        a[0].min(b[0]),
        a[1].min(b[1]),
        a[2].max(b[2]),
        a[3].max(b[3]),
    ]
}

/// Adds a rectangle, or lengthens the one directly above it.
fn add(areas: &mut Vec<Area>, area: Area) {
    let above = areas
        .iter_mut()
        .find(|above| (above[0], above[2], above[3]) == (area[0], area[2], area[1]));
    match above {
        Some(above) => above[3] = area[3],
        None => areas.push(area),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pixel_is_in_one_part_and_touched_pixels_are_touched() {
        let touched = [
            [3, 3, 21, 9],
            [10, 5, 40, 30],
            [-9, 50, 5, 70],
            [60, 10, 61, 11],
        ];
        let cut = cut(64, 60, &touched);
        let holds = |areas: &[Area], x: i32, y: i32| {
            areas
                .iter()
                .filter(|a| (a[0]..a[2]).contains(&x) && (a[1]..a[3]).contains(&y))
                .count()
        };
        for y in 0..60 {
            for x in 0..64 {
                let (is_touched, is_free) = (holds(&cut.touched, x, y), holds(&cut.free, x, y));
                assert_eq!(is_touched + is_free, 1, "{x}, {y}");
                assert!(holds(&touched, x, y) == 0 || is_touched == 1, "{x}, {y}");
            }
        }
        for area in cut.touched.iter().chain(&cut.free) {
            assert_eq!((area[0] % 8, area[1] % 2), (0, 0), "{area:?}");
        }
    }

    #[test]
    fn damage_is_cut_out_where_that_saves_work() {
        assert_eq!(damaged(64, 36, &[]), Some(vec![]));
        assert_eq!(damaged(64, 36, &[[3, 3, 9, 9]]), Some(vec![[0, 2, 16, 10]]));
        assert_eq!(damaged(64, 36, &[[0, 0, 60, 36]]), None);
        let scattered: Vec<Area> = (0..8)
            .map(|i| [i * 16, i * 8, i * 16 + 4, i * 8 + 4])
            .collect();
        assert_eq!(damaged(256, 128, &scattered), Some(vec![[0, 0, 120, 60]]));
    }

    #[test]
    fn nothing_touched_is_one_free_area_and_too_much_is_one_touched_one() {
        assert_eq!(
            cut(64, 36, &[]),
            Cut {
                touched: vec![],
                free: vec![[0, 0, 64, 36]]
            }
        );
        let crowd: Vec<Area> = (0..99).map(|i| [i, i, i + 1, i + 1]).collect();
        assert_eq!(
            cut(128, 128, &crowd),
            Cut {
                touched: vec![[0, 0, 128, 128]],
                free: vec![]
            }
        );
    }
}
