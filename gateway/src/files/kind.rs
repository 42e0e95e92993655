//! What kinds of files there are, by the end of their names.

/// How a file is offered to browsers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Kind {
    pub(super) content_type: &'static str,
    pub(super) treatment: Treatment,
}

/// What a browser may do with a file that it opens by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Treatment {
    /// Show it: it holds pixels or sound and nothing that could run.
    Show,
    /// Show it, but let nothing in it run or load anything.
    Confine,
    /// Save it.
    Save,
}

const MEDIA: [(&str, &str); 25] = [
    ("mp4", "video/mp4"),
    ("m4v", "video/mp4"),
    ("mov", "video/quicktime"),
    ("webm", "video/webm"),
    ("mkv", "video/x-matroska"),
    ("mpg", "video/mpeg"),
    ("mpeg", "video/mpeg"),
    ("ts", "video/mp2t"),
    ("weba", "audio/webm"),
    ("mp3", "audio/mpeg"),
    ("m4a", "audio/mp4"),
    ("aac", "audio/aac"),
    ("wav", "audio/wav"),
    ("ogg", "audio/ogg"),
    ("oga", "audio/ogg"),
    ("opus", "audio/ogg"),
    ("flac", "audio/flac"),
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("webp", "image/webp"),
    ("gif", "image/gif"),
    ("avif", "image/avif"),
    ("bmp", "image/bmp"),
    ("ico", "image/x-icon"),
];

/// The kind of the object with this key.
pub(super) fn of(key: &str) -> Kind {
    let name = key.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if extension.eq_ignore_ascii_case("svg") {
        return Kind {
            content_type: "image/svg+xml",
            treatment: Treatment::Confine,
        };
    }
    let known = MEDIA
        .iter()
        .find(|(known, _)| extension.eq_ignore_ascii_case(known));
    match known {
        Some((_, content_type)) => Kind {
            content_type,
            treatment: Treatment::Show,
        },
        None => Kind {
            content_type: "application/octet-stream",
            treatment: Treatment::Save,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_the_name_decides() {
        assert_eq!(of("renders/job/video.mp4").content_type, "video/mp4");
        assert_eq!(of("uploads/a/b.PNG").content_type, "image/png");
        assert_eq!(of("uploads/a/b.svg").treatment, Treatment::Confine);
        for key in ["uploads/a.png/b", "uploads/b.html", "uploads/b.", "x"] {
            assert_eq!(of(key).treatment, Treatment::Save, "{key}");
        }
    }
}
