//! One stream to a controller, from hello to its end.

use std::{error::Error, time::Duration};

use kinora_proto::v1::{
    Drain, FromNode, HandBack, Heartbeat, LeaseId, ToNode, Welcome, farm_client::FarmClient,
    from_node, to_node,
};
use tokio::{
    sync::mpsc,
    time::{Instant, Interval, MissedTickBehavior, sleep_until, timeout},
};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::{Status, Streaming, transport::Channel};

use super::{WorkerConfig, tasks::Tasks};

/// Messages on their way to a controller that has not read them yet.
const OUTBOX: usize = 64;
/// Leases carry whole compositions.
const MAX_MESSAGE_BYTES: usize = 64 << 20;
/// How long a controller may take to say welcome.
const WELCOME_TIMEOUT: Duration = Duration::from_secs(5);
/// How long cancelled tasks may take to stop when the node drains.
const CANCEL_GRACE: Duration = Duration::from_secs(2);
/// How long the controller may take to hear our last words.
const FAREWELL_TIMEOUT: Duration = Duration::from_secs(1);

/// Why there is no stream any more.
#[derive(Debug)]
pub(super) enum Ended {
    /// We are shutting down, and everything is handed back.
    Drained,
    /// The controller is not there.
    Lost {
        /// Whether it ever was.
        welcomed: bool,
        reason: String,
    },
}

impl Ended {
    /// A stream that never came about.
    pub(super) fn lost(error: &dyn Error) -> Self {
        let reason = causes(error);
        Self::Lost {
            welcomed: false,
            reason,
        }
    }
}

/// The other end does not listen any more.
struct Closed;

struct Session<'a> {
    tasks: &'a mut Tasks,
    outbox: mpsc::Sender<FromNode>,
    inbox: Streaming<ToNode>,
    heartbeats: Interval,
    lease: Duration,
}

/// Works on one stream until it breaks or the node has drained.
pub(super) async fn serve(
    config: &WorkerConfig,
    channel: Channel,
    tasks: &mut Tasks,
    shutdown: &CancellationToken,
) -> Ended {
    let (outbox, messages) = mpsc::channel(OUTBOX);
    let opened = timeout(WELCOME_TIMEOUT, open(config, channel, &outbox, messages));
    let (inbox, welcome) = match shutdown.run_until_cancelled(opened).await {
        None => return Ended::Drained,
        Some(Ok(Ok(opened))) => opened,
        Some(Ok(Err(reason))) => {
            return Ended::Lost {
                welcomed: false,
                reason,
            };
        }
        Some(Err(_)) => {
            let reason = "the controller does not answer".into();
            return Ended::Lost {
                welcomed: false,
                reason,
            };
        }
    };
    tracing::info!(controller = config.controller_url, "connected");
    let interval = Duration::from_millis(welcome.heartbeat_interval_ms.max(1).into());
    let mut heartbeats = tokio::time::interval(interval);
    heartbeats.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let lease = Duration::from_millis(welcome.lease_ms.into());
    let mut session = Session {
        tasks,
        outbox,
        inbox,
        heartbeats,
        lease,
    };

    let reason = match session.work(shutdown).await {
        Ok(()) => match session.drain(config.drain_grace).await {
            Ok(()) => return Ended::Drained,
            Err(Closed) => "the stream broke".into(),
        },
        Err(reason) => reason,
    };
    if shutdown.is_cancelled() {
        Ended::Drained
    } else {
        Ended::Lost {
            welcomed: true,
            reason,
        }
    }
}

/// Opens the stream and exchanges greetings.
async fn open(
    config: &WorkerConfig,
    channel: Channel,
    outbox: &mpsc::Sender<FromNode>,
    messages: mpsc::Receiver<FromNode>,
) -> Result<(Streaming<ToNode>, Welcome), String> {
    let hello = FromNode {
        message: Some(from_node::Message::Hello(config.hello())),
    };
    outbox
        .send(hello)
        .await
        .map_err(|error| error.to_string())?;
    let mut client = FarmClient::new(config.access.channel(channel))
        .max_decoding_message_size(MAX_MESSAGE_BYTES);
    let opened = client.work(ReceiverStream::new(messages)).await;
    let mut inbox = opened.map_err(|status| told(&status))?.into_inner();
    match inbox.message().await {
        Ok(Some(ToNode {
            message: Some(to_node::Message::Welcome(welcome)),
        })) => Ok((inbox, welcome)),
        Ok(_) => Err("the controller did not say welcome".into()),
        Err(status) => Err(told(&status)),
    }
}

/// What a controller said, or why it could say nothing.
fn told(status: &Status) -> String {
    match status.source() {
        Some(_) => causes(status),
        None => status.message().to_owned(),
    }
}

