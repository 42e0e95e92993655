//! Importing templates and projects from files.

use super::Admin;
use crate::{
    Result,
    clock::Timestamp,
    ids::{ProjectId, TemplateId},
    store::NewProject,
    templates::{ProjectFile, TemplateFile},
};

impl Admin {
    /// Adds the template that a file holds; everybody may render it if it is public.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] with everything that is wrong with the file.
    pub async fn import_template(&self, contents: &[u8], is_public: bool) -> Result<TemplateId> {
        let file = TemplateFile::read(contents)?;
        let id = TemplateId::random();
        let mut tx = self.store.begin().await?;
        tx.put_template(&file.row(&id, is_public, None), Timestamp::now())
            .await?;
        tx.commit().await?;
        Ok(id)
    }

    /// Adds the project that a file holds to an account.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] with everything that is wrong with the file,
    /// [`crate::Error::NotFound`] for an unknown address.
    pub async fn import_project(&self, email: &str, contents: &[u8]) -> Result<ProjectId> {
        let file = ProjectFile::read(contents)?;
        let account = self.account(email).await?;
        let id = ProjectId::random();
        let project = NewProject {
            id: &id,
            account: &account.id,
            name: &file.name,
            description: file.description.as_deref(),
            template: None,
            saved: &file.saved,
            public_url: "",
        };
        let mut tx = self.store.begin().await?;
        tx.insert_project(&project, Timestamp::now()).await?;
        tx.commit().await?;
        Ok(id)
    }
}
