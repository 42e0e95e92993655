//! Opening the database and bringing its schema up to date.

use std::{str::FromStr, sync::Arc, time::Duration};

use sqlx::{
    AnyConnection, AnyPool, Connection, Executor,
    any::{AnyConnectOptions, AnyPoolOptions},
    migrate::Migrator,
};
use tokio::{sync::Mutex, time::timeout};
use url::Url;

use super::{Dialect, Store};
use crate::{Error, Result};

static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a call waits for a free connection before it is told to come again.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
const MIGRATE_TRIES: u32 = 5;
/// A connection that does not answer a ping this long leads nowhere any more.
const PING_TIMEOUT: Duration = Duration::from_secs(2);
/// A connection that was not used this long may lead nowhere any more.
const IDLE: Duration = Duration::from_secs(1);

/// SQLite settings of each connection. WAL lets readers pass a writer; the timeout is for other
/// processes, such as the command line beside a running server.
const SQLITE_SETTINGS: [&str; 3] = [
    "PRAGMA busy_timeout = 10000",
    "PRAGMA journal_mode = WAL",
    "PRAGMA foreign_keys = ON",
];

/// Postgres settings of each connection. Statements are planned once, and not compiled: to plan a claim takes longer than to make it, and
/// values never matter, since everything is found by an index; which takes a planner that does not think of turning disks. A controller that is frozen or cut off in the middle of a
/// transaction must not keep its locks from the others for longer than a lease, and what the network
/// swallows is given up long before TCP would do so by itself.
const POSTGRES_SETTINGS: [&str; 8] = [
    "SET plan_cache_mode = force_generic_plan",
    "SET jit = off",
    "SET random_page_cost = 1.1",
    "SET idle_in_transaction_session_timeout = '8s'",
    "SET tcp_keepalives_idle = 5",
    "SET tcp_keepalives_interval = 2",
    "SET tcp_keepalives_count = 3",
    "SET tcp_user_timeout = '10s'",
];

/// Whether a commit is on the disk before it is answered. Only a power cut can tell the difference:
/// what a killed process has committed is there in either case. A render that was accepted and
/// charged must survive both, and so must every report of a node. The count of a rate window, a heartbeat or a lease need not: who
/// worked on a lease that is lost hears so, and the next to get the task writes another object. Whatever survives, all
/// that was committed before it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Commits {
    Durable,
    Relaxed,
}

impl Commits {
    fn sqlite_setting(self) -> &'static str {
        match self {
            Self::Durable => "PRAGMA synchronous = FULL",
            Self::Relaxed => "PRAGMA synchronous = NORMAL",
        }
    }

    fn postgres_setting(self) -> &'static str {
        match self {
            Self::Durable => "SET synchronous_commit = on",
            Self::Relaxed => "SET synchronous_commit = off",
        }
    }
}

impl Dialect {
    fn of(url: &Url) -> Result<Self> {
        match url.scheme() {
            "sqlite" => Ok(Self::Sqlite),
            "postgres" | "postgresql" => Ok(Self::Postgres),
            scheme => Err(Error::Setup(format!(
                "a database URL begins with sqlite: or postgres:, not {scheme}:"
            ))),
        }
    }
}

impl Store {
    /// Connects and migrates. What goes wrong is told in words an operator can act on.
    pub(crate) async fn open(database_url: &str) -> Result<Self> {
        let store = Self::connect(database_url).await?;
        migrate(&store.durable).await?;
        Ok(store)
    }

    /// Only migrates: the schema's version before and afterwards, which is the number of its last
    /// migration.
    pub(crate) async fn upgrade(database_url: &str) -> Result<(i64, i64)> {
        let store = Self::connect(database_url).await?;
        let before = store.schema_version().await;
        migrate(&store.durable).await?;
        let after = store.schema_version().await;
        store.close().await;
        Ok((before, after))
    }

    async fn schema_version(&self) -> i64 {
        let last = sqlx::query_scalar("SELECT MAX(version) FROM _sqlx_migrations");
        let found: sqlx::Result<Option<i64>> = last.fetch_one(&self.durable).await;
        // An empty database has no such table.
        found.ok().flatten().unwrap_or(0)
    }

    async fn connect(database_url: &str) -> Result<Self> {
        sqlx::any::install_default_drivers();
        let url = Url::parse(database_url).map_err(|error| {
            Error::Setup(format!(
                "the database URL can't be read ({error}); it looks like sqlite:///folder/kinora.db?mode=rwc or postgres://user:password@host/name"
            ))
        })?;
        let dialect = Dialect::of(&url)?;
        let options = AnyConnectOptions::from_str(database_url)?;

        // A pool would try a refused connection again and again before it says so.
        match timeout(CONNECT_TIMEOUT, first_connection(&options, dialect)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(unreachable(&url, dialect, &error.to_string())),
            Err(_) => return Err(unreachable(&url, dialect, "no answer within 5 seconds")),
        }

        let (pool, durable) = match dialect {
            // There is one writer at a time.
            Dialect::Sqlite => (
                pool(&options, dialect, 6, Commits::Relaxed),
                pool(&options, dialect, 1, Commits::Durable),
            ),
            Dialect::Postgres => (
                pool(&options, dialect, 10, Commits::Relaxed),
                pool(&options, dialect, 10, Commits::Durable),
            ),
        };
        Ok(Self {
            pool,
            durable,
            dialect,
            writer: Arc::new(Mutex::new(())),
            wakeups: Arc::default(),
            url: database_url.into(),
        })
    }
}

