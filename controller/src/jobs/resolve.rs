//! From a request to the composition that it asks for: the one way, for renders and previews.

use kinora_composition::request::{self, Ai, Mode, RenderRequest, Resolution, Source};
use serde_json::Value;

use super::Terms;
use crate::{
    Result, documents,
    ids::AccountId,
    projects,
    store::{ProjectRow, Store, TemplateRow},
    templates,
};

/// A request with everything that it names looked up.
#[derive(Debug)]
pub(crate) struct Resolved {
    /// The final composition, and what was noticed on the way.
    pub(crate) resolution: Resolution,
    pub(crate) mode: Mode,
    /// The price of a minute at 1080p: the template's, or everybody's.
    pub(crate) credits_per_minute: u32,
    /// The project that is rendered.
    pub(crate) project: Option<ProjectRow>,
    /// The template that is rendered.
    pub(crate) template: Option<TemplateRow>,
}

/// Finds the document that a request names and resolves the request on it.
///
/// # Errors
/// [`crate::Error::NotFound`] for an unknown template or project, [`crate::Error::Forbidden`] for a project of
/// somebody else, [`crate::Error::Refused`] for what can't be rendered.
pub(crate) async fn resolve(
    store: &Store,
    terms: &Terms,
    account: &AccountId,
    public_url: &str,
    request: &RenderRequest,
    ai: Ai,
) -> Result<Resolved> {
    let resolve = |document: &Value| request::resolve(request, document, ai, &terms.limits);
    let (resolution, credits_per_minute, project, template) = match &request.source {
        Source::Direct(document) => (resolve(document)?, terms.credits_per_minute, None, None),
        Source::Template(id) => {
            let template = templates::public(store, &id.as_str().into()).await?;
            let document = documents::read(&template.composition_json, public_url)?;
            let resolution = resolve(&document)?;
            let credits_per_minute = template.credits_per_minute;
            (resolution, credits_per_minute, None, Some(template))
        }
        Source::Project(id) => {
            let project = projects::owned(store, account, &id.as_str().into()).await?;
            let document = documents::read(&project.composition_json, public_url)?;
            let resolution = resolve(&document)?;
            (resolution, terms.credits_per_minute, Some(project), None)
        }
    };
    Ok(Resolved {
        resolution,
        mode: request.mode(),
        credits_per_minute,
        project,
        template,
    })
}
