//! Filter chains on pictures: colour functions, blurs and shadows, one after another.

use kinora_composition::css::{Color, Filter};
use kinora_composition::timeline::{Affine, Projection, Size};

use crate::Result;
use crate::gpu::{Beyond, Clip, ColorChange, ColorFunction, Kernel, Painter, Placement, Sprite};

/// A picture whose pixels lie on a grid of the picture that it is a part of.
#[derive(Clone)]
pub(super) struct Raster {
    pub(super) sprite: Sprite,
    /// Where its top left corner is.
    pub(super) at: (f32, f32),
    /// How large its pixels are.
    pub(super) pixel: (f32, f32),
}

/// Neighbouring functions of a chain, done at once.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    /// Functions of single pixels.
    Colors(ColorChange),
    /// Standard deviation in pixels of the box.
    Blur(f32),
    /// A shadow under everything so far, in pixels of the box.
    Shadow {
        offset: (f32, f32),
        sigma: f32,
        color: Color,
    },
}

/// A chain as steps; functions that change nothing are left out.
pub(super) fn steps(filters: &[Filter]) -> Vec<Step> {
    let mut steps = Vec::new();
    for filter in filters {
        match filter {
            Filter::Blur(sigma) if *sigma > 0.0 => steps.push(Step::Blur(*sigma)),
            Filter::DropShadow(shadow) => steps.push(Step::Shadow {
                offset: (shadow.dx, shadow.dy),
                sigma: shadow.blur.max(0.0),
                color: shadow.color,
            }),
            other => {
                let Some([red, green, blue, alpha]) = other.color_matrix() else {
                    continue;
                };
                if !matches!(steps.last(), Some(Step::Colors(_))) {
                    steps.push(Step::Colors(ColorChange::default()));
                }
                let Some(Step::Colors(change)) = steps.last_mut() else {
                    continue;
                };
                change.alpha *= alpha[3].clamp(0.0, 1.0);
                if !matches!(other, Filter::Opacity(_)) {
                    let row = |row: [f32; 5]| [row[0], row[1], row[2], row[4]];
                    change.functions.push([row(red), row(green), row(blue)]);
                }
            }
        }
    }
    steps
}

/// The functions of a chain that only changes colours and leaves alpha alone.
pub(super) fn only_colors(steps: &[Step]) -> Option<&[ColorFunction]> {
    match steps {
        [] => Some(&[]),
        [Step::Colors(change)] if change.alpha == 1.0 => Some(&change.functions),
        _ => None,
    }
}

/// Whether a chain takes more than single pixels into account.
pub(super) fn spreads(steps: &[Step]) -> bool {
    steps.iter().any(|step| !matches!(step, Step::Colors(_)))
}

/// How far a chain carries colours, in pixels of the box.
pub(super) fn reach(steps: &[Step]) -> f32 {
    /// What goes farther than any canvas need not be followed.
    const FARTHEST: f32 = 4096.0;
    let total: f32 = steps
        .iter()
        .map(|step| match step {
            Step::Colors(_) => 0.0,
            Step::Blur(sigma) => 3.0 * sigma,
            Step::Shadow { offset, sigma, .. } => 3.0 * sigma + offset.0.abs().max(offset.1.abs()),
        })
        .sum();
    total.min(FARTHEST).ceil()
}

/// Applies a chain. `scale` is how large a pixel of the box is in the picture, across and down.
pub(super) fn apply(
    painter: &mut Painter<'_>,
    mut raster: Raster,
    steps: &[Step],
    scale: (f32, f32),
    beyond: Beyond,
) -> Result<Raster> {
    for step in steps {
        raster = match step {
            Step::Colors(change) => {
                painter.colors(&raster.sprite, change);
                raster
            }
            Step::Blur(sigma) => {
                let window = raster.window();
                let sigma = (sigma * scale.0, sigma * scale.1);
                blur(painter, &raster, window, sigma, beyond)?.unwrap_or(raster)
            }
            Step::Shadow {
                offset,
                sigma,
                color,
            } => {
                let offset = (offset.0 * scale.0, offset.1 * scale.1);
                let sigma = (sigma * scale.0, sigma * scale.1);
                shadow(painter, &raster, offset, sigma, *color)?
            }
        };
    }
    Ok(raster)
}

/// Blurs a part of a picture, in pixels of the picture that it is a part of; `None` where that
/// changes nothing.
pub(super) fn blur(
    painter: &mut Painter<'_>,
    raster: &Raster,
    window: [i32; 4],
    sigma: (f32, f32),
    beyond: Beyond,
) -> Result<Option<Raster>> {
    let across = Kernel::new(sigma.0 / raster.pixel.0);
    let down = Kernel::new(sigma.1 / raster.pixel.1);
    if across.is_none() && down.is_none() {
        return Ok(None);
    }
    let factor = |kernel: &Option<Kernel>| kernel.as_ref().map_or(1, |kernel| kernel.factor);
    let cell = (factor(&across), factor(&down));
    let small;
    let source = if cell == (1, 1) && window == raster.window() {
        &raster.sprite
    } else {
        small = Sprite::new(
            painter.gpu(),
            ((window[2] - window[0]).max(1) as u32).div_ceil(cell.0),
            ((window[3] - window[1]).max(1) as u32).div_ceil(cell.1),
        )?;
        let from = (window[0], window[1]);
        painter.shrink(&small, &raster.sprite, window, from, cell, beyond);
        &small
    };
    let sprite = painter.blur(source, [across.as_ref(), down.as_ref()], beyond)?;
    let margin = (
        (sprite.width - source.width) / 2,
        (sprite.height - source.height) / 2,
    );
    let pixel = (
        raster.pixel.0 * cell.0 as f32,
        raster.pixel.1 * cell.1 as f32,
    );
    Ok(Some(Raster {
        sprite,
        at: (
            raster.at.0 + window[0] as f32 * raster.pixel.0 - margin.0 as f32 * pixel.0,
            raster.at.1 + window[1] as f32 * raster.pixel.1 - margin.1 as f32 * pixel.1,
        ),
        pixel,
    }))
}

