//! Collects passes and runs them as one submission.

use kinora_composition::css::{Color, Radii};
use kinora_composition::timeline::{Affine, Projection, Size};
use kinora_shaders::{Params, Pass};

use super::areas::{Area, Cut, cut, damaged, union};
use super::effects::{ColorFunction, set_functions};
use super::hole::around;
use super::marks;
use super::perspective::projected;
use super::split::split;
use super::sprite::{PlanarSprite, Sprite, premultiplied};
use super::stopwatch::Stopwatch;
use super::submission::{Dispatch, NOWHERE, Submission};
use super::{Gpu, Readback};
use crate::Result;

/// A rounded box that content is clipped to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clip {
    /// From the box, whose top left corner is the origin, to the target.
    pub to_target: Projection,
    /// Size of the box.
    pub size: Size,
    /// Its corners.
    pub radii: Radii,
}

/// Where and how a picture is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// From texels of the source to pixels of the target.
    pub to_target: Projection,
    /// Texels that may be seen: left, top, right, bottom.
    pub window: [f32; 4],
    /// What clips it.
    pub clip: Clip,
    /// 0 to 1.
    pub opacity: f32,
}

/// How luma and chroma become colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct YuvCoefficients {
    /// Luma of black, and the factor that makes white 1.
    pub luma: (f32, f32),
    /// Cr to red.
    pub red: f32,
    /// Cb and Cr to green.
    pub green: (f32, f32),
    /// Cb to blue.
    pub blue: f32,
}

impl YuvCoefficients {
    /// From the matrix's luma weights of red and blue, and the range.
    pub fn new(red_weight: f32, blue_weight: f32, is_full_range: bool) -> Self {
        let green_weight = 1.0 - red_weight - blue_weight;
        let (offset, luma_scale, chroma_scale) = if is_full_range {
            (0.0, 1.0, 1.0)
        } else {
            (16.0 / 255.0, 255.0 / 219.0, 255.0 / 224.0)
        };
        let red = 2.0 * (1.0 - red_weight) * chroma_scale;
        let blue = 2.0 * (1.0 - blue_weight) * chroma_scale;
        Self {
            luma: (offset, luma_scale),
            red,
            green: (
                -blue * blue_weight / green_weight,
                -red * red_weight / green_weight,
            ),
            blue,
        }
    }
}

/// The colours of a planar picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarColors<'a> {
    /// What its samples mean.
    pub yuv: YuvCoefficients,
    /// What happens to its colours, in order; as many as one pass applies.
    pub functions: &'a [ColorFunction],
}

impl From<YuvCoefficients> for PlanarColors<'_> {
    fn from(yuv: YuvCoefficients) -> Self {
        Self {
            yuv,
            functions: &[],
        }
    }
}

/// A planar picture that covers the canvas, and the sprite over it; drawn last, where it shows.
struct Background {
    params: Params,
    canvas: wgpu::Buffer,
    sources: Vec<wgpu::Buffer>,
    /// How many passes come before it: those that make what lies over it.
    after: usize,
}

/// Collects passes; nothing is drawn before [`Painter::submit`] or [`Painter::present`].
pub struct Painter<'g> {
    gpu: &'g Gpu,
    submission: Submission,
    background: Option<Background>,
    dispatches: Vec<Dispatch>,
    /// A canvas of which only a part is drawn, and that part.
    damage: Option<(wgpu::Buffer, Vec<Area>)>,
    /// Passes from the canvas to the encoder's frame, once that is decided.
    conversions: Option<Vec<Dispatch>>,
}

impl<'g> Painter<'g> {
    /// A painter without work.
    pub fn new(gpu: &'g Gpu) -> Self {
        Self {
            gpu,
            submission: Submission::new(),
            background: None,
            dispatches: Vec::new(),
            damage: None,
            conversions: None,
        }
    }

    /// Sets a whole sprite to a colour.
    pub fn fill(&mut self, target: &Sprite, color: Color) {
        let params = Params {
            color: premultiplied(color),
            ..over(target)
        };
        self.push(Pass::Fill, &params, &target.buffer, &[]);
    }

    /// Makes a sprite the same as another of its size.
    pub fn duplicate(&mut self, target: &Sprite, source: &Sprite) {
        debug_assert_eq!((target.width, target.stride), (source.width, source.stride));
        let params = over(target);
        let area = params.area;
        self.push_reading(
            Pass::Duplicate,
            &params,
            &target.buffer,
            &[&source.buffer],
            area,
        );
    }

