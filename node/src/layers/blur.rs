//! A Gaussian blur of coverage, by three box blurs: as fast for wide shadows as for narrow ones.

/// Blurs a picture of coverage in place. It stays within 3% of a true Gaussian, which is what
/// browsers without a GPU do too.
pub(super) fn blur_coverage(coverage: &mut [u8], width: usize, sigma: f32) {
    let boxes = box_widths(sigma);
    if width == 0 || boxes == [1; 3] {
        return;
    }
    let height = coverage.len() / width;
    let mut line = vec![0.0; width.max(height)];
    let mut scratch = line.clone();
    for row in coverage.chunks_exact_mut(width) {
        load(&mut line, row.iter());
        blur_line(&mut line[..width], &mut scratch, boxes);
        store(&line, row.iter_mut());
    }
    for x in 0..width {
        load(&mut line, coverage[x..].iter().step_by(width));
        blur_line(&mut line[..height], &mut scratch, boxes);
        store(&line, coverage[x..].iter_mut().step_by(width));
    }
}

fn load<'a>(line: &mut [f32], from: impl Iterator<Item = &'a u8>) {
    for (to, from) in line.iter_mut().zip(from) {
        *to = f32::from(*from);
    }
}

fn store<'a>(line: &[f32], to: impl Iterator<Item = &'a mut u8>) {
    for (from, to) in line.iter().zip(to) {
        *to = (from + 0.5) as u8;
    }
}

/// Three odd widths whose box blurs together have the variance of the Gaussian.
fn box_widths(sigma: f32) -> [usize; 3] {
    let variance = 12.0 * sigma * sigma;
    let ideal = (variance / 3.0 + 1.0).sqrt();
    let narrow = ((ideal as usize).max(1) - 1) / 2 * 2 + 1;
    let n = narrow as f32;
    let narrow_count = (variance - 3.0 * n * n - 12.0 * n - 9.0) / (-4.0 * n - 4.0);
    let narrow_count = narrow_count.round().clamp(0.0, 3.0) as usize;
    std::array::from_fn(|index| {
        if index < narrow_count {
            narrow
        } else {
            narrow + 2
        }
    })
}

fn blur_line(line: &mut [f32], scratch: &mut [f32], boxes: [usize; 3]) {
    let scratch = &mut scratch[..line.len()];
    for width in boxes {
        let reach = width / 2;
        scratch.copy_from_slice(line);
        let mut sum: f32 = scratch.iter().take(reach).sum();
        for (index, value) in line.iter_mut().enumerate() {
            sum += scratch.get(index + reach).copied().unwrap_or(0.0);
            *value = sum / width as f32;
            if let Some(leaving) = index.checked_sub(reach) {
                sum -= scratch[leaving];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A true Gaussian of a box between two edges, at a point.
    fn exact(x: f32, from: f32, to: f32, sigma: f32) -> f32 {
        let (mut sum, mut total) = (0.0, 0.0);
        for step in -4000..4000 {
            let deviations = step as f32 / 1000.0;
            let weight = (-0.5 * deviations * deviations).exp();
            total += weight;
            if (from..to).contains(&(x + deviations * sigma)) {
                sum += weight;
            }
        }
        255.0 * sum / total
    }

    #[test]
    fn the_edge_of_a_box_fades_like_a_gaussian() {
        for sigma in [2.0f32, 5.0, 20.0] {
            let mut row = vec![0u8; 400];
            row[150..250].fill(255);
            let mut picture: Vec<u8> = std::iter::repeat_n(row, 401).flatten().collect();
            blur_coverage(&mut picture, 400, sigma);
            let middle = &picture[200 * 400..201 * 400];
            for (x, found) in middle.iter().enumerate().skip(100).take(200) {
                let expected = exact(x as f32 + 0.5, 150.0, 250.0, sigma);
                let error = (f32::from(*found) - expected).abs();
                assert!(
                    error < 8.0,
                    "sigma {sigma}, pixel {x}: {found}, not {expected}"
                );
            }
        }
    }

    #[test]
    fn no_blur_changes_nothing() {
        let mut picture = vec![0, 255, 0, 255];
        blur_coverage(&mut picture, 2, 0.0);
        assert_eq!(picture, [0, 255, 0, 255]);
    }
}
