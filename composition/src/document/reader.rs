//! Reads JSON into typed values, collecting every problem with its path instead of stopping at the
//! first.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::schema::Schemas;
use crate::css::Easing;

/// A problem at one place of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Issue {
    /// Where, as in `overlays[3].styles.opacity`; empty for the document itself.
    pub path: String,
    /// What is wrong, and what would be right.
    pub message: String,
}

/// Collects issues and unknown fields while a document is read.
#[derive(Default)]
pub(crate) struct Reader {
    path: String,
    issues: Vec<Issue>,
    unknown: Vec<String>,
}

/// The outcome of reading a document.
pub(crate) struct Outcome {
    pub(crate) issues: Vec<Issue>,
    pub(crate) unknown: Vec<String>,
}

impl Reader {
    pub(crate) fn issue(&mut self, message: impl Into<String>) {
        self.issues.push(Issue {
            path: self.path.clone(),
            message: message.into(),
        });
    }

    pub(crate) fn finish(self) -> Outcome {
        Outcome {
            issues: self.issues,
            unknown: self.unknown,
        }
    }

    fn inside<T>(&mut self, segment: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        if !segment.starts_with('[') && length > 0 {
            self.path.push('.');
        }
        self.path.push_str(segment);
        let result = read(self);
        self.path.truncate(length);
        result
    }

    pub(crate) fn at_field<T>(&mut self, name: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        self.inside(name, read)
    }

    pub(crate) fn object<'v>(&mut self, value: &'v Value) -> Option<&'v Map<String, Value>> {
        if value.as_object().is_none() {
            self.wrong_type("an object", value);
        }
        value.as_object()
    }

    pub(crate) fn wrong_type(&mut self, expected: &str, found: &Value) {
        self.issue(format!("expected {expected}, found {}", describe(found)));
    }

    pub(crate) fn note_unknown(&mut self, object: &Map<String, Value>, known: &[&[&str]]) {
        for name in object.keys() {
            if !known.iter().any(|group| group.contains(&name.as_str())) {
                let separator = if self.path.is_empty() { "" } else { "." };
                self.unknown.push(format!("{}{separator}{name}", self.path));
            }
        }
    }

    /// A field that must be there.
    pub(crate) fn required<T: Field>(
        &mut self,
        object: &Map<String, Value>,
        name: &str,
    ) -> Option<T> {
        self.at_field(name, |reader| match object.get(name) {
            None | Some(Value::Null) => {
                reader.issue(format!("is required: {}", T::EXPECTED));
                None
            }
            Some(value) => T::read(value, reader),
        })
    }

    /// A field that may be missing. The outer option is `None` when it is there but wrong.
    pub(crate) fn optional<T: Field>(
        &mut self,
        object: &Map<String, Value>,
        name: &str,
    ) -> Option<Option<T>> {
        match object.get(name) {
            None | Some(Value::Null) => Some(None),
            Some(value) => self
                .at_field(name, |reader| T::read(value, reader))
                .map(Some),
        }
    }
}

fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(_) => "a boolean".into(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) if text.chars().count() <= 40 => format!("the string {text:?}"),
        Value::String(_) => "a string".into(),
        Value::Array(_) => "an array".into(),
        Value::Object(_) => "an object".into(),
    }
}

/// A value that can stand in a document.
pub(crate) trait Field: Sized {
    /// What a person should write here, as in "a number".
    const EXPECTED: &'static str;
    fn read(value: &Value, reader: &mut Reader) -> Option<Self>;
    fn write(&self) -> Value;
    /// Its JSON Schema; objects are put among the named ones and referred to.
    fn schema(schemas: &mut Schemas) -> Value;
}

impl Field for f64 {
    const EXPECTED: &'static str = "a number";
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let number = value.as_f64().filter(|number| number.is_finite());
        if number.is_none() {
            reader.wrong_type(Self::EXPECTED, value);
        }
        number
    }
    fn write(&self) -> Value {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if self.fract() == 0.0 && self.abs() < EXACT {
            Value::from(*self as i64)
        } else {
            Value::from(*self)
        }
    }
    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "number" })
    }
}

