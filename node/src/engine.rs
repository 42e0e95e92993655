//! Everything that one machine needs to render: device, fonts, media cache, encoder.

mod drawing;

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Instant;

use kinora_composition::document::{Composition, Overlay, OverlayKind};
use kinora_composition::timeline::{FrameTimes, Scene};
use tracing::{Instrument, Span};

use crate::audio::{AudioClip, Mixer, SAMPLE_RATE};
use crate::encode::{EncoderSettings, Encoders};
use crate::gpu::{Gpu, Reduction};
use crate::layers::{Sources, Stage};
use crate::media::{CacheConfig, CacheUse, MediaCache, MediaFile, Named, VideoReader, frame_times};
use crate::mux::ChunkEncoder;
use crate::pipeline::{self, FrameSink, Job, RenderTimes};
use crate::text::{FontBook, Typesetter, find_font_folder};
use crate::{Error, RenderOptions, Result, mux, stills};
use drawing::Drawing;

/// How an engine is set up.
#[derive(Clone, Debug)]
pub struct EngineConfig {
    /// The font folder; found by itself when `None`.
    pub fonts: Option<PathBuf>,
    /// Where fetched media are kept.
    pub cache_dir: PathBuf,
    /// How much of them, at most.
    pub cache_bytes: u64,
    /// Whether media may come from private addresses.
    pub allow_private_urls: bool,
    /// Where relative paths start, when local files may be used at all.
    pub local_media: Option<PathBuf>,
    /// The encoder to use instead of the best one.
    pub encoder: Option<String>,
    /// Whether a video engine decodes, where there is one.
    pub hardware_decoding: bool,
}

/// A machine that can render.
pub struct Engine(Arc<Inner>);

struct Inner {
    drawing: RwLock<Arc<Drawing>>,
    typesetter: Mutex<Typesetter>,
    cache: MediaCache,
    encoder: Option<String>,
    losses: AtomicU64,
}

/// A composition whose media are on this machine. The files stay in the cache while it lives.
struct Fetched {
    sources: Sources,
    _pins: Vec<MediaFile>,
}

impl Fetched {
    /// When animated pictures show which frame, by their sources.
    fn frame_times(&self) -> Result<HashMap<String, Arc<FrameTimes>>> {
        let mut times = HashMap::new();
        for (src, file) in &self.sources {
            if let Some(found) = frame_times(file)? {
                times.insert(src.clone(), Arc::new(found));
            }
        }
        Ok(times)
    }

    /// Frames a second of videos of which a composition plays segments, by their sources.
    fn frame_rates(&self, composition: &Composition) -> Result<HashMap<String, f64>> {
        let mut rates = HashMap::new();
        for overlay in &composition.overlays {
            let OverlayKind::Video(video) = &overlay.kind else {
                continue;
            };
            let has_segments = video.segments.as_ref().is_some_and(|them| !them.is_empty());
            let Some(file) = self.sources.get(&video.src).filter(|_| has_segments) else {
                continue;
            };
            if !rates.contains_key(&video.src) {
                let name = format!("{}: {}", overlay.label(), video.src);
                let fps = VideoReader::open(file).named(&name)?.info().fps;
                if fps > 0.0 {
                    rates.insert(video.src.clone(), fps);
                }
            }
        }
        Ok(rates)
    }
}

impl Engine {
    /// Opens the device, reads the fonts and looks for an encoder.
    pub async fn start(config: EngineConfig) -> Result<Self> {
        let gpu = Gpu::open().await?;
        let encoders = Encoders::new(gpu.uuid());
        Self::start_with(config, gpu, encoders)
    }

    /// The same on a device that is open, with encoders of one's own.
    pub fn start_with(config: EngineConfig, gpu: Gpu, encoders: Encoders) -> Result<Self> {
        let folder = find_font_folder(config.fonts.as_deref())?;
        let typesetter = Mutex::new(Typesetter::new(FontBook::open(&folder)?));
        let cache = MediaCache::open(CacheConfig {
            max_bytes: config.cache_bytes,
            allow_private: config.allow_private_urls,
            local_base: config.local_media,
            ..CacheConfig::new(config.cache_dir)
        })?;
        encoders.probe();
        let adapter = gpu.describe();
        tracing::info!(adapter, "engine ready");
        let drawing = Drawing {
            gpu,
            encoders,
            hardware_decoding: config.hardware_decoding,
        };
        Ok(Self(Arc::new(Inner {
            drawing: RwLock::new(Arc::new(drawing)),
            typesetter,
            cache,
            encoder: config.encoder,
            losses: AtomicU64::default(),
        })))
    }

    /// What draws.
    pub fn adapter(&self) -> String {
        self.0.drawing().gpu.describe()
    }

    /// What was asked of the media cache, and what it holds.
    pub fn cache_use(&self) -> CacheUse {
        self.0.cache.usage()
    }

