//! The media that a composition names.

use kinora_composition::document::{Composition, OverlayKind};

/// A URL and where it stands in the composition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    /// As in `overlays[3].src`.
    pub(crate) path: String,
    pub(crate) url: String,
}

/// Every media URL that a node will fetch, in document order.
pub(crate) fn sources(composition: &Composition) -> Vec<Source> {
    let mut sources = Vec::new();
    for (index, overlay) in composition.overlays.iter().enumerate() {
        let mut add = |field: &str, url: &str| {
            sources.push(Source {
                path: format!("overlays[{index}].{field}"),
                url: url.to_owned(),
            });
        };
        if let Some(src) = overlay.src() {
            add("src", src);
        }
        if let OverlayKind::Effect(effect) = &overlay.kind {
            let cells = effect.styles.cell_images.iter().flatten();
            for (cell, image) in cells.enumerate() {
                add(&format!("styles.cellImages[{cell}]"), image);
            }
            let columns = effect.styles.columns.iter().flatten();
            for (column, images) in columns.enumerate() {
                for (row, image) in images.images.iter().flatten().enumerate() {
                    add(&format!("styles.columns[{column}].images[{row}]"), image);
                }
            }
        }
    }
    sources
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

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
