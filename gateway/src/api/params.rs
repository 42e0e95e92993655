//! What handlers read from the address of a request.

use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use kinora_proto::v1::Problem;
use kinora_proto::v1::problem::Kind;
use serde::de::DeserializeOwned;

use crate::envelope::ApiError;

/// The query string as a `T`, or 400.
pub(super) struct Params<T>(pub(super) T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        match Query::try_from_uri(&parts.uri) {
            Ok(Query(params)) => Ok(Self(params)),
            Err(rejection) => {
                let problem = Problem::new(Kind::Invalid, "the query string cannot be read");
                Err(ApiError::from(problem).or_hint(&rejection.body_text()))
            }
        }
    }
}

/// The id in a path. One that is no text belongs to nothing: 404.
pub(super) struct Id(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(id)) => Ok(Self(id)),
            Err(_) => Err(Problem::new(Kind::NotFound, "there is nothing with this id").into()),
        }
    }
}
