//! How much of a device's memory is taken.

use std::sync::OnceLock;

use nvenc_sys::{Libraries, Nvml};

use super::Gpu;

/// Memory of a device in bytes, as far as anybody can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GpuMemory {
    /// What is taken: by everybody where the driver says so, else by this process.
    pub used: u64,
    /// What there is.
    pub total: Option<u64>,
}

/// NVIDIA's management library, opened when it is first asked.
#[derive(Default)]
pub(super) struct Meter(OnceLock<Option<Nvml>>);

impl Gpu {
    /// The memory of a GPU; a software adapter has none of its own.
    pub fn memory(&self) -> Option<GpuMemory> {
        if self.is_software() {
            return None;
        }
        self.by_driver().or_else(|| {
            let report = self.device.generate_allocator_report()?;
            Some(GpuMemory {
                used: report.total_reserved_bytes,
                total: None,
            })
        })
    }

    fn by_driver(&self) -> Option<GpuMemory> {
        if !self.is_nvidia() {
            return None;
        }
        let nvml = self.meter.0.get_or_init(|| {
            let opened = Nvml::open(&Libraries::default(), self.uuid()?);
            opened
                .inspect_err(|reason| tracing::info!(%reason, "memory of the GPU is not metered"))
                .ok()
        });
        let memory = nvml.as_ref()?.memory().ok()?;
        Some(GpuMemory {
            used: memory.used,
            total: Some(memory.total),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_gpu_tells_its_memory_and_a_software_adapter_none() {
        let gpu = Gpu::open().await.expect("an adapter");
        let memory = gpu.memory();
        assert_eq!(memory.is_none(), gpu.is_software(), "{memory:?}");
        if let Some(GpuMemory { used, total }) = memory {
            assert!(total.is_none_or(|total| 0 < used && used < total));
        }
    }
}