/// What lies under an error of the transport, whose outermost layer says next to nothing.
fn causes(error: &dyn Error) -> String {
    let mut causes: Vec<String> = Vec::new();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let text = inner.to_string();
        if causes.last() != Some(&text) {
            causes.push(text);
        }
        cause = inner.source();
    }
    match causes.is_empty() {
        true => error.to_string(),
        false => causes.join(": "),
    }
}

impl Session<'_> {
    /// Takes leases and reports, until shutdown (`Ok`) or until the stream breaks.
    async fn work(&mut self, shutdown: &CancellationToken) -> Result<(), String> {
        self.tasks.give_up_expired();
        for report in self.tasks.reports_to_repeat() {
            self.send(report)
                .await
                .map_err(|Closed| "the stream broke")?;
        }
        while !shutdown.is_cancelled() {
            let stepped = tokio::select! {
                () = shutdown.cancelled() => break,
                message = self.inbox.message() => match message {
                    Ok(Some(message)) => self.handle(message, Accepts::Leases).await,
                    Ok(None) => return Err("the controller closed the stream".into()),
                    Err(status) => return Err(status.message().to_owned()),
                },
                finished = self.tasks.next_finished() => {
                    let report = self.tasks.report(finished);
                    self.send(report).await
                }
                _ = self.heartbeats.tick() => self.heartbeat().await,
            };
            stepped.map_err(|Closed| "the stream broke")?;
        }
        Ok(())
    }

    /// Lets running tasks finish for a while, hands back the rest, and says goodbye.
    async fn drain(&mut self, grace: Duration) -> Result<(), Closed> {
        tracing::info!(seconds = grace.as_secs(), "draining");
        self.send(from_node::Message::Drain(Drain {})).await?;
        self.finish_until(Instant::now() + grace).await?;
        if !self.tasks.is_idle() {
            self.tasks.cancel();
            self.finish_until(Instant::now() + CANCEL_GRACE).await?;
        }
        for lease in self.tasks.abort_all() {
            self.hand_back(lease).await?;
        }
        self.farewell().await;
        Ok(())
    }

    /// Reports whatever ends, until nothing runs or time is up.
    async fn finish_until(&mut self, end: Instant) -> Result<(), Closed> {
        while !self.tasks.is_idle() {
            tokio::select! {
                () = sleep_until(end) => break,
                message = self.inbox.message() => match message {
                    Ok(Some(message)) => self.handle(message, Accepts::Nothing).await?,
                    Ok(None) | Err(_) => return Err(Closed),
                },
                finished = self.tasks.next_finished() => {
                    let report = self.tasks.report(finished);
                    self.send(report).await?;
                }
                _ = self.heartbeats.tick() => self.heartbeat().await?,
            }
        }
        Ok(())
    }

    /// Ends our half of the stream and waits until the controller ends its own: then it has read
    /// everything.
    async fn farewell(&mut self) {
        let (closed, _) = mpsc::channel(1);
        self.outbox = closed;
        let rest = async { while let Ok(Some(_)) = self.inbox.message().await {} };
        if timeout(FAREWELL_TIMEOUT, rest).await.is_err() {
            tracing::warn!("the controller did not confirm the end of the stream");
        }
    }

    async fn handle(&mut self, message: ToNode, accepts: Accepts) -> Result<(), Closed> {
        match (message.message, accepts) {
            (Some(to_node::Message::Lease(lease)), Accepts::Leases) => self.tasks.start(lease),
            (Some(to_node::Message::Lease(lease)), Accepts::Nothing) => {
                if let Some(lease) = lease.id {
                    self.hand_back(lease).await?;
                }
            }
            (Some(to_node::Message::Revoke(revoke)), _) => {
                if let Some(lease) = &revoke.lease {
                    self.tasks.revoke(lease);
                }
            }
            // A second welcome changes nothing; what we don't know comes from a newer controller.
            (Some(to_node::Message::Welcome(_)) | None, _) => {}
        }
        Ok(())
    }

    async fn hand_back(&self, lease: LeaseId) -> Result<(), Closed> {
        self.send(from_node::Message::HandBack(HandBack {
            lease: Some(lease),
        }))
        .await
    }

    async fn heartbeat(&mut self) -> Result<(), Closed> {
        let tasks = self.tasks.progress();
        self.send(from_node::Message::Heartbeat(Heartbeat { tasks }))
            .await?;
        self.tasks.renewed(self.lease);
        Ok(())
    }

    async fn send(&self, message: from_node::Message) -> Result<(), Closed> {
        self.outbox
            .send(FromNode {
                message: Some(message),
            })
            .await
            .map_err(|_| Closed)
    }
}

/// Whether new leases are taken.
#[derive(Clone, Copy)]
enum Accepts {
    Leases,
    Nothing,
}
