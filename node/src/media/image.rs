//! Still pictures: bytes of an image file in, premultiplied RGBA out.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek};
use std::path::Path;
use std::sync::Arc;

use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use super::svg::{self, Vector, VectorFonts};
use super::{MAX_PIXELS, avif, profile, unpanicked};
use crate::{Context, Error, Result};

/// Most memory of a decoder: eight bits a channel at the pixel bound, and as much again for itself.
const MOST_DECODER_BYTES: u64 = MAX_PIXELS * 4 * 2;
/// Most memory of a decoder of PNG.
const MOST_PNG_BYTES: u64 = 64 << 20;

/// A decoded picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedImage {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// RGBA, eight bits each, colour multiplied by alpha, rows from top to bottom without padding.
    pub pixels: Vec<u8>,
}

/// What an image file holds.
pub enum Artwork {
    /// Pixels.
    Bitmap(DecodedImage),
    /// Outlines, to be drawn at any size.
    Vector(Box<Vector>),
}

/// Reads a PNG, JPEG, WebP, GIF (its first frame), BMP, ICO, AVIF or SVG file, whatever its name says.
/// Fonts are asked for when outlines may need them.
pub fn load_artwork(path: &Path, fonts: impl FnOnce() -> Arc<VectorFonts>) -> Result<Artwork> {
    let mut file = BufReader::new(File::open(path).context("opening a fetched image")?);
    let start = file.fill_buf().context("reading a fetched image")?;
    if svg::is_svg(start) {
        return Vector::read(file, fonts()).map(|vector| Artwork::Vector(Box::new(vector)));
    }
    if avif::is_avif(start) {
        return unpanicked(|| avif::decode(file)).map(Artwork::Bitmap);
    }
    unpanicked(|| decode(file)).map(Artwork::Bitmap)
}

/// Decodes a picture upright by its EXIF orientation, in sRGB by its colour profile.
fn decode(source: impl BufRead + Seek) -> Result<DecodedImage> {
    let mut reader = ImageReader::new(source)
        .with_guessed_format()
        .context("reading a fetched image")?;
    // PNG files are decoded row by row: what is large in them is packed into their notes.
    reader.limits(match reader.format() {
        Some(ImageFormat::Png) => limits(MOST_PNG_BYTES),
        _ => limits(MOST_DECODER_BYTES),
    });
    let mut decoder = reader.into_decoder().map_err(undecodable)?;
    check_size(decoder.dimensions(), MAX_PIXELS)?;
    if decoder.total_bytes() > MAX_PIXELS * 4 {
        return Err(Error::BadInput("is too large an image".to_owned()));
    }
    let orientation = decoder.orientation().map_err(undecodable)?;
    // A profile that can't be read is no reason to refuse a picture.
    let profile = decoder.icc_profile().ok().flatten();
    let mut picture = DynamicImage::from_decoder(decoder).map_err(undecodable)?;
    picture.apply_orientation(orientation);
    Ok(decoded(picture, profile.as_deref()))
}

/// What decoders may use.
pub(super) fn limits(max_bytes: u64) -> Limits {
    let mut limits = Limits::default();
    limits.max_alloc = Some(max_bytes);
    limits
}

/// Refuses pictures of more pixels than `most`.
pub(super) fn check_size((width, height): (u32, u32), most: u64) -> Result<()> {
    if u64::from(width) * u64::from(height) > most {
        return Err(Error::BadInput(format!(
            "has {width}×{height} pixels; at most {} megapixels are accepted",
            most / 1_000_000
        )));
    }
    Ok(())
}

/// A picture as it is drawn: in sRGB, alpha multiplied in.
pub(super) fn decoded(picture: DynamicImage, icc_profile: Option<&[u8]>) -> DecodedImage {
    let is_opaque = !picture.color().has_alpha();
    let is_grey = !picture.color().has_color();
    let picture = picture.into_rgba8();
    let (width, height) = picture.dimensions();
    let mut pixels = picture.into_raw();
    if let Some(icc) = icc_profile {
        profile::to_srgb(&mut pixels, icc, is_grey);
    }
    if !is_opaque {
        premultiply(&mut pixels);
    }
    DecodedImage {
        width,
        height,
        pixels,
    }
}

