//! Uploads: URLs are bound to what they were asked for, and files are looked at before they are used.

use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use kinora_composition::request::RefusalKind;
use object_store::{ObjectStoreExt, path::Path};
use serde_json::{Value, json};
use url::Url;

use super::harness::{MAX_UPLOAD_BYTES, PUBLIC_URL, START, TestDb, body, later, on_both_databases};
use crate::{
    Error, Result, SignedPut, UploadSigner,
    app::App,
    ids::{AccountId, UploadId},
    uploads::{self, Attempt, Authorized, Created},
};

const DAY: u64 = 24 * 3600;

async fn create(app: &App, account: &AccountId, body: &Value) -> Created {
    let body = body.to_string();
    let created = uploads::create(app, account, body.as_bytes(), PUBLIC_URL, START).await;
    created.expect("created")
}

fn parameter(url: &str, name: &str) -> String {
    let url = Url::parse(url).expect("a URL");
    let found = url.query_pairs().find(|(key, _)| key == name);
    found.expect("a parameter").1.into_owned()
}

fn key_of(created: &Created) -> Path {
    let below = created.file_url.strip_prefix(PUBLIC_URL).expect("ours");
    Path::from(below.strip_prefix("/files/").expect("a file"))
}

/// What the gateway asks when somebody uses an upload URL of ours.
struct Use {
    upload: UploadId,
    expires: i64,
    signature: String,
    content_type: &'static str,
    content_length: Option<u64>,
}

impl Use {
    fn of(created: &Created) -> Self {
        Self {
            upload: created.id.clone(),
            expires: parameter(&created.upload_url, "expires")
                .parse()
                .expect("seconds"),
            signature: parameter(&created.upload_url, "signature"),
            content_type: "image/png",
            content_length: Some(10),
        }
    }

    async fn at(&self, app: &App, seconds: u64) -> Result<Authorized> {
        let attempt = Attempt {
            upload: &self.upload,
            expires: self.expires,
            signature: &self.signature,
            content_type: self.content_type,
            content_length: self.content_length,
        };
        uploads::authorize(app, &attempt, later(seconds)).await
    }
}

on_both_databases! {
    async fn a_url_of_our_own_is_for_one_file_until_it_expires(db: TestDb) {
        let (account, app) = (db.account("ada@example.com", 1).await, db.app());
        let created = create(&app, &account, &json!({ "contentType": "image/png" })).await;
        assert_eq!(created.expires_at, later(3600));
        let prefix = format!("{PUBLIC_URL}/uploads/{}?", created.id);
        assert!(created.upload_url.starts_with(&prefix), "{}", created.upload_url);
        let key = key_of(&created);
        assert!(key.as_ref().starts_with(&format!("uploads/{}/", created.id)), "{key}");
        assert!(key.as_ref().ends_with(".png"), "{key}");

        let good = Use::of(&created);
        let allowed = Authorized { object_key: key.to_string(), max_bytes: MAX_UPLOAD_BYTES };
        assert_eq!(good.at(&app, 0).await.expect("allowed"), allowed);
        assert_eq!(good.at(&app, 3599).await.expect("again"), allowed);
        let described = Use { content_type: "Image/PNG; charset=utf-8", ..Use::of(&created) };
        assert!(described.at(&app, 1).await.is_ok());
        let chunked = Use { content_length: None, ..Use::of(&created) };
        assert_eq!(chunked.at(&app, 1).await.expect("bounded while it comes"), allowed);

        let expired = good.at(&app, 3600).await.expect_err("expired");
        assert!(matches!(expired, Error::Forbidden(_)), "{expired}");
        let other = create(&app, &account, &json!({ "contentType": "image/png" })).await;
        for forged in [
            Use { expires: good.expires + 60, ..Use::of(&created) },
            Use { signature: String::new(), ..Use::of(&created) },
            Use { signature: good.signature.to_uppercase(), ..Use::of(&created) },
            Use { upload: other.id, ..Use::of(&created) },
            Use { upload: "upl_unknown".into(), ..Use::of(&created) },
        ] {
            let refused = forged.at(&app, 1).await.expect_err("forged");
            assert!(matches!(refused, Error::Forbidden(_)), "{refused}");
        }
        let typed = Use { content_type: "video/mp4", ..Use::of(&created) };
        let refused = typed.at(&app, 1).await.expect_err("another type");
        assert!(refused.to_string().contains("Content-Type must be image/png"), "{refused}");
        let large = Use { content_length: Some(MAX_UPLOAD_BYTES + 1), ..Use::of(&created) };
        let refused = large.at(&app, 1).await.expect_err("too large");
        assert!(matches!(refused, Error::TooLarge(_)), "{refused}");
    }
}

on_both_databases! {
    async fn an_announced_length_is_binding(db: TestDb) {
        let (account, app) = (db.account("ada@example.com", 1).await, db.app());
        let asked = json!({ "contentType": "image/png", "contentLength": 10 });
        let created = create(&app, &account, &asked).await;
        assert_eq!(Use::of(&created).at(&app, 1).await.expect("allowed").max_bytes, 10);
        let long = Use { content_length: Some(11), ..Use::of(&created) };
        let refused = long.at(&app, 1).await.expect_err("longer");
        assert!(matches!(refused, Error::TooLarge(_)), "{refused}");
        let short = Use { content_length: Some(9), ..Use::of(&created) };
        let refused = short.at(&app, 1).await.expect_err("shorter");
        assert!(refused.to_string().contains("Content-Length"), "{refused}");

        // A body of unknown length is looked at when it is there.
        let key = key_of(&created);
        db.objects.put(&key, "too short".into()).await.expect("stored");
        let refused = uploads::finish(&app, &created.id, 9).await.expect_err("shorter");
        assert!(refused.to_string().contains("Content-Length"), "{refused}");
        assert!(db.objects.head(&key).await.is_err(), "it was deleted");
        db.objects.put(&key, "just right".into()).await.expect("stored");
        uploads::finish(&app, &created.id, 10).await.expect("accepted");
        assert!(db.objects.head(&key).await.is_ok());
    }
}

