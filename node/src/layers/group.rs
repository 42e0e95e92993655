//! Layers that are drawn apart before they go onto the canvas: filtered, clipped, or see-through as a
//! whole.

use kinora_composition::timeline::{Affine, Content, Layer};

use super::filter::{self, Raster, Scope, Step};
use super::items::{Item, Shown, StillKey, parts_of};
use super::mask;
use super::space::Space;
use super::stage::Stage;
use super::still::{Still, Surface};
use crate::Result;
use crate::gpu::{Beyond, FUNCTIONS_IN_A_PASS, Painter, Sprite};

/// A layer apart.
#[derive(Default)]
pub(super) struct Group {
    /// What is to be seen of it.
    pub(super) shown: Option<Still>,
    /// What it was made of.
    made_of: Option<Shown>,
    /// What its parts are drawn on, kept for the next time.
    sheet: Option<Sprite>,
    /// What its `clip-path` leaves, and where.
    mask: Option<(Sprite, (f32, f32))>,
}

impl Stage<'_> {
    /// Whether a layer's parts must come together before they go onto the canvas.
    pub(super) fn is_group(&self, layer: &Layer) -> bool {
        let chain = self.chains.of(&layer.effects.filter);
        let has_frame = self.stills.get(StillKey::frame_of(layer)).is_some();
        // Colours of a video change on its way to the canvas; those of a picture that moves in its
        // box, before it is drawn at all.
        let on_the_way = !has_frame
            && match (&layer.content, filter::only_colors(&chain)) {
                (Content::Video { .. }, Some(functions)) => functions.len() <= FUNCTIONS_IN_A_PASS,
                (Content::Image { drift, .. }, Some(_)) => *drift != Affine::IDENTITY,
                _ => false,
            };
        let has_parts = has_frame || matches!(layer.content, Content::LivingText(_));
        let overlaps = has_parts && layer.opacity < 1.0;
        layer.effects.clip_path.is_some()
            || overlaps
            || (!chain.is_empty() && !on_the_way)
            || !layer.passing.is_nothing()
    }

    /// Brings the parts of a layer together, unless it has not changed since the last time.
    pub(super) fn make_group(&mut self, painter: &mut Painter<'_>, layer: &Layer) -> Result<()> {
        let mut group = self
            .stills
            .groups
            .remove(&layer.overlay)
            .unwrap_or_default();
        let wanted = Shown::by(layer);
        if group.made_of.as_ref() != Some(&wanted) {
            let was = group.made_of.take();
            if was.is_none_or(|was| was.painted != wanted.painted) {
                group.mask = None;
            }
            let chain = self.chains.at_the_moment(layer);
            let space = self.space_of(layer);
            group.shown = self
                .gather(painter, layer, &space, &chain, &mut group.sheet)?
                .map(|raster| filtered(painter, raster, layer, &space, &chain, &mut group.mask))
                .transpose()?;
            group.made_of = Some(wanted);
        }
        self.stills.groups.insert(layer.overlay, group);
        Ok(())
    }

    /// Draws the parts of a layer onto a sheet of their own.
    fn gather(
        &mut self,
        painter: &mut Painter<'_>,
        layer: &Layer,
        space: &Space,
        chain: &[Step],
        sheet: &mut Option<Sprite>,
    ) -> Result<Option<Raster>> {
        let to_picture = space.view.to_picture;
        let mut bounds: Option<[f32; 4]> = None;
        for part in parts_of(layer) {
            let touched = match &part {
                Item::Still(placed) => match self.stills.get(placed.key) {
                    Some(still) => sprite_bounds(&still.raster),
                    None => continue,
                },
                Item::Living(layer) => match self.living_bounds(layer) {
                    Some(bounds) => bounds,
                    None => continue,
                },
                _ => box_bounds(to_picture, layer),
            };
            bounds = Some(bounds.map_or(touched, |all| union(all, touched)));
        }
        let Some([left, top, right, bottom]) = bounds else {
            return Ok(None);
        };
        let limits = space.view.limits;
        let (left, top) = (
            (left.floor() as i32).max(limits[0]),
            (top.floor() as i32).max(limits[1]),
        );
        let (right, bottom) = (
            (right.ceil() as i32).min(limits[2]),
            (bottom.ceil() as i32).min(limits[3]),
        );
        if left >= right || top >= bottom {
            return Ok(None);
        }
        let scale = gathering_scale(layer, chain, space);
        let side = |low: i32, high: i32| ((high - low) as f32 * scale).ceil() as u32;
        let size = (side(left, right), side(top, bottom));
        sheet.take_if(|sheet| (sheet.width, sheet.height) != size);
        let sheet = match sheet {
            Some(sheet) => {
                painter.clear(sheet);
                sheet
            }
            slot => slot.insert(Sprite::new(painter.gpu(), size.0, size.1)?),
        };
        let surface = Surface {
            sprite: sheet,
            corner: (left, top),
            scale,
        };
        let apart = Layer {
            transform: surface.picture_to_surface().then_inner(to_picture).into(),
            opacity: 1.0,
            ..layer.clone()
        };
        for part in parts_of(&apart) {
            self.draw_item(painter, surface, &part)?;
        }
        Ok(Some(Raster {
            pixel: (1.0 / scale, 1.0 / scale),
            ..Raster::whole(sheet.clone(), (left, top))
        }))
    }
}

