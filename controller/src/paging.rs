//! Lists in pages: cursors that say where a page ended, and how long a page may be.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};

use crate::{Error, Result, clock::Timestamp};

const DEFAULT_LIMIT: u32 = 20;
const MAX_LIMIT: u32 = 100;

/// The last row of a page. Lists are newest first; the id decides between equal moments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) created_at: Timestamp,
    pub(crate) id: String,
}

/// Which page is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    /// Rows after this one; none for the first page.
    pub(crate) after: Option<Cursor>,
    pub(crate) limit: u32,
}

impl Page {
    /// Reads what a caller sent: an empty cursor is the first page, 0 the default length.
    ///
    /// # Errors
    /// [`Error::Refused`] for a cursor that is none of ours and for a length out of range.
    pub(crate) fn read(cursor: &str, limit: u32) -> Result<Self> {
        let after = match cursor {
            "" => None,
            cursor => Some(
                Cursor::decode(cursor)
                    .ok_or_else(|| Error::at("cursor", "is not one from an earlier answer"))?,
            ),
        };
        let limit = if limit == 0 { DEFAULT_LIMIT } else { limit };
        if limit > MAX_LIMIT {
            let message = format!("must be from 1 to {MAX_LIMIT}");
            return Err(Error::at("limit", message));
        }
        Ok(Self { after, limit })
    }
}

impl Page {
    /// Rows of the page were made before this moment, or at it and have a smaller id.
    pub(crate) fn before(&self) -> Timestamp {
        self.after
            .as_ref()
            .map_or(Timestamp(i64::MAX), |cursor| cursor.created_at)
    }

    /// See [`Page::before`].
    pub(crate) fn before_id(&self) -> &str {
        self.after.as_ref().map_or("", |cursor| &cursor.id)
    }

    /// Cuts off the row that was read to know whether there is another page; where that begins.
    pub(crate) fn cut<T>(
        &self,
        mut rows: Vec<T>,
        cursor: impl Fn(&T) -> Cursor,
    ) -> (Vec<T>, Option<Cursor>) {
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let has_more = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| has_more).map(cursor);
        (rows, next)
    }
}

impl Cursor {
    /// The cursor as callers see it.
    pub(crate) fn encode(&self) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(format!("{}.{}", self.created_at.0, self.id))
    }

    fn decode(text: &str) -> Option<Self> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        let (created_at, id) = text.split_once('.')?;
        Some(Self {
            created_at: Timestamp(created_at.parse().ok()?),
            id: id.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_and_nonsense_does_not() {
        let cursor = Cursor {
            created_at: Timestamp(1_800_000_000_000),
            id: "job_a.b".into(),
        };
        let page = Page::read(&cursor.encode(), 0).expect("a page");
        assert_eq!(
            page,
            Page {
                after: Some(cursor),
                limit: 20
            }
        );
        for bad in ["x", "!", "bm9wZQ", "é"] {
            assert!(
                matches!(Page::read(bad, 1), Err(Error::Refused(_))),
                "{bad}"
            );
        }
        assert_eq!(Page::read("", 100).map(|page| page.limit).ok(), Some(100));
        assert!(Page::read("", 101).is_err());
    }
}
