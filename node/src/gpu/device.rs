//! The adapter that draws, and its compiled passes.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kinora_shaders::Pass;
use tokio_util::sync::CancellationToken;

use super::export;
use super::loss::{Lifeline, Loss};
use super::memory::Meter;
use crate::{Context, Error, Result};

/// A device that takes longer to draw a frame does not draw any more. Processors need seconds for the worst frames.
const PATIENCE: Duration = Duration::from_secs(120);

/// The buffers of a pass beside the one that it draws on or makes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Bindings {
    sources: usize,
    /// Which of them is written, too.
    written: Option<usize>,
}

impl Bindings {
    fn of(pass: Pass) -> Self {
        Self {
            sources: pass.sources(),
            written: pass.written_source(),
        }
    }
}

/// An open device and its passes.
pub struct Gpu {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    /// By what passes read and write.
    layouts: HashMap<Bindings, wgpu::BindGroupLayout>,
    /// By pass and variant; compiled when first used.
    pipelines: Mutex<HashMap<(Pass, u32), wgpu::ComputePipeline>>,
    info: wgpu::AdapterInfo,
    lifeline: Arc<Lifeline>,
    pub(super) meter: Meter,
}

impl Gpu {
    /// Opens the best adapter: a real GPU where there is one, else a software one.
    pub async fn open() -> Result<Self> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let adapter = instance
            .request_adapter(&wgpu::RequestAdapterOptions {
                power_preference: wgpu::PowerPreference::HighPerformance,
                ..Default::default()
            })
            .await
            .context("no graphics adapter was found; install a GPU driver, or mesa-vulkan-drivers for a software one")?;
        let info = adapter.get_info();
        let (device, queue) = adapter
            .request_device(&wgpu::DeviceDescriptor {
                label: Some("kinora"),
                required_features: adapter.features() & wgpu::Features::TIMESTAMP_QUERY,
                required_limits: adapter.limits(),
                ..Default::default()
            })
            .await
            .context(format!("the adapter {} could not be opened", info.name))?;
        let lifeline = Arc::<Lifeline>::default();
        device.set_device_lost_callback({
            let lifeline = Arc::clone(&lifeline);
            move |reason, message| match message.as_str() {
                "" => lifeline.cut(format!("{reason:?}").to_lowercase()),
                message => lifeline.cut(message.to_owned()),
            }
        });
        device.on_uncaptured_error({
            let lifeline = Arc::clone(&lifeline);
            // What fails because the device is gone is no news; everything else is a mistake of ours.
            Arc::new(move |error: wgpu::Error| {
                assert!(lifeline.loss().is_some(), "drawing: {error}");
            })
        });
        let mut layouts = HashMap::new();
        for bindings in Pass::ALL.map(Bindings::of) {
            layouts
                .entry(bindings)
                .or_insert_with(|| bind_group_layout(&device, bindings));
        }
        Ok(Self {
            device,
            queue,
            layouts,
            pipelines: Mutex::default(),
            info,
            lifeline,
            meter: Meter::default(),
        })
    }

    /// Name, back end and driver of the adapter.
    pub fn describe(&self) -> String {
        let info = &self.info;
        let kind = match info.device_type {
            wgpu::DeviceType::Cpu => "software",
            wgpu::DeviceType::DiscreteGpu => "discrete GPU",
            wgpu::DeviceType::IntegratedGpu => "integrated GPU",
            wgpu::DeviceType::VirtualGpu => "virtual GPU",
            wgpu::DeviceType::Other => "other",
        };
        let driver = format!("{} {}", info.driver, info.driver_info);
        format!(
            "{} ({kind}, {:?}, {})",
            info.name,
            info.backend,
            driver.trim()
        )
    }

    /// Whether NVIDIA's driver draws.
    pub fn is_nvidia(&self) -> bool {
        const VENDOR: u32 = 0x10de;
        self.info.vendor == VENDOR
    }

    /// Whether processors draw.
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }

    /// What became of the device, if it is lost.
    pub fn loss(&self) -> Option<&Loss> {
        if self.lifeline.loss().is_none() {
            // Some losses are told to those who ask alone.
            let _ = self.poll(wgpu::PollType::Poll);
        }
        self.lifeline.loss()
    }

    /// Cancelled when the device is lost.
    pub fn lost(&self) -> &CancellationToken {
        self.lifeline.lost()
    }

    /// The identity of the adapter, the same in all interfaces of its driver.
    pub fn uuid(&self) -> Option<[u8; 16]> {
        export::uuid(&self.device)
    }

    /// The largest side of a sprite.
    pub fn max_side(&self) -> u32 {
        self.device.limits().max_texture_dimension_2d
    }

    /// The raw device, for code that draws with it directly.
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// The raw queue, for code that draws with it directly.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// What the buffers of a pass are to it.
    pub(super) fn layout(&self, pass: Pass) -> &wgpu::BindGroupLayout {
        &self.layouts[&Bindings::of(pass)]
    }

    pub(super) fn pipeline(&self, pass: Pass, variant: u32) -> wgpu::ComputePipeline {
        let mut pipelines = self
            .pipelines
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        pipelines
            .entry((pass, variant))
            .or_insert_with(|| self.compile(pass, variant))
            .clone()
    }

    /// Waits for a submission, or for everything submitted so far. A device that does not answer is lost.
    pub(crate) fn wait(&self, until: Option<wgpu::SubmissionIndex>) -> Result<()> {
        let waited = self.poll(wgpu::PollType::Wait {
            submission_index: until,
            timeout: Some(PATIENCE),
        });
        if matches!(waited, Err(wgpu::PollError::Timeout)) {
            let seconds = PATIENCE.as_secs();
            self.lifeline.cut(format!("no answer in {seconds} seconds"));
        }
        match self.lifeline.loss() {
            Some(loss) if loss.is_out_of_memory => {
                Err(Error::internal("drawing", loss.reason.clone()))
            }
            Some(loss) => Err(Error::DeviceLost(loss.reason.clone())),
            None => waited.context("waiting for the graphics device"),
        }
    }

    /// Asks the device how far it is. A driver that reports its loss only then has wgpu panic.
    fn poll(&self, how: wgpu::PollType) -> Result<(), wgpu::PollError> {
        let polled = catch_unwind(AssertUnwindSafe(|| self.device.poll(how)));
        polled.map_or_else(
            |_| {
                self.lifeline.cut("the driver failed".to_owned());
                Ok(())
            },
            |polled| polled.map(|_| ()),
        )
    }

    fn compile(&self, pass: Pass, variant: u32) -> wgpu::ComputePipeline {
        let name = format!("{pass:?} {variant}");
        let module = self
            .device
            .create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(&name),
                source: wgpu::ShaderSource::Wgsl(pass.source().into()),
            });
        let bindings = self.layout(pass);
        let layout = self
            .device
            .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(&name),
                bind_group_layouts: &[Some(bindings)],
                ..Default::default()
            });
        self.device
            .create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(&name),
                layout: Some(&layout),
                module: &module,
                entry_point: Some("main"),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants: &[("variant", f64::from(variant))],
                    // Passes write what they share before they read it.
                    zero_initialize_workgroup_memory: false,
                },
                cache: None,
            })
    }
}

fn bind_group_layout(device: &wgpu::Device, bindings: Bindings) -> wgpu::BindGroupLayout {
    let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty,
            has_dynamic_offset: binding == 0,
            min_binding_size: None,
        },
        count: None,
    };
    let mut entries = vec![
        entry(0, wgpu::BufferBindingType::Uniform),
        entry(1, wgpu::BufferBindingType::Storage { read_only: false }),
    ];
    entries.extend((2..).zip(0..bindings.sources).map(|(binding, source)| {
        let read_only = bindings.written != Some(source);
        entry(binding, wgpu::BufferBindingType::Storage { read_only })
    }));
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("pass"),
        entries: &entries,
    })
}
