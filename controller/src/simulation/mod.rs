//! A farm without machines: real controllers on a real database, with as many nodes as are asked for. Each node has a
//! session as it would have over the network, takes leases, renews them and reports; only drawing is left out.

mod node;
mod record;

use std::{sync::Arc, time::Duration};

use object_store::memory::InMemory;
use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};
use tokio_util::sync::CancellationToken;

use crate::{
    Config, Credits, Error, Plan, Result, SecretKey,
    admin::{Admin, CreateAccount, Payment},
    app::App,
    clock::Timestamp,
    ids::{AccountId, JobId},
    jobs, loops,
    state::{JobState, Lane, TaskState},
    store::{NewJob, Store},
};
use node::Node;
use record::Record;

/// Chunks of each job.
const CHUNKS: u32 = 50;
/// Seconds of video in a chunk, and frames in each of them.
const CHUNK_SECONDS: u32 = 5;
const FPS: u32 = 30;
/// So many jobs show the same media.
const JOBS_OF_MEDIA: usize = 4;
/// About what a composition has to say.
const COMPOSITION_BYTES: usize = 4096;

/// What is simulated.
#[derive(Clone, Debug)]
pub struct Load {
    /// An empty database.
    pub database_url: String,
    /// Controllers that share the nodes.
    pub controllers: usize,
    /// Nodes, with one slot each.
    pub nodes: usize,
    /// Tasks in the queue, of all accounts together.
    pub tasks: usize,
    /// Accounts with equal work.
    pub accounts: usize,
    /// How long a task takes, give or take a fifth.
    pub task: Duration,
    /// How long to measure once all nodes are there; less if everything is done before.
    pub length: Duration,
}

/// What was seen.
#[derive(Clone, Debug)]
pub struct Findings {
    /// How long was measured.
    pub length: Duration,
    /// Tasks leased and done meanwhile.
    pub claims: u64,
    /// Heartbeats meanwhile.
    pub heartbeats: u64,
    /// How long the database took to lease a task, for half of the claims and for all but one in a hundred: the end of a
    /// bucket, none past the last.
    pub claim_median: Option<Duration>,
    /// See `claim_median`.
    pub claim_p99: Option<Duration>,
    /// From the report of a node that a task is done to its next lease: half, all but one in a hundred, the longest.
    pub turnaround: [Duration; 3],
    /// Jobs that were completed, of how many.
    pub jobs: (usize, usize),
    /// Of the first half of all leases, how many each account had.
    pub shares: Vec<usize>,
    /// Of the leases after a node's first, those of media that it had at hand.
    pub at_hand: f64,
    /// Rules of the queue that were broken. There should be none.
    pub problems: Vec<String>,
}

/// Runs a load to its end.
///
/// # Errors
/// When the database can't be used, or is not empty.
pub async fn simulate(load: &Load) -> Result<Findings> {
    let store = Store::open(&load.database_url).await?;
    let counts = store.counts(Timestamp(0)).await?;
    if !counts.jobs.is_empty() || counts.connected_nodes > 0 {
        return Err(Error::Setup(
            "a simulation needs an empty database of its own: it fills it with work that nobody asked for".into(),
        ));
    }
    let record = Arc::new(Record::default());
    let jobs = queue_work(&store, load, &record).await?;
    store.close().await;

    let shutdown = CancellationToken::new();
    let apps = controllers(load).await?;
    let mut background = JoinSet::new();
    for app in &apps {
        background.spawn(loops::run(app.clone(), shutdown.clone()));
    }
    let mut nodes = JoinSet::new();
    for (index, app) in apps.iter().cycle().take(load.nodes).enumerate() {
        let node = Node::new(app.clone(), index, load.task, Arc::clone(&record));
        nodes.spawn(node.run(shutdown.clone()));
        // One after the other within the time of a task, so that they don't all end together.
        let due = u32::try_from(index).unwrap_or(u32::MAX);
        if due.is_multiple_of(10) {
            sleep(load.task * 10 / u32::try_from(load.nodes).unwrap_or(1).max(1)).await;
        }
    }

    sleep(load.task / 2).await;
    let (before, began) = (apps[0].counters.claims(), Instant::now());
    record.begin();
    while began.elapsed() < load.length && record.completed() < jobs {
        sleep(load.length.min(Duration::from_millis(100))).await;
    }
    let length = began.elapsed();
    let claims = apps[0].counters.claims().since(&before);
    let seen = record.end();
    shutdown.cancel();
    nodes.join_all().await;
    background.join_all().await;
    let problems = audit(&apps[0].store, load, &record).await?;
    for app in &apps {
        app.store.close().await;
    }
    Ok(Findings {
        length,
        claims: claims.count(),
        heartbeats: seen.heartbeats,
        claim_median: claims.quantile(0.5),
        claim_p99: claims.quantile(0.99),
        turnaround: seen.turnaround,
        jobs: (record.completed(), jobs),
        shares: record.shares(load.accounts),
        at_hand: record.at_hand(),
        problems,
    })
}

