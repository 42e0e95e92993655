//! The lease stream over real gRPC: what a node sees.

use std::time::Duration;

use kinora_proto::v1::{
    Drain, FromNode, HandBack, Heartbeat, Hello, JobStatus, Lease, Progress, TaskDone, TaskFailed,
    ToNode, farm_client::FarmClient, from_node, lease, to_node,
};
use object_store::{ObjectStoreExt, path::Path};
use tokio::{sync::mpsc, time::timeout};
use tokio_stream::wrappers::ReceiverStream;
use tonic::Streaming;

use super::{
    api::Running,
    harness::{TestDb, body, on_both_databases},
};

pub(super) struct FakeNode {
    outbox: mpsc::Sender<FromNode>,
    inbox: Streaming<ToNode>,
}

impl FakeNode {
    pub(super) async fn connect(running: &Running, id: &str, slots: u32) -> Self {
        Self::connect_with_previews(running, id, slots, 0).await
    }

    pub(super) async fn connect_with_previews(
        running: &Running,
        id: &str,
        slots: u32,
        preview_slots: u32,
    ) -> Self {
        let (outbox, messages) = mpsc::channel(16);
        let hello = Hello {
            node_id: id.into(),
            name: id.into(),
            slots,
            preview_slots,
            ..Hello::default()
        };
        outbox
            .send(wrap(from_node::Message::Hello(hello)))
            .await
            .expect("open");
        let mut client = FarmClient::connect(running.url.clone())
            .await
            .expect("connected");
        let inbox = client
            .work(ReceiverStream::new(messages))
            .await
            .expect("a stream");
        let mut node = Self {
            outbox,
            inbox: inbox.into_inner(),
        };
        match node.next().await {
            Some(to_node::Message::Welcome(welcome)) => {
                assert_eq!(
                    (welcome.heartbeat_interval_ms, welcome.lease_ms),
                    (200, 1500)
                );
            }
            other => panic!("a welcome comes first, not {other:?}"),
        }
        node
    }

    async fn send(&self, message: from_node::Message) {
        self.outbox.send(wrap(message)).await.expect("open");
    }

    pub(super) async fn next(&mut self) -> Option<to_node::Message> {
        let message = timeout(Duration::from_secs(10), self.inbox.message()).await;
        message
            .expect("a message in time")
            .expect("an open stream")
            .map(|it| it.message.expect("one"))
    }

    pub(super) async fn lease(&mut self) -> Lease {
        match self.next().await {
            Some(to_node::Message::Lease(lease)) => lease,
            other => panic!("expected a lease, got {other:?}"),
        }
    }

    pub(super) async fn heartbeat(&self, leases: &[(&Lease, u32)]) {
        let tasks = leases
            .iter()
            .map(|(lease, frames)| Progress {
                lease: lease.id.clone(),
                frames_done: *frames,
            })
            .collect();
        self.send(from_node::Message::Heartbeat(Heartbeat { tasks }))
            .await;
    }

    pub(super) async fn done(&self, lease: &Lease) {
        self.send(from_node::Message::Done(TaskDone {
            lease: lease.id.clone(),
            output_key: output_key(lease).into(),
            output_size: 4321,
            frames_done: 30,
            busy_ms: 5,
        }))
        .await;
    }
}

fn wrap(message: from_node::Message) -> FromNode {
    FromNode {
        message: Some(message),
    }
}

pub(super) fn output_key(lease: &Lease) -> &str {
    match lease.task.as_ref().expect("a task") {
        lease::Task::Render(task) => &task.output_key,
        lease::Task::Assemble(task) => &task.output_key,
        lease::Task::Stills(task) => &task.output_key,
    }
}

