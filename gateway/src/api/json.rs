//! JSON that the controller has written and the gateway passes on as it is.

use serde_json::value::RawValue;

use crate::envelope::ApiError;

/// The text as a JSON value; `what` names it in the log when it is none.
pub(super) fn passed_on(what: &str, text: String) -> Result<Box<RawValue>, ApiError> {
    RawValue::from_string(text).map_err(|error| ApiError::unreadable_answer(what, &error))
}
