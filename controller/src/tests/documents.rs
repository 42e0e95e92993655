//! Templates and projects for tests.

use serde_json::{Value, json};

use super::harness::{TestDb, later};
use crate::{
    ids::TemplateId,
    templates::{BuiltIn, seed},
};

/// A second of video with a text, an image of ours and a sound to fill in.
pub(super) fn composition() -> Value {
    let overlay = |id: u32, fields: Value| {
        let mut overlay = json!({
            "id": id, "from": 0, "durationInFrames": 30, "row": id, "left": 0, "top": 0,
            "width": 640, "height": 200,
        });
        let fields = fields.as_object().expect("an object").clone();
        overlay.as_object_mut().expect("an object").extend(fields);
        overlay
    };
    json!({ "durationInFrames": 30, "fps": 30, "width": 1920, "height": 1080, "overlays": [
        overlay(1, json!({ "type": "text", "content": "Hello", "isDynamic": true, "name": "title",
                           "styles": { "fontSize": "40px", "fontSizeFixed": true,
                                       "fontFamily": "Inter" } })),
        overlay(2, json!({ "type": "image", "src": "asset:sky.png", "isDynamic": true,
                           "name": "picture" })),
        overlay(3, json!({ "type": "text", "content": "always" })),
    ] })
}

/// A template as its file holds it.
pub(super) fn template(slug: &str) -> Value {
    json!({
        "id": slug, "name": format!("The {slug}"), "description": "For tests.",
        "category": "SPORTS", "creditsPerMinute": 4, "thumbnail": "sky.png",
        "inputProps": composition(),
    })
}

/// Templates and one picture, as if they had been compiled in.
pub(super) fn built_in(templates: &[Value]) -> BuiltIn {
    let files: Vec<String> = templates.iter().map(Value::to_string).collect();
    let artwork = vec![("sky.png".to_owned(), b"a picture".as_slice())];
    BuiltIn::read(files.iter().map(String::as_bytes), artwork).expect("templates")
}

impl TestDb {
    /// Puts these templates in; answers the first's id.
    pub(super) async fn seed(&self, templates: &[Value]) -> TemplateId {
        seed(
            &built_in(templates),
            &self.store,
            self.objects.as_ref(),
            later(0),
        )
        .await
        .expect("seeded");
        let slug = templates[0]["id"].as_str().expect("a slug");
        format!("tpl_{slug}").into()
    }
}
