//! Whether frames reach CUDA without passing the host: tried with a picture.

use nvenc_sys::{Context, Cuda, Libraries};

use super::{DrawnFrame, FrameShape, Gpu, Painter, Readback, Sprite};
use crate::{Error, Result};

const SHAPE: FrameShape = FrameShape {
    width: 1280,
    height: 720,
};

/// Draws a picture, reads it through CUDA and on the ordinary way, and compares every byte. Says what
/// was seen, or why frames pass the host.
pub fn check_sharing(gpu: &Gpu, libraries: &Libraries) -> Result<String, String> {
    let cuda = Cuda::load(libraries).map_err(|error| error.to_string())?;
    let context = Context::open(&cuda, gpu.uuid()).map_err(|error| error.to_string())?;
    let mut shared = Readback::shared(gpu, SHAPE, &context, 1)?;
    let mut host = Readback::new(gpu, SHAPE);
    let seen = draw(gpu, &mut shared).map_err(|error| error.to_string())?;
    let expected = draw(gpu, &mut host).map_err(|error| error.to_string())?;
    let FrameShape { width, height } = SHAPE;
    let differing = seen.iter().zip(&expected).filter(|(a, b)| a != b).count();
    if seen.len() != expected.len() || differing > 0 {
        return Err(format!(
            "{differing} of {} bytes that CUDA sees of a frame are wrong",
            expected.len()
        ));
    }
    Ok(format!(
        "Vulkan memory is seen by CUDA on {}: NV12 {width}×{height}, equal",
        context.gpu()
    ))
}

/// Draws the picture twice, so that the second time finds memory that was used before.
fn draw(gpu: &Gpu, readback: &mut Readback) -> Result<Vec<u8>> {
    let FrameShape { width, height } = SHAPE;
    let mut planes = Vec::new();
    let mut painter = Painter::new(gpu);
    for seed in [1, 0x2545_f491] {
        let canvas = Sprite::upload(gpu, width, height, &noise(width * height, seed))?;
        painter.present(&canvas, readback)?;
        match readback.take(gpu, Vec::new())? {
            Some(DrawnFrame::Host(frame)) => planes = frame,
            Some(DrawnFrame::Shared(frame)) => frame.read(&mut planes)?,
            None => return Err(Error::internal("drawing", "no frame came back")),
        }
    }
    Ok(planes)
}

/// Opaque pixels without any order, the same each time.
fn noise(pixels: u32, seed: u32) -> Vec<u8> {
    let mut state = seed;
    let mut words = Vec::with_capacity(pixels as usize * 4);
    for _ in 0..pixels {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        words.extend((state | 0xff00_0000).to_le_bytes());
    }
    words
}
