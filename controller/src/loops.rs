//! What a controller does by itself, on timers. Each loop takes one step at a time, and a step that
//! fails is taken again at the next tick.

use std::{future::Future, time::Duration};

use tokio::{task::JoinSet, time::MissedTickBehavior};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::{
    Result, app::App, clock::Timestamp, metrics::Ending, objects, previews, scheduler, state::Lane,
    templates, uploads, webhooks,
};

const REAP_EVERY: Duration = Duration::from_secs(1);
const RESCUE_EVERY: Duration = Duration::from_secs(10);
const CLEAN_EVERY: Duration = Duration::from_secs(1);
const EXPIRE_EVERY: Duration = Duration::from_secs(1);
const SEED_AGAIN_AFTER: Duration = Duration::from_secs(5);
const FORGET_EVERY: Duration = Duration::from_secs(3600);

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

/// Work may have been queued by another replica, or by nobody's nudge at all.
async fn poll(app: App) -> Result<()> {
    for &lane in Lane::ALL {
        if app.store.has_ready_tasks(lane).await? {
            app.nudge();
            return Ok(());
        }
    }
    Ok(())
}

async fn reap(app: App) -> Result<()> {
    let lost = scheduler::reap_once(&app.store, Timestamp::now()).await?;
    if lost > 0 {
        app.counters.count_many(Ending::Requeued, lost);
        app.nudge();
    }
    Ok(())
}

async fn rescue(app: App) -> Result<()> {
    if scheduler::rescue_once(&app.store, Timestamp::now()).await? > 0 {
        app.nudge();
    }
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
        match step(app.clone()).instrument(span).await {
            Ok(()) => failing = false,
            // A database that is away fails every tick; once is enough to say so.
            Err(error) if failing => tracing::debug!(name, %error, "step failed again"),
            Err(error) => {
                tracing::warn!(name, %error, "step failed; it will be taken again");
                failing = true;
            }
        }
    }
}
