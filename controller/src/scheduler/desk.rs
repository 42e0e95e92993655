//! Where the nodes of a controller queue for tasks. Whoever's turn it is claims for all who wait, in one transaction: to begin
//! one and to commit it costs the database more than the claim itself.

use std::{
    panic::resume_unwind,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::{Looked, Sizing, Timing, claim_for_all, hand_back};
use crate::{
    Result,
    clock::Timestamp,
    ids::NodeId,
    state::Lane,
    store::{Looker, Store},
};

/// Transactions at once. More would only look past each other's locked tasks, and leave no connection for heartbeats.
const AT_ONCE: usize = 1;
/// Claims in one transaction. What is found for the first waits for the last.
const TOGETHER: usize = 32;

/// A queue of nodes.
#[derive(Debug)]
pub(crate) struct Desk {
    waiting: Mutex<Vec<Request>>,
    turns: Arc<Semaphore>,
}

/// A node that looks for a task.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    pub(crate) node: NodeId,
    pub(crate) lane: Lane,
    pub(crate) encoders: Arc<[String]>,
    pub(crate) media: Vec<String>,
    pub(crate) from_turn: i64,
}

#[derive(Debug)]
struct Request {
    search: Search,
    answer: oneshot::Sender<Looked>,
}

impl Default for Desk {
    fn default() -> Self {
        Self {
            waiting: Mutex::default(),
            turns: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }
}

impl Search {
    fn looker(&self) -> Looker<'_> {
        Looker {
            node: &self.node,
            lane: self.lane,
            encoders: &self.encoders,
            media: &self.media,
            from_turn: self.from_turn,
        }
    }
}

impl Desk {
    /// Leases a task to a node, if there is one for it.
    pub(crate) async fn claim(
        self: &Arc<Self>,
        store: &Store,
        search: Search,
        timing: &Timing,
        sizing: Sizing,
    ) -> Result<Looked> {
        let mut answer = self.queue(search.clone());
        loop {
            tokio::select! {
                biased;
                looked = &mut answer => match looked {
                    Ok(looked) => return Ok(looked),
                    // Whoever claimed for this node could not.
                    Err(_) => answer = self.queue(search.clone()),
                },
                Ok(turn) = Arc::clone(&self.turns).acquire_owned() => {
                    self.serve_by_itself(turn, store, timing, sizing).await?;
                }
            }
        }
    }

    /// Claims for those who have waited longest, to the end even if the one whose turn it is goes away: what
    /// was half done would keep tasks from the others until the database notices.
    async fn serve_by_itself(
        self: &Arc<Self>,
        turn: OwnedSemaphorePermit,
        store: &Store,
        timing: &Timing,
        sizing: Sizing,
    ) -> Result<()> {
        let (desk, store, timing) = (Arc::clone(self), store.clone(), *timing);
        let served = tokio::spawn(async move {
            let served = desk.serve(&store, &timing, sizing).await;
            drop(turn);
            served
        });
        match served.await {
            Ok(served) => served,
            Err(failed) if failed.is_panic() => resume_unwind(failed.into_panic()),
            // The process ends.
            Err(_) => Ok(()),
        }
    }

    fn queue(&self, search: Search) -> oneshot::Receiver<Looked> {
        let (answer, waiting) = oneshot::channel();
        self.waiting().push(Request { search, answer });
        waiting
    }

    /// Claims for those who have waited longest. If it can't be done, they have to ask again.
    async fn serve(&self, store: &Store, timing: &Timing, sizing: Sizing) -> Result<()> {
        let requests = self.next_few();
        let lookers: Vec<Looker<'_>> = requests.iter().map(|it| it.search.looker()).collect();
        let looked = claim_for_all(store, &lookers, timing, sizing, Timestamp::now()).await?;
        drop(lookers);
        let answers = requests.into_iter().zip(looked);
        let unheard: Vec<Looked> = answers
            .filter_map(|(request, looked)| request.answer.send(looked).err())
            .collect();
        // Their sessions have ended meanwhile. All others have been answered, whatever comes of this.
        for looked in unheard {
            if let Looked::Leased(claim) = looked {
                hand_back(store, &claim.lease, Timestamp::now()).await?;
            }
        }
        Ok(())
    }

    /// Those who have waited longest and may claim together: for one lane, with the same encoders, and each node once.
    fn next_few(&self) -> Vec<Request> {
        let mut waiting = self.waiting();
        waiting.retain(|request| !request.answer.is_closed());
        let mut few: Vec<Request> = Vec::new();
        let mut others = Vec::new();
        for request in waiting.drain(..) {
            let fits = |first: &Request| {
                first.search.lane == request.search.lane
                    && first.search.encoders == request.search.encoders
            };
            let is_there = few.iter().any(|it| it.search.node == request.search.node);
            match few.len() < TOGETHER && few.first().is_none_or(fits) && !is_there {
                true => few.push(request),
                false => others.push(request),
            }
        }
        *waiting = others;
        few
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<Request>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(node: &str, lane: Lane, encoder: &str) -> Search {
        Search {
            node: NodeId::from(node.to_owned()),
            lane,
            encoders: Arc::from([encoder.to_owned()]),
            media: Vec::new(),
            from_turn: 0,
        }
    }

    /// Who claims together next.
    fn few(desk: &Desk) -> Vec<String> {
        let few = desk.next_few();
        few.iter().map(|it| it.search.node.to_string()).collect()
    }

    #[test]
    fn those_claim_together_who_look_for_the_same_and_each_node_once() {
        let desk = Desk::default();
        let _waiting: Vec<_> = [
            search("a", Lane::Render, "x264"),
            search("b", Lane::Preview, "x264"),
            search("c", Lane::Render, "nvenc"),
            search("d", Lane::Render, "x264"),
            search("a", Lane::Render, "x264"),
            search("e", Lane::Preview, "x264"),
        ]
        .map(|search| desk.queue(search))
        .into_iter()
        .collect();
        let groups = [&["a", "d"][..], &["b", "e"], &["c"], &["a"], &[]];
        for group in groups {
            assert_eq!(few(&desk), group);
        }
    }

    #[test]
    fn who_went_away_is_not_claimed_for_and_the_rest_of_many_come_next() {
        let desk = Desk::default();
        let mut waiting: Vec<_> = (0..TOGETHER + 3)
            .map(|number| desk.queue(search(&format!("n{number}"), Lane::Render, "x264")))
            .collect();
        drop(waiting.remove(0));
        assert_eq!(few(&desk).len(), TOGETHER);
        let last = [TOGETHER + 1, TOGETHER + 2].map(|number| format!("n{number}"));
        assert_eq!(few(&desk), last);
    }
}
