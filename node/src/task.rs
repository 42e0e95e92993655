//! Runs the tasks of a lease: objects in, objects out.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use futures::StreamExt;
use futures::future::BoxFuture;
use kinora_composition::document::Composition;
use kinora_proto::v1::{self, lease::Task};
use object_store::buffered::BufWriter;
use object_store::path::Path as Key;
use object_store::{
    Attribute, Attributes, Error as StoreError, ObjectStore, ObjectStoreExt, PutOptions, PutPayload,
};
use tokio::io::AsyncWriteExt;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, Span};

use crate::engine::still_name;
use crate::media::OwnFiles;
use crate::objects::ObjectSource;
use crate::worker::{Executor, TaskOutput};
use crate::{Context, Engine, Error, Pace, PayingWork, RenderOptions, Result};

/// Renders leased tasks with an engine, and keeps their results in the object store.
pub struct TaskRunner(Arc<Inner>);

struct Inner {
    engine: Arc<Engine>,
    objects: Box<dyn ObjectSource>,
    work_dir: PathBuf,
    paying: PayingWork,
    /// Tasks under which the device was lost.
    ill_fated: Mutex<HashSet<String>>,
}

impl TaskRunner {
    /// A runner that keeps its files, while it needs them, under `work_dir`.
    pub fn new(engine: Arc<Engine>, objects: impl ObjectSource, work_dir: PathBuf) -> Self {
        Self(Arc::new(Inner {
            engine,
            objects: Box::new(objects),
            work_dir,
            paying: PayingWork::default(),
            ill_fated: Mutex::default(),
        }))
    }
}

impl Executor for TaskRunner {
    fn execute(
        &self,
        lease: v1::Lease,
        progress: Arc<AtomicU32>,
        cancel: CancellationToken,
    ) -> BoxFuture<'static, Result<TaskOutput>> {
        let runner = Arc::clone(&self.0);
        Box::pin(async move {
            if let Some(loss) = runner.engine.loss() {
                return Err(Error::DeviceLost(loss.reason));
            }
            let task = lease.id.clone().unwrap_or_default().task_id;
            let ended = runner.work(lease, progress, cancel).await;
            ended.map_err(|error| runner.after_loss(task, error))
        })
    }
}

impl Inner {
    async fn work(
        &self,
        lease: v1::Lease,
        progress: Arc<AtomicU32>,
        cancel: CancellationToken,
    ) -> Result<TaskOutput> {
        let _paying = (!lease.is_preview).then(|| self.paying.begin());
        let store = self.objects.of_lease(&lease)?;
        let options = self.options(&lease, &store, progress, cancel);
        let task = lease.task.ok_or_else(unknown_task)?;
        std::fs::create_dir_all(&self.work_dir).context("making the work folder")?;
        let folder = tempfile::tempdir_in(&self.work_dir).context("making a work folder")?;
        let folder = folder.path();
        match task {
            Task::Render(task) => self.render(task, options, &store, folder).await,
            Task::Assemble(task) => self.assemble(task, options, &store, folder).await,
            Task::Stills(task) => self.stills(task, options, &store, folder).await,
        }
    }

    /// Blames what went wrong on the device if it was lost meanwhile; on the task, if that was too large for the
    /// device, or has lost one before.
    fn after_loss(&self, task: String, error: Error) -> Error {
        let Some(loss) = self.engine.loss() else {
            return error;
        };
        if matches!(error, Error::Cancelled) {
            return error;
        }
        let mut ill_fated = self
            .ill_fated
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let is_first = ill_fated.insert(task);
        match error {
            Error::DeviceLost(reason) if !is_first => {
                Error::internal("the graphics device was lost again", reason)
            }
            _ if loss.is_out_of_memory || !is_first => error,
            _ => Error::DeviceLost(loss.reason),
        }
    }

    fn options(
        &self,
        lease: &v1::Lease,
        store: &Arc<dyn ObjectStore>,
        progress: Arc<AtomicU32>,
        cancel: CancellationToken,
    ) -> RenderOptions {
        let pace = if lease.is_preview {
            Pace::Yielding {
                to: self.paying.clone(),
                rest: Pace::PREVIEW_REST,
            }
        } else {
            Pace::Full
        };
        let own_files = match lease.public_url.as_str() {
            "" => None,
            public_url => Some(OwnFiles::new(Arc::clone(store), public_url)),
        };
        RenderOptions {
            pace,
            own_files,
            encoder: (!lease.encoder.is_empty()).then(|| lease.encoder.clone()),
            progress: Arc::new(move |frames| progress.store(frames, Ordering::Relaxed)),
            cancel,
            ..RenderOptions::default()
        }
    }

    async fn render(
        &self,
        task: v1::RenderTask,
        options: RenderOptions,
        store: &Arc<dyn ObjectStore>,
        folder: &Path,
    ) -> Result<TaskOutput> {
        let composition = read(&task.composition_json)?;
        let frames = task.first_frame..task.end_frame;
        let chunk = folder.join("chunk.mp4");
        let options = RenderOptions {
            reduce: task.reduce,
            ..options
        };
        self.engine
            .render_chunk(&composition, frames, &options, &chunk)
            .await?;
        keep_video(store, &chunk, task.output_key, &options).await
    }

