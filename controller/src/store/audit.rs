//! An audit of the books, for tests: what must hold whatever happened.

use sqlx::Row;

use super::Store;

/// Each query answers rows that must not be there.
const RULES: [(&str, &str); 6] = [
    (
        "a balance is the sum of its rows",
        "SELECT a.id FROM accounts a WHERE a.balance_hundredths <>
             (SELECT COALESCE(SUM(l.amount_hundredths), 0) FROM ledger l WHERE l.account_id = a.id)",
    ),
    (
        "nobody spends what they don't have",
        "SELECT id FROM accounts WHERE balance_hundredths < 0",
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
        "every completed transaction has its row, of its amount",
        "SELECT t.id FROM transactions t WHERE t.status = 'COMPLETED' AND NOT EXISTS
             (SELECT 1 FROM ledger l WHERE l.id = t.ledger_id AND l.account_id = t.account_id
                AND l.kind = 'grant' AND l.amount_hundredths = 100 * t.credits)",
    ),
    (
        "every grant has its transaction",
        "SELECT l.id FROM ledger l WHERE l.kind = 'grant' AND NOT EXISTS
             (SELECT 1 FROM transactions t WHERE t.ledger_id = l.id)",
    ),
];

impl Store {
    /// Everything that is wrong with the books; nothing, if all is well.
    pub(crate) async fn audit(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        for (rule, sql) in RULES {
            let rows = sqlx::query(sql).fetch_all(&self.pool).await;
            for row in rows.expect("the audit can be read") {
                let id: String = row.try_get("id").expect("an id");
                wrong.push(format!("{rule}: {id}"));
            }
        }
        wrong
    }
}
