//! Matrix: characters fall in columns, bright at the head, and change while they fade.

use kinora_composition::timeline::{Affine, Matrix, Size};
use kinora_shaders::Pass;

use super::air::{Chance, inked, marks as of_kind};
use super::atlas::Atlas;
use crate::gpu::{Dab, Marks};

/// One stream of characters in a column.
struct Stream {
    /// Row of the head, and how far the head is on its way to the next.
    head: f64,
    /// Rows from head to end.
    length: f64,
    /// How often the column was passed before.
    pass: u64,
    brightness: f64,
}

pub(super) fn marks(matrix: &Matrix, size: Size, time: f64, atlas: Option<&Atlas>) -> Marks {
    let time = time * matrix.speed;
    let columns = (size.width / matrix.cell.width).ceil().max(1.0) as usize;
    let rows = (size.height / matrix.cell.height).ceil().max(1.0) as usize;
    // What is left of the last column is shared by both sides.
    let left = (size.width - columns as f32 * matrix.cell.width) / 2.0;
    let mut dabs = Vec::new();
    for column in 0..columns {
        let mut chance = Chance::of(8, column as u64);
        if chance.share() >= matrix.density {
            continue;
        }
        let stream = stream(&mut chance, rows, time);
        // The head comes last, with its light over the others.
        let end = (stream.head - stream.length).ceil().max(0.0) as usize;
        for row in end..rows.min((stream.head.floor() + 1.0).max(0.0) as usize) {
            let behind = stream.head.floor() - row as f64;
            let age = ((stream.head - row as f64) / stream.length).clamp(0.0, 1.0);
            let is_head = behind < 0.5;
            let slot = glyph(atlas, column, row, stream.pass, time);
            let fade = (1.0 - age).powf(1.25);
            let glow = match behind {
                behind if behind < 0.5 => 0.42,
                behind if behind < 2.5 => 0.1,
                _ => 0.0,
            };
            let alpha = match is_head {
                true => 1.0,
                false => stream.brightness * (0.07 + 0.86 * fade),
            };
            let white = match behind {
                behind if behind < 0.5 => 0.88,
                behind if behind < 1.5 => 0.35,
                _ => 0.0,
            };
            let reach = if glow > 0.0 { 1.2 } else { 0.0 };
            dabs.push(Dab {
                map: Affine {
                    a: matrix.cell.width,
                    d: matrix.cell.height,
                    ..Affine::translate(
                        left + column as f32 * matrix.cell.width,
                        row as f32 * matrix.cell.height,
                    )
                },
                reach: [-reach, -reach, 1.0 + reach, 1.0 + reach],
                color: inked(matrix.color, alpha),
                look: slot,
                more: [glow, white],
            });
        }
    }
    of_kind(Pass::Glyphs, dabs)
}

fn stream(chance: &mut Chance, rows: usize, time: f64) -> Stream {
    let rows = rows as f64;
    let length = (rows * chance.between(0.3, 0.85)).max(4.0);
    let pace = rows * chance.between(0.22, 0.5);
    let period = rows + length + rows * chance.between(0.0, 0.35);
    let way = time * pace + chance.share() * period;
    Stream {
        head: way.rem_euclid(period),
        length,
        pass: (way / period).floor() as u64,
        brightness: chance.between(0.55, 1.0),
    }
}

/// Which character a cell shows: most change now and then, some all the time.
fn glyph(atlas: Option<&Atlas>, column: usize, row: usize, pass: u64, time: f64) -> [f32; 4] {
    let Some(atlas) = atlas else {
        return [0.0; 4];
    };
    let place = (column as u64) << 32 | row as u64;
    let mut chance = Chance::of(9 + pass, place);
    let pace = match chance.share() < 0.12 {
        true => chance.between(6.0, 12.0),
        false => chance.between(0.3, 1.4),
    };
    let changes = (time * pace + chance.share()).floor() as u64;
    let mut chance = Chance::of(place.wrapping_add(pass << 16), changes);
    atlas.slot((chance.share() * atlas.count as f64) as usize)
}
