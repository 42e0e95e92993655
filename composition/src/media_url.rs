//! URLs of media: which are accepted, and what share links and careless spelling become.

use url::Url;

use crate::document::{Composition, OverlayKind};

/// What a person should write where a URL is expected.
pub(crate) const EXPECTED: &str = "must be an http or https URL";

/// Reads an http or https URL.
pub(crate) fn parse(text: &str) -> Option<Url> {
    Url::parse(text)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https"))
}

/// The URL that will be fetched: blanks around it gone, illegal characters encoded, share links
/// made direct. `None` when it is not an http or https URL.
pub fn normalise(text: &str) -> Option<String> {
    let trimmed = text.trim();
    let url = parse(&with_stray_percents_encoded(trimmed))?;
    if let Some(direct) = direct_link(&url) {
        return Some(direct.into());
    }
    // What is legal already stays as it was written, down to the case of its host.
    Some(
        if trimmed.bytes().all(is_legal) && !has_stray_percent(trimmed) {
            trimmed.into()
        } else {
            url.into()
        },
    )
}

/// Calls `visit` with the path and the text of every field that holds a media URL, in document order,
/// with the index of its overlay.
pub(crate) fn visit_urls(
    composition: &mut Composition,
    mut visit: impl FnMut(Option<usize>, &str, &mut String),
) {
    for (index, overlay) in composition.overlays.iter_mut().enumerate() {
        let at = |field: &str| format!("overlays[{index}].{field}");
        match &mut overlay.kind {
            OverlayKind::Video(video) => visit(Some(index), &at("src"), &mut video.src),
            OverlayKind::Image(image) => visit(Some(index), &at("src"), &mut image.src),
            OverlayKind::Sound(sound) => visit(Some(index), &at("src"), &mut sound.src),
            OverlayKind::Effect(effect) => {
                let cells = effect.styles.cell_images.iter_mut().flatten();
                for (cell, image) in cells.enumerate() {
                    visit(
                        Some(index),
                        &at(&format!("styles.cellImages[{cell}]")),
                        image,
                    );
                }
                let columns = effect.styles.columns.iter_mut().flatten();
                for (column, images) in columns.enumerate() {
                    for (row, image) in images.images.iter_mut().flatten().enumerate() {
                        let field = format!("styles.columns[{column}].images[{row}]");
                        visit(Some(index), &at(&field), image);
                    }
                }
            }
            OverlayKind::Text(_)
            | OverlayKind::Shape(_)
            | OverlayKind::Sticker(_)
            | OverlayKind::Caption(_) => {}
        }
    }
    visit(None, "src", &mut composition.src);
}

/// A media URL and where it stands in its composition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediaSource {
    /// As in `overlays[3].src`.
    pub path: String,
    /// As it stands there.
    pub url: String,
}

/// Every media URL that overlays name, in document order.
pub fn sources(composition: &Composition) -> Vec<MediaSource> {
    let mut sources = Vec::new();
    visit_urls(&mut composition.clone(), |overlay, path, url| {
        if overlay.is_some() {
            sources.push(MediaSource {
                path: path.to_owned(),
                url: std::mem::take(url),
            });
        }
    });
    sources
}

fn is_legal(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte)
}

fn is_stray_percent(text: &[u8], index: usize) -> bool {
    let digits = text.get(index + 1..index + 3);
    text[index] == b'%' && !digits.is_some_and(|pair| pair.iter().all(u8::is_ascii_hexdigit))
}

fn has_stray_percent(text: &str) -> bool {
    (0..text.len()).any(|index| is_stray_percent(text.as_bytes(), index))
}

/// A percent sign that encodes nothing stands for itself.
fn with_stray_percents_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for (index, character) in text.char_indices() {
        encoded.push(character);
        if is_stray_percent(text.as_bytes(), index) {
            encoded.push_str("25");
        }
    }
    encoded
}

/// The file behind a share link that shows a page about it.
fn direct_link(url: &Url) -> Option<Url> {
    match url.host_str()? {
        "dropbox.com" | "www.dropbox.com" => dropbox(url),
        "drive.google.com" | "docs.google.com" => google_drive(url),
        "github.com" | "www.github.com" => github(url),
        _ => None,
    }
}

