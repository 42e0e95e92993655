//! Cuts a clipped picture into what lies whole inside its box and the edges that need care.

use super::painter::{Clip, Placement};

/// Rectangles of target pixels: left, top, right, bottom.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Parts {
    /// Covered whole: no edge, no corner.
    pub(super) inside: Vec<[i32; 4]>,
    /// Everything else that the picture may touch.
    pub(super) edges: Vec<[i32; 4]>,
}

/// Cuts the part of a placed picture that lies in `area`.
pub(super) fn split(placement: &Placement, area: [i32; 4]) -> Parts {
    let Some(upright) = Upright::of(placement) else {
        return Parts {
            inside: Vec::new(),
            edges: vec![area],
        };
    };
    let Upright {
        edges: [left, top, right, bottom],
        corners: [above, after, below, before],
    } = upright;
    let rows = [
        top.floor(),
        (top + above).ceil(),
        (bottom - below).floor(),
        bottom.ceil(),
    ];
    let mut parts = Parts::default();
    for (band, [from, to]) in [[rows[0], rows[1]], [rows[1], rows[2]], [rows[2], rows[3]]]
        .into_iter()
        .enumerate()
    {
        let (near, far) = if band == 1 {
            (0.0, 0.0)
        } else {
            (before, after)
        };
        let columns = [
            left.floor(),
            (left + near).ceil(),
            (right - far).floor(),
            right.ceil(),
        ];
        // Rows that the upper or lower edge cuts through are not whole.
        let (whole_from, whole_to) = (from.max(top.ceil()), to.min(bottom.floor()));
        let cells = [
            (columns[0], columns[1], from, to, false),
            (columns[2], columns[3], from, to, false),
            (columns[1], columns[2], from, whole_from, false),
            (columns[1], columns[2], whole_to.max(whole_from), to, false),
            (columns[1], columns[2], whole_from, whole_to, true),
        ];
        for (x0, x1, y0, y1, is_inside) in cells {
            let cell = [
                x0.max(area[0] as f32),
                y0.max(area[1] as f32),
                x1.min(area[2] as f32),
                y1.min(area[3] as f32),
            ];
            if cell[0] < cell[2] && cell[1] < cell[3] {
                let list = if is_inside {
                    &mut parts.inside
                } else {
                    &mut parts.edges
                };
                list.push(cell.map(|edge| edge as i32));
            }
        }
    }
    parts
}

/// A box that is not turned, whose picture reaches beyond it on all sides.
struct Upright {
    /// Left, top, right, bottom on the target.
    edges: [f32; 4],
    /// How far corners reach in from above, the right, below, the left.
    corners: [f32; 4],
}

impl Upright {
    fn of(placement: &Placement) -> Option<Self> {
        let Placement {
            to_target,
            window,
            clip:
                Clip {
                    to_target: box_to_target,
                    size,
                    radii,
                },
            ..
        } = *placement;
        let is_upright = |map: kinora_composition::timeline::Affine| {
            map.b == 0.0 && map.c == 0.0 && map.a > 0.0 && map.d > 0.0
        };
        let (to_target, box_to_target) = (to_target.as_affine()?, box_to_target.as_affine()?);
        if !is_upright(to_target) || !is_upright(box_to_target) {
            return None;
        }
        let (left, top) = box_to_target.apply(0.0, 0.0);
        let (right, bottom) = box_to_target.apply(size.width, size.height);
        let [first_x, first_y, last_x, last_y] = window;
        let (seen_left, seen_top) = to_target.apply(first_x, first_y);
        let (seen_right, seen_bottom) = to_target.apply(last_x, last_y);
        const SLACK: f32 = 0.01;
        let reaches_beyond = seen_left <= left + SLACK
            && seen_top <= top + SLACK
            && seen_right >= right - SLACK
            && seen_bottom >= bottom - SLACK;
        let [tl, tr, br, bl] = radii;
        let (across, down) = (box_to_target.a, box_to_target.d);
        let corners = [
            tl.1.max(tr.1) * down,
            tr.0.max(br.0) * across,
            bl.1.max(br.1) * down,
            tl.0.max(bl.0) * across,
        ];
        let is_roomy =
            top + corners[0] <= bottom - corners[2] && left + corners[3] <= right - corners[1];
        (reaches_beyond && is_roomy).then_some(Self {
            edges: [left, top, right, bottom],
            corners,
        })
    }
}

