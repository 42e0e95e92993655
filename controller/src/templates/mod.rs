//! Templates: compositions that everybody may render, ours and those that operators import.

mod built_in;
mod file;

use kinora_composition::variables::{self, Variable};

use crate::{
    Error, Result, documents,
    fonts::FontShelf,
    ids::TemplateId,
    store::{Store, TemplateRow},
};

pub(crate) use built_in::{BuiltIn, seed};
pub(crate) use file::{ProjectFile, TemplateFile};

/// The public template with this id.
///
/// # Errors
/// [`Error::NotFound`] when there is none, or it is not public.
pub(crate) async fn public(store: &Store, id: &TemplateId) -> Result<TemplateRow> {
    let template = store.public_template(id).await?;
    template.ok_or_else(|| Error::NotFound("there is no such template".into()))
}

/// What can be replaced in a public template.
pub(crate) async fn variables(
    store: &Store,
    fonts: &FontShelf,
    id: &TemplateId,
    public_url: &str,
) -> Result<Vec<Variable>> {
    let template = public(store, id).await?;
    let composition = documents::composition(&template.composition_json, public_url)?;
    Ok(variables::describe(&composition, fonts.get().await?))
}
