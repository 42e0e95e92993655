//! Registering, listing and removing receivers.

use std::net::IpAddr;

use kinora_composition::{
    document::Issue,
    request::{Refusal, RefusalKind},
};
use kinora_outbound::AddressRule;
use serde_json::{Map, Value, json};
use url::{Host, Url};

use super::{Event, Health, Webhooks};
use crate::{
    Error, Result,
    clock::Timestamp,
    ids::{AccountId, WebhookId, random_base62},
    secret_key::Purpose,
    store::{NewWebhook, Store, WebhookRow},
};

/// Active registrations of one account.
const MAX_ACTIVE: usize = 5;
const MAX_URL_CHARACTERS: usize = 2048;
const SECRET_PREFIX: &str = "whsec_";
/// Base-62 digits after the prefix: 238 bits.
const SECRET_RANDOM_LENGTH: usize = 40;

/// Registers a receiver; answers it with its secret, which is shown this once.
pub(crate) async fn create(
    store: &Store,
    webhooks: &Webhooks,
    account: &AccountId,
    body: &[u8],
    now: Timestamp,
) -> Result<(WebhookRow, String)> {
    let wanted = Wanted::parse(body, webhooks.allows)?;
    let id = WebhookId::random();
    let secret = format!("{SECRET_PREFIX}{}", random_base62(SECRET_RANDOM_LENGTH));
    let key = &webhooks.secret_key;
    let sealed_secret = key.encrypt(Purpose::WebhookSecrets, id.as_str(), &secret)?;

    let mut tx = store.begin().await?;
    // Two that are registered at once must not both be the fifth.
    if !tx.lock_account(account).await? {
        return Err(Error::NotFound("there is no such account".into()));
    }
    let others = tx.webhooks_of(account).await?;
    refuse_another(&others)?;
    // Strictly later than the last, so that lists have one order.
    let last = others.first().map_or(i64::MIN, |last| last.created_at.0);
    let webhook = WebhookRow {
        id,
        url: wanted.url.into(),
        events: wanted.events,
        is_active: true,
        created_at: now.max(Timestamp(last.saturating_add(1))),
    };
    let new = NewWebhook {
        webhook: &webhook,
        account,
        sealed_secret: &sealed_secret,
    };
    tx.insert_webhook(&new).await?;
    tx.commit().await?;
    tracing::info!(webhook_id = %webhook.id, "webhook registered");
    Ok((webhook, secret))
}

/// Switches a registration on again, with a clean record.
pub(crate) async fn activate(store: &Store, account: &AccountId, id: &WebhookId) -> Result<()> {
    let mut tx = store.begin().await?;
    tx.lock_account(account).await?;
    let own = tx.webhooks_of(account).await?;
    let Some(webhook) = own.iter().find(|webhook| webhook.id == *id) else {
        return Err(Error::NotFound("there is no such webhook".into()));
    };
    if webhook.is_active {
        return Ok(());
    }
    refuse_another(&own)?;
    tx.set_webhook_health(id, Health::NEW).await?;
    tx.commit().await?;
    tracing::info!(webhook_id = %id, "webhook switched on again");
    Ok(())
}

fn refuse_another(own: &[WebhookRow]) -> Result<()> {
    let active = own.iter().filter(|webhook| webhook.is_active).count();
    if active >= MAX_ACTIVE {
        return Err(over_the_limit().into());
    }
    Ok(())
}

/// Removes a registration with its secret and what it was still to be told.
pub(crate) async fn delete(store: &Store, account: &AccountId, id: &WebhookId) -> Result<()> {
    if store.delete_webhook(account, id).await? {
        tracing::info!(webhook_id = %id, "webhook removed");
        Ok(())
    } else {
        Err(Error::NotFound("there is no such webhook".into()))
    }
}

/// The body of a registration.
struct Wanted {
    url: Url,
    events: Vec<Event>,
}

impl Wanted {
    fn parse(body: &[u8], allows: AddressRule) -> Result<Self, Refusal> {
        let body: Value = serde_json::from_slice(body).map_err(|error| {
            let message = format!("the body is not valid JSON: {error}");
            malformed(&[issue("", message)])
        })?;
        let Value::Object(body) = body else {
            return Err(malformed(&[issue("", "the body must be a JSON object")]));
        };
        let mut issues = Vec::new();
        let url = read_url(&body, allows).map_err(|issue| issues.push(issue));
        let events = read_events(&body).map_err(|found| issues.extend(found));
        match (url, events) {
            (Ok(url), Ok(events)) => Ok(Self { url, events }),
            _ => Err(malformed(&issues)),
        }
    }
}

