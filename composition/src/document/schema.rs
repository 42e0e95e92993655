//! The JSON Schema of a document, gathered from the declarations that read it.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::Composition;
use super::reader::Field;

/// The schema of a composition and of everything inside it, by name: JSON Schema 2020-12 as
/// OpenAPI 3.1 embeds it, with references of the form `#/components/schemas/NAME`.
pub fn schemas() -> BTreeMap<String, Value> {
    let mut schemas = Schemas::default();
    Composition::schema(&mut schemas);
    schemas.named
}

/// Schemas that have a name, as they are found.
#[derive(Default)]
pub(crate) struct Schemas {
    named: BTreeMap<String, Value>,
}

impl Schemas {
    /// A reference to the schema of that name, which is built when it is first referred to.
    pub(crate) fn reference(
        &mut self,
        name: &str,
        build: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        if !self.named.contains_key(name) {
            let schema = build(self);
            self.named.insert(name.to_owned(), schema);
        }
        json!({ "$ref": reference(name) })
    }
}

/// Where the schema of that name stands in an OpenAPI document.
fn reference(name: &str) -> String {
    format!("#/components/schemas/{name}")
}

/// The schema of an object, field by field.
#[derive(Default)]
pub(crate) struct ObjectSchema {
    properties: Map<String, Value>,
    required: Vec<Value>,
}

impl ObjectSchema {
    /// Adds a field, described as its doc comment has it.
    pub(crate) fn field(&mut self, key: &str, mut schema: Value, doc: &str) {
        schema["description"] = doc.trim().into();
        self.properties.insert(key.to_owned(), schema);
    }

    /// Says that a field must be there.
    pub(crate) fn require(&mut self, key: &str) {
        self.required.push(key.into());
    }

    /// Says what a field is when it is left out.
    pub(crate) fn default_to(&mut self, key: &str, value: Value) {
        self.properties[key]["default"] = value;
    }

    /// Says that a field may be null.
    pub(crate) fn nullable(&mut self, key: &str) {
        let kind = self.properties[key]["type"].take();
        self.properties[key]["type"] = json!([kind, "null"]);
    }

    /// Names everything that may stand in a field.
    pub(crate) fn one_of(&mut self, key: &str, names: &[impl AsRef<str>]) {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        self.properties[key]["enum"] = names.into();
    }

    /// The schema of the object as a whole.
    pub(crate) fn finish(self, doc: &str) -> Value {
        let mut schema = json!({
            "type": "object",
            "description": doc.trim(),
            "properties": self.properties,
        });
        if !self.required.is_empty() {
            schema["required"] = self.required.into();
        }
        schema
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_leads_to_a_schema() {
        fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
            match value {
                Value::Object(fields) => {
                    found.extend(fields.get("$ref").and_then(Value::as_str));
                    fields.values().for_each(|field| references(field, found));
                }
                Value::Array(items) => items.iter().for_each(|item| references(item, found)),
                _ => {}
            }
        }
        let schemas = schemas();
        let mut found = Vec::new();
        schemas
            .values()
            .for_each(|schema| references(schema, &mut found));
        assert!(found.len() > schemas.len());
        for path in found {
            let name = path.trim_start_matches("#/components/schemas/");
            assert!(schemas.contains_key(name), "{path}");
        }
    }

    #[test]
    fn a_field_is_described_with_its_type_presence_and_default() {
        let schemas = schemas();
        let composition = &schemas["Composition"];
        assert_eq!(
            composition["required"],
            json!(["overlays", "durationInFrames"])
        );
        assert_eq!(composition["properties"]["fps"]["default"], 30);
        assert_eq!(composition["properties"]["fps"]["type"], "integer");
        assert_eq!(
            composition["properties"]["overlays"]["items"],
            json!({ "$ref": "#/components/schemas/Overlay" })
        );
        assert_eq!(
            schemas["TextStyles"]["properties"]["textAlign"]["enum"],
            json!(["left", "center", "right"])
        );
        assert_eq!(
            schemas["Caption"]["properties"]["confidence"]["type"],
            json!(["number", "null"])
        );
    }

    #[test]
    fn an_overlay_is_one_of_eight_types_each_with_the_base_fields() {
        let schemas = schemas();
        let overlay = &schemas["Overlay"];
        assert_eq!(overlay["discriminator"]["propertyName"], "type");
        assert_eq!(overlay["oneOf"].as_array().map(Vec::len), Some(8));
        for name in ["Text", "Video", "Image", "Sound", "Shape", "Sticker"] {
            let schema = &schemas[&format!("{name}Overlay")];
            assert_eq!(
                schema["properties"]["type"]["const"],
                name.to_lowercase().as_str()
            );
            assert_eq!(schema["properties"]["left"]["type"], "number");
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            assert!(required.contains(&json!("type")) && required.contains(&json!("left")));
        }
    }

    #[test]
    fn everything_is_described_in_words() {
        for (name, schema) in schemas() {
            assert!(schema["description"].as_str() > Some(""), "{name}");
            let fields = schema["properties"].as_object();
            for (field, schema) in fields.into_iter().flatten() {
                let description = schema["description"].as_str().unwrap_or_default();
                assert!(description.ends_with('.'), "{name}.{field}: {description}");
            }
        }
    }
}
