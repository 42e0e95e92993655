//! Nodes that look for tasks together.

use std::collections::HashMap;

use serde_json::json;
use sqlx::{AssertSqlSafe, Row, any::AnyRow};

use super::{Tx, nodes};
use crate::{
    Result,
    clock::Timestamp,
    ids::{NodeId, TaskId},
    state::Lane,
};

/// How many names of media a claim compares with; what a node was given last.
pub(crate) const MEDIA_HELD: usize = 8;

/// Who looks for a task.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Looker<'a> {
    pub(crate) node: &'a NodeId,
    pub(crate) lane: Lane,
    /// What it can encode with, best first.
    pub(crate) encoders: &'a [String],
    /// Media that it holds, and that it may take a task out of turn for.
    pub(crate) media: &'a [String],
    /// Where it begins. What is before that it takes only if nothing is after it.
    pub(crate) from_turn: i64,
}

/// Whether a node may have a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It may: it runs so many of the lane at once, each at so many pixels a second, as far as measured.
    Free { slots: i64, speed: Option<i64> },
    /// It has no room, is about to go, or is not known.
    NoRoom,
    /// It gets none for a while.
    SetAside,
}

impl Standing {
    fn read(row: &AnyRow, now: Timestamp) -> Result<Self> {
        let slots: i64 = row.try_get("slots")?;
        if row.try_get::<i64, _>("set_aside_until")? > now.0 {
            return Ok(Self::SetAside);
        }
        if row.try_get::<i64, _>("draining")? != 0 || row.try_get::<i64, _>("held")? >= slots {
            return Ok(Self::NoRoom);
        }
        Ok(Self::Free {
            slots,
            speed: row.try_get("speed")?,
        })
    }
}

/// The nodes of lookers, as a parameter.
pub(super) fn nodes_of(lookers: &[Looker<'_>]) -> String {
    let nodes: Vec<&str> = lookers.iter().map(|looker| looker.node.as_str()).collect();
    json!(nodes).to_string()
}

/// A condition: some node that is there, seen after `$4`, takes tasks of a lane, and has not failed this one. `$3` is now.
pub(super) fn is_untried(task: &str, lane: Lane) -> String {
    let slots = nodes::slots_column(lane);
    format!(
        "EXISTS (SELECT 1 FROM nodes n
                 WHERE n.draining = 0 AND n.seen_at > $4 AND n.set_aside_until <= $3 AND n.{slots} > 0
                   AND NOT EXISTS (SELECT 1 FROM task_failures g
                                   WHERE g.task_id = {task} AND g.node_id = n.id))"
    )
}

impl Tx {
    /// Locks nodes that look for tasks of a lane; answers for each whether it may have one.
    pub(crate) async fn lock_lookers(
        &mut self,
        lookers: &[Looker<'_>],
        lane: Lane,
        now: Timestamp,
    ) -> Result<Vec<Standing>> {
        let sql = format!(
            "SELECT n.id, n.{slots} AS slots, n.speed, n.draining, n.set_aside_until,
                    (SELECT COUNT(*) FROM tasks h
                     WHERE h.node_id = n.id AND h.lane = $2 AND h.state = 'leased') AS held
             FROM nodes n WHERE {} ORDER BY n.id{}",
            self.dialect.is_among("n.id", &self.dialect.strings("$1")),
            self.dialect.for_update(),
            slots = nodes::slots_column(lane),
        );
        let rows = sqlx::query(AssertSqlSafe(sql))
            .bind(nodes_of(lookers))
            .bind(lane.as_str())
            .fetch_all(self.conn())
            .await?;
        let mut known = HashMap::new();
        for row in &rows {
            known.insert(row.try_get::<String, _>("id")?, Standing::read(row, now)?);
        }
        let standing = |looker: &Looker<'_>| known.get(looker.node.as_str()).copied();
        Ok(lookers
            .iter()
            .map(|looker| standing(looker).unwrap_or(Standing::NoRoom))
            .collect())
    }

    /// Which of these tasks are not for which lookers, since they failed there while another node, seen after
    /// `seen_after`, has not tried them.
    pub(crate) async fn barred(
        &mut self,
        tasks: &[&TaskId],
        lookers: &[Looker<'_>],
        lane: Lane,
        seen_after: Timestamp,
        now: Timestamp,
    ) -> Result<Vec<(TaskId, NodeId)>> {
        let tasks: Vec<&str> = tasks.iter().map(|task| task.as_str()).collect();
        let sql = format!(
            "SELECT DISTINCT f.task_id, f.node_id FROM task_failures f WHERE {} AND {} AND {}",
            self.dialect
                .is_among("f.task_id", &self.dialect.strings("$1")),
            self.dialect
                .is_among("f.node_id", &self.dialect.strings("$2")),
            is_untried("f.task_id", lane),
        );
        let rows = sqlx::query(AssertSqlSafe(sql))
            .bind(json!(tasks).to_string())
            .bind(nodes_of(lookers))
            .bind(now.0)
            .bind(seen_after.0)
            .fetch_all(self.conn())
            .await?;
        rows.iter()
            .map(|row| {
                Ok((
                    row.try_get::<String, _>("task_id")?.into(),
                    row.try_get::<String, _>("node_id")?.into(),
                ))
            })
            .collect()
    }
}
