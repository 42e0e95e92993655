//! What a controller does by itself, on timers. Each loop takes one step at a time, and a step that
//! fails is taken again at the next tick.

use std::{future::Future, ops::Range, time::Duration};

use tokio::{
    task::JoinSet,
    time::{MissedTickBehavior, timeout},
};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::{
    Result, app::App, clock::Timestamp, metrics::Ending, objects, previews, scheduler, state::Lane,
    store::Heard, templates, uploads, wakeups::Topic, webhooks,
};

/// How long a heartbeat waits for others to be written down with: not long, beside a lease.
const PULSE_EVERY: Duration = Duration::from_millis(200);
/// How long until a lost connection is tried again: longer each time.
const LISTEN_AGAIN_AFTER: Range<Duration> = Duration::from_millis(100)..Duration::from_secs(5);
/// How far apart controllers look at the queue, at most.
const LOOK_APART: Duration = Duration::from_millis(500);
const REAP_EVERY: Duration = Duration::from_secs(1);
const RESCUE_EVERY: Duration = Duration::from_secs(10);
const CLEAN_EVERY: Duration = Duration::from_secs(1);
const EXPIRE_EVERY: Duration = Duration::from_secs(1);
const SEED_AGAIN_AFTER: Duration = Duration::from_secs(5);
const FORGET_EVERY: Duration = Duration::from_secs(3600);
/// A step that takes this long waits for somebody who will not answer; it is given up and taken again.
const STEP_PATIENCE: Duration = Duration::from_secs(60);

/// Runs every loop until shutdown.
pub(crate) async fn run(app: App, shutdown: CancellationToken) {
    let mut loops = JoinSet::new();
    let poll_every = app.timing.poll;
    loops.spawn(repeat(
        "expire",
        EXPIRE_EVERY,
        shutdown.clone(),
        app.clone(),
        expire,
    ));
    loops.spawn(repeat(
        "tidy",
        FORGET_EVERY,
        shutdown.clone(),
        app.clone(),
        tidy,
    ));
    loops.spawn(webhooks::run(app.clone(), shutdown.clone()));
    loops.spawn(listen(app.clone(), shutdown.clone()));
    loops.spawn(repeat(
        "pulse",
        PULSE_EVERY,
        shutdown.clone(),
        app.clone(),
        pulse,
    ));
    loops.spawn(repeat(
        "poll",
        poll_every,
        shutdown.clone(),
        app.clone(),
        poll,
    ));
    loops.spawn(repeat(
        "reap",
        REAP_EVERY,
        shutdown.clone(),
        app.clone(),
        reap,
    ));
    loops.spawn(repeat(
        "rescue",
        RESCUE_EVERY,
        shutdown.clone(),
        app.clone(),
        rescue,
    ));
    loops.spawn(repeat(
        "clean",
        CLEAN_EVERY,
        shutdown.clone(),
        app.clone(),
        clean,
    ));
    loops.spawn(until_done(
        "seed",
        SEED_AGAIN_AFTER,
        shutdown.clone(),
        app.clone(),
        seed,
    ));
    loops.spawn(repeat("forget", FORGET_EVERY, shutdown, app, forget));
    loops.join_all().await;
}

/// A wake-up may have been lost.
async fn poll(app: App) -> Result<()> {
    // Controllers that were started together should not all look together.
    let at_most = app.timing.poll.min(LOOK_APART);
    tokio::time::sleep(at_most.mul_f64(rand::random_range(0.0..1.0))).await;
    for &lane in Lane::ALL {
        if app.store.has_ready_tasks(lane).await? {
            app.store.wakeups().wake(Topic::Tasks(lane));
        }
    }
    Ok(())
}

/// Writes down what nodes have said.
async fn pulse(app: App) -> Result<()> {
    app.pulse
        .write(&app.store, &app.timing, Timestamp::now())
        .await
}

