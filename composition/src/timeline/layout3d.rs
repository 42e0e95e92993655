//! Images that stand in space: the poses of `layout3D`, and how an image settles from one to flat.
//!
//! A pose turns the box about a hinge and shows it in perspective from in front of the centre of the
//! box. It lies inside rotation and movement of the overlay and outside `styles.transform`: what the
//! style makes of the box is stood in space as a whole.

use super::motion::{Moment, progress, ramp_frames};
use crate::document::{Layout3d, Layout3dName};
use crate::geometry::{Projection, Size, Standing};

/// An image that stands in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stand {
    pose: Pose,
    /// Whether it turns to flat while the overlay enters.
    settles: bool,
}

/// How a box stands. All of it is zero for a flat box, so a share of a pose is a pose on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Pose {
    /// Degrees about the horizontal, the vertical and the viewing axis, as in CSS
    /// `rotateX() rotateY() rotateZ()`.
    turn: [f64; 3],
    /// Degrees by which vertical and horizontal edges lean, as in CSS `skew()`.
    skew: [f64; 2],
    /// Movement right, down and towards the viewer, in shares of the shorter side.
    shift: [f64; 3],
    /// The point that turning leaves in place, from the centre, in shares of the box.
    hinge: [f64; 2],
}

const CENTER: [f64; 2] = [0.0, 0.0];
const LEFT_EDGE: [f64; 2] = [-0.5, 0.0];
const BOTTOM_EDGE: [f64; 2] = [0.0, 0.5];

/// Pixels from the eye to the canvas, for boxes that are not much larger than that.
const EYE_DISTANCE: f64 = 1100.0;
/// The eye is at least so many longer sides away, so that no pose comes near it.
const EYE_DISTANCE_IN_SIDES: f64 = 1.5;

impl Pose {
    fn of(name: Layout3dName) -> Option<Self> {
        let turned = |turn, hinge| Self {
            turn,
            hinge,
            ..Self::default()
        };
        Some(match name {
            Layout3dName::None => return None,
            Layout3dName::TiltUp => turned([25.0, 0.0, 0.0], CENTER),
            Layout3dName::TiltDown => turned([-25.0, 0.0, 0.0], CENTER),
            Layout3dName::CardLeft => turned([4.0, 28.0, -2.0], CENTER),
            Layout3dName::CardRight => turned([4.0, -28.0, 2.0], CENTER),
            Layout3dName::Book => turned([0.0, -32.0, 0.0], LEFT_EDGE),
            Layout3dName::Floating => Self {
                shift: [0.0, -0.04, 0.08],
                ..turned([14.0, -16.0, 4.0], CENTER)
            },
            Layout3dName::Billboard => turned([12.0, -22.0, 0.0], BOTTOM_EDGE),
            Layout3dName::Skewed => Self {
                skew: [-8.0, -4.0],
                ..Self::default()
            },
        })
    }

    /// The pose on its way to flat: 1 is all of it, 0 is flat.
    fn share(self, share: f64) -> Self {
        Self {
            turn: self.turn.map(|angle| angle * share),
            skew: self.skew.map(|angle| angle * share),
            shift: self.shift.map(|length| length * share),
            hinge: self.hinge,
        }
    }

    /// The map of a box of this size that the pose is.
    fn on_box(self, size: Size) -> Projection {
        let (width, height) = (f64::from(size.width), f64::from(size.height));
        let shorter = width.min(height);
        let eye = EYE_DISTANCE.max(EYE_DISTANCE_IN_SIDES * width.max(height));
        let [skew_x, skew_y] = self.skew.map(|angle| angle.to_radians().tan());
        Standing {
            turn: self.turn,
            plane: [[1.0, skew_x], [skew_y, 1.0]],
            shift: self.shift.map(|share| share * shorter),
            hinge: [self.hinge[0] * width, self.hinge[1] * height],
            eye,
        }
        .on_box(size)
    }
}

