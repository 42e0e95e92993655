//! Templates: those that come with the program, and those that operators import.

use object_store::{ObjectStoreExt, path::Path};
use serde_json::json;

use super::{
    documents::{built_in, template},
    harness::{TestDb, later, on_both_databases},
};
use crate::{
    documents,
    templates::{BuiltIn, seed},
};

on_both_databases! {
    async fn seeding_writes_what_changed_and_unlists_what_is_gone(db: TestDb) {
        let names = async || {
            let listed = db.store.public_templates().await.expect("a list");
            listed.into_iter().map(|template| template.name).collect::<Vec<_>>()
        };
        db.seed(&[template("sprint"), template("race")]).await;
        assert_eq!(names().await, ["The race", "The sprint"]);
        let first = db.store.public_templates().await.expect("a list").remove(1);
        assert_eq!((first.id.as_str(), first.category.as_str()), ("tpl_sprint", "SPORTS"));
        assert_eq!(first.thumbnail_url.as_deref(), Some("asset:sky.png"));

        let mut changed = template("sprint");
        changed["name"] = json!("The dash");
        let only = built_in(&[changed]);
        for step in 1..=2 {
            seed(&only, &db.store, db.objects.as_ref(), later(step)).await.expect("seeded");
            assert_eq!(names().await, ["The dash"]);
        }
        let again = db.store.public_templates().await.expect("a list").remove(0);
        assert_eq!((again.id.as_str(), again.created_at), ("tpl_sprint", later(0)));
        db.seed(&[template("race"), template("sprint")]).await;
        assert_eq!(names().await, ["The race", "The sprint"]);
    }
}

on_both_databases! {
    async fn seeding_leaves_imported_templates_alone(db: TestDb) {
        let file = template("own").to_string();
        let admin = db.admin().await;
        let own = admin.import_template(file.as_bytes(), true).await.expect("imported");
        assert!(own.as_str().starts_with("tpl_") && own.as_str() != "tpl_own");
        db.seed(&[template("sprint")]).await;
        db.seed(&[template("race")]).await;
        let listed = db.store.public_templates().await.expect("a list");
        let ids: Vec<_> = listed.iter().map(|template| template.id.as_str()).collect();
        assert_eq!(ids, [own.as_str(), "tpl_race"]);
    }
}

on_both_databases! {
    async fn artwork_is_put_where_it_is_served_from_once(db: TestDb) {
        let key = Path::from("templates/sky.png");
        let read = async || {
            let object = db.objects.get(&key).await.expect("there");
            object.bytes().await.expect("readable")
        };
        db.seed(&[template("sprint")]).await;
        assert_eq!(read().await, "a picture");
        let first = db.objects.head(&key).await.expect("there").last_modified;
        db.seed(&[template("sprint")]).await;
        assert_eq!(db.objects.head(&key).await.expect("there").last_modified, first);
        db.objects.put(&key, "half".into()).await.expect("put");
        db.seed(&[template("sprint")]).await;
        assert_eq!(read().await, "a picture", "what was cut off is written again");
    }
}

#[test]
fn every_file_that_a_shipped_template_names_is_shipped() {
    let shipped = BuiltIn::compiled_in().expect("every file is a template");
    assert_eq!(shipped.missing_artwork(), [""; 0]);
}

on_both_databases! {
    async fn the_templates_that_come_with_the_program_can_be_rendered(db: TestDb) {
        let shipped = BuiltIn::compiled_in().expect("every file is a template");
        seed(&shipped, &db.store, db.objects.as_ref(), later(0)).await.expect("seeded");
        let account = db.account("ada@example.com", 1000).await;
        let listed = db.store.public_templates().await.expect("a list");
        assert!(!listed.is_empty());
        for template in listed {
            let variables =
                documents::listed(&template.variables_json, "https://farm.example").expect("read");
            assert!(variables.len() >= 4, "{} has {} variables", template.id, variables.len());
            let request = json!({ "templateId": template.id.as_str() });
            db.try_create(&account, &request, "").await.expect("accepted");
        }
    }
}
