//! All SQL of the controller, on SQLite or Postgres.
//!
//! Reads are methods of [`Store`]; everything that changes more than one row is a method of [`Tx`],
//! and callers put several of those into one transaction. Reports lock in one order: job, then its
//! tasks, then the node. Claims, the reaper and drains begin elsewhere, but read tasks with SKIP
//! LOCKED and so never wait for a report. A registration of webhooks is locked before its
//! deliveries. Replicas on one Postgres neither hold each other up for long nor deadlock.

mod accounts;
#[cfg(test)]
mod audit;
mod claims;
mod connect;
mod counts;
mod deliveries;
mod encoders;
mod failures;
mod idempotency;
mod jobs;
mod keys;
mod leases;
mod ledger;
mod listen;
mod lists;
mod lookers;
mod nodes;
mod objects;
mod previews;
mod projects;
mod pulses;
mod rate;
mod shown;
mod speeds;
mod tasks;
mod templates;
mod transactions;
mod turns;
mod uploads;
mod usage;
mod webhooks;

use std::{collections::BTreeSet, sync::Arc};

use sqlx::{Any, AnyConnection, AnyPool, Transaction};
use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::{
    Error, Result,
    wakeups::{Topic, Wakeups},
};

pub(crate) use accounts::{AccountRow, NewAccount};
pub(crate) use claims::{Candidate, NewLease, Stretch};
pub(crate) use counts::Counts;
pub(crate) use deliveries::{LeasedDelivery, NewDelivery, Receiver, Room};
pub(crate) use idempotency::IdempotentAnswer;
pub(crate) use jobs::{JobRow, NewJob};
pub(crate) use keys::NewKeyRow;
pub(crate) use leases::{HeldJob, HeldTask};
pub(crate) use ledger::EntryKind;
pub(crate) use listen::Heard;
pub(crate) use lookers::{Looker, MEDIA_HELD, Standing};
pub(crate) use nodes::NodeHello;
pub(crate) use objects::{LeasedTask, PartsRow};
pub(crate) use previews::{Expired, PreviewJob, PreviewRow};
pub(crate) use projects::{NewProject, ProjectListing, ProjectRow};
pub(crate) use pulses::Beat;
pub(crate) use rate::{WINDOW, Window};
pub(crate) use shown::{ShownJob, ShownProject, WorkDone};
pub(crate) use tasks::{Fence, NewTask, TaskRow};
pub(crate) use templates::{NewTemplate, TemplateListing, TemplateRow};
pub(crate) use transactions::{NewTransaction, TransactionRow};
pub(crate) use uploads::UploadRow;
pub(crate) use usage::Usage;
pub(crate) use webhooks::{NewWebhook, WebhookRow};

/// The few places where the two databases differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Sqlite,
    Postgres,
}

impl Dialect {
    /// SQLite would otherwise take its write lock late, and fail where it could have waited.
    fn begin(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN IMMEDIATE",
            Self::Postgres => "BEGIN",
        }
    }

    /// Row locks. On SQLite the transaction is the lock.
    fn for_update(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => " FOR UPDATE",
        }
    }

    /// The same of one table among those that are read.
    fn for_update_of_skip_locked(self, table: &str) -> String {
        match self {
            Self::Sqlite => String::new(),
            Self::Postgres => format!(" FOR UPDATE OF {table} SKIP LOCKED"),
        }
    }

    /// Row locks that pass over rows somebody else has locked.
    fn for_update_skip_locked(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => " FOR UPDATE SKIP LOCKED",
        }
    }
}

/// A handle on the database; clones share its connections.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    /// For reads, and for writes that may be lost when the power fails.
    pool: AnyPool,
    /// For transactions, which must not be.
    durable: AnyPool,
    dialect: Dialect,
    /// SQLite has one writer. Waiting here is fair and wakes at once; its own busy loop is neither.
    writer: Arc<Mutex<()>>,
    wakeups: Arc<Wakeups>,
    url: Arc<str>,
}

impl Store {
    /// Begins a transaction that may write.
    pub(crate) async fn begin(&self) -> Result<Tx> {
        self.begin_on(&self.durable).await
    }

    /// Begins a transaction that may write, and be undone when the power fails.
    pub(crate) async fn begin_relaxed(&self) -> Result<Tx> {
        self.begin_on(&self.pool).await
    }

    async fn begin_on(&self, pool: &AnyPool) -> Result<Tx> {
        let turn = self.turn_to_write().await;
        let inner = pool.begin_with(self.dialect.begin()).await?;
        Ok(Tx {
            inner,
            dialect: self.dialect,
            wakeups: Arc::clone(&self.wakeups),
            news: BTreeSet::new(),
            _turn: turn,
        })
    }

    /// Who waits in this process for what transactions make ready.
    pub(crate) fn wakeups(&self) -> &Arc<Wakeups> {
        &self.wakeups
    }

    /// Waits until nobody else in this process writes, where the database has one writer.
    async fn turn_to_write(&self) -> Option<OwnedMutexGuard<()>> {
        match self.dialect {
            Dialect::Sqlite => Some(Arc::clone(&self.writer).lock_owned().await),
            Dialect::Postgres => None,
        }
    }

    /// Whether the database answers.
    pub(crate) async fn ping(&self) -> Result<()> {
        sqlx::query("SELECT 1").execute(&self.pool).await?;
        Ok(())
    }

    /// Closes every connection; later calls fail.
    pub(crate) async fn close(&self) {
        self.durable.close().await;
        self.pool.close().await;
    }
}

/// A transaction. Dropping it without [`Tx::commit`] undoes it.
pub(crate) struct Tx {
    inner: Transaction<'static, Any>,
    dialect: Dialect,
    wakeups: Arc<Wakeups>,
    /// What has become ready in it.
    news: BTreeSet<Topic>,
    _turn: Option<OwnedMutexGuard<()>>,
}

impl Tx {
    /// Makes everything so far durable, and wakes whoever waits for what became ready, here and in other controllers.
    pub(crate) async fn commit(mut self) -> Result<()> {
        if self.dialect == Dialect::Postgres {
            self.tell_others().await?;
        }
        self.inner.commit().await.map_err(Error::from)?;
        for topic in self.news {
            self.wakeups.wake(topic);
        }
        Ok(())
    }

    /// Something becomes ready with this transaction.
    fn becomes_ready(&mut self, topic: Topic) {
        self.news.insert(topic);
    }

    fn conn(&mut self) -> &mut AnyConnection {
        &mut self.inner
    }
}

/// Reads an enum's name out of a column.
fn parse<T>(what: &str, text: &str, parse: impl Fn(&str) -> Option<T>) -> Result<T> {
    parse(text).ok_or_else(|| Error::Corrupt(format!("unknown {what} {text:?}")))
}

/// Reads a number that was written from a `u32`.
fn unsigned(what: &str, number: i64) -> Result<u32> {
    u32::try_from(number).map_err(|_| Error::Corrupt(format!("{what} is {number}")))
}
