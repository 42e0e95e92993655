//! Stickers from the colour emoji font: its picture, brought to the size of the box.

use kinora_composition::timeline::{Affine, Size, StickerBox, TextBlock};
use tiny_skia::{FilterQuality, Pixmap, PixmapPaint, Transform};

use super::fit;
use crate::Result;
use crate::layers::easel::{Easel, HostStill, View};
use crate::layers::text;
use crate::text::Typesetter;

/// Rasters an emoji.
pub(super) fn raster(
    typesetter: &mut Typesetter,
    block: &TextBlock,
    sticker: &StickerBox,
    view: &View,
) -> Result<Option<HostStill>> {
    let Some(mut picture) = picture(typesetter, block)? else {
        return Ok(None);
    };
    loop {
        let size = Size {
            width: picture.width() as f32,
            height: picture.height() as f32,
        };
        let Some(to_box) = fit(size, sticker) else {
            return Ok(None);
        };
        // Less than half of the size is reached by halving: each pixel then counts once.
        if to_box.a * view.scale() < 0.5
            && let Some(half) = halved(&picture)
        {
            picture = half;
            continue;
        }
        return place(&picture, to_box, view);
    }
}

fn place(picture: &Pixmap, to_box: Affine, view: &View) -> Result<Option<HostStill>> {
    let (width, height) = (picture.width() as f32, picture.height() as f32);
    let (left, top) = to_box.apply(0.0, 0.0);
    let (right, bottom) = to_box.apply(width, height);
    let Some(mut easel) = Easel::new(view, [left, top, right, bottom])? else {
        return Ok(None);
    };
    let Affine { a, b, c, d, e, f } = easel.map.then_inner(to_box);
    let paint = PixmapPaint {
        quality: if a * d - b * c > 1.0 {
            FilterQuality::Bicubic
        } else {
            FilterQuality::Bilinear
        },
        ..PixmapPaint::default()
    };
    let map = Transform::from_row(a, b, c, d, e, f);
    easel
        .pixmap
        .draw_pixmap(0, 0, picture.as_ref(), &paint, map, None);
    easel.finish()
}

/// The picture at its own size, without margins; `None` where the font has none.
fn picture(typesetter: &mut Typesetter, block: &TextBlock) -> Result<Option<Pixmap>> {
    let view = View {
        to_picture: Affine::IDENTITY,
        limits: [0, 0, block.size.width as i32, block.size.height as i32],
    };
    let still = text::raster(typesetter, block, &view)?;
    Ok(still.map(|still| still.pixels))
}

/// A picture of half the size; `None` where there is nothing left to halve.
fn halved(picture: &Pixmap) -> Option<Pixmap> {
    let (width, height) = (picture.width() / 2, picture.height() / 2);
    let mut half = Pixmap::new(width, height)?;
    let stride = picture.width() as usize * 4;
    for (y, row) in half
        .data_mut()
        .chunks_exact_mut(width as usize * 4)
        .enumerate()
    {
        for (index, value) in row.iter_mut().enumerate() {
            let (x, channel) = (index / 4, index % 4);
            let at = 2 * y * stride + 8 * x + channel;
            let data = picture.data();
            let sum: u32 = [at, at + 4, at + stride, at + stride + 4]
                .iter()
                .map(|at| u32::from(data[*at]))
                .sum();
            *value = ((sum + 2) / 4) as u8;
        }
    }
    Some(half)
}
