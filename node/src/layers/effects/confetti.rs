//! Confetti: bits of paper of several shapes that tumble down, their sides in changing light.

use kinora_composition::css::Color;
use kinora_composition::timeline::{Affine, Particles, Size};
use kinora_shaders::Pass;

use super::air::{Chance, around, inked, marks as of_kind, nearness, rgb, sides};
use crate::gpu::{Dab, Marks};

const PALETTE: [Color; 8] = [
    rgb(0xff_4d6d),
    rgb(0xff_b703),
    rgb(0x3a_86ff),
    rgb(0x9b_5de5),
    rgb(0x06_d6a0),
    rgb(0xff_7b2e),
    rgb(0xf7_5db5),
    rgb(0x4c_c9f0),
];

/// A shape of paper.
struct Paper {
    /// As the pass counts them.
    shape: f64,
    /// Half its width and height, of the size of a particle.
    half: (f64, f64),
    /// How it falls against the others.
    fall: f64,
}

/// A shape, by chance.
fn paper(share: f64) -> Paper {
    let (shape, half, fall) = match share {
        share if share < 0.48 => (0.0, (0.5, 0.29), 1.0),
        share if share < 0.66 => (1.0, (0.36, 0.36), 1.05),
        share if share < 0.86 => (2.0, (0.95, 0.24), 0.8),
        _ => (3.0, (0.44, 0.42), 1.1),
    };
    Paper { shape, half, fall }
}

pub(super) fn marks(particles: &Particles, size: Size, time: f64) -> Marks {
    let (width, height, short) = sides(size);
    let time = time * particles.speed;
    let bit = |index: usize| -> Dab {
        let mut chance = Chance::of(3, index as u64);
        let near = nearness(index, particles.count).powf(1.4);
        let nearest = near.powi(10);
        let paper = paper(chance.share());
        let scale = particles.size * (0.6 + 0.75 * near + 1.1 * nearest);
        let fall =
            short * (0.15 + 0.13 * near + 0.1 * nearest) * paper.fall * chance.between(0.8, 1.2);
        let pace = chance.between(1.2, 2.8);
        let swing = chance.phase();
        let reach = short * chance.between(0.012, 0.04);
        let radius = scale;
        let x = chance.share() * (width + 2.0 * radius) + reach * (pace * time + swing).sin();
        // Paper rests for a moment where its swing turns.
        let y = chance.share() * (height + 2.0 * radius)
            + fall * time
            + 0.35 * reach * (2.0 * (pace * time + swing)).sin();
        let turn = chance.between(-1.6, 1.6) * time
            + chance.phase()
            + 0.5 * (0.5 * pace * time + swing).sin();
        let flip = chance.between(1.8, 5.5) * time + chance.phase();
        let facing = flip.cos();
        let seen = facing.abs().max(0.08) * if facing < 0.0 { -1.0 } else { 1.0 };
        let gloss = 0.55 * (flip - 0.5).cos().max(0.0).powi(22);
        let light = match facing < 0.0 {
            true => 0.7 + 0.12 * facing.abs(),
            false => 0.88 + 0.12 * facing + gloss,
        };
        let reach_out = if nearest > 0.02 { 1.6 } else { 1.02 };
        let (sin, cos) = turn.sin_cos();
        let (across, down) = (scale * paper.half.0, scale * paper.half.1 * seen);
        Dab {
            map: Affine {
                a: (across * cos) as f32,
                b: (across * sin) as f32,
                c: (-down * sin) as f32,
                d: (down * cos) as f32,
                e: around(x, width, radius) as f32,
                f: around(y, height, radius) as f32,
            },
            reach: [-reach_out, -reach_out, reach_out, reach_out],
            color: inked(color(particles, &mut chance), 1.0 - 0.25 * nearest),
            look: [
                paper.shape as f32,
                light as f32,
                (0.16 * scale * nearest) as f32,
                swing as f32,
            ],
            more: [0.0; 2],
        }
    };
    of_kind(Pass::Confetti, (0..particles.count).map(bit).collect())
}

/// One of many colours, or a shade of the one that is wanted.
fn color(particles: &Particles, chance: &mut Chance) -> Color {
    let share = chance.share();
    match particles.color {
        None => PALETTE[(share * PALETTE.len() as f64) as usize % PALETTE.len()],
        Some(color) => {
            let (other, weight) = match share < 0.6 {
                true => (Color::WHITE, 0.5 * share),
                false => (Color::BLACK, 0.6 * (share - 0.6)),
            };
            let other = Color {
                a: color.a,
                ..other
            };
            color.mixed(other, weight as f32)
        }
    }
}
