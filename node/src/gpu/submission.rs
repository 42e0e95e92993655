//! Passes on their way to the device.

use bytemuck::bytes_of;
use kinora_shaders::{Params, Pass};

use super::Gpu;
use super::areas::Area;
use super::stopwatch::Stopwatch;

/// Uniform bindings are aligned to half as many bytes on every back end; parameters need more.
const SLOT: usize = 512;

/// No pixel.
pub(super) const NOWHERE: Area = [0; 4];

/// One pass over an area.
#[derive(Clone)]
pub(super) struct Dispatch {
    pub(super) pass: Pass,
    pub(super) params: Params,
    pub(super) target: wgpu::Buffer,
    pub(super) sources: Vec<wgpu::Buffer>,
    /// What it reads of a source that other passes write.
    pub(super) reads: Area,
}

impl Dispatch {
    /// What the pass reads or writes of a canvas.
    pub(super) fn touches(&self, canvas: &wgpu::Buffer) -> Option<Area> {
        if self.target == *canvas {
            return Some(self.params.area);
        }
        self.reads_of(canvas)
    }

    /// What the pass reads of a canvas.
    pub(super) fn reads_of(&self, canvas: &wgpu::Buffer) -> Option<Area> {
        let is_read = self.reads != NOWHERE && self.sources.contains(canvas);
        is_read.then_some(self.reads)
    }

    /// Workgroups across and down; none when the area is empty.
    fn groups(&self) -> Option<(u32, u32)> {
        let [x0, y0, x1, y1] = self.params.area;
        let (tile_width, tile_height) = self.pass.tile();
        (x0 < x1 && y0 < y1).then(|| {
            (
                ((x1 - x0) as u32).div_ceil(tile_width),
                ((y1 - y0) as u32).div_ceil(tile_height),
            )
        })
    }
}

/// A pass and its workgroups.
type Work<'d> = (&'d Dispatch, (u32, u32));

/// Brings passes that put marks into bins before all others: they touch no picture, and a device does them beside each
/// other where one that draws would have to wait. Those whose buffers are in use before stay where they are.
fn makers_first(work: Vec<Work<'_>>) -> Vec<Work<'_>> {
    let uses = |dispatch: &Dispatch, buffer: &wgpu::Buffer| {
        dispatch.target == *buffer || dispatch.sources.contains(buffer)
    };
    let is_early: Vec<bool> = (0..)
        .zip(&work)
        .map(|(index, (maker, _))| {
            let is_unused = |buffer| !work[..index].iter().any(|(before, _)| uses(before, buffer));
            maker.pass.is_maker() && is_unused(&maker.target) && maker.sources.iter().all(is_unused)
        })
        .collect();
    let (makers, others): (Vec<_>, Vec<_>) = work
        .into_iter()
        .zip(is_early)
        .partition(|(_, is_early)| *is_early);
    let all = makers.into_iter().chain(others);
    all.map(|(work, _)| work).collect()
}

/// Holds the parameters of passes while the device works on them.
pub(super) struct Submission {
    uniforms: Option<wgpu::Buffer>,
}

impl Submission {
    pub(super) fn new() -> Self {
        Self { uniforms: None }
    }

    /// Records passes in an order that comes to the same, timed where there is a stopwatch. The queue orders parameter writes and submissions, so the same
    /// buffer serves all frames.
    pub(super) fn record<'d>(
        &mut self,
        gpu: &Gpu,
        dispatches: impl Iterator<Item = &'d Dispatch>,
        stopwatch: Option<&Stopwatch>,
    ) -> wgpu::CommandEncoder {
        let work = makers_first(
            dispatches
                .filter_map(|dispatch| Some((dispatch, dispatch.groups()?)))
                .collect(),
        );
        let mut encoder = gpu
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        if work.is_empty() && stopwatch.is_none() {
            return encoder;
        }
        let uniforms = self.uniforms(gpu, work.len());
        let mut params = Vec::with_capacity(work.len() * SLOT);
        for (dispatch, _) in &work {
            params.extend_from_slice(bytes_of(&dispatch.params));
            params.resize(params.len().next_multiple_of(SLOT), 0);
        }
        gpu.queue.write_buffer(uniforms, 0, &params);
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: None,
            timestamp_writes: stopwatch.map(Stopwatch::around_pass),
        });
        for (index, (dispatch, groups)) in work.into_iter().enumerate() {
            let variant = dispatch.pass.variant(&dispatch.params);
            pass.set_pipeline(&gpu.pipeline(dispatch.pass, variant));
            let bindings = bind(gpu, uniforms, dispatch);
            pass.set_bind_group(0, &bindings, &[(index * SLOT) as u32]);
            pass.dispatch_workgroups(groups.0, groups.1, 1);
        }
        drop(pass);
        encoder
    }

    fn uniforms(&mut self, gpu: &Gpu, count: usize) -> &wgpu::Buffer {
        let bytes = (count.next_power_of_two() * SLOT) as u64;
        self.uniforms.take_if(|buffer| buffer.size() < bytes);
        self.uniforms.get_or_insert_with(|| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("parameters"),
                size: bytes,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        })
    }
}

fn bind(gpu: &Gpu, uniforms: &wgpu::Buffer, dispatch: &Dispatch) -> wgpu::BindGroup {
    let params = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
        buffer: uniforms,
        offset: 0,
        size: wgpu::BufferSize::new(size_of::<Params>() as u64),
    });
    let pixels = [&dispatch.target].into_iter().chain(&dispatch.sources);
    let resources = [params]
        .into_iter()
        .chain(pixels.map(wgpu::Buffer::as_entire_binding));
    let entries: Vec<_> = (0..)
        .zip(resources)
        .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
        .collect();
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: gpu.layout(dispatch.pass),
        entries: &entries,
    })
}
