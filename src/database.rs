//! Which database to use, and opening it for administration.

use std::path::Path;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use kinora_controller::admin::{Admin, SchemaChange};
use url::Url;

use crate::arguments::{DataFolder, writable_folder};

/// Where state is kept.
#[derive(Args, Clone)]
pub(crate) struct DatabaseArgs {
    /// Database: postgres://user:password@host/name or sqlite:///folder/kinora.db; the default is
    /// the file `kinora.db` in the data folder
    #[arg(long, env = "KINORA_DATABASE_URL", hide_env_values = true)]
    pub(crate) database_url: Option<String>,
}

impl DatabaseArgs {
    /// The URL of the database; a data folder that is used is created first.
    pub(crate) fn url(&self, data: &DataFolder) -> anyhow::Result<String> {
        if let Some(url) = &self.database_url {
            return Ok(url.clone());
        }
        writable_folder(&data.data)?;
        sqlite_url(&data.database_file())
    }
}

/// What the commands of administration need to find the database of a farm.
#[derive(Args, Clone)]
pub(crate) struct AdminArgs {
    #[command(flatten)]
    data: DataFolder,
    #[command(flatten)]
    database: DatabaseArgs,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

impl AdminArgs {
    /// Opens the database, creating it in the data folder if there is none.
    pub(crate) async fn open_or_create(&self) -> anyhow::Result<Admin> {
        Ok(Admin::connect(&self.database.url(&self.data)?).await?)
    }

    /// Brings the schema of the database up to date, creating it in the data folder if there is none.
    pub(crate) async fn migrate(&self) -> anyhow::Result<SchemaChange> {
        Ok(Admin::migrate(&self.database.url(&self.data)?).await?)
    }

    /// Opens the database, which must be there.
    pub(crate) async fn open(&self) -> anyhow::Result<Admin> {
        let file = self.data.database_file();
        if self.database.database_url.is_none() && !file.is_file() {
            bail!(
                "there is no database at {}; point --data at the folder of a running service, or \
                 set KINORA_DATABASE_URL",
                file.display()
            );
        }
        self.open_or_create().await
    }
}

fn sqlite_url(file: &Path) -> anyhow::Result<String> {
    let file = std::path::absolute(file).context("the current folder is gone")?;
    let url = Url::from_file_path(&file)
        .map_err(|()| anyhow!("{} can't be named in a database URL", file.display()))?;
    Ok(format!("sqlite://{}?mode=rwc", url.path()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_becomes_a_url_that_survives_odd_names() {
        let url = sqlite_url(Path::new("/srv/my data/50%?/kinora.db")).expect("URL");
        assert_eq!(url, "sqlite:///srv/my%20data/50%25%3F/kinora.db?mode=rwc");
    }
}
