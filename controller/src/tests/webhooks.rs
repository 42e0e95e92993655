//! Registrations of webhooks, as a gateway and as the database see them.

use futures::future::join_all;
use kinora_proto::v1::{
    CreateWebhookRequest, DeleteWebhookRequest, ListWebhooksRequest, Problem, Webhook,
    problem::Kind, webhooks_client::WebhooksClient,
};
use serde_json::{Value, json};
use tonic::transport::Channel;

use super::{
    api::Running,
    harness::{TestDb, on_both_databases, secret_key},
    webhook_support::{register, sql, try_register, webhooks_of},
};
use crate::{Error, clock::Timestamp, secret_key::Purpose, store::Store, webhooks::registration};

struct Client(WebhooksClient<Channel>);

impl Client {
    async fn connect(running: &Running) -> Self {
        let client = WebhooksClient::connect(running.url.clone()).await;
        Self(client.expect("connected"))
    }

    async fn create(&mut self, account: &str, body: &Value) -> Result<Webhook, Problem> {
        let request = CreateWebhookRequest {
            account_id: account.into(),
            body_json: body.to_string().into_bytes().into(),
        };
        let answer = self.0.create(request).await;
        answer
            .map(tonic::Response::into_inner)
            .map_err(|status| Problem::from_status(&status))
    }

    async fn list(&mut self, account: &str) -> Vec<Webhook> {
        let request = ListWebhooksRequest {
            account_id: account.into(),
        };
        let answer = self.0.list(request).await.expect("a list");
        answer.into_inner().webhooks
    }

    async fn delete(&mut self, account: &str, id: &str) -> Result<(), Kind> {
        let request = DeleteWebhookRequest {
            account_id: account.into(),
            webhook_id: id.into(),
        };
        let answer = self.0.delete(request).await;
        answer
            .map(|_| ())
            .map_err(|status| Problem::from_status(&status).kind())
    }
}

on_both_databases! {
    async fn a_registration_shows_its_secret_once_and_can_be_removed_by_its_owner(db: TestDb) {
        let (ada, bob) = (db.account("ada@example.com", 0).await, db.account("bob@example.com", 0).await);
        let (ada, bob) = (ada.as_str(), bob.as_str());
        let running = Running::start(&db).await;
        let mut client = Client::connect(&running).await;

        let first = json!({ "url": "https://example.com/a" });
        let first = client.create(ada, &first).await.expect("registered");
        let second = json!({ "url": "https://example.com/b", "events": ["render.failed"] });
        let second = client.create(ada, &second).await.expect("registered");
        assert!(first.id.starts_with("wh_") && first.id != second.id, "{first:?}");
        assert_eq!(first.events, ["render.completed", "render.failed"]);
        assert_eq!(second.events, ["render.failed"]);
        let secret = first.secret.as_deref().expect("shown once");
        let random = secret.strip_prefix("whsec_").expect("the prefix");
        assert!(random.len() == 40 && random.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        assert_ne!(first.secret, second.secret);

        let listed = client.list(ada).await;
        let expected = [&second, &first].map(|made| Webhook { secret: None, ..made.clone() });
        assert_eq!(listed, expected, "newest first, and no secrets");
        assert_eq!(client.list(bob).await, []);

        assert_eq!(client.delete(bob, &first.id).await, Err(Kind::NotFound), "not theirs");
        assert_eq!(client.delete(ada, &first.id).await, Ok(()));
        assert_eq!(client.delete(ada, &first.id).await, Err(Kind::NotFound), "gone");
        assert_eq!(client.list(ada).await.len(), 1);
        running.stop().await;
    }
}

on_both_databases! {
    async fn bodies_are_refused_with_every_issue_and_private_addresses_too(db: TestDb) {
        let account = db.account("ada@example.com", 0).await;
        let running = Running::start(&db).await;
        let mut client = Client::connect(&running).await;
        let body = json!({ "url": "http://10.0.0.1/hook", "events": ["render.started"] });
        let refused = client.create(account.as_str(), &body).await.expect_err("refused");
        assert_eq!(refused.kind(), Kind::Invalid);
        let details: Value = serde_json::from_str(&refused.details_json).expect("JSON");
        let paths: Vec<_> = details["issues"].as_array().expect("issues").iter()
            .map(|issue| issue["path"].as_str().expect("a path")).collect();
        assert_eq!(paths, ["url", "events[0]"]);
        let stranger = json!({ "url": "https://example.com/" });
        let refused = client.create("acc_unknown", &stranger).await.expect_err("no account");
        assert_eq!(refused.kind(), Kind::NotFound);
        running.stop().await;
    }
}

on_both_databases! {
    async fn five_are_active_at_most_however_they_come(db: TestDb) {
        let account = db.account("ada@example.com", 0).await;
        let replica = Store::open(&db.url).await.expect("opened");
        let webhooks = webhooks_of(&db);
        let body = json!({ "url": "https://example.com/hook" }).to_string();
        let creates = (0..12).map(|index| {
            let store = if index % 2 == 0 { &db.store } else { &replica };
            registration::create(store, &webhooks, &account, body.as_bytes(), Timestamp::now())
        });
        let (mut registered, mut refused) = (0, 0);
        for result in join_all(creates).await {
            match result {
                Ok(_) => registered += 1,
                Err(Error::Refused(refusal)) => {
                    assert_eq!(refusal.details["reason"], "WEBHOOK_LIMIT");
                    refused += 1;
                }
                Err(other) => panic!("{other}"),
            }
        }
        assert_eq!((registered, refused), (5, 7));

        // One that is switched off makes room; it stays in the list.
        let listed = db.store.webhooks_of(&account).await.expect("listed");
        sql(&db, &format!("UPDATE webhooks SET is_active = 0 WHERE id = '{}'", listed[0].id)).await;
        register(&db, &account, "https://example.com/sixth", &[]).await;
        let seventh = try_register(&db, &account, "https://example.com/seventh", &[]).await;
        assert!(matches!(seventh, Err(Error::Refused(_))));
        let listed = db.store.webhooks_of(&account).await.expect("listed");
        assert_eq!(listed.iter().filter(|webhook| !webhook.is_active).count(), 1);
        assert_eq!(listed.len(), 6);
    }
}

on_both_databases! {
    async fn a_secret_lies_encrypted_and_bound_to_its_registration(db: TestDb) {
        let account = db.account("ada@example.com", 0).await;
        let (webhook, secret) = register(&db, &account, "https://example.com/hook", &[]).await;
        let (other, _) = register(&db, &account, "https://example.com/other", &[]).await;
        let columns = "SELECT id, account_id, url, events, sealed_secret FROM webhooks";
        let rows = sql(&db, columns).await;
        let random = secret.trim_start_matches("whsec_");
        for value in rows.iter().flatten().flatten() {
            assert!(!value.contains(random), "{value}");
        }
        // The file itself, with its log, on SQLite.
        if let Some(path) = db.url.strip_prefix("sqlite://").and_then(|url| url.split('?').next()) {
            for suffix in ["", "-wal"] {
                let bytes = std::fs::read(format!("{path}{suffix}")).expect("a file");
                assert!(!bytes.windows(random.len()).any(|window| window == random.as_bytes()));
            }
        }
        let target = db.store.active_webhook_target(&webhook.id).await.expect("read");
        let (_, sealed) = target.expect("active");
        let open = |id: &str| secret_key().decrypt(Purpose::WebhookSecrets, id, &sealed);
        assert_eq!(open(webhook.id.as_str()).expect("opened"), secret);
        assert!(open(other.id.as_str()).is_err(), "moved to another row it is worth nothing");
    }
}
