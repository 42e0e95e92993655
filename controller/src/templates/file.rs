//! Files that hold a template or a project: reading them, with every problem named.

use kinora_composition::document::Composition;
use serde_json::{Map, Value};

use crate::{
    Error, Result, assets,
    documents::{self, Saved},
    ids::TemplateId,
    store::NewTemplate,
};

/// What a template can be about.
const CATEGORIES: [&str; 9] = [
    "BRANDING",
    "REAL_ESTATE",
    "SOCIAL_MEDIA",
    "EDUCATIONAL",
    "ECOMMERCE",
    "SPORTS",
    "PERSONALIZED",
    "EVENTS",
    "TRAVEL",
];
/// Stands for the service's own address while a file is checked; nobody can have it.
const OWN_ADDRESS: &str = "https://kinora.invalid";

/// A template as a file holds it.
#[derive(Clone, Debug)]
pub(crate) struct TemplateFile {
    /// Only our own templates choose their id.
    pub(crate) slug: Option<String>,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) category: String,
    pub(crate) credits_per_minute: u32,
    pub(crate) thumbnail_url: Option<String>,
    pub(crate) preview_video_url: Option<String>,
    pub(crate) saved: Saved,
}

/// A project as a file holds it.
#[derive(Clone, Debug)]
pub(crate) struct ProjectFile {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) saved: Saved,
}

impl TemplateFile {
    /// Reads `{name, description, category, creditsPerMinute, thumbnailUrl?, previewVideoUrl?,
    /// inputProps}`, or tells all that is wrong with it. Our own also have an `id`, and a
    /// `thumbnail` among the artwork.
    pub(crate) fn read(contents: &[u8]) -> Result<Self> {
        let mut file = Fields::parse(contents)?;
        let slug = file.optional_text("id");
        let name = file.text("name");
        let description = file.text("description");
        let category = file.category();
        let credits_per_minute = file.credits_per_minute();
        let thumbnail_url = match file.optional_text("thumbnail") {
            Some(file) => Some(assets::reference(&file)),
            None => file.optional_text("thumbnailUrl"),
        };
        let preview_video_url = file.optional_text("previewVideoUrl");
        Ok(Self {
            slug,
            name,
            description,
            category,
            credits_per_minute,
            thumbnail_url,
            preview_video_url,
            saved: file.finish()?,
        })
    }
}

impl TemplateFile {
    /// The template as it is written to the database.
    pub(crate) fn row<'a>(
        &'a self,
        id: &'a TemplateId,
        is_public: bool,
        source_hash: Option<&'a str>,
    ) -> NewTemplate<'a> {
        NewTemplate {
            id,
            name: &self.name,
            description: &self.description,
            category: &self.category,
            thumbnail_url: self.thumbnail_url.as_deref(),
            preview_video_url: self.preview_video_url.as_deref(),
            credits_per_minute: self.credits_per_minute,
            saved: &self.saved,
            is_public,
            source_hash,
        }
    }
}

impl ProjectFile {
    /// Reads `{name, description?, inputProps}`, or tells all that is wrong with it.
    pub(crate) fn read(contents: &[u8]) -> Result<Self> {
        let mut file = Fields::parse(contents)?;
        let name = file.text("name");
        let description = file.optional_text("description");
        Ok(Self {
            name,
            description,
            saved: file.finish()?,
        })
    }
}

/// The fields of a file, and what was found wrong with them so far. A field that is wrong reads as
/// an empty one; [`Fields::finish`] tells.
struct Fields {
    fields: Map<String, Value>,
    problems: Vec<String>,
}

impl Fields {
    fn parse(contents: &[u8]) -> Result<Self> {
        match serde_json::from_slice(contents) {
            Ok(Value::Object(fields)) => Ok(Self {
                fields,
                problems: Vec::new(),
            }),
            Ok(_) => Err(Error::Invalid("it does not hold a JSON object".into())),
            Err(error) => Err(Error::Invalid(format!("it is not valid JSON: {error}"))),
        }
    }

    fn refuse(&mut self, field: &str, message: impl AsRef<str>) {
        self.problems.push(format!("{field} {}", message.as_ref()));
    }

