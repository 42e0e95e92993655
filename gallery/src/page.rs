//! The page that shows every clip.

use std::fmt::Write;
use std::path::Path;

use anyhow::Context;

use crate::{Family, Studio};

const HEAD: &str = "<!doctype html><html lang=en><meta charset=utf-8><title>Kinora gallery</title>\
<style>body{font:15px/1.5 system-ui,sans-serif;margin:2rem;background:#0c101c;color:#dde3f0}\
h2{margin:2.5rem 0 1rem}section{display:grid;grid-template-columns:repeat(auto-fill,minmax(240px,1fr));gap:1.25rem}\
figure{margin:0}video{width:100%;border-radius:8px;background:#000;display:block}\
figcaption{margin-top:.4rem;color:#9aa6c0}</style><h1>Everything that moves</h1>";

/// Renders every clip into a folder, with a page that shows them.
pub async fn write_page(studio: &Studio, families: &[Family], out: &Path) -> anyhow::Result<()> {
    let mut page = HEAD.to_owned();
    for family in families {
        let folder = out.join(family.name);
        std::fs::create_dir_all(&folder)?;
        write!(page, "<h2>{}</h2><section>", family.name)?;
        for clip in &family.clips {
            let file = format!("{}.mp4", clip.name);
            studio.render(clip, &folder.join(&file)).await?;
            write!(
                page,
                "<figure><video src=\"{}/{file}\" autoplay loop muted playsinline></video>\
                 <figcaption>{}</figcaption></figure>",
                family.name, clip.name
            )?;
        }
        page.push_str("</section>");
    }
    let index = out.join("index.html");
    std::fs::write(&index, page).with_context(|| format!("can't write {}", index.display()))
}
