//! Text that changes while it is seen: letters that move, are typed or count.

mod counter;
mod motion;
mod typed;

use counter::Counter;
pub use motion::TextMotion;
pub use typed::Typed;
use typed::TypingTimes;

use super::content::{Effects, TextBlock};
use super::motion::Moment;
use super::plan::{Content, Shared};
use crate::document::Text;
use crate::geometry::Size;

/// A text in a frame in which it is not just there.
#[derive(Clone, Debug, PartialEq)]
pub struct LivingText {
    /// The text, as it is at rest.
    pub block: Shared<TextBlock>,
    /// What stands in place of its words.
    pub number: Option<String>,
    /// Which of its letters are seen, and where.
    pub show: Show,
}

/// What is seen of a text.
#[derive(Clone, Debug, PartialEq)]
pub enum Show {
    /// All of it where it belongs.
    Whole,
    /// Pieces that move one after another.
    Pieces {
        /// How they move.
        motion: Shared<TextMotion>,
        /// Frames since the text appeared.
        elapsed: f64,
        /// Counts the jumps of what is displaced.
        tick: u64,
    },
    /// The letters typed so far.
    Typed(Typed),
}

/// A text overlay, and what happens to it.
pub(super) struct TextActor {
    block: Shared<TextBlock>,
    counter: Option<Counter>,
    act: Act,
}

enum Act {
    Stay,
    Move(Shared<TextMotion>),
    Type(TypingTimes),
}

impl TextActor {
    /// A text that lives so many frames.
    pub(super) fn new(text: &Text, size: Size, duration: f64, fps: f64) -> Self {
        let styles = &text.styles;
        let mut block = TextBlock::new(text, size);
        let counter = (styles.counter_mode.as_ref())
            .filter(|mode| mode.enabled == Some(true) && block.code.is_none())
            .map(|mode| Counter::new(mode, text, duration, fps));
        block.number = counter.as_ref().map(Counter::longest);
        let typing = (styles.type_writer.as_ref())
            .filter(|mode| mode.enabled == Some(true) && counter.is_none())
            .map(|mode| TypingTimes::new(mode, &block.text, fps));
        let act = match typing {
            Some(typing) => Act::Type(typing),
            None => TextMotion::of(styles, &block, fps)
                .map_or(Act::Stay, |motion| Act::Move(Shared::new(motion))),
        };
        Self {
            block: Shared::new(block),
            counter,
            act,
        }
    }

    /// What happens to a text overlay as a whole.
    pub(super) fn effects(text: &Text) -> Effects {
        TextBlock::effects(text)
    }

    /// The text at rest.
    pub(super) fn block(&self) -> &TextBlock {
        &self.block
    }

    /// The text at a moment of its life.
    pub(super) fn at(&self, moment: Moment) -> Content {
        let number = self.counter.as_ref().map(|one| one.at(moment.elapsed));
        let show = match &self.act {
            Act::Stay => Show::Whole,
            Act::Move(motion) => TextMotion::show(motion, moment),
            Act::Type(times) => times.show(moment.elapsed),
        };
        let block = self.block.clone();
        if number.is_none() && show == Show::Whole {
            return Content::Text(block);
        }
        Content::LivingText(LivingText {
            block,
            number,
            show,
        })
    }
}

#[cfg(test)]
mod tests;
