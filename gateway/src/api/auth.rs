//! `POST /auth/verify`: whose key this is.

use std::sync::Arc;

use axum::routing::post;
use axum::{Extension, Router};
use serde::Serialize;

use super::date;
use crate::auth::Caller;
use crate::envelope::Success;
use crate::server::App;

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new().route("/auth/verify", post(verify))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AccountInformation {
    user_id: String,
    email: String,
    name: String,
    credits: i64,
    api_key_prefix: String,
    api_key_created_at: String,
    api_key_last_used: Option<String>,
}

async fn verify(Extension(Caller(account)): Extension<Caller>) -> Success<AccountInformation> {
    Success(AccountInformation {
        user_id: account.id.clone(),
        email: account.email.clone(),
        name: account.name.clone(),
        credits: account.credits,
        api_key_prefix: account.key_prefix.clone(),
        api_key_created_at: date::from_unix_ms(account.key_created_at_ms),
        api_key_last_used: account.key_last_used_at_ms.map(date::from_unix_ms),
    })
}
