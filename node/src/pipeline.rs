//! The way of frames: evaluated and drawn on one thread, encoded on another.

use std::ops::Range;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

use kinora_composition::timeline::{FramePlan, Scene};

use crate::encode::CudaContext;
use crate::gpu::{
    DrawnFrame, FrameShape, Gpu, Painter, Readback, Reducer, Reduction, SharedFrame, Stopwatch,
};
use crate::layers::Stage;
use crate::mux::ChunkEncoder;
use crate::{Error, RenderOptions, Result};

/// Frames that may wait for the encoder.
const QUEUED_FRAMES: usize = 4;
/// Frames that an encoder on the device may hold at once: those it works on, and the one it may be
/// given again.
const ENCODING_FRAMES: usize = 9;

/// Where the time of a render went. Device and encoder work beside the host, so the parts may add
/// up to more than the whole; what the device does is only known of a profiled render.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RenderTimes {
    /// From the document to plans.
    pub evaluate: Duration,
    /// Decoding video.
    pub decode: Duration,
    /// Bringing pictures to the device.
    pub upload: Duration,
    /// Rastering what does not change.
    pub raster: Duration,
    /// Drawing layers, on the device.
    pub draw: Duration,
    /// Converting frames for the encoder, on the device.
    pub convert: Duration,
    /// Waiting for frames and copying them to the host.
    pub readback: Duration,
    /// Encoding.
    pub encode: Duration,
    /// Joining chunks, mixing sound and writing the file.
    pub mux: Duration,
}

/// What the encoder is told about the next frame.
enum Picture {
    /// New pixels.
    New(DrawnFrame),
    /// The same pixels as before.
    Same,
}

/// Where finished frames go, in order: planar 4:2:0, BT.709, limited range, without padding.
pub trait FrameSink: Send {
    /// Takes the next frame.
    fn push(&mut self, i420: &[u8], index: u64) -> Result<()>;
    /// The GPU whose memory it reads frames from, if it does.
    fn device(&self) -> Option<Arc<CudaContext>> {
        None
    }
    /// Takes the next frame where it lies on that GPU.
    fn push_shared(&mut self, frame: &Arc<SharedFrame>, index: u64) -> Result<()> {
        let mut planes = Vec::new();
        frame.read(&mut planes)?;
        self.push(&planes, index)
    }
    /// Closes what was written.
    fn finish(self: Box<Self>) -> Result<()>;
}

impl FrameSink for ChunkEncoder {
    fn push(&mut self, i420: &[u8], index: u64) -> Result<()> {
        Self::push(self, i420, index)
    }

    fn device(&self) -> Option<Arc<CudaContext>> {
        Self::device(self).cloned()
    }

    fn push_shared(&mut self, frame: &Arc<SharedFrame>, index: u64) -> Result<()> {
        Self::push_shared(self, frame, index)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Self::finish(*self).map(|_| ())
    }
}

/// What a render needs beside its frames.
pub(crate) struct Job<'a> {
    pub(crate) scene: &'a Scene,
    /// Whether to wait after each step, so that the time of each is known.
    pub(crate) is_profiled: bool,
    pub(crate) options: &'a RenderOptions,
}

impl Job<'_> {
    /// Width and height of the composition.
    pub(crate) fn size(&self) -> (u32, u32) {
        let composition = self.scene.composition();
        (composition.width, composition.height)
    }
}

/// Draws a range of frames into a sink.
pub(crate) fn render(
    gpu: &Gpu,
    stage: &mut Stage<'_>,
    job: &Job<'_>,
    frames: Range<u32>,
    sink: Box<dyn FrameSink>,
) -> Result<RenderTimes> {
    let (to_encoder, pictures) = sync_channel(QUEUED_FRAMES);
    let (spent, reusable) = sync_channel(QUEUED_FRAMES + 2);
    let first = u64::from(frames.start);
    let reduction = Reduction::new(job.size(), job.options.reduce);
    let readback = readback(gpu, reduction, sink.device());
    let span = tracing::info_span!(target: "kinora_node::traced", "encode");
    std::thread::scope(|scope| {
        let encoder = std::thread::Builder::new()
            .name("encode".into())
            .spawn_scoped(scope, move || {
                span.in_scope(|| encode(job, &pictures, &spent, first, sink))
            })
            .map_err(|error| Error::internal("starting the encoder's thread", error))?;
        let way = Way {
            reduction,
            readback,
            to_encoder: &to_encoder,
            reusable: &reusable,
        };
        let drawn = draw(gpu, stage, job, frames, way);
        drop(to_encoder);
        let encoded = encoder
            .join()
            .unwrap_or_else(|_| Err(Error::internal("encoding", "the encoder's thread panicked")));
        // An encoder that failed closes the channel; its error is the one to tell.
        let encode = match (&drawn, encoded) {
            (_, Err(error)) => return Err(error),
            (_, Ok(time)) => time,
        };
        let mut times = drawn?;
        times.encode = encode;
        Ok(times)
    })
}

