//! The empty middle of pictures like shadows and borders, which need not be drawn.

/// Smaller holes are not worth the passes around them.
const LEAST_SHARE: f64 = 0.25;

/// A rectangle around the middle of a picture in which nothing is: left, top, right, bottom. Not the
/// largest there is, but one that leaves out most of a frame with round corners.
pub(super) fn hole(width: u32, height: u32, pixels: &[u8]) -> Option<[i32; 4]> {
    let (width, height) = (width as usize, height as usize);
    let is_empty = |x: usize, y: usize| pixels[(y * width + x) * 4 + 3] == 0;
    let (middle, center) = (width / 2, height / 2);
    if !is_empty(middle, center) {
        return None;
    }
    let top = (0..center).rev().find(|y| !is_empty(middle, *y));
    let top = top.map_or(0, |y| y + 1);
    let bottom = (center..height).find(|y| !is_empty(middle, *y));
    let bottom = bottom.unwrap_or(height);
    // How far each row is empty to both sides of the middle.
    let rows: Vec<(usize, usize)> = (top..bottom)
        .map(|y| {
            let left = (0..middle).rev().find(|x| !is_empty(*x, y));
            let right = (middle..width).find(|x| !is_empty(*x, y));
            (left.map_or(0, |x| x + 1), right.unwrap_or(width))
        })
        .collect();
    let area =
        |[left, top, right, bottom]: &[usize; 4]| right.saturating_sub(*left) * (bottom - top);
    let inset = |share: usize| {
        let less = rows.len() * share / 64;
        let kept = rows.get(less..rows.len() - less)?;
        let left = kept.iter().map(|row| row.0).max()?;
        let right = kept.iter().map(|row| row.1).min()?;
        Some([left, top + less, right, bottom - less])
    };
    let largest = (0..24).filter_map(inset).max_by_key(area)?;
    let share = area(&largest) as f64 / (width * height) as f64;
    (share >= LEAST_SHARE).then(|| largest.map(|edge| edge as i32))
}

/// The four rectangles of an area around a hole; those that are empty are left out.
pub(super) fn around(area: [i32; 4], hole: [i32; 4]) -> impl Iterator<Item = [i32; 4]> {
    let [left, top, right, bottom] = area;
    let on_rows = |row: i32| row.max(top).min(bottom);
    let (above, below) = (on_rows(hole[1]), on_rows(hole[3]));
    [
        [left, top, right, above],
        [left, above, hole[0].min(right), below],
        [hole[2].max(left), above, right, below],
        [left, below, right, bottom],
    ]
    .into_iter()
    .filter(|[left, top, right, bottom]| left < right && top < bottom)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A round frame: full outside an ellipse that nearly fills it.
    fn frame(width: u32, height: u32) -> Vec<u8> {
        let covers = |x: u32, y: u32| {
            let (x, y) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
            let across = (x / f64::from(width) - 0.5) / 0.49;
            let down = (y / f64::from(height) - 0.5) / 0.49;
            across.powi(4) + down.powi(4) > 1.0
        };
        (0..height)
            .flat_map(|y| (0..width).map(move |x| u8::from(covers(x, y)) * 255))
            .flat_map(|alpha| [0, 0, 0, alpha])
            .collect()
    }

    #[test]
    fn a_hole_is_empty_and_what_is_around_it_is_the_rest() {
        let (width, height) = (120, 64);
        let pixels = frame(width, height);
        let hole = hole(width, height, &pixels).expect("a frame has a hole");
        let holds = |area: [i32; 4], x: i32, y: i32| {
            (area[0]..area[2]).contains(&x) && (area[1]..area[3]).contains(&y)
        };
        let area = [0, 0, width as i32, height as i32];
        for y in 0..height as i32 {
            for x in 0..width as i32 {
                let alpha = pixels[(y * width as i32 + x) as usize * 4 + 3];
                assert!(!holds(hole, x, y) || alpha == 0, "{x}, {y}");
                let parts = around(area, hole).filter(|part| holds(*part, x, y)).count();
                assert_eq!(parts, usize::from(!holds(hole, x, y)), "{x}, {y}");
            }
        }
    }

    #[test]
    fn what_is_full_or_tiny_has_no_hole() {
        assert_eq!(hole(40, 40, &[255; 40 * 40 * 4]), None);
        assert_eq!(hole(1, 1, &[255; 4]), None);
        assert_eq!(hole(1, 1, &[0; 4]), Some([0, 0, 1, 1]));
        let mut pixels = [255; 40 * 40 * 4];
        pixels[(20 * 40 + 20) * 4 + 3] = 0;
        assert_eq!(hole(40, 40, &pixels), None, "not worth it");
    }

    #[test]
    fn an_area_beside_a_hole_stays_whole() {
        let parts = |area| around(area, [10, 10, 20, 20]).collect::<Vec<_>>();
        assert_eq!(parts([0, 0, 8, 30]).len(), 3);
        assert_eq!(parts([0, 0, 30, 5]), [[0, 0, 30, 5]]);
        assert_eq!(parts([12, 12, 18, 18]), Vec::<[i32; 4]>::new());
        assert_eq!(parts([0, 9, 30, 2]), Vec::<[i32; 4]>::new(), "no area");
    }
}
