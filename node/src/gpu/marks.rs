//! Many small things at once: put into bins on the device, blended by one pass.

use bytemuck::cast_slice;
use kinora_composition::timeline::{Affine, Size};
use kinora_shaders::{MARK_BIN, Mark, Params, Pass};

use super::Gpu;
use super::areas::{Area, BLOCK};
use super::painter::{Painter, bounds, intersect, over};
use super::sprite::Sprite;
use super::swarm::Swarm;

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

/// Where marks come from.
#[derive(Debug, PartialEq)]
pub(crate) enum Crowd {
    /// From the host, in painting order.
    Dabs {
        dabs: Vec<Dab>,
        /// Edges that the looks of dabs refer to, by their third number.
        edges: Vec<[f32; 4]>,
    },
    /// From the device.
    Swarm(Swarm),
}

/// Small things in the order in which they are painted.
#[derive(Debug, PartialEq)]
pub(crate) struct Marks {
    /// How they look.
    pub(crate) pass: Pass,
    pub(crate) crowd: Crowd,
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
    bins: Option<wgpu::Buffer>,
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
    ) {
        let Some(to_box) = place.to_target.inverse() else {
            return;
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
        let sent = Sent::of(&marks.crowd, place.to_target);
        let Some(bins) = Bins::over(area, sent.count) else {
            return;
        };
        let gpu = self.gpu();
        let mark_buffer = room(gpu, &mut buffers.marks, sent.bytes());
        let bin_buffer = room(gpu, &mut buffers.bins, 4 * bins.words_in_all());
        match &marks.crowd {
            Crowd::Dabs { .. } => {
                gpu.queue
                    .write_buffer(&mark_buffer, 0, cast_slice(&sent.vectors));
            }
            Crowd::Swarm(swarm) => {
                self.push(swarm.maker, &swarm.params(place), &mark_buffer, &[]);
            }
        }
        let shifts = [area[0] as f32, area[1] as f32, to_box.e, to_box.f];
        self.push(Pass::Fill, &bins.cleared(), &bin_buffer, &[]);
        for step in 0..2 {
            let params = Params {
                area: [0, 0, sent.count as i32, 1],
                strides: [0, step, 0, 0],
                shifts,
                cell: bins.cell(),
                ..Params::default()
            };
            self.push(Pass::Enlist, &params, &bin_buffer, &[&mark_buffer]);
        }
        let params = Params {
            area,
            strides: [target.stride, 0, atlas.map_or(0, |atlas| atlas.stride), 0],
            shifts,
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
            cell: bins.cell(),
            ..base
        };
        let mut sources = vec![&mark_buffer, &bin_buffer];
        if marks.pass.sources() > sources.len() {
            // Plain marks read no atlas, but the pass has a place for one.
            sources.push(atlas.map_or(&bin_buffer, |atlas| &atlas.buffer));
        }
        self.push(marks.pass, &params, &target.buffer, &sources);
    }
}

/// What the host sends of a crowd.
struct Sent {
    /// Marks, then what they refer to; nothing of what the device makes.
    vectors: Vec<[f32; 4]>,
    /// How many marks there are, sent or not.
    count: u32,
}

impl Sent {
    fn of(crowd: &Crowd, to_target: Affine) -> Self {
        let (dabs, edges) = match crowd {
            Crowd::Dabs { dabs, edges } => (dabs, edges),
            Crowd::Swarm(swarm) => {
                return Self {
                    vectors: Vec::new(),
                    count: swarm.count,
                };
            }
        };
        let marks: Vec<Mark> = dabs.iter().filter_map(|dab| mark(dab, to_target)).collect();
        let mut vectors: Vec<[f32; 4]> = cast_slice(&marks).to_vec();
        if !edges.is_empty() {
            let first_edge = vectors.len() as f32;
            (vectors.iter_mut().skip(3).step_by(VECTORS)).for_each(|look| look[2] += first_edge);
            vectors.extend_from_slice(edges);
        }
        Self {
            vectors,
            count: marks.len() as u32,
        }
    }

    /// What it takes on the device.
    fn bytes(&self) -> u64 {
        let vectors = self.vectors.len().max(self.count as usize * VECTORS);
        (vectors * size_of::<[f32; 4]>()) as u64
    }
}

/// Vectors of a mark.
const VECTORS: usize = size_of::<Mark>() / size_of::<[f32; 4]>();

/// A dab on a target; `None` where that has no place or no extent.
fn mark(dab: &Dab, to_target: Affine) -> Option<Mark> {
    let map = to_target.then_inner(dab.map);
    let inverse = map.inverse()?;
    let mark = Mark {
        place: [map.e, map.f, dab.more[0], dab.more[1]],
        map: [inverse.a, inverse.b, inverse.c, inverse.d],
        color: dab.color,
        look: dab.look,
        reach: dab.reach,
    };
    let is_finite = [mark.place, mark.map, mark.reach]
        .as_flattened()
        .iter()
        .all(|number| number.is_finite());
    is_finite.then_some(mark)
}