    /// Blends a sprite with its top left corner at a whole pixel.
    pub fn copy(&mut self, target: &Sprite, source: &Sprite, (x, y): (i32, i32), opacity: f32) {
        let mut params = over(target);
        params.area = intersect(
            params.area,
            [
                x,
                y,
                x.saturating_add(source.width as i32),
                y.saturating_add(source.height as i32),
            ],
        );
        params.strides[2] = source.stride;
        params.shifts = [-(x as f32), -(y as f32), 0.0, 0.0];
        params.box_size[2] = (opacity * 255.0).round();
        let hole = source.hole.unwrap_or_default();
        let hole = [
            hole[0].saturating_add(x),
            hole[1].saturating_add(y),
            hole[2].saturating_add(x),
            hole[3].saturating_add(y),
        ];
        for area in around(params.area, hole) {
            let params = Params { area, ..params };
            self.push(Pass::Copy, &params, &target.buffer, &[&source.buffer]);
        }
    }

    /// Blends a sprite where its placement says.
    pub fn picture(&mut self, target: &Sprite, source: &Sprite, placement: &Placement) {
        let is_flat = placement.to_target.as_affine().is_some()
            && placement.clip.to_target.as_affine().is_some();
        if !is_flat {
            if let Some(mut params) = projected(over(target), placement) {
                params.strides[2] = source.stride;
                self.push(Pass::Projected, &params, &target.buffer, &[&source.buffer]);
            }
            return;
        }
        let Some(mut params) = placed(target, placement) else {
            return;
        };
        params.strides[2] = source.stride;
        params.cell[3] = u32::from(source.is_opaque && placement.opacity == 1.0);
        let parts = split(placement, params.area);
        for (pass, areas) in [(Pass::Inside, parts.inside), (Pass::Picture, parts.edges)] {
            for area in areas {
                let params = Params { area, ..params };
                self.push(pass, &params, &target.buffer, &[&source.buffer]);
            }
        }
    }

    /// Blends a sprite as [`Painter::picture`] does, but between texels by sixteenths, as browsers do
    /// with pictures that are not turned. For what stays where it is: a slow movement would be seen to
    /// go in steps.
    pub fn settled_picture(&mut self, target: &Sprite, source: &Sprite, placement: &Placement) {
        const STEPS: u32 = 16;
        let is_upright = |map: Affine| map.b == 0.0 && map.c == 0.0;
        let before = self.dispatches.len();
        self.picture(target, source, placement);
        if !placement.to_target.as_affine().is_some_and(is_upright) {
            return;
        }
        for dispatch in &mut self.dispatches[before..] {
            dispatch.params.strides[1] = STEPS;
        }
    }

    /// Puts a planar picture onto a sprite, its top left corner at a whole block of 8 × 2 pixels.
    pub fn planar(
        &mut self,
        target: &Sprite,
        source: &PlanarSprite,
        corner: (i32, i32),
        colors: PlanarColors<'_>,
    ) {
        let params = planar(target, source, corner, colors);
        self.push(Pass::Planar, &params, &target.buffer, &[&source.buffer]);
    }

    /// Makes a planar picture that covers the canvas, with a sprite of the canvas's size over it, the
    /// background of what is drawn after. Where nothing is, it goes to the encoder directly.
    pub fn background(
        &mut self,
        canvas: &Sprite,
        source: &PlanarSprite,
        corner: (i32, i32),
        colors: PlanarColors<'_>,
        above: &Sprite,
    ) {
        debug_assert!(
            self.dispatches.iter().all(|d| d.target != canvas.buffer),
            "a background comes first"
        );
        debug_assert_eq!((canvas.width, canvas.stride), (above.width, above.stride));
        self.background = Some(Background {
            params: planar(canvas, source, corner, colors),
            canvas: canvas.buffer.clone(),
            sources: vec![source.buffer.clone(), above.buffer.clone()],
            after: self.dispatches.len(),
        });
    }

    /// Draws a finished picture smaller: `across` × `down` texels make one pixel.
    pub fn reduce(&mut self, target: &Sprite, source: &Sprite, (across, down): (u32, u32)) {
        debug_assert!(
            target.width * across <= source.width && target.height * down <= source.height,
            "cells lie inside the source"
        );
        let mut params = over(target);
        params.strides[2] = source.stride;
        params.cell = [across, down, 0, 0];
        self.push(Pass::Reduce, &params, &target.buffer, &[&source.buffer]);
    }

    /// How many passes there are so far.
    pub(crate) fn mark(&self) -> usize {
        self.dispatches.len()
    }

    /// The part of a canvas that the passes since a mark write.
    pub(crate) fn touched_since(&self, mark: usize, canvas: &Sprite) -> Option<Area> {
        self.dispatches[mark..]
            .iter()
            .filter(|dispatch| dispatch.target == canvas.buffer)
            .map(|dispatch| dispatch.params.area)
            .filter(|area| area[0] < area[2] && area[1] < area[3])
            .reduce(union)
    }

