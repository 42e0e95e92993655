//! Many small things at once: put into bins on the device, blended by one pass.

use bytemuck::cast_slice;
use kinora_composition::timeline::{Affine, Size};
use kinora_shaders::{MARK_BIN, MARK_PIXELS, MARKS_IN_BIN, Mark, Params, Pass};

use super::Gpu;
use super::areas::Area;
use super::painter::{Painter, bounds, intersect, over};
use super::sprite::Sprite;
use super::submission::{Dispatch, NOWHERE};
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
    bins: Option<BinBuffer>,
}

/// Bins in device memory, empty before and after each use.
struct BinBuffer {
    buffer: wgpu::Buffer,
    /// For how many bins it has room before their lists. What was a list is never taken for a number of marks.
    most_bins: u32,
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
        // Invocations that wait for each other are dear where processors draw.
        let is_alone = self.gpu().is_software();
        self.blend_marks(target, marks, place, atlas, buffers, is_alone);
    }

    /// Blends marks by invocations that work alone, or by those of a workgroup together.
    fn blend_marks(
        &mut self,
        target: &Sprite,
        marks: &Marks,
        place: &MarkBox,
        atlas: Option<&Sprite>,
        buffers: &mut MarkBuffers,
        is_alone: bool,
    ) {
        let Some(to_box) = place.to_target.inverse() else {
            return;
        };
        let base = over(target);
        let area = intersect(base.area, bounds(place.to_target, place.size));
        let sent = Sent::of(&marks.crowd, place.to_target);
        let Some(bins) = Bins::over(area, sent.count) else {
            return;
        };
        let gpu = self.gpu();
        let mark_buffer = room(gpu, &mut buffers.marks, sent.bytes());
        let (bin_buffer, lists) = bins.in_memory(gpu, &mut buffers.bins);
        let binned = |params| bins.described_in(params, lists);
        match &marks.crowd {
            Crowd::Dabs { .. } => {
                gpu.queue
                    .write_buffer(&mark_buffer, 0, cast_slice(&sent.vectors));
                let params = Params {
                    area: [0, 0, sent.count as i32, 1],
                    ..Params::default()
                };
                self.push(Pass::Enlist, &binned(params), &mark_buffer, &[&bin_buffer]);
            }
            Crowd::Swarm(swarm) => {
                let params = binned(swarm.params(place));
                self.push(swarm.maker, &params, &mark_buffer, &[&bin_buffer]);
            }
        }
        let params = binned(Params {
            area: [bins.corner[0], area[1], area[2], area[3]],
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
            chroma: area,
            ..base
        });
        let mut sources = vec![&mark_buffer, &bin_buffer];
        if marks.pass.sources() > sources.len() {
            // Plain marks read no atlas, but the pass has a place for one.
            sources.push(atlas.map_or(&mark_buffer, |atlas| &atlas.buffer));
        }
        let look = Dispatch {
            pass: marks.pass,
            params,
            target: target.buffer.clone(),
            sources: sources.into_iter().cloned().collect(),
            reads: NOWHERE,
        };
        if is_alone {
            self.extend(in_parts(&look, &[area]));
        } else {
            self.extend([look]);
        }
    }
}

/// The variant of looks whose invocations work alone, on lists that are in order, and leave bins as they are.
const ALONE: u32 = 1;

/// Parts of a pass that blends marks.
pub(super) fn in_parts(look: &Dispatch, areas: &[Area]) -> Vec<Dispatch> {
    let parts = areas
        .iter()
        .map(|area| intersect(look.params.chroma, *area))
        .filter(|area| area[0] < area[2] && area[1] < area[3])
        .map(|area| part(look, area));
    if look.params.strides[1] == ALONE {
        return parts.collect();
    }
    let [across, down, ..] = look.params.planes.map(|number| number as i32);
    let on_bins = |pass: Pass, area: Area| Dispatch {
        pass,
        params: Params {
            area,
            strides: [across as u32, 0, 0, 0],
            color: [0.0; 4],
            ..look.params
        },
        target: look.sources[1].clone(),
        sources: Vec::new(),
        reads: NOWHERE,
    };
    let ordered = on_bins(Pass::Sort, [0, 0, across * down, 1]);
    let emptied = on_bins(Pass::Fill, [0, 0, across, down]);
    [ordered]
        .into_iter()
        .chain(parts)
        .chain([emptied])
        .collect()
}

