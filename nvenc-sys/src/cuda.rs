//! GPUs as CUDA knows them, and memory that other interfaces share with them.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::os::fd::{AsRawFd, IntoRawFd, OwnedFd};
use std::ptr;
use std::sync::Arc;

use crate::abi::{self, Plain};
use crate::error::{Error, LoadError};
use crate::library::{Libraries, name_of, open, symbol};

/// The CUDA driver.
pub struct Cuda {
    init: abi::CuInitFn,
    device_count: abi::CuDeviceCountFn,
    device_get: abi::CuDeviceGetFn,
    device_name: abi::CuDeviceNameFn,
    device_uuid: abi::CuDeviceUuidFn,
    retain: abi::CuRetainFn,
    release: abi::CuReleaseFn,
    push: abi::CuPushFn,
    pop: abi::CuPopFn,
    error_text: abi::CuErrorTextFn,
    import: abi::CuImportFn,
    mapped_buffer: abi::CuMappedBufferFn,
    destroy_memory: abi::CuDestroyMemoryFn,
    free: abi::CuFreeFn,
    copy_to_host: abi::CuCopyToHostFn,
    // Dropped last: everything above points into it.
    _library: libloading::Library,
}

impl Cuda {
    /// Opens the driver's library.
    pub fn load(libraries: &Libraries) -> Result<Arc<Self>, LoadError> {
        let library = open(&libraries.cuda)?;
        let name = name_of(&libraries.cuda);
        Ok(Arc::new(Self {
            init: symbol(&library, &name, "cuInit")?,
            device_count: symbol(&library, &name, "cuDeviceGetCount")?,
            device_get: symbol(&library, &name, "cuDeviceGet")?,
            device_name: symbol(&library, &name, "cuDeviceGetName")?,
            device_uuid: symbol(&library, &name, "cuDeviceGetUuid_v2")
                .or_else(|_| symbol(&library, &name, "cuDeviceGetUuid"))?,
            retain: symbol(&library, &name, "cuDevicePrimaryCtxRetain")?,
            release: symbol(&library, &name, "cuDevicePrimaryCtxRelease_v2")?,
            push: symbol(&library, &name, "cuCtxPushCurrent_v2")?,
            pop: symbol(&library, &name, "cuCtxPopCurrent_v2")?,
            error_text: symbol(&library, &name, "cuGetErrorString")?,
            import: symbol(&library, &name, "cuImportExternalMemory")?,
            mapped_buffer: symbol(&library, &name, "cuExternalMemoryGetMappedBuffer")?,
            destroy_memory: symbol(&library, &name, "cuDestroyExternalMemory")?,
            free: symbol(&library, &name, "cuMemFree_v2")?,
            copy_to_host: symbol(&library, &name, "cuMemcpyDtoH_v2")?,
            _library: library,
        }))
    }

    fn check(&self, call: &'static str, status: c_int) -> Result<(), Error> {
        if status == abi::SUCCESS {
            return Ok(());
        }
        let mut text: *const c_char = ptr::null();
        // SAFETY: the driver points `text` at a constant string or leaves it null.
        let reason = unsafe {
            (self.error_text)(status, &raw mut text);
            (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
        };
        Err(Error::Cuda {
            call,
            reason: reason.unwrap_or_else(|| format!("status {status}")),
        })
    }

    fn devices(&self) -> Result<Vec<c_int>, Error> {
        let mut count = 0;
        // SAFETY: `cuInit` comes before all other calls; every out-pointer outlives its call.
        unsafe {
            self.check("cuInit", (self.init)(0))?;
            self.check("cuDeviceGetCount", (self.device_count)(&raw mut count))?;
        }
        (0..count)
            .map(|ordinal| {
                let mut device = 0;
                // SAFETY: as above.
                let status = unsafe { (self.device_get)(&raw mut device, ordinal) };
                self.check("cuDeviceGet", status).map(|()| device)
            })
            .collect()
    }

    fn uuid(&self, device: c_int) -> Result<[u8; 16], Error> {
        let mut uuid = [0; 16];
        // SAFETY: the driver writes sixteen bytes.
        let status = unsafe { (self.device_uuid)(&raw mut uuid, device) };
        self.check("cuDeviceGetUuid", status).map(|()| uuid)
    }

    fn name(&self, device: c_int) -> String {
        const LENGTH: usize = 128;
        let mut name: [c_char; LENGTH] = [0; LENGTH];
        // SAFETY: the driver writes at most the given length; the last byte stays zero.
        let status = unsafe { (self.device_name)(name.as_mut_ptr(), LENGTH as c_int - 1, device) };
        if status != abi::SUCCESS {
            return "the GPU".to_owned();
        }
        // SAFETY: the buffer is zero-terminated, as above.
        unsafe { CStr::from_ptr(name.as_ptr()) }
            .to_string_lossy()
            .into_owned()
    }
}

/// One GPU, ready for work: its primary context.
pub struct Context {
    cuda: Arc<Cuda>,
    device: c_int,
    raw: *mut c_void,
    name: String,
    uuid: [u8; 16],
}

// SAFETY: a context may be made current on any thread, on several at once too; the handle itself is
// never changed.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

impl Context {
    /// Opens the GPU of the given identity, else the first one.
    pub fn open(cuda: &Arc<Cuda>, preferred: Option<[u8; 16]>) -> Result<Arc<Self>, Error> {
        let devices = cuda.devices()?;
        let is_preferred =
            |device: &&c_int| preferred.is_some() && cuda.uuid(**device).ok() == preferred;
        let Some(&device) = devices.iter().find(is_preferred).or(devices.first()) else {
            return Err(Error::Cuda {
                call: "cuDeviceGet",
                reason: "there is no GPU".to_owned(),
            });
        };
        let uuid = cuda.uuid(device)?;
        let mut raw = ptr::null_mut();
        // SAFETY: the device exists; the out-pointer outlives the call.
        let status = unsafe { (cuda.retain)(&raw mut raw, device) };
        cuda.check("cuDevicePrimaryCtxRetain", status)?;
        Ok(Arc::new(Self {
            name: cuda.name(device),
            cuda: Arc::clone(cuda),
            device,
            raw,
            uuid,
        }))
    }

