//! Text whose letters move, are typed or count. The text is laid out once; parts of that layout are
//! rastered when they are first needed, and placed frame by frame.

mod glitch;
mod sheets;
mod steps;

use std::collections::{HashMap, HashSet};
use std::sync::PoisonError;
use std::time::Instant;

use kinora_composition::timeline::{Affine, Layer, LivingText, Projection, Show, Size};

use super::easel::{HostStill, View};
use super::filter::{self, Raster};
use super::group::{sprite_bounds, union};
use super::items::{Placed, StillKey};
use super::set_text::SetText;
use super::space::Space;
use super::stage::Stage;
use super::still::{Still, Surface};
use super::{frame, text};
use crate::Result;
use crate::gpu::{Beyond, Clip, Gpu, Painter, Placement, Sprite};
use crate::text::Typesetter;
use steps::{Ground, Piece, SheetKey, Step, WHOLE};

/// Letters that are not on the canvas but may come there are painted so far around it, in pixels.
const AROUND: i32 = 2048;

/// A living text, with everything that was rastered for it.
pub(super) struct Living {
    space: Space,
    /// What the layout shows in place of the words.
    number: Option<String>,
    set: SetText,
    pieces: Vec<Piece>,
    panel: Option<Still>,
    sheets: HashMap<SheetKey, Option<Raster>>,
    /// What the frame is drawn from.
    ground: Ground,
    steps: Vec<Step>,
}

impl Stage<'_> {
    /// Makes sure that what a living text shows is on the device.
    pub(super) fn prepare_living(&mut self, layer: &Layer, text: &LivingText) -> Result<()> {
        let started = Instant::now();
        let space = self.space_of(layer);
        let before = self.living.remove(&layer.overlay);
        let gpu = self.gpu;
        let ground = {
            let typesetter = self.typesetter.lock();
            let mut typesetter = typesetter.unwrap_or_else(PoisonError::into_inner);
            let mut living = Living::showing(before, &mut typesetter, gpu, text, space)?;
            living.plan(text);
            living.raster(&mut typesetter, gpu, text)?;
            let ground = living.ground;
            self.living.insert(layer.overlay, living);
            ground
        };
        self.times.raster += started.elapsed();
        if ground == Ground::Text {
            self.prepare_still(layer, StillKey::of(layer), |typesetter, view| {
                text::raster(typesetter, &text.block, view)
            })?;
        }
        Ok(())
    }

    /// Draws a living text.
    pub(super) fn draw_living(
        &self,
        painter: &mut Painter<'_>,
        surface: Surface<'_>,
        layer: &Layer,
    ) -> Result<()> {
        let Some(living) = self.living.get(&layer.overlay) else {
            return Ok(());
        };
        if let Some(still) = self.ground_of(layer, living) {
            let placed = Placed {
                key: StillKey::of(layer),
                transform: layer.transform,
                opacity: layer.opacity,
                window: None,
                shows: None,
            };
            still.draw(painter, surface, &placed);
        }
        for step in &living.steps {
            if let Some(Some(sheet)) = living.sheets.get(&step.key) {
                living.draw_step(painter, surface, layer, step, sheet)?;
            }
        }
        Ok(())
    }
}

impl Stage<'_> {
    /// What lies behind the letters that are drawn.
    fn ground_of<'a>(&'a self, layer: &Layer, living: &'a Living) -> Option<&'a Still> {
        match living.ground {
            Ground::Text => self.stills.get(StillKey::of(layer)),
            Ground::Box => living.panel.as_ref(),
        }
    }

    /// What a living text touches of the picture that its layer is painted in.
    pub(super) fn living_bounds(&self, layer: &Layer) -> Option<[f32; 4]> {
        let living = self.living.get(&layer.overlay)?;
        let ground = self.ground_of(layer, living);
        let ground = ground.map(|still| sprite_bounds(&still.raster));
        let steps = living.steps.iter().filter_map(|step| {
            let sheet = living.sheets.get(&step.key)?.as_ref()?;
            Some(living.step_bounds(step, sheet))
        });
        ground.into_iter().chain(steps).reduce(union)
    }
}

impl Living {
    /// The text as it was kept, or laid out anew where its words have changed.
    fn showing(
        before: Option<Self>,
        typesetter: &mut Typesetter,
        gpu: &Gpu,
        text: &LivingText,
        space: Space,
    ) -> Result<Self> {
        let panel = match before {
            Some(living) if living.number == text.number && living.space == space => {
                return Ok(living);
            }
            Some(living) if living.space == space => living.panel,
            _ => frame::raster(&text.block.frame, text.block.size, &space.view)?
                .map(|still| Still::upload(gpu, &still, &space))
                .transpose()?,
        };
        let set = SetText::new(typesetter, &text.block, text.number.as_deref());
        let pieces = match &text.show {
            Show::Pieces { motion, .. } => steps::pieces(&set, motion.split),
            _ => Vec::new(),
        };
        Ok(Self {
            space,
            number: text.number.clone(),
            set,
            pieces,
            panel,
            sheets: HashMap::new(),
            ground: Ground::Box,
            steps: Vec::new(),
        })
    }

