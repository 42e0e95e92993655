//! Colours by a file's own profile, made sRGB.

use moxcms::{ColorProfile, DataColorSpace, Layout, RenderingIntent, TransformOptions};

/// Turns colours that follow an ICC profile into sRGB, in place: RGBA, alpha not multiplied in. A
/// profile that can't be read, or is not for such pixels, changes nothing.
pub(super) fn to_srgb(rgba: &mut [u8], icc: &[u8], is_grey: bool) {
    let Ok(profile) = ColorProfile::new_from_slice(icc) else {
        return;
    };
    let layout = match profile.color_space {
        DataColorSpace::Rgb => Layout::Rgba,
        DataColorSpace::Gray if is_grey => Layout::GrayAlpha,
        _ => return,
    };
    let options = TransformOptions {
        rendering_intent: RenderingIntent::RelativeColorimetric,
        ..TransformOptions::default()
    };
    let srgb = ColorProfile::new_srgb();
    let Ok(transform) = profile.create_transform_8bit(layout, &srgb, Layout::Rgba, options) else {
        return;
    };
    const PIXELS_AT_ONCE: usize = 4096;
    let mut before = Vec::with_capacity(PIXELS_AT_ONCE * 4);
    let mut after = [0; PIXELS_AT_ONCE * 4];
    for part in rgba.chunks_mut(PIXELS_AT_ONCE * 4) {
        before.clear();
        match layout {
            Layout::GrayAlpha => {
                before.extend(part.as_chunks::<4>().0.iter().flat_map(|p| [p[0], p[3]]));
            }
            _ => before.extend_from_slice(part),
        }
        let after = &mut after[..part.len()];
        if transform.transform(&before, after).is_ok() {
            part.copy_from_slice(after);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn icc(profile: &ColorProfile) -> Vec<u8> {
        profile.encode().expect("a profile of our own")
    }

    #[test]
    fn wide_colours_are_brought_into_srgb() {
        // A display's green is beyond what sRGB can show; its mid yellow is not.
        let mut pixels = [0, 255, 0, 255, 128, 128, 0, 77];
        to_srgb(&mut pixels, &icc(&ColorProfile::new_display_p3()), false);
        assert_eq!(pixels[..4], [0, 255, 0, 255]);
        assert_ne!(pixels[4..7], [128, 128, 0]);
        assert_eq!(pixels[7], 77, "alpha is no colour");
    }

    #[test]
    fn srgb_stays_as_it_is_and_nonsense_does_no_harm() {
        let pixels = [9, 99, 199, 255, 250, 130, 10, 255];
        let mut same = pixels;
        to_srgb(&mut same, &icc(&ColorProfile::new_srgb()), false);
        for (found, wanted) in same.iter().zip(pixels) {
            assert!(found.abs_diff(wanted) <= 1, "{same:?}");
        }
        let mut untouched = pixels;
        to_srgb(&mut untouched, b"not a profile at all", false);
        to_srgb(&mut untouched, &[0; 4096], true);
        assert_eq!(untouched, pixels);
    }
}
