//! The types of files that may be uploaded.

/// The types that can stand in a composition, each with the extension that its file gets.
const ALLOWED: [(&str, &str); 27] = [
    ("image/png", "png"),
    ("image/jpeg", "jpg"),
    ("image/webp", "webp"),
    ("image/gif", "gif"),
    ("image/avif", "avif"),
    ("image/svg+xml", "svg"),
    ("image/bmp", "bmp"),
    ("video/mp4", "mp4"),
    ("video/quicktime", "mov"),
    ("video/x-matroska", "mkv"),
    ("video/webm", "webm"),
    ("video/mpeg", "mpg"),
    ("video/mp2t", "ts"),
    ("audio/mpeg", "mp3"),
    ("audio/mp4", "m4a"),
    ("audio/aac", "aac"),
    ("audio/wav", "wav"),
    ("audio/ogg", "ogg"),
    ("audio/flac", "flac"),
    ("audio/webm", "webm"),
    // Names that browsers and tools use beside the registered ones.
    ("image/jpg", "jpg"),
    ("audio/mp3", "mp3"),
    ("audio/x-m4a", "m4a"),
    ("audio/m4a", "m4a"),
    ("audio/wave", "wav"),
    ("audio/x-wav", "wav"),
    ("audio/x-flac", "flac"),
];

/// Longer ones are a mistake, or mischief.
const MAX_LENGTH: usize = 255;

/// A type that is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ContentType {
    /// Type and subtype in lower case.
    pub(super) essence: &'static str,
    pub(super) extension: &'static str,
    /// As it was sent, parameters included.
    pub(super) sent: String,
}

impl ContentType {
    /// Reads a media type; parameters are allowed and mean nothing.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let sent = text.trim();
        let is_header_text =
            sent.len() <= MAX_LENGTH && sent.bytes().all(|b| (32..127).contains(&b));
        let named = essence(sent);
        let found = ALLOWED.into_iter().find(|(allowed, _)| *allowed == named);
        let (essence, extension) = found.filter(|_| is_header_text)?;
        Some(Self {
            essence,
            extension,
            sent: sent.to_owned(),
        })
    }
}

/// Type and subtype of a `Content-Type`, in lower case.
pub(super) fn essence(content_type: &str) -> String {
    let essence = content_type.split(';').next().unwrap_or_default();
    essence.trim().to_ascii_lowercase()
}

/// Every type that may be named, for a message.
pub(super) fn allowed() -> String {
    ALLOWED.map(|(essence, _)| essence).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_parameters_mean_nothing() {
        let read = ContentType::parse(" Video/MP4; codecs=\"avc1\" ").expect("allowed");
        assert_eq!((read.essence, read.extension), ("video/mp4", "mp4"));
        assert_eq!(read.sent, "Video/MP4; codecs=\"avc1\"");
    }

    #[test]
    fn what_is_no_medium_is_refused() {
        for text in [
            "",
            "image",
            "image/",
            "text/html",
            "application/octet-stream",
            "image/png\r\nx: y",
            "image/png; x=\u{e9}",
            "image/png, image/jpeg",
        ] {
            assert_eq!(ContentType::parse(text), None, "{text:?}");
        }
        assert_eq!(
            ContentType::parse(&format!("image/png; x={}", "y".repeat(300))),
            None
        );
    }
}
