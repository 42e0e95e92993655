//! `Projects`: what an account has saved.

use kinora_proto::v1::{
    ListProjectsRequest, ListProjectsResponse, Project, ProjectVariablesRequest, VariablesResponse,
    projects_server::Projects,
};
use tonic::{Request, Response, Status};

use super::{to_status, variables};
use crate::{
    Result,
    app::App,
    documents,
    ids::{AccountId, ProjectId},
    projects,
    store::ProjectListing,
};

pub(crate) struct Service {
    app: App,
}

impl Service {
    pub(super) fn new(app: App) -> Self {
        Self { app }
    }

    async fn listed(&self, account: &AccountId, dynamic: Option<bool>) -> Result<Vec<Project>> {
        let projects = self.app.store.projects_of(account, dynamic).await?;
        projects.into_iter().map(message).collect()
    }
}

#[tonic::async_trait]
impl Projects for Service {
    async fn list(
        &self,
        request: Request<ListProjectsRequest>,
    ) -> Result<Response<ListProjectsResponse>, Status> {
        let request = request.into_inner();
        let account = AccountId::from(request.account_id);
        let projects = self.listed(&account, request.dynamic).await;
        projects
            .map(|projects| Response::new(ListProjectsResponse { projects }))
            .map_err(to_status)
    }

    async fn variables(
        &self,
        request: Request<ProjectVariablesRequest>,
    ) -> Result<Response<VariablesResponse>, Status> {
        let request = request.into_inner();
        let (account, project) = (
            AccountId::from(request.account_id),
            ProjectId::from(request.project_id),
        );
        let app = &self.app;
        projects::variables(&app.store, &app.fonts, &account, &project)
            .await
            .map(|found| Response::new(variables::described(found)))
            .map_err(to_status)
    }
}

fn message(project: ProjectListing) -> Result<Project> {
    let listed = documents::listed(&project.variables_json, &project.public_url)?;
    Ok(Project {
        id: project.id.to_string(),
        name: project.name,
        description: project.description,
        width: project.width,
        height: project.height,
        fps: project.fps,
        duration_in_frames: Some(project.frames),
        variables: variables::listed(listed),
        created_at_ms: project.created_at.0,
        updated_at_ms: project.updated_at.0,
    })
}
