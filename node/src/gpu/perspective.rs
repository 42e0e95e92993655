//! Pictures that are seen in perspective.

use kinora_composition::timeline::{Projection, Size};
use kinora_shaders::Params;

use super::painter::{Clip, Placement, intersect};

/// Parameters of a placement with perspective, over those of its target; `None` when it can't be seen.
pub(super) fn projected(base: Params, placement: &Placement) -> Option<Params> {
    let Clip {
        to_target,
        size,
        radii,
    } = placement.clip;
    let [[a, c, e], [b, d, f], depth] = to_target.inverse()?.0;
    let to_source = placement.to_target.inverse()?.then_inner(to_target);
    // Both maps differ by what happens inside the box, which is flat.
    let [[sa, sc, se], [sb, sd, sf], _] = to_source.0;
    let params = Params {
        area: intersect(base.area, bounds(to_target, size)?),
        to_box: [a, b, c, d],
        to_source: [sa, sb, sc, sd],
        shifts: [se, sf, e, f],
        color: [depth[0], depth[1], depth[2], 0.0],
        box_size: [size.width, size.height, placement.opacity, 0.0],
        radii_x: radii.map(|(x, _)| x),
        radii_y: radii.map(|(_, y)| y),
        window: placement.window,
        ..base
    };
    let numbers = [params.to_box, params.to_source, params.shifts, params.color];
    numbers
        .iter()
        .flatten()
        .all(|number| number.is_finite())
        .then_some(params)
}

/// The pixels that a box may touch, without what lies behind the eye.
fn bounds(to_target: Projection, size: Size) -> Option<[i32; 4]> {
    /// Nearer to the eye everything would be endlessly large.
    const NEAREST: f32 = 1e-3;
    let corners = [
        (0.0, 0.0),
        (size.width, 0.0),
        (size.width, size.height),
        (0.0, size.height),
    ]
    .map(|(x, y)| to_target.0.map(|[a, b, c]| a * x + b * y + c));
    let mut low = [f32::INFINITY; 2];
    let mut high = [f32::NEG_INFINITY; 2];
    let mut add = |[x, y, w]: [f32; 3]| {
        for (axis, value) in [x / w, y / w].into_iter().enumerate() {
            low[axis] = low[axis].min(value);
            high[axis] = high[axis].max(value);
        }
    };
    for (index, corner) in corners.into_iter().enumerate() {
        let next = corners[(index + 1) % 4];
        if corner[2] >= NEAREST {
            add(corner);
        }
        if (corner[2] >= NEAREST) != (next[2] >= NEAREST) {
            let part = (NEAREST - corner[2]) / (next[2] - corner[2]);
            add(std::array::from_fn(|i| {
                corner[i] + part * (next[i] - corner[i])
            }));
        }
    }
    (low[0] <= high[0] && low[1] <= high[1]).then(|| {
        [
            (low[0] - 1.0).floor() as i32,
            (low[1] - 1.0).floor() as i32,
            (high[0] + 1.0).ceil() as i32,
            (high[1] + 1.0).ceil() as i32,
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size {
        width: 100.0,
        height: 50.0,
    };

    #[test]
    fn bounds_hold_what_is_before_the_eye() {
        let tilted = Projection([[1.0, 0.0, 10.0], [0.0, 1.0, 20.0], [0.005, 0.0, 1.0]]);
        assert_eq!(bounds(tilted, SIZE), Some([9, 12, 75, 71]));
        let past = Projection([[1.0, 0.0, 10.0], [0.0, 1.0, 20.0], [-0.02, 0.0, 1.0]]);
        let [left, _, right, _] = bounds(past, SIZE).expect("partly seen");
        assert!(left <= 10 && right > 10_000, "{left} to {right}");
        let behind = Projection([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]]);
        assert_eq!(bounds(behind, SIZE), None);
    }
}