/// The way that frames go: to an encoder on the same GPU where they lie, if it can read them there, else
/// to the host.
fn readback(gpu: &Gpu, reduction: Reduction, encoder: Option<Arc<CudaContext>>) -> Readback {
    static SAID: Once = Once::new();
    let (width, height) = reduction.size();
    let shape = FrameShape { width, height };
    let Some(context) = encoder else {
        return Readback::new(gpu, shape);
    };
    let held = QUEUED_FRAMES + ENCODING_FRAMES;
    Readback::shared(gpu, shape, &context, held).unwrap_or_else(|reason| {
        SAID.call_once(|| tracing::warn!(reason, "frames go to the encoder by way of the host"));
        Readback::new(gpu, shape)
    })
}

/// How frames get from the canvas to the encoder.
struct Way<'a> {
    reduction: Reduction,
    readback: Readback,
    to_encoder: &'a SyncSender<Picture>,
    reusable: &'a Receiver<Vec<u8>>,
}

fn draw(
    gpu: &Gpu,
    stage: &mut Stage<'_>,
    job: &Job<'_>,
    frames: Range<u32>,
    mut way: Way<'_>,
) -> Result<RenderTimes> {
    let reducer = Reducer::new(gpu, way.reduction)?;
    let mut painter = Painter::new(gpu);
    let stopwatch = job.is_profiled.then(|| Stopwatch::new(gpu)).flatten();
    let mut times = RenderTimes::default();
    let mut shown: Option<FramePlan> = None;
    let mut was_steady = false;
    let before_all = job.scene.plan_before(frames.start);
    let mut backlog = Backlog::default();
    for frame in frames {
        if job.options.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let started = Instant::now();
        let plan = job.scene.plan(frame);
        times.evaluate += started.elapsed();
        if shown.as_ref() == Some(&plan) {
            backlog.repeat();
            continue;
        }
        let before = shown.as_ref().or(before_all.as_ref());
        let is_steady = before.is_some_and(|before| plan.differs_in_video_times_alone(before));
        // The frame before was drawn as this one would be: if its videos stand still, it is this one.
        if is_steady && was_steady && shown.is_some() && !stage.has_new_pictures(&plan)? {
            backlog.repeat();
            shown = Some(plan);
            continue;
        }
        was_steady = is_steady;
        if way.readback.is_full() {
            backlog.deliver(gpu, &mut way, &mut times)?;
        }
        job.options.pace.before_frame(&job.options.cancel)?;
        stage.draw(&mut painter, &plan, before)?;
        let canvas = reducer.apply(&mut painter, stage.canvas());
        if job.is_profiled {
            times.draw += painter.draw_timed(canvas, &way.readback, stopwatch.as_ref())?;
        }
        let started = Instant::now();
        painter.present(canvas, &mut way.readback)?;
        if job.is_profiled {
            gpu.wait(None)?;
            times.convert += started.elapsed();
        }
        backlog.push();
        shown = Some(plan);
    }
    while !way.readback.is_empty() {
        backlog.deliver(gpu, &mut way, &mut times)?;
    }
    let stage_times = stage.times();
    times.decode = stage_times.decode;
    times.upload = stage_times.upload;
    times.raster = stage_times.raster;
    Ok(times)
}

/// How often each frame in flight is to be shown, oldest first.
#[derive(Default)]
struct Backlog(std::collections::VecDeque<u32>);

impl Backlog {
    fn push(&mut self) {
        self.0.push_back(1);
    }

    fn repeat(&mut self) {
        if let Some(newest) = self.0.back_mut() {
            *newest += 1;
        }
    }

    /// Hands the oldest frame to the encoder, as often as it is shown. The newest frame is only
    /// delivered when the next one is there or none will come, so its count is final.
    fn deliver(&mut self, gpu: &Gpu, way: &mut Way<'_>, times: &mut RenderTimes) -> Result<()> {
        let reused = way.reusable.try_recv().unwrap_or_default();
        let started = Instant::now();
        let Some(frame) = way.readback.take(gpu, reused)? else {
            return Ok(());
        };
        times.readback += started.elapsed();
        let shown = self.0.pop_front().unwrap_or(1);
        let closed = |_| Error::internal("encoding", "the encoder stopped");
        way.to_encoder.send(Picture::New(frame)).map_err(closed)?;
        for _ in 1..shown {
            way.to_encoder.send(Picture::Same).map_err(closed)?;
        }
        Ok(())
    }
}

fn encode(
    job: &Job<'_>,
    pictures: &Receiver<Picture>,
    spent: &SyncSender<Vec<u8>>,
    first: u64,
    mut sink: Box<dyn FrameSink>,
) -> Result<Duration> {
    let mut time = Duration::ZERO;
    let mut shown = DrawnFrame::Host(Vec::new());
    let mut done = 0;
    while let Ok(picture) = pictures.recv() {
        if job.options.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        if let Picture::New(frame) = picture
            && let DrawnFrame::Host(pixels) = std::mem::replace(&mut shown, frame)
        {
            // A full pool only means that this buffer is not needed again.
            let _ = spent.try_send(pixels);
        }
        let started = Instant::now();
        let index = first + u64::from(done);
        match &shown {
            DrawnFrame::Host(planes) => sink.push(planes, index)?,
            DrawnFrame::Shared(frame) => sink.push_shared(frame, index)?,
        }
        time += started.elapsed();
        done += 1;
        (job.options.progress)(done);
    }
    let started = Instant::now();
    sink.finish()?;
    Ok(time + started.elapsed())
}
