//! Snow, confetti, rain, fireflies, sparkles and bubbles, which the device makes: what it is told.

use kinora_composition::css::Color;
use kinora_composition::timeline::{Particles, Size, Species};
use kinora_shaders::Pass;

use super::air::{inked, sides};
use crate::gpu::{Crowd, Marks, Swarm};

pub(super) fn marks(particles: &Particles, size: Size, time: f64) -> Marks {
    let time = time * particles.speed;
    let (maker, look, own_color) = match particles.species {
        Species::Snow => (Pass::Snow, Pass::Flakes, Color::WHITE),
        Species::Confetti => (Pass::Confetti, Pass::Papers, Color::WHITE),
        Species::Rain => (Pass::Rain, Pass::Streaks, rgb(0xc4_d9f5)),
        Species::Fireflies => (Pass::Fireflies, Pass::Glows, Color::WHITE),
        Species::Sparkles => (Pass::Sparkles, Pass::Stars, Color::WHITE),
        Species::Bubbles => (Pass::Bubbles, Pass::Spheres, rgb(0xcf_e8ff)),
    };
    let swarm = Swarm {
        maker,
        count: particles.count as u32,
        size: particles.size as f32,
        time,
        speed: particles.speed as f32,
        gust: gust(size, time) as f32,
        color: inked(particles.color.unwrap_or(own_color), 1.0),
        is_colored: particles.color.is_some(),
    };
    Marks {
        pass: look,
        crowd: Crowd::Swarm(swarm),
        opacity: 1.0,
    }
}

/// How far a breeze that comes and goes has carried what is in the air, beside its steady part.
fn gust(size: Size, time: f64) -> f64 {
    let (_, _, short) = sides(size);
    short * (0.035 * (0.37 * time).sin() + 0.02 * (0.83 * time).sin())
}

/// A colour from its bytes.
const fn rgb(hex: u32) -> Color {
    Color {
        r: ((hex >> 16) & 255) as f32 / 255.0,
        g: ((hex >> 8) & 255) as f32 / 255.0,
        b: (hex & 255) as f32 / 255.0,
        a: 1.0,
    }
}
