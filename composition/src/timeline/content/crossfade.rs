//! Gradients that fade one into the next.

use crate::css::{Color, Easing, Gradient};
use crate::document::GradientTransition;
use crate::timeline::motion::Moment;

/// Gradients that a shape goes through, two or more.
#[derive(Clone, Debug, PartialEq)]
pub struct GradientRun {
    /// In the order in which they are shown.
    pub gradients: Vec<Gradient>,
    /// Frames from the first to the last; the overlay's whole life where there is none.
    duration: Option<f64>,
    easing: Easing,
}

/// Which gradients of a run are seen at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossfade {
    /// The gradient that goes.
    pub from: usize,
    /// The gradient that comes; the same where nothing fades.
    pub to: usize,
    /// How much is seen of the one that comes, of 255; 0 where nothing fades.
    pub share: u8,
}

impl GradientRun {
    /// The gradients of a document; none where it is off. What is no gradient is left out.
    pub(super) fn gradients(transition: Option<&GradientTransition>) -> Vec<Gradient> {
        transition
            .filter(|transition| transition.enabled == Some(true))
            .and_then(|transition| transition.gradients.as_ref())
            .into_iter()
            .flatten()
            .filter_map(|text| Gradient::parse(text, Color::BLACK))
            .collect()
    }

    pub(super) fn new(gradients: Vec<Gradient>, transition: &GradientTransition) -> Self {
        const EASE_IN_OUT: Easing = Easing::Bezier([0.42, 0.0, 0.58, 1.0]);
        let easing = transition.easing.as_ref();
        Self {
            gradients,
            duration: transition.duration,
            easing: easing.map_or(EASE_IN_OUT, |easing| easing.curve.clone()),
        }
    }

    /// What is seen at a moment of the overlay's life.
    pub(in crate::timeline) fn at(&self, moment: Moment) -> Crossfade {
        const WHOLE: f64 = 255.0;
        let duration = self.duration.unwrap_or(moment.duration);
        let time = match duration > 0.0 {
            true => moment.elapsed / duration,
            false => 1.0,
        };
        let last = self.gradients.len().saturating_sub(1);
        let position = (self.easing.at(time) * last as f64).clamp(0.0, last as f64);
        let (mut from, mut share) = (position as usize, (position.fract() * WHOLE).round());
        if share >= WHOLE {
            (from, share) = (from + 1, 0.0);
        }
        Crossfade {
            from,
            to: if share > 0.0 { from + 1 } else { from },
            share: share as u8,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};

    use crate::document::Composition;
    use crate::timeline::{Content, Scene};

    fn scene(transition: &Value) -> Scene {
        let document = json!({ "durationInFrames": 90, "width": 64, "height": 36, "overlays": [
            { "id": 1, "type": "shape", "content": "rectangle", "from": 10, "durationInFrames": 60, "row": 0, "left": 0,
              "top": 0, "width": 64, "height": 36, "styles": { "fill": "#0f0", "gradientTransition": transition } }] });
        let (composition, _) = Composition::from_json(&document).expect("valid");
        Scene::new(Arc::new(composition))
    }

    fn shown(scene: &Scene, frame: u32) -> Option<(usize, usize, u8)> {
        match &scene.plan(frame).layers[0].content {
            Content::Shape { crossfade, .. } => crossfade.map(|c| (c.from, c.to, c.share)),
            other => panic!("{other:?}"),
        }
    }

    fn three(more: &Value) -> Value {
        let mut transition = json!({ "enabled": true, "easing": "linear", "gradients": [
            "linear-gradient(red, blue)", "no gradient", "none", "radial-gradient(lime, black)",
            "conic-gradient(white, black)"] });
        for (name, value) in more.as_object().expect("fields") {
            transition[name] = value.clone();
        }
        transition
    }

    #[test]
    fn gradients_fade_from_the_first_to_the_last_which_stays() {
        let scene = scene(&three(&json!({ "duration": 20 })));
        let found = [10, 11, 15, 20, 25, 30, 69].map(|frame| shown(&scene, frame));
        let expected = [
            (0, 0, 0),
            (0, 1, 26),
            (0, 1, 128),
            (1, 1, 0),
            (1, 2, 128),
            (2, 2, 0),
            (2, 2, 0),
        ];
        assert_eq!(found, expected.map(Some));
        assert_eq!(scene.plan(31), scene.plan(69), "nothing is drawn again");
        assert_ne!(scene.plan(12), scene.plan(13));
    }

    #[test]
    fn without_a_duration_the_way_takes_the_whole_life_and_starts_and_ends_slowly() {
        let linear = scene(&three(&json!({})));
        assert_eq!(shown(&linear, 40), Some((1, 1, 0)));
        assert_eq!(shown(&linear, 55), Some((1, 2, 128)));
        let mut transition = three(&json!({}));
        transition.as_object_mut().expect("fields").remove("easing");
        let eased = scene(&transition);
        assert_eq!(shown(&eased, 40), Some((1, 1, 0)));
        assert!(shown(&eased, 16) < shown(&linear, 16));
    }

    #[test]
    fn steps_jump_and_what_overshoots_is_held() {
        let steps = scene(&three(&json!({ "duration": 20, "easing": "step-end" })));
        assert_eq!(
            [shown(&steps, 29), shown(&steps, 30)],
            [Some((0, 0, 0)), Some((2, 2, 0))]
        );
        for easing in ["easeOutElastic", "easeInOutBack", "spring"] {
            let scene = scene(&three(&json!({ "duration": 40, "easing": easing })));
            for frame in 10..70 {
                let (from, to, share) = shown(&scene, frame).expect("a run");
                assert!(to < 3 && to - from == usize::from(share > 0), "{easing}");
            }
        }
    }

    #[test]
    fn odd_durations_have_a_defined_end() {
        for duration in [0.0, -5.0, -1e300, 1e-300] {
            let scene = scene(&three(&json!({ "duration": duration })));
            assert_eq!(shown(&scene, 11), Some((2, 2, 0)), "{duration}");
        }
        let endless = scene(&three(&json!({ "duration": 1e300 })));
        assert_eq!(shown(&endless, 69), Some((0, 0, 0)));
    }

    #[test]
    fn one_gradient_stays_and_none_leaves_the_fill() {
        let own = |transition: Value| match &scene(&transition).plan(10).layers[0].content {
            Content::Shape { shape, crossfade } => (shape.gradient.is_some(), *crossfade),
            other => panic!("{other:?}"),
        };
        let one = json!(["x", "linear-gradient(red, blue)"]);
        assert_eq!(
            own(json!({ "enabled": true, "gradients": one })),
            (true, None)
        );
        for gradients in [json!([]), json!(["red", ""])] {
            let transition = json!({ "enabled": true, "gradients": gradients });
            assert_eq!(own(transition), (false, None));
        }
        let two = json!(["linear-gradient(red, blue)", "linear-gradient(lime, blue)"]);
        for off in [
            json!({ "gradients": two }),
            json!({ "enabled": false, "gradients": two }),
        ] {
            assert_eq!(own(off), (false, None));
        }
        let many = vec!["linear-gradient(red, blue)"; 1000];
        let many = scene(&json!({ "enabled": true, "easing": "linear", "gradients": many }));
        assert_eq!(shown(&many, 69).map(|shown| shown.0), Some(982));
    }
}
