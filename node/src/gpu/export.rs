//! Buffers of the drawing device whose memory other interfaces of the same GPU can open.
#![expect(
    unsafe_code,
    reason = "exported memory exists below wgpu: this file is the way to Vulkan"
)]

use std::os::fd::{FromRawFd, OwnedFd};

use ash::{khr, vk};
use wgpu::hal::api::Vulkan;

/// A buffer and the handle of its memory.
pub(super) struct Exported {
    pub(super) buffer: wgpu::Buffer,
    /// The memory, for another interface to open.
    pub(super) fd: OwnedFd,
    /// Bytes of the memory, the buffer's and what the driver added.
    pub(super) memory_bytes: u64,
}

const HANDLE: vk::ExternalMemoryHandleTypeFlags = vk::ExternalMemoryHandleTypeFlags::OPAQUE_FD;

/// The identity of a Vulkan device; `None` where something else draws.
pub(super) fn uuid(device: &wgpu::Device) -> Option<[u8; 16]> {
    // SAFETY: the device is only asked, and outlives the answer.
    let device = unsafe { device.as_hal::<Vulkan>() }?;
    let shared = device.shared_instance();
    if shared.instance_api_version() < vk::API_VERSION_1_1 {
        return None;
    }
    let mut identity = vk::PhysicalDeviceIDProperties::default();
    let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut identity);
    // SAFETY: the physical device is of this instance, which knows the call since Vulkan 1.1.
    unsafe {
        shared
            .raw_instance()
            .get_physical_device_properties2(device.raw_physical_device(), &mut properties);
    }
    Some(identity.device_uuid)
}

/// Makes a buffer to copy into, in memory of its own that is exported.
pub(super) fn export(device: &wgpu::Device, bytes: u64) -> Result<Exported, String> {
    // SAFETY: nothing of the device is destroyed through the guard.
    let hal = unsafe { device.as_hal::<Vulkan>() }.ok_or("frames are not drawn by Vulkan")?;
    if !hal
        .enabled_device_extensions()
        .contains(&khr::external_memory_fd::NAME)
    {
        return Err("the Vulkan driver exports no memory".to_owned());
    }
    let raw = hal.raw_device();
    let instance = hal.shared_instance().raw_instance();
    let failed = |what: &'static str| move |error: vk::Result| format!("{what}: {error}");

    let usage = vk::BufferUsageFlags::TRANSFER_DST | vk::BufferUsageFlags::TRANSFER_SRC;
    let mut external = vk::ExternalMemoryBufferCreateInfo::default().handle_types(HANDLE);
    let info = vk::BufferCreateInfo::default()
        .size(bytes)
        .usage(usage)
        .sharing_mode(vk::SharingMode::EXCLUSIVE)
        .push_next(&mut external);
    // SAFETY: the device is live and the description whole.
    let buffer = unsafe { raw.create_buffer(&info, None) }.map_err(failed("vkCreateBuffer"))?;
    let mut unfinished = Unfinished {
        device: raw,
        buffer,
        memory: vk::DeviceMemory::null(),
    };
    // SAFETY: the buffer was just made.
    let needs = unsafe { raw.get_buffer_memory_requirements(buffer) };
    // SAFETY: the physical device is of this instance.
    let kinds =
        unsafe { instance.get_physical_device_memory_properties(hal.raw_physical_device()) };
    let kind = (0..kinds.memory_type_count)
        .filter(|kind| needs.memory_type_bits & (1 << kind) != 0)
        .find(|kind| {
            kinds.memory_types[*kind as usize]
                .property_flags
                .contains(vk::MemoryPropertyFlags::DEVICE_LOCAL)
        })
        .ok_or("the GPU has no memory for frames")?;

    let mut exported = vk::ExportMemoryAllocateInfo::default().handle_types(HANDLE);
    let mut dedicated = vk::MemoryDedicatedAllocateInfo::default().buffer(buffer);
    let info = vk::MemoryAllocateInfo::default()
        .allocation_size(needs.size)
        .memory_type_index(kind)
        .push_next(&mut exported)
        .push_next(&mut dedicated);
    // SAFETY: the description is whole; the memory is for this buffer alone.
    let memory = unsafe { raw.allocate_memory(&info, None) }.map_err(failed("vkAllocateMemory"))?;
    unfinished.memory = memory;
    // SAFETY: the memory is as large as the buffer needs, and bound once.
    unsafe { raw.bind_buffer_memory(buffer, memory, 0) }.map_err(failed("vkBindBufferMemory"))?;

    let info = vk::MemoryGetFdInfoKHR::default()
        .memory(memory)
        .handle_type(HANDLE);
    let exporter = khr::external_memory_fd::Device::new(instance, raw);
    // SAFETY: the memory was allocated for export with this type of handle, and the extension is on.
    let fd = unsafe { exporter.get_memory_fd(&info) }.map_err(failed("vkGetMemoryFdKHR"))?;
    // SAFETY: the descriptor was made for us.
    let fd = unsafe { OwnedFd::from_raw_fd(fd) };

    std::mem::forget(unfinished);
    let descriptor = wgpu::BufferDescriptor {
        label: Some("shared frame"),
        size: bytes,
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    };
    // SAFETY: buffer and memory are whole and belong to wgpu alone from here on.
    let owned =
        unsafe { wgpu::hal::vulkan::Buffer::from_raw_managed(buffer, memory, 0, needs.size) };
    // SAFETY: it was made on this device by that description; every frame is copied into it whole
    // before anybody reads it.
    let buffer = unsafe { device.create_buffer_from_hal::<Vulkan>(owned, &descriptor) };
    Ok(Exported {
        buffer,
        fd,
        memory_bytes: needs.size,
    })
}

/// What must be destroyed if the rest can't be made.
struct Unfinished<'a> {
    device: &'a ash::Device,
    buffer: vk::Buffer,
    memory: vk::DeviceMemory,
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        // SAFETY: both were made here and nobody else knows them; a null handle is ignored.
        unsafe {
            self.device.destroy_buffer(self.buffer, None);
            self.device.free_memory(self.memory, None);
        }
    }
}
