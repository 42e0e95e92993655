//! Snow: small and faint far away, large and out of focus near by, all of it in one wind.

use kinora_composition::css::Color;
use kinora_composition::timeline::{Particles, Size};
use kinora_shaders::Pass;

use super::air::{Chance, around, marks as of_kind, nearness, round, sides};
use crate::gpu::{Dab, Marks};

pub(super) fn marks(particles: &Particles, size: Size, time: f64) -> Marks {
    let (width, height, short) = sides(size);
    let time = time * particles.speed;
    let color = particles.color.unwrap_or(Color::WHITE);
    // A breeze that comes and goes.
    let breeze = short * (0.022 * time + 0.035 * (0.37 * time).sin() + 0.02 * (0.83 * time).sin());
    let flake = |index: usize| -> Dab {
        let mut chance = Chance::of(1, index as u64);
        let near = nearness(index, particles.count).powf(2.2);
        let nearest = near.powi(8);
        let radius =
            particles.size / 2.0 * (0.42 + 1.15 * near + 3.4 * nearest) * chance.between(0.8, 1.2);
        let fall = short * (0.06 + 0.12 * near + 0.1 * nearest) * chance.between(0.85, 1.15);
        let reach = short * chance.between(0.008, 0.028) * (0.4 + near);
        let pace = chance.between(0.6, 1.7);
        let sway = reach
            * ((pace * time + chance.phase()).sin()
                + 0.4 * (2.3 * pace * time + chance.phase()).sin());
        let x = chance.share() * (width + 2.0 * radius) + breeze * (0.4 + near) + sway;
        let y = chance.share() * (height + 2.0 * radius) + fall * time;
        let soft = 1.0 - 0.25 * near * (1.0 - nearest);
        let alpha = (0.5 + 0.5 * near.sqrt()) * (1.0 - 0.72 * nearest);
        let at = (around(x, width, radius), around(y, height, radius));
        round(at, radius, color, alpha, [soft, 0.0, 0.0, 0.0])
    };
    of_kind(Pass::Flakes, (0..particles.count).map(flake).collect())
}
