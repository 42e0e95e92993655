//! Who is calling: one `Accounts.Admit` call for each request, before anyone looks at its body.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use kinora_proto::v1::problem::Kind;
use kinora_proto::v1::{Account, AdmitRequest, AdmitResponse, Problem};

use crate::envelope::ApiError;
use crate::rate::Window;
use crate::server::App;

/// The account behind the request's credential.
#[derive(Clone)]
pub(crate) struct Caller(pub(crate) Arc<Account>);

/// Middleware: lets a request pass as its [`Caller`], or answers 401, 429 or 503.
pub(crate) async fn admit(
    State(app): State<Arc<App>>,
    mut request: Request,
    next: Next,
) -> Response {
    let credential = bearer(request.headers());
    let asked = AdmitRequest {
        credential: credential.unwrap_or_default().to_owned(),
    };
    let admitted = match app.controller.accounts.clone().admit(asked).await {
        Ok(answer) => answer.into_inner(),
        Err(status) => return ApiError::from(status).into_response(),
    };
    let window = admitted.rate.map(Window);
    let mut response = match judge(admitted, credential.is_some()) {
        Ok(account) => {
            request.extensions_mut().insert(Caller(Arc::new(account)));
            next.run(request).await
        }
        Err(problem) => {
            let mut refusal = ApiError::from(problem).into_response();
            if refusal.status() == StatusCode::UNAUTHORIZED {
                refusal
                    .headers_mut()
                    .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            refusal
        }
    };
    if let Some(window) = window {
        response.extensions_mut().insert(window);
    }
    response
}

fn judge(admitted: AdmitResponse, credential_sent: bool) -> Result<Account, Problem> {
    let Some(account) = admitted.account else {
        let message = if credential_sent {
            "the API key is not valid"
        } else {
            "an API key is missing"
        };
        return Err(Problem::new(Kind::Unauthenticated, message));
    };
    if !admitted.allowed {
        return Err(Problem::new(
            Kind::RateLimited,
            "too many requests in this minute",
        ));
    }
    Ok(account)
}

/// The credential of `Authorization: Bearer …`; the scheme's name has no case.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, credential) = value.split_once(' ')?;
    let credential = credential.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !credential.is_empty()).then_some(credential)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: &'static str) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.insert(header::AUTHORIZATION, value.parse().ok()?);
        bearer(&headers).map(str::to_owned)
    }

    #[test]
    fn only_bearer_credentials_are_read() {
        assert_eq!(read("Bearer rnd_abc").as_deref(), Some("rnd_abc"));
        assert_eq!(read("bearer  rnd_abc ").as_deref(), Some("rnd_abc"));
        assert_eq!(read("Basic cm5k"), None);
        assert_eq!(read("Bearer "), None);
        assert_eq!(read("rnd_abc"), None);
        assert_eq!(bearer(&HeaderMap::new()), None);
    }
}