/// How large the parts of a layer are drawn: what changes with every frame and is blurred so much that
/// nobody can tell, at half its size.
fn gathering_scale(layer: &Layer, chain: &[Step], space: &Space) -> f32 {
    const HALVED_FROM: f32 = 8.0;
    let changes = match &layer.content {
        Content::Video { .. } => true,
        Content::Image { drift, .. } => *drift != Affine::IDENTITY,
        _ => false,
    };
    let (across, down) = space.scale();
    match chain.first() {
        Some(Step::Blur(sigma)) if changes && sigma * across.min(down) >= HALVED_FROM => 0.5,
        _ => 1.0,
    }
}

/// Filters, then clips.
fn filtered(
    painter: &mut Painter<'_>,
    raster: Raster,
    layer: &Layer,
    space: &Space,
    chain: &[Step],
    mask: &mut Option<(Sprite, (f32, f32))>,
) -> Result<Still> {
    let scope = Scope {
        scale: space.scale(),
        beyond: Beyond::Transparent,
        limits: space.view.limits,
    };
    let mut raster = filter::apply(painter, raster, chain, &scope)?;
    if let Some(path) = &layer.effects.clip_path {
        raster = raster.at_full_size(painter)?;
        let sprite = &raster.sprite;
        let size = (sprite.width, sprite.height);
        mask.take_if(|(mask, at)| (mask.width, mask.height) != size || *at != raster.at);
        let (mask, _) = match mask {
            Some(mask) => mask,
            slot => {
                let outline = path.on_box(layer.size.width, layer.size.height);
                let map =
                    Affine::translate(-raster.at.0, -raster.at.1).then_inner(space.view.to_picture);
                slot.insert((mask::raster(painter.gpu(), &outline, map, size)?, raster.at))
            }
        };
        painter.mask(sprite, mask);
    }
    Ok(Still::new(raster, space))
}

pub(super) fn sprite_bounds(raster: &Raster) -> [f32; 4] {
    let (x, y) = raster.at;
    [
        x,
        y,
        x + raster.sprite.width as f32 * raster.pixel.0,
        y + raster.sprite.height as f32 * raster.pixel.1,
    ]
}

fn box_bounds(to_picture: Affine, layer: &Layer) -> [f32; 4] {
    let (width, height) = (layer.size.width, layer.size.height);
    let corners = [(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)]
        .map(|(x, y)| to_picture.apply(x, y));
    corners
        .into_iter()
        .map(|(x, y)| [x, y, x, y])
        .reduce(union)
        .unwrap_or_default()
}

pub(super) fn union(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    [
        a[0].min(b[0]),
        a[1].min(b[1]),
        a[2].max(b[2]),
        a[3].max(b[3]),
    ]
}
