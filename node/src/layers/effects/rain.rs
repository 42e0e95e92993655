//! Rain: streaks as long as drops fall in the time of an exposure, slanted by the wind.

use kinora_composition::timeline::{Affine, Particles, Size};
use kinora_shaders::Pass;

use super::air::{Chance, around, inked, marks as of_kind, nearness, rgb, sides};
use crate::gpu::{Dab, Marks};

/// Seconds for which a shutter is open.
const EXPOSURE: f64 = 0.034;
/// Pixels to the side for each pixel down.
const SLANT: f64 = -0.13;

pub(super) fn marks(particles: &Particles, size: Size, time: f64) -> Marks {
    let (width, height, short) = sides(size);
    let color = particles.color.unwrap_or(rgb(0xc4_d9f5));
    let drop = |index: usize| -> Dab {
        let mut chance = Chance::of(2, index as u64);
        let near = nearness(index, particles.count).powf(1.6);
        let fall = short * (1.35 + 1.75 * near) * chance.between(0.9, 1.1);
        let slant = SLANT * chance.between(0.85, 1.15);
        let half_width = particles.size / 2.0 * (0.6 + 1.0 * near);
        let shortest = 2.0 * half_width;
        let half_length =
            (fall * particles.speed * EXPOSURE / 2.0).clamp(shortest, shortest.max(0.3 * height));
        let way = fall * time * particles.speed;
        let y = around(
            chance.share() * (height + 2.0 * half_length) + way,
            height,
            half_length,
        );
        let beyond = half_length * slant.abs() + half_width;
        let x = around(
            chance.share() * (width + 2.0 * beyond) + slant * way,
            width,
            beyond,
        );
        let (across, down) = (half_width as f32, half_length as f32);
        Dab {
            map: Affine {
                a: across,
                b: 0.0,
                c: down * slant as f32,
                d: down,
                e: x as f32,
                f: y as f32,
            },
            reach: [-1.5, -1.0, 1.5, 1.0],
            color: inked(color, 0.26 + 0.6 * near),
            look: [0.0; 4],
            more: [0.0; 2],
        }
    };
    of_kind(Pass::Streaks, (0..particles.count).map(drop).collect())
}