fn pool(
    options: &AnyConnectOptions,
    dialect: Dialect,
    connections: u32,
    commits: Commits,
) -> AnyPool {
    let pool = AnyPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .after_connect(move |connection, _| Box::pin(configure(connection, dialect, commits)));
    let pool = match dialect {
        Dialect::Sqlite => pool,
        // By itself the pool would wait for the answer as long as TCP does: a quarter of an hour.
        Dialect::Postgres => pool
            .test_before_acquire(false)
            .before_acquire(|connection, state| {
                Box::pin(async move {
                    // One that was in use just now has answered then.
                    Ok(state.idle_for < IDLE || answers(connection).await?)
                })
            })
            .after_release(|connection, _| Box::pin(answers(connection))),
    };
    pool.connect_lazy_with(options.clone())
}

/// Whether a connection still leads to the database; an error has it thrown away at once.
async fn answers(connection: &mut AnyConnection) -> sqlx::Result<bool> {
    match timeout(PING_TIMEOUT, connection.ping()).await {
        Ok(pinged) => pinged.map(|()| true),
        Err(_) => Err(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into())),
    }
}

async fn first_connection(options: &AnyConnectOptions, dialect: Dialect) -> sqlx::Result<()> {
    let mut connection = AnyConnection::connect_with(options).await?;
    configure(&mut connection, dialect, Commits::Durable).await?;
    connection.close().await
}

async fn configure(
    connection: &mut AnyConnection,
    dialect: Dialect,
    commits: Commits,
) -> sqlx::Result<()> {
    match dialect {
        Dialect::Sqlite => {
            for setting in SQLITE_SETTINGS {
                connection.execute(setting).await?;
            }
            connection.execute(commits.sqlite_setting()).await?;
        }
        Dialect::Postgres => {
            for setting in POSTGRES_SETTINGS {
                connection.execute(setting).await?;
            }
            connection.execute(commits.postgres_setting()).await?;
        }
    }
    Ok(())
}

#[cfg(test)]
impl Store {
    /// Brings an empty database to an early version of the schema, with an account that was given
    /// five credits and spent two of them then.
    pub(crate) async fn make_old(database_url: &str) {
        sqlx::any::install_default_drivers();
        let mut connection = AnyConnection::connect(database_url)
            .await
            .expect("connected");
        MIGRATIONS
            .run_to(3, &mut connection)
            .await
            .expect("migrated");
        for statement in [
            "INSERT INTO accounts (id, email, name, plan, created_at)
             VALUES ('acc_old', 'old@example.com', 'Old', 'none', 1)",
            "INSERT INTO ledger (id, account_id, kind, amount_hundredths, created_at)
             VALUES ('ent_1', 'acc_old', 'grant', 500, 2)",
            "INSERT INTO jobs (id, account_id, state, mode, composition_json, width, height, fps,
                               duration_in_frames, price_hundredths, created_at, updated_at)
             VALUES ('job_old', 'acc_old', 'completed', 'direct', '{}', 16, 16, 30, 30, 200, 3, 3)",
            "INSERT INTO ledger (id, account_id, kind, amount_hundredths, job_id, created_at)
             VALUES ('ent_2', 'acc_old', 'render', -200, 'job_old', 3)",
        ] {
            connection.execute(statement).await.expect("inserted");
        }
        connection.close().await.expect("closed");
    }
}

/// Postgres locks while it migrates; on SQLite two processes may start on an empty file together,
/// and the one that comes second finds the work done when it looks again.
async fn migrate(pool: &AnyPool) -> Result<()> {
    let mut tries = 1;
    loop {
        match MIGRATIONS.run(pool).await {
            Ok(()) => return Ok(()),
            Err(error) if tries >= MIGRATE_TRIES => {
                return Err(Error::Setup(format!(
                    "the database schema could not be brought up to date: {error}"
                )));
            }
            Err(error) => tracing::debug!(%error, tries, "migration will be tried again"),
        }
        tokio::time::sleep(Duration::from_millis(100) * tries).await;
        tries += 1;
    }
}

fn unreachable(url: &Url, dialect: Dialect, reason: &str) -> Error {
    let advice = match dialect {
        Dialect::Sqlite => "check that the folder exists and that this user may write to it",
        Dialect::Postgres => "check that the server runs and that the database URL is right",
    };
    Error::Setup(format!(
        "can't open the database {}: {reason}; {advice}",
        without_password(url)
    ))
}

fn without_password(url: &Url) -> String {
    let mut url = url.clone();
    if url.password().is_some() {
        // Only URLs that can't have a password refuse one.
        let _ = url.set_password(Some("…"));
    }
    url.set_query(None);
    url.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_database_that_is_down_is_named_without_its_password() {
        let error = Store::open("postgres://kinora:hunter2@127.0.0.1:1/kinora").await;
        let message = error.expect_err("nothing listens there").to_string();
        assert!(message.contains("127.0.0.1:1/kinora"), "{message}");
        assert!(message.contains("check that the server runs"), "{message}");
        assert!(!message.contains("hunter2"), "{message}");
    }

    #[tokio::test]
    async fn a_folder_that_is_not_there_and_a_foreign_scheme_say_what_to_do() {
        let error = Store::open("sqlite:///no/such/folder/kinora.db?mode=rwc").await;
        let message = error.expect_err("no folder").to_string();
        assert!(
            message.contains("check that the folder exists"),
            "{message}"
        );
        let error = Store::open("mysql://localhost/kinora").await;
        let message = error.expect_err("foreign").to_string();
        assert!(message.contains("sqlite: or postgres:"), "{message}");
    }
}
