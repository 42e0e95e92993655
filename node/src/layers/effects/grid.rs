//! Cells that appear one after another: each grows past its size a little, settles, and stays.

use kinora_composition::timeline::{Affine, CellFill, Grid, PieceState, Size};
use kinora_shaders::Pass;

use super::air::{inked, marks as of_kind};
use super::atlas::Atlas;
use super::pieces::move_piece;
use crate::gpu::{Dab, Marks};

pub(super) fn marks(
    grid: &Grid,
    size: Size,
    time: f64,
    atlas: Option<&Atlas>,
    pieces: &[PieceState],
) -> Marks {
    // Edges lie on whole pixels, so that cells meet without a gap.
    let edge = |index: usize, count: usize, side: f32| (index as f32 * side / count as f32).round();
    let mut settled = Vec::new();
    let mut moving = Vec::new();
    for cell in 0..grid.cells() {
        let progress = grid.progress(cell, time);
        if progress <= 0.0 {
            continue;
        }
        let piece = pieces.get(cell);
        let is_moving = progress < 1.0 || piece.is_some_and(|piece| *piece != PieceState::AT_REST);
        let (column, row) = (cell % grid.columns, cell / grid.columns);
        let (left, right) = (
            edge(column, grid.columns, size.width),
            edge(column + 1, grid.columns, size.width),
        );
        let (top, bottom) = (
            edge(row, grid.rows, size.height),
            edge(row + 1, grid.rows, size.height),
        );
        let scale = (0.3 + 0.7 * past_and_back(progress)) as f32;
        let opacity = (progress / 0.45).min(1.0);
        let (color, look) = match grid.fill(cell) {
            CellFill::Color(color) => (inked(color, opacity), [0.0; 4]),
            CellFill::Picture(picture) => {
                let slot = atlas.map_or([0.0; 4], |atlas| atlas.slot(picture));
                ([1.0, 1.0, 1.0, opacity as f32], slot)
            }
        };
        let (width, height) = (right - left, bottom - top);
        let mut dab = Dab {
            map: Affine {
                a: width * scale,
                d: height * scale,
                ..Affine::translate(
                    left + width * (1.0 - scale) / 2.0,
                    top + height * (1.0 - scale) / 2.0,
                )
            },
            reach: [0.0, 0.0, 1.0, 1.0],
            color,
            look,
            more: [if is_moving { 0.0 } else { 1.0 }, 0.0],
        };
        let middle = (left + width / 2.0, top + height / 2.0);
        move_piece(&mut dab, piece, middle);
        match is_moving {
            true => moving.push(dab),
            false => settled.push(dab),
        }
    }
    // What moves is in front of what has settled.
    settled.append(&mut moving);
    of_kind(Pass::Cells, settled)
}

/// From 0 to 1, fast at first and a little too far on the way.
fn past_and_back(progress: f64) -> f64 {
    const BEYOND: f64 = 1.25;
    let rest = progress - 1.0;
    1.0 + (BEYOND + 1.0) * rest.powi(3) + BEYOND * rest.powi(2)
}
