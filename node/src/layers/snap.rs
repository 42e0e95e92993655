//! Edges on whole pixels, where browsers put them.

use kinora_composition::timeline::Affine;

/// A rectangle of a box (left, top, right, bottom) with its edges where a browser paints them. Under
/// a map that only moves, edges lie on whole pixels of the picture; under any other map, on whole
/// pixels of the box.
pub(super) fn snapped(rect: [f32; 4], map: Affine) -> [f32; 4] {
    let (dx, dy) = if map.is_translation() {
        (map.e, map.f)
    } else {
        (0.0, 0.0)
    };
    let snap = |edge: f32, shift: f32| (edge + shift + 0.5).floor() - shift;
    let [left, top, right, bottom] = rect;
    [
        snap(left, dx),
        snap(top, dy),
        snap(right, dx),
        snap(bottom, dy),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_whole_where_they_are_seen() {
        let moved = Affine::translate(0.75, 10.5);
        assert_eq!(
            snapped([0.0, 0.0, 10.0, 20.25], moved),
            [0.25, 0.5, 10.25, 20.5]
        );
        let turned = Affine::rotate(30.0);
        assert_eq!(
            snapped([0.0, 0.0, 10.4, 20.5], turned),
            [0.0, 0.0, 10.0, 21.0]
        );
    }
}
