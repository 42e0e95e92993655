//! `Templates`: what everybody may render.

use kinora_proto::v1::{
    ListTemplatesRequest, ListTemplatesResponse, Template, TemplateVariablesRequest,
    VariablesResponse, templates_server::Templates,
};
use tonic::{Request, Response, Status};

use super::{to_status, variables};
use crate::{
    Result, app::App, assets, documents, ids::TemplateId, store::TemplateListing, templates,
};

pub(crate) struct Service {
    app: App,
}

impl Service {
    pub(super) fn new(app: App) -> Self {
        Self { app }
    }

    async fn listed(&self, public_url: &str) -> Result<Vec<Template>> {
        let templates = self.app.store.public_templates().await?;
        templates
            .into_iter()
            .map(|template| message(template, public_url))
            .collect()
    }
}

#[tonic::async_trait]
impl Templates for Service {
    async fn list(
        &self,
        request: Request<ListTemplatesRequest>,
    ) -> Result<Response<ListTemplatesResponse>, Status> {
        let templates = self.listed(&request.into_inner().public_url).await;
        templates
            .map(|templates| Response::new(ListTemplatesResponse { templates }))
            .map_err(to_status)
    }

    async fn variables(
        &self,
        request: Request<TemplateVariablesRequest>,
    ) -> Result<Response<VariablesResponse>, Status> {
        let request = request.into_inner();
        let (app, template) = (&self.app, TemplateId::from(request.template_id));
        templates::variables(&app.store, &app.fonts, &template, &request.public_url)
            .await
            .map(|found| Response::new(variables::described(found)))
            .map_err(to_status)
    }
}

fn message(template: TemplateListing, public_url: &str) -> Result<Template> {
    let address = |source: String| assets::url(&source, public_url);
    let listed = documents::listed(&template.variables_json, public_url)?;
    Ok(Template {
        id: template.id.to_string(),
        name: template.name,
        description: template.description,
        category: template.category,
        thumbnail_url: template.thumbnail_url.map(address),
        preview_video_url: template.preview_video_url.map(address),
        credits_per_minute: template.credits_per_minute,
        created_at_ms: template.created_at.0,
        variables: variables::listed(listed),
    })
}
