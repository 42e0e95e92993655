//! Collects passes and runs them as one submission.

use bytemuck::bytes_of;
use kinora_composition::css::{Color, Radii};
use kinora_composition::timeline::{Affine, Size};
use kinora_shaders::{Params, Pass};

use super::split::split;
use super::sprite::{PlanarSprite, Sprite, premultiplied};
use super::{FrameShape, Gpu, Readback};
use crate::Result;

/// Uniform bindings are aligned to this many bytes on every back end.
const SLOT: usize = 256;

/// A rounded box that content is clipped to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clip {
    /// From the box, whose top left corner is the origin, to the target.
    pub to_target: Affine,
    /// Size of the box.
    pub size: Size,
    /// Its corners.
    pub radii: Radii,
}

/// Where and how a picture is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// From texels of the source to pixels of the target.
    pub to_target: Affine,
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

struct Dispatch {
    pass: Pass,
    bindings: wgpu::BindGroup,
    groups: (u32, u32),
}

/// Collects passes; nothing is drawn before [`Painter::submit`].
pub struct Painter<'g> {
    gpu: &'g Gpu,
    uniforms: wgpu::Buffer,
    capacity: usize,
    params: Vec<u8>,
    dispatches: Vec<Dispatch>,
}

impl<'g> Painter<'g> {
    /// A painter without work.
    pub fn new(gpu: &'g Gpu) -> Self {
        const FIRST_CAPACITY: usize = 64;
        Self {
            gpu,
            uniforms: uniform_buffer(gpu, FIRST_CAPACITY),
            capacity: FIRST_CAPACITY,
            params: Vec::new(),
            dispatches: Vec::new(),
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
        self.push(Pass::Copy, &params, &target.buffer, &[&source.buffer]);
    }

    /// Blends a sprite under an affine map.
    pub fn picture(&mut self, target: &Sprite, source: &Sprite, placement: &Placement) {
        let Some(mut params) = placed(target, placement) else {
            return;
        };
        params.strides[2] = source.stride;
        let parts = split(placement, params.area);
        for (pass, areas) in [(Pass::Inside, parts.inside), (Pass::Picture, parts.edges)] {
            for area in areas {
                let params = Params { area, ..params };
                self.push(pass, &params, &target.buffer, &[&source.buffer]);
            }
        }
    }

    /// Puts a planar picture onto a sprite, its top left corner at a whole block of 8 × 2 pixels.
    pub fn planar(
        &mut self,
        target: &Sprite,
        source: &PlanarSprite,
        corner: (i32, i32),
        yuv: YuvCoefficients,
    ) {
        let params = planar(target, source, corner, yuv);
        self.push(Pass::Planar, &params, &target.buffer, &[&source.buffer]);
    }

    /// Puts a planar picture onto a sprite, and another sprite of the same size over both.
    pub fn planar_under(
        &mut self,
        target: &Sprite,
        source: &PlanarSprite,
        corner: (i32, i32),
        yuv: YuvCoefficients,
        above: &Sprite,
    ) {
        debug_assert_eq!((target.width, target.stride), (above.width, above.stride));
        let params = planar(target, source, corner, yuv);
        self.push(
            Pass::PlanarUnder,
            &params,
            &target.buffer,
            &[&source.buffer, &above.buffer],
        );
    }

    /// Blurs a sprite; the result is transparent where nothing reaches.
    pub fn blur(&mut self, sprite: &Sprite, sigma: f32) -> Result<Sprite> {
        let across = Sprite::new(self.gpu, sprite.width, sprite.height)?;
        let blurred = Sprite::new(self.gpu, sprite.width, sprite.height)?;
        for (target, source, step) in [
            (&across, sprite, [1.0, 0.0, 0.0, 0.0]),
            (&blurred, &across, [0.0, 1.0, 0.0, 0.0]),
        ] {
            let mut params = over(target);
            params.strides[2] = source.stride;
            params.to_source = step;
            params.box_size[3] = sigma;
            self.push(Pass::Blur, &params, &target.buffer, &[&source.buffer]);
        }
        Ok(blurred)
    }

    /// Draws everything collected so far.
    pub fn submit(&mut self) -> wgpu::SubmissionIndex {
        let encoder = self.encode();
        self.gpu.queue.submit([encoder.finish()])
    }

    /// Draws everything collected so far, then converts the canvas and starts reading it back.
    pub(super) fn submit_frame(
        &mut self,
        canvas: &Sprite,
        shape: FrameShape,
        planar: &wgpu::Buffer,
        finish: impl FnOnce(&mut wgpu::CommandEncoder),
    ) -> wgpu::SubmissionIndex {
        let params = Params {
            area: [0, 0, canvas.width as i32, canvas.height as i32],
            strides: [
                shape.luma_stride() / 4,
                0,
                canvas.stride,
                shape.chroma_stride() / 4,
            ],
            planes: [shape.cb_offset() / 4, shape.cr_offset() / 4, 0, 0],
            ..Params::default()
        };
        self.push(Pass::I420, &params, planar, &[&canvas.buffer]);
        let mut encoder = self.encode();
        finish(&mut encoder);
        self.gpu.queue.submit([encoder.finish()])
    }

    fn push(
        &mut self,
        pass: Pass,
        params: &Params,
        target: &wgpu::Buffer,
        sources: &[&wgpu::Buffer],
    ) {
        let [x0, y0, x1, y1] = params.area;
        if x1 <= x0 || y1 <= y0 {
            return;
        }
        let (width, height) = ((x1 - x0) as u32, (y1 - y0) as u32);
        let (tile_width, tile_height) = pass.tile();
        self.grow();
        let mut entries = vec![
            wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer: &self.uniforms,
                    offset: 0,
                    size: wgpu::BufferSize::new(size_of::<Params>() as u64),
                }),
            },
            wgpu::BindGroupEntry {
                binding: 1,
                resource: target.as_entire_binding(),
            },
        ];
        for (binding, source) in (2..).zip(sources) {
            entries.push(wgpu::BindGroupEntry {
                binding,
                resource: source.as_entire_binding(),
            });
        }
        let bindings = self
            .gpu
            .device
            .create_bind_group(&wgpu::BindGroupDescriptor {
                label: None,
                layout: &self.gpu.layouts[sources.len()],
                entries: &entries,
            });
        self.params.extend_from_slice(bytes_of(params));
        self.params
            .resize(self.params.len().next_multiple_of(SLOT), 0);
        let groups = (width.div_ceil(tile_width), height.div_ceil(tile_height));
        self.dispatches.push(Dispatch {
            pass,
            bindings,
            groups,
        });
    }

    /// Makes room for one more pass. Bindings name the uniform buffer, so a full one is drawn
    /// before a larger one replaces it.
    fn grow(&mut self) {
        if self.dispatches.len() == self.capacity {
            self.submit();
            self.capacity *= 4;
            self.uniforms = uniform_buffer(self.gpu, self.capacity);
        }
    }

    fn encode(&mut self) -> wgpu::CommandEncoder {
        let gpu = self.gpu;
        gpu.queue.write_buffer(&self.uniforms, 0, &self.params);
        let mut encoder = gpu
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        if !self.dispatches.is_empty() {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            for (index, dispatch) in self.dispatches.iter().enumerate() {
                pass.set_pipeline(gpu.pipeline(dispatch.pass));
                pass.set_bind_group(0, &dispatch.bindings, &[(index * SLOT) as u32]);
                pass.dispatch_workgroups(dispatch.groups.0, dispatch.groups.1, 1);
            }
        }
        self.params.clear();
        self.dispatches.clear();
        encoder
    }

    /// The device that this painter draws on.
    pub fn gpu(&self) -> &'g Gpu {
        self.gpu
    }

    /// Draws everything collected so far as a frame and starts reading it back.
    pub fn present(&mut self, canvas: &Sprite, readback: &mut Readback, index: u32) -> Result<()> {
        readback.start(self, canvas, index)
    }
}

