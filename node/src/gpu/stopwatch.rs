//! How long the device works on a submission, by its own clock.

use std::time::{Duration, Instant};

use super::painter::Painter;
use super::{Gpu, Readback, Sprite};
use crate::{Error, Result};

/// Bytes of the two times.
const BYTES: u64 = 16;

/// Notes when the device begins and when it has finished.
pub(crate) struct Stopwatch {
    times: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    on_host: wgpu::Buffer,
    /// Nanoseconds of a tick.
    tick: f64,
}

impl Stopwatch {
    /// `None` where the device has no clock.
    pub(crate) fn new(gpu: &Gpu) -> Option<Self> {
        let has_clock = gpu
            .device
            .features()
            .contains(wgpu::Features::TIMESTAMP_QUERY);
        has_clock.then(|| Self {
            times: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("times"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: buffer(
                gpu,
                wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            ),
            on_host: buffer(
                gpu,
                wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            ),
            tick: f64::from(gpu.queue.get_timestamp_period()),
        })
    }

    /// What makes a pass note both times.
    pub(super) fn around_pass(&self) -> wgpu::ComputePassTimestampWrites<'_> {
        wgpu::ComputePassTimestampWrites {
            query_set: &self.times,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        }
    }

    fn bring(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.resolve_query_set(&self.times, 0..2, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.on_host, 0, BYTES);
    }

    fn read(&self, gpu: &Gpu) -> Result<Duration> {
        self.on_host.map_async(wgpu::MapMode::Read, .., |_| ());
        gpu.wait(None)?;
        let ticks = {
            let mapped = self
                .on_host
                .get_mapped_range(..)
                .map_err(|error| Error::internal("the device's clock could not be read", error))?;
            let times: Vec<u64> = mapped
                .chunks_exact(8)
                .filter_map(|bytes| Some(u64::from_le_bytes(bytes.try_into().ok()?)))
                .collect();
            times[1].saturating_sub(times[0])
        };
        self.on_host.unmap();
        Ok(Duration::from_nanos((ticks as f64 * self.tick) as u64))
    }
}

fn buffer(gpu: &Gpu, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("times"),
        size: BYTES,
        usage,
        mapped_at_creation: false,
    })
}

impl Painter<'_> {
    /// Draws a frame without converting it, and waits: how long the device took, or, where it has no
    /// clock, how long it was waited for.
    pub(crate) fn draw_timed(
        &mut self,
        canvas: &Sprite,
        readback: &Readback,
        stopwatch: Option<&Stopwatch>,
    ) -> Result<Duration> {
        let started = Instant::now();
        self.resolve(canvas, readback);
        let gpu = self.gpu();
        let mut encoder = self.record(stopwatch);
        if let Some(stopwatch) = stopwatch {
            stopwatch.bring(&mut encoder);
        }
        let drawn = gpu.queue.submit([encoder.finish()]);
        gpu.wait(Some(drawn))?;
        stopwatch.map_or_else(|| Ok(started.elapsed()), |stopwatch| stopwatch.read(gpu))
    }
}
