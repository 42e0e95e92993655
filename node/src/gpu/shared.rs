//! Frames in memory that the drawing device writes and an encoder on the same GPU reads.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use nvenc_sys::{Context, ImportedMemory};

use super::export::export;
use super::{FrameShape, Gpu};
use crate::{Context as _, Result};

/// A buffer of the drawing device, and the same memory as CUDA sees it.
struct Place {
    buffer: wgpu::Buffer,
    memory: Arc<ImportedMemory>,
}

/// A drawn frame on the device: NV12, BT.709, limited range. Its memory is drawn into again when it is
/// dropped.
pub struct SharedFrame {
    place: Arc<Place>,
    shape: FrameShape,
    back: SyncSender<Arc<Place>>,
}

impl SharedFrame {
    /// Its memory.
    pub(crate) fn memory(&self) -> &Arc<ImportedMemory> {
        &self.place.memory
    }

    /// Bytes from row to row.
    pub(crate) fn pitch(&self) -> u32 {
        self.shape.pitch()
    }

    pub(super) fn buffer(&self) -> &wgpu::Buffer {
        &self.place.buffer
    }

    /// Copies it to the host as planes without padding.
    pub fn read(&self, planes: &mut Vec<u8>) -> Result<()> {
        let mut shared = vec![0; self.shape.shared_bytes() as usize];
        self.memory()
            .copy_to_host(&mut shared)
            .context("reading a frame")?;
        self.shape.separate(&shared, planes);
        Ok(())
    }
}

impl Drop for SharedFrame {
    fn drop(&mut self) {
        // Nobody waits for it when drawing is over.
        let _ = self.back.try_send(Arc::clone(&self.place));
    }
}

/// Memory for frames, in turns.
pub(super) struct SharedFrames {
    shape: FrameShape,
    free: Receiver<Arc<Place>>,
    back: SyncSender<Arc<Place>>,
}

impl SharedFrames {
    /// Makes room for this many frames. Says why that can't be: the drawing device exports nothing,
    /// or the encoder is on another one.
    pub(super) fn new(
        gpu: &Gpu,
        shape: FrameShape,
        context: &Arc<Context>,
        count: usize,
    ) -> Result<Self, String> {
        if gpu.uuid() != Some(context.uuid()) {
            return Err(format!("{} is not the GPU that draws", context.gpu()));
        }
        let (back, free) = sync_channel(count);
        for _ in 0..count {
            let exported = export(&gpu.device, u64::from(shape.shared_bytes()))?;
            let memory = context
                .import(exported.fd, exported.memory_bytes)
                .map_err(|error| error.to_string())?;
            let place = Place {
                buffer: exported.buffer,
                memory: Arc::new(memory),
            };
            // There is room for as many as are made.
            let _ = back.try_send(Arc::new(place));
        }
        Ok(Self { shape, free, back })
    }

    /// The next free place, when there is one: frames come back as they are encoded.
    pub(super) fn next(&self) -> Result<SharedFrame> {
        Ok(SharedFrame {
            place: self.free.recv().context("drawing")?,
            shape: self.shape,
            back: self.back.clone(),
        })
    }
}
