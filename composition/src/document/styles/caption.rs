//! Styles of captions.

use serde_json::{Value, json};

use super::text::TextAlign;
use crate::document::reader::{Field, Reader, record};
use crate::document::schema::Schemas;

/// A weight written as a number or as a string.
#[derive(Clone, Debug, PartialEq)]
pub enum NumberOrString {
    /// As in 700.
    Number(f64),
    /// As in "bold".
    String(String),
}

impl Field for NumberOrString {
    const EXPECTED: &'static str = "a number or a string";

    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        match value {
            Value::String(text) => Some(Self::String(text.clone())),
            Value::Number(_) => f64::read(value, reader).map(Self::Number),
            _ => {
                reader.wrong_type(Self::EXPECTED, value);
                None
            }
        }
    }

    fn write(&self) -> Value {
        match self {
            Self::Number(number) => number.write(),
            Self::String(text) => text.write(),
        }
    }

    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": ["number", "string"] })
    }
}

record! {
    /// How the spoken word looks.
    #[derive(Default)]
    pub struct HighlightStyle {
        /// CSS colour of the box behind the word.
        background_color: String, "backgroundColor", optional;
        /// CSS colour of the word.
        color: String, "color", optional;
        /// CSS shadow of the word.
        text_shadow: String, "textShadow", optional;
        /// CSS padding of the box behind the word.
        padding: String, "padding", optional;
        /// CSS corner radius, as in `12px` or `50%`.
        border_radius: String, "borderRadius", optional;
        /// CSS transition between the spoken word and the others.
        transition: String, "transition", optional;
        /// CSS colour or gradient of the box behind the word.
        background: String, "background", optional;
        /// CSS border inside the box, as in `2px solid white`.
        border: String, "border", optional;
        /// CSS filter on what lies behind the box, as in `blur(8px)`.
        backdrop_filter: String, "backdropFilter", optional;
        /// Factor on the size of the word; 1 when omitted.
        scale: f64, "scale", optional;
        /// Weight of the word, 1 to 1000.
        font_weight: f64, "fontWeight", optional;
    }
}

record! {
    /// How captions look.
    #[derive(Default)]
    pub struct CaptionStyles {
        /// CSS family list; Inter where none of them is known.
        font_family: String, "fontFamily", optional;
        /// CSS size in any unit (1rem is 16 px), taken as it is; 48 px when omitted.
        font_size: String, "fontSize", optional;
        /// Distance of the baselines as a factor on the size; 1.2 when omitted.
        line_height: f64, "lineHeight", optional;
        /// Horizontal alignment; `center` when omitted.
        text_align: TextAlign, "textAlign", optional;
        /// CSS colour of the letters; white when omitted.
        color: String, "color", optional;
        /// CSS colour of the box; see-through when omitted.
        background_color: String, "backgroundColor", optional;
        /// CSS colour or gradient of the box, over `backgroundColor`.
        background: String, "background", optional;
        /// CSS filter on what lies behind the box, as in `blur(8px)`.
        backdrop_filter: String, "backdropFilter", optional;
        /// CSS padding between the box and its content, as in `8px 16px`.
        padding: String, "padding", optional;
        /// CSS length between letters, as in `2px` or `0.05em`.
        letter_spacing: String, "letterSpacing", optional;
        /// CSS shadow of the letters; several are separated by commas.
        text_shadow: String, "textShadow", optional;
        /// CSS corner radius, as in `12px` or `50%`.
        border_radius: String, "borderRadius", optional;
        /// CSS transition between the spoken word and the others.
        transition: String, "transition", optional;
        /// CSS weight, as in 700 or `bold`; 400 when omitted.
        font_weight: NumberOrString, "fontWeight", optional;
        /// How the word being spoken differs.
        highlight_style: HighlightStyle, "highlightStyle", optional;
    }
}
