//! A pane in shards: the parts of it that are nearest to one of many points.

use kinora_composition::timeline::{Grid, Size};

use super::air::Chance;

/// A part of a pane.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shard {
    /// Its middle on the pane.
    pub(super) middle: (f32, f32),
    /// Its edges about its middle: a unit normal that points outwards, and how far away the edge is.
    pub(super) edges: Vec<[f32; 3]>,
    /// What it covers about its middle: left, top, right, bottom.
    pub(super) bounds: [f32; 4],
}

/// The shards of a pane, as many as the grid has cells, in their order.
pub(super) fn of(grid: &Grid, size: Size) -> Vec<Shard> {
    let (columns, rows) = (grid.columns as i64, grid.rows as i64);
    let cell = (
        f64::from(size.width) / columns as f64,
        f64::from(size.height) / rows as f64,
    );
    let point = |column: i64, row: i64| {
        let mut chance = Chance::of(10, (row * columns + column) as u64);
        (
            (column as f64 + chance.between(0.08, 0.92)) * cell.0,
            (row as f64 + chance.between(0.08, 0.92)) * cell.1,
        )
    };
    let whole = [
        (0.0, 0.0),
        (f64::from(size.width), 0.0),
        (f64::from(size.width), f64::from(size.height)),
        (0.0, f64::from(size.height)),
    ];
    let around = |column: i64, row: i64| {
        (row - 2..=row + 2)
            .flat_map(move |row| (column - 2..=column + 2).map(move |column| (column, row)))
            .filter(move |other| *other != (column, row))
            .filter(|(column, row)| (0..columns).contains(column) && (0..rows).contains(row))
    };
    let shard = |column: i64, row: i64| {
        let own = point(column, row);
        let mut outline = whole.to_vec();
        for (column, row) in around(column, row) {
            outline = nearer(&outline, own, point(column, row));
        }
        Shard::of(&outline, own)
    };
    (0..rows)
        .flat_map(|row| (0..columns).map(move |column| (column, row)))
        .map(|(column, row)| shard(column, row))
        .collect()
}

/// The part of an outline that is nearer to one point than to another.
fn nearer(outline: &[(f64, f64)], own: (f64, f64), other: (f64, f64)) -> Vec<(f64, f64)> {
    let (across, down) = (other.0 - own.0, other.1 - own.1);
    let middle = ((own.0 + other.0) / 2.0, (own.1 + other.1) / 2.0);
    let beyond = |p: (f64, f64)| (p.0 - middle.0) * across + (p.1 - middle.1) * down;
    let mut kept = Vec::with_capacity(outline.len() + 1);
    for (index, from) in outline.iter().enumerate() {
        let to = outline[(index + 1) % outline.len()];
        let (start, end) = (beyond(*from), beyond(to));
        if start <= 0.0 {
            kept.push(*from);
        }
        if (start < 0.0 && end > 0.0) || (start > 0.0 && end < 0.0) {
            let part = start / (start - end);
            kept.push((
                from.0 + part * (to.0 - from.0),
                from.1 + part * (to.1 - from.1),
            ));
        }
    }
    kept
}

impl Shard {
    fn of(outline: &[(f64, f64)], fallback: (f64, f64)) -> Self {
        let count = outline.len().max(1) as f64;
        let middle = match outline {
            [] => fallback,
            corners => corners.iter().fold((0.0, 0.0), |sum, p| {
                (sum.0 + p.0 / count, sum.1 + p.1 / count)
            }),
        };
        let edges = outline.iter().enumerate().filter_map(|(index, from)| {
            let to = outline[(index + 1) % outline.len()];
            let (across, down) = (to.0 - from.0, to.1 - from.1);
            let length = across.hypot(down);
            let (x, y) = (down / length, -across / length);
            let distance = (from.0 - middle.0) * x + (from.1 - middle.1) * y;
            (length > 1e-6).then_some([x, y, distance].map(|number| number as f32))
        });
        let low = |pick: fn(&(f64, f64)) -> f64| outline.iter().map(pick).fold(f64::MAX, f64::min);
        let high = |pick: fn(&(f64, f64)) -> f64| outline.iter().map(pick).fold(f64::MIN, f64::max);
        let bounds = [
            low(|p| p.0) - middle.0,
            low(|p| p.1) - middle.1,
            high(|p| p.0) - middle.0,
            high(|p| p.1) - middle.1,
        ];
        Self {
            middle: (middle.0 as f32, middle.1 as f32),
            edges: edges.collect(),
            bounds: bounds.map(|edge| edge as f32),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shards(columns: usize, rows: usize) -> Vec<Shard> {
        let grid = Grid {
            columns,
            rows,
            fills: Vec::new(),
            starts: vec![0.0; columns * rows],
            duration: 1.0,
        };
        let size = Size {
            width: 300.0,
            height: 200.0,
        };
        of(&grid, size)
    }

    fn holds(shard: &Shard, x: f32, y: f32) -> bool {
        shard.edges.iter().all(|[nx, ny, distance]| {
            (x - shard.middle.0) * nx + (y - shard.middle.1) * ny <= *distance
        })
    }

    #[test]
    fn every_point_of_the_pane_is_in_one_shard() {
        let shards = shards(6, 4);
        assert_eq!(shards.len(), 24);
        for x in 0..60 {
            for y in 0..40 {
                let (x, y) = (x as f32 * 5.0 + 2.37, y as f32 * 5.0 + 2.61);
                let count = shards.iter().filter(|shard| holds(shard, x, y)).count();
                assert_eq!(count, 1, "{x}, {y}");
            }
        }
    }

    #[test]
    fn one_shard_is_the_pane() {
        let shards = shards(1, 1);
        assert_eq!(shards[0].middle, (150.0, 100.0));
        assert_eq!(shards[0].edges.len(), 4);
    }
}
