//! What goes wrong in a run, and in which order: all of it follows from a seed.

use std::fmt;
use std::ops::Range;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::fleet::{CONTROLLERS, NODES};
use super::link::Condition;
use crate::farm::postgres::Shutdown;

/// A lease lasts ten seconds: what is away longer has lost its work.
const LONGER_THAN_A_LEASE: Range<f64> = 11.5..14.0;

/// Whom it happens to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Victim {
    Gateway,
    Controller(usize),
    Node(usize),
    Postgres,
    Store,
}

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Harm {
    /// SIGKILL, and a new process afterwards.
    Kill,
    /// The database is stopped as its operators would, and started afterwards.
    Shutdown(Shutdown),
    /// SIGSTOP, and SIGCONT afterwards.
    Freeze,
    /// The same, for longer than a lease.
    FreezeLong,
    /// Links of the victim are not open; one of them, by its number, or all.
    Cut(Condition, Option<usize>),
}

/// One thing that goes wrong and is put right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub(crate) victim: Victim,
    pub(crate) harm: Harm,
    pub(crate) lasts: Duration,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            victim,
            harm,
            lasts,
        } = self;
        write!(formatter, "{victim:?}: {harm:?} for {lasts:.1?}")
    }
}

/// How much a run asks of the farm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Each kind of harm once: what fits among other tests.
    Short,
    /// Each kind of harm to each role.
    Long,
}

impl Form {
    /// How many renders are ordered.
    pub(crate) fn renders(self) -> usize {
        match self {
            Self::Short => 24,
            Self::Long => 200,
        }
    }
}

/// Everything that goes wrong in a run, in order.
pub(crate) fn faults(form: Form, seed: u64) -> Vec<Fault> {
    let mut dice = StdRng::seed_from_u64(seed);
    let mut faults: Vec<Fault> = match form {
        Form::Short => once_each(&mut dice),
        Form::Long => ROLES
            .iter()
            .flat_map(|role| role.harms().into_iter().map(move |harm| (role, harm)))
            .map(|(role, harm)| fault(form, *role, harm, &mut dice))
            .collect(),
    };
    faults.shuffle(&mut dice);
    faults
}

/// Each kind of harm, to roles that the dice choose.
fn once_each(dice: &mut StdRng) -> Vec<Fault> {
    let mut kinds: Vec<Harm> = Role::Node.harms();
    kinds.extend(SHUTDOWNS);
    let mut faults = Vec::new();
    for harm in kinds {
        let mut roles: Vec<Role> = ROLES.to_vec();
        roles.retain(|role| role.harms().contains(&harm));
        roles.shuffle(dice);
        faults.push(fault(Form::Short, roles[0], harm, dice));
    }
    faults
}

const ROLES: [Role; 5] = [
    Role::Gateway,
    Role::Controller,
    Role::Node,
    Role::Postgres,
    Role::Store,
];
const SHUTDOWNS: [Harm; 2] = [
    Harm::Shutdown(Shutdown::Fast),
    Harm::Shutdown(Shutdown::Immediate),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Gateway,
    Controller,
    Node,
    Postgres,
    Store,
}

impl Role {
    /// Every kind of harm that can come to it; which links are cut is open yet.
    fn harms(self) -> Vec<Harm> {
        let mut harms = match self {
            Self::Postgres => SHUTDOWNS.to_vec(),
            _ => vec![Harm::Kill],
        };
        harms.extend([Harm::Freeze, Harm::FreezeLong]);
        harms.extend(
            [
                Condition::Refusing,
                Condition::Swallowing,
                Condition::Breaking,
                Condition::Slow,
            ]
            .map(|condition| Harm::Cut(condition, None)),
        );
        harms
    }

    fn victim(self, dice: &mut StdRng) -> Victim {
        match self {
            Self::Gateway => Victim::Gateway,
            Self::Controller => Victim::Controller(dice.random_range(0..CONTROLLERS)),
            Self::Node => Victim::Node(dice.random_range(0..NODES)),
            Self::Postgres => Victim::Postgres,
            Self::Store => Victim::Store,
        }
    }

    /// Links that can be cut one by one.
    fn links(self) -> usize {
        match self {
            Self::Gateway | Self::Controller => 3,
            Self::Node => 1,
            Self::Postgres | Self::Store => 0,
        }
    }
}

fn fault(form: Form, role: Role, harm: Harm, dice: &mut StdRng) -> Fault {
    let victim = role.victim(dice);
    let harm = match harm {
        Harm::Cut(condition, _) => {
            // One beyond the links is all of them.
            let link = dice.random_range(0..=role.links());
            Harm::Cut(condition, (link < role.links()).then_some(link))
        }
        other => other,
    };
    let seconds = match (harm, form) {
        (Harm::FreezeLong, Form::Short) => {
            LONGER_THAN_A_LEASE.start..LONGER_THAN_A_LEASE.start + 0.5
        }
        (Harm::FreezeLong, Form::Long) => LONGER_THAN_A_LEASE,
        (_, Form::Short) => 1.0..2.5,
        (Harm::Cut(..), Form::Long) => 3.0..12.0,
        (_, Form::Long) => 1.0..4.0,
    };
    Fault {
        victim,
        harm,
        lasts: Duration::from_secs_f64(dice.random_range(seconds)),
    }
}
