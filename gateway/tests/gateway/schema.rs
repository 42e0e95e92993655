//! Checks JSON against the schemas of an OpenAPI document, as far as ours go.

use serde_json::{Map, Value};

/// A document whose schemas are to be kept.
pub(crate) struct Document(pub(crate) Value);

impl Document {
    /// What a reference stands for, or the value itself.
    pub(crate) fn target<'a>(&'a self, value: &'a Value) -> &'a Value {
        let Some(reference) = value["$ref"].as_str() else {
            return value;
        };
        let found = reference
            .strip_prefix('#')
            .and_then(|path| self.0.pointer(path));
        found.unwrap_or_else(|| panic!("{reference} leads nowhere"))
    }

    /// What is wrong with a value. Fields that the schema does not name are wrong too: what is
    /// served must be described.
    pub(crate) fn problems(&self, schema: &Value, value: &Value, path: &str) -> Vec<String> {
        let schema = self.target(schema);
        if let Some(variants) = schema["oneOf"].as_array().or(schema["anyOf"].as_array()) {
            let each = variants.iter().map(|one| self.problems(one, value, path));
            let each: Vec<_> = each.collect();
            return if each.iter().any(Vec::is_empty) {
                Vec::new()
            } else {
                each.concat()
            };
        }
        let mut problems = Vec::new();
        if let Some(only) = schema.get("const")
            && only != value
        {
            problems.push(format!("{path} is {value}, not {only}"));
        }
        if let Some(names) = schema["enum"].as_array()
            && !names.contains(value)
        {
            problems.push(format!("{path} is {value}, none of {names:?}"));
        }
        let types: Vec<_> = match &schema["type"] {
            Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
            one => one.as_str().into_iter().collect(),
        };
        if !types.is_empty() && !types.iter().any(|name| is_a(name, value)) {
            problems.push(format!("{path} is {value}, no {types:?}"));
        }
        match value {
            Value::Object(fields) => problems.extend(self.field_problems(schema, fields, path)),
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    let path = format!("{path}[{index}]");
                    problems.extend(self.problems(&schema["items"], item, &path));
                }
            }
            _ => {}
        }
        problems
    }

    fn field_problems(
        &self,
        schema: &Value,
        fields: &Map<String, Value>,
        path: &str,
    ) -> Vec<String> {
        let mut problems = Vec::new();
        for name in schema["required"].as_array().into_iter().flatten() {
            if !fields.contains_key(name.as_str().unwrap_or_default()) {
                problems.push(format!("{path} lacks {name}"));
            }
        }
        for (name, value) in fields {
            let path = format!("{path}.{name}");
            let known = schema["properties"].get(name);
            match known.or(schema.get("additionalProperties")) {
                Some(schema) => problems.extend(self.problems(schema, value, &path)),
                None if schema.get("properties").is_some() => {
                    problems.push(format!("{path} is not described"));
                }
                None => {}
            }
        }
        problems
    }

    /// Every reference in the document.
    pub(crate) fn references(&self) -> Vec<&str> {
        fn collect<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
            match value {
                Value::Object(fields) => {
                    found.extend(fields.get("$ref").and_then(Value::as_str));
                    fields.values().for_each(|field| collect(field, found));
                }
                Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
                _ => {}
            }
        }
        let mut found = Vec::new();
        collect(&self.0, &mut found);
        found
    }
}

fn is_a(name: &str, value: &Value) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other} is no type"),
    }
}
