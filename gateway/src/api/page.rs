//! Lists that come in pages: `?limit=` and `?cursor=`.

use serde::Deserialize;
use utoipa::IntoParams;

use crate::envelope::ApiError;

/// The most items that one page may have.
const MAX_LIMIT: u32 = 100;

/// Which part of a list to return.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct PageQuery {
    /// How many items to return at most, from 1 to 100. 20 when omitted.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100)]
    limit: Option<String>,
    /// `nextCursor` of the page before; omit it for the first page.
    cursor: Option<String>,
}

/// A page as the controller is asked for it.
pub(super) struct Page {
    /// 0 for the default.
    pub(super) limit: u32,
    /// Empty for the first page. Only the controller can tell whether it is one of its own.
    pub(super) cursor: String,
}

impl PageQuery {
    /// The page, or 400 that names what is wrong.
    pub(super) fn page(self) -> Result<Page, ApiError> {
        let limit = match self.limit.as_deref().map(str::parse) {
            None => 0,
            Some(Ok(limit)) if (1..=MAX_LIMIT).contains(&limit) => limit,
            Some(_) => {
                let message = format!("must be a whole number from 1 to {MAX_LIMIT}");
                return Err(ApiError::parameter("limit", &message));
            }
        };
        Ok(Page {
            limit,
            cursor: self.cursor.unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(text: &str) -> Option<u32> {
        let query = PageQuery {
            limit: Some(text.to_owned()),
            cursor: None,
        };
        query.page().ok().map(|page| page.limit)
    }

    #[test]
    fn limits_are_whole_numbers_up_to_a_hundred() {
        assert_eq!(limit("1"), Some(1));
        assert_eq!(limit("100"), Some(100));
        for text in ["0", "101", "-1", "1.5", "", "ten", "99999999999999999999"] {
            assert_eq!(limit(text), None, "{text:?}");
        }
    }

    #[test]
    fn without_parameters_it_is_the_first_page_of_the_default_size() {
        let query = PageQuery {
            limit: None,
            cursor: None,
        };
        let page = query.page().expect("a page");
        assert_eq!((page.limit, page.cursor.as_str()), (0, ""));
    }
}