    /// The GPU's name.
    pub fn gpu(&self) -> &str {
        &self.name
    }

    /// The GPU's identity, the same in all interfaces of the driver.
    pub fn uuid(&self) -> [u8; 16] {
        self.uuid
    }

    pub(crate) fn raw(&self) -> *mut c_void {
        self.raw
    }

    /// Makes the context current on this thread until the guard is dropped.
    pub(crate) fn enter(&self) -> Result<Entered<'_>, Error> {
        // SAFETY: the context lives as long as `self`.
        let status = unsafe { (self.cuda.push)(self.raw) };
        self.cuda.check("cuCtxPushCurrent", status)?;
        Ok(Entered(self))
    }

    /// Takes over memory that another interface exported for one buffer of this many bytes.
    pub fn import(self: &Arc<Self>, fd: OwnedFd, bytes: u64) -> Result<ImportedMemory, Error> {
        let _current = self.enter()?;
        let mut handle = abi::ExternalMemory::zeroed();
        handle.kind = abi::HANDLE_OPAQUE_FD;
        handle.fd.fd = fd.as_raw_fd();
        handle.bytes = bytes;
        handle.flags = abi::DEDICATED;
        let mut external = ptr::null_mut();
        // SAFETY: the description has the interface's layout and names an open descriptor.
        let status = unsafe { (self.cuda.import)(&raw mut external, &raw const handle) };
        self.cuda.check("cuImportExternalMemory", status)?;
        // From here on the driver owns it.
        let _ = fd.into_raw_fd();
        let mut memory = ImportedMemory {
            context: Arc::clone(self),
            external,
            pointer: 0,
            bytes,
        };
        let mut range = abi::ExternalBuffer::zeroed();
        range.bytes = bytes;
        // SAFETY: the range is the whole of the memory that was imported.
        let status = unsafe {
            (self.cuda.mapped_buffer)(&raw mut memory.pointer, external, &raw const range)
        };
        self.cuda.check("cuExternalMemoryGetMappedBuffer", status)?;
        Ok(memory)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: retained once, released once. A failure here leaves nothing to do.
        unsafe { (self.cuda.release)(self.device) };
    }
}

/// A context that is current on this thread.
pub(crate) struct Entered<'a>(&'a Context);

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        let mut left = ptr::null_mut();
        // SAFETY: pushed once on this thread, popped once.
        unsafe { (self.0.cuda.pop)(&raw mut left) };
    }
}

/// Memory of another interface, seen by CUDA.
pub struct ImportedMemory {
    context: Arc<Context>,
    external: *mut c_void,
    pointer: u64,
    bytes: u64,
}

// SAFETY: handles that are only used through the driver, which takes calls from all threads.
unsafe impl Send for ImportedMemory {}
// SAFETY: as above.
unsafe impl Sync for ImportedMemory {}

impl ImportedMemory {
    /// Bytes of it.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(crate) fn pointer(&self) -> u64 {
        self.pointer
    }

    /// Copies its beginning to the host; what writes it elsewhere must be done.
    pub fn copy_to_host(&self, out: &mut [u8]) -> Result<(), Error> {
        if out.len() as u64 > self.bytes {
            return Err(Error::Misused("more bytes asked for than there are"));
        }
        let _current = self.context.enter()?;
        // SAFETY: both sides hold this many bytes, and the call ends when they are copied.
        let status = unsafe {
            (self.context.cuda.copy_to_host)(out.as_mut_ptr().cast(), self.pointer, out.len())
        };
        self.context.cuda.check("cuMemcpyDtoH", status)
    }
}

impl Drop for ImportedMemory {
    fn drop(&mut self) {
        let Ok(_current) = self.context.enter() else {
            return;
        };
        // SAFETY: the mapping goes before the memory, each once. A failure here leaves nothing to do.
        unsafe {
            if self.pointer != 0 {
                (self.context.cuda.free)(self.pointer);
            }
            (self.context.cuda.destroy_memory)(self.external);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loading_either_works_or_says_why_not() {
        if let Err(reason) = Cuda::load(&Libraries::default()) {
            assert_eq!(reason.to_string(), "libcuda.so.1 not found");
        }
    }
}
