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

/// Where a chain applies.
#[derive(Clone, Copy)]
pub(super) struct Scope {
    /// How large a pixel of the box is in the picture, across and down.
    pub(super) scale: (f32, f32),
    /// What lies beyond the edges of what is filtered.
    pub(super) beyond: Beyond,
    /// Pixels of the picture beyond which nothing is seen: left, top, right, bottom.
    pub(super) limits: [i32; 4],
}

/// Applies a chain.
pub(super) fn apply(
    painter: &mut Painter<'_>,
    mut raster: Raster,
    steps: &[Step],
    scope: &Scope,
) -> Result<Raster> {
    let Scope {
        scale,
        beyond,
        limits,
    } = *scope;
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
                shadow(painter, &raster, (offset, sigma), *color, limits)?
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
    (offset, sigma): ((f32, f32), (f32, f32)),
    color: Color,
    limits: [i32; 4],
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
    let both = raster.grid_around(&shade, limits);
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
        self.draw_window(painter, target, picture_to_target, None, opacity);
    }

    /// Blends the part of it that lies in a window of the picture: left, top, right, bottom.
    pub(super) fn draw_window(
        &self,
        painter: &mut Painter<'_>,
        target: &Sprite,
        picture_to_target: Projection,
        window: Option<[f32; 4]>,
        opacity: f32,
    ) {
        let to_target = picture_to_target.then_inner(self.to_picture());
        // Grids of whole pixels stay that through a few sums.
        let is_whole = |value: f32| (value - value.round()).abs() < 1e-3 && value.abs() < 1e6;
        if window.is_none()
            && let Some(map) = to_target.as_affine()
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
        let whole = [0.0, 0.0, size.width, size.height];
        let [left, top, right, bottom] = window.map_or(whole, |window| self.on_own_pixels(window));
        if left >= right || top >= bottom {
            return;
        }
        let placement = Placement {
            to_target,
            window: whole,
            clip: Clip {
                to_target: to_target.then_inner(Affine::translate(left, top)),
                size: Size {
                    width: right - left,
                    height: bottom - top,
                },
                radii: Default::default(),
            },
            opacity,
        };
        painter.picture(target, &self.sprite, &placement);
    }

    /// A window of the picture in its own pixels, as far as there are some.
    fn on_own_pixels(&self, [left, top, right, bottom]: [f32; 4]) -> [f32; 4] {
        let across = |place: f32| (place - self.at.0) / self.pixel.0;
        let down = |place: f32| (place - self.at.1) / self.pixel.1;
        [
            across(left).max(0.0),
            down(top).max(0.0),
            across(right).min(self.sprite.width as f32),
            down(bottom).min(self.sprite.height as f32),
        ]
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

    /// The pixels of this grid that this picture and another touch within limits of the picture.
    fn grid_around(&self, other: &Self, limits: [i32; 4]) -> [i32; 4] {
        let axis = |mine: (f32, f32, u32), its: (f32, f32, u32), from: i32, to: i32| {
            let (at, pixel, size) = mine;
            let on_grid = |place: f32| (place - at) / pixel;
            let low = on_grid(its.0.max(from as f32)).floor().min(0.0);
            let high = on_grid((its.0 + its.2 as f32 * its.1).min(to as f32));
            (low as i32, high.ceil().max(size as f32) as i32)
        };
        let across = |raster: &Self| (raster.at.0, raster.pixel.0, raster.sprite.width);
        let down = |raster: &Self| (raster.at.1, raster.pixel.1, raster.sprite.height);
        let (left, right) = axis(across(self), across(other), limits[0], limits[2]);
        let (top, bottom) = axis(down(self), down(other), limits[1], limits[3]);
        [left, top, right, bottom]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_colour_functions_are_one_step_and_order_is_kept() {
        let chain = Filter::parse_list(
            "brightness(0.5) opacity(50%) invert(1) blur(3px) sepia(1) drop-shadow(1px 2px 4px red)",
            Color::BLACK,
        )
        .expect("valid");
        let steps = steps(&chain);
        let [
            Step::Colors(first),
            Step::Blur(sigma),
            Step::Colors(last),
            Step::Shadow { .. },
        ] = &steps[..]
        else {
            panic!("{steps:?}");
        };
        assert_eq!((first.functions.len(), first.alpha, *sigma), (2, 0.5, 3.0));
        assert_eq!((last.functions.len(), last.alpha), (1, 1.0));
        assert_eq!(only_colors(&steps), None);
        assert_eq!(only_colors(&steps[2..3]).map(<[_]>::len), Some(1));
        assert_eq!(only_colors(&steps[..1]), None, "alpha changes");
        assert!((reach(&steps) - (9.0 + 12.0 + 2.0)).abs() <= 1.0);
    }

    #[test]
    fn reach_is_bounded() {
        assert!(reach(&[Step::Blur(1e9)]) <= 4096.0);
        assert_eq!(reach(&[]), 0.0);
    }
}
