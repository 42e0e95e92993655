//! Many values in one parameter, as a JSON array: a statement stays the same however many there are.

use super::Dialect;

impl Dialect {
    /// The strings of a JSON array in a parameter, as a query.
    pub(super) fn strings(self, parameter: &str) -> String {
        match self {
            Self::Sqlite => format!("SELECT value FROM json_each({parameter})"),
            Self::Postgres => {
                format!("SELECT value FROM json_array_elements_text(CAST({parameter} AS JSON))")
            }
        }
    }

    /// The objects of a JSON array in a parameter, as a query: columns with their types.
    pub(super) fn records(self, parameter: &str, columns: &[(&str, &str)]) -> String {
        match self {
            Self::Sqlite => {
                let column = |(name, _): &(&str, &str)| format!("value ->> '{name}' AS {name}");
                let columns: Vec<String> = columns.iter().map(column).collect();
                format!("SELECT {} FROM json_each({parameter})", columns.join(", "))
            }
            Self::Postgres => {
                let column = |(name, kind): &(&str, &str)| format!("{name} {kind}");
                let columns: Vec<String> = columns.iter().map(column).collect();
                format!(
                    "SELECT * FROM json_to_recordset(CAST({parameter} AS JSON)) AS record ({})",
                    columns.join(", ")
                )
            }
        }
    }

    /// Whether a column is among the few values that a query finds: they are looked up one by one, even where a planner
    /// knows nothing yet of the table.
    pub(super) fn is_among(self, column: &str, query: &str) -> String {
        match self {
            Self::Sqlite => format!("{column} IN ({query})"),
            Self::Postgres => format!("{column} = ANY (ARRAY({query}))"),
        }
    }
}
