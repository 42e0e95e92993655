//! The database at the end of a run: nothing open, nothing lost, nothing paid twice.

use std::time::{Duration, Instant};

use sqlx::{AnyConnection, Connection, Row};

use super::clients::Ended;

/// Each query answers ids of what must not be there when everything has settled.
const RULES: [(&str, &str); 10] = [
    (
        "every job ends",
        "SELECT id FROM jobs WHERE state NOT IN ('completed', 'failed')",
    ),
    (
        "no task is open and no lease is left",
        "SELECT id FROM tasks WHERE state NOT IN ('done', 'cancelled') OR lease_until IS NOT NULL",
    ),
    (
        "the leftovers of every job are deleted",
        "SELECT id FROM jobs WHERE clean_at <= EXTRACT(EPOCH FROM now()) * 1000",
    ),
    (
        "every webhook is delivered",
        "SELECT id FROM webhook_deliveries WHERE state <> 'delivered'",
    ),
    (
        "a balance is the sum of its rows",
        "SELECT a.id FROM accounts a WHERE a.balance_hundredths <>
             (SELECT COALESCE(SUM(l.amount_hundredths), 0) FROM ledger l WHERE l.account_id = a.id)",
    ),
    (
        "every render is paid once, at its price, by its account",
        "SELECT j.id FROM jobs j WHERE j.lane = 'render' AND 1 <>
             (SELECT COUNT(*) FROM ledger l WHERE l.job_id = j.id AND l.kind = 'render'
                AND l.account_id = j.account_id AND l.amount_hundredths = -j.price_hundredths)",
    ),
    (
        "a render that failed got its price back, and no other did",
        "SELECT j.id FROM jobs j WHERE j.lane = 'render'
             AND (SELECT COALESCE(SUM(l.amount_hundredths), 0) FROM ledger l
                  WHERE l.job_id = j.id AND l.kind = 'refund')
                 <> CASE WHEN j.state = 'failed' THEN j.price_hundredths ELSE 0 END",
    ),
    (
        "nothing else was paid",
        "SELECT l.id FROM ledger l WHERE l.kind NOT IN ('grant', 'render', 'refund')
             OR (l.kind <> 'grant' AND l.job_id IS NULL)",
    ),
    (
        "a render has one key",
        "SELECT j.id FROM jobs j WHERE j.lane = 'render' AND 1 <>
             (SELECT COUNT(*) FROM idempotency_keys k
              WHERE k.job_id = j.id AND k.account_id = j.account_id)",
    ),
    (
        "a completed job has its file, and a failed one has none",
        "SELECT id FROM jobs WHERE (state = 'completed') <> (output_key IS NOT NULL)",
    ),
];

/// A look into the database.
pub(crate) struct Books(AnyConnection);

impl Books {
    /// Opens the database, which must be there.
    pub(crate) async fn open(url: &str) -> Self {
        Self::try_open(url).await.expect("database")
    }

    /// Opens the database, if it is there.
    pub(crate) async fn try_open(url: &str) -> sqlx::Result<Self> {
        sqlx::any::install_default_drivers();
        AnyConnection::connect(url).await.map(Self)
    }

    /// How many nodes, by their names, have been heard of since a time in milliseconds.
    pub(crate) async fn nodes_seen_since(&mut self, since: i64) -> sqlx::Result<i64> {
        let sql = "SELECT COUNT(DISTINCT name) FROM nodes WHERE seen_at > $1";
        let row = sqlx::query(sql).bind(since).fetch_one(&mut self.0).await?;
        row.try_get(0)
    }

    /// The name of the one node that holds a lease.
    pub(crate) async fn node_at_work(&mut self) -> String {
        let sql =
            "SELECT n.name FROM nodes n JOIN tasks t ON t.node_id = n.id WHERE t.state = 'leased'";
        let row = sqlx::query(sql).fetch_one(&mut self.0).await;
        row.expect("a lease").get(0)
    }

    /// How many attempts at tasks failed by themselves.
    pub(crate) async fn failed_attempts(&mut self) -> i64 {
        let sql = "SELECT COUNT(*) FROM task_failures";
        let row = sqlx::query(sql).fetch_one(&mut self.0).await;
        row.expect("a count").get(0)
    }

    /// Waits until all rules hold.
    pub(crate) async fn settle(&mut self, limit: Duration) {
        let started = Instant::now();
        loop {
            let mut wrong = Vec::new();
            for (rule, sql) in RULES {
                let rows = sqlx::query(sql).fetch_all(&mut self.0).await;
                for row in rows.expect(rule) {
                    wrong.push(format!("{rule}: {}", row.get::<String, _>(0)));
                }
            }
            if wrong.is_empty() {
                return;
            }
            assert!(started.elapsed() < limit, "{wrong:#?}");
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    }

    /// Asserts that the renders are those that clients know of, each with its key, and no more.
    pub(crate) async fn hold_exactly(&mut self, ended: &[Ended]) {
        let sql = "SELECT k.key, k.job_id, j.state FROM idempotency_keys k
                   JOIN jobs j ON j.id = k.job_id";
        let rows = sqlx::query(sql).fetch_all(&mut self.0).await;
        let mut kept: Vec<[String; 3]> = rows
            .expect("keys")
            .iter()
            .map(|row| [row.get(0), row.get(1), row.get(2)])
            .collect();
        let mut known: Vec<[String; 3]> = ended
            .iter()
            .map(|ended| {
                let state = ended.job["status"].as_str().expect("status");
                let id = ended.job_id().to_owned();
                [ended.order.key(), id, state.to_lowercase()]
            })
            .collect();
        kept.sort();
        known.sort();
        assert_eq!(kept, known);
    }

    /// The object, or the folder of objects, of every completed job, previews included.
    pub(crate) async fn output_keys(&mut self) -> Vec<String> {
        let sql = "SELECT output_key FROM jobs WHERE output_key IS NOT NULL";
        let rows = sqlx::query(sql).fetch_all(&mut self.0).await;
        rows.expect("jobs").iter().map(|row| row.get(0)).collect()
    }
}
