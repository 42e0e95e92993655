//! Credits: how they are counted, spent and given back.

use kinora_composition::price::HUNDREDTHS;

use crate::{
    Error, Result,
    clock::Timestamp,
    ids::{AccountId, JobId},
    store::{EntryKind, Tx},
};

/// An amount in hundredths of a credit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Credits(i64);

impl Credits {
    /// This many hundredths.
    pub fn from_hundredths(hundredths: i64) -> Self {
        Self(hundredths)
    }

    /// This many whole credits; `None` when there is no such amount.
    pub fn from_whole(credits: i64) -> Option<Self> {
        credits.checked_mul(HUNDREDTHS).map(Self)
    }

    /// The amount in hundredths.
    pub fn hundredths(self) -> i64 {
        self.0
    }

    /// Whole credits as a cost is shown.
    pub fn rounded_up(self) -> i64 {
        -(-self.0).div_euclid(HUNDREDTHS)
    }

    /// Whole credits as a balance is shown.
    pub fn rounded_down(self) -> i64 {
        self.0.div_euclid(HUNDREDTHS)
    }
}

/// Pays for a job.
pub(crate) async fn charge(
    tx: &mut Tx,
    account: &AccountId,
    job: &JobId,
    price: Credits,
    now: Timestamp,
) -> Result<()> {
    if tx
        .spend(account, EntryKind::Render, price, job, now)
        .await?
    {
        return Ok(());
    }
    Err(Error::InsufficientCredits {
        needed: price,
        available: tx.balance(account).await?,
    })
}

/// Gives back everything that a job has cost.
pub(crate) async fn refund(
    tx: &mut Tx,
    account: &AccountId,
    job: &JobId,
    now: Timestamp,
) -> Result<()> {
    let cost = tx.net_cost(job).await?;
    if cost > Credits(0) {
        tx.insert_entry(account, EntryKind::Refund, cost, Some(job), now)
            .await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_round_up_and_balances_down_below_zero_too() {
        for (hundredths, up, down) in [
            (0, 0, 0),
            (1, 1, 0),
            (99, 1, 0),
            (100, 1, 1),
            (101, 2, 1),
            (-1, 0, -1),
            (-150, -1, -2),
        ] {
            let credits = Credits::from_hundredths(hundredths);
            assert_eq!(
                (credits.rounded_up(), credits.rounded_down()),
                (up, down),
                "{hundredths}"
            );
        }
    }

    #[test]
    fn an_amount_beyond_the_ledger_is_none() {
        assert_eq!(Credits::from_whole(i64::MAX), None);
        assert_eq!(Credits::from_whole(3).map(Credits::hundredths), Some(300));
    }
}
