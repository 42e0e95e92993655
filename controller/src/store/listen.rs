//! What controllers on one Postgres tell each other: that something has become ready.

use std::time::Duration;

use sqlx::postgres::PgListener;
use tokio::time::timeout;

use super::{Dialect, Store, Tx};
use crate::{Error, Result, wakeups::Topic};

const CHANNEL: &str = "kinora_queue";
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// What a listener hears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// Something of a topic has become ready.
    News(Topic),
    /// The connection was lost for a while, and with it what was said meanwhile.
    Gap,
}

/// A connection of its own, on which the database speaks first.
pub(crate) struct Listener(PgListener);

impl Store {
    /// Begins to listen; none on SQLite, where there is nobody else to hear.
    pub(crate) async fn listen(&self) -> Result<Option<Listener>> {
        if self.dialect == Dialect::Sqlite {
            return Ok(None);
        }
        let connect = async {
            let mut listener = PgListener::connect(&self.url).await?;
            listener.listen(CHANNEL).await?;
            Ok(listener)
        };
        match timeout(CONNECT_TIMEOUT, connect).await {
            Ok(listener) => listener
                .map(|it| Some(Listener(it)))
                .map_err(Error::Database),
            Err(_) => Err(Error::Database(sqlx::Error::PoolTimedOut)),
        }
    }
}

impl Listener {
    /// Waits for the next thing to hear. After an error the listener is of no more use.
    pub(crate) async fn next(&mut self) -> Result<Heard> {
        loop {
            let Some(notice) = self.0.try_recv().await? else {
                return Ok(Heard::Gap);
            };
            // What is not known comes from a newer controller.
            if let Some(topic) = Topic::parse(notice.payload()) {
                return Ok(Heard::News(topic));
            }
        }
    }
}

impl Tx {
    /// Has every controller hear of what becomes ready, when and if this transaction commits.
    pub(super) async fn tell_others(&mut self) -> Result<()> {
        for topic in self.news.clone() {
            sqlx::query("SELECT pg_notify($1, $2)")
                .bind(CHANNEL)
                .bind(topic.as_str())
                .execute(self.conn())
                .await?;
        }
        Ok(())
    }
}