/// Key, type, length and seconds.
type Asked = (String, String, Option<u64>, u64);

#[derive(Debug, Default)]
struct FakeSigner {
    asked: Mutex<Vec<Asked>>,
}

impl UploadSigner for FakeSigner {
    fn sign<'a>(
        &'a self,
        upload: SignedPut<'a>,
    ) -> BoxFuture<'a, std::result::Result<String, String>> {
        let asked = (
            upload.object_key.to_owned(),
            upload.content_type.to_owned(),
            upload.content_length,
            upload.lifetime.as_secs(),
        );
        let answer = match upload.content_type {
            "image/gif" => Err("no route to the store".to_owned()),
            _ => Ok("https://bucket.example/signed".to_owned()),
        };
        self.asked.lock().expect("one test").push(asked);
        Box::pin(std::future::ready(answer))
    }
}

on_both_databases! {
    async fn a_store_that_signs_is_asked_for_exactly_what_was_announced(db: TestDb) {
        let account = db.account("ada@example.com", 1).await;
        let signer = Arc::new(FakeSigner::default());
        let app = db.app_with(|config| config.upload_signer = Some(signer.clone()));
        let asked = json!({ "contentType": " Video/MP4; codecs=avc1 ", "contentLength": 7 });
        let created = create(&app, &account, &asked).await;
        assert_eq!(created.upload_url, "https://bucket.example/signed");
        let key = key_of(&created).to_string();
        let sent = "Video/MP4; codecs=avc1".to_owned();
        assert_eq!(*signer.asked.lock().expect("one test"), [(key, sent, Some(7), 3600)]);

        let broken = json!({ "contentType": "image/gif" }).to_string();
        let failed = uploads::create(&app, &account, broken.as_bytes(), PUBLIC_URL, START).await;
        let failed = failed.expect_err("the store is away");
        assert!(matches!(failed, Error::Store(_)), "{failed}");
    }
}

fn picture(url: &str) -> Value {
    let mut body = body(30);
    let overlay = &mut body["inputProps"]["overlays"][0];
    overlay["type"] = "image".into();
    overlay["src"] = url.into();
    body
}

on_both_databases! {
    async fn a_render_of_a_file_that_is_not_there_or_too_large_is_refused_and_free(db: TestDb) {
        let (account, app) = (db.account("ada@example.com", 1).await, db.app());
        let created = create(&app, &account, &json!({ "contentType": "image/png" })).await;
        let render = picture(&created.file_url);
        let refused = |result: Result<crate::jobs::Accepted>| match result {
            Err(Error::Refused(refusal)) => refusal,
            other => panic!("{other:?}"),
        };
        let early = refused(db.try_create(&account, &render, "").await);
        assert_eq!(early.kind, RefusalKind::Invalid);
        let issue = &early.details["issues"][0];
        assert_eq!(issue["path"], "inputProps.overlays[0].src");
        assert!(issue["message"].as_str().is_some_and(|why| why.contains("not uploaded")), "{issue}");

        let key = key_of(&created);
        let too_much = vec![0_u8; 1001];
        db.objects.put(&key, too_much.into()).await.expect("stored");
        let large = refused(db.try_create(&account, &render, "").await);
        assert_eq!(large.kind, RefusalKind::Unrenderable);
        assert_eq!(large.details["issues"][0]["path"], "inputProps.overlays[0].src");
        assert!(db.objects.head(&key).await.is_err(), "it was deleted");
        assert_eq!(db.balance(&account).await, 100);

        db.objects.put(&key, "a picture".into()).await.expect("stored");
        db.try_create(&account, &render, "").await.expect("accepted");
        assert_eq!(db.balance(&account).await, 0);
    }
}

on_both_databases! {
    async fn uploads_of_which_nothing_came_are_forgotten(db: TestDb) {
        let (account, app) = (db.account("ada@example.com", 1).await, db.app());
        let asked = json!({ "contentType": "image/png" });
        let (never, straight, large) = (
            create(&app, &account, &asked).await,
            create(&app, &account, &asked).await,
            create(&app, &account, &asked).await,
        );
        db.objects.put(&key_of(&straight), "a picture".into()).await.expect("stored");
        db.objects.put(&key_of(&large), vec![0_u8; 1001].into()).await.expect("stored");
        let tidy = |seconds| uploads::tidy_once(&db.store, db.objects.as_ref(), later(seconds));
        assert_eq!(tidy(3600 + DAY - 1).await.expect("tidied"), 0, "it may still be on its way");
        assert_eq!(tidy(3601 + DAY).await.expect("tidied"), 2);
        assert_eq!(db.store.upload(&never.id).await.expect("read"), None);
        assert_eq!(db.store.upload(&large.id).await.expect("read"), None);
        assert!(db.objects.head(&key_of(&large)).await.is_err());
        assert!(db.store.upload(&straight.id).await.expect("read").is_some());
        assert!(db.objects.head(&key_of(&straight)).await.is_ok());
        let unseen = db.store.unseen_uploads(later(9 * DAY), 9).await.expect("read");
        assert_eq!(unseen, [], "what is there is not looked at again");
    }
}
