//! The states of jobs and tasks, with a method for each transition.
//!
//! A transition that is not allowed from a state answers `None`; both ends of a job are final.

macro_rules! named {
    ($visible:vis $name:ident { $($variant:ident = $text:literal),+ $(,)? }) => {
        impl $name {
            /// Every variant, in the order of a life.
            $visible const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name in the database and in metrics.
            $visible fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// Reads a name back.
            $visible fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|variant| variant.as_str() == text)
            }
        }
    };
}

/// Where a render job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobState {
    /// Accepted and paid, waiting for a node.
    Pending,
    /// At least one task has been leased.
    Processing,
    /// The file is there.
    Completed,
    /// It will not be rendered; the credits went back.
    Failed,
}

named!(pub(crate) JobState {
    Pending = "pending",
    Processing = "processing",
    Completed = "completed",
    Failed = "failed",
});

impl JobState {
    /// The first lease starts a job.
    pub(crate) fn start(self) -> Option<Self> {
        (self == Self::Pending).then_some(Self::Processing)
    }

    /// The assembled file completes it.
    pub(crate) fn complete(self) -> Option<Self> {
        (self == Self::Processing).then_some(Self::Completed)
    }

    /// Bad input or a spent task fails it.
    pub(crate) fn fail(self) -> Option<Self> {
        (!self.is_final()).then_some(Self::Failed)
    }

    /// Whether nothing can change any more.
    pub(crate) fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Failed)
    }
}

/// Where a task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TaskState {
    /// Waits for the tasks before it.
    Blocked,
    /// May be leased.
    Ready,
    /// A node holds it until its deadline.
    Leased,
    /// Its object is in the store.
    Done,
    /// Its job failed.
    Cancelled,
}

named!(pub(crate) TaskState {
    Blocked = "blocked",
    Ready = "ready",
    Leased = "leased",
    Done = "done",
    Cancelled = "cancelled",
});

impl TaskState {
    /// The tasks before it are done.
    pub(crate) fn unblock(self) -> Option<Self> {
        (self == Self::Blocked).then_some(Self::Ready)
    }

    /// A node takes it.
    pub(crate) fn lease(self) -> Option<Self> {
        (self == Self::Ready).then_some(Self::Leased)
    }

    /// The node is lost, hands it back or fails it: somebody else may take it.
    pub(crate) fn requeue(self) -> Option<Self> {
        (self == Self::Leased).then_some(Self::Ready)
    }

    /// The node has written its object.
    pub(crate) fn finish(self) -> Option<Self> {
        (self == Self::Leased).then_some(Self::Done)
    }
}

/// What a task asks of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TaskKind {
    /// Draw and encode a range of frames.
    Render,
    /// Join the chunks and add the sound.
    Assemble,
    /// Draw single frames as pictures.
    Stills,
}

named!(pub(crate) TaskKind {
    Render = "render",
    Assemble = "assemble",
    Stills = "stills",
});

/// Which queue work waits in. Nodes have slots for each, and neither lane takes the other's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Lane {
    /// Renders, which are paid for.
    Render,
    /// Previews, which are free and never in a render's way.
    Preview,
}

named!(pub(crate) Lane { Render = "render", Preview = "preview" });

/// Why credits were given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TransactionType {
    /// They were bought.
    CreditPurchase,
    /// They come with a plan.
    Subscription,
    /// They were added later.
    AdditionalCredits,
}

named!(pub(crate) TransactionType {
    CreditPurchase = "CREDIT_PURCHASE",
    Subscription = "SUBSCRIPTION",
    AdditionalCredits = "ADDITIONAL_CREDITS",
});

/// Where a transaction stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TransactionStatus {
    /// Not paid yet.
    Pending,
    /// Paid, and the credits are there.
    Completed,
    /// Not paid after all.
    Failed,
    /// Paid back.
    Refunded,
}

named!(pub(crate) TransactionStatus {
    Pending = "PENDING",
    Completed = "COMPLETED",
    Failed = "FAILED",
    Refunded = "REFUNDED",
});

/// What an account has subscribed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// No subscription.
    None,
    /// The Creator plan.
    Creator,
    /// The Business plan.
    Business,
}

named!(pub Plan { None = "none", Creator = "creator", Business = "business" });

impl Plan {
    /// Requests a minute, of those for no plan, Creator and Business.
    pub(crate) fn requests_per_minute(self, limits: [u32; 3]) -> u32 {
        let [none, creator, business] = limits;
        match self {
            Self::None => none,
            Self::Creator => creator,
            Self::Business => business,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_a_job_are_final() {
        for state in [JobState::Completed, JobState::Failed] {
            assert_eq!(
                (state.start(), state.complete(), state.fail()),
                (None, None, None)
            );
        }
        assert_eq!(JobState::Pending.complete(), None);
        assert_eq!(JobState::Pending.fail(), Some(JobState::Failed));
    }

    #[test]
    fn only_a_leased_task_can_finish_or_go_back() {
        for &state in TaskState::ALL {
            let leased = state == TaskState::Leased;
            assert_eq!(state.finish().is_some(), leased);
            assert_eq!(state.requeue().is_some(), leased);
        }
    }

    #[test]
    fn names_read_back() {
        for &state in TaskState::ALL {
            assert_eq!(TaskState::parse(state.as_str()), Some(state));
        }
        assert_eq!(Plan::parse("enterprise"), None);
    }
}