pub(super) fn undecodable(error: ImageError) -> Error {
    match error {
        ImageError::IoError(io) if io.kind() != std::io::ErrorKind::UnexpectedEof => {
            Error::internal("reading a fetched image", io)
        }
        ImageError::Limits(_) => Error::BadInput("is too large an image".to_owned()),
        _ => Error::BadInput(
            "is not an image that can be decoded (PNG, JPEG, WebP, AVIF, GIF, SVG or BMP)"
                .to_owned(),
        ),
    }
}

pub(super) fn premultiply(rgba: &mut [u8]) {
    for pixel in rgba.as_chunks_mut::<4>().0 {
        let alpha = u32::from(pixel[3]);
        for channel in &mut pixel[..3] {
            // At most 255, so the narrowing keeps the value.
            *channel = ((u32::from(*channel) * alpha + 127) / 255) as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

    use std::path::PathBuf;

    use image::{Rgba, RgbaImage};
    use resvg::usvg;

    use super::*;

    fn load_image(path: &Path) -> Result<DecodedImage> {
        let no_fonts = || Arc::new(usvg::fontdb::Database::new());
        match load_artwork(path, no_fonts)? {
            Artwork::Bitmap(image) => Ok(image),
            Artwork::Vector(_) => panic!("outlines"),
        }
    }

    fn saved(
        name: &str,
        format: ImageFormat,
        image: &DynamicImage,
    ) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        image.save_with_format(&path, format).unwrap();
        (folder, path)
    }

    fn two_by_one() -> RgbaImage {
        RgbaImage::from_fn(2, 1, |x, _| {
            if x == 0 {
                Rgba([200, 100, 0, 128])
            } else {
                Rgba([10, 20, 30, 255])
            }
        })
    }

    #[test]
    fn colour_is_multiplied_by_alpha() {
        let (_folder, path) = saved("a.png", ImageFormat::Png, &two_by_one().into());
        let image = load_image(&path).unwrap();
        assert_eq!((image.width, image.height), (2, 1));
        assert_eq!(image.pixels, [100, 50, 0, 128, 10, 20, 30, 255]);
    }

    #[test]
    fn content_decides_not_the_name() {
        for format in [
            ImageFormat::Bmp,
            ImageFormat::Gif,
            ImageFormat::WebP,
            ImageFormat::Jpeg,
        ] {
            let opaque = DynamicImage::from(RgbaImage::from_pixel(16, 8, Rgba([40, 80, 120, 255])));
            let picture = DynamicImage::from(opaque.to_rgb8());
            let (_folder, path) = saved("photo.png", format, &picture);
            let image = load_image(&path).unwrap();
            assert_eq!((image.width, image.height), (16, 8), "{format:?}");
            let near = |found: u8, wanted: u8| found.abs_diff(wanted) <= 6;
            assert!(
                near(image.pixels[0], 40)
                    && near(image.pixels[1], 80)
                    && near(image.pixels[2], 120),
                "{format:?}: {:?}",
                &image.pixels[..4]
            );
        }
    }

    /// A JPEG as written by the codec, with an EXIF segment that says "rotate by 90 degrees".
    fn with_orientation(jpeg: &[u8], value: u8) -> Vec<u8> {
        let mut exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
        exif.extend([value, 0, 0, 0, 0, 0, 0]);
        let length = u16::try_from(exif.len() + 2).unwrap();
        let mut out = jpeg[..2].to_vec();
        out.extend([0xff, 0xe1]);
        out.extend(length.to_be_bytes());
        out.extend(exif);
        out.extend(&jpeg[2..]);
        out
    }

    #[test]
    fn a_photo_stands_upright() {
        let wide = DynamicImage::from(image::RgbImage::from_fn(32, 16, |x, _| {
            if x < 16 {
                image::Rgb([255, 0, 0])
            } else {
                image::Rgb([0, 0, 255])
            }
        }));
        let (_folder, path) = saved("a.jpg", ImageFormat::Jpeg, &wide);
        let rotated = with_orientation(&std::fs::read(&path).unwrap(), 6);
        std::fs::write(&path, rotated).unwrap();
        let image = load_image(&path).unwrap();
        assert_eq!((image.width, image.height), (16, 32));
        assert!(image.pixels[0] > 200, "the red half belongs on top");
        assert!(*image.pixels.last_chunk::<4>().unwrap().get(2).unwrap() > 200);
    }

    #[test]
    fn all_eight_orientations_end_upright() {
        let corner = DynamicImage::from(image::RgbImage::from_fn(32, 16, |x, y| {
            image::Rgb(if x < 16 && y < 8 { [255; 3] } else { [0; 3] })
        }));
        let (_folder, path) = saved("a.jpg", ImageFormat::Jpeg, &corner);
        let jpeg = std::fs::read(&path).unwrap();
        // Where the white corner belongs: right or left, bottom or top.
        let corners = [
            (false, false),
            (true, false),
            (true, true),
            (false, true),
            (false, false),
            (true, false),
            (true, true),
            (false, true),
        ];
        for (value, (is_right, is_bottom)) in (1..).zip(corners) {
            std::fs::write(&path, with_orientation(&jpeg, value)).unwrap();
            let image = load_image(&path).unwrap();
            let size = if value < 5 { (32, 16) } else { (16, 32) };
            assert_eq!((image.width, image.height), size, "{value}");
            let x = if is_right { image.width - 2 } else { 1 };
            let y = if is_bottom { image.height - 2 } else { 1 };
            let at = (y * image.width + x) as usize * 4;
            assert!(
                image.pixels[at] > 200,
                "{value}: {:?}",
                &image.pixels[at..at + 4]
            );
        }
    }

    #[test]
    fn sixteen_bits_grey_and_icons_are_read() {
        let deep = image::ImageBuffer::from_pixel(3, 2, image::Luma([0x8080_u16]));
        let (_folder, path) = saved("a.png", ImageFormat::Png, &deep.into());
        assert_eq!(load_image(&path).unwrap().pixels[..4], [128, 128, 128, 255]);
        let (_folder, path) = saved("a.ico", ImageFormat::Ico, &two_by_one().into());
        assert_eq!(load_image(&path).unwrap().pixels[..4], [100, 50, 0, 128]);
        let (_folder, path) = saved("a.bmp", ImageFormat::Bmp, &two_by_one().into());
        assert_eq!(load_image(&path).unwrap().pixels[..4], [100, 50, 0, 128]);
    }

    #[test]
    fn text_under_an_image_name_is_refused_in_words_without_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        std::fs::write(&path, "<html>not found</html>").unwrap();
        let error = load_image(&path).unwrap_err();
        assert!(matches!(error, Error::BadInput(_)));
        assert!(
            error
                .to_string()
                .starts_with("is not an image that can be decoded")
        );
        assert!(!error.to_string().contains("a.png"));
    }

    #[test]
    fn a_cut_off_file_is_bad_input() {
        let (_folder, path) = saved("a.png", ImageFormat::Png, &two_by_one().into());
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        assert!(matches!(load_image(&path), Err(Error::BadInput(_))));
    }

    #[test]
    fn a_picture_bomb_is_refused_before_it_is_decoded() {
        // A BMP header that claims 60000×60000 pixels, and nothing behind it.
        let mut header = b"BM".to_vec();
        header.extend(54_u32.to_le_bytes());
        header.extend([0; 4]);
        header.extend(54_u32.to_le_bytes());
        header.extend(40_u32.to_le_bytes());
        header.extend(60_000_i32.to_le_bytes());
        header.extend(60_000_i32.to_le_bytes());
        header.extend(1_u16.to_le_bytes());
        header.extend(24_u16.to_le_bytes());
        header.extend([0; 24]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bomb.bmp");
        std::fs::write(&path, header).unwrap();
        let error = load_image(&path).unwrap_err().to_string();
        assert!(
            error.contains("60000×60000") || error.contains("too large"),
            "{error}"
        );
    }
}
