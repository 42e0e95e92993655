//! Many small things at once: sorted into tiles on the host, blended by one pass.

use bytemuck::cast_slice;
use kinora_composition::timeline::{Affine, Size};
use kinora_shaders::{MARK_TILE, Mark, Params, Pass};

use super::Gpu;
use super::areas::{Area, BLOCK};
use super::painter::{Painter, bounds, intersect, over};
use super::sprite::Sprite;
use crate::{Error, Result};

/// Something small in a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dab {
    /// From its own units to the box.
    pub(crate) map: Affine,
    /// What it may cover in its own units: left, top, right, bottom.
    pub(crate) reach: [f32; 4],
    /// Red, green, blue and alpha, which is not multiplied in.
    pub(crate) color: [f32; 4],
    /// What its pass needs to know.
    pub(crate) look: [f32; 4],
    /// What else its pass needs to know.
    pub(crate) more: [f32; 2],
}

/// Dabs in the order in which they are painted.
#[derive(Debug, PartialEq)]
pub(crate) struct Marks {
    /// How they look.
    pub(crate) pass: Pass,
    pub(crate) dabs: Vec<Dab>,
    /// Edges that the looks of dabs refer to, by their third number.
    pub(crate) edges: Vec<[f32; 4]>,
    /// 0 to 1, on what all of them come to.
    pub(crate) opacity: f32,
}

/// Where marks are drawn.
#[derive(Clone, Copy)]
pub(crate) struct MarkBox {
    /// From the box, whose top left corner is the origin, to the target.
    pub(crate) to_target: Affine,
    /// Size of the box, which clips them.
    pub(crate) size: Size,
    /// 0 to 1, on what all of them come to.
    pub(crate) opacity: f32,
}

/// Marks in device memory, overwritten with each frame.
#[derive(Default)]
pub(crate) struct MarkBuffers {
    marks: Option<wgpu::Buffer>,
    tiles: Option<wgpu::Buffer>,
}

impl Painter<'_> {
    /// Blends marks; those with pictures show parts of an atlas.
    pub(crate) fn marks(
        &mut self,
        target: &Sprite,
        marks: &Marks,
        place: &MarkBox,
        atlas: Option<&Sprite>,
        buffers: &mut MarkBuffers,
    ) -> Result<()> {
        let Some(to_box) = place.to_target.inverse() else {
            return Ok(());
        };
        let base = over(target);
        // Whole blocks, so that a part of the target can be drawn by itself.
        let [left, top, right, bottom] = intersect(base.area, bounds(place.to_target, place.size));
        let area = [
            left / BLOCK.0 * BLOCK.0,
            top / BLOCK.1 * BLOCK.1,
            right,
            bottom,
        ];
        let Some(sorted) = Sorted::new(&marks.dabs, place.to_target, area) else {
            return Ok(());
        };
        let mut records: Vec<[f32; 4]> = cast_slice(&sorted.marks).to_vec();
        if !marks.edges.is_empty() {
            let first_edge = records.len() as f32;
            records
                .iter_mut()
                .skip(3)
                .step_by(4)
                .for_each(|look| look[2] += first_edge);
            records.extend_from_slice(&marks.edges);
        }
        let gpu = self.gpu();
        let mark_buffer = written(gpu, &mut buffers.marks, cast_slice(&records))?;
        let tile_buffer = written(gpu, &mut buffers.tiles, cast_slice(&sorted.tiles))?;
        let params = Params {
            area,
            strides: [target.stride, 0, atlas.map_or(0, |atlas| atlas.stride), 0],
            shifts: [0.0, 0.0, to_box.e, to_box.f],
            to_box: [to_box.a, to_box.b, to_box.c, to_box.d],
            box_size: [
                place.size.width,
                place.size.height,
                place.opacity * marks.opacity,
                0.0,
            ],
            window: [
                place.size.width,
                place.size.height,
                atlas.map_or(0.0, |atlas| atlas.width as f32),
                atlas.map_or(0.0, |atlas| atlas.height as f32),
            ],
            cell: [sorted.across, area[0] as u32, area[1] as u32, 0],
            ..base
        };
        let mut sources = vec![&mark_buffer, &tile_buffer];
        if marks.pass.sources() > sources.len() {
            // Plain marks read no atlas, but the pass has a place for one.
            sources.push(atlas.map_or(&tile_buffer, |atlas| &atlas.buffer));
        }
        self.push(marks.pass, &params, &target.buffer, &sources);
        Ok(())
    }
}

/// A buffer that holds these bytes: the one at hand, where it is large enough.
fn written(gpu: &Gpu, slot: &mut Option<wgpu::Buffer>, bytes: &[u8]) -> Result<wgpu::Buffer> {
    let size = (bytes.len() as u64).next_power_of_two();
    if size > gpu.device.limits().max_storage_buffer_binding_size {
        return Err(Error::BadInput(
            "an effect has more parts than this machine can draw".into(),
        ));
    }
    slot.take_if(|buffer| buffer.size() < size);
    let buffer = slot.get_or_insert_with(|| {
        gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("marks"),
            size,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    });
    gpu.queue.write_buffer(buffer, 0, bytes);
    Ok(buffer.clone())
}

/// Marks on a target, and which of them touch which tile of an area.
#[derive(Debug, PartialEq)]
struct Sorted {
    marks: Vec<Mark>,
    /// Where the list of each tile begins, and where the last one ends; then the lists.
    tiles: Vec<u32>,
    /// Tiles in a row.
    across: u32,
}

