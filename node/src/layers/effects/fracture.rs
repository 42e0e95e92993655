//! A pane that breaks: whole at first, then its shards fly from the middle, turn, and fall.

use kinora_composition::css::Color;
use kinora_composition::timeline::{Affine, CellFill, Grid, PieceState, Size};
use kinora_shaders::Pass;

use super::air::{Chance, sides};
use super::pieces::move_piece;
use super::shards::Shard;
use crate::gpu::{Crowd, Dab, Marks};

pub(super) fn marks(
    grid: &Grid,
    size: Size,
    time: f64,
    shards: &[Shard],
    pieces: &[PieceState],
) -> Marks {
    let alpha = common_alpha(grid);
    let rim = (0.003 * size.width.min(size.height)).clamp(0.8, 4.0);
    let mut edges: Vec<[f32; 4]> = Vec::new();
    let mut resting = Vec::new();
    let mut flying = Vec::new();
    for (index, shard) in shards.iter().enumerate() {
        let progress = grid.progress(index, time);
        let Some(last) = shard.edges.len().checked_sub(1).filter(|_| progress < 1.0) else {
            continue;
        };
        let first = edges.len();
        edges.extend(shard.edges.iter().enumerate().map(|(edge, [x, y, d])| {
            let goes_on = if edge == last { 0.0 } else { 1.0 };
            [*x, *y, *d, goes_on]
        }));
        let flight = Flight::of(index, shard, size, progress);
        let (color, rim) = match grid.fill(index) {
            CellFill::Color(color) => (lit(color, flight.light, alpha), rim),
            CellFill::Picture(_) => ([flight.light, 0.0, 0.0, 1.0], -rim),
        };
        let [r, g, b, a] = color;
        let is_resting = progress <= 0.0;
        let mut dab = Dab {
            map: flight.map,
            reach: shard.bounds,
            color: [r, g, b, a * flight.opacity],
            look: [
                shard.middle.0,
                shard.middle.1,
                first as f32,
                flight.edge_light,
            ],
            // Shards that have not moved reach into each other: the pane shows no seams.
            more: [if is_resting { 0.5 } else { 0.0 }, rim],
        };
        move_piece(&mut dab, pieces.get(index), shard.middle);
        match is_resting {
            true => resting.push(dab),
            false => flying.push(dab),
        }
    }
    resting.append(&mut flying);
    Marks {
        pass: Pass::Shards,
        crowd: Crowd::Dabs {
            dabs: resting,
            edges,
        },
        opacity: alpha,
    }
}

/// The alpha that all shards have, which is that of the pane: shards that overlap must not add up.
fn common_alpha(grid: &Grid) -> f32 {
    let alpha = |fill: &CellFill| match fill {
        CellFill::Color(color) => color.a,
        CellFill::Picture(_) => 1.0,
    };
    grid.fills.iter().map(alpha).fold(0.0, f32::max)
}

fn lit(color: Color, light: f32, of: f32) -> [f32; 4] {
    let [r, g, b] = [color.r, color.g, color.b].map(|channel| (channel * light).min(1.0));
    [r, g, b, if of > 0.0 { color.a / of } else { 0.0 }]
}

/// A shard on its way.
struct Flight {
    /// From the shard about its middle to the box.
    map: Affine,
    light: f32,
    edge_light: f32,
    opacity: f32,
}

impl Flight {
    fn of(index: usize, shard: &Shard, size: Size, progress: f64) -> Self {
        let mut chance = Chance::of(11, index as u64);
        let (width, height, short) = sides(size);
        let (x, y) = (f64::from(shard.middle.0), f64::from(shard.middle.1));
        let (across, down) = (x - width / 2.0, y - height / 2.0);
        let from_middle = across.hypot(down).max(1e-3);
        let away = short * chance.between(0.16, 0.42) * (1.0 - (1.0 - progress).powi(2));
        let side = chance.between(-0.12, 0.12) * short * progress;
        let fall = short * chance.between(0.75, 1.15) * progress * progress;
        let turn = chance.between(-150.0, 150.0) * progress;
        let axis = chance.between(0.0, 180.0);
        let flip = chance.between(-1.0, 1.0) * 4.2 * progress;
        let seen = match flip.cos() {
            cos if cos.abs() < 0.04 => 0.04,
            cos => cos,
        };
        let scale = (1.0 + chance.between(-0.15, 0.35) * progress) as f32;
        let map = Affine::translate(
            (x + across / from_middle * away + side) as f32,
            (y + down / from_middle * away + fall) as f32,
        )
        .then_inner(Affine::rotate(turn + axis))
        .then_inner(Affine::scale(scale, scale * seen as f32))
        .then_inner(Affine::rotate(-axis));
        let fading = ((progress - 0.6) / 0.4).clamp(0.0, 1.0);
        Self {
            map,
            light: (1.0 + 0.3 * flip.sin() - 0.12 * (1.0 - seen)) as f32,
            edge_light: (0.3 * (progress * 10.0).min(1.0)) as f32,
            opacity: (1.0 - fading * fading * (3.0 - 2.0 * fading)) as f32,
        }
    }
}
