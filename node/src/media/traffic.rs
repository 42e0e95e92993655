//! How many fetches run at a time: in all, and from one host.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Fetches at a time.
const MOST: usize = 16;
/// Fetches at a time from one host, as browsers have it.
const MOST_FROM_ONE_HOST: usize = 6;

/// Lets fetches begin when it is their turn.
pub(super) struct Traffic {
    all: Arc<Semaphore>,
    hosts: Mutex<HashMap<String, Weak<Semaphore>>>,
}

/// The right to fetch, given back when dropped.
pub(super) struct Turn {
    _of_all: Option<OwnedSemaphorePermit>,
    _of_host: Option<OwnedSemaphorePermit>,
    /// Keeps the host's count alive while anybody fetches from it or waits.
    _host: Option<Arc<Semaphore>>,
}

impl Default for Traffic {
    fn default() -> Self {
        Self {
            all: Arc::new(Semaphore::new(MOST)),
            hosts: Mutex::default(),
        }
    }
}

impl Traffic {
    /// Waits for a turn; a host that is busy keeps nobody else from theirs.
    pub(super) async fn turn(&self, host: Option<&str>) -> Turn {
        let host = host.map(|host| self.host(host));
        let of_host = match &host {
            // Never closed, so that a permit always comes.
            Some(host) => Arc::clone(host).acquire_owned().await.ok(),
            None => None,
        };
        Turn {
            _of_all: Arc::clone(&self.all).acquire_owned().await.ok(),
            _of_host: of_host,
            _host: host,
        }
    }

    fn host(&self, name: &str) -> Arc<Semaphore> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(host) = hosts.get(name).and_then(Weak::upgrade) {
            return host;
        }
        hosts.retain(|_, host| host.strong_count() > 0);
        let host = Arc::new(Semaphore::new(MOST_FROM_ONE_HOST));
        hosts.insert(name.to_owned(), Arc::downgrade(&host));
        host
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    /// Takes turns that are to be had at once.
    fn at_once(traffic: &Traffic, host: &str, count: usize) -> Vec<Turn> {
        (0..count)
            .map_while(|_| traffic.turn(Some(host)).now_or_never())
            .collect()
    }

    #[test]
    fn one_busy_host_leaves_room_for_others_and_all_together_are_bounded() {
        let traffic = Traffic::default();
        let one = at_once(&traffic, "a.test", 100);
        assert_eq!(one.len(), MOST_FROM_ONE_HOST);
        let two = at_once(&traffic, "b.test", 100);
        let three = at_once(&traffic, "c.test", 100);
        assert_eq!(one.len() + two.len() + three.len(), MOST);
        drop(one);
        assert_eq!(
            at_once(&traffic, "a.test", 100).len(),
            MOST_FROM_ONE_HOST,
            "turns come back"
        );
        drop((two, three));
        assert_eq!(at_once(&traffic, "d.test", 1).len(), 1);
        let hosts = traffic.hosts.lock().map(|hosts| hosts.len());
        assert!(
            hosts.is_ok_and(|hosts| hosts == 1),
            "idle hosts are forgotten"
        );
    }
}