impl Sorted {
    /// `None` where nothing is to be seen.
    fn new(dabs: &[Dab], to_target: Affine, area: Area) -> Option<Self> {
        let (width, height) = (area[2] - area[0], area[3] - area[1]);
        if width <= 0 || height <= 0 {
            return None;
        }
        let across = (width as u32).div_ceil(MARK_TILE.0);
        let down = (height as u32).div_ceil(MARK_TILE.1);
        let mut marks = Vec::with_capacity(dabs.len());
        let mut touched: Vec<[u32; 4]> = Vec::with_capacity(dabs.len());
        for dab in dabs {
            let map = to_target.then_inner(dab.map);
            let tiles = tiles_under(map, dab.reach, area);
            if let (Some(tiles), Some(inverse)) = (tiles, map.inverse()) {
                marks.push(Mark {
                    place: [map.e, map.f, dab.more[0], dab.more[1]],
                    map: [inverse.a, inverse.b, inverse.c, inverse.d],
                    color: dab.color,
                    look: dab.look,
                });
                touched.push(tiles);
            }
        }
        if marks.is_empty() {
            return None;
        }
        let count = (across * down) as usize;
        let numbers = |[left, top, right, bottom]: [u32; 4]| {
            (top..=bottom)
                .flat_map(move |row| (left..=right).map(move |column| row * across + column))
        };
        let mut tiles = vec![0; count + 1];
        for tile in touched.iter().copied().flat_map(numbers) {
            tiles[tile as usize] += 1;
        }
        let mut end = count as u32 + 1;
        for length in &mut tiles {
            (end, *length) = (end + *length, end);
        }
        let mut next = tiles[..count].to_vec();
        tiles.resize(end as usize, 0);
        for (mark, touched) in (0..).zip(&touched) {
            for tile in numbers(*touched) {
                let place = &mut next[tile as usize];
                tiles[*place as usize] = mark;
                *place += 1;
            }
        }
        Some(Self {
            marks,
            tiles,
            across,
        })
    }
}

/// The tiles of an area that a mapped rectangle may touch: columns and rows, the last ones included.
fn tiles_under(map: Affine, reach: [f32; 4], area: Area) -> Option<[u32; 4]> {
    let [left, top, right, bottom] = reach;
    let middle = map.apply((left + right) / 2.0, (top + bottom) / 2.0);
    let (across, down) = ((right - left).abs() / 2.0, (bottom - top).abs() / 2.0);
    // One pixel more holds what antialiasing adds.
    let far = (
        map.a.abs() * across + map.c.abs() * down + 1.0,
        map.b.abs() * across + map.d.abs() * down + 1.0,
    );
    let edges = [
        middle.0 - far.0,
        middle.1 - far.1,
        middle.0 + far.0,
        middle.1 + far.1,
    ];
    if !edges.iter().all(|edge| edge.is_finite()) {
        return None;
    }
    let [x0, y0, x1, y1] = intersect(
        area,
        [
            edges[0].floor() as i32,
            edges[1].floor() as i32,
            edges[2].ceil() as i32,
            edges[3].ceil() as i32,
        ],
    );
    (x0 < x1 && y0 < y1).then(|| {
        [
            (x0 - area[0]) as u32 / MARK_TILE.0,
            (y0 - area[1]) as u32 / MARK_TILE.1,
            (x1 - 1 - area[0]) as u32 / MARK_TILE.0,
            (y1 - 1 - area[1]) as u32 / MARK_TILE.1,
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dab(x: f32, y: f32, radius: f32) -> Dab {
        Dab {
            map: Affine::translate(x, y).then_inner(Affine::scale(radius, radius)),
            reach: [-1.0, -1.0, 1.0, 1.0],
            color: [1.0; 4],
            look: [0.0; 4],
            more: [0.0; 2],
        }
    }

    fn list(sorted: &Sorted, tile: usize) -> &[u32] {
        let [first, end] = [sorted.tiles[tile], sorted.tiles[tile + 1]];
        &sorted.tiles[first as usize..end as usize]
    }

    #[test]
    fn tiles_list_what_touches_them_in_painting_order() {
        let dabs = [
            dab(4.0, 4.0, 2.0),
            dab(500.0, 4.0, 2.0),
            dab(16.0, 4.0, 2.0),
            dab(40.0, 12.0, 1.0),
        ];
        let sorted = Sorted::new(&dabs, Affine::IDENTITY, [0, 0, 48, 16]).expect("something");
        assert_eq!(sorted.marks.len(), 3, "one lies outside");
        assert_eq!(sorted.across, 3);
        assert_eq!(list(&sorted, 0), [0, 1]);
        assert_eq!(list(&sorted, 1), [1]);
        assert_eq!(list(&sorted, 2), [0; 0]);
        assert_eq!(list(&sorted, 5), [2]);
    }

    #[test]
    fn what_cannot_be_seen_is_left_out() {
        let area = [0, 0, 24, 16];
        let seen = |dab| Sorted::new(&[dab], Affine::IDENTITY, area).is_some();
        assert!(seen(dab(1e9, 0.0, 1e9)));
        assert!(!seen(dab(4.0, 4.0, 0.0)));
        assert!(!seen(dab(f32::NAN, 4.0, 1.0)));
        assert!(!seen(dab(4.0, 4.0, f32::INFINITY)));
        assert!(Sorted::new(&[], Affine::IDENTITY, area).is_none());
        assert!(Sorted::new(&[dab(4.0, 4.0, 1.0)], Affine::IDENTITY, [9, 9, 9, 9]).is_none());
    }
}
