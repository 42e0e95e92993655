//! An encode session: the driver's calls, each checked.

use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::Arc;

use crate::abi::{self, Plain};
use crate::cuda::Context;
use crate::error::Error;
use crate::library::{Functions, Library};
use crate::settings::Settings;

/// Bytes that headers may take; the interface asks for no more.
const HEADER_ROOM: usize = 1024;

/// A handle of the driver.
pub(crate) type Handle = *mut c_void;

/// An open session with the context it lives on.
pub(crate) struct Session {
    library: Arc<Library>,
    pub(crate) context: Arc<Context>,
    encoder: Handle,
}

/// What the driver answers to a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// All pictures so far have their packets.
    Ready,
    /// It waits for more pictures first.
    Waiting,
    /// To be asked again in a moment.
    Busy,
}

/// A picture to encode.
pub(crate) struct Picture {
    pub(crate) input: Handle,
    pub(crate) output: Handle,
    pub(crate) pitch: u32,
    pub(crate) timestamp: u64,
}

impl Session {
    /// Asks the GPU for an encoder and sets it up.
    pub(crate) fn open(
        library: &Arc<Library>,
        context: &Arc<Context>,
        settings: &Settings,
    ) -> Result<Self, Error> {
        let mut session = Self {
            library: Arc::clone(library),
            context: Arc::clone(context),
            encoder: ptr::null_mut(),
        };
        let mut params = abi::OpenSessionParams::zeroed();
        params.version = abi::OPEN_SESSION_VERSION;
        params.device_type = abi::DEVICE_TYPE_CUDA;
        params.device = context.raw();
        params.api_version = abi::API_VERSION;
        let _current = context.enter()?;
        let open = session.functions().open_session;
        // SAFETY: the parameters have the interface's layout and name a live CUDA context.
        let status = unsafe { open(&raw mut params, &raw mut session.encoder) };
        if status != abi::SUCCESS {
            return Err(Error::NoEncoder {
                gpu: context.gpu().to_owned(),
                status,
            });
        }
        if !session.codecs()?.contains(&settings.codec.guid()) {
            return Err(Error::NoCodec {
                gpu: context.gpu().to_owned(),
                codec: settings.codec.name(),
            });
        }
        session.initialize(settings)?;
        Ok(session)
    }

    fn functions(&self) -> &Functions {
        &self.library.functions
    }

    fn codecs(&self) -> Result<Vec<abi::Guid>, Error> {
        let mut count = 0;
        // SAFETY: the session is open; the out-pointer outlives the call.
        let status = unsafe { (self.functions().guid_count)(self.encoder, &raw mut count) };
        self.check("nvEncGetEncodeGUIDCount", status)?;
        let mut guids = vec![abi::Guid::default(); count as usize];
        // SAFETY: the driver writes at most as many as there is room for.
        let status = unsafe {
            (self.functions().guids)(self.encoder, guids.as_mut_ptr(), count, &raw mut count)
        };
        self.check("nvEncGetEncodeGUIDs", status)?;
        guids.truncate(count as usize);
        Ok(guids)
    }

    fn initialize(&self, settings: &Settings) -> Result<(), Error> {
        let mut preset = Box::new(abi::PresetConfig::zeroed());
        preset.version = abi::PRESET_CONFIG_VERSION;
        preset.config.version = abi::CONFIG_VERSION;
        let codec = settings.codec.guid();
        // SAFETY: the structure has the interface's layout and version words.
        let status = unsafe {
            (self.functions().preset_config)(
                self.encoder,
                codec,
                abi::PRESET_P4,
                abi::TUNING_HIGH_QUALITY,
                &raw mut *preset,
            )
        };
        self.check("nvEncGetEncodePresetConfigEx", status)?;
        settings.apply(&mut preset.config);

        let mut params = Box::new(abi::InitializeParams::zeroed());
        params.version = abi::INITIALIZE_VERSION;
        params.codec = codec;
        params.preset = abi::PRESET_P4;
        params.tuning = abi::TUNING_HIGH_QUALITY;
        params.width = settings.width;
        params.height = settings.height;
        // Square pixels.
        params.aspect_width = settings.width;
        params.aspect_height = settings.height;
        params.rate_numerator = settings.fps;
        params.rate_denominator = 1;
        params.decides_types = 1;
        params.config = &raw mut preset.config;
        // SAFETY: both structures have the interface's layout and outlive the call.
        let status = unsafe { (self.functions().initialize)(self.encoder, &raw mut *params) };
        self.check("nvEncInitializeEncoder", status)
    }

