//! Filter chains of layers, worked out once.

use std::cell::RefCell;
use std::rc::Rc;

use kinora_composition::css::Filter;
use kinora_composition::timeline::Layer;

use super::filter::{Step, steps};

/// A filter list and its steps.
type Known = (Vec<Filter>, Rc<[Step]>);

/// Chains that were asked for before.
#[derive(Default)]
pub(super) struct Chains(RefCell<Vec<Known>>);

impl Chains {
    /// The steps of a filter list.
    pub(super) fn of(&self, filters: &[Filter]) -> Rc<[Step]> {
        let mut known = self.0.borrow_mut();
        if let Some((_, chain)) = known.iter().find(|(list, _)| list == filters) {
            return Rc::clone(chain);
        }
        let chain: Rc<[Step]> = steps(filters).into();
        known.push((filters.to_vec(), Rc::clone(&chain)));
        chain
    }

    /// The steps of a layer's own filter and of what the moment adds behind it.
    pub(super) fn at_the_moment(&self, layer: &Layer) -> Rc<[Step]> {
        let own = self.of(&layer.effects.filter);
        if layer.passing.filter.is_empty() {
            return own;
        }
        own.iter()
            .cloned()
            .chain(steps(&layer.passing.filter))
            .collect()
    }
}
