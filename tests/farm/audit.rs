//! Looks at the database and the store after a test: nothing lost, nothing twice, nothing left.

use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::{AnyConnection, Connection, Row};

use super::TestFarm;

const CLEAN_TIMEOUT: Duration = Duration::from_secs(60);

impl TestFarm {
    /// Asserts that a completed job was charged exactly once and not refunded.
    pub(crate) async fn audit_charged_once(&self, job: &str) {
        let kinds = self.ledger(job).await;
        assert_eq!(kinds.len(), 1, "{kinds:?}");
        let (kind, amount) = &kinds[0];
        assert!(*amount < 0, "{kind} {amount}");
    }

    /// Asserts that a failed job cost nothing in the end.
    pub(crate) async fn audit_refunded(&self, job: &str) {
        let kinds = self.ledger(job).await;
        assert_eq!(kinds.len(), 2, "{kinds:?}");
        assert_eq!(
            kinds.iter().map(|(_, amount)| amount).sum::<i64>(),
            0,
            "{kinds:?}"
        );
    }

    /// Asserts that the store holds the finished file and soon nothing else of the job.
    pub(crate) fn audit_objects(&self, job: &str) {
        let started = Instant::now();
        loop {
            let mut files = Vec::new();
            list(&self.objects(), &mut files);
            files.retain(|file| file.contains(job));
            if files.len() == 1 && files[0].ends_with("video.mp4") {
                return;
            }
            assert!(
                started.elapsed() < CLEAN_TIMEOUT,
                "left in the store: {files:#?}"
            );
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    async fn ledger(&self, job: &str) -> Vec<(String, i64)> {
        sqlx::any::install_default_drivers();
        let connected = AnyConnection::connect(self.database_url()).await;
        let mut connection = connected.expect("database");
        let rows = sqlx::query("SELECT kind, amount_hundredths FROM ledger WHERE job_id = $1")
            .bind(job)
            .fetch_all(&mut connection)
            .await
            .expect("ledger");
        rows.iter().map(|row| (row.get(0), row.get(1))).collect()
    }
}

fn list(folder: &Path, files: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            list(&path, files);
        } else {
            files.push(path.display().to_string());
        }
    }
}
