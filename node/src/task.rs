//! Runs the tasks of a lease: objects in, an object out.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use futures::StreamExt;
use futures::future::BoxFuture;
use kinora_composition::document::Composition;
use kinora_proto::v1;
use object_store::buffered::BufWriter;
use object_store::{ObjectStore, ObjectStoreExt, path::Path as Key};
use tokio::io::AsyncWriteExt;
use tokio_util::sync::CancellationToken;

use crate::worker::{Executor, TaskOutput};
use crate::{Context, Engine, Error, Result};

/// Renders leased tasks with an engine, and keeps their results in the object store.
pub struct TaskRunner {
    engine: Arc<Engine>,
    store: Arc<dyn ObjectStore>,
    work_dir: PathBuf,
}

impl TaskRunner {
    /// A runner that keeps its files, while it needs them, under `work_dir`.
    pub fn new(engine: Arc<Engine>, store: Arc<dyn ObjectStore>, work_dir: PathBuf) -> Self {
        Self {
            engine,
            store,
            work_dir,
        }
    }
}

impl Executor for TaskRunner {
    fn execute(
        &self,
        lease: v1::Lease,
        progress: Arc<AtomicU32>,
        cancel: CancellationToken,
    ) -> BoxFuture<'static, Result<TaskOutput>> {
        let (engine, store) = (Arc::clone(&self.engine), Arc::clone(&self.store));
        let work_dir = self.work_dir.clone();
        Box::pin(async move {
            std::fs::create_dir_all(&work_dir).context("making the work folder")?;
            let folder = tempfile::tempdir_in(&work_dir).context("making a work folder")?;
            let file = folder.path().join("out.mp4");
            let key = match lease.task {
                Some(v1::lease::Task::Render(task)) => {
                    let composition = read(&task.composition_json)?;
                    let report = Arc::new(move |frames| progress.store(frames, Ordering::Relaxed));
                    let frames = task.first_frame..task.end_frame;
                    engine
                        .render_chunk(&composition, frames, &file, report, &cancel)
                        .await?;
                    task.output_key
                }
                Some(v1::lease::Task::Assemble(task)) => {
                    let composition = read(&task.composition_json)?;
                    let chunks = download(&*store, &task.chunk_keys, folder.path()).await?;
                    let frames = 0..composition.duration_in_frames;
                    engine
                        .assemble(&composition, frames, &chunks, &file, &cancel)
                        .await?;
                    task.output_key
                }
                None => return Err(Error::internal("reading a lease", "it holds no known task")),
            };
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let output_size = upload(&store, &file, &key).await?;
            Ok(TaskOutput {
                output_key: key,
                output_size,
            })
        })
    }
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
