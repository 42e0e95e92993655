//! How strongly letters of a colour show: browsers on Linux adjust coverage so that dark letters on light
//! and light letters on dark look equally heavy.

use kinora_composition::css::Color;

/// Of the screen that is assumed.
const GAMMA: f32 = 1.2;
/// How much dark letters gain.
const CONTRAST: f32 = 0.2;

/// What becomes of each coverage in letters of a colour.
pub(super) fn adjusted(color: Color) -> [u8; 256] {
    let own = coarse(luminance(color));
    // What lies behind is taken to be the opposite.
    let behind = 1.0 - own;
    let (own_light, light_behind) = (own.powf(GAMMA), behind.powf(GAMMA));
    let contrast = CONTRAST * light_behind;
    std::array::from_fn(|coverage| {
        let raw = coverage as f32 / 255.0;
        let share = raw + (1.0 - raw) * contrast * raw;
        let result = if (behind - own).abs() < 1.0 / 256.0 {
            share
        } else {
            let mixed = own_light * share + light_behind * (1.0 - share);
            (mixed.powf(1.0 / GAMMA) - behind) / (own - behind)
        };
        (result * 255.0 + 0.5) as u8
    })
}

fn luminance(color: Color) -> f32 {
    let light = |channel: f32| channel.clamp(0.0, 1.0).powf(GAMMA);
    let sum = 0.2126 * light(color.r) + 0.7152 * light(color.g) + 0.0722 * light(color.b);
    sum.powf(1.0 / GAMMA)
}

/// Only eight shades are told apart.
fn coarse(luminance: f32) -> f32 {
    let shade = (luminance * 255.0 + 0.5) as u8 >> 5;
    f32::from((shade << 5) | (shade << 2) | (shade >> 1)) / 255.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dark_letters_are_thinner_than_light_ones() {
        let (dark, light) = (adjusted(Color::BLACK), adjusted(Color::WHITE));
        for table in [dark, light] {
            assert_eq!((table[0], table[255]), (0, 255));
            assert!(table.is_sorted());
        }
        // Measured in Chromium.
        assert_eq!((dark[239], dark[175], dark[48]), (234, 169, 47));
        assert_eq!(light[239], 242);
        assert!(dark[112] < 112 && light[112] > 112);
    }
}
