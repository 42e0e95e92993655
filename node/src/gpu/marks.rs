//! Many small things at once: put into bins on the device, blended by one pass.

use bytemuck::cast_slice;
use kinora_composition::timeline::{Affine, Size};
use kinora_shaders::{Mark, Params, Pass};

use super::areas::Area;
use super::bins::{BinBuffer, Bins, in_bytes, room};
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
        let Some(bins) = Bins::over(area, sent.count, marks.pass) else {
            return;
        };
        let gpu = self.gpu();
        let mark_bytes = bins.shelves_end().max(sent.bytes(marks.pass));
        let mark_buffer = room(gpu, &mut buffers.marks, mark_bytes);
        let (bin_buffer, first_list) = bins.in_memory(gpu, &mut buffers.bins);
        let binned = |params| bins.described_in(params, first_list);
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
            color: marks.crowd.ink(),
            chroma: area,
            frame: in_frame(uncut(place, area)),
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
    // Specks need no order.
    let ordered = (!look.pass.has_specks()).then(|| on_bins(Pass::Sort, [0, 0, across * down, 1]));
    let emptied = on_bins(Pass::Fill, [0, 0, across, down]);
    ordered.into_iter().chain(parts).chain([emptied]).collect()
}

/// A part of a look that leaves the others to come.
fn part(look: &Dispatch, area: Area) -> Dispatch {
    let [left, top, ..] = look.params.luma;
    let (width, height) = look.pass.tile();
    let (width, height) = (width as i32, height as i32);
    let mut part = look.clone();
    // A workgroup has a whole bin.
    part.params.area = [
        left + (area[0] - left) / width * width,
        top + (area[1] - top) / height * height,
        area[2],
        area[3],
    ];
    part.params.chroma = area;
    part.params.frame = in_frame(intersect(look.params.frame.map(|edge| edge as i32), area));
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

    /// What it takes on the device, where a pass blends it.
    fn bytes(&self, pass: Pass) -> u64 {
        let vectors = self.count * pass.mark_vectors();
        in_bytes(self.vectors.len().max(vectors as usize) as u64)
    }
}

impl Crowd {
    /// The colour of a crowd that has one.
    fn ink(&self) -> [f32; 4] {
        match self {
            Self::Dabs { .. } => [0.0; 4],
            Self::Swarm(swarm) => swarm.color,
        }
    }
}

/// Pixels of an area that a box which lies straight certainly does not cut; none where it lies askew.
fn uncut(place: &MarkBox, area: Area) -> Area {
    let map = place.to_target;
    if map.b != 0.0 || map.c != 0.0 {
        return [0; 4];
    }
    let [left, top, right, bottom] = bounds(map, place.size);
    intersect(area, [left + 2, top + 2, right - 2, bottom - 2])
}

/// An area as parameters say it; nothing where it is empty.
fn in_frame([left, top, right, bottom]: Area) -> [u32; 4] {
    match left < right && top < bottom {
        true => [left, top, right, bottom].map(|edge| edge as u32),
        false => [0; 4],
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

#[cfg(test)]
mod tests {
    use super::super::Gpu;
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
            (Pass::Snow, Pass::Flakes, 2_000, 9.0),
            (Pass::Snow, Pass::Flakes, 3_000, 60.0),
            (Pass::Rain, Pass::Streaks, 900, 4.0),
            (Pass::Rain, Pass::Streaks, 6_000, 12.0),
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
    async fn specks_come_to_the_same_in_whatever_order_they_lie_on_their_shelves() {
        for (maker, pass) in [(Pass::Snow, Pass::Flakes), (Pass::Rain, Pass::Streaks)] {
            let mut scene = Scene::of(maker, pass, 3_000, 14.0).await;
            for is_alone in [false, true] {
                let first = scene.draw(is_alone, None);
                for _ in 0..6 {
                    let again = scene.draw(is_alone, None);
                    assert!(first == again, "{maker:?}, alone: {is_alone}");
                }
            }
        }
    }

    #[tokio::test]
    async fn what_no_edge_of_the_box_can_touch_is_drawn_as_if_there_were_none() {
        let scene = Scene::of(Pass::Snow, Pass::Flakes, 1, 5.0).await;
        assert_eq!(
            uncut(&scene.place, [0, 0, 200, 120]),
            [0; 4],
            "it lies askew"
        );
        let straight = MarkBox {
            to_target: Affine {
                e: 10.5,
                f: -3.0,
                ..Affine::IDENTITY
            },
            ..scene.place
        };
        assert_eq!(uncut(&straight, [0, 0, 200, 120]), [11, 0, 180, 96]);
        let tiny = MarkBox {
            size: Size {
                width: 1.0,
                height: 1.0,
            },
            ..straight
        };
        assert_eq!(in_frame(uncut(&tiny, [0, 0, 200, 120])), [0; 4]);
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
        for (is_alone, is_straight) in [(false, false), (true, false), (false, true), (true, true)]
        {
            let mut scene = Scene::of(Pass::Snow, Pass::Flakes, 800, 8.0).await;
            if is_straight {
                scene.place.to_target = Affine::IDENTITY;
            }
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
}