fn read_url(body: &Map<String, Value>, allows: AddressRule) -> Result<Url, Issue> {
    let refuse = |message: &str| Err(issue("url", message));
    let text = match body.get("url") {
        Some(Value::String(text)) => text,
        None | Some(Value::Null) => return refuse("is required"),
        Some(_) => return refuse("expected a string"),
    };
    if text.chars().count() > MAX_URL_CHARACTERS {
        return refuse("is longer than 2,048 characters");
    }
    let url = match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => url,
        _ => return refuse("must be an absolute http or https URL"),
    };
    if !url.username().is_empty() || url.password().is_some() {
        return refuse("must not contain a user name or password; deliveries are signed instead");
    }
    let address = match url.host() {
        Some(Host::Ipv4(v4)) => Some(IpAddr::V4(v4)),
        Some(Host::Ipv6(v6)) => Some(IpAddr::V6(v6)),
        Some(Host::Domain(_)) | None => None,
    };
    // Names are checked whenever they are connected to: they may lead elsewhere tomorrow.
    if address.is_some_and(|address| !allows(address)) {
        return refuse("names an address that is not on the public internet");
    }
    Ok(url)
}

fn read_events(body: &Map<String, Value>) -> Result<Vec<Event>, Vec<Issue>> {
    let names = match body.get("events") {
        None | Some(Value::Null) => return Ok(Event::ALL.to_vec()),
        Some(Value::Array(names)) => names,
        Some(_) => return Err(vec![issue("events", "expected an array")]),
    };
    if names.is_empty() {
        return Err(vec![issue("events", format!("is empty; {}", choice()))]);
    }
    let (mut events, mut issues) = (Vec::new(), Vec::new());
    for (index, name) in names.iter().enumerate() {
        match name.as_str().and_then(Event::parse) {
            Some(event) if events.contains(&event) => {}
            Some(event) => events.push(event),
            None => issues.push(issue(format!("events[{index}]"), choice())),
        }
    }
    if issues.is_empty() {
        Ok(events)
    } else {
        Err(issues)
    }
}

fn choice() -> String {
    format!("expected {}", Event::ALL.map(Event::as_str).join(" or "))
}

fn issue(path: impl Into<String>, message: impl Into<String>) -> Issue {
    Issue {
        path: path.into(),
        message: message.into(),
    }
}

fn malformed(issues: &[Issue]) -> Refusal {
    let first = issues
        .first()
        .map(|issue| format!("{} {}", issue.path, issue.message));
    Refusal {
        kind: RefusalKind::Invalid,
        message: format!("invalid request: {}", first.unwrap_or_default().trim()),
        details: json!({ "issues": issues }),
    }
}

fn over_the_limit() -> Refusal {
    Refusal {
        kind: RefusalKind::Invalid,
        message: format!(
            "an account has at most {MAX_ACTIVE} active webhooks; delete one to register another"
        ),
        details: json!({ "reason": "WEBHOOK_LIMIT", "limit": MAX_ACTIVE }),
    }
}

#[cfg(test)]
mod tests {
    use kinora_outbound::{any_address, is_public};

    use super::*;

    fn paths(body: &Value) -> Vec<String> {
        let refused = Wanted::parse(body.to_string().as_bytes(), is_public);
        let details = refused.err().expect("refused").details;
        let issues = details["issues"].as_array().expect("issues");
        let path = |issue: &Value| issue["path"].as_str().map(str::to_owned);
        issues.iter().filter_map(path).collect()
    }

    fn events(events: &Value) -> Vec<Event> {
        let body = json!({ "url": "https://example.com/hook", "events": events });
        let wanted = Wanted::parse(body.to_string().as_bytes(), is_public);
        wanted.expect("accepted").events
    }

    #[test]
    fn every_problem_is_listed() {
        let body = json!({ "url": "ftp://example.com", "events": ["render.done", 7] });
        assert_eq!(paths(&body), ["url", "events[0]", "events[1]"]);
        assert_eq!(paths(&json!({ "events": [] })), ["url", "events"]);
        assert_eq!(
            paths(&json!({ "url": 5, "events": "all" })),
            ["url", "events"]
        );
        assert_eq!(paths(&json!([])), [""]);
    }

    #[test]
    fn a_body_that_is_not_json_is_refused() {
        let refused = Wanted::parse(b"{", is_public).err().expect("refused");
        assert!(refused.message.contains("not valid JSON"), "{refused}");
    }

    #[test]
    fn events_default_to_both_and_repetitions_are_one() {
        assert_eq!(events(&Value::Null), Event::ALL);
        let failed = "render.failed";
        assert_eq!(events(&json!([failed, failed])), [Event::Failed]);
    }

    #[test]
    fn urls_are_absolute_short_public_and_without_credentials() {
        let long = format!("https://example.com/{}", "x".repeat(MAX_URL_CHARACTERS));
        for url in [
            "",
            "/hook",
            "example.com/hook",
            "https://",
            "data:text/plain,x",
            "https://user@example.com/",
            "https://:secret@example.com/",
            "http://127.0.0.1/hook",
            "http://[::1]/hook",
            "http://2130706433/hook",
            "http://169.254.169.254/latest",
            &long,
        ] {
            assert_eq!(paths(&json!({ "url": url })), ["url"], "{url}");
        }
        let body = json!({ "url": "http://127.0.0.1:9/hook" }).to_string();
        assert!(Wanted::parse(body.as_bytes(), any_address).is_ok());
    }
}
