//! Does harm to a fleet, and puts it right again.

use super::fleet::{Fleet, Member, Way};
use super::link::{Condition, Link};
use super::plan::{Fault, Harm, Victim};

/// Does what the fault says, waits, and undoes it. Everything runs again afterwards.
pub(crate) async fn befall(fleet: &mut Fleet, fault: &Fault) {
    begin(fleet, fault);
    tokio::time::sleep(fault.lasts).await;
    end(fleet, fault);
}

fn begin(fleet: &mut Fleet, fault: &Fault) {
    match (fault.harm, fault.victim) {
        (Harm::Shutdown(shutdown), _) => fleet.postgres.stop(shutdown),
        (Harm::Kill, Victim::Store) => fleet.store.process.kill(),
        (Harm::Kill, victim) => member(fleet, victim).kill(),
        (Harm::Freeze | Harm::FreezeLong, victim) => signal(fleet, victim, "STOP"),
        (Harm::Cut(condition, which), victim) => set(fleet, victim, which, condition),
    }
}

fn end(fleet: &mut Fleet, fault: &Fault) {
    match (fault.harm, fault.victim) {
        (Harm::Shutdown(_), _) => fleet.revive_postgres(),
        (Harm::Kill, Victim::Store) => fleet.revive_store(),
        (Harm::Kill, victim) => member(fleet, victim).revive(),
        (Harm::Freeze | Harm::FreezeLong, victim) => signal(fleet, victim, "CONT"),
        (Harm::Cut(_, which), victim) => set(fleet, victim, which, Condition::Open),
    }
}

fn member(fleet: &mut Fleet, victim: Victim) -> &mut Member {
    match victim {
        Victim::Gateway => &mut fleet.gateway,
        Victim::Controller(index) => &mut fleet.controllers[index],
        Victim::Node(index) => &mut fleet.nodes[index],
        Victim::Postgres | Victim::Store => panic!("{victim:?} is no process of ours"),
    }
}

fn signal(fleet: &mut Fleet, victim: Victim, name: &str) {
    match victim {
        Victim::Postgres => fleet.postgres.signal_all(name),
        Victim::Store => fleet.store.process.signal(name),
        _ => member(fleet, victim).process.signal(name),
    }
}

fn set(fleet: &mut Fleet, victim: Victim, which: Option<usize>, condition: Condition) {
    let links: Vec<&Link> = match victim {
        Victim::Postgres => fleet.links_to(Way::Postgres),
        Victim::Store => fleet.links_to(Way::Store),
        _ => {
            let links = &member(fleet, victim).links;
            links.iter().map(|(_, link)| link).collect()
        }
    };
    let chosen = |index: usize| which.is_none_or(|which| which == index);
    for (_, link) in links.iter().enumerate().filter(|(index, _)| chosen(*index)) {
        link.set(condition);
    }
}