impl Stand {
    /// What `layout3D` asks for; `None` for an image that lies flat.
    pub(super) fn of(layout: Option<&Layout3d>) -> Option<Self> {
        let layout = layout?;
        Some(Self {
            pose: Pose::of(layout.layout?)?,
            settles: layout.settle == Some(true),
        })
    }

    /// Whether the image stands from this moment on as it does now.
    pub(super) fn is_at_rest(self, moment: Moment, enter_seconds: Option<f64>) -> bool {
        !self.settles || settled(moment, enter_seconds) >= 1.0
    }

    /// How a box of this size stands at a moment; settling takes as long as entering does.
    pub(super) fn at(self, moment: Moment, enter_seconds: Option<f64>, size: Size) -> Projection {
        if !self.settles {
            return self.pose.on_box(size);
        }
        let done = settled(moment, enter_seconds);
        if done >= 1.0 {
            return Projection::IDENTITY;
        }
        // Quick at first and gentle at the end, as something that comes to rest.
        self.pose.share((1.0 - done).powi(3)).on_box(size)
    }
}

/// How far an image has settled, 0 to 1.
fn settled(moment: Moment, enter_seconds: Option<f64>) -> f64 {
    progress(moment.elapsed, ramp_frames(enter_seconds, moment.fps))
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSES: [Layout3dName; 8] = [
        Layout3dName::TiltUp,
        Layout3dName::TiltDown,
        Layout3dName::CardLeft,
        Layout3dName::CardRight,
        Layout3dName::Book,
        Layout3dName::Floating,
        Layout3dName::Billboard,
        Layout3dName::Skewed,
    ];

    fn stand(name: Layout3dName, settle: bool) -> Stand {
        Stand::of(Some(&Layout3d {
            layout: Some(name),
            settle: Some(settle),
        }))
        .expect("a pose")
    }

    fn moment(elapsed: f64, fps: f64) -> Moment {
        Moment {
            elapsed,
            duration: 600.0,
            fps,
        }
    }

    fn corners(size: Size) -> [(f32, f32); 4] {
        let (w, h) = (size.width, size.height);
        [(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)]
    }

    fn sizes() -> Vec<Size> {
        let sides = [1.0, 16.0, 300.0, 1080.0, 7680.0, 100_000.0];
        sides
            .iter()
            .flat_map(|width| sides.map(|height| (*width, height)))
            .map(|(width, height)| Size { width, height })
            .collect()
    }

    #[test]
    fn poses_of_any_box_stay_in_front_of_the_eye_and_near_their_place() {
        for size in sizes() {
            let longer = size.width.max(size.height);
            for name in POSES {
                let map = stand(name, false).at(moment(0.0, 30.0), None, size);
                let corners = corners(size);
                let posed = corners.map(|(x, y)| map.apply(x, y).expect("in front of the eye"));
                for ((x, y), (to_x, to_y)) in corners.iter().zip(posed) {
                    let moved = (to_x - x).hypot(to_y - y);
                    assert!(moved < 0.6 * longer, "{name:?} {size:?}: {moved}");
                }
                // Never turned over, never on edge.
                let area: f32 = (0..4)
                    .map(|i| (posed[i], posed[(i + 1) % 4]))
                    .map(|(a, b)| (a.0 * b.1 - b.0 * a.1) / 2.0)
                    .sum();
                let share = area / (size.width * size.height);
                assert!((0.5..1.8).contains(&share), "{name:?} {size:?}: {share}");
            }
        }
    }

    #[test]
    fn every_pose_is_another_and_none_is_flat() {
        let size = Size {
            width: 400.0,
            height: 300.0,
        };
        let maps = POSES.map(|name| stand(name, false).at(moment(0.0, 30.0), None, size));
        for (index, map) in maps.iter().enumerate() {
            assert_ne!(*map, Projection::IDENTITY);
            assert!(!maps[..index].contains(map));
        }
        assert_eq!(Pose::of(Layout3dName::None), None);
        assert_eq!(Stand::of(None), None);
    }

    #[test]
    fn hinges_stay_where_they_are() {
        let size = Size {
            width: 400.0,
            height: 300.0,
        };
        let at = |name, x, y| {
            stand(name, false)
                .at(moment(0.0, 30.0), None, size)
                .apply(x, y)
        };
        let near = |found: Option<(f32, f32)>, x: f32, y: f32| {
            let (to_x, to_y) = found.expect("in front of the eye");
            (to_x - x).abs() < 0.01 && (to_y - y).abs() < 0.01
        };
        assert!(near(at(Layout3dName::Book, 0.0, 0.0), 0.0, 0.0));
        assert!(near(at(Layout3dName::Book, 0.0, 300.0), 0.0, 300.0));
        assert!(near(
            at(Layout3dName::Billboard, 200.0, 300.0),
            200.0,
            300.0
        ));
        assert!(near(at(Layout3dName::TiltUp, 200.0, 150.0), 200.0, 150.0));
        let (left, _) = at(Layout3dName::TiltUp, 0.0, 0.0).expect("in front");
        assert!(left > 0.0, "the top of a tilted picture is farther away");
    }

    #[test]
    fn a_lean_has_no_perspective() {
        for size in sizes() {
            let map = stand(Layout3dName::Skewed, false).at(moment(0.0, 30.0), None, size);
            assert!(map.as_affine().is_some(), "{size:?}");
        }
    }

    #[test]
    fn settling_starts_in_the_pose_and_ends_flat() {
        for size in sizes() {
            for name in POSES {
                let settling = stand(name, true);
                let still = stand(name, false).at(moment(7.0, 30.0), None, size);
                assert_eq!(settling.at(moment(0.0, 30.0), None, size), still);
                for (elapsed, seconds) in [
                    (15.0, None),
                    (60.0, Some(2.0)),
                    (1e9, None),
                    (0.0, Some(0.0)),
                    (0.0, Some(-1.0)),
                ] {
                    let end = settling.at(moment(elapsed, 30.0), seconds, size);
                    assert_eq!(end, Projection::IDENTITY, "{name:?}");
                }
            }
        }
        let rests = |settle: bool, elapsed: f64| {
            stand(Layout3dName::Book, settle).is_at_rest(moment(elapsed, 30.0), None)
        };
        assert_eq!((rests(true, 14.0), rests(true, 15.0)), (false, true));
        assert!(rests(false, 0.0));
    }

    #[test]
    fn settling_looks_the_same_at_any_frame_rate() {
        let size = Size {
            width: 640.0,
            height: 360.0,
        };
        for fps in [12.0, 24.0, 60.0, 120.0] {
            for tenth in 0..10 {
                let seconds = f64::from(tenth) / 10.0;
                let at = |fps: f64| {
                    stand(Layout3dName::Floating, true).at(
                        moment(seconds * fps, fps),
                        Some(1.0),
                        size,
                    )
                };
                let (a, b) = (at(30.0), at(fps));
                for (x, y) in corners(size) {
                    let ((ax, ay), (bx, by)) =
                        (a.apply(x, y).expect("seen"), b.apply(x, y).expect("seen"));
                    assert!((ax - bx).abs() < 0.01 && (ay - by).abs() < 0.01);
                }
            }
        }
    }

    #[test]
    fn settling_only_ever_gets_flatter() {
        let size = Size {
            width: 640.0,
            height: 360.0,
        };
        for name in POSES {
            let far = |frame: u32| -> f32 {
                let map = stand(name, true).at(moment(f64::from(frame), 30.0), None, size);
                corners(size)
                    .iter()
                    .map(|(x, y)| {
                        let (to_x, to_y) = map.apply(*x, *y).expect("seen");
                        (to_x - x).hypot(to_y - y)
                    })
                    .fold(0.0, f32::max)
            };
            let distances: Vec<f32> = (0..=15).map(far).collect();
            assert!(
                distances.windows(2).all(|pair| pair[1] < pair[0]),
                "{name:?}: {distances:?}"
            );
        }
    }
}