    /// Draws only these areas of a canvas: the rest is there from the frame before. Where a pass reads
    /// the canvas, or nothing would be saved, everything is drawn.
    pub(crate) fn limit(&mut self, canvas: &Sprite, areas: &[Area]) {
        let is_read = |dispatch: &Dispatch| dispatch.reads_of(&canvas.buffer).is_some();
        if self.background.is_some() || self.dispatches.iter().any(is_read) {
            return;
        }
        let Some(areas) = damaged(canvas.width as i32, canvas.height as i32, areas) else {
            return;
        };
        let limited = |dispatch: Dispatch| -> Vec<Dispatch> {
            if dispatch.target != canvas.buffer {
                return vec![dispatch];
            }
            if dispatch.pass.is_look() {
                return marks::in_parts(&dispatch, &areas);
            }
            let parts = areas.iter().map(|area| {
                let mut part = dispatch.clone();
                part.params.area = intersect(part.params.area, *area);
                part
            });
            parts
                .filter(|part| part.params.area[0] < part.params.area[2])
                .collect()
        };
        self.dispatches = std::mem::take(&mut self.dispatches)
            .into_iter()
            .flat_map(limited)
            .collect();
        self.damage = Some((canvas.buffer.clone(), areas));
    }

    /// Draws everything collected so far.
    pub fn submit(&mut self) -> wgpu::SubmissionIndex {
        let encoder = self.record(None);
        self.gpu.queue.submit([encoder.finish()])
    }

    /// Records everything collected so far.
    pub(super) fn record(&mut self, stopwatch: Option<&Stopwatch>) -> wgpu::CommandEncoder {
        if let Some(background) = self.background.take() {
            self.lay(background);
        }
        let passes = self.dispatches.iter();
        let encoder = self.submission.record(self.gpu, passes, stopwatch);
        self.dispatches.clear();
        encoder
    }

    /// Decides how the frame gets to the encoder: areas that layers touch by way of the canvas, the
    /// others directly. Called by [`Painter::present`]; before it, [`Painter::submit`] draws without
    /// converting.
    pub fn resolve(&mut self, canvas: &Sprite, readback: &Readback) {
        let frame = readback.frame_params();
        let (width, height) = (canvas.width as i32, canvas.height as i32);
        let damage = self.damage.take();
        let mut converted = damage
            .filter(|(damaged, _)| *damaged == canvas.buffer)
            .map_or_else(|| vec![[0, 0, width, height]], |(_, areas)| areas);
        // What is drawn on one canvas and shown by another has no direct way to the encoder.
        let shown_elsewhere = |background: &mut Background| background.canvas != canvas.buffer;
        if let Some(background) = self.background.take_if(shown_elsewhere) {
            self.lay(background);
        }
        if let Some(Background {
            params,
            sources,
            after,
            ..
        }) = self.background.take()
        {
            let touched: Vec<Area> = self
                .dispatches
                .iter()
                .filter_map(|dispatch| dispatch.touches(&canvas.buffer))
                .collect();
            let Cut { touched, free } = cut(width, height, &touched);
            let under = touched.iter().map(|area| Dispatch {
                pass: Pass::PlanarUnder,
                params: Params {
                    area: *area,
                    ..params
                },
                target: canvas.buffer.clone(),
                sources: sources.clone(),
                reads: NOWHERE,
            });
            self.dispatches.splice(after..after, under);
            self.dispatches.extend(free.iter().map(|area| Dispatch {
                pass: Pass::PlanarThrough,
                params: Params {
                    area: *area,
                    frame,
                    ..params
                },
                target: readback.frame().clone(),
                sources: sources.clone(),
                reads: NOWHERE,
            }));
            converted = touched;
        }
        let conversions = converted.into_iter().map(|area| Dispatch {
            pass: Pass::I420,
            params: Params {
                area,
                frame,
                strides: [0, 0, canvas.stride, 0],
                ..Params::default()
            },
            target: readback.frame().clone(),
            sources: vec![canvas.buffer.clone()],
            reads: area,
        });
        self.conversions = Some(conversions.collect());
    }

    /// Draws everything collected so far as a frame and starts reading it back.
    pub fn present(&mut self, canvas: &Sprite, readback: &mut Readback) -> Result<()> {
        if self.conversions.is_none() {
            self.resolve(canvas, readback);
        }
        let conversions = self.conversions.take().unwrap_or_default();
        let passes = self.dispatches.iter().chain(&conversions);
        let encoder = self.submission.record(self.gpu, passes, None);
        self.dispatches.clear();
        readback.start(self.gpu, encoder)
    }