fn uniform_buffer(gpu: &Gpu, capacity: usize) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("parameters"),
        size: (capacity * SLOT) as u64,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// Parameters of a pass over a whole sprite.
fn over(target: &Sprite) -> Params {
    Params {
        area: [0, 0, target.width as i32, target.height as i32],
        strides: [target.stride, 0, 0, 0],
        ..Params::default()
    }
}

fn intersect(a: [i32; 4], b: [i32; 4]) -> [i32; 4] {
    [
        a[0].max(b[0]),
        a[1].max(b[1]),
        a[2].min(b[2]),
        a[3].min(b[3]),
    ]
}

/// Parameters of a placed picture; `None` when it can't be seen.
fn placed(target: &Sprite, placement: &Placement) -> Option<Params> {
    let to_source = placement.to_target.inverse()?;
    let clip = placement.clip;
    let to_box = clip.to_target.inverse()?;
    let mut params = over(target);
    params.area = intersect(params.area, bounds(clip.to_target, clip.size));
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
fn bounds(to_target: Affine, size: Size) -> [i32; 4] {
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
    yuv: YuvCoefficients,
) -> Params {
    let whole = |factor: f32| (factor * 65536.0).round() as i32;
    let corner = [
        x,
        y,
        x.saturating_add(source.width as i32),
        y.saturating_add(source.height as i32),
    ];
    let base = over(target);
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