/// Controllers as they would run apart, but for what they count.
async fn controllers(load: &Load) -> Result<Vec<App>> {
    let mut apps: Vec<App> = Vec::new();
    for _ in 0..load.controllers.max(1) {
        let secret = SecretKey::from_text(&"07".repeat(32)).map_err(|error| {
            Error::Setup(format!("the secret of a simulation is not one: {error}"))
        })?;
        let config = Config::new(&load.database_url, Arc::new(InMemory::new()), secret);
        let store = Store::open(&load.database_url).await?;
        let mut app = App::new(config, store)?;
        // There is nothing to put into a store that is forgotten.
        app.set_seeded();
        if let Some(first) = apps.first() {
            app.counters = Arc::clone(&first.counters);
        }
        apps.push(app);
    }
    Ok(apps)
}

/// Fills the queue, job by job in turn for each account; answers how many jobs there are.
async fn queue_work(store: &Store, load: &Load, record: &Record) -> Result<usize> {
    let mut accounts = Vec::new();
    let admin = Admin::connect(&load.database_url).await?;
    for index in 0..load.accounts.max(1) {
        let account = CreateAccount {
            email: format!("{index}@simulation.example"),
            name: "Simulated".into(),
            plan: Plan::None,
            credits: 0,
            payment: Payment::none(),
            password: None,
        };
        accounts.push(admin.create_account(account).await?);
    }
    let jobs = load.tasks.div_ceil(CHUNKS as usize + 1);
    for index in 0..jobs {
        let job = JobId::random();
        let owner = index % accounts.len();
        let media = format!("media {owner} {}", index / accounts.len() / JOBS_OF_MEDIA);
        record.expect(&job, owner, &media);
        queue_job(store, &accounts[owner], &job, &media).await?;
    }
    Ok(jobs)
}

async fn queue_job(store: &Store, account: &AccountId, job: &JobId, media: &str) -> Result<()> {
    let composition = "x".repeat(COMPOSITION_BYTES);
    let frames = CHUNKS * CHUNK_SECONDS * FPS;
    let new = NewJob {
        id: job,
        account,
        mode: "direct",
        composition_json: &composition,
        width: 1920,
        height: 1080,
        fps: FPS,
        frames,
        price: Credits::from_hundredths(0),
        webhook_url: None,
        project: None,
        public_url: "",
        lane: Lane::Render,
        preview: None,
        estimated_minutes: 1,
        media,
        trace_parent: None,
    };
    let now = Timestamp::now();
    let mut tx = store.begin().await?;
    tx.insert_job(&new, now).await?;
    tx.queue_tasks(&new, &jobs::tasks(frames, FPS, CHUNK_SECONDS * FPS), now)
        .await?;
    tx.commit().await
}

/// Rules that were broken on the way, or are by what the database says now.
async fn audit(store: &Store, load: &Load, record: &Record) -> Result<Vec<String>> {
    let mut problems = record.problems();
    let counts = store.counts(Timestamp(0)).await?;
    let tasks = |state| -> i64 {
        let in_state = counts.tasks.iter().filter(|(.., of, _)| *of == state);
        in_state.map(|(.., tasks)| tasks).sum()
    };
    let all: i64 = TaskState::ALL.iter().map(|state| tasks(*state)).sum();
    let jobs = load.tasks.div_ceil(CHUNKS as usize + 1);
    let expected = jobs * (CHUNKS as usize + 1);
    if usize::try_from(all).ok() != Some(expected) {
        problems.push(format!("{all} tasks are there of {expected}"));
    }
    let done = usize::try_from(tasks(TaskState::Done)).unwrap_or(0);
    if done < record.acknowledged() {
        let reported = record.acknowledged();
        problems.push(format!(
            "{done} tasks are done of {reported} that were taken as such"
        ));
    }
    let completed = counts
        .jobs
        .iter()
        .find(|(state, _)| *state == JobState::Completed);
    let completed = completed.map_or(0, |(_, jobs)| *jobs);
    if usize::try_from(completed).unwrap_or(0) < record.completions_heard() {
        let heard = record.completions_heard();
        problems.push(format!(
            "{completed} jobs are completed of {heard} that were taken as such"
        ));
    }
    Ok(problems)
}
