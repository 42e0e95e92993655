//! The templates that come with the program, and putting them where they are served from.

use std::collections::BTreeSet;

use include_dir::{Dir, include_dir};
use object_store::{ObjectStore, ObjectStoreExt, path::Path};

use super::TemplateFile;
use crate::{Error, Result, assets, clock::Timestamp, credential, ids::TemplateId, store::Store};

static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../templates");

/// Templates and the pictures in them.
#[derive(Clone, Debug)]
pub(crate) struct BuiltIn {
    templates: Vec<(TemplateFile, String)>,
    artwork: Vec<(String, &'static [u8])>,
}

impl BuiltIn {
    /// What was compiled in: `*.json`, and the files directly in `artwork`.
    pub(crate) fn compiled_in() -> Result<Self> {
        let is_template = |file: &&include_dir::File<'_>| {
            file.path()
                .extension()
                .is_some_and(|extension| extension == "json")
        };
        let templates = TEMPLATES
            .files()
            .filter(is_template)
            .map(include_dir::File::contents);
        let artwork = TEMPLATES
            .get_dir("artwork")
            .into_iter()
            .flat_map(Dir::files)
            .filter_map(|file| {
                let name = file.path().file_name()?.to_str()?;
                Some((name.to_owned(), file.contents()))
            });
        Self::read(templates, artwork.collect())
    }

    /// Reads template files; the artwork is taken as it is.
    pub(crate) fn read<'a>(
        templates: impl IntoIterator<Item = &'a [u8]>,
        artwork: Vec<(String, &'static [u8])>,
    ) -> Result<Self> {
        let templates = templates
            .into_iter()
            .map(|contents| Ok((TemplateFile::read(contents)?, credential::hash(contents))))
            .collect::<Result<_>>()?;
        Ok(Self { templates, artwork })
    }
}

#[cfg(test)]
impl BuiltIn {
    /// Files of ours that a template names and that are not among the artwork.
    pub(crate) fn missing_artwork(&self) -> Vec<String> {
        let named = self.templates.iter().flat_map(|(file, _)| {
            let document = &file.saved.composition_json;
            let quoted = document.split('"').map(str::to_owned);
            quoted.chain(file.thumbnail_url.clone())
        });
        let is_there = |name: &str| self.artwork.iter().any(|(file, _)| file == name);
        named
            .filter_map(|word| word.strip_prefix("asset:").map(str::to_owned))
            .filter(|name| !is_there(name))
            .collect()
    }
}

/// Brings the database and the object store up to date with these templates. What is there already
/// is left alone, so it can be done at every start, and again when it failed half-way.
pub(crate) async fn seed(
    built_in: &BuiltIn,
    store: &Store,
    objects: &dyn ObjectStore,
    now: Timestamp,
) -> Result<()> {
    // What is listed can be rendered: its pictures are there first.
    seed_artwork(built_in, objects).await?;
    seed_templates(built_in, store, now).await
}

async fn seed_templates(built_in: &BuiltIn, store: &Store, now: Timestamp) -> Result<()> {
    let listed = store.built_in_templates().await?;
    let mut wanted = BTreeSet::new();
    for (file, hash) in &built_in.templates {
        let id = id_of(file)?;
        let unchanged = listed
            .iter()
            .any(|known| *known == (id.clone(), hash.clone()));
        if !unchanged {
            put(store, &id, file, hash, now).await?;
        }
        wanted.insert(id);
    }
    for (id, _) in listed.iter().filter(|(id, _)| !wanted.contains(id)) {
        let mut tx = store.begin().await?;
        tx.unlist_template(id, now).await?;
        tx.commit().await?;
    }
    Ok(())
}

fn id_of(file: &TemplateFile) -> Result<TemplateId> {
    let slug = file.slug.as_deref().filter(|slug| !slug.is_empty());
    let slug =
        slug.ok_or_else(|| Error::Corrupt(format!("the template {} has no id", file.name)))?;
    Ok(format!("tpl_{slug}").into())
}

async fn put(
    store: &Store,
    id: &TemplateId,
    file: &TemplateFile,
    hash: &str,
    now: Timestamp,
) -> Result<()> {
    let mut tx = store.begin().await?;
    tx.put_template(&file.row(id, true, Some(hash)), now)
        .await?;
    tx.commit().await?;
    tracing::info!(template_id = %id, "template written");
    Ok(())
}

async fn seed_artwork(built_in: &BuiltIn, objects: &dyn ObjectStore) -> Result<()> {
    for (file, contents) in &built_in.artwork {
        let key = Path::from(assets::object_key(file));
        let there = match objects.head(&key).await {
            Ok(object) => object.size == contents.len() as u64,
            Err(object_store::Error::NotFound { .. }) => false,
            Err(error) => return Err(error.into()),
        };
        if !there {
            objects.put(&key, (*contents).into()).await?;
        }
    }
    Ok(())
}