    /// Parameter sets of the stream, each after a start code.
    pub(crate) fn headers(&self) -> Result<Vec<u8>, Error> {
        let mut headers = vec![0_u8; HEADER_ROOM];
        let mut bytes = 0;
        let mut params = abi::SequenceParams::zeroed();
        params.version = abi::SEQUENCE_VERSION;
        params.room = HEADER_ROOM as u32;
        params.buffer = headers.as_mut_ptr().cast();
        params.bytes = &raw mut bytes;
        self.call(
            "nvEncGetSequenceParams",
            self.functions().sequence_params,
            &mut params,
        )?;
        headers.truncate(bytes as usize);
        Ok(headers)
    }

    pub(crate) fn create_input(&self, settings: &Settings) -> Result<Handle, Error> {
        let mut params = abi::CreateInput::zeroed();
        params.version = abi::CREATE_INPUT_VERSION;
        params.width = settings.width;
        params.height = settings.height;
        params.format = abi::FORMAT_NV12;
        self.call(
            "nvEncCreateInputBuffer",
            self.functions().create_input,
            &mut params,
        )?;
        Ok(params.buffer)
    }

    pub(crate) fn create_bitstream(&self) -> Result<Handle, Error> {
        let mut params = abi::CreateBitstream::zeroed();
        params.version = abi::CREATE_BITSTREAM_VERSION;
        self.call(
            "nvEncCreateBitstreamBuffer",
            self.functions().create_bitstream,
            &mut params,
        )?;
        Ok(params.buffer)
    }

    /// Lets `fill` write an input buffer of this many rows; answers the bytes from row to row.
    pub(crate) fn fill_input(
        &self,
        buffer: Handle,
        rows: u32,
        fill: impl FnOnce(&mut [u8], usize),
    ) -> Result<u32, Error> {
        let mut params = abi::LockInput::zeroed();
        params.version = abi::LOCK_INPUT_VERSION;
        params.buffer = buffer;
        self.call(
            "nvEncLockInputBuffer",
            self.functions().lock_input,
            &mut params,
        )?;
        let pitch = params.pitch as usize;
        // SAFETY: a locked buffer holds as many rows as it was made for, and nobody else touches it
        // until it is unlocked.
        let bytes = unsafe {
            std::slice::from_raw_parts_mut(params.pointer.cast::<u8>(), pitch * rows as usize)
        };
        fill(bytes, pitch);
        self.give(
            "nvEncUnlockInputBuffer",
            self.functions().unlock_input,
            buffer,
        )?;
        Ok(params.pitch)
    }

    /// Makes CUDA memory known as a picture in NV12.
    pub(crate) fn register(
        &self,
        pointer: u64,
        pitch: u32,
        settings: &Settings,
    ) -> Result<Handle, Error> {
        let mut params = abi::RegisterResource::zeroed();
        params.version = abi::REGISTER_VERSION;
        params.kind = abi::RESOURCE_CUDA_POINTER;
        params.width = settings.width;
        params.height = settings.height;
        params.pitch = pitch;
        params.resource = ptr::with_exposed_provenance_mut(pointer as usize);
        params.format = abi::FORMAT_NV12;
        self.call(
            "nvEncRegisterResource",
            self.functions().register,
            &mut params,
        )?;
        Ok(params.registered)
    }

    pub(crate) fn map(&self, registered: Handle) -> Result<Handle, Error> {
        let mut params = abi::MapInput::zeroed();
        params.version = abi::MAP_INPUT_VERSION;
        params.registered = registered;
        self.call(
            "nvEncMapInputResource",
            self.functions().map_input,
            &mut params,
        )?;
        Ok(params.mapped)
    }

    pub(crate) fn unmap(&self, mapped: Handle) -> Result<(), Error> {
        self.give(
            "nvEncUnmapInputResource",
            self.functions().unmap_input,
            mapped,
        )
    }

