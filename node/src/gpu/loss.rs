//! Devices that do not draw any more: lost by their driver, or silent.

use std::sync::OnceLock;

use tokio_util::sync::CancellationToken;

/// Why a device is of no use any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// What the driver says, or what was seen.
    pub reason: String,
    /// Whether it had too little memory: then what was drawn is to blame, and not the device.
    pub is_out_of_memory: bool,
}

/// Where the loss of a device is noted, once, by whoever sees it first.
#[derive(Default)]
pub(super) struct Lifeline {
    loss: OnceLock<Loss>,
    lost: CancellationToken,
}

impl Lifeline {
    /// The device is lost.
    pub(super) fn cut(&self, reason: String) {
        let is_out_of_memory = reason.to_ascii_lowercase().contains("memory");
        // Whoever comes second has nothing to add.
        let _ = self.loss.set(Loss {
            reason,
            is_out_of_memory,
        });
        self.lost.cancel();
    }

    /// What became of the device, if it is lost.
    pub(super) fn loss(&self) -> Option<&Loss> {
        self.loss.get()
    }

    /// Cancelled when the device is lost.
    pub(super) fn lost(&self) -> &CancellationToken {
        &self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_counts_and_memory_is_told_apart() {
        let lifeline = Lifeline::default();
        assert_eq!(lifeline.loss(), None);
        lifeline.cut("Parent device is lost".to_owned());
        lifeline.cut("Not enough memory left.".to_owned());
        let loss = lifeline.loss().expect("a loss");
        assert_eq!(loss.reason, "Parent device is lost");
        assert!(!loss.is_out_of_memory && lifeline.lost().is_cancelled());
        let poor = Lifeline::default();
        poor.cut("Not enough memory left.".to_owned());
        assert!(poor.loss().is_some_and(|loss| loss.is_out_of_memory));
    }
}
