//! How variables travel.

use kinora_composition::variables::Variable;
use kinora_proto::v1::{self, VariablesResponse};

use crate::documents::Listed;

/// What happens to text that does not fit where it may not shrink.
const OVERFLOW: &str = "clipped";

/// The variables of lists.
pub(super) fn listed(variables: Vec<Listed>) -> Vec<v1::ListedVariable> {
    variables
        .into_iter()
        .map(|variable| v1::ListedVariable {
            name: variable.name,
            default_json: variable.default.to_string(),
            r#type: variable.kind,
        })
        .collect()
}

/// The variables of one project or template.
pub(super) fn described(variables: Vec<Variable>) -> VariablesResponse {
    let variables = variables
        .into_iter()
        .map(|variable| {
            let capacity = variable.capacity;
            v1::Variable {
                name: variable.name,
                r#type: variable.kind.into(),
                label: variable.label,
                help: variable.help,
                overlay_type: variable.overlay_type.into(),
                field: variable.field.into(),
                max_characters: capacity.as_ref().map(|capacity| capacity.max_characters),
                lines_available: capacity.as_ref().map(|capacity| capacity.lines_available),
                overflow_behavior: capacity.as_ref().map(|_| OVERFLOW.into()),
                default: variable.default,
            }
        })
        .collect();
    VariablesResponse { variables }
}
