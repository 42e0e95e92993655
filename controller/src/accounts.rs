//! What an account is told about itself.

use time::{OffsetDateTime, Time};

use crate::{
    Error, Result,
    clock::Timestamp,
    ids::AccountId,
    store::{AccountRow, Store, Usage},
};

/// An account, and what it used this month.
#[derive(Clone, Debug)]
pub(crate) struct Description {
    pub(crate) account: AccountRow,
    pub(crate) month_started_at: Timestamp,
    pub(crate) usage: Usage,
}

/// Describes an account as of now.
pub(crate) async fn describe(
    store: &Store,
    account: &AccountId,
    now: Timestamp,
) -> Result<Description> {
    let row = store.account(account).await?;
    let row = row.ok_or_else(|| Error::NotFound("there is no such account".into()))?;
    let month_started_at = month_start(now);
    let usage = store.usage(account, month_started_at).await?;
    Ok(Description {
        account: row,
        month_started_at,
        usage,
    })
}

/// The first moment of the month, UTC.
fn month_start(now: Timestamp) -> Timestamp {
    let seconds = now.0.div_euclid(1000);
    let start = OffsetDateTime::from_unix_timestamp(seconds)
        .and_then(|moment| moment.replace_day(1))
        .map(|moment| moment.replace_time(Time::MIDNIGHT));
    // A clock beyond the year 9999 has no months; nothing was used since then.
    start.map_or(now, |start| Timestamp(start.unix_timestamp() * 1000))
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_month_begins_on_its_first_day_in_utc() {
        let at = |moment: OffsetDateTime| Timestamp(moment.unix_timestamp() * 1000);
        let start = at(datetime!(2028-02-01 0:00 UTC));
        for moment in [
            datetime!(2028-02-29 23:59:59 UTC),
            datetime!(2028-02-01 0:00 UTC),
            datetime!(2028-02-29 20:00 -3),
        ] {
            assert_eq!(month_start(at(moment)), start, "{moment}");
        }
        assert_eq!(month_start(at(datetime!(2028-03-01 0:00 +1))), start);
        assert_eq!(month_start(Timestamp(i64::MAX)), Timestamp(i64::MAX));
    }
}
