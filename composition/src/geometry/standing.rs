//! Flat boxes that stand before an eye.

use super::{Projection, Size};

/// A flat box in space, seen from in front of its centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Standing {
    /// Degrees about the horizontal, the vertical and the viewing axis, as in CSS
    /// `rotateX() rotateY() rotateZ()`.
    pub(crate) turn: [f64; 3],
    /// What happens in the plane of the box before it turns, rows first.
    pub(crate) plane: [[f64; 2]; 2],
    /// Pixels right, down and towards the eye.
    pub(crate) shift: [f64; 3],
    /// What turning and the plane leave in place, in pixels from the centre.
    pub(crate) hinge: [f64; 2],
    /// Pixels from the eye to the canvas.
    pub(crate) eye: f64,
}

impl Standing {
    /// The map of a box of this size.
    pub(crate) fn on_box(self, size: Size) -> Projection {
        let [hinge_x, hinge_y] = self.hinge;
        let plane = self.plane;
        // Columns of the turn that the plane of the box takes part in.
        let [[xx, xy], [yx, yy], [zx, zy]] = turn(self.turn)
            .map(|[x, y, _]| {
                [
                    x * plane[0][0] + y * plane[1][0],
                    x * plane[0][1] + y * plane[1][1],
                ]
            })
            .map(|row| row.map(snap_to_zero));
        let [dx, dy, dz] = self.shift;
        let x0 = hinge_x - xx * hinge_x - xy * hinge_y + dx;
        let y0 = hinge_y - yx * hinge_x - yy * hinge_y + dy;
        let z0 = -(zx * hinge_x + zy * hinge_y) + dz;
        let rows = [
            [xx, xy, x0],
            [yx, yy, y0],
            [-zx / self.eye, -zy / self.eye, 1.0 - z0 / self.eye],
        ];
        Projection(rows.map(|row| row.map(|value| value as f32)))
            .about(size.width / 2.0, size.height / 2.0)
    }
}

/// Without this, a box that only leans would seem to have a trace of perspective.
fn snap_to_zero(value: f64) -> f64 {
    if value.abs() < 1e-12 { 0.0 } else { value }
}

/// The matrix of `rotateX() rotateY() rotateZ()`, rows first.
fn turn(degrees: [f64; 3]) -> [[f64; 3]; 3] {
    let [(sx, cx), (sy, cy), (sz, cz)] = degrees.map(|angle| angle.to_radians().sin_cos());
    [
        [cy * cz, -cy * sz, sy],
        [sx * sy * cz + cx * sz, cx * cz - sx * sy * sz, -sx * cy],
        [sx * sz - cx * sy * cz, cx * sy * sz + sx * cz, cx * cy],
    ]
}
