//! Movement across an overlay's whole life.

use super::Moment;
use crate::document::During;
use crate::geometry::Affine;

/// Whether a movement happens once, inside the box of a picture.
pub(super) fn is_drift(during: During) -> bool {
    matches!(
        during,
        During::KenBurnsIn
            | During::KenBurnsOut
            | During::PanLeft
            | During::PanRight
            | During::DriftDiagonal
    )
}

/// The movement about the centre of a box: a scale and a shift, or a turn.
pub(super) fn during_at(
    during: During,
    moment: Moment,
    speed: f64,
    intensity: f64,
    (width, height): (f64, f64),
) -> Affine {
    use std::f64::consts::TAU;
    let seconds = moment.elapsed / moment.fps;
    let share = if moment.duration > 0.0 {
        moment.elapsed / moment.duration
    } else {
        1.0
    };
    let p = (speed * share).clamp(0.0, 1.0);
    let k = intensity;
    let wave = |period: f64| (TAU * seconds * speed / period).sin();
    let scaled = |scale: f64, x: f64, y: f64| {
        Affine::translate(x as f32, y as f32).then_inner(Affine::scale(scale as f32, scale as f32))
    };
    match during {
        During::KenBurnsIn => scaled(1.0 + 0.2 * k * p, 0.0, 0.0),
        During::KenBurnsOut => scaled(1.0 + 0.2 * k * (1.0 - p), 0.0, 0.0),
        During::PanLeft => scaled(1.0 + 0.2 * k, 0.1 * k * width * (1.0 - 2.0 * p), 0.0),
        During::PanRight => scaled(1.0 + 0.2 * k, -0.1 * k * width * (1.0 - 2.0 * p), 0.0),
        During::DriftDiagonal => {
            let shift = 0.05 * k * (1.0 - 2.0 * p);
            scaled(1.0 + 0.2 * k, shift * width, shift * height)
        }
        During::Pulse => scaled(1.0 + 0.05 * k * wave(1.0), 0.0, 0.0),
        During::Float => scaled(1.0, 0.0, 10.0 * k * wave(3.0)),
        During::Sway => Affine::rotate(3.0 * k * wave(3.0)),
        During::Breathe => scaled(1.0 + 0.03 * k * wave(4.0), 0.0, 0.0),
        During::Spin => Affine::rotate(360.0 * seconds * speed / 4.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drift_holds_at_its_end_and_loops_run_on() {
        let at = |during, elapsed, speed| {
            let moment = Moment {
                elapsed,
                duration: 100.0,
                fps: 25.0,
            };
            during_at(during, moment, speed, 1.0, (100.0, 50.0))
        };
        assert_eq!(at(During::KenBurnsIn, 0.0, 1.0).a, 1.0);
        assert_eq!(at(During::KenBurnsIn, 50.0, 2.0).a, 1.2);
        assert_eq!(at(During::KenBurnsIn, 99.0, 2.0).a, 1.2);
        assert_eq!(at(During::PanLeft, 0.0, 1.0).e, 10.0);
        assert_eq!(at(During::PanLeft, 100.0, 1.0).e, -10.0);
        assert_eq!(at(During::Spin, 25.0, 1.0), Affine::rotate(90.0));
        assert_eq!(at(During::Spin, 100.0, 1.0), Affine::IDENTITY);
    }
}
