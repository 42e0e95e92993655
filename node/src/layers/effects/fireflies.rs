//! Fireflies: lights that wander and breathe, each in its own time.

use kinora_composition::timeline::{Particles, Size};
use kinora_shaders::Pass;

use super::air::{Chance, marks as of_kind, nearness, rgb, round, sides};
use crate::gpu::{Dab, Marks};

/// The radius of the glow against that of the core.
const GLOW: f64 = 20.0;

pub(super) fn marks(particles: &Particles, size: Size, time: f64) -> Marks {
    let (width, height, short) = sides(size);
    let time = time * particles.speed;
    let light = |index: usize| -> Dab {
        let mut chance = Chance::of(4, index as u64);
        let near = nearness(index, particles.count).powf(1.5);
        let core = particles.size / 2.0 * (0.65 + 0.95 * near);
        let mut wander = |home: f64, side: f64| {
            let reach = short * chance.between(0.05, 0.12) * (0.6 + 0.7 * near);
            let pace = chance.between(0.25, 0.6);
            home * side
                + reach
                    * ((pace * time + chance.phase()).sin()
                        + 0.55 * (1.9 * pace * time + chance.phase()).sin()
                        + 0.2 * (4.3 * pace * time + chance.phase()).sin())
        };
        let home = spread(index);
        let at = (wander(home.0, width), wander(home.1, height));
        let breath = 0.5 + 0.5 * (chance.between(0.8, 2.0) * time + chance.phase()).sin();
        let breath = breath * breath * (3.0 - 2.0 * breath);
        let color = match particles.color {
            Some(color) => color,
            None => rgb(0xd8_ff52).mixed(rgb(0xff_d34d), chance.share() as f32),
        };
        let alpha = (0.05 + 0.95 * breath) * (0.65 + 0.35 * near);
        let look = [1.0 / GLOW, 0.95, 0.0, 0.0];
        round(at, core * GLOW, color, alpha, look)
    };
    of_kind(Pass::Glows, (0..particles.count).map(light).collect())
}

/// Places that lie evenly in a square however many there are: steps of the plastic number.
fn spread(index: usize) -> (f64, f64) {
    let step = index as f64 + 0.5;
    (
        (step * 0.754_877_666_246_692_8).fract(),
        (step * 0.569_840_290_998_053_2).fract(),
    )
}
