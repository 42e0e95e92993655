//! Templates.

use sqlx::{Row, any::AnyRow};

use super::{Store, Tx, unsigned};
use crate::{Result, clock::Timestamp, documents::Saved, ids::TemplateId};

/// A template to render from.
#[derive(Clone, Debug)]
pub(crate) struct TemplateRow {
    pub(crate) id: TemplateId,
    pub(crate) name: String,
    pub(crate) credits_per_minute: u32,
    pub(crate) composition_json: String,
}

/// A template as the list shows it.
#[derive(Clone, Debug)]
pub(crate) struct TemplateListing {
    pub(crate) id: TemplateId,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) category: String,
    pub(crate) thumbnail_url: Option<String>,
    pub(crate) preview_video_url: Option<String>,
    pub(crate) credits_per_minute: u32,
    pub(crate) variables_json: String,
    pub(crate) created_at: Timestamp,
}

/// A template to write.
pub(crate) struct NewTemplate<'a> {
    pub(crate) id: &'a TemplateId,
    pub(crate) name: &'a str,
    pub(crate) description: &'a str,
    pub(crate) category: &'a str,
    pub(crate) thumbnail_url: Option<&'a str>,
    pub(crate) preview_video_url: Option<&'a str>,
    pub(crate) credits_per_minute: u32,
    pub(crate) saved: &'a Saved,
    pub(crate) is_public: bool,
    /// What a built-in template was read from; none for an imported one.
    pub(crate) source_hash: Option<&'a str>,
}

impl TemplateListing {
    fn read(row: &AnyRow) -> Result<Self> {
        Ok(Self {
            id: row.try_get::<String, _>("id")?.into(),
            name: row.try_get("name")?,
            description: row.try_get("description")?,
            category: row.try_get("category")?,
            thumbnail_url: row.try_get("thumbnail_url")?,
            preview_video_url: row.try_get("preview_video_url")?,
            credits_per_minute: unsigned("credits_per_minute", row.try_get("credits_per_minute")?)?,
            variables_json: row.try_get("variables_json")?,
            created_at: Timestamp(row.try_get("created_at")?),
        })
    }
}

impl Store {
    /// The public template with this id.
    pub(crate) async fn public_template(&self, id: &TemplateId) -> Result<Option<TemplateRow>> {
        let row = sqlx::query(
            "SELECT id, name, credits_per_minute, composition_json FROM templates
             WHERE id = $1 AND is_public = 1",
        )
        .bind(id.as_str())
        .fetch_optional(&self.pool)
        .await?;
        row.map(|row| {
            Ok(TemplateRow {
                id: row.try_get::<String, _>("id")?.into(),
                name: row.try_get("name")?,
                credits_per_minute: unsigned(
                    "credits_per_minute",
                    row.try_get("credits_per_minute")?,
                )?,
                composition_json: row.try_get("composition_json")?,
            })
        })
        .transpose()
    }

    /// Every public template, by name.
    pub(crate) async fn public_templates(&self) -> Result<Vec<TemplateListing>> {
        let rows = sqlx::query(
            "SELECT id, name, description, category, thumbnail_url, preview_video_url,
                    credits_per_minute, variables_json, created_at
             FROM templates WHERE is_public = 1 ORDER BY name, id",
        )
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(TemplateListing::read).collect()
    }

    /// The built-in templates that are listed, each with the hash of what it was read from.
    pub(crate) async fn built_in_templates(&self) -> Result<Vec<(TemplateId, String)>> {
        let rows = sqlx::query(
            "SELECT id, source_hash FROM templates
             WHERE source_hash IS NOT NULL AND is_public = 1",
        )
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                Ok((
                    row.try_get::<String, _>("id")?.into(),
                    row.try_get("source_hash")?,
                ))
            })
            .collect()
    }
}

impl Tx {
    /// Inserts a template, or writes it over the one with its id.
    pub(crate) async fn put_template(
        &mut self,
        template: &NewTemplate<'_>,
        now: Timestamp,
    ) -> Result<()> {
        sqlx::query(
            "INSERT INTO templates (id, name, description, category, thumbnail_url,
                                    preview_video_url, credits_per_minute, composition_json,
                                    variables_json, is_public, source_hash, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)
             ON CONFLICT (id) DO UPDATE SET
                 name = $2, description = $3, category = $4, thumbnail_url = $5,
                 preview_video_url = $6, credits_per_minute = $7, composition_json = $8,
                 variables_json = $9, is_public = $10, source_hash = $11, updated_at = $12",
        )
        .bind(template.id.as_str())
        .bind(template.name)
        .bind(template.description)
        .bind(template.category)
        .bind(template.thumbnail_url)
        .bind(template.preview_video_url)
        .bind(i64::from(template.credits_per_minute))
        .bind(&template.saved.composition_json)
        .bind(&template.saved.variables_json)
        .bind(i64::from(template.is_public))
        .bind(template.source_hash)
        .bind(now.0)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Takes a template out of the list. Projects made from it stay.
    pub(crate) async fn unlist_template(&mut self, id: &TemplateId, now: Timestamp) -> Result<()> {
        sqlx::query("UPDATE templates SET is_public = 0, updated_at = $1 WHERE id = $2")
            .bind(now.0)
            .bind(id.as_str())
            .execute(self.conn())
            .await?;
        Ok(())
    }
}