/// Hears from the database what other controllers have made ready, and wakes whoever waits for it here.
async fn listen(app: App, shutdown: CancellationToken) {
    let mut patience = LISTEN_AGAIN_AFTER.start;
    let listening = async {
        loop {
            match hear(&app, &mut patience).await {
                Ok(()) => return,
                Err(error) => {
                    tracing::warn!(%error, "other controllers are not heard; it will be tried again");
                    tokio::time::sleep(patience).await;
                    patience = (patience * 2).min(LISTEN_AGAIN_AFTER.end);
                }
            }
        }
    };
    shutdown.run_until_cancelled(listening).await;
}

/// Listens until the connection fails for good; returns at once where there is nobody to hear.
async fn hear(app: &App, patience: &mut Duration) -> Result<()> {
    let Some(mut listener) = app.store.listen().await? else {
        return Ok(());
    };
    let wakeups = app.store.wakeups();
    // Whatever was said before was not heard.
    wakeups.wake_all();
    loop {
        let heard = listener.next().await?;
        *patience = LISTEN_AGAIN_AFTER.start;
        match heard {
            Heard::News(topic) => wakeups.wake(topic),
            Heard::Gap => wakeups.wake_all(),
        }
    }
}

async fn reap(app: App) -> Result<()> {
    let lost = scheduler::reap_once(&app.store, Timestamp::now()).await?;
    if lost > 0 {
        app.counters.count_many(Ending::Requeued, lost);
    }
    Ok(())
}

async fn rescue(app: App) -> Result<()> {
    scheduler::rescue_once(&app.store, Timestamp::now()).await?;
    Ok(())
}

async fn clean(app: App) -> Result<()> {
    scheduler::clean_once(&app.store, app.objects.as_ref(), Timestamp::now()).await?;
    objects::sweep_once(&app, Timestamp::now()).await?;
    Ok(())
}

async fn expire(app: App) -> Result<()> {
    previews::expire_once(&app.store, app.objects.as_ref(), Timestamp::now()).await?;
    Ok(())
}

async fn tidy(app: App) -> Result<()> {
    uploads::tidy_once(&app.store, app.objects.as_ref(), Timestamp::now()).await?;
    Ok(())
}

async fn forget(app: App) -> Result<()> {
    scheduler::forget_once(&app.store, Timestamp::now()).await?;
    webhooks::forget_once(&app.store, Timestamp::now()).await
}

/// Puts the templates that come with the program where they are served from.
pub(crate) async fn seed(app: App) -> Result<()> {
    if app.is_seeded() {
        return Ok(());
    }
    let built_in = templates::BuiltIn::compiled_in()?;
    let objects = app.objects.as_ref();
    templates::seed(&built_in, &app.store, objects, Timestamp::now()).await?;
    app.set_seeded();
    Ok(())
}

/// Takes a step until it succeeds once.
async fn until_done<Step: Future<Output = Result<()>> + Send>(
    name: &'static str,
    again_after: Duration,
    shutdown: CancellationToken,
    app: App,
    step: fn(App) -> Step,
) {
    let work = async {
        while let Err(error) = step(app.clone()).await {
            tracing::warn!(name, %error, "step failed; it will be taken again");
            tokio::time::sleep(again_after).await;
        }
    };
    shutdown.run_until_cancelled(work).await;
}

async fn repeat<Step: Future<Output = Result<()>> + Send>(
    name: &'static str,
    every: Duration,
    shutdown: CancellationToken,
    app: App,
    step: fn(App) -> Step,
) {
    let mut ticks = tokio::time::interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut failing = false;
    while shutdown.run_until_cancelled(ticks.tick()).await.is_some() {
        let span = tracing::info_span!("loop", name);
        let taken = timeout(STEP_PATIENCE, step(app.clone()).instrument(span)).await;
        match taken {
            Ok(Ok(())) => failing = false,
            Err(_) => tracing::warn!(name, "step took too long; it will be taken again"),
            // A database that is away fails every tick; once is enough to say so.
            Ok(Err(error)) if failing => tracing::debug!(name, %error, "step failed again"),
            Ok(Err(error)) => {
                tracing::warn!(name, %error, "step failed; it will be taken again");
                failing = true;
            }
        }
    }
}