/// A picture over its own shadow.
fn shadow(
    painter: &mut Painter<'_>,
    raster: &Raster,
    offset: (f32, f32),
    sigma: (f32, f32),
    color: Color,
) -> Result<Raster> {
    let window = raster.window();
    let mut shade = match blur(painter, raster, window, sigma, Beyond::Transparent)? {
        Some(blurred) => blurred,
        None => raster.copied(painter)?,
    };
    let only = |value: f32| [0.0, 0.0, 0.0, value];
    painter.colors(
        &shade.sprite,
        &ColorChange {
            functions: vec![[only(color.r), only(color.g), only(color.b)]],
            alpha: color.a,
        },
    );
    shade.at = (shade.at.0 + offset.0, shade.at.1 + offset.1);
    let both = raster.grid_around(&shade);
    let sprite = Sprite::new(
        painter.gpu(),
        (both[2] - both[0]).max(1) as u32,
        (both[3] - both[1]).max(1) as u32,
    )?;
    let result = Raster {
        sprite,
        at: (
            raster.at.0 + both[0] as f32 * raster.pixel.0,
            raster.at.1 + both[1] as f32 * raster.pixel.1,
        ),
        pixel: raster.pixel,
    };
    let inside = result.to_picture().inverse().unwrap_or(Affine::IDENTITY);
    for part in [&shade, raster] {
        part.draw(painter, &result.sprite, inside.into(), 1.0);
    }
    Ok(result)
}

impl Raster {
    /// A sprite whose pixels are those of the picture.
    pub(super) fn whole(sprite: Sprite, at: (i32, i32)) -> Self {
        Self {
            sprite,
            at: (at.0 as f32, at.1 as f32),
            pixel: (1.0, 1.0),
        }
    }

    /// From its own pixels to the picture.
    pub(super) fn to_picture(&self) -> Affine {
        Affine::translate(self.at.0, self.at.1)
            .then_inner(Affine::scale(self.pixel.0, self.pixel.1))
    }

    fn window(&self) -> [i32; 4] {
        [0, 0, self.sprite.width as i32, self.sprite.height as i32]
    }

    /// Blends it onto a target; without resampling where it lies on whole pixels.
    pub(super) fn draw(
        &self,
        painter: &mut Painter<'_>,
        target: &Sprite,
        picture_to_target: Projection,
        opacity: f32,
    ) {
        let to_target = picture_to_target.then_inner(self.to_picture());
        // Grids of whole pixels stay that through a few sums.
        let is_whole = |value: f32| (value - value.round()).abs() < 1e-3 && value.abs() < 1e6;
        if let Some(map) = to_target.as_affine()
            && map.is_translation()
            && is_whole(map.e)
            && is_whole(map.f)
        {
            let at = (map.e.round() as i32, map.f.round() as i32);
            painter.copy(target, &self.sprite, at, opacity);
            return;
        }
        let size = Size {
            width: self.sprite.width as f32,
            height: self.sprite.height as f32,
        };
        let placement = Placement {
            to_target,
            window: [0.0, 0.0, size.width, size.height],
            clip: Clip {
                to_target,
                size,
                radii: Default::default(),
            },
            opacity,
        };
        painter.picture(target, &self.sprite, &placement);
    }

    /// The same picture in pixels of size 1.
    pub(super) fn at_full_size(self, painter: &mut Painter<'_>) -> Result<Self> {
        if self.pixel == (1.0, 1.0) {
            return Ok(self);
        }
        let (left, top) = (self.at.0.floor(), self.at.1.floor());
        let right = self.at.0 + self.sprite.width as f32 * self.pixel.0;
        let bottom = self.at.1 + self.sprite.height as f32 * self.pixel.1;
        let sprite = Sprite::new(
            painter.gpu(),
            (right - left).ceil().max(1.0) as u32,
            (bottom - top).ceil().max(1.0) as u32,
        )?;
        self.draw(painter, &sprite, Affine::translate(-left, -top).into(), 1.0);
        Ok(Self::whole(sprite, (left as i32, top as i32)))
    }

    fn copied(&self, painter: &mut Painter<'_>) -> Result<Self> {
        let sprite = Sprite::new(painter.gpu(), self.sprite.width, self.sprite.height)?;
        painter.copy(&sprite, &self.sprite, (0, 0), 1.0);
        Ok(Self {
            sprite,
            ..self.clone()
        })
    }

    /// The pixels of this grid that this picture and another may touch.
    fn grid_around(&self, other: &Self) -> [i32; 4] {
        let low = |at: f32, mine: f32, pixel: f32| ((at - mine) / pixel).floor().min(0.0) as i32;
        let high = |at: f32, size: u32, step: f32, mine: f32, pixel: f32, least: u32| {
            ((at + size as f32 * step - mine) / pixel)
                .ceil()
                .max(least as f32) as i32
        };
        [
            low(other.at.0, self.at.0, self.pixel.0),
            low(other.at.1, self.at.1, self.pixel.1),
            high(
                other.at.0,
                other.sprite.width,
                other.pixel.0,
                self.at.0,
                self.pixel.0,
                self.sprite.width,
            ),
            high(
                other.at.1,
                other.sprite.height,
                other.pixel.1,
                self.at.1,
                self.pixel.1,
                self.sprite.height,
            ),
        ]
    }
}
