//! Bubbles: they rise and wobble, large ones faster.

use kinora_composition::timeline::{Affine, Particles, Size};
use kinora_shaders::Pass;

use super::air::{Chance, around, inked, marks as of_kind, nearness, rgb, sides};
use crate::gpu::{Dab, Marks};

pub(super) fn marks(particles: &Particles, size: Size, time: f64) -> Marks {
    let (width, height, short) = sides(size);
    let time = time * particles.speed;
    let color = particles.color.unwrap_or(rgb(0xcf_e8ff));
    let film = if particles.color.is_some() { 0.12 } else { 0.5 };
    let bubble = |index: usize| -> Dab {
        let mut chance = Chance::of(7, index as u64);
        let near = nearness(index, particles.count);
        let nearest = near.powi(8);
        let radius = particles.size / 2.0
            * (0.22 + 0.9 * near * near + 0.9 * nearest)
            * chance.between(0.75, 1.25);
        let rise = short * (0.05 + 0.085 * near + 0.05 * nearest) * chance.between(0.8, 1.2);
        let pace = chance.between(0.7, 1.6);
        let sway = short
            * chance.between(0.006, 0.02)
            * ((pace * time + chance.phase()).sin()
                + 0.4 * (2.1 * pace * time + chance.phase()).sin());
        let wobble = 0.035 * (3.1 * pace * time + chance.phase()).sin();
        let beyond = radius * 1.1;
        let x = chance.share() * (width + 2.0 * beyond) + sway;
        let y = chance.share() * (height + 2.0 * beyond) - rise * time;
        let alpha = (0.6 + 0.4 * near) * (1.0 - 0.45 * nearest);
        Dab {
            map: Affine {
                a: (radius * (1.0 + wobble)) as f32,
                d: (radius * (1.0 - wobble)) as f32,
                ..Affine::translate(
                    around(x, width, beyond) as f32,
                    around(y, height, beyond) as f32,
                )
            },
            reach: [-1.05, -1.05, 1.05, 1.05],
            color: inked(color, alpha),
            look: [film, chance.phase() as f32, (0.12 * nearest) as f32, 0.055],
            more: [0.0; 2],
        }
    };
    of_kind(Pass::Bubbles, (0..particles.count).map(bubble).collect())
}