/// Bins over an area; `bins.wgsl` says how they lie.
#[derive(Debug, PartialEq)]
struct Bins {
    across: u32,
    down: u32,
    /// How often the sides of the smallest bins are doubled.
    doubled: u32,
    marks: u32,
}

impl Bins {
    /// As small as memory allows; `None` where nothing is to be seen.
    fn over(area: Area, marks: u32) -> Option<Self> {
        const MOST_WORDS: u64 = 8 << 20;
        let (width, height) = (area[2] - area[0], area[3] - area[1]);
        if width <= 0 || height <= 0 || marks == 0 {
            return None;
        }
        let bins = |doubled: u32| Self {
            across: (width as u32).div_ceil(MARK_BIN.0 << doubled),
            down: (height as u32).div_ceil(MARK_BIN.1 << doubled),
            doubled,
            marks,
        };
        (0..16)
            .map(bins)
            .find(|bins| bins.words_in_all() <= MOST_WORDS)
    }

    /// Words of marks in each.
    fn words(&self) -> u32 {
        self.marks.div_ceil(32)
    }

    /// Words in each that tell about those: one for each 32 of them, and one about these.
    fn overview(&self) -> u32 {
        1 + self.words().div_ceil(32)
    }

    fn words_in_all(&self) -> u64 {
        let bins = u64::from(self.across) * u64::from(self.down);
        bins * u64::from(self.overview() + self.words())
    }

    fn cell(&self) -> [u32; 4] {
        [self.across, self.doubled, self.marks, self.down]
    }

    /// Parameters of a pass that empties what tells about words.
    fn cleared(&self) -> Params {
        let row = self.across * self.overview();
        Params {
            area: [0, 0, row as i32, self.down as i32],
            strides: [row, 0, 0, 0],
            ..Params::default()
        }
    }
}

/// A buffer with room for so many bytes: the one at hand, where it is large enough.
fn room(gpu: &Gpu, slot: &mut Option<wgpu::Buffer>, bytes: u64) -> wgpu::Buffer {
    let size = bytes.next_power_of_two();
    slot.take_if(|buffer| buffer.size() < size);
    let buffer = slot.get_or_insert_with(|| {
        gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("marks"),
            size,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    });
    buffer.clone()
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

    fn dabs(dabs: &[Dab], edges: &[[f32; 4]]) -> Crowd {
        Crowd::Dabs {
            dabs: dabs.to_vec(),
            edges: edges.to_vec(),
        }
    }

    #[test]
    fn nothing_is_sent_of_particles_however_many_there_are() {
        for count in [0, 1, 10_000] {
            let swarm = Swarm {
                maker: Pass::Snow,
                count,
                size: 5.0,
                time: 1.0,
                speed: 1.0,
                gust: 0.0,
                color: [1.0; 4],
                is_colored: false,
            };
            let sent = Sent::of(&Crowd::Swarm(swarm), Affine::IDENTITY);
            assert_eq!((sent.vectors.len(), sent.count), (0, count));
        }
    }

    #[test]
    fn dabs_without_a_place_or_an_extent_are_left_out() {
        let some = [
            dab(4.0, 4.0, 0.0),
            dab(f32::NAN, 4.0, 1.0),
            dab(4.0, 4.0, f32::INFINITY),
            dab(1e9, 0.0, 1e9),
        ];
        let sent = Sent::of(&dabs(&some, &[]), Affine::IDENTITY);
        assert_eq!((sent.vectors.len(), sent.count), (VECTORS, 1));
    }

    #[test]
    fn edges_follow_the_marks_that_refer_to_them() {
        let some = [dab(4.0, 4.0, 1.0), dab(8.0, 4.0, 1.0)];
        let sent = Sent::of(&dabs(&some, &[[9.0; 4]]), Affine::IDENTITY);
        assert_eq!(sent.vectors.len(), 2 * VECTORS + 1);
        let edge = sent.vectors[VECTORS + 3][2] as usize;
        assert_eq!(sent.vectors[edge], [9.0; 4]);
    }

    #[test]
    fn bins_grow_where_memory_is_short_and_hold_the_whole_area() {
        let bins = Bins::over([8, 2, 1928, 1082], 10_000).expect("something");
        assert_eq!((bins.across, bins.down, bins.doubled), (120, 135, 0));
        let bins = Bins::over([0, 0, 7680, 4320], 40_000).expect("something");
        assert!(bins.words_in_all() <= 8 << 20);
        assert!(bins.doubled > 0);
        assert!(bins.across * (MARK_BIN.0 << bins.doubled) >= 7680);
        assert!(bins.down * (MARK_BIN.1 << bins.doubled) >= 4320);
        assert_eq!(Bins::over([0, 0, 64, 64], 0), None);
        assert_eq!(Bins::over([9, 9, 9, 9], 5), None);
    }
}