    /// Decides what a frame is drawn from.
    fn plan(&mut self, text: &LivingText) {
        if let (Show::Pieces { motion, .. }, []) = (&text.show, &self.pieces[..]) {
            self.pieces = steps::pieces(&self.set, motion.split);
        }
        (self.ground, self.steps) = steps::steps(
            &text.block,
            &self.set,
            &self.pieces,
            &text.show,
            text.number.is_some(),
        );
        // Typed lines grow letter by letter: what they were is not needed again soon.
        if matches!(text.show, Show::Typed(_)) {
            let needed: HashSet<&SheetKey> = self.steps.iter().map(|step| &step.key).collect();
            self.sheets.retain(|key, _| needed.contains(key));
        }
    }

    /// Rasters what the frame needs.
    fn raster(&mut self, typesetter: &mut Typesetter, gpu: &Gpu, text: &LivingText) -> Result<()> {
        for step in &self.steps {
            if self.sheets.contains_key(&step.key) {
                continue;
            }
            let view = self.view(&step.key);
            let still = sheets::raster(typesetter, &text.block, &self.set, &step.key, &view)?;
            let upload = |still: HostStill| {
                let pixels = &still.pixels;
                let sprite = Sprite::upload(gpu, pixels.width(), pixels.height(), pixels.data())?;
                Result::Ok(Raster::whole(sprite, still.at))
            };
            let raster = still.map(upload).transpose()?;
            self.sheets.insert(step.key.clone(), raster);
        }
        Ok(())
    }

    /// From where a sheet is seen when it is rastered.
    fn view(&self, key: &SheetKey) -> View {
        let level = level(key);
        let View { to_picture, limits } = self.space.view;
        let [left, top, right, bottom] = limits;
        let reach = |limit: i32| limit.saturating_mul(i32::from(level));
        View {
            to_picture: Affine::scale(f32::from(level), f32::from(level)).then_inner(to_picture),
            limits: [
                reach(left.saturating_sub(AROUND)),
                reach(top.saturating_sub(AROUND)),
                reach(right.saturating_add(AROUND)),
                reach(bottom.saturating_add(AROUND)),
            ],
        }
    }

    /// What a step touches of the picture.
    fn step_bounds(&self, step: &Step, sheet: &Raster) -> [f32; 4] {
        let to_box = self.view(&step.key).to_picture.inverse();
        let map = (self.space.view.to_picture)
            .then_inner(step.movement)
            .then_inner(to_box.unwrap_or(Affine::IDENTITY));
        let [left, top, right, bottom] = sprite_bounds(sheet);
        let corners = [(left, top), (right, top), (left, bottom), (right, bottom)];
        let points = corners.map(|(x, y)| map.apply(x, y));
        let bounds = points.map(|(x, y)| [x, y, x, y]).into_iter().reduce(union);
        let (across, down) = self.space.scale();
        // A blur fades out within three deviations; enlarged letters are blurred with them.
        let (scale_x, scale_y) = (
            step.movement.a.hypot(step.movement.b),
            step.movement.c.hypot(step.movement.d),
        );
        let margin = 3.0 * step.blur * across.max(down) * scale_x.max(scale_y).max(1.0) + 2.0;
        let [left, top, right, bottom] = bounds.unwrap_or_default();
        [left - margin, top - margin, right + margin, bottom + margin]
    }

    fn draw_step(
        &self,
        painter: &mut Painter<'_>,
        surface: Surface<'_>,
        layer: &Layer,
        step: &Step,
        sheet: &Raster,
    ) -> Result<()> {
        let View { to_picture, .. } = self.view(&step.key);
        let is_in_place = step.movement == Affine::IDENTITY && level(&step.key) == 1;
        let map: Projection = if is_in_place && self.space.is_canvas {
            surface.picture_to_surface().into()
        } else {
            let to_box = to_picture.inverse().unwrap_or(Affine::IDENTITY);
            (layer.transform).then_inner(step.movement.then_inner(to_box))
        };
        let opacity = step.opacity * layer.opacity;
        let blurred = if step.blur > 0.0 {
            let window = [0, 0, sheet.sprite.width as i32, sheet.sprite.height as i32];
            let (across, down) = self.space.scale();
            let sigma = step.blur * f32::from(level(&step.key));
            let sigma = (sigma * across, sigma * down);
            filter::blur(painter, sheet, window, sigma, Beyond::Transparent)?
        } else {
            None
        };
        let shown = blurred.as_ref().unwrap_or(sheet);
        if step.band == WHOLE {
            shown.draw(painter, surface.sprite, map, opacity);
        } else {
            draw_band(painter, surface.sprite, shown, map, step.band, opacity);
        }
        Ok(())
    }
}

fn level(key: &SheetKey) -> u8 {
    match key {
        SheetKey::Part { level, .. } => *level,
        SheetKey::Wrong { .. } | SheetKey::Cursor { .. } => 1,
    }
}

/// Draws what lies between two shares of the height of a picture.
fn draw_band(
    painter: &mut Painter<'_>,
    target: &Sprite,
    raster: &Raster,
    map: Projection,
    (from, to): (f32, f32),
    opacity: f32,
) {
    let to_target = map.then_inner(raster.to_picture());
    let (width, height) = (raster.sprite.width as f32, raster.sprite.height as f32);
    let (top, bottom) = ((from * height).round(), (to * height).round());
    if top >= bottom {
        return;
    }
    let placement = Placement {
        to_target,
        window: [0.0, top, width, bottom],
        clip: Clip {
            to_target: to_target.then_inner(Affine::translate(0.0, top)),
            size: Size {
                width,
                height: bottom - top,
            },
            radii: Default::default(),
        },
        opacity,
    };
    painter.picture(target, &raster.sprite, &placement);
}
