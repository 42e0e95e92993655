//! Brings finished frames to the host, or to memory that an encoder reads, while later ones are being
//! drawn.

use std::collections::VecDeque;
use std::sync::Arc;

use nvenc_sys::Context;

use super::shared::SharedFrames;
use super::{FrameShape, Gpu, SharedFrame};
use crate::{Error, Result};

/// Frames that may be under way at once.
const FRAMES_IN_FLIGHT: usize = 3;

/// A finished frame.
pub enum DrawnFrame {
    /// On the host: planar 4:2:0 without padding.
    Host(Vec<u8>),
    /// On the device.
    Shared(Arc<SharedFrame>),
}

/// A frame on its way.
enum Flight {
    Host(wgpu::Buffer, wgpu::SubmissionIndex),
    Shared(SharedFrame, wgpu::SubmissionIndex),
}

/// Where frames go.
enum Places {
    Host(Vec<wgpu::Buffer>),
    Shared(SharedFrames),
}

/// A short queue of frames being drawn and brought away.
pub struct Readback {
    shape: FrameShape,
    frame: wgpu::Buffer,
    places: Places,
    flights: VecDeque<Flight>,
}

impl Readback {
    /// A queue for frames of one shape that go to the host.
    pub fn new(gpu: &Gpu, shape: FrameShape) -> Self {
        let bytes = shape.planar_bytes();
        let place = || {
            let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
            buffer(gpu, bytes, usage)
        };
        let places = Places::Host((0..FRAMES_IN_FLIGHT).map(|_| place()).collect());
        Self::to(gpu, shape, bytes, places)
    }

    /// A queue for frames that stay on the device for an encoder there, of which up to `held` are
    /// elsewhere at a time. Says why that can't be.
    pub fn shared(
        gpu: &Gpu,
        shape: FrameShape,
        context: &Arc<Context>,
        held: usize,
    ) -> Result<Self, String> {
        let frames = SharedFrames::new(gpu, shape, context, held + FRAMES_IN_FLIGHT)?;
        let bytes = shape.shared_bytes();
        Ok(Self::to(gpu, shape, bytes, Places::Shared(frames)))
    }

    fn to(gpu: &Gpu, shape: FrameShape, bytes: u32, places: Places) -> Self {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        Self {
            shape,
            frame: buffer(gpu, bytes, usage),
            places,
            flights: VecDeque::new(),
        }
    }

    /// Whether another frame must be taken before the next one can start.
    pub fn is_full(&self) -> bool {
        self.flights.len() >= FRAMES_IN_FLIGHT
    }

    /// Whether nothing is under way.
    pub fn is_empty(&self) -> bool {
        self.flights.is_empty()
    }

    /// The frame on the device that passes write.
    pub(super) fn frame(&self) -> &wgpu::Buffer {
        &self.frame
    }

    /// How that frame lies in memory, in words.
    pub(super) fn frame_params(&self) -> [u32; 4] {
        match self.places {
            Places::Host(_) => self.shape.planar_params(),
            Places::Shared(_) => self.shape.shared_params(),
        }
    }

    /// Submits recorded passes that write the frame, and starts to bring it away.
    pub(super) fn start(&mut self, gpu: &Gpu, mut encoder: wgpu::CommandEncoder) -> Result<()> {
        let full = || Error::internal("drawing", "too many frames in flight");
        let flight = match &mut self.places {
            Places::Host(idle) => {
                let buffer = idle.pop().ok_or_else(full)?;
                encoder.copy_buffer_to_buffer(&self.frame, 0, &buffer, 0, buffer.size());
                let submission = gpu.queue.submit([encoder.finish()]);
                buffer.map_async(wgpu::MapMode::Read, .., |_| ());
                Flight::Host(buffer, submission)
            }
            Places::Shared(frames) => {
                let frame = frames.next()?;
                let buffer = frame.buffer();
                encoder.copy_buffer_to_buffer(&self.frame, 0, buffer, 0, buffer.size());
                let submission = gpu.queue.submit([encoder.finish()]);
                Flight::Shared(frame, submission)
            }
        };
        self.flights.push_back(flight);
        Ok(())
    }

    /// Waits for the oldest frame; `None` where none is under way. Frames for the host are written to
    /// `reused`.
    pub fn take(&mut self, gpu: &Gpu, mut reused: Vec<u8>) -> Result<Option<DrawnFrame>> {
        match self.flights.pop_front() {
            None => Ok(None),
            Some(Flight::Shared(frame, submission)) => {
                gpu.wait(Some(submission))?;
                Ok(Some(DrawnFrame::Shared(Arc::new(frame))))
            }
            Some(Flight::Host(buffer, submission)) => {
                gpu.wait(Some(submission))?;
                {
                    let mapped = buffer.get_mapped_range(..).map_err(|error| {
                        Error::internal("a frame could not be read back", error)
                    })?;
                    self.shape.pack(&mapped, &mut reused);
                }
                buffer.unmap();
                if let Places::Host(idle) = &mut self.places {
                    idle.push(buffer);
                }
                Ok(Some(DrawnFrame::Host(reused)))
            }
        }
    }
}

fn buffer(gpu: &Gpu, bytes: u32, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("readback"),
        size: u64::from(bytes),
        usage,
        mapped_at_creation: false,
    })
}
