//! The graphics device of an engine, which may be lost and opened anew.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use tokio_util::sync::CancellationToken;

use super::{Engine, Inner, blocking};
use crate::Result;
use crate::encode::Encoders;
use crate::gpu::{Gpu, GpuMemory, Loss};

/// What is gone when the graphics device is lost, and opened anew.
pub(super) struct Drawing {
    pub(super) gpu: Gpu,
    pub(super) encoders: Encoders,
    pub(super) hardware_decoding: bool,
}

impl Inner {
    pub(super) fn drawing(&self) -> Arc<Drawing> {
        let drawing = self.drawing.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&drawing)
    }
}

impl Engine {
    /// What became of the graphics device, if it is lost.
    pub fn loss(&self) -> Option<Loss> {
        self.0.drawing().gpu.loss().cloned()
    }

    /// Cancelled when the graphics device is lost.
    pub(crate) fn lost(&self) -> CancellationToken {
        self.0.drawing().gpu.lost().clone()
    }

    /// How often the graphics device was lost.
    pub fn losses(&self) -> u64 {
        self.0.losses.load(Ordering::Relaxed)
    }

    /// Counts a loss.
    pub(crate) fn note_loss(&self) {
        self.0.losses.fetch_add(1, Ordering::Relaxed);
    }

    /// Opens the graphics device anew and draws a frame with it; only if that is right, it is used from now on.
    pub async fn reopen(&self) -> Result<()> {
        let runtime = tokio::runtime::Handle::current();
        let drawing = blocking(move || {
            let gpu = runtime.block_on(Gpu::open())?;
            gpu.try_out()?;
            let encoders = Encoders::new(gpu.uuid());
            encoders.probe();
            Ok(Drawing {
                gpu,
                encoders,
                // The video engine was opened once for this process, on what is lost.
                hardware_decoding: false,
            })
        })
        .await?;
        let adapter = drawing.gpu.describe();
        tracing::info!(adapter, "the graphics device is open again");
        let lost = {
            let mut current = self
                .0
                .drawing
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *current, Arc::new(drawing))
        };
        // A driver that hangs may hang here too.
        std::thread::spawn(move || drop(lost));
        Ok(())
    }

    /// How much memory of the graphics device is taken, where somebody can say.
    pub fn gpu_memory(&self) -> Option<GpuMemory> {
        self.0.drawing().gpu.memory()
    }
}

#[cfg(test)]
impl Engine {
    /// Does to the graphics device what a driver that resets it would do.
    pub(crate) fn lose_device(&self) {
        self.0.drawing().gpu.device().destroy();
    }
}