    pub(crate) fn unregister(&self, registered: Handle) -> Result<(), Error> {
        self.give(
            "nvEncUnregisterResource",
            self.functions().unregister,
            registered,
        )
    }

    pub(crate) fn destroy_input(&self, buffer: Handle) -> Result<(), Error> {
        self.give(
            "nvEncDestroyInputBuffer",
            self.functions().destroy_input,
            buffer,
        )
    }

    pub(crate) fn destroy_bitstream(&self, buffer: Handle) -> Result<(), Error> {
        self.give(
            "nvEncDestroyBitstreamBuffer",
            self.functions().destroy_bitstream,
            buffer,
        )
    }

    /// Hands over a picture, or says with `None` that there will be no more.
    pub(crate) fn encode(
        &self,
        picture: Option<&Picture>,
        settings: &Settings,
    ) -> Result<Answer, Error> {
        let mut params = Box::new(abi::PictureParams::zeroed());
        params.version = abi::PICTURE_VERSION;
        match picture {
            None => params.flags = abi::FLAG_END,
            Some(picture) => {
                params.width = settings.width;
                params.height = settings.height;
                params.pitch = picture.pitch;
                params.frame_index = picture.timestamp as u32;
                params.timestamp = picture.timestamp;
                params.duration = 1;
                params.input = picture.input;
                params.output = picture.output;
                params.format = abi::FORMAT_NV12;
                params.structure = abi::WHOLE_FRAME;
            }
        }
        // SAFETY: the structure has the interface's layout; its buffers are of this session.
        let status = unsafe { (self.functions().encode_picture)(self.encoder, &raw mut *params) };
        match status {
            abi::NEED_MORE_INPUT => Ok(Answer::Waiting),
            abi::ENCODER_BUSY => Ok(Answer::Busy),
            _ => self
                .check("nvEncEncodePicture", status)
                .map(|()| Answer::Ready),
        }
    }

    /// Waits for what is written to a bitstream buffer: bytes, timestamp, and whether it is a keyframe.
    pub(crate) fn read(&self, buffer: Handle) -> Result<(Vec<u8>, u64, bool), Error> {
        let mut params = Box::new(abi::LockBitstream::zeroed());
        params.version = abi::LOCK_BITSTREAM_VERSION;
        params.buffer = buffer;
        self.call(
            "nvEncLockBitstream",
            self.functions().lock_bitstream,
            &mut params,
        )?;
        let bytes = params.bytes as usize;
        let data = if bytes == 0 || params.pointer.is_null() {
            Vec::new()
        } else {
            // SAFETY: a locked bitstream holds that many bytes until it is unlocked.
            unsafe { std::slice::from_raw_parts(params.pointer.cast::<u8>(), bytes) }.to_vec()
        };
        self.give(
            "nvEncUnlockBitstream",
            self.functions().unlock_bitstream,
            buffer,
        )?;
        let is_key = params.picture_type == abi::PICTURE_IDR;
        Ok((data, params.timestamp, is_key))
    }

    fn call<T>(
        &self,
        name: &'static str,
        function: abi::With<T>,
        params: &mut T,
    ) -> Result<(), Error> {
        // SAFETY: the structure is the one that the interface documents for this function, with its
        // layout and version word, and outlives the call; the session is open.
        self.check(name, unsafe { function(self.encoder, params) })
    }

    fn give(
        &self,
        name: &'static str,
        function: abi::HandleFn,
        handle: Handle,
    ) -> Result<(), Error> {
        // SAFETY: the handle was given by this session and is given back once.
        self.check(name, unsafe { function(self.encoder, handle) })
    }

    fn check(&self, call: &'static str, status: abi::Status) -> Result<(), Error> {
        if status == abi::SUCCESS {
            return Ok(());
        }
        // SAFETY: the session is open; the driver answers with a string of its own or null.
        let detail = unsafe {
            let text = (self.functions().last_error)(self.encoder);
            (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().trim().to_owned())
        };
        Err(Error::Nvenc {
            call,
            status,
            detail: detail.unwrap_or_default(),
        })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if self.encoder.is_null() {
            return;
        }
        // The session goes even if the context can't be made current any more.
        let _current = self.context.enter();
        // SAFETY: opened once, destroyed once. A failure here leaves nothing to do.
        unsafe { (self.functions().destroy_encoder)(self.encoder) };
    }
}
