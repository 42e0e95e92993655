//! Decoding on a video engine, the one place where FFmpeg's devices are spoken to.
#![expect(
    unsafe_code,
    reason = "FFmpeg's interface to devices has no safe wrapper"
)]

use std::ptr::{self, NonNull};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use ffmpeg_the_third as ffmpeg;

use ffmpeg::ffi::{
    AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX, AVBufferRef, AVHWDeviceType, av_buffer_ref,
    av_buffer_unref, av_frame_copy_props, av_hwdevice_ctx_create, av_hwframe_transfer_data,
    avcodec_get_hw_config,
};
use ffmpeg::format::Pixel;
use ffmpeg::{Codec, codec, frame};

use super::init;

/// Pictures with fewer pixels are decoded on the processors: setting up the device takes longer.
pub(super) const FEWEST_PIXELS: u64 = 1280 * 720;
/// Pictures that a reader holds back beside those that the decoder needs itself.
const HELD_PICTURES: i32 = 4;

/// Kinds of devices with their names, the best first.
const KINDS: [(AVHWDeviceType, &str); 2] = [
    (AVHWDeviceType::CUDA, "NVDEC"),
    (AVHWDeviceType::VAAPI, "VA-API"),
];

static FETCHED_FRAMES: AtomicU64 = AtomicU64::new(0);

/// A video engine of this machine.
pub(super) struct Device {
    context: NonNull<AVBufferRef>,
    kind: AVHWDeviceType,
    name: &'static str,
}

// SAFETY: FFmpeg counts references to a device atomically and lets decoders on any thread share one.
unsafe impl Send for Device {}
// SAFETY: as above; nothing is changed through a shared reference.
unsafe impl Sync for Device {}

/// The best video engine, looked for once.
pub(super) fn device() -> Option<&'static Device> {
    static DEVICE: OnceLock<Option<Device>> = OnceLock::new();
    DEVICE
        .get_or_init(|| {
            init();
            KINDS.iter().find_map(|(kind, name)| open(*kind, name))
        })
        .as_ref()
}

/// The name of the video engine that decodes here, where there is one.
pub fn video_engine() -> Option<&'static str> {
    device().map(|device| device.name)
}

/// How many frames of this process a video engine has decoded and handed over.
pub fn frames_from_video_engine() -> u64 {
    FETCHED_FRAMES.load(Ordering::Relaxed)
}

fn open(kind: AVHWDeviceType, name: &'static str) -> Option<Device> {
    let mut context: *mut AVBufferRef = ptr::null_mut();
    // SAFETY: the first argument is a place for the new reference; no device, options or flags are
    // named.
    let status =
        unsafe { av_hwdevice_ctx_create(&raw mut context, kind, ptr::null(), ptr::null_mut(), 0) };
    let context = NonNull::new(context).filter(|_| status >= 0)?;
    Some(Device {
        context,
        kind,
        name,
    })
}

impl Device {
    /// Lets a decoder that is not open yet work on this device; whether its kind ever can.
    pub(super) fn attach(&self, context: &mut codec::Context, codec: Codec) -> bool {
        if !self.knows(codec) {
            return false;
        }
        // SAFETY: the context is alive and not open. It takes over the new reference and frees it;
        // one that it had before is freed here.
        unsafe {
            let context = context.as_mut_ptr();
            av_buffer_unref(&raw mut (*context).hw_device_ctx);
            (*context).hw_device_ctx = av_buffer_ref(self.context.as_ptr());
            (*context).extra_hw_frames = HELD_PICTURES;
            !(*context).hw_device_ctx.is_null()
        }
    }

    fn knows(&self, codec: Codec) -> bool {
        (0..)
            // SAFETY: the codec is one of FFmpeg's own, which live for ever; past the last of its
            // configurations comes null.
            .map_while(|index| unsafe { avcodec_get_hw_config(codec.as_ptr(), index).as_ref() })
            .any(|config| {
                config.device_type == self.kind
                    && config.methods as u32 & AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX.0 != 0
            })
    }
}

/// Whether a frame lies in a device's memory.
pub(super) fn is_on_device(frame: &frame::Video) -> bool {
    matches!(frame.format(), Pixel::CUDA | Pixel::VAAPI)
}

/// Brings a frame to the host, with everything that is known of it.
pub(super) fn fetched(frame: &frame::Video) -> Result<frame::Video, ffmpeg::Error> {
    let mut copy = frame::Video::empty();
    // SAFETY: both frames are alive, and an empty one may be filled.
    let status = unsafe {
        match av_hwframe_transfer_data(copy.as_mut_ptr(), frame.as_ptr(), 0) {
            status if status < 0 => status,
            _ => av_frame_copy_props(copy.as_mut_ptr(), frame.as_ptr()),
        }
    };
    if status < 0 {
        return Err(ffmpeg::Error::from(status));
    }
    FETCHED_FRAMES.fetch_add(1, Ordering::Relaxed);
    Ok(copy)
}
