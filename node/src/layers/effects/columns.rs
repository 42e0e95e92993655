//! Columns of pictures that move without end.

use kinora_composition::timeline::{Affine, Columns, PieceState, Size};
use kinora_shaders::Pass;

use super::air::marks as of_kind;
use super::atlas::Atlas;
use super::pieces::move_piece;
use crate::gpu::{Dab, Marks};

pub(super) fn marks(
    columns: &Columns,
    size: Size,
    time: f64,
    atlas: Option<&Atlas>,
    pieces: &[PieceState],
) -> Marks {
    let mut dabs = Vec::new();
    let step = f64::from(columns.picture.height + columns.gap);
    for (index, column) in columns.columns.iter().enumerate() {
        let (Some(atlas), false) = (atlas, column.pictures.is_empty()) else {
            continue;
        };
        let count = column.pictures.len();
        let left = index as f32 * (columns.picture.width + columns.gap);
        let round = step * count as f64;
        let moved = (column.speed * time).rem_euclid(round);
        // The first picture that is seen, from the last place above the box.
        let first = (moved / step).ceil();
        let rows = (f64::from(size.height) / step).ceil() as usize + 2;
        for row in 0..rows {
            let top = moved + (row as f64 - first) * step;
            let place = (row as f64 - first).rem_euclid(count as f64) as usize;
            let mut dab = Dab {
                map: Affine {
                    a: columns.picture.width,
                    d: columns.picture.height,
                    ..Affine::translate(left, top as f32)
                },
                reach: [0.0, 0.0, 1.0, 1.0],
                color: [1.0; 4],
                look: atlas.slot(column.pictures[place % count]),
                more: [0.0; 2],
            };
            let middle = (left + columns.picture.width / 2.0, size.height / 2.0);
            move_piece(&mut dab, pieces.get(index), middle);
            dabs.push(dab);
        }
    }
    of_kind(Pass::Cells, dabs)
}
