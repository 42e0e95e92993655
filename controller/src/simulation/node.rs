//! A node that does nothing but wait as long as a task would take.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use kinora_proto::v1::{
    FromNode, Heartbeat, Lease, Progress, TaskDone, ToNode, from_node, lease, to_node,
};
use tokio::{
    sync::mpsc,
    time::{Instant, MissedTickBehavior, interval_at, sleep_until},
};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use super::record::Record;
use crate::{api::Session, app::App, clock::Timestamp, store::NodeHello};

/// Messages that are not read yet, either way.
const UNREAD: usize = 32;

pub(super) struct Node {
    app: App,
    index: usize,
    task: Duration,
    record: Arc<Record>,
    /// What it works on, and until when.
    busy: Option<(Box<Lease>, Instant)>,
    /// When it reported the last task as done.
    free_since: Option<Instant>,
    /// Media of the jobs that it worked on last.
    media: VecDeque<String>,
}

impl Node {
    pub(super) fn new(app: App, index: usize, task: Duration, record: Arc<Record>) -> Self {
        Self {
            app,
            index,
            task,
            record,
            busy: None,
            free_since: None,
            media: VecDeque::new(),
        }
    }

    /// Works until shutdown.
    pub(super) async fn run(mut self, shutdown: CancellationToken) {
        let hello = NodeHello {
            id: format!("node {}", self.index).as_str().into(),
            name: format!("node {}", self.index),
            slots: 1,
            preview_slots: 0,
            adapter: "none".into(),
            encoders: vec!["x264".into()],
            version: env!("CARGO_PKG_VERSION").into(),
        };
        let registered = self.app.store.register_node(&hello, Timestamp::now()).await;
        if let Err(error) = registered {
            tracing::error!(%error, "a simulated node could not connect");
            return;
        }
        let (to_node, mut inbox) = mpsc::channel::<Result<ToNode, Status>>(UNREAD);
        let (outbox, from_node) = mpsc::channel::<Result<FromNode, Status>>(UNREAD);
        let (session, revocations) =
            Session::new(self.app.clone(), hello, to_node, shutdown.clone());
        let served = tokio::spawn(session.run(ReceiverStream::new(from_node), revocations));

        let every = self.app.timing.heartbeat;
        let mut heartbeats = interval_at(Instant::now() + every, every);
        heartbeats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let end = self.busy.as_ref().map(|(_, end)| *end);
            let message = tokio::select! {
                () = shutdown.cancelled() => break,
                message = inbox.recv() => {
                    let Some(Ok(message)) = message else { break };
                    self.hear(message);
                    continue;
                }
                () = until(end) => self.done(),
                _ = heartbeats.tick() => self.heartbeat(),
            };
            let Some(message) = message else { continue };
            let message = FromNode {
                message: Some(message),
            };
            if outbox.send(Ok(message)).await.is_err() {
                break;
            }
        }
        if !shutdown.is_cancelled() {
            self.record.cut_off(self.index);
        }
        drop((outbox, inbox));
        // A session that ended badly has said so itself.
        let _ = served.await;
    }

    fn hear(&mut self, message: ToNode) {
        match message.message {
            Some(to_node::Message::Lease(lease)) => {
                let after = self.free_since.take().map(|since| since.elapsed());
                self.record
                    .leased(self.index, &lease, after, &mut self.media);
                let time = self.task.mul_f64(rand::random_range(0.8..1.2));
                self.busy = Some((Box::new(lease), Instant::now() + time));
            }
            Some(to_node::Message::Revoke(revoke)) => {
                self.record
                    .revoked(&revoke.lease.unwrap_or_default().task_id);
            }
            Some(to_node::Message::Welcome(_)) | None => {}
        }
    }

    fn done(&mut self) -> Option<from_node::Message> {
        let (lease, _) = self.busy.take()?;
        self.record.done(self.index, &lease);
        self.free_since = Some(Instant::now());
        Some(from_node::Message::Done(TaskDone {
            output_key: output_key(&lease).to_owned(),
            lease: lease.id,
            output_size: 1,
            frames_done: 0,
            busy_ms: u32::try_from(self.task.as_millis()).unwrap_or(u32::MAX),
        }))
    }

    fn heartbeat(&self) -> Option<from_node::Message> {
        self.record.heartbeat();
        let lease = self.busy.as_ref().map(|(lease, _)| lease.id.clone());
        let tasks = lease.map(|lease| Progress {
            lease,
            frames_done: 1,
        });
        Some(from_node::Message::Heartbeat(Heartbeat {
            tasks: tasks.into_iter().collect(),
        }))
    }
}

async fn until(end: Option<Instant>) {
    match end {
        Some(end) => sleep_until(end).await,
        None => std::future::pending().await,
    }
}

fn output_key(lease: &Lease) -> &str {
    match &lease.task {
        Some(lease::Task::Render(task)) => &task.output_key,
        Some(lease::Task::Assemble(task)) => &task.output_key,
        Some(lease::Task::Stills(task)) => &task.output_key,
        None => "",
    }
}