/// A part of a look that leaves the others to come.
fn part(look: &Dispatch, area: Area) -> Dispatch {
    let [left, top, ..] = look.params.luma;
    let (width, height) = (MARK_BIN.0 as i32, MARK_BIN.1 as i32);
    let mut part = look.clone();
    // A workgroup has a whole bin.
    part.params.area = [
        left + (area[0] - left) / width * width,
        top + (area[1] - top) / height * height,
        area[2],
        area[3],
    ];
    part.params.chroma = area;
    part.params.strides[1] = ALONE;
    part
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
    let [left, top, right, bottom] = dab.reach;
    let mark = Mark {
        place: [map.e, map.f, dab.more[0], dab.more[1]],
        map: [inverse.a, inverse.b, inverse.c, inverse.d],
        color: dab.color,
        look: dab.look,
        reach: [
            0.5 * (left + right),
            0.5 * (top + bottom),
            0.5 * (right - left).abs() + inverse.a.hypot(inverse.c),
            0.5 * (bottom - top).abs() + inverse.b.hypot(inverse.d),
        ],
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
    /// Where the first one begins.
    corner: [i32; 2],
    across: u32,
    down: u32,
    /// Marks that each has room for.
    room: u32,
    marks: u32,
}

impl Bins {
    /// With as much room as memory allows; `None` where nothing is to be seen.
    fn over([left, top, right, bottom]: Area, marks: u32) -> Option<Self> {
        const MOST_ENTRIES: u32 = 16 << 20;
        if left >= right || top >= bottom || marks == 0 {
            return None;
        }
        let left = left / MARK_PIXELS as i32 * MARK_PIXELS as i32;
        let across = ((right - left) as u32).div_ceil(MARK_BIN.0);
        let down = ((bottom - top) as u32).div_ceil(MARK_BIN.1);
        Some(Self {
            corner: [left, top],
            across,
            down,
            room: (MOST_ENTRIES / (across * down))
                .min(MARKS_IN_BIN)
                .min(marks),
            marks,
        })
    }

    /// A buffer with room for them, the one at hand where it is large enough; and where in it lists begin.
    fn in_memory(&self, gpu: &Gpu, slot: &mut Option<BinBuffer>) -> (wgpu::Buffer, u32) {
        let bins = self.across * self.down;
        let bytes = |most_bins: u32| {
            let entries = u64::from(most_bins) + u64::from(bins) * u64::from(self.room);
            entries * size_of::<u32>() as u64
        };
        slot.take_if(|at_hand| {
            at_hand.most_bins < bins || at_hand.buffer.size() < bytes(at_hand.most_bins)
        });
        let at_hand = slot.get_or_insert_with(|| {
            let most_bins = bins.next_power_of_two();
            BinBuffer {
                buffer: room(gpu, &mut None, bytes(most_bins)),
                most_bins,
            }
        });
        (at_hand.buffer.clone(), at_hand.most_bins)
    }

    /// Parameters that tell a pass about them.
    fn described_in(&self, params: Params, lists: u32) -> Params {
        let [left, top] = self.corner;
        Params {
            planes: [self.across, self.down, self.room, self.marks],
            luma: [left, top, lists as i32, 0],
            ..params
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

    /// Particles on a see-through sprite of 200 × 120, in a box that is moved and turned a little.
    struct Scene {
        gpu: Gpu,
        marks: Marks,
        place: MarkBox,
        buffers: MarkBuffers,
    }

    impl Scene {
        async fn of(maker: Pass, pass: Pass, count: u32, size: f32) -> Self {
            let swarm = Swarm {
                maker,
                count,
                size,
                time: 3.3,
                speed: 1.0,
                gust: 0.0,
                color: [1.0, 0.9, 0.8, 1.0],
                is_colored: false,
            };
            let turned = Affine {
                b: 0.1,
                c: -0.1,
                e: 11.0,
                f: 5.0,
                ..Affine::IDENTITY
            };
            Self {
                gpu: Gpu::open().await.expect("an adapter"),
                marks: Marks {
                    pass,
                    crowd: Crowd::Swarm(swarm),
                    opacity: 0.8,
                },
                place: MarkBox {
                    to_target: turned,
                    size: Size {
                        width: 170.0,
                        height: 100.0,
                    },
                    opacity: 1.0,
                },
                buffers: MarkBuffers::default(),
            }
        }

        fn draw(&mut self, is_alone: bool, areas: Option<&[Area]>) -> Vec<u8> {
            let canvas = Sprite::new(&self.gpu, 200, 120).expect("a sprite");
            let mut painter = Painter::new(&self.gpu);
            let buffers = &mut self.buffers;
            painter.blend_marks(&canvas, &self.marks, &self.place, None, buffers, is_alone);
            if let Some(areas) = areas {
                painter.limit(&canvas, areas);
            }
            painter.submit();
            canvas.download(&self.gpu).expect("pixels")
        }
    }

    #[tokio::test]
    async fn marks_look_the_same_blended_together_and_alone_and_frame_after_frame() {
        // Few in a bin, several steps of them, and more than a list has room for.
        for (maker, pass, count, size) in [
            (Pass::Snow, Pass::Flakes, 300, 5.0),
            (Pass::Confetti, Pass::Papers, 2_000, 14.0),
            (Pass::Bubbles, Pass::Spheres, 3_000, 40.0),
        ] {
            let mut scene = Scene::of(maker, pass, count, size).await;
            let together = scene.draw(false, None);
            assert!(together.iter().any(|byte| *byte > 100), "{maker:?}");
            for is_alone in [false, true, false] {
                let again = scene.draw(is_alone, None);
                let differs = |(one, other): (&u8, &u8)| one.abs_diff(*other) > 1;
                let differing = together.iter().zip(&again).filter(|pair| differs(*pair));
                assert_eq!(differing.count(), 0, "{maker:?}, alone: {is_alone}");
            }
        }
    }

    #[tokio::test]
    async fn marks_drawn_twice_in_a_frame_come_one_after_the_other_even_with_the_same_buffers() {
        let mut scene = Scene::of(Pass::Snow, Pass::Flakes, 300, 9.0).await;
        let twice = |scene: &mut Scene, others: Option<&mut MarkBuffers>, is_apart: bool| {
            let canvas = Sprite::new(&scene.gpu, 200, 120).expect("a sprite");
            let mut painter = Painter::new(&scene.gpu);
            let (marks, place) = (&scene.marks, &scene.place);
            painter.blend_marks(&canvas, marks, place, None, &mut scene.buffers, false);
            if is_apart {
                painter.submit();
                painter = Painter::new(&scene.gpu);
            }
            let buffers = others.unwrap_or(&mut scene.buffers);
            painter.blend_marks(&canvas, marks, place, None, buffers, false);
            painter.submit();
            canvas.download(&scene.gpu).expect("pixels")
        };
        let one_by_one = twice(&mut scene, None, true);
        assert_ne!(
            one_by_one,
            scene.draw(false, None),
            "the second lies on the first"
        );
        assert!(twice(&mut scene, None, false) == one_by_one);
        let mut others = MarkBuffers::default();
        assert!(twice(&mut scene, Some(&mut others), false) == one_by_one);
    }

    #[tokio::test]
    async fn a_part_of_marks_is_drawn_as_it_is_in_the_whole() {
        const PART: Area = [40, 34, 72, 60];
        for is_alone in [false, true] {
            let mut scene = Scene::of(Pass::Snow, Pass::Flakes, 800, 8.0).await;
            let whole = scene.draw(true, None);
            let part = scene.draw(is_alone, Some(&[PART]));
            for (index, (part, whole)) in part.chunks(4).zip(whole.chunks(4)).enumerate() {
                let (x, y) = (index as i32 % 200, index as i32 / 200);
                let [left, top, right, bottom] = PART;
                let is_drawn = (left..right).contains(&x) && (top..bottom).contains(&y);
                let expected = if is_drawn { whole } else { &[0; 4] };
                assert_eq!(part, expected, "{x}, {y}, alone: {is_alone}");
            }
            assert_eq!(scene.draw(true, None), whole, "bins were left empty");
        }
    }

    #[test]
    fn bins_cover_the_whole_area_and_have_less_room_where_memory_is_short() {
        let bins = Bins::over([8, 2, 1928, 1082], 10_000).expect("something");
        assert_eq!((bins.across, bins.down, bins.room), (120, 68, MARKS_IN_BIN));
        let bins = Bins::over([0, 0, 7680, 4320], 40_000).expect("something");
        assert!(bins.across * MARK_BIN.0 >= 7680 && bins.down * MARK_BIN.1 >= 4320);
        assert!((32..=MARKS_IN_BIN).contains(&bins.room));
        let largest = Bins::over([0, 0, 32_768, 32_768], 40_000).expect("something");
        assert!(largest.across * largest.down * largest.room <= 16 << 20);
        assert_eq!(Bins::over([0, 0, 64, 64], 0), None);
        assert_eq!(Bins::over([9, 9, 9, 9], 5), None);
    }
}