fn segments(url: &Url) -> Vec<&str> {
    url.path_segments().into_iter().flatten().collect()
}

fn parameter(url: &Url, name: &str) -> Option<String> {
    url.query_pairs()
        .find(|(key, _)| key == name)
        .map(|(_, value)| value.into_owned())
}

fn dropbox(url: &Url) -> Option<Url> {
    let is_file = matches!(segments(url)[..], ["s", _, _] | ["scl", "fi", _, _]);
    let is_direct = ["dl", "raw"]
        .iter()
        .any(|name| parameter(url, name).as_deref() == Some("1"));
    if !is_file || is_direct {
        return None;
    }
    let mut direct = url.clone();
    direct.set_host(Some("dl.dropboxusercontent.com")).ok()?;
    direct.query_pairs_mut().clear().extend_pairs(
        url.query_pairs()
            .filter(|(key, _)| key != "dl" && key != "raw"),
    );
    direct.query_pairs_mut().append_pair("dl", "1");
    Some(direct)
}

fn google_drive(url: &Url) -> Option<Url> {
    let id = match segments(url)[..] {
        ["file", "d", id, ..] | ["file", "u", _, "d", id, ..] => id.to_owned(),
        ["open"] => parameter(url, "id")?,
        ["uc"] if parameter(url, "export").as_deref() != Some("download") => parameter(url, "id")?,
        _ => return None,
    };
    if id.is_empty() {
        return None;
    }
    let mut direct = Url::parse("https://drive.google.com/uc").ok()?;
    let mut query = direct.query_pairs_mut();
    query
        .append_pair("export", "download")
        .append_pair("id", &id);
    if let Some(key) = parameter(url, "resourcekey") {
        query.append_pair("resourcekey", &key);
    }
    drop(query);
    Some(direct)
}

