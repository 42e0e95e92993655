//! Opening media files and their decoders with the bounds that untrusted files need.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::sync::Once;

use ffmpeg_the_third as ffmpeg;

use ffmpeg::codec::{self, decoder, threading};
use ffmpeg::format::context::Input;
use ffmpeg::{Codec, Dictionary, Stream};

/// Most pixels of one picture, still or moving.
pub(crate) const MAX_PIXELS: u64 = 100_000_000;

/// Most pixels of a frame of a video, as large as 8K comes: decoders hold dozens of frames.
const MAX_VIDEO_PIXELS: u64 = 8192 * 4352;

/// Containers that hold their media themselves. Playlists and scripts (HLS, DASH, concat, image
/// sequences) are left out: they would make the demuxer open further files and addresses.
const CONTAINERS: &str = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,h264,hevc,\
                          ivf,flv,asf,mxf,gif,apng,ogg,wav,w64,mp3,aac,flac,aiff,au,amr,ac3,eac3,caf,wv,tta";

/// Prepares FFmpeg once for the process.
pub(crate) fn init() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Its own complaints about damaged files would go to standard error without a context;
        // what matters comes back as an error.
        ffmpeg::log::set_level(ffmpeg::log::Level::Fatal);
    });
}

/// Opens a local media file for demuxing.
pub(crate) fn open_input(path: &Path) -> Result<Input, ffmpeg::Error> {
    init();
    let mut options = Dictionary::new();
    options.set("protocol_whitelist", "file");
    options.set("format_whitelist", CONTAINERS);
    // The explicit protocol keeps a colon in a file name from being read as one.
    let mut address = OsString::from("file:");
    address.push(path);
    if address.as_encoded_bytes().contains(&0) {
        return Err(ffmpeg::Error::InvalidData);
    }
    ffmpeg::format::input_with_dictionary(&address, options)
}

/// Opens a decoder for a stream, on `threads` threads working on whole frames.
pub(crate) fn decoder_context(
    stream: &Stream<'_>,
    threads: usize,
) -> Result<decoder::Opened, ffmpeg::Error> {
    let context = context_for(stream, threads)?;
    let codec = decoder::find(context.id()).ok_or(ffmpeg::Error::DecoderNotFound)?;
    open_context(context, codec, stream)
}

/// What a decoder of a stream starts from.
pub(super) fn context_for(
    stream: &Stream<'_>,
    threads: usize,
) -> Result<codec::Context, ffmpeg::Error> {
    let mut context = codec::Context::from_parameters(stream.parameters())?;
    let mut threading = threading::Config::kind(threading::Type::Frame);
    threading.count = threads;
    context.set_threading(threading);
    Ok(context)
}

/// Opens a decoder of this kind.
pub(super) fn open_context(
    context: codec::Context,
    codec: Codec,
    stream: &Stream<'_>,
) -> Result<decoder::Opened, ffmpeg::Error> {
    let mut options = Dictionary::new();
    options.set("max_pixels", MAX_VIDEO_PIXELS.to_string());
    // Without it, samples cut off at the start would leave the times after them wrong.
    options.set("pkt_timebase", stream.time_base().to_string());
    context.decoder().open_as_with(codec, options)
}

/// Whether a codec or filter wants to be fed or drained before it goes on.
pub(crate) fn would_block(error: ffmpeg::Error) -> bool {
    matches!(error, ffmpeg::Error::Other { errno }
        if io::Error::from_raw_os_error(errno).kind() == io::ErrorKind::WouldBlock)
}

/// When a stream's first frame is shown, in ticks of its time base.
pub(crate) fn start_of(stream: &Stream<'_>) -> i64 {
    match stream.start_time() {
        ffmpeg::ffi::AV_NOPTS_VALUE => 0,
        start => start,
    }
}
