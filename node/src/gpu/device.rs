//! The adapter that draws, and its compiled passes.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use kinora_shaders::Pass;

use super::export;
use crate::{Context, Error, Result};

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

    /// Whether processors draw.
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }

    /// Whether NVIDIA's driver draws.
    pub fn is_nvidia(&self) -> bool {
        const VENDOR: u32 = 0x10de;
        self.info.vendor == VENDOR
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

    /// Waits for a submission, or for everything submitted so far.
    pub(crate) fn wait(&self, until: Option<wgpu::SubmissionIndex>) -> Result<()> {
        self.device
            .poll(wgpu::PollType::Wait {
                submission_index: until,
                timeout: None,
            })
            .map(|_| ())
            .map_err(|error| Error::internal("the graphics device stopped answering", error))
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
