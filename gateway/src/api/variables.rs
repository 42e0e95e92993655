//! Variables of templates and projects, in the two shapes that the interface has for them.

use kinora_proto::v1::{ListedVariable, Variable, VariablesResponse};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::json;
use crate::envelope::ApiError;
use crate::openapi::bodies::DefaultValue;
use crate::openapi::names::{OverflowBehavior, OverlayType, VariableField, VariableType};

/// A variable as lists of templates and projects show it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TemplateVariable)]
pub(super) struct ListedVariableView {
    /// The key to use in `replacements`.
    name: String,
    /// The authored value, which renders when no replacement is sent: a string, number or boolean.
    #[schema(value_type = DefaultValue)]
    default_value: Box<RawValue>,
    /// The kind of value, for example `string`.
    r#type: String,
}

/// A variable with everything that is known about what fits into it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ProjectVariable)]
pub(super) struct VariableView {
    /// The key to use in `replacements`.
    name: String,
    /// `url` for video, image and sound overlays, `text` for everything else.
    #[schema(value_type = VariableType)]
    r#type: String,
    /// The name in words, for a form.
    label: String,
    /// What the value does.
    help: String,
    /// The type of the overlay behind it: text, video, image, sound, shape, sticker, caption or effect.
    #[schema(value_type = OverlayType)]
    overlay_type: String,
    /// The field of the overlay that is written: `content` or `src`.
    #[schema(value_type = VariableField)]
    field: String,
    /// How many characters fit, estimated from the font. A budget, not a hard limit; text that
    /// stays within it does not cause TEXT_MAY_CLIP. Only with text of a fixed size.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    max_characters: Option<u32>,
    /// How many lines the overlay's box can show. Only with text of a fixed size.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    lines_available: Option<u32>,
    /// What happens to text that does not fit: `clipped` hides it, without shrinking and without
    /// an ellipsis. Only with text of a fixed size.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = OverflowBehavior, required = false)]
    overflow_behavior: Option<String>,
    /// The authored value, which renders when no replacement has this key.
    default: String,
}

/// The variables of one template or project.
#[derive(Serialize, ToSchema)]
#[schema(as = VariableList)]
pub(super) struct VariablesView {
    /// In the order of the overlays.
    variables: Vec<VariableView>,
}

/// Variables as lists show them.
pub(super) fn listed(variables: Vec<ListedVariable>) -> Result<Vec<ListedVariableView>, ApiError> {
    variables
        .into_iter()
        .map(|variable| {
            Ok(ListedVariableView {
                name: variable.name,
                default_value: json::passed_on("default of a variable", variable.default_json)?,
                r#type: variable.r#type,
            })
        })
        .collect()
}

impl From<VariablesResponse> for VariablesView {
    fn from(answer: VariablesResponse) -> Self {
        Self {
            variables: answer
                .variables
                .into_iter()
                .map(VariableView::from)
                .collect(),
        }
    }
}

impl From<Variable> for VariableView {
    fn from(variable: Variable) -> Self {
        Self {
            name: variable.name,
            r#type: variable.r#type,
            label: variable.label,
            help: variable.help,
            overlay_type: variable.overlay_type,
            field: variable.field,
            max_characters: variable.max_characters,
            lines_available: variable.lines_available,
            overflow_behavior: variable.overflow_behavior,
            default: variable.default,
        }
    }
}