fn github(url: &Url) -> Option<Url> {
    let segments = segments(url);
    let [owner, repository, "blob", reference, file @ ..] = &segments[..] else {
        return None;
    };
    if file.is_empty() {
        return None;
    }
    let mut direct = url.clone();
    direct.set_host(Some("raw.githubusercontent.com")).ok()?;
    direct.set_path(&format!(
        "{owner}/{repository}/{reference}/{}",
        file.join("/")
    ));
    direct.set_query(None);
    direct.set_fragment(None);
    Some(direct)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn assert_normalised(cases: &[(&str, &str)]) {
        for (from, to) in cases {
            assert_eq!(normalise(from).as_deref(), Some(*to), "{from}");
            assert_eq!(normalise(to).as_deref(), Some(*to), "{to} is not stable");
        }
    }

    #[test]
    fn share_links_become_direct() {
        assert_normalised(&[
            (
                "https://www.dropbox.com/s/abc123/cat.mp4?dl=0",
                "https://dl.dropboxusercontent.com/s/abc123/cat.mp4?dl=1",
            ),
            (
                "https://dropbox.com/s/abc123/cat.mp4",
                "https://dl.dropboxusercontent.com/s/abc123/cat.mp4?dl=1",
            ),
            (
                "https://www.dropbox.com/scl/fi/abc/my%20cat.mp4?rlkey=k1&st=x&dl=0",
                "https://dl.dropboxusercontent.com/scl/fi/abc/my%20cat.mp4?rlkey=k1&st=x&dl=1",
            ),
            (
                "https://drive.google.com/file/d/1aB_-9/view?usp=sharing",
                "https://drive.google.com/uc?export=download&id=1aB_-9",
            ),
            (
                "https://drive.google.com/file/u/0/d/1aB/preview",
                "https://drive.google.com/uc?export=download&id=1aB",
            ),
            (
                "https://drive.google.com/open?id=1aB&resourcekey=0-x",
                "https://drive.google.com/uc?export=download&id=1aB&resourcekey=0-x",
            ),
            (
                "https://drive.google.com/uc?id=1aB",
                "https://drive.google.com/uc?export=download&id=1aB",
            ),
            (
                "https://github.com/owner/repo/blob/main/media/a%20b.png?raw=true#L1",
                "https://raw.githubusercontent.com/owner/repo/main/media/a%20b.png",
            ),
        ]);
    }

    #[test]
    fn what_is_direct_and_legal_stays_as_it_is() {
        let same = [
            "https://example.com",
            "HTTP://Example.com:80/A/../b.mp4?x=[1]&y=a+b#t=10",
            "https://example.com/caf%C3%A9.png",
            "https://www.dropbox.com/s/abc/cat.mp4?dl=1",
            "https://www.dropbox.com/scl/fi/abc/cat.mp4?rlkey=k&raw=1",
            "https://www.dropbox.com/sh/folder/id?dl=0",
            "https://drive.google.com/drive/folders/1aB",
            "https://drive.google.com/uc?export=download&id=1aB",
            "https://docs.google.com/document/d/1aB/edit",
            "https://github.com/owner/repo/raw/main/a.png",
            "https://github.com/owner/repo/blob/main",
            "https://dropbox.com.example.com/s/abc/cat.mp4?dl=0",
        ];
        assert_normalised(&same.map(|url| (url, url)));
    }

    #[test]
    fn blanks_and_illegal_characters_are_encoded() {
        assert_normalised(&[
            (
                "  https://example.com/my cat.mp4\n",
                "https://example.com/my%20cat.mp4",
            ),
            (
                "https://example.com/a.png?name=my cat&q=\"x\"",
                "https://example.com/a.png?name=my%20cat&q=%22x%22",
            ),
            (
                "https://example.com/100%.png?x=50%",
                "https://example.com/100%25.png?x=50%25",
            ),
            (
                "https://example.com/été.png",
                "https://example.com/%C3%A9t%C3%A9.png",
            ),
            (
                "https://bücher.example/a.png",
                "https://xn--bcher-kva.example/a.png",
            ),
            (
                "https://example.com/a<b>.png",
                "https://example.com/a%3Cb%3E.png",
            ),
        ]);
    }

    #[test]
    fn only_http_and_https_are_urls() {
        for text in [
            "",
            "cat.mp4",
            "/etc/passwd",
            "//example.com/cat.mp4",
            "file:///etc/passwd",
            "ftp://example.com/cat.mp4",
            "data:image/png;base64,AAAA",
            "javascript:alert(1)",
            "http://",
            "https://%",
            "http://[::1",
            "http://exa mple.com/",
            "blob:https://example.com/1",
            "httpx://example.com",
            "1.5",
        ] {
            assert_eq!(normalise(text), None, "{text}");
        }
    }

    #[test]
    fn sources_are_found_wherever_they_stand() {
        let base = json!({ "id": 1, "from": 0, "durationInFrames": 9, "row": 0, "left": 0, "top": 0,
                           "width": 9, "height": 9 });
        let with = |fields: serde_json::Value| {
            let mut overlay = base.clone();
            let fields = fields.as_object().expect("an object").clone();
            overlay.as_object_mut().expect("an object").extend(fields);
            overlay
        };
        let overlays = [
            with(json!({ "type": "text", "content": "https://example.com/words" })),
            with(json!({ "type": "image", "src": "https://example.com/a.png" })),
            with(
                json!({ "type": "effect", "content": "grid-stagger", "styles": {
                "cellImages": ["https://example.com/b.png"],
                "columns": [{ "images": ["https://example.com/c.png"] }] } }),
            ),
        ];
        let document = json!({ "durationInFrames": 9, "overlays": overlays });
        let (composition, _) = Composition::from_json(&document).expect("valid");
        let found: Vec<_> = sources(&composition)
            .into_iter()
            .map(|source| (source.path, source.url))
            .collect();
        let expected = [
            ("overlays[1].src", "https://example.com/a.png"),
            (
                "overlays[2].styles.cellImages[0]",
                "https://example.com/b.png",
            ),
            (
                "overlays[2].styles.columns[0].images[0]",
                "https://example.com/c.png",
            ),
        ];
        assert_eq!(found, expected.map(|(path, url)| (path.into(), url.into())));
    }
}
