//! Waking whoever waits for work: a baton for each lane, handed from node to node.
//!
//! A session whose node has room waits here. Work that becomes ready wakes one of those who wait; whoever finds some
//! hands the baton on, since there may be more, and whoever finds nothing left puts it down. Nobody is woken twice for the same
//! news, so that work which nobody here may take ends in a round and not in a spin.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{Notify, oneshot};

use crate::state::Lane;

/// Nodes of one kind that look at the queue at once: more would only wait for each other's connections.
const AT_ONCE: usize = 8;

/// What somebody may wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Topic {
    /// Tasks that are ready, in a lane.
    Tasks(Lane),
    /// Webhooks to deliver.
    Webhooks,
}

impl Topic {
    pub(crate) const ALL: [Self; 3] = [
        Self::Tasks(Lane::Render),
        Self::Tasks(Lane::Preview),
        Self::Webhooks,
    ];

    /// The name that controllers tell each other.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Tasks(lane) => lane.as_str(),
            Self::Webhooks => "webhooks",
        }
    }

    /// Reads a name back.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|topic| topic.as_str() == name)
    }
}

/// Who waits in this process.
#[derive(Debug, Default)]
pub(crate) struct Wakeups {
    renders: Mutex<Queue>,
    previews: Mutex<Queue>,
    webhooks: Notify,
}

/// Who waits for the tasks of one lane.
#[derive(Debug, Default)]
struct Queue {
    /// Counts the news.
    news: u64,
    /// By what they encode with: where one finds nothing, another of its kind finds nothing either.
    kinds: HashMap<Arc<str>, Kind>,
}

#[derive(Debug, Default)]
struct Kind {
    waiting: VecDeque<Waiter>,
    /// How many are looking because they were woken.
    looking: usize,
}

#[derive(Debug)]
struct Waiter {
    /// The last news that it has looked after.
    seen: u64,
    baton: oneshot::Sender<Baton>,
}

/// A place in the queue of those who wait.
#[derive(Debug)]
pub(crate) struct Waiting(oneshot::Receiver<Baton>);

impl Waiting {
    /// Until there may be work. What is dropped while it waits is passed over.
    pub(crate) async fn baton(&mut self) -> Baton {
        match (&mut self.0).await {
            Ok(baton) => baton,
            // Only if everybody who could wake it is gone.
            Err(_) => std::future::pending().await,
        }
    }
}

/// The right to look at the queue. Dropping it hands it on to the next who has not looked since the last news.
#[derive(Debug)]
pub(crate) struct Baton {
    wakeups: Arc<Wakeups>,
    lane: Lane,
    kind: Arc<str>,
    ends_here: bool,
}

impl Baton {
    /// There was work, and may be more: others look too.
    pub(crate) fn found(&self) {
        for _ in 0..2 {
            self.wakeups.wake_one(self.lane, &self.kind);
        }
    }

    /// There was nothing left for anybody of this kind when the count of news was `seen`.
    pub(crate) fn put_down(mut self, seen: u64) {
        self.ends_here = self.wakeups.news(self.lane) == seen;
    }
}

impl Drop for Baton {
    fn drop(&mut self) {
        self.wakeups.release(self.lane, &self.kind);
        if !self.ends_here {
            self.wakeups.wake_one(self.lane, &self.kind);
        }
    }
}

impl Wakeups {
    /// Something of a topic has become ready.
    pub(crate) fn wake(self: &Arc<Self>, topic: Topic) {
        match topic {
            Topic::Webhooks => self.webhooks.notify_one(),
            Topic::Tasks(lane) => {
                let kinds: Vec<Arc<str>> = {
                    let mut queue = self.queue(lane);
                    queue.news += 1;
                    queue.kinds.keys().cloned().collect()
                };
                for kind in kinds {
                    self.wake_one(lane, &kind);
                }
            }
        }
    }

    /// Anything may have become ready.
    pub(crate) fn wake_all(self: &Arc<Self>) {
        for topic in Topic::ALL {
            self.wake(topic);
        }
    }

    /// Until webhooks may have to be delivered.
    pub(crate) async fn webhooks(&self) {
        self.webhooks.notified().await;
    }

