//! Pieces that move one after another through arrays of values: keyframes, their order and their state
//! at a time.

use crate::css::{Easing, Family, Side};
use crate::document::{StaggerDirection, StaggeredMotion};

/// Seconds that one piece moves when a document does not say.
const DEFAULT_DURATION: f64 = 0.6;
/// Seconds from the start of one piece to the start of the next when a document does not say.
const DEFAULT_STEP: f64 = 0.1;
/// How a piece moves when a document does not say.
pub(super) const DEFAULT_EASING: Easing = Easing::Family(Family::Power(3), Side::Out);

/// Values that something goes through, evenly spread over its movement.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Track {
    values: Vec<f64>,
}

impl Track {
    /// The values of a document. One value alone leads from there to `rest`; none is no movement.
    /// Beyond a million it makes no difference how far away something is.
    pub(super) fn new(values: Option<&Vec<f64>>, rest: f64) -> Self {
        const FARTHEST: f64 = 1e6;
        let mut values = values.cloned().unwrap_or_default();
        for value in &mut values {
            *value = value.clamp(-FARTHEST, FARTHEST);
        }
        if values.len() == 1 {
            values.push(rest);
        }
        Self { values }
    }

    /// The value at a progress, which may run past the ends as some easings do.
    fn at(&self, progress: f64, rest: f64) -> f64 {
        let [.., before_last, last] = self.values[..] else {
            return rest;
        };
        if progress == 1.0 {
            return last;
        }
        let spans = self.values.len() - 1;
        let place = progress * spans as f64;
        let span = (place.floor().max(0.0) as usize).min(spans - 1);
        let (from, to) = match span + 1 == spans {
            true => (before_last, last),
            false => (self.values[span], self.values[span + 1]),
        };
        from + (to - from) * (place - span as f64)
    }
}

/// Where a piece is, against where it belongs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PieceState {
    /// Pixels to the right.
    pub x: f64,
    /// Pixels down.
    pub y: f64,
    /// Factor on its size, about its centre.
    pub scale: f64,
    /// 0 to 1.
    pub opacity: f64,
    /// Degrees about its centre.
    pub rotate: f64,
    /// Standard deviation of its blur in pixels.
    pub blur: f64,
    /// Strength of its displacement.
    pub glitch: f64,
}

impl PieceState {
    /// Where it belongs.
    pub const AT_REST: Self = Self {
        x: 0.0,
        y: 0.0,
        scale: 1.0,
        opacity: 1.0,
        rotate: 0.0,
        blur: 0.0,
        glitch: 0.0,
    };
}

/// How pieces move one after another. Times are frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Stagger {
    pub(super) x: Track,
    pub(super) y: Track,
    pub(super) scale: Track,
    pub(super) opacity: Track,
    pub(super) rotate: Track,
    pub(super) blur: Track,
    pub(super) glitch: Track,
    pub(super) direction: StaggerDirection,
    /// From the start of one piece to the start of the next.
    pub(super) step: f64,
    /// That one piece moves.
    pub(super) duration: f64,
    /// Before the first piece starts.
    pub(super) delay: f64,
    pub(super) easing: Easing,
}

impl Stagger {
    /// What a document asks for; `None` where it is not switched on.
    pub fn of(motion: &StaggeredMotion, fps: f64) -> Option<Self> {
        let rest = PieceState::AT_REST;
        (motion.enabled == Some(true)).then(|| Self {
            x: Track::new(motion.x.as_ref(), rest.x),
            y: Track::new(motion.y.as_ref(), rest.y),
            scale: Track::new(motion.scale.as_ref(), rest.scale),
            opacity: Track::new(motion.opacity.as_ref(), rest.opacity),
            rotate: Track::new(motion.rotate.as_ref(), rest.rotate),
            blur: Track::new(motion.blur.as_ref(), rest.blur),
            glitch: Track::default(),
            direction: motion
                .stagger_direction
                .unwrap_or(StaggerDirection::Forward),
            step: motion.stagger.unwrap_or(DEFAULT_STEP * fps),
            duration: motion.duration.unwrap_or(DEFAULT_DURATION * fps),
            delay: motion.delay.unwrap_or(0.0),
            easing: (motion.easing.as_ref()).map_or(DEFAULT_EASING, |easing| easing.curve.clone()),
        })
    }

