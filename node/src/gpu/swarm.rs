//! Particles that the device makes from their number and the time.

use kinora_shaders::{Params, Pass};

use super::marks::MarkBox;

/// Particles that the device makes: all that it is told, however many there are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Swarm {
    /// The pass that makes them.
    pub(crate) maker: Pass,
    pub(crate) count: u32,
    /// Pixels of the box that one of them is large.
    pub(crate) size: f32,
    /// Seconds since they began, as fast as they move.
    pub(crate) time: f64,
    /// Factor on their speed.
    pub(crate) speed: f32,
    /// Pixels of the box that gusts carry them to the right.
    pub(crate) gust: f32,
    /// Red, green, blue and alpha, which is not multiplied in.
    pub(crate) color: [f32; 4],
    /// Whether the colour takes the place of their own ones.
    pub(crate) is_colored: bool,
}

impl Swarm {
    /// What the pass that makes them is told.
    pub(super) fn params(&self, place: &MarkBox) -> Params {
        let to_target = place.to_target;
        let whole = self.time.floor();
        Params {
            area: [0, 0, self.count as i32, 1],
            to_source: [to_target.a, to_target.b, to_target.c, to_target.d],
            shifts: [to_target.e, to_target.f, 0.0, 0.0],
            box_size: [
                place.size.width,
                place.size.height,
                self.size,
                (self.time - whole) as f32,
            ],
            window: [
                if self.is_colored { 1.0 } else { 0.0 },
                self.gust,
                self.speed,
                0.0,
            ],
            color: self.color,
            cell: [0, 0, 0, whole as u64 as u32],
            ..Params::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use kinora_composition::timeline::{Affine, Size};

    use super::super::{Gpu, Painter};
    use super::*;

    const MAKERS: [Pass; 6] = [
        Pass::Snow,
        Pass::Rain,
        Pass::Confetti,
        Pass::Fireflies,
        Pass::Sparkles,
        Pass::Bubbles,
    ];
    const BOX: MarkBox = MarkBox {
        to_target: Affine::IDENTITY,
        size: Size {
            width: 1920.0,
            height: 1080.0,
        },
        opacity: 1.0,
    };

    fn swarm(maker: Pass, time: f64) -> Swarm {
        Swarm {
            maker,
            count: 500,
            size: 12.0,
            time,
            speed: 1.0,
            gust: 0.0,
            color: [1.0; 4],
            is_colored: false,
        }
    }

    /// Where the device puts the particles of a swarm.
    fn made(gpu: &Gpu, swarm: &Swarm) -> Vec<[f32; 2]> {
        let vectors = swarm.maker.mark_vectors() as usize;
        let size = (swarm.count as usize * vectors * size_of::<[f32; 4]>()) as u64;
        let buffer = |usage| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let marks = buffer(wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
        // Nowhere to be listed.
        let bins = buffer(wgpu::BufferUsages::STORAGE);
        let params = Params {
            planes: [0, 0, 0, swarm.count],
            ..swarm.params(&BOX)
        };
        let on_host = buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
        let mut painter = Painter::new(gpu);
        painter.push(swarm.maker, &params, &marks, &[&bins]);
        let mut encoder = painter.record(None);
        encoder.copy_buffer_to_buffer(&marks, 0, &on_host, 0, size);
        gpu.queue.submit([encoder.finish()]);
        on_host.map_async(wgpu::MapMode::Read, .., |_| ());
        gpu.wait(None).expect("an answer");
        let mapped = on_host.get_mapped_range(..).expect("marks");
        let numbers: &[[f32; 4]] = bytemuck::cast_slice(&mapped[..]);
        let first = numbers.iter().step_by(vectors);
        first.map(|[x, y, ..]| [*x, *y]).collect()
    }

    #[tokio::test]
    async fn after_hours_particles_move_as_smoothly_as_at_first() {
        const STEP: f64 = 1.0 / 120.0;
        let gpu = Gpu::open().await.expect("an adapter");
        for maker in MAKERS {
            for start in [0.0, 3600.0, 3599.99, 1_000_000.3] {
                let [first, second, third] =
                    [0.0, 1.0, 2.0].map(|step| made(&gpu, &swarm(maker, start + step * STEP)));
                let mut seen = 0;
                for ((a, b), c) in first.iter().zip(&second).zip(&third) {
                    let [x, y] = [0, 1].map(|axis| (a[axis] - 2.0 * b[axis] + c[axis]).abs());
                    // Some begin anew in this moment, far away.
                    if x < 30.0 && y < 30.0 {
                        assert!(x < 0.1 && y < 0.1, "{maker:?} at {start}: {x}, {y}");
                        seen += 1;
                    }
                }
                assert!(seen > 450, "{maker:?} at {start}: {seen}");
                assert_ne!(first, third, "{maker:?} at {start} stands still");
            }
        }
    }

    #[tokio::test]
    async fn particles_fill_their_box_at_any_time() {
        let gpu = Gpu::open().await.expect("an adapter");
        for maker in MAKERS {
            for time in [0.0, 7.7, 5000.0] {
                let particles = made(&gpu, &swarm(maker, time));
                let count = |left: f32, top: f32| {
                    let is_there = |[x, y]: &&[f32; 2]| {
                        (left..left + 640.0).contains(x) && (top..top + 540.0).contains(y)
                    };
                    particles.iter().filter(is_there).count()
                };
                for left in [0.0, 640.0, 1280.0] {
                    for top in [0.0, 540.0] {
                        let there = count(left, top);
                        // A sixth of them, give or take what chance does.
                        assert!((50..125).contains(&there), "{maker:?} at {time}: {there}");
                    }
                }
            }
        }
    }
}