    /// The count of news; to be read before a look whose outcome [`Wakeups::wait`] relies on.
    pub(crate) fn news(&self, lane: Lane) -> u64 {
        self.queue(lane).news
    }

    /// Waits for news after those counted as `seen`, together with others of a kind.
    pub(crate) fn wait(self: &Arc<Self>, lane: Lane, kind: &Arc<str>, seen: u64) -> Waiting {
        let (sender, receiver) = oneshot::channel();
        let waiter = Waiter {
            seen,
            baton: sender,
        };
        let is_late = {
            let mut queue = self.queue(lane);
            let news = queue.news;
            let group = queue.kinds.entry(Arc::clone(kind)).or_default();
            if seen < news {
                group.waiting.push_front(waiter);
            } else {
                group.waiting.push_back(waiter);
            }
            // Those who went away while they waited; looked for ever more rarely the more there are.
            if group.waiting.len().is_power_of_two() {
                group.waiting.retain(|waiter| !waiter.baton.is_closed());
            }
            seen < news
        };
        if is_late {
            self.wake_one(lane, kind);
        }
        Waiting(receiver)
    }

    /// Wakes the next of a kind who has not looked since the last news, unless enough of them are looking.
    fn wake_one(self: &Arc<Self>, lane: Lane, kind: &Arc<str>) {
        loop {
            let waiter = {
                let mut queue = self.queue(lane);
                let news = queue.news;
                let Some(group) = queue.kinds.get_mut(kind) else {
                    return;
                };
                let is_fresh = |waiter: &Waiter| waiter.seen < news;
                if group.looking >= AT_ONCE || !group.waiting.front().is_some_and(is_fresh) {
                    return;
                }
                group.looking += 1;
                group.waiting.pop_front()
            };
            let baton = Baton {
                wakeups: Arc::clone(self),
                lane,
                kind: Arc::clone(kind),
                ends_here: false,
            };
            match waiter.map(|waiter| waiter.baton.send(baton)) {
                // It is gone: the next one.
                Some(Err(mut baton)) => baton.ends_here = true,
                Some(Ok(())) | None => return,
            }
        }
    }

    fn release(&self, lane: Lane, kind: &Arc<str>) {
        if let Some(group) = self.queue(lane).kinds.get_mut(kind) {
            group.looking = group.looking.saturating_sub(1);
        }
    }

    fn queue(&self, lane: Lane) -> MutexGuard<'_, Queue> {
        let queue = match lane {
            Lane::Render => &self.renders,
            Lane::Preview => &self.previews,
        };
        queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    const LANE: Lane = Lane::Render;

    fn kind(name: &str) -> Arc<str> {
        Arc::from(name)
    }

    /// Nodes that have looked and found nothing.
    fn waiting(wakeups: &Arc<Wakeups>, kind: &Arc<str>, nodes: usize) -> Vec<Waiting> {
        (0..nodes)
            .map(|_| wakeups.wait(LANE, kind, wakeups.news(LANE)))
            .collect()
    }

    /// The batons that were handed to those who wait, by place.
    fn woken(waiting: &mut [Waiting]) -> Vec<(usize, Baton)> {
        let try_one = |(place, one): (usize, &mut Waiting)| {
            let baton = one.baton().now_or_never()?;
            Some((place, baton))
        };
        waiting.iter_mut().enumerate().filter_map(try_one).collect()
    }

    fn places(woken: &[(usize, Baton)]) -> Vec<usize> {
        woken.iter().map(|(place, _)| *place).collect()
    }

    #[test]
    fn news_wake_one_of_each_kind_and_nobody_of_another_lane() {
        let wakeups = Arc::new(Wakeups::default());
        let mut fast = waiting(&wakeups, &kind("nvenc,x264"), 3);
        let mut plain = waiting(&wakeups, &kind("x264"), 3);
        wakeups.wake(Topic::Tasks(Lane::Preview));
        assert!(woken(&mut fast).is_empty());
        wakeups.wake(Topic::Tasks(LANE));
        let (fast, plain) = (woken(&mut fast), woken(&mut plain));
        assert_eq!((places(&fast), places(&plain)), (vec![0], vec![0]));
    }

