//! Pictures in device memory.

use kinora_composition::css::Color;

use super::Gpu;
use super::hole::hole;
use crate::{Error, Result};

/// Rows are padded to this many pixels, so that textures can be copied into sprites.
const ROW_ALIGNMENT: u32 = 64;
/// Passes work on groups of pixels and may touch this many beyond the end of a row.
const OVERRUN: u32 = 7;

/// A picture of premultiplied RGBA8 pixels. Clones are the same picture.
#[derive(Clone)]
pub struct Sprite {
    pub(super) buffer: wgpu::Buffer,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    pub(super) stride: u32,
    /// Whether no pixel lets anything through.
    pub is_opaque: bool,
    /// A rectangle in which nothing is, of pictures that are only drawn from.
    pub(super) hole: Option<[i32; 4]>,
}

impl Sprite {
    /// An empty picture.
    pub fn new(gpu: &Gpu, width: u32, height: u32) -> Result<Self> {
        let stride = (width + OVERRUN).next_multiple_of(ROW_ALIGNMENT);
        let bytes = u64::from(stride) * u64::from(height) * 4;
        if width == 0 || height == 0 || bytes > gpu.device.limits().max_storage_buffer_binding_size
        {
            return Err(Error::BadInput(format!(
                "a layer of {width} × {height} pixels is more than this machine can draw"
            )));
        }
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("sprite"),
            size: bytes,
            usage: wgpu::BufferUsages::STORAGE
                | wgpu::BufferUsages::COPY_DST
                | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        Ok(Self {
            buffer,
            width,
            height,
            stride,
            is_opaque: false,
            hole: None,
        })
    }

    /// A picture from premultiplied RGBA8 pixels without padding.
    pub fn upload(gpu: &Gpu, width: u32, height: u32, pixels: &[u8]) -> Result<Self> {
        let mut sprite = Self::new(gpu, width, height)?;
        sprite.is_opaque = pixels.chunks_exact(4).all(|pixel| pixel[3] == u8::MAX);
        sprite.hole = hole(width, height, pixels);
        let (row, padded) = (width as usize * 4, sprite.stride as usize * 4);
        if row == padded {
            gpu.queue.write_buffer(&sprite.buffer, 0, pixels);
        } else {
            let mut rows = vec![0; padded * height as usize];
            for (to, from) in rows.chunks_exact_mut(padded).zip(pixels.chunks_exact(row)) {
                to[..row].copy_from_slice(from);
            }
            gpu.queue.write_buffer(&sprite.buffer, 0, &rows);
        }
        Ok(sprite)
    }

    /// Replaces the picture by premultiplied RGBA8 pixels, `stride` bytes to a row.
    pub(crate) fn write(&self, gpu: &Gpu, pixels: HostPlane<'_>) {
        let (row, padded) = (self.width as usize * 4, self.stride as usize * 4);
        let lines = pixels.data.chunks(pixels.stride).take(self.height as usize);
        let mut rows = vec![0; padded * self.height as usize];
        for (to, from) in rows.chunks_exact_mut(padded).zip(lines) {
            let row = row.min(from.len());
            to[..row].copy_from_slice(&from[..row]);
        }
        gpu.queue.write_buffer(&self.buffer, 0, &rows);
    }

    /// The pixels, brought to the host: premultiplied RGBA8 without padding.
    pub fn download(&self, gpu: &Gpu) -> Result<Vec<u8>> {
        let staging = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("download"),
            size: self.buffer.size(),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = gpu
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(&self.buffer, 0, &staging, 0, self.buffer.size());
        gpu.queue.submit([encoder.finish()]);
        staging.map_async(wgpu::MapMode::Read, .., |_| ());
        gpu.wait(None)?;
        let mapped = staging
            .get_mapped_range(..)
            .map_err(|error| Error::internal("a picture could not be read back", error))?;
        let (row, padded) = (self.width as usize * 4, self.stride as usize * 4);
        Ok(mapped
            .chunks_exact(padded)
            .flat_map(|line| &line[..row])
            .copied()
            .collect())
    }
}

/// A planar 4:2:0 picture, overwritten with each new frame of a video.
pub struct PlanarSprite {
    pub(super) buffer: wgpu::Buffer,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    pub(super) luma_stride: u32,
    pub(super) chroma_stride: u32,
    staging: Vec<u8>,
}

/// A plane of a frame on the host.
#[derive(Clone, Copy)]
pub(crate) struct HostPlane<'a> {
    pub(crate) data: &'a [u8],
    pub(crate) stride: usize,
}

impl PlanarSprite {
    /// An empty picture.
    pub fn new(gpu: &Gpu, width: u32, height: u32) -> Result<Self> {
        // Whole blocks of eight pixels, so that rows of both kinds of plane are whole words.
        let blocks = width.div_ceil(8);
        let (luma_stride, chroma_stride) = (blocks * 2, blocks);
        let words = u64::from(luma_stride) * u64::from(height)
            + 2 * u64::from(chroma_stride) * u64::from(height.div_ceil(2));
        if width == 0
            || height == 0
            || words * 4 > gpu.device.limits().max_storage_buffer_binding_size
        {
            return Err(Error::BadInput(format!(
                "a video of {width} × {height} pixels is more than this machine can draw"
            )));
        }
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("video"),
            size: words * 4,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Ok(Self {
            buffer,
            width,
            height,
            luma_stride,
            chroma_stride,
            staging: Vec::new(),
        })
    }

    /// Replaces the picture.
    pub(crate) fn write(&mut self, gpu: &Gpu, planes: [HostPlane<'_>; 3]) {
        let chroma_height = self.height.div_ceil(2);
        let chroma_width = self.width.div_ceil(2);
        let sizes = [
            (self.width, self.height, self.luma_stride, 0),
            (
                chroma_width,
                chroma_height,
                self.chroma_stride,
                self.cb_offset(),
            ),
            (
                chroma_width,
                chroma_height,
                self.chroma_stride,
                self.cr_offset(),
            ),
        ];
        for (plane, (width, height, stride, offset)) in planes.into_iter().zip(sizes) {
            let (row, padded) = (width as usize, stride as usize * 4);
            let offset = u64::from(offset) * 4;
            if plane.stride == padded {
                let bytes = &plane.data[..padded * height as usize];
                gpu.queue.write_buffer(&self.buffer, offset, bytes);
                continue;
            }
            self.staging.clear();
            for line in plane.data.chunks(plane.stride).take(height as usize) {
                self.staging.extend_from_slice(&line[..row.min(line.len())]);
                let end = self.staging.len().next_multiple_of(padded);
                self.staging.resize(end, 0);
            }
            gpu.queue.write_buffer(&self.buffer, offset, &self.staging);
        }
    }

    pub(super) fn cb_offset(&self) -> u32 {
        self.luma_stride * self.height
    }

    pub(super) fn cr_offset(&self) -> u32 {
        self.cb_offset() + self.chroma_stride * self.height.div_ceil(2)
    }
}

/// A colour as the passes take it.
pub(super) fn premultiplied(color: Color) -> [f32; 4] {
    [
        color.r * color.a,
        color.g * color.a,
        color.b * color.a,
        color.a,
    ]
}
