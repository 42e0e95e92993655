//! Where the nodes of a controller queue for tasks. Whoever's turn it is claims for all who wait, in one transaction: to begin
//! one and to commit it costs the database more than the claim itself.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Semaphore, oneshot};

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
/// Claims in one transaction. What the first has waits for the last, and others look past all of it.
const TOGETHER: usize = 4;

/// A queue of nodes.
#[derive(Debug)]
pub(crate) struct Desk {
    waiting: Mutex<Vec<Request>>,
    turns: Semaphore,
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
            turns: Semaphore::new(AT_ONCE),
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
        &self,
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
                _turn = self.turns.acquire() => self.serve(store, timing, sizing).await?,
            }
        }
    }

    fn queue(&self, search: Search) -> oneshot::Receiver<Looked> {
        let (answer, waiting) = oneshot::channel();
        self.waiting().push(Request { search, answer });
        waiting
    }

    /// Claims for those who have waited longest. If it can't be done, they have to ask again.
    async fn serve(&self, store: &Store, timing: &Timing, sizing: Sizing) -> Result<()> {
        let requests: Vec<Request> = {
            let mut waiting = self.waiting();
            waiting.retain(|request| !request.answer.is_closed());
            let count = waiting.len().min(TOGETHER);
            waiting.drain(..count).collect()
        };
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

    fn waiting(&self) -> MutexGuard<'_, Vec<Request>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