    /// What chunks can be encoded with here, best first: what works, or what the engine was told to use.
    pub fn offered_encoders(&self) -> Vec<String> {
        let is_wanted = |name: &str| self.0.encoder.as_ref().is_none_or(|wanted| wanted == name);
        let drawing = self.0.drawing();
        let offered = drawing.encoders.probe().iter();
        let offered = offered.filter(|report| report.usable && is_wanted(report.name));
        offered.map(|report| report.name.to_owned()).collect()
    }

    /// The font folder and the families in it.
    pub fn fonts(&self) -> (PathBuf, Vec<String>) {
        let typesetter = self
            .0
            .typesetter
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let fonts = &typesetter.fonts;
        (
            fonts.folder().to_owned(),
            fonts.families().iter().cloned().collect(),
        )
    }

    /// Draws and encodes a range of frames into a chunk.
    pub async fn render_chunk(
        &self,
        composition: &Arc<Composition>,
        frames: Range<u32>,
        options: &RenderOptions,
        out: &Path,
    ) -> Result<RenderTimes> {
        let Composition {
            width, height, fps, ..
        } = **composition;
        let (width, height) = Reduction::new((width, height), options.reduce).size();
        let settings = EncoderSettings {
            codec: options.codec,
            ..EncoderSettings::new(width, height, fps)
        };
        let wanted = options.encoder.as_deref().or(self.0.encoder.as_deref());
        let drawing = self.0.drawing();
        let chunk = ChunkEncoder::create_with(&drawing.encoders, out, &settings, wanted)?;
        self.render(composition, frames, options, Box::new(chunk), false)
            .await
    }

    /// Draws a range of frames into a sink, step by step, to learn what each step takes.
    pub async fn profile(
        &self,
        composition: &Arc<Composition>,
        frames: Range<u32>,
        options: &RenderOptions,
        sink: Box<dyn FrameSink>,
    ) -> Result<RenderTimes> {
        self.render(composition, frames, options, sink, true).await
    }

    /// Draws a range of frames into a sink as fast as it can.
    pub async fn draw_frames(
        &self,
        composition: &Arc<Composition>,
        frames: Range<u32>,
        options: &RenderOptions,
        sink: Box<dyn FrameSink>,
    ) -> Result<RenderTimes> {
        self.render(composition, frames, options, sink, false).await
    }

    async fn render(
        &self,
        composition: &Arc<Composition>,
        frames: Range<u32>,
        options: &RenderOptions,
        sink: Box<dyn FrameSink>,
        is_profiled: bool,
    ) -> Result<RenderTimes> {
        self.draw(composition, options, is_profiled, |gpu, stage, job| {
            pipeline::render(gpu, stage, job, frames, sink)
        })
        .await
    }

    /// Draws single frames as `<frame>.png` into a folder.
    pub async fn stills(
        &self,
        composition: &Arc<Composition>,
        frames: &[u32],
        options: &RenderOptions,
        folder: &Path,
    ) -> Result<()> {
        let file_of = |frame: &u32| (*frame, folder.join(still_name(*frame)));
        let stills = frames.iter().map(file_of).collect();
        self.draw_stills(composition, stills, options).await
    }

    /// Draws one frame into a PNG file.
    pub async fn frame_png(
        &self,
        composition: &Arc<Composition>,
        frame: u32,
        out: &Path,
    ) -> Result<()> {
        let still = vec![(frame, out.to_owned())];
        self.draw_stills(composition, still, &RenderOptions::default())
            .await
    }

    async fn draw_stills(
        &self,
        composition: &Arc<Composition>,
        stills: Vec<(u32, PathBuf)>,
        options: &RenderOptions,
    ) -> Result<()> {
        self.draw(composition, options, false, |gpu, stage, job| {
            stills::draw(gpu, stage, job, stills)
        })
        .await
    }

    /// Fetches what a composition shows and sets the stage for work on it.
    async fn draw<T: Send + 'static>(
        &self,
        composition: &Arc<Composition>,
        options: &RenderOptions,
        is_profiled: bool,
        work: impl FnOnce(&Gpu, &mut Stage<'_>, &Job<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let scene = Scene::new(Arc::clone(composition));
        let fetched = self.fetch(composition, Seen::Frames, options);
        let fetched = fetched.instrument(fetch_span()).await?;
        let (engine, drawing) = (Arc::clone(&self.0), self.0.drawing());
        let options = options.clone();
        let span = tracing::info_span!(target: "kinora_node::traced", "draw");
        let work = move || {
            let rates = fetched.frame_rates(scene.composition())?;
            let scene = scene.with_frames(&fetched.frame_times()?).with_rates(rates);
            let job = Job {
                scene: &scene,
                is_profiled,
                options: &options,
            };
            let sources = fetched.sources.clone();
            let mut stage = Stage::new(&drawing.gpu, &engine.typesetter, job.size(), sources)?
                .with_video_engine(drawing.hardware_decoding);
            work(&drawing.gpu, &mut stage, &job)
        };
        blocking(work).instrument(span).await
    }

