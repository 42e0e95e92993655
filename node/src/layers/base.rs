//! What lies still at the back: drawn once, kept, and laid down again under what changes.

use kinora_composition::css::Color;
use kinora_composition::timeline::{FramePlan, Layer};

use crate::Result;
use crate::gpu::{Painter, Sprite};

/// The canvas as it was after the first layers of a plan.
#[derive(Default)]
pub(super) struct Base {
    made_of: Option<(Color, Vec<Layer>)>,
    sprite: Option<Sprite>,
}

/// How many layers at the back two plans have in common.
pub(super) fn unchanged(plan: &FramePlan, before: &FramePlan) -> usize {
    if plan.background != before.background {
        return 0;
    }
    let pairs = plan.layers.iter().zip(&before.layers);
    pairs.take_while(|(now, then)| now == then).count()
}

impl Base {
    /// Lays down what is kept, if the plan begins with it; how many layers that were.
    pub(super) fn restore(
        &self,
        painter: &mut Painter<'_>,
        canvas: &Sprite,
        plan: &FramePlan,
    ) -> usize {
        let (Some((background, layers)), Some(sprite)) = (&self.made_of, &self.sprite) else {
            return 0;
        };
        if *background != plan.background || !plan.layers.starts_with(layers) {
            return 0;
        }
        painter.duplicate(canvas, sprite);
        layers.len()
    }

    /// Keeps the canvas as it is after the first `count` layers of a plan.
    pub(super) fn keep(
        &mut self,
        painter: &mut Painter<'_>,
        canvas: &Sprite,
        plan: &FramePlan,
        count: usize,
    ) -> Result<()> {
        let sprite = match self.sprite.take() {
            Some(sprite) => sprite,
            None => Sprite::new(painter.gpu(), canvas.width, canvas.height)?,
        };
        painter.duplicate(&sprite, canvas);
        self.sprite = Some(sprite);
        self.made_of = Some((plan.background, plan.layers[..count].to_vec()));
        Ok(())
    }
}
