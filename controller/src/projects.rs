//! Projects: compositions that an account has saved.

use kinora_composition::variables::{self, Variable};

use crate::{
    Error, Result, documents,
    fonts::FontShelf,
    ids::{AccountId, ProjectId},
    store::{ProjectRow, Store},
};

/// The account's project with this id.
///
/// # Errors
/// [`Error::NotFound`] when there is none, [`Error::Forbidden`] when it is somebody else's.
pub(crate) async fn owned(
    store: &Store,
    account: &AccountId,
    id: &ProjectId,
) -> Result<ProjectRow> {
    let project = store.project(id).await?.ok_or_else(unknown)?;
    if project.account == *account {
        Ok(project)
    } else {
        Err(Error::Forbidden(
            "this project belongs to another account".into(),
        ))
    }
}

/// What can be replaced in a project. Another account's project is not found.
pub(crate) async fn variables(
    store: &Store,
    fonts: &FontShelf,
    account: &AccountId,
    id: &ProjectId,
) -> Result<Vec<Variable>> {
    let project = store.project(id).await?;
    let project = project.filter(|project| project.account == *account);
    let project = project.ok_or_else(unknown)?;
    let composition = documents::composition(&project.composition_json, &project.public_url)?;
    Ok(variables::describe(&composition, fonts.get().await?))
}

fn unknown() -> Error {
    Error::NotFound("there is no such project".into())
}
