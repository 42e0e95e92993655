//! Colours laid through a mask, one over the other.

use kinora_composition::css::Color;
use tiny_skia::Pixmap;

use super::Mask;

/// Paints one colour where a mask covers.
pub(crate) fn paint_color(pixmap: &mut Pixmap, mask: &Mask, color: Color) {
    let ink = premultiplied(color);
    if ink[3] <= 0.0 {
        return;
    }
    // There are only so many shares of one colour.
    let shares: [[f32; 4]; 256] =
        std::array::from_fn(|coverage| ink.map(|channel| channel * coverage as f32));
    each_row(pixmap, mask, |_, pixels, row| {
        for (pixel, coverage) in pixels.iter_mut().zip(row) {
            over(pixel, shares[usize::from(*coverage)]);
        }
    });
}

/// Paints what `source` writes for each row (its first pixel, then premultiplied colours of 0 to 1)
/// where a mask covers.
pub(crate) fn paint_rows(
    pixmap: &mut Pixmap,
    mask: &Mask,
    mut source: impl FnMut((usize, usize), &mut [[f32; 4]]),
) {
    let mut colors = vec![[0.0; 4]; mask.width];
    let left = mask.left;
    each_row(pixmap, mask, |y, pixels, row| {
        // Nothing is worked out beyond what the mask covers in this row.
        let (Some(first), Some(last)) = (
            row.iter().position(|coverage| *coverage > 0),
            row.iter().rposition(|coverage| *coverage > 0),
        ) else {
            return;
        };
        let inside = first..=last;
        let colors = &mut colors[inside.clone()];
        source((left + first, y), colors);
        let covered = pixels[inside.clone()].iter_mut().zip(&row[inside]);
        for ((pixel, coverage), color) in covered.zip(colors) {
            over(pixel, color.map(|channel| channel * f32::from(*coverage)));
        }
    });
}

/// Red, green and blue times alpha, and alpha.
pub(crate) fn premultiplied(color: Color) -> [f32; 4] {
    let [r, g, b, a] = [color.r, color.g, color.b, color.a]
        .map(|c| if c.is_nan() { 0.0 } else { c.clamp(0.0, 1.0) });
    [r * a, g * a, b * a, a]
}

/// Puts a premultiplied colour of 0 to 255 over a pixel.
fn over(pixel: &mut [u8; 4], color: [f32; 4]) {
    let alpha = color[3];
    if alpha <= 0.0 {
        return;
    }
    let through = 1.0 - alpha / 255.0;
    for (channel, color) in pixel.iter_mut().zip(color) {
        *channel = (color + f32::from(*channel) * through + 0.5) as u8;
    }
}

fn each_row(pixmap: &mut Pixmap, mask: &Mask, mut paint: impl FnMut(usize, &mut [[u8; 4]], &[u8])) {
    let width = pixmap.width() as usize;
    let (pixels, _) = pixmap.data_mut().as_chunks_mut::<4>();
    for (y, coverage) in mask.rows() {
        let start = y * width + mask.left;
        if let Some(pixels) = pixels.get_mut(start..start + mask.width) {
            paint(y, pixels, coverage);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(coverage: &[u8]) -> Mask {
        Mask {
            left: 1,
            top: 0,
            width: coverage.len(),
            coverage: coverage.to_vec(),
        }
    }

    #[test]
    fn colours_lie_over_each_other_by_their_coverage() {
        let mut pixmap = Pixmap::new(4, 1).expect("small");
        paint_color(&mut pixmap, &mask(&[255, 255, 0]), Color::WHITE);
        paint_color(&mut pixmap, &mask(&[0, 51, 128]), Color::BLACK);
        let pixels: Vec<[u8; 4]> = pixmap.data().as_chunks().0.to_vec();
        assert_eq!(
            pixels,
            [[0; 4], [255; 4], [204, 204, 204, 255], [0, 0, 0, 128]]
        );
    }

    #[test]
    fn rows_are_asked_for_only_where_they_are_seen() {
        let mut pixmap = Pixmap::new(4, 1).expect("small");
        paint_rows(&mut pixmap, &mask(&[0, 255, 0]), |(x, y), colors| {
            assert_eq!((x, y, colors.len()), (2, 0, 1));
            colors[0] = [0.2, 0.4, 0.0, 0.4];
        });
        assert_eq!(pixmap.data()[8..12], [51, 102, 0, 102]);
    }
}