    async fn assemble(
        &self,
        task: v1::AssembleTask,
        options: RenderOptions,
        store: &Arc<dyn ObjectStore>,
        folder: &Path,
    ) -> Result<TaskOutput> {
        let composition = read(&task.composition_json)?;
        let chunks = download(&**store, &task.chunk_keys, folder).await?;
        let frames = 0..composition.duration_in_frames;
        let video = folder.join("video.mp4");
        self.engine
            .assemble(&composition, frames, &options, &chunks, &video)
            .await?;
        keep_video(store, &video, task.output_key, &options).await
    }

    async fn stills(
        &self,
        mut task: v1::StillsTask,
        options: RenderOptions,
        store: &Arc<dyn ObjectStore>,
        folder: &Path,
    ) -> Result<TaskOutput> {
        let composition = read(&task.composition_json)?;
        let options = RenderOptions {
            reduce: task.reduce,
            ..options
        };
        task.frames.sort_unstable();
        task.frames.dedup();
        self.engine
            .stills(&composition, &task.frames, &options, folder)
            .await?;
        let mut output_size = 0;
        for frame in task.frames {
            refuse_cancelled(&options)?;
            let name = still_name(frame);
            let key = format!("{}/{name}", task.output_key);
            let file = folder.join(name);
            let uploading = upload_picture(&**store, &file, &key);
            output_size += uploading.instrument(upload_span()).await?;
        }
        Ok(TaskOutput {
            output_key: task.output_key,
            output_size,
        })
    }
}

async fn keep_video(
    store: &Arc<dyn ObjectStore>,
    file: &Path,
    output_key: String,
    options: &RenderOptions,
) -> Result<TaskOutput> {
    refuse_cancelled(options)?;
    let uploading = upload(store, file, &output_key);
    let output_size = uploading.instrument(upload_span()).await?;
    Ok(TaskOutput {
        output_key,
        output_size,
    })
}

fn upload_span() -> Span {
    tracing::info_span!(target: "kinora_node::traced", "upload")
}

fn unknown_task() -> Error {
    Error::internal("reading a lease", "it holds no known task")
}

/// Whoever stopped the work does not want its results either.
fn refuse_cancelled(options: &RenderOptions) -> Result<()> {
    if options.cancel.is_cancelled() {
        return Err(Error::Cancelled);
    }
    Ok(())
}

fn read(composition_json: &str) -> Result<Arc<Composition>> {
    let value = serde_json::from_str(composition_json).context("reading a composition")?;
    Composition::from_json(&value)
        .map(|(composition, _)| Arc::new(composition))
        .map_err(|issues| Error::internal("reading a composition", format!("{issues:?}")))
}

async fn download(store: &dyn ObjectStore, keys: &[String], folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::with_capacity(keys.len());
    for (index, key) in keys.iter().enumerate() {
        let path = folder.join(format!("chunk-{index}.mp4"));
        let mut file = tokio::fs::File::create(&path)
            .await
            .context("keeping a chunk")?;
        let object = store
            .get(&Key::from(key.as_str()))
            .await
            .context("fetching a chunk")?;
        let mut bytes = object.into_stream();
        while let Some(part) = bytes.next().await {
            file.write_all(&part.context("fetching a chunk")?)
                .await
                .context("keeping a chunk")?;
        }
        file.flush().await.context("keeping a chunk")?;
        files.push(path);
    }
    Ok(files)
}

async fn upload(store: &Arc<dyn ObjectStore>, file: &Path, key: &str) -> Result<i64> {
    let mut from = tokio::fs::File::open(file)
        .await
        .context("reading a result")?;
    let mut to = BufWriter::new(Arc::clone(store), Key::from(key));
    let size = tokio::io::copy(&mut from, &mut to)
        .await
        .context("storing a result")?;
    to.shutdown().await.context("storing a result")?;
    i64::try_from(size).context("storing a result")
}

/// Stores a PNG file as what it is, where the store keeps such things; a local folder does not.
async fn upload_picture(store: &dyn ObjectStore, file: &Path, key: &str) -> Result<i64> {
    let bytes = tokio::fs::read(file).await.context("reading a result")?;
    let size = i64::try_from(bytes.len()).context("storing a result")?;
    let (key, bytes) = (Key::from(key), PutPayload::from(bytes));
    let typed = PutOptions {
        attributes: Attributes::from_iter([(Attribute::ContentType, "image/png")]),
        ..PutOptions::default()
    };
    match store.put_opts(&key, bytes.clone(), typed).await {
        Err(StoreError::NotImplemented { .. }) => store.put(&key, bytes).await,
        other => other,
    }
    .context("storing a result")?;
    Ok(size)
}