    /// The states of so many pieces, so many frames after the overlay appeared.
    pub fn pieces(&self, count: usize, elapsed: f64) -> Vec<PieceState> {
        turns(self.direction, count)
            .map(|turn| self.at_turn(turn, elapsed))
            .collect()
    }

    fn at_turn(&self, turn: f64, elapsed: f64) -> PieceState {
        let since = elapsed - self.delay.max(0.0) - turn * self.step.max(0.0);
        let progress = if self.duration > 0.0 {
            (since / self.duration).clamp(0.0, 1.0)
        } else {
            f64::from(u8::from(since >= 0.0))
        };
        let eased = self.easing.at(progress);
        let rest = PieceState::AT_REST;
        PieceState {
            x: self.x.at(eased, rest.x),
            y: self.y.at(eased, rest.y),
            scale: self.scale.at(eased, rest.scale),
            opacity: self.opacity.at(eased, rest.opacity).clamp(0.0, 1.0),
            rotate: self.rotate.at(eased, rest.rotate),
            blur: self.blur.at(eased, rest.blur).max(0.0),
            glitch: self.glitch.at(eased, rest.glitch),
        }
    }

    /// Frames after which none of so many pieces moves any more.
    pub fn ends_after(&self, count: usize) -> f64 {
        let turns = match self.direction {
            StaggerDirection::Center => count.saturating_sub(1).div_ceil(2),
            _ => count.saturating_sub(1),
        };
        self.delay.max(0.0) + turns as f64 * self.step.max(0.0) + self.duration.max(0.0)
    }
}

/// When each piece's turn comes, counted from 0.
fn turns(direction: StaggerDirection, count: usize) -> impl Iterator<Item = f64> {
    let last = count.saturating_sub(1);
    let shuffle = match direction {
        StaggerDirection::Random => shuffle(count),
        _ => Vec::new(),
    };
    (0..count).map(move |index| match direction {
        StaggerDirection::Forward => index as f64,
        StaggerDirection::Reverse => (last - index) as f64,
        StaggerDirection::Center => {
            let (low, high) = (last / 2, last.div_ceil(2));
            low.saturating_sub(index).max(index.saturating_sub(high)) as f64
        }
        StaggerDirection::Random => shuffle[index] as f64,
    })
}

/// The place of each index in a fixed shuffle of so many.
fn shuffle(count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|index| scattered(*index as u64));
    let mut places = vec![0; count];
    for (place, index) in order.into_iter().enumerate() {
        places[index] = place;
    }
    places
}