    fn text(&mut self, field: &str) -> String {
        let text = self.optional_text(field).unwrap_or_default();
        let named_wrong = self
            .problems
            .iter()
            .any(|problem| problem.starts_with(field));
        if text.trim().is_empty() && !named_wrong {
            self.refuse(field, "is required");
        }
        text
    }

    fn optional_text(&mut self, field: &str) -> Option<String> {
        match self.fields.get(field) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(text.clone()),
            Some(_) => {
                self.refuse(field, "must be a string");
                None
            }
        }
    }

    fn category(&mut self) -> String {
        let category = self.text("category");
        if !category.is_empty() && !CATEGORIES.contains(&category.as_str()) {
            self.refuse(
                "category",
                format!("must be one of {}", CATEGORIES.join(", ")),
            );
        }
        category
    }

    fn credits_per_minute(&mut self) -> u32 {
        let number = self.fields.get("creditsPerMinute").and_then(Value::as_u64);
        let credits = number.and_then(|number| u32::try_from(number).ok());
        credits.filter(|credits| *credits > 0).unwrap_or_else(|| {
            self.refuse("creditsPerMinute", "must be a whole number from 1");
            0
        })
    }

    /// The composition, ready to be stored, unless anything at all was wrong.
    fn finish(mut self) -> Result<Saved> {
        let composition = self.composition();
        match composition.filter(|_| self.problems.is_empty()) {
            Some(composition) => Saved::new(&composition, OWN_ADDRESS),
            None => Err(Error::Invalid(self.problems.join("; "))),
        }
    }

    fn composition(&mut self) -> Option<Composition> {
        let Some(mut document) = self.fields.remove("inputProps") else {
            self.refuse("inputProps", "is required");
            return None;
        };
        assets::expand(&mut document, OWN_ADDRESS);
        let checked = documents::check(&document);
        checked
            .map_err(|issues| {
                for issue in issues {
                    let dot = if issue.path.is_empty() { "" } else { "." };
                    self.refuse(&format!("inputProps{dot}{}", issue.path), issue.message);
                }
            })
            .ok()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn file() -> Value {
        json!({
            "name": "Launch", "description": "A launch.", "category": "BRANDING",
            "creditsPerMinute": 3,
            "inputProps": { "durationInFrames": 30, "overlays": [
                { "id": 1, "type": "image", "src": "", "isDynamic": true, "name": "logo",
                  "from": 0, "durationInFrames": 30, "row": 0, "left": 0, "top": 0,
                  "width": 100, "height": 100 },
                { "id": 2, "type": "image", "src": "asset:sky.jpg", "from": 0,
                  "durationInFrames": 30, "row": 1, "left": 0, "top": 0, "width": 100,
                  "height": 100 },
            ] },
        })
    }

    fn refused(file: &Value) -> String {
        let read = TemplateFile::read(file.to_string().as_bytes());
        read.expect_err("refused").to_string()
    }

    #[test]
    fn a_variable_may_wait_for_its_source_and_our_own_files_stay_relative() {
        let read = TemplateFile::read(file().to_string().as_bytes()).expect("a template");
        assert_eq!((read.name.as_str(), read.credits_per_minute), ("Launch", 3));
        assert!(read.saved.is_dynamic);
        let composition: Value = serde_json::from_str(&read.saved.composition_json).expect("JSON");
        assert_eq!(composition["overlays"][1]["src"], "asset:sky.jpg");
    }

    #[test]
    fn every_problem_is_named() {
        let mut bad = file();
        bad["name"] = json!(7);
        bad["category"] = json!("GARDENING");
        bad["creditsPerMinute"] = json!(-1);
        bad["inputProps"]["width"] = json!(7);
        bad["inputProps"]["overlays"][0]["isDynamic"] = json!(false);
        bad["inputProps"]["overlays"][1]["src"] = json!("/etc/passwd");
        let message = refused(&bad);
        for part in [
            "name must be a string",
            "category must be one of BRANDING",
            "creditsPerMinute must be",
            "inputProps.width must be",
            "inputProps.overlays[0].src must not be empty",
            "inputProps.overlays[1].src must be an http",
        ] {
            assert!(message.contains(part), "{part} is missing in {message}");
        }
        assert_eq!(refused(&json!([])), "it does not hold a JSON object");
        assert!(refused(&json!({})).contains("inputProps is required"));
    }
}