    #[test]
    fn whoever_finds_work_has_others_look_but_never_too_many_at_once() {
        let wakeups = Arc::new(Wakeups::default());
        let mut nodes = waiting(&wakeups, &kind("x264"), 100);
        wakeups.wake(Topic::Tasks(LANE));
        let mut looking = woken(&mut nodes);
        for (_, baton) in &looking {
            baton.found();
        }
        let more = woken(&mut nodes[1..]);
        assert_eq!(places(&more), [0, 1]);
        looking.extend(more);
        for _ in 0..10 {
            for (_, baton) in &looking {
                baton.found();
            }
        }
        let more = woken(&mut nodes[3..]);
        assert_eq!(looking.len() + more.len(), AT_ONCE);
    }

    #[test]
    fn a_baton_goes_once_around_when_nobody_may_take_what_there_is() {
        let wakeups = Arc::new(Wakeups::default());
        let kind = kind("x264");
        let mut nodes = waiting(&wakeups, &kind, 5);
        wakeups.wake(Topic::Tasks(LANE));
        let mut looks = 0;
        while let Some((place, baton)) = woken(&mut nodes).pop() {
            let seen = wakeups.news(LANE);
            looks += 1;
            assert!(looks <= 5, "it spins");
            drop(baton);
            nodes[place] = wakeups.wait(LANE, &kind, seen);
        }
        assert_eq!(looks, 5);
        wakeups.wake(Topic::Tasks(LANE));
        assert_eq!(woken(&mut nodes).len(), 1, "news begin another round");
    }

    #[test]
    fn a_baton_that_is_put_down_wakes_nobody() {
        let wakeups = Arc::new(Wakeups::default());
        let mut nodes = waiting(&wakeups, &kind("x264"), 3);
        wakeups.wake(Topic::Tasks(LANE));
        let (_, baton) = woken(&mut nodes).remove(0);
        baton.put_down(wakeups.news(LANE));
        assert!(woken(&mut nodes[1..]).is_empty());
    }

    #[test]
    fn a_baton_can_not_be_put_down_on_news_that_came_after_the_look() {
        let wakeups = Arc::new(Wakeups::default());
        let mut nodes = waiting(&wakeups, &kind("x264"), 2);
        wakeups.wake(Topic::Tasks(LANE));
        let (_, baton) = woken(&mut nodes[..1]).remove(0);
        let seen = wakeups.news(LANE) - 1;
        baton.put_down(seen);
        assert_eq!(woken(&mut nodes[1..]).len(), 1);
    }

    #[test]
    fn news_that_come_between_a_look_and_the_wait_are_not_missed() {
        let wakeups = Arc::new(Wakeups::default());
        let seen = wakeups.news(LANE);
        wakeups.wake(Topic::Tasks(LANE));
        let mut late = [wakeups.wait(LANE, &kind("x264"), seen)];
        assert_eq!(woken(&mut late).len(), 1);
    }

    #[test]
    fn a_node_that_goes_away_takes_no_baton_along() {
        let wakeups = Arc::new(Wakeups::default());
        let mut nodes = waiting(&wakeups, &kind("x264"), 4);
        drop(nodes.remove(0));
        wakeups.wake(Topic::Tasks(LANE));
        // The next one is handed it, and goes before it has looked.
        drop(nodes.remove(0));
        assert_eq!(woken(&mut nodes).len(), 1);
    }

    #[test]
    fn those_who_went_away_are_forgotten() {
        let wakeups = Arc::new(Wakeups::default());
        let kind = kind("x264");
        for _ in 0..1000 {
            drop(waiting(&wakeups, &kind, 1));
        }
        assert!(wakeups.queue(LANE).kinds[&kind].waiting.len() < 4);
    }

    #[test]
    fn names_of_topics_read_back() {
        for topic in Topic::ALL {
            assert_eq!(Topic::parse(topic.as_str()), Some(topic));
        }
        assert_eq!(Topic::parse("weather"), None);
    }
}
