//! Sparkles: stars that flare up, fade, and come again elsewhere.

use kinora_composition::css::Color;
use kinora_composition::timeline::{Affine, Particles, Size};
use kinora_shaders::Pass;

use super::air::{Chance, inked, marks as of_kind, rgb, sides};
use crate::gpu::{Dab, Marks};

const PALETTE: [Color; 4] = [
    rgb(0xff_f1c2),
    rgb(0xff_dd8a),
    rgb(0xff_ffff),
    rgb(0xd6_ecff),
];

pub(super) fn marks(particles: &Particles, size: Size, time: f64) -> Marks {
    let (width, height, _) = sides(size);
    let time = time * particles.speed;
    // A colour that somebody chose is to be seen on any ground.
    let light = if particles.color.is_some() {
        0.15
    } else {
        0.85
    };
    let star = |index: usize| -> Dab {
        let mut chance = Chance::of(5, index as u64);
        let life = chance.between(1.1, 2.6);
        let lives = time / life + chance.share();
        let age = lives.fract();
        let mut chance = Chance::of(6 + index as u64, lives.floor() as u64);
        let (x, y) = (chance.share() * width, chance.share() * height);
        let flare = (std::f64::consts::PI * age).sin().max(0.0).powf(1.7);
        let twinkle = 0.86 + 0.14 * (11.0 * time + chance.phase()).sin();
        let full = particles.size / 2.0 * (0.35 + 1.25 * chance.share().powi(3));
        let radius = (full * (0.25 + 0.75 * flare)) as f32;
        let tilt = chance.between(-9.0, 9.0) + 14.0 * age;
        let color = particles
            .color
            .unwrap_or(PALETTE[(chance.share() * 4.0) as usize % PALETTE.len()]);
        Dab {
            map: Affine::translate(x as f32, y as f32)
                .then_inner(Affine::rotate(tilt))
                .then_inner(Affine::scale(radius, radius)),
            reach: [-1.0, -1.0, 1.0, 1.0],
            color: inked(color, flare.sqrt() * twinkle),
            look: [1.0, 0.42, light, 0.0],
            more: [0.0; 2],
        }
    };
    of_kind(Pass::Stars, (0..particles.count).map(star).collect())
}