    /// Draws a background whole, before everything else.
    fn lay(&mut self, background: Background) {
        let under = Dispatch {
            pass: Pass::PlanarUnder,
            params: background.params,
            target: background.canvas,
            sources: background.sources,
            reads: NOWHERE,
        };
        self.dispatches.insert(background.after, under);
    }

    pub(super) fn push(
        &mut self,
        pass: Pass,
        params: &Params,
        target: &wgpu::Buffer,
        sources: &[&wgpu::Buffer],
    ) {
        self.push_reading(pass, params, target, sources, NOWHERE);
    }

    /// A pass that reads an area of its source that others may write in the same frame.
    pub(super) fn push_reading(
        &mut self,
        pass: Pass,
        params: &Params,
        target: &wgpu::Buffer,
        sources: &[&wgpu::Buffer],
        reads: Area,
    ) {
        self.dispatches.push(Dispatch {
            pass,
            params: *params,
            target: target.clone(),
            sources: sources.iter().copied().cloned().collect(),
            reads,
        });
    }

    /// Passes that are put together elsewhere.
    pub(super) fn extend(&mut self, dispatches: impl IntoIterator<Item = Dispatch>) {
        self.dispatches.extend(dispatches);
    }

    /// The device that this painter draws on.
    pub fn gpu(&self) -> &'g Gpu {
        self.gpu
    }
}

/// Parameters of a pass over a whole sprite.
pub(super) fn over(target: &Sprite) -> Params {
    Params {
        area: [0, 0, target.width as i32, target.height as i32],
        strides: [target.stride, 0, 0, 0],
        ..Params::default()
    }
}

pub(super) fn intersect(a: [i32; 4], b: [i32; 4]) -> [i32; 4] {
    [
        a[0].max(b[0]),
        a[1].max(b[1]),
        a[2].min(b[2]),
        a[3].min(b[3]),
    ]
}

/// Parameters of a placed picture; `None` when it can't be seen.
fn placed(target: &Sprite, placement: &Placement) -> Option<Params> {
    let to_source = placement.to_target.as_affine()?.inverse()?;
    let clip = placement.clip;
    let clip_to_target = clip.to_target.as_affine()?;
    let to_box = clip_to_target.inverse()?;
    let mut params = over(target);
    params.area = intersect(params.area, bounds(clip_to_target, clip.size));
    params.to_source = [to_source.a, to_source.b, to_source.c, to_source.d];
    params.shifts = [to_source.e, to_source.f, to_box.e, to_box.f];
    params.to_box = [to_box.a, to_box.b, to_box.c, to_box.d];
    params.box_size = [clip.size.width, clip.size.height, placement.opacity, 0.0];
    params.radii_x = clip.radii.map(|(x, _)| x);
    params.radii_y = clip.radii.map(|(_, y)| y);
    params.window = placement.window;
    Some(params)
}

/// The pixels that a mapped box may touch.
pub(super) fn bounds(to_target: Affine, size: Size) -> [i32; 4] {
    let corners = [
        (0.0, 0.0),
        (size.width, 0.0),
        (0.0, size.height),
        (size.width, size.height),
    ]
    .map(|(x, y)| to_target.apply(x, y));
    let low = |pick: fn(&(f32, f32)) -> f32| corners.iter().map(pick).fold(f32::INFINITY, f32::min);
    let high =
        |pick: fn(&(f32, f32)) -> f32| corners.iter().map(pick).fold(f32::NEG_INFINITY, f32::max);
    [
        (low(|c| c.0) - 1.0).floor() as i32,
        (low(|c| c.1) - 1.0).floor() as i32,
        (high(|c| c.0) + 1.0).ceil() as i32,
        (high(|c| c.1) + 1.0).ceil() as i32,
    ]
}

/// Parameters of a planar picture on whole blocks.
fn planar(
    target: &Sprite,
    source: &PlanarSprite,
    (x, y): (i32, i32),
    PlanarColors { yuv, functions }: PlanarColors<'_>,
) -> Params {
    let whole = |factor: f32| (factor * 65536.0).round() as i32;
    let corner = [
        x,
        y,
        x.saturating_add(source.width as i32),
        y.saturating_add(source.height as i32),
    ];
    let mut base = over(target);
    set_functions(&mut base, functions);
    Params {
        area: intersect(base.area, corner),
        strides: [target.stride, 0, source.luma_stride, source.chroma_stride],
        shifts: [-(x as f32), -(y as f32), 0.0, 0.0],
        planes: [source.cb_offset(), source.cr_offset(), 0, 0],
        luma: [(yuv.luma.0 * 255.0).round() as i32, whole(yuv.luma.1), 0, 0],
        chroma: [
            whole(yuv.red),
            whole(yuv.blue),
            whole(yuv.green.0),
            whole(yuv.green.1),
        ],
        ..base
    }
}
