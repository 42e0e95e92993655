//! Brings finished frames to the host while later ones are being drawn.

use std::collections::VecDeque;

use super::Gpu;
use crate::{Error, Result};

/// Frames that may be under way at once.
const FRAMES_IN_FLIGHT: usize = 3;

/// The layout of a planar 4:2:0 frame on the device; rows are padded to blocks of eight pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as everywhere")]
pub struct FrameShape {
    pub width: u32,
    pub height: u32,
}

impl FrameShape {
    pub(super) fn luma_stride(self) -> u32 {
        self.width.div_ceil(8) * 8
    }

    pub(super) fn chroma_stride(self) -> u32 {
        self.width.div_ceil(8) * 4
    }

    pub(super) fn cb_offset(self) -> u32 {
        self.luma_stride() * self.height
    }

    pub(super) fn cr_offset(self) -> u32 {
        self.cb_offset() + self.chroma_stride() * (self.height / 2)
    }

    fn padded_bytes(self) -> u32 {
        self.cr_offset() + self.chroma_stride() * (self.height / 2)
    }

    /// Bytes of the frame without padding.
    pub fn bytes(self) -> usize {
        (self.width * self.height / 2 * 3) as usize
    }

    /// Copies a padded frame into one without padding.
    fn pack(self, padded: &[u8], packed: &mut Vec<u8>) {
        packed.clear();
        if self.width.is_multiple_of(8) {
            packed.extend_from_slice(&padded[..self.bytes()]);
            return;
        }
        let planes = [
            (0, self.luma_stride(), self.width, self.height),
            (
                self.cb_offset(),
                self.chroma_stride(),
                self.width / 2,
                self.height / 2,
            ),
            (
                self.cr_offset(),
                self.chroma_stride(),
                self.width / 2,
                self.height / 2,
            ),
        ];
        for (offset, stride, width, height) in planes {
            for row in 0..height {
                let start = (offset + row * stride) as usize;
                packed.extend_from_slice(&padded[start..start + width as usize]);
            }
        }
    }
}

/// A frame on its way to the host.
struct Flight {
    buffer: wgpu::Buffer,
    submission: wgpu::SubmissionIndex,
}

/// A short queue of frames being drawn and read back.
pub struct Readback {
    shape: FrameShape,
    planar: wgpu::Buffer,
    idle: Vec<wgpu::Buffer>,
    flights: VecDeque<Flight>,
}

impl Readback {
    /// A queue for frames of one shape.
    pub fn new(gpu: &Gpu, shape: FrameShape) -> Self {
        let buffer = |usage| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("readback"),
                size: u64::from(shape.padded_bytes()),
                usage,
                mapped_at_creation: false,
            })
        };
        Self {
            shape,
            planar: buffer(wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC),
            idle: (0..FRAMES_IN_FLIGHT)
                .map(|_| buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST))
                .collect(),
            flights: VecDeque::new(),
        }
    }

    /// Whether another frame must be taken before the next one can start.
    pub fn is_full(&self) -> bool {
        self.idle.is_empty()
    }

    /// Whether nothing is under way.
    pub fn is_empty(&self) -> bool {
        self.flights.is_empty()
    }

    /// The frame on the device that passes write.
    pub(super) fn planar(&self) -> &wgpu::Buffer {
        &self.planar
    }

    /// How that frame lies in memory, in words.
    pub(super) fn frame_params(&self) -> [u32; 4] {
        let shape = self.shape;
        [
            shape.luma_stride(),
            shape.chroma_stride(),
            shape.cb_offset(),
            shape.cr_offset(),
        ]
        .map(|bytes| bytes / 4)
    }

    /// Submits recorded passes that write the frame, and starts to bring it to the host.
    pub(super) fn start(&mut self, gpu: &Gpu, mut encoder: wgpu::CommandEncoder) -> Result<()> {
        let Some(buffer) = self.idle.pop() else {
            return Err(Error::internal("drawing", "too many frames in flight"));
        };
        encoder.copy_buffer_to_buffer(&self.planar, 0, &buffer, 0, buffer.size());
        let submission = gpu.queue.submit([encoder.finish()]);
        buffer.map_async(wgpu::MapMode::Read, .., |_| ());
        self.flights.push_back(Flight { buffer, submission });
        Ok(())
    }

    /// Waits for the oldest frame and copies it, without padding, into `frame`; whether there was one.
    pub fn take(&mut self, gpu: &Gpu, frame: &mut Vec<u8>) -> Result<bool> {
        let Some(Flight { buffer, submission }) = self.flights.pop_front() else {
            return Ok(false);
        };
        gpu.wait(Some(submission))?;
        {
            let mapped = buffer
                .get_mapped_range(..)
                .map_err(|error| Error::internal("a frame could not be read back", error))?;
            self.shape.pack(&mapped, frame);
        }
        buffer.unmap();
        self.idle.push(buffer);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_is_left_behind() {
        let shape = FrameShape {
            width: 10,
            height: 2,
        };
        let padded: Vec<u8> = (0..shape.padded_bytes() as u8).collect();
        let mut packed = Vec::new();
        shape.pack(&padded, &mut packed);
        assert_eq!(packed.len(), shape.bytes());
        assert_eq!(packed[..10], padded[..10]);
        assert_eq!(packed[10..20], padded[16..26]);
        assert_eq!(packed[20..25], padded[32..37]);
        assert_eq!(packed[25..30], padded[40..45]);
    }
}
