//! Turns: the order in which the tasks of a lane are leased.
//!
//! Each account has a next turn of its own, which its work moves on. Whoever comes back after a pause begins where the
//! lane is now, and has neither saved up turns nor to make up for any.

use sqlx::Row;

use super::{NewJob, NewTask, Tx};
use crate::{
    Result,
    clock::Timestamp,
    ids::AccountId,
    state::{Lane, TaskKind},
};

/// The work of a task, in pixels to draw. The assembly of a job draws none.
fn work(task: &NewTask, pixels_of_frame: i64) -> i64 {
    match task.kind {
        TaskKind::Render | TaskKind::Stills => {
            let frames = i64::try_from(task.frames.len()).unwrap_or(i64::MAX);
            pixels_of_frame.saturating_mul(frames)
        }
        TaskKind::Assemble => 0,
    }
}

impl Tx {
    /// Puts the tasks of a new job, in order, into its lane, after what its account has asked for before.
    pub(crate) async fn queue_tasks(
        &mut self,
        job: &NewJob<'_>,
        tasks: &[NewTask],
        now: Timestamp,
    ) -> Result<()> {
        let pixels = i64::from(job.width) * i64::from(job.height);
        let total = tasks.iter().map(|task| work(task, pixels)).sum();
        let first = self.take_turns(job.account, job.lane, total).await?;
        let mut next = first;
        let turns: Vec<i64> = tasks
            .iter()
            .map(|task| match task.kind {
                // What is nearly done is finished first.
                TaskKind::Assemble => first,
                TaskKind::Render | TaskKind::Stills => {
                    let turn = next;
                    next += work(task, pixels);
                    turn
                }
            })
            .collect();
        self.insert_tasks(job, tasks, &turns, now).await
    }

    /// Moves an account's next turn on by some work; answers where that work begins.
    async fn take_turns(&mut self, account: &AccountId, lane: Lane, work: i64) -> Result<i64> {
        let now = self.turn_of_lane(lane).await?;
        let row = sqlx::query(
            "INSERT INTO turns (account_id, lane, next_turn) VALUES ($1, $2, $3 + $4)
             ON CONFLICT (account_id, lane) DO UPDATE SET next_turn = $4 +
                 CASE WHEN turns.next_turn > $3 THEN turns.next_turn ELSE $3 END
             RETURNING next_turn",
        )
        .bind(account.as_str())
        .bind(lane.as_str())
        .bind(now)
        .bind(work)
        .fetch_one(self.conn())
        .await?;
        Ok(row.try_get::<i64, _>("next_turn")? - work)
    }

    /// Where a lane is: at the first of the turns that wait, or past all that there were.
    async fn turn_of_lane(&mut self, lane: Lane) -> Result<i64> {
        let waiting = sqlx::query(
            "SELECT turn FROM tasks WHERE state = 'ready' AND kind <> 'assemble' AND lane = $1
             ORDER BY turn LIMIT 1",
        )
        .bind(lane.as_str())
        .fetch_optional(self.conn())
        .await?;
        if let Some(row) = waiting {
            return Ok(row.try_get("turn")?);
        }
        let last = sqlx::query(
            "SELECT next_turn FROM turns WHERE lane = $1 ORDER BY next_turn DESC LIMIT 1",
        )
        .bind(lane.as_str())
        .fetch_optional(self.conn())
        .await?;
        last.map_or(Ok(0), |row| Ok(row.try_get("next_turn")?))
    }
}