async fn wait_for(running: &Running, account: &str, job: &str, status: JobStatus) {
    for _ in 0..100 {
        if running.get(account, job).await.expect("a job").status() == status {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{job} never became {status:?}");
}

on_both_databases! {
    async fn a_node_renders_a_job_from_lease_to_file(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let running = Running::start(&db).await;
        let mut node = FakeNode::connect(&running, "n1", 2).await;
        let job = running.create(account.as_str(), &body(60)).await.expect("accepted");

        let (first, second) = (node.lease().await, node.lease().await);
        assert_eq!((first.job_id.as_str(), second.job_id.as_str()), (job.as_str(), job.as_str()));
        node.heartbeat(&[(&first, 15), (&second, 0)]).await;
        wait_for(&running, account.as_str(), &job, JobStatus::Processing).await;
        for lease in [&first, &second] {
            let key = Path::from(output_key(lease));
            running.objects.put(&key, "chunk".into()).await.expect("stored");
            node.done(lease).await;
        }
        let assembly = node.lease().await;
        match assembly.task.as_ref().expect("a task") {
            lease::Task::Assemble(task) => {
                assert_eq!(task.chunk_keys, [output_key(&first), output_key(&second)]);
                assert!(task.composition_json.contains("hello"));
            }
            other => panic!("{other:?}"),
        }
        node.done(&assembly).await;
        wait_for(&running, account.as_str(), &job, JobStatus::Completed).await;
        let finished = running.get(account.as_str(), &job).await.expect("a job");
        assert_eq!(finished.output_key.as_deref(), Some(output_key(&assembly)));
        assert_eq!((finished.output_size, finished.progress_percentage), (Some(4321), 100));

        // The chunks go by themselves.
        for _ in 0..100 {
            if running.objects.head(&Path::from(output_key(&first))).await.is_err() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert!(running.objects.head(&Path::from(output_key(&second))).await.is_err());
        let page = running.controller.metrics().await.expect("metrics");
        assert!(page.contains("kinora_leases_ended_total{outcome=\"done\"} 3"), "{page}");
        assert!(page.contains("kinora_nodes_connected 1"), "{page}");
        for (kind, count) in [("render", 2), ("assemble", 1)] {
            for family in ["kinora_task_wait_seconds", "kinora_task_seconds"] {
                let line = format!("{family}_count{{lane=\"render\",kind=\"{kind}\"}} {count}\n");
                assert!(page.contains(&line), "{line} is not in\n{page}");
            }
        }
        assert!(page.contains("kinora_credits_total{kind=\"render\"} 1\n"), "{page}");
        running.stop().await;
        assert_eq!(node.next().await, None, "the stream ends with the controller");
    }
}

on_both_databases! {
    async fn a_silent_node_loses_its_task_to_another_and_is_told(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let running = Running::start(&db).await;
        let mut silent = FakeNode::connect(&running, "silent", 1).await;
        running.create(account.as_str(), &body(30)).await.expect("accepted");
        let lost = silent.lease().await;
        let mut other = FakeNode::connect(&running, "other", 1).await;
        // It lives, but does not renew this lease.
        let taken = loop {
            silent.heartbeat(&[]).await;
            other.heartbeat(&[]).await;
            if let Ok(message) = timeout(Duration::from_millis(200), other.next()).await {
                break message;
            }
        };
        let Some(to_node::Message::Lease(taken)) = taken else { panic!("{taken:?}") };
        let (old, new) = (lost.id.clone().expect("an id"), taken.id.expect("an id"));
        assert_eq!(new.task_id, old.task_id);
        assert!(new.attempt > old.attempt, "{new:?}");

        silent.heartbeat(&[(&lost, 10)]).await;
        // It may have been offered the task again before the other node took it.
        let revoked = loop {
            match silent.next().await {
                Some(to_node::Message::Revoke(revoke)) => break revoke.lease,
                Some(to_node::Message::Lease(_)) => {}
                other => panic!("expected a revocation, got {other:?}"),
            }
        };
        assert_eq!(revoked, Some(old));
        running.stop().await;
    }
}

on_both_databases! {
    async fn a_stream_that_breaks_can_be_resumed_within_the_lease(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let running = Running::start(&db).await;
        let mut node = FakeNode::connect(&running, "n1", 1).await;
        let job = running.create(account.as_str(), &body(30)).await.expect("accepted");
        let chunk = node.lease().await;
        drop(node);
        let mut node = FakeNode::connect(&running, "n1", 1).await;
        node.done(&chunk).await;
        let assembly = node.lease().await;
        node.done(&assembly).await;
        wait_for(&running, account.as_str(), &job, JobStatus::Completed).await;
        assert_eq!(assembly.id.expect("an id").attempt, 1);
        running.stop().await;
    }
}

on_both_databases! {
    async fn a_draining_node_hands_back_and_gets_nothing_more(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let running = Running::start(&db).await;
        let mut node = FakeNode::connect(&running, "n1", 1).await;
        running.create(account.as_str(), &body(30)).await.expect("accepted");
        let held = node.lease().await;
        node.send(from_node::Message::Drain(Drain {})).await;
        node.send(from_node::Message::HandBack(HandBack { lease: held.id.clone() })).await;
        running.create(account.as_str(), &body(30)).await.expect("accepted");
        // The second job and what was handed back go to the other node, in whatever order they come.
        let mut other = FakeNode::connect(&running, "n2", 2).await;
        let leases = [other.lease().await, other.lease().await].map(|lease| lease.id.expect("an id"));
        let before = held.id.expect("an id");
        let again = leases.iter().find(|lease| lease.task_id == before.task_id);
        assert_eq!(again.map(|lease| lease.attempt), Some(before.attempt + 1), "{leases:?}");
        running.stop().await;
        assert_eq!(node.next().await, None);
    }
}

on_both_databases! {
    async fn bad_input_reaches_the_caller_and_revokes_the_rest(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let running = Running::start(&db).await;
        let mut node = FakeNode::connect(&running, "n1", 2).await;
        let job = running.create(account.as_str(), &body(60)).await.expect("accepted");
        let (bad, sibling) = (node.lease().await, node.lease().await);
        let message = "overlay 1: the image can't be decoded".to_owned();
        let failed = TaskFailed { lease: bad.id, bad_input: true, message: message.clone() };
        node.send(from_node::Message::Failed(failed)).await;
        wait_for(&running, account.as_str(), &job, JobStatus::Failed).await;
        let seen = running.get(account.as_str(), &job).await.expect("a job");
        assert_eq!((seen.error_message, seen.credits_used), (Some(message), 0));
        assert_eq!(db.balance(&account).await, 500);
        node.heartbeat(&[(&sibling, 1)]).await;
        assert!(matches!(node.next().await, Some(to_node::Message::Revoke(_))));
        running.stop().await;
    }
}

on_both_databases! {
    async fn a_stream_without_a_hello_is_refused(db: TestDb) {
        let running = Running::start(&db).await;
        let mut client = FarmClient::connect(running.url.clone()).await.expect("connected");
        let drain = wrap(from_node::Message::Drain(Drain {}));
        let refused = client.work(tokio_stream::iter([drain])).await;
        assert_eq!(refused.map(|_| ()).expect_err("refused").code(), tonic::Code::InvalidArgument);
        let nameless = wrap(from_node::Message::Hello(Hello { slots: 1, ..Hello::default() }));
        let refused = client.work(tokio_stream::iter([nameless])).await;
        assert_eq!(refused.map(|_| ()).expect_err("refused").code(), tonic::Code::InvalidArgument);
        running.stop().await;
    }
}