impl Field for u32 {
    const EXPECTED: &'static str = "a whole number of 0 or more";
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let number = value.as_f64().filter(|number| {
            number.fract() == 0.0 && (0.0..=f64::from(Self::MAX)).contains(number)
        });
        if number.is_none() {
            reader.wrong_type(Self::EXPECTED, value);
        }
        number.map(|number| number as Self)
    }
    fn write(&self) -> Value {
        Value::from(*self)
    }
    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "integer", "minimum": 0, "maximum": Self::MAX })
    }
}

impl Field for bool {
    const EXPECTED: &'static str = "a boolean";
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        if value.as_bool().is_none() {
            reader.wrong_type(Self::EXPECTED, value);
        }
        value.as_bool()
    }
    fn write(&self) -> Value {
        Value::from(*self)
    }
    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "boolean" })
    }
}

impl Field for String {
    const EXPECTED: &'static str = "a string";
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        if value.as_str().is_none() {
            reader.wrong_type(Self::EXPECTED, value);
        }
        value.as_str().map(Into::into)
    }
    fn write(&self) -> Value {
        Value::from(self.as_str())
    }
    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "string" })
    }
}

/// An easing and how it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct EasingText {
    text: String,
    /// The curve.
    pub curve: Easing,
}

impl Field for EasingText {
    const EXPECTED: &'static str = Easing::EXPECTED;
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let text = value.as_str();
        let curve = text.and_then(Easing::parse);
        if curve.is_none() {
            reader.wrong_type(Self::EXPECTED, value);
        }
        Some(Self {
            text: text?.to_owned(),
            curve: curve?,
        })
    }
    fn write(&self) -> Value {
        Value::from(self.text.as_str())
    }
    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "string", "format": "easing" })
    }
}

impl<T: Field> Field for Vec<T> {
    const EXPECTED: &'static str = "an array";
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let Some(items) = value.as_array() else {
            reader.wrong_type(Self::EXPECTED, value);
            return None;
        };
        let read: Vec<Option<T>> = items
            .iter()
            .enumerate()
            .map(|(index, item)| {
                reader.inside(&format!("[{index}]"), |reader| T::read(item, reader))
            })
            .collect();
        read.into_iter().collect()
    }
    fn write(&self) -> Value {
        self.iter().map(Field::write).collect()
    }
    fn schema(schemas: &mut Schemas) -> Value {
        json!({ "type": "array", "items": T::schema(schemas) })
    }
}