/// A number that looks random, the same on every machine.
pub fn scattered(seed: u64) -> u64 {
    let mut mixed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stagger(direction: StaggerDirection, y: &[f64]) -> Stagger {
        let none = Track::default();
        Stagger {
            x: none.clone(),
            y: Track::new(Some(&y.to_vec()), 0.0),
            scale: none.clone(),
            opacity: Track::new(Some(&vec![0.0, 1.0]), 1.0),
            rotate: none.clone(),
            blur: none.clone(),
            glitch: none,
            direction,
            step: 3.0,
            duration: 10.0,
            delay: 5.0,
            easing: Easing::Linear,
        }
    }

    #[test]
    fn a_piece_holds_its_first_value_moves_and_holds_its_last() {
        let stagger = stagger(StaggerDirection::Forward, &[40.0, -10.0, 0.0]);
        let y = |index: usize, elapsed| stagger.pieces(4, elapsed)[index].y;
        assert_eq!(y(0, 0.0), 40.0);
        assert_eq!(y(0, 5.0), 40.0);
        assert_eq!(y(0, 7.5), 15.0);
        assert_eq!(y(0, 10.0), -10.0);
        assert_eq!(y(0, 15.0), 0.0);
        assert_eq!(y(1, 8.0), 40.0, "the second starts three frames later");
        assert_eq!(y(1, 13.0), -10.0);
        assert_eq!(stagger.ends_after(4), 24.0);
        assert_eq!(stagger.pieces(4, 24.0), [PieceState::AT_REST; 4]);
    }

    #[test]
    fn arrays_of_any_length_have_a_result() {
        let y = |values: &[f64], elapsed| {
            stagger(StaggerDirection::Forward, values).pieces(1, elapsed)[0].y
        };
        assert_eq!(y(&[], 7.0), 0.0);
        assert_eq!(y(&[30.0], 0.0), 30.0);
        assert_eq!(
            y(&[30.0], 15.0),
            0.0,
            "one value leads to where the piece belongs"
        );
        let thousand: Vec<f64> = (0..1000).map(f64::from).collect();
        assert_eq!(y(&thousand, 0.0), 0.0);
        assert!((y(&thousand, 10.0) - 499.5).abs() < 1e-9);
        assert_eq!(y(&thousand, 1e18), 999.0);
    }

    #[test]
    fn what_a_document_leaves_out_is_given_in_seconds() {
        let read = |fields: serde_json::Value, fps: f64| {
            let overlay = serde_json::json!({
                "id": 1, "type": "shape", "content": "circle", "from": 0, "durationInFrames": 90,
                "row": 0, "left": 0, "top": 0, "width": 9, "height": 9,
                "styles": { "staggeredMotion": fields }
            });
            let document = serde_json::json!({
                "overlays": [overlay], "durationInFrames": 90, "width": 64, "height": 36
            });
            let (composition, _) =
                crate::document::Composition::from_json(&document).expect("valid");
            let crate::document::OverlayKind::Shape(shape) = &composition.overlays[0].kind else {
                panic!("a shape");
            };
            Stagger::of(shape.styles.staggered_motion.as_ref().expect("given"), fps)
        };
        let bare = serde_json::json!({ "enabled": true, "y": [40, 0] });
        for fps in [12.0, 30.0, 120.0] {
            let stagger = read(bare.clone(), fps).expect("on");
            assert!((stagger.ends_after(3) - 0.8 * fps).abs() < 1e-9, "{fps}");
            let half_way = stagger.pieces(1, 0.3 * fps)[0].y;
            assert!((half_way - 40.0 * 0.125).abs() < 1e-9, "{half_way}");
        }
        assert_eq!(read(serde_json::json!({ "y": [40, 0] }), 30.0), None);
        let told = serde_json::json!({ "enabled": true, "duration": 7, "delay": 2, "stagger": 4,
            "staggerDirection": "reverse", "easing": "linear", "x": [1e300, -1e300] });
        let told = read(told, 30.0).expect("on");
        assert_eq!(told.ends_after(3), 17.0);
        assert_eq!(told.pieces(2, 5.5)[1].x, 0.0);
        assert_eq!(told.pieces(2, 0.0)[0].x, 1e6);
    }

    #[test]
    fn every_direction_gives_each_piece_a_turn() {
        use StaggerDirection::{Center, Forward, Random, Reverse};
        let turns = |direction, count: usize| -> Vec<f64> { turns(direction, count).collect() };
        assert_eq!(turns(Forward, 3), [0.0, 1.0, 2.0]);
        assert_eq!(turns(Reverse, 3), [2.0, 1.0, 0.0]);
        assert_eq!(turns(Center, 5), [2.0, 1.0, 0.0, 1.0, 2.0]);
        assert_eq!(turns(Center, 4), [1.0, 0.0, 0.0, 1.0]);
        let mut random = turns(Random, 50);
        assert_ne!(random, turns(Forward, 50));
        random.sort_by(f64::total_cmp);
        assert_eq!(random, turns(Forward, 50));
        for direction in [Forward, Reverse, Center, Random] {
            let latest = turns(direction, 7).into_iter().fold(0.0, f64::max);
            let moves = stagger(direction, &[]);
            assert_eq!(moves.ends_after(7), 5.0 + latest * 3.0 + 10.0);
        }
    }

    #[test]
    fn extremes_have_a_result() {
        let mut odd = stagger(StaggerDirection::Forward, &[1.0, 2.0]);
        odd.duration = -4.0;
        odd.delay = -100.0;
        assert_eq!(odd.pieces(1, 0.0)[0].y, 2.0);
        odd.duration = 1e300;
        assert_eq!(odd.pieces(1, 10.0)[0].y, 1.0);
        assert!(odd.pieces(0, 10.0).is_empty());
    }
}
