//! Single frames as PNG files.

use std::path::{Path, PathBuf};

use crate::gpu::{Gpu, Painter, Reducer, Reduction};
use crate::layers::Stage;
use crate::pipeline::Job;
use crate::{Context, Result};

/// Draws frames into files. They are drawn in ascending order, whatever order they come in, so that
/// videos only move forward.
pub(crate) fn draw(
    gpu: &Gpu,
    stage: &mut Stage<'_>,
    job: &Job<'_>,
    mut stills: Vec<(u32, PathBuf)>,
) -> Result<()> {
    stills.sort();
    stills.dedup();
    let options = job.options;
    let reduction = Reduction::new(job.size(), options.reduce);
    let reducer = Reducer::new(gpu, reduction)?;
    let mut painter = Painter::new(gpu);
    for (done, (frame, out)) in (1..).zip(stills) {
        options.pace.before_frame(&options.cancel)?;
        let before = job.scene.plan_before(frame);
        stage.draw(&mut painter, &job.scene.plan(frame), before.as_ref())?;
        let shown = reducer.apply(&mut painter, stage.canvas());
        painter.submit();
        let pixels = shown.download(gpu)?;
        write_png(pixels, reduction.size(), &out)?;
        (options.progress)(done);
    }
    Ok(())
}

fn write_png(mut pixels: Vec<u8>, (width, height): (u32, u32), out: &Path) -> Result<()> {
    unmultiply(&mut pixels);
    image::save_buffer_with_format(
        out,
        &pixels,
        width,
        height,
        image::ExtendedColorType::Rgba8,
        image::ImageFormat::Png,
    )
    .context(format!("{} could not be written", out.display()))
}

/// PNG holds colours without alpha multiplied in.
fn unmultiply(pixels: &mut [u8]) {
    for pixel in pixels.chunks_exact_mut(4) {
        let alpha = u16::from(pixel[3]);
        if alpha != 0 && alpha != 255 {
            for channel in &mut pixel[..3] {
                *channel = (u16::from(*channel) * 255 / alpha).min(255) as u8;
            }
        }
    }
}