/// Declares an object of the document: a struct, how it is read, how it is written and its schema.
///
/// Each field names its key and whether it is `required`, `optional` or `nullable` (the field is an
/// `Option`) or has a `default(…)`; `one_of(…)` lists for the schema what a string may be. In the
/// schema the object is called as the struct is, or as the name in brackets says.
macro_rules! record {
    (
        $(#[doc = $doc:literal])*
        $(#[derive($derived:ident)])?
        pub struct $name:ident {
            $( $(#[doc = $field_doc:literal])*
            $field:ident: $kind:ty, $key:literal, $presence:ident $(($default:expr))? $(, one_of($names:expr))?; )*
        }
    ) => {
        $crate::document::reader::record! {
            $(#[doc = $doc])*
            $(#[derive($derived)])?
            pub struct $name(stringify!($name)) {
                $( $(#[doc = $field_doc])*
                $field: $kind, $key, $presence $(($default))? $(, one_of($names))?; )*
            }
        }
    };
    (
        $(#[doc = $doc:literal])*
        $(#[derive($derived:ident)])?
        pub struct $name:ident($schema_name:expr) {
            $( $(#[doc = $field_doc:literal])*
            $field:ident: $kind:ty, $key:literal, $presence:ident $(($default:expr))? $(, one_of($names:expr))?; )*
        }
    ) => {
        $(#[doc = $doc])*
        $(#[derive($derived)])?
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $( $(#[doc = $field_doc])* pub $field: $crate::document::reader::record!(@type $presence $kind), )*
        }

        impl $name {
            pub(crate) const FIELDS: &'static [&'static str] = &[$($key),*];

            pub(crate) fn read_fields(
                object: &serde_json::Map<String, serde_json::Value>,
                reader: &mut $crate::document::reader::Reader,
            ) -> Option<Self> {
                $( let $field = $crate::document::reader::record!(@read $presence $kind, reader, object, $key $(, $default)?); )*
                Some(Self { $( $field: $field?, )* })
            }

            pub(crate) fn write_fields(&self, object: &mut serde_json::Map<String, serde_json::Value>) {
                $( $crate::document::reader::record!(@write $presence self.$field, object, $key); )*
            }

            pub(crate) const DOC: &'static str = concat!($($doc),*);

            pub(crate) fn describe_fields(
                object: &mut $crate::document::schema::ObjectSchema,
                schemas: &mut $crate::document::schema::Schemas,
            ) {
                $(
                    object.field(
                        $key,
                        <$kind as $crate::document::reader::Field>::schema(schemas),
                        concat!($($field_doc),*),
                    );
                    $crate::document::reader::record!(@describe $presence $kind, object, $key $(, $default)?);
                    $( object.one_of($key, &$names); )?
                )*
            }
        }

        impl $crate::document::reader::Field for $name {
            const EXPECTED: &'static str = "an object";
            fn read(
                value: &serde_json::Value,
                reader: &mut $crate::document::reader::Reader,
            ) -> Option<Self> {
                let object = reader.object(value)?;
                reader.note_unknown(object, &[Self::FIELDS]);
                Self::read_fields(object, reader)
            }
            fn write(&self) -> serde_json::Value {
                let mut object = serde_json::Map::new();
                self.write_fields(&mut object);
                object.into()
            }
            fn schema(schemas: &mut $crate::document::schema::Schemas) -> serde_json::Value {
                schemas.reference($schema_name, |schemas| {
                    let mut object = $crate::document::schema::ObjectSchema::default();
                    Self::describe_fields(&mut object, schemas);
                    object.finish(Self::DOC)
                })
            }
        }
    };
    (@type required $kind:ty) => { $kind };
    (@type default $kind:ty) => { $kind };
    (@type optional $kind:ty) => { Option<$kind> };
    (@type nullable $kind:ty) => { Option<$kind> };
    (@read required $kind:ty, $reader:ident, $object:ident, $key:literal) => {
        $reader.required::<$kind>($object, $key)
    };
    (@read optional $kind:ty, $reader:ident, $object:ident, $key:literal) => {
        $reader.optional::<$kind>($object, $key)
    };
    (@read nullable $kind:ty, $reader:ident, $object:ident, $key:literal) => {
        $reader.optional::<$kind>($object, $key)
    };
    (@read default $kind:ty, $reader:ident, $object:ident, $key:literal, $default:expr) => {
        $reader.optional::<$kind>($object, $key).map(|value| value.unwrap_or_else(|| $default))
    };
    (@write optional $value:expr, $object:ident, $key:literal) => {
        if let Some(value) = &$value {
            $object.insert($key.into(), $crate::document::reader::Field::write(value));
        }
    };
    (@write nullable $value:expr, $object:ident, $key:literal) => {
        $crate::document::reader::record!(@write optional $value, $object, $key);
    };
    (@write $presence:ident $value:expr, $object:ident, $key:literal) => {
        $object.insert($key.into(), $crate::document::reader::Field::write(&$value));
    };
    (@describe required $kind:ty, $object:ident, $key:literal) => { $object.require($key); };
    (@describe optional $kind:ty, $object:ident, $key:literal) => {};
    (@describe nullable $kind:ty, $object:ident, $key:literal) => { $object.nullable($key); };
    (@describe default $kind:ty, $object:ident, $key:literal, $default:expr) => {
        let default: $kind = $default;
        $object.default_to($key, $crate::document::reader::Field::write(&default));
    };
}
pub(crate) use record;

/// Declares a value that is one of a few names.
macro_rules! names {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $( $(#[$variant_meta:meta])* $variant:ident = $text:literal, )* }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $( $(#[$variant_meta])* #[doc = $text] $variant, )* }

        impl $name {
            /// The name as it stands in a document.
            pub fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $text, )* }
            }
        }

        impl $crate::document::reader::Field for $name {
            const EXPECTED: &'static str = concat!("one of", $( " ", $text, )*);
            fn read(
                value: &serde_json::Value,
                reader: &mut $crate::document::reader::Reader,
            ) -> Option<Self> {
                match value.as_str() {
                    $( Some($text) => Some(Self::$variant), )*
                    _ => {
                        reader.wrong_type(Self::EXPECTED, value);
                        None
                    }
                }
            }
            fn write(&self) -> serde_json::Value {
                self.as_str().into()
            }
            fn schema(_: &mut $crate::document::schema::Schemas) -> serde_json::Value {
                serde_json::json!({ "type": "string", "enum": [$($text),*] })
            }
        }
    };
}
pub(crate) use names;
