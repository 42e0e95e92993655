//! Projects.

use sqlx::{Row, any::AnyRow};

use super::{Store, Tx, unsigned};
use crate::{
    Result,
    clock::Timestamp,
    documents::Saved,
    ids::{AccountId, ProjectId, TemplateId},
};

/// A project to render from.
#[derive(Clone, Debug)]
pub(crate) struct ProjectRow {
    pub(crate) id: ProjectId,
    pub(crate) account: AccountId,
    pub(crate) name: String,
    pub(crate) composition_json: String,
    /// Where the service was reached when the project was made.
    pub(crate) public_url: String,
}

/// A project as the list shows it.
#[derive(Clone, Debug)]
pub(crate) struct ProjectListing {
    pub(crate) id: ProjectId,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) fps: u32,
    pub(crate) frames: u32,
    pub(crate) variables_json: String,
    pub(crate) public_url: String,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
}

/// A project to insert.
pub(crate) struct NewProject<'a> {
    pub(crate) id: &'a ProjectId,
    pub(crate) account: &'a AccountId,
    pub(crate) name: &'a str,
    pub(crate) description: Option<&'a str>,
    pub(crate) template: Option<&'a TemplateId>,
    pub(crate) saved: &'a Saved,
    pub(crate) public_url: &'a str,
}

impl ProjectListing {
    fn read(row: &AnyRow) -> Result<Self> {
        Ok(Self {
            id: row.try_get::<String, _>("id")?.into(),
            name: row.try_get("name")?,
            description: row.try_get("description")?,
            width: unsigned("width", row.try_get("width")?)?,
            height: unsigned("height", row.try_get("height")?)?,
            fps: unsigned("fps", row.try_get("fps")?)?,
            frames: unsigned("duration_in_frames", row.try_get("duration_in_frames")?)?,
            variables_json: row.try_get("variables_json")?,
            public_url: row.try_get("public_url")?,
            created_at: Timestamp(row.try_get("created_at")?),
            updated_at: Timestamp(row.try_get("updated_at")?),
        })
    }
}

impl Store {
    /// The project with this id, whoever owns it.
    pub(crate) async fn project(&self, id: &ProjectId) -> Result<Option<ProjectRow>> {
        let row = sqlx::query(
            "SELECT id, account_id, name, composition_json, public_url
             FROM projects WHERE id = $1",
        )
        .bind(id.as_str())
        .fetch_optional(&self.pool)
        .await?;
        row.map(|row| {
            Ok(ProjectRow {
                id: row.try_get::<String, _>("id")?.into(),
                account: row.try_get::<String, _>("account_id")?.into(),
                name: row.try_get("name")?,
                composition_json: row.try_get("composition_json")?,
                public_url: row.try_get("public_url")?,
            })
        })
        .transpose()
    }

    /// An account's projects, newest first; only those with variables, or only those without,
    /// when `dynamic` says so.
    pub(crate) async fn projects_of(
        &self,
        account: &AccountId,
        dynamic: Option<bool>,
    ) -> Result<Vec<ProjectListing>> {
        let rows = sqlx::query(
            "SELECT id, name, description, width, height, fps, duration_in_frames,
                    variables_json, public_url, created_at, updated_at
             FROM projects WHERE account_id = $1 AND (is_dynamic = $2 OR is_dynamic = $3)
             ORDER BY created_at DESC, id DESC",
        )
        .bind(account.as_str())
        .bind(i64::from(dynamic.unwrap_or(true)))
        .bind(i64::from(dynamic.unwrap_or(false)))
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(ProjectListing::read).collect()
    }
}

impl Tx {
    /// Inserts a project.
    pub(crate) async fn insert_project(
        &mut self,
        project: &NewProject<'_>,
        now: Timestamp,
    ) -> Result<()> {
        let saved = project.saved;
        sqlx::query(
            "INSERT INTO projects (id, account_id, name, description, template_id,
                                   composition_json, variables_json, is_dynamic, width, height,
                                   fps, duration_in_frames, public_url, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)",
        )
        .bind(project.id.as_str())
        .bind(project.account.as_str())
        .bind(project.name)
        .bind(project.description)
        .bind(project.template.map(TemplateId::as_str))
        .bind(&saved.composition_json)
        .bind(&saved.variables_json)
        .bind(i64::from(saved.is_dynamic))
        .bind(i64::from(saved.width))
        .bind(i64::from(saved.height))
        .bind(i64::from(saved.fps))
        .bind(i64::from(saved.frames))
        .bind(project.public_url)
        .bind(now.0)
        .execute(self.conn())
        .await?;
        Ok(())
    }
}
