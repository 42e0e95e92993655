//! Renders go on while processes are killed and frozen and links are cut, one after another.
//!
//! `make test` runs the short form; `make chaos` the long one. What goes wrong follows from
//! `KINORA_CHAOS_SEED`, which every run prints.

mod books;
mod clients;
mod faults;
mod films;
mod fleet;
mod leftovers;
mod link;
mod orders;
mod plan;
mod report;
mod told;

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use reqwest::Method;
use tokio::task::JoinSet;

use books::Books;
use clients::{Clients, Ended};
use fleet::{Fleet, NODES, Way};
use link::Condition;
use orders::{Media, Order};
use plan::Form;
use report::Report;

/// How long a farm may take, once nothing is wrong any more, until it works again.
const RECOVERY: Duration = Duration::from_secs(120);
/// How long it may take to finish what was ordered.
const SETTLING: Duration = Duration::from_secs(300);
/// What a short run does, so that it does the same wherever it runs.
const USUAL_SEED: u64 = 1;
/// Longer than ten tries in quick succession take.
const STORE_OUTAGE: Duration = Duration::from_secs(15);
/// How long an order has been there before something goes wrong.
const HEAD_START: Duration = Duration::from_millis(700);

#[tokio::test(flavor = "multi_thread")]
async fn chaos_loses_no_render_and_charges_none_twice() {
    let form = match std::env::var("KINORA_CHAOS").as_deref() {
        Ok("long") => Form::Long,
        _ => Form::Short,
    };
    let seed = match (std::env::var("KINORA_CHAOS_SEED"), form) {
        (Ok(seed), _) => seed.parse().expect("KINORA_CHAOS_SEED is a number"),
        (Err(_), Form::Short) => USUAL_SEED,
        (Err(_), Form::Long) => u64::from(rand::random::<u16>()),
    };
    let mut report = Report::of(form, seed);
    let mut fleet = Fleet::start().await;
    let clients = Arc::new(Clients::of(&fleet).await);
    recovered(&fleet, &clients).await;

    let faults = plan::faults(form, seed);
    let mut orders = orders::orders(form.renders(), seed).into_iter();
    let at_once = form.renders().div_ceil(faults.len());
    let mut renders = JoinSet::new();
    for (index, fault) in faults.iter().enumerate() {
        for order in orders.by_ref().take(at_once) {
            let clients = Arc::clone(&clients);
            renders.spawn(async move { clients.serve(order).await });
        }
        tokio::time::sleep(HEAD_START).await;
        report.befalls(fault);
        faults::befall(&mut fleet, fault).await;
        // In the short form the next comes before the farm has its breath back.
        if form == Form::Long || index + 1 == faults.len() {
            report.recovered(fault, recovered(&fleet, &clients).await);
        }
    }

    let ended = finished(renders).await;
    report.finished(&ended, &clients);
    let mut books = Books::open(&fleet.database_url()).await;
    books.settle(SETTLING).await;
    books.hold_exactly(&ended).await;
    leftovers::check_objects(&fleet, &books.output_keys().await, SETTLING).await;
    let large = ended
        .iter()
        .filter(|ended| ended.order.media == Media::Noise)
        .count();
    assert!(large > 0, "some come in parts");
    let parts = leftovers::check_parts(&fleet, 2 * large, SETTLING).await;
    let folder = tempfile::tempdir().expect("temp folder");
    for ended in &ended {
        films::check(&clients, ended, folder.path()).await;
    }
    told::check(&clients, &ended);
    report.checked(parts, &leftovers::check_processes(&fleet));
    // What is away is said to be away: a client need not wonder whether it is to blame.
    assert_eq!(
        clients.faults(),
        Vec::<String>::new(),
        "answered with 500: {:#?}",
        fleet.lines_with(&["request failed", "the controller failed"])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_is_away_for_a_while_delays_renders_and_spends_no_retry() {
    let fleet = Fleet::start().await;
    let clients = Arc::new(Clients::of(&fleet).await);
    let orders = orders::orders(12, USUAL_SEED).into_iter();
    let mut renders = JoinSet::new();
    let set = |condition| {
        for link in fleet.links_to(Way::Store) {
            link.set(condition);
        }
    };
    set(Condition::Refusing);
    let is_alone = |order: &Order| matches!(order.media, Media::Nothing | Media::Noise);
    for order in orders.filter(is_alone) {
        let clients = Arc::clone(&clients);
        renders.spawn(async move { clients.serve(order).await });
    }
    tokio::time::sleep(STORE_OUTAGE).await;
    set(Condition::Open);
    let ended = finished(renders).await;
    assert!(ended.iter().all(Ended::is_completed));
    let mut books = Books::open(&fleet.database_url()).await;
    assert_eq!(books.failed_attempts().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_node_sends_in_parts_while_it_dies_is_dropped() {
    let mut fleet = Fleet::start().await;
    let clients = Arc::new(Clients::of(&fleet).await);
    let mut orders = orders::orders(12, USUAL_SEED).into_iter();
    let order = orders.find(|order| order.media == Media::Noise);
    let (order, client) = (order.expect("a large one"), Arc::clone(&clients));
    let mut renders = JoinSet::new();
    for link in fleet.links_to(Way::Store) {
        link.swallow_parts(true);
    }
    renders.spawn(async move { client.serve(order).await });
    parts_are_sent(&fleet).await;
    assert!(!leftovers::unfinished(&fleet).is_empty());
    let mut books = Books::open(&fleet.database_url()).await;
    let sender = books.node_at_work().await;
    let mut nodes = fleet.nodes.iter_mut();
    let sender = nodes.find(|node| node.name == sender).expect("a node");
    sender.kill();
    sender.revive();
    for link in fleet.links_to(Way::Store) {
        link.swallow_parts(false);
        link.set(Condition::Open);
    }

    let ended = finished(renders).await;
    leftovers::check_parts(&fleet, 3, SETTLING).await;
    let dropped = fleet.lines_with(&["an unfinished object was dropped"]);
    assert!(!dropped.is_empty(), "nobody dropped it");
    let folder = tempfile::tempdir().expect("temp folder");
    films::check(&clients, &ended[0], folder.path()).await;
}

/// Waits until a node sends a part of an object.
async fn parts_are_sent(fleet: &Fleet) {
    let started = Instant::now();
    let links = fleet.links_to(Way::Store);
    while links.iter().all(|link| link.parts() == 0) {
        assert!(started.elapsed() < SETTLING, "nobody sends parts");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until clients are answered and every node is heard of; answers how long that took.
async fn recovered(fleet: &Fleet, clients: &Clients) -> Duration {
    let (started, since) = (Instant::now(), milliseconds());
    loop {
        let asked = clients
            .anyone()
            .request(Method::POST, "/auth/verify")
            .send();
        let answered = asked.await.is_ok_and(|answer| answer.status() == 200);
        let nodes = match Books::try_open(&fleet.database_url()).await {
            Ok(mut books) => books.nodes_seen_since(since).await.unwrap_or(0),
            Err(_) => 0,
        };
        if answered && usize::try_from(nodes) == Ok(NODES) {
            return started.elapsed();
        }
        assert!(
            started.elapsed() < RECOVERY,
            "answered: {answered}, nodes heard of: {nodes}"
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn finished(mut renders: JoinSet<Ended>) -> Vec<Ended> {
    let mut ended = Vec::new();
    let all = async {
        while let Some(render) = renders.join_next().await {
            match render {
                Ok(render) => ended.push(render),
                Err(error) => std::panic::resume_unwind(error.into_panic()),
            }
        }
    };
    let in_time = tokio::time::timeout(SETTLING, all).await;
    in_time.expect("the farm did not finish what was ordered");
    ended
}

fn milliseconds() -> i64 {
    let now = SystemTime::UNIX_EPOCH.elapsed().expect("a clock");
    i64::try_from(now.as_millis()).expect("a time")
}