    /// Joins chunks and the sound of `frames` into the final file. What the options say of drawing
    /// does not matter here.
    pub async fn assemble(
        &self,
        composition: &Arc<Composition>,
        frames: Range<u32>,
        options: &RenderOptions,
        chunks: &[PathBuf],
        out: &Path,
    ) -> Result<RenderTimes> {
        let scene = Scene::new(Arc::clone(composition));
        let fetched = self.fetch(composition, Seen::Sounds, options);
        let fetched = fetched.instrument(fetch_span()).await?;
        let (chunks, out, cancel) = (chunks.to_vec(), out.to_owned(), options.cancel.clone());
        let span = tracing::info_span!(target: "kinora_node::traced", "assemble");
        let work = move || {
            let started = Instant::now();
            let rates = fetched.frame_rates(scene.composition())?;
            let scene = scene.with_rates(rates);
            let fps = scene.composition().fps;
            let mixer = mixer(&scene, &fetched.sources, &frames)?;
            mux::assemble(&chunks, Some(mixer), fps, &out, &cancel)?;
            Ok(RenderTimes {
                mux: started.elapsed(),
                ..RenderTimes::default()
            })
        };
        blocking(work).instrument(span).await
    }

    /// Brings the media of a composition to this machine. What is neither seen nor heard is left.
    async fn fetch(
        &self,
        composition: &Composition,
        seen: Seen,
        options: &RenderOptions,
    ) -> Result<Fetched> {
        let mut wanted: Vec<(&str, &Overlay)> = Vec::new();
        let mut known = HashSet::new();
        for overlay in &composition.overlays {
            let is_needed = matches!(
                (&overlay.kind, seen),
                (OverlayKind::Video(_), _)
                    | (OverlayKind::Image(_) | OverlayKind::Effect(_), Seen::Frames)
                    | (OverlayKind::Sound(_), Seen::Sounds)
            );
            for src in overlay.sources() {
                if is_needed && known.insert(src) {
                    wanted.push((src, overlay));
                }
            }
        }
        // All at once: the cache knows how many it may fetch at a time.
        let fetches = wanted.iter().map(|(src, overlay)| async {
            let file = self.0.cache.fetch(src, options.own_files.as_ref()).await;
            file.map_err(|error| match error {
                Error::BadInput(message) => {
                    Error::BadInput(format!("{}: {message}", overlay.label()))
                }
                other => other,
            })
        });
        let files = tokio::select! {
            files = futures::future::try_join_all(fetches) => files?,
            () = options.cancel.cancelled() => return Err(Error::Cancelled),
        };
        let fetched = Fetched {
            sources: wanted
                .iter()
                .zip(&files)
                .map(|((src, _), file)| ((*src).to_owned(), file.path().to_owned()))
                .collect(),
            _pins: files,
        };
        Ok(fetched)
    }
}

/// Which media a task needs.
#[derive(Clone, Copy, Debug)]
enum Seen {
    Frames,
    Sounds,
}

/// The sound from the first of `frames` on. The whole timeline is mixed, so that a part of it sounds
/// as it does in the whole.
fn mixer(scene: &Scene, sources: &Sources, frames: &Range<u32>) -> Result<Mixer> {
    let composition = scene.composition();
    let sample_of =
        |frame: u32| u64::from(frame) * u64::from(SAMPLE_RATE) / u64::from(composition.fps.max(1));
    let clips = scene
        .sounds()
        .into_iter()
        .filter_map(|clip| {
            Some(AudioClip {
                path: sources.get(&clip.src)?.clone(),
                label: format!("{}: {}", clip.label, clip.src),
                optional: clip.may_be_silent,
                starts_at: clip.starts_at,
                length: clip.length,
                in_point: clip.in_point,
                speed: clip.speed,
                volume: clip.volume,
                fade_in: clip.fade_in,
                fade_out: clip.fade_out,
            })
        })
        .collect();
    let mut mixer = Mixer::open(clips, sample_of(composition.duration_in_frames))?;
    mixer.skip(sample_of(frames.start))?;
    Ok(mixer)
}

/// What the file of a single frame is called.
pub(crate) fn still_name(frame: u32) -> String {
    format!("{frame}.png")
}

fn fetch_span() -> Span {
    tracing::info_span!(target: "kinora_node::traced", "fetch")
}

/// Runs work that blocks away from the threads that serve connections, in the same span.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let span = Span::current();
    tokio::task::spawn_blocking(move || span.in_scope(work))
        .await
        .unwrap_or_else(|error| Err(Error::internal("rendering", error)))
}