#[cfg(test)]
mod tests {
    use kinora_composition::css::Radii;
    use kinora_composition::timeline::{Affine, Size};

    use super::*;

    fn placement(left: f32, top: f32, radii: Radii, turned: f64) -> Placement {
        let to_target = Affine::translate(left, top)
            .then_inner(Affine::rotate(turned))
            .into();
        let size = Size {
            width: 50.0,
            height: 30.0,
        };
        Placement {
            to_target,
            window: [0.0, 0.0, 50.0, 30.0],
            clip: Clip {
                to_target,
                size,
                radii,
            },
            opacity: 1.0,
        }
    }

    /// How often each pixel of a small canvas is in a part, and whether as inside.
    fn counts(parts: &Parts) -> Vec<(u32, u32)> {
        let inside = |rect: &[i32; 4], x: i32, y: i32| {
            (rect[0]..rect[2]).contains(&x) && (rect[1]..rect[3]).contains(&y)
        };
        let mut counts = Vec::new();
        for y in 0..60 {
            for x in 0..80 {
                let count = |list: &[[i32; 4]]| {
                    list.iter().filter(|rect| inside(rect, x, y)).count() as u32
                };
                counts.push((count(&parts.inside), count(&parts.edges)));
            }
        }
        counts
    }

    #[test]
    fn every_pixel_of_the_box_is_in_one_part() {
        for (left, top, radius) in [
            (10.0, 8.0, 0.0),
            (10.5, 8.25, 0.0),
            (10.0, 8.0, 12.0),
            (9.7, 8.9, 6.5),
        ] {
            let placement = placement(left, top, [(radius, radius); 4], 0.0);
            let parts = split(&placement, [0, 0, 80, 60]);
            for (index, (inside, edges)) in counts(&parts).into_iter().enumerate() {
                let (x, y) = ((index % 80) as f32, (index / 80) as f32);
                assert!(
                    inside + edges <= 1,
                    "{left} {top} {radius}: pixel {x}, {y} is drawn twice"
                );
                let touches = x + 1.0 > left && x < left + 50.0 && y + 1.0 > top && y < top + 30.0;
                assert!(
                    !touches || inside + edges == 1,
                    "{left} {top} {radius}: pixel {x}, {y} is left out"
                );
                let is_whole =
                    x >= left && x + 1.0 <= left + 50.0 && y >= top && y + 1.0 <= top + 30.0;
                assert!(
                    inside == 0 || is_whole,
                    "{left} {top} {radius}: pixel {x}, {y} is not whole"
                );
            }
        }
    }

    #[test]
    fn most_of_a_box_is_inside_and_a_turned_one_is_all_edge() {
        let parts = split(&placement(10.0, 8.0, [(5.0, 5.0); 4], 0.0), [0, 0, 80, 60]);
        let area = |list: &[[i32; 4]]| {
            list.iter()
                .map(|r| (r[2] - r[0]) * (r[3] - r[1]))
                .sum::<i32>()
        };
        assert_eq!((area(&parts.inside), area(&parts.edges)), (1400, 100));
        let turned = split(&placement(40.0, 8.0, [(0.0, 0.0); 4], 30.0), [0, 0, 80, 60]);
        assert_eq!(
            turned,
            Parts {
                inside: vec![],
                edges: vec![[0, 0, 80, 60]]
            }
        );
    }

    #[test]
    fn a_picture_that_leaves_bars_has_no_whole_pixels() {
        let mut contained = placement(10.0, 8.0, [(0.0, 0.0); 4], 0.0);
        contained.clip.size.width = 60.0;
        assert!(split(&contained, [0, 0, 80, 60]).inside.is_empty());
    }
}
