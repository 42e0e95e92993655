//! Effect overlays: what each is made of at a time, and how that gets onto a surface.
//!
//! A file for each effect turns its parameters and a time into [`Marks`]; nothing is remembered from
//! frame to frame but what never changes.

mod air;
mod atlas;
mod columns;
mod fracture;
mod grid;
mod matrix;
mod particles;
mod pieces;
mod shards;

use kinora_composition::timeline::{Affine, Content, EffectBox, EffectKind, Layer, PieceState};

use self::atlas::Atlas;
use self::pieces::movement;
use self::shards::Shard;
use super::filter::{self, Raster, Scope, Step};
use super::stage::Stage;
use super::still::Surface;
use crate::Result;
use crate::gpu::{Beyond, MarkBox, MarkBuffers, Marks, Painter, Sprite};

/// What an effect keeps from frame to frame.
#[derive(Default)]
pub(super) struct EffectState {
    buffers: MarkBuffers,
    atlas: Option<Atlas>,
    shards: Vec<Shard>,
    /// What it is drawn on before it is blurred or seen in perspective.
    sheet: Option<Sprite>,
}

/// What an effect shows at a time, its parts where they are.
fn marks_of(effect: &EffectBox, time: f64, state: &EffectState, pieces: &[PieceState]) -> Marks {
    let (size, atlas) = (effect.size, state.atlas.as_ref());
    match &effect.kind {
        EffectKind::Particles(particles) => particles::marks(particles, size, time),
        EffectKind::Matrix(matrix) => matrix::marks(matrix, size, time, atlas),
        EffectKind::GridStagger(grid) => grid::marks(grid, size, time, atlas, pieces),
        EffectKind::Fracture(grid) => fracture::marks(grid, size, time, &state.shards, pieces),
        EffectKind::Columns(columns) => columns::marks(columns, size, time, atlas, pieces),
    }
}

/// Where an effect without parts is, moved as a whole.
fn whole(effect: &EffectBox, pieces: &[PieceState]) -> PieceState {
    match &effect.kind {
        EffectKind::Particles(_) | EffectKind::Matrix(_) => pieces.first().copied(),
        _ => None,
    }
    .unwrap_or(PieceState::AT_REST)
}

impl Stage<'_> {
    /// Makes sure that what an effect needs is on the device.
    pub(super) fn prepare_effect(&mut self, layer: &Layer, effect: &EffectBox) -> Result<()> {
        for picture in &effect.pictures {
            self.prepare_picture(layer, picture, None)?;
        }
        if self.effects.contains_key(&layer.overlay) {
            return Ok(());
        }
        let mut state = EffectState::default();
        match &effect.kind {
            EffectKind::Matrix(matrix) => {
                state.atlas = self.with_typesetter(|gpu, typesetter| {
                    Atlas::of_glyphs(gpu, typesetter, matrix, layer.raster_scale)
                })?;
            }
            EffectKind::Fracture(grid) => state.shards = shards::of(grid, effect.size),
            _ => {}
        }
        self.effects.insert(layer.overlay, state);
        Ok(())
    }

    /// Draws an effect in its layer's box.
    pub(super) fn draw_effect(
        &mut self,
        painter: &mut Painter<'_>,
        surface: Surface<'_>,
        layer: &Layer,
    ) -> Result<()> {
        let Content::Effect { effect, time } = &layer.content else {
            return Ok(());
        };
        let mut state = self.effects.remove(&layer.overlay).unwrap_or_default();
        if state.atlas.is_none() && !effect.pictures.is_empty() {
            let atlas = Atlas::of_pictures(painter, layer, effect, |media| {
                let key = self.picture_key(layer, media);
                self.pictures.remove(&key).map(|picture| (key, picture))
            });
            let (atlas, pictures) = atlas?;
            self.pictures.extend(pictures);
            state.atlas = Some(atlas);
        }
        let drawn = state.draw(painter, surface.sprite, layer, effect, *time);
        self.effects.insert(layer.overlay, state);
        drawn
    }
}

impl EffectState {
    fn draw(
        &mut self,
        painter: &mut Painter<'_>,
        target: &Sprite,
        layer: &Layer,
        effect: &EffectBox,
        time: f64,
    ) -> Result<()> {
        let pieces = effect.pieces(time);
        let marks = marks_of(effect, time, self, &pieces);
        let whole = whole(effect, &pieces);
        let middle = (layer.size.width / 2.0, layer.size.height / 2.0);
        let to_target = layer.transform.then_inner(movement(&whole, middle));
        let opacity = layer.opacity * whole.opacity as f32;
        let atlas = self.atlas.as_ref().map(|atlas| &atlas.sprite);
        if let (Some(to_target), true) = (to_target.as_affine(), whole.blur <= 0.0) {
            let place = MarkBox {
                to_target,
                size: layer.size,
                opacity,
            };
            painter.marks(target, &marks, &place, atlas, &mut self.buffers);
            return Ok(());
        }
        let (scale, size) = sheet_size(layer);
        self.sheet
            .take_if(|sheet| (sheet.width, sheet.height) != size);
        let sheet = match &mut self.sheet {
            Some(sheet) => {
                painter.clear(sheet);
                sheet
            }
            slot => slot.insert(Sprite::new(painter.gpu(), size.0, size.1)?),
        };
        let place = MarkBox {
            to_target: Affine::scale(scale, scale),
            size: layer.size,
            opacity: 1.0,
        };
        painter.marks(sheet, &marks, &place, atlas, &mut self.buffers);
        let raster = Raster {
            pixel: (1.0 / scale, 1.0 / scale),
            ..Raster::whole(sheet.clone(), (0, 0))
        };
        let scope = Scope {
            scale: (1.0, 1.0),
            beyond: Beyond::Transparent,
            limits: [0, 0, size.0 as i32, size.1 as i32],
        };
        let blur = [Step::Blur(whole.blur as f32)];
        let raster = filter::apply(painter, raster, &blur, &scope)?;
        raster.draw(painter, target, to_target, opacity);
        Ok(())
    }
}

/// How large a layer that is drawn apart is: its scale, and whole pixels.
fn sheet_size(layer: &Layer) -> (f32, (u32, u32)) {
    const LONGEST: f32 = 4096.0;
    let longest = layer.size.width.max(layer.size.height);
    let scale = layer.raster_scale.clamp(0.25, 4.0).min(LONGEST / longest);
    let side = |length: f32| (length * scale).ceil().max(1.0) as u32;
    (scale, (side(layer.size.width), side(layer.size.height)))
}
