//! Pictures and sounds of our own. Saved documents name them `asset:<file>`, so that they stay
//! valid wherever the service is reached; what is rendered or shown names them by URL.

use kinora_outbound::file_url;
use serde_json::Value;

const SCHEME: &str = "asset:";
/// Fields of a composition that hold media: one address, or a list of them.
const MEDIA_FIELDS: [&str; 3] = ["src", "images", "cellImages"];

/// Where the object store has a file of ours.
pub(crate) fn object_key(file: &str) -> String {
    format!("templates/{file}")
}

/// How saved documents name a file of ours.
pub(crate) fn reference(file: &str) -> String {
    format!("{SCHEME}{file}")
}

/// The address of what may be `asset:<file>`; anything else stays as it is.
pub(crate) fn url(source: &str, public_url: &str) -> String {
    match source.strip_prefix(SCHEME) {
        Some(file) => format!("{}{file}", prefix(public_url)),
        None => source.to_owned(),
    }
}

/// Replaces every `asset:<file>` in a document's media fields by its URL.
pub(crate) fn expand(document: &mut Value, public_url: &str) {
    visit_media(document, &|source| *source = url(source, public_url));
}

/// The other way round: our own URLs in a document's media fields become `asset:<file>`.
pub(crate) fn collapse(document: &mut Value, public_url: &str) {
    let prefix = prefix(public_url);
    visit_media(document, &|source| {
        if let Some(file) = source.strip_prefix(&prefix) {
            *source = reference(file);
        }
    });
}

fn prefix(public_url: &str) -> String {
    file_url(public_url, &object_key(""))
}

fn visit_media(value: &mut Value, change: &impl Fn(&mut String)) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if MEDIA_FIELDS.contains(&name.as_str()) {
                    change_strings(value, change);
                } else {
                    visit_media(value, change);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| visit_media(item, change)),
        _ => {}
    }
}

fn change_strings(value: &mut Value, change: &impl Fn(&mut String)) {
    match value {
        Value::String(source) => change(source),
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| change_strings(item, change)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn media_become_urls_and_words_do_not_and_back_again() {
        let saved = json!({ "overlays": [
            { "type": "image", "src": "asset:city.jpg" },
            { "type": "image", "src": "https://example.com/a.png" },
            { "type": "text", "content": "asset:management" },
            { "type": "effect", "styles": {
                "cellImages": ["asset:a.png"], "columns": [{ "images": ["asset:b.png"] }] } },
        ] });
        let mut document = saved.clone();
        expand(&mut document, "https://farm.example");
        let at = |file: &str| json!(format!("https://farm.example/files/templates/{file}"));
        let overlays = &document["overlays"];
        assert_eq!(overlays[0]["src"], at("city.jpg"));
        assert_eq!(overlays[1]["src"], "https://example.com/a.png");
        assert_eq!(overlays[2]["content"], "asset:management");
        assert_eq!(overlays[3]["styles"]["cellImages"][0], at("a.png"));
        assert_eq!(
            overlays[3]["styles"]["columns"][0]["images"][0],
            at("b.png")
        );
        collapse(&mut document, "https://farm.example");
        assert_eq!(document, saved);
    }
}
