//! Who of several nodes takes which of several tasks.

/// A task that is next in the queue.
#[derive(Debug)]
pub(super) struct Offer<'a> {
    /// The name of its media; empty for none.
    pub(super) media: &'a str,
    /// Nodes that it is not for, by their place among those who look.
    pub(super) barred: Vec<usize>,
}

/// For each task, in their order, who takes it, by their place among nodes that hold these media.
///
/// First come tasks that are not for everybody, then nodes that hold nothing, or are to take what is first: so nothing stays behind
/// for long. The others take what they hold the media of, where there is such a task.
pub(super) fn takers(offers: &[Offer<'_>], held: &[&[String]]) -> Vec<Option<usize>> {
    let mut takers = vec![None; offers.len()];
    let mut free: Vec<usize> = (0..held.len()).collect();
    let holds = |node: usize, offer: &Offer<'_>| held[node].iter().any(|name| name == offer.media);
    let mut give = |wants: &dyn Fn(&Offer<'_>, usize) -> bool| {
        for (taker, offer) in takers.iter_mut().zip(offers) {
            let fits = |node: &usize| wants(offer, *node) && !offer.barred.contains(node);
            if taker.is_none()
                && let Some(place) = free.iter().position(fits)
            {
                *taker = Some(free.remove(place));
            }
        }
    };
    give(&|offer, node| !offer.barred.is_empty() && holds(node, offer));
    give(&|offer, _| !offer.barred.is_empty());
    give(&|_, node| held[node].is_empty());
    give(&|offer, node| holds(node, offer));
    give(&|_, _| true);
    takers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offers<'a>(media: &[&'a str]) -> Vec<Offer<'a>> {
        let offer = |media: &&'a str| Offer {
            media,
            barred: Vec::new(),
        };
        media.iter().map(offer).collect()
    }

    fn taken(offers: &[Offer<'_>], held: &[&str]) -> Vec<Option<usize>> {
        let names = |held: &&str| held.split_terminator(' ').map(str::to_owned).collect();
        let held: Vec<Vec<String>> = held.iter().map(names).collect();
        let held: Vec<&[String]> = held.iter().map(Vec::as_slice).collect();
        takers(offers, &held)
    }

    #[test]
    fn tasks_go_to_nodes_that_hold_their_media() {
        let offers = offers(&["cat", "", "dog"]);
        assert_eq!(
            taken(&offers, &["dog", "owl", "cow cat"]),
            [Some(2), Some(1), Some(0)]
        );
    }

    #[test]
    fn who_takes_whatever_is_first_takes_the_first() {
        let offers = offers(&["cat", "cat", "dog"]);
        assert_eq!(
            taken(&offers, &["cat", "", "cat"]),
            [Some(1), Some(0), Some(2)]
        );
    }

    #[test]
    fn a_task_that_is_not_for_all_goes_to_one_that_it_is_for() {
        let mut offers = offers(&["cat", "dog"]);
        offers[1].barred = vec![0];
        assert_eq!(taken(&offers, &["", "cat"]), [Some(0), Some(1)]);
        offers[0].barred = vec![0];
        assert_eq!(
            taken(&offers, &["", "cat"]),
            [Some(1), None],
            "nobody is left"
        );
    }

    #[test]
    fn each_node_takes_one_and_each_task_is_taken_once() {
        let media = ["cat", "dog", "", "cat", "owl"];
        for nodes in 0..8 {
            let held: Vec<&str> = ["", "cat", "dog owl", "cat"]
                .into_iter()
                .cycle()
                .take(nodes)
                .collect();
            let mut all: Vec<usize> = taken(&offers(&media), &held)
                .into_iter()
                .flatten()
                .collect();
            assert_eq!(all.len(), nodes.min(media.len()));
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), nodes.min(media.len()));
        }
    }
}
