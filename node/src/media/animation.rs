//! Frames of animated pictures, one after another.

use std::fs::File;
use std::io::{BufReader, Seek};
use std::path::{Path, PathBuf};

use image::codecs::gif::GifDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::{
    AnimationDecoder, Frame, Frames, ImageDecoder, ImageFormat, ImageReader, ImageResult, Rgba,
};

use super::image::{DecodedImage, check_size, decoded, limits, undecodable};
use super::patience::Patience;
use super::unpanicked;
use crate::{Context, Error, Result};

/// Most pixels of an animated picture: several whole frames of it are held at a time.
const MOST_PIXELS: u64 = 25_000_000;
/// Most memory of a decoder.
const MOST_BYTES: u64 = MOST_PIXELS * 4 * 4;

/// An animated picture of which one frame is at hand. Frames build on those before them, so that
/// going back means starting over.
pub struct Animation {
    path: PathBuf,
    frames: Frames<'static>,
    /// Which frame comes next.
    next: usize,
}

impl Animation {
    /// Opens a GIF, an animated WebP or an animated PNG file.
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            frames: open_frames(path)?,
            next: 0,
        })
    }

    /// A frame, or the last one that the file has.
    pub fn frame(&mut self, index: usize) -> Result<DecodedImage> {
        if index < self.next {
            *self = Self::open(&self.path)?;
        }
        let mut last = None;
        let patience = Patience::begin();
        while self.next <= index {
            patience.check()?;
            match self.next_frame()? {
                Some(Ok(frame)) => last = Some(frame),
                Some(Err(error)) if last.is_none() && self.next == 0 => {
                    return Err(undecodable(error));
                }
                // A file that breaks off stays at the frame before.
                Some(Err(_)) | None => break,
            }
            self.next += 1;
        }
        match last {
            Some(frame) => Ok(decoded(frame.into_buffer().into(), None)),
            None if self.next > 0 => {
                let last_there = self.next - 1;
                *self = Self::open(&self.path)?;
                self.frame(last_there)
            }
            None => Err(Error::BadInput("has no frames".to_owned())),
        }
    }
}

impl Animation {
    fn next_frame(&mut self) -> Result<Option<ImageResult<Frame>>> {
        unpanicked(|| Ok(self.frames.next()))
    }
}

fn open_frames(path: &Path) -> Result<Frames<'static>> {
    let file = File::open(path).context("opening an animated image")?;
    let reader = ImageReader::new(BufReader::new(file))
        .with_guessed_format()
        .context("reading an animated image")?;
    let format = reader.format();
    let mut file = reader.into_inner();
    file.rewind().context("reading an animated image")?;
    match format {
        Some(ImageFormat::Gif) => frames_of(GifDecoder::new(file).map_err(undecodable)?),
        Some(ImageFormat::WebP) => {
            let mut decoder = WebPDecoder::new(file).map_err(undecodable)?;
            // What lies behind the first frame is see-through, whatever the file proposes.
            decoder
                .set_background_color(Rgba([0; 4]))
                .map_err(undecodable)?;
            frames_of(decoder)
        }
        Some(ImageFormat::Png) => {
            let decoder = PngDecoder::with_limits(file, limits(MOST_BYTES)).map_err(undecodable)?;
            check_size(decoder.dimensions(), MOST_PIXELS)?;
            Ok(decoder.apng().map_err(undecodable)?.into_frames())
        }
        _ => Err(Error::BadInput("is not an animated image".to_owned())),
    }
}

fn frames_of<D>(mut decoder: D) -> Result<Frames<'static>>
where
    D: ImageDecoder + AnimationDecoder<'static>,
{
    check_size(decoder.dimensions(), MOST_PIXELS)?;
    decoder
        .set_limits(limits(MOST_BYTES))
        .map_err(undecodable)?;
    Ok(decoder.into_frames())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

    use image::RgbaImage;
    use image::codecs::gif::GifEncoder;

    use super::*;

    const COLORS: [[u8; 4]; 3] = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]];

    fn gif(folder: &Path) -> PathBuf {
        let path = folder.join("a.png");
        let mut encoder = GifEncoder::new(File::create(&path).unwrap());
        for color in COLORS {
            let frame = RgbaImage::from_pixel(6, 4, Rgba(color));
            encoder.encode_frame(Frame::new(frame)).unwrap();
        }
        path
    }

    #[test]
    fn frames_come_in_any_order() {
        let folder = tempfile::tempdir().unwrap();
        let mut animation = Animation::open(&gif(folder.path())).unwrap();
        for index in [0, 2, 1, 1, 0] {
            let frame = animation.frame(index).unwrap();
            assert_eq!((frame.width, frame.height), (6, 4));
            assert_eq!(frame.pixels[..4], COLORS[index], "frame {index}");
        }
    }

    #[test]
    fn beyond_the_end_is_the_last_frame() {
        let folder = tempfile::tempdir().unwrap();
        let mut animation = Animation::open(&gif(folder.path())).unwrap();
        assert_eq!(animation.frame(9).unwrap().pixels[..4], COLORS[2]);
        assert_eq!(animation.frame(7).unwrap().pixels[..4], COLORS[2]);
    }

    #[test]
    fn what_does_not_move_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        for bytes in [b"GIF89a".as_slice(), b"", b"\x89PNG\r\n\x1a\n", b"BM"] {
            std::fs::write(&path, bytes).unwrap();
            let shown = Animation::open(&path).and_then(|mut found| found.frame(0));
            assert!(shown.is_err(), "{bytes:?}");
        }
    }
}
