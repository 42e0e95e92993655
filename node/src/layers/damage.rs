//! What of the canvas has to be drawn again: where layers that changed are, and where they were.

use std::collections::HashMap;

use kinora_composition::timeline::{FramePlan, Layer};

use crate::gpu::{Area, Painter, Sprite};

/// What lies on the canvas.
#[derive(Default)]
pub(super) struct OnCanvas {
    plan: Option<FramePlan>,
    /// Where each overlay was drawn. What is hidden was drawn nowhere.
    areas: HashMap<usize, Area>,
}

impl OnCanvas {
    /// Forgets the canvas: the next frame is drawn whole.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Takes note of the frame that a painter is about to draw, and leaves out what is on the canvas
    /// already. `drawn` says where layers are drawn now; those that are not named lie where they lay.
    pub(super) fn update(
        &mut self,
        painter: &mut Painter<'_>,
        canvas: &Sprite,
        plan: &FramePlan,
        drawn: HashMap<usize, Area>,
    ) {
        if let Some(damage) = self.damage(plan, &drawn) {
            painter.limit(canvas, &damage);
        }
        self.areas
            .retain(|overlay, _| plan.layers.iter().any(|layer| layer.overlay == *overlay));
        self.areas.extend(drawn);
        self.plan = Some(plan.clone());
    }

    /// Where the canvas changes; `None` where all of it may.
    fn damage(&self, plan: &FramePlan, drawn: &HashMap<usize, Area>) -> Option<Vec<Area>> {
        let shown = self.plan.as_ref()?;
        if shown.background != plan.background {
            return None;
        }
        let stays = |layer: &Layer, others: &[Layer]| others.contains(layer);
        let gone = shown
            .layers
            .iter()
            .filter(|layer| !stays(layer, &plan.layers));
        let come = plan
            .layers
            .iter()
            .filter(|layer| !stays(layer, &shown.layers));
        let areas = gone
            .filter_map(|layer| self.areas.get(&layer.overlay))
            .chain(come.filter_map(|layer| drawn.get(&layer.overlay)));
        Some(areas.copied().collect())
    }
}
