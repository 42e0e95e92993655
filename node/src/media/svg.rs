//! SVG pictures: read once, drawn at whatever size they are shown.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use resvg::tiny_skia::{PixmapMut, Transform};
use resvg::usvg::roxmltree::{Document, Node, NodeType, ParsingOptions};
use resvg::usvg::{self, ImageHrefResolver, ImageKind, Options, Tree};

use super::{svg_cost, svg_weight, unpanicked};
use crate::{Context, Error, Result};

/// Fonts that words in SVG pictures may use.
pub type VectorFonts = usvg::fontdb::Database;

/// Longer files are refused.
const MOST_BYTES: u64 = 16 << 20;
/// More nodes, counting those that entities stand for, are refused.
const MOST_NODES: u32 = 500_000;
/// Elements inside elements beyond this many are refused.
const DEEPEST: usize = 200;
/// Most pixels of all the pictures inside one together.
const MOST_EMBEDDED_PIXELS: u64 = 50_000_000;
/// The namespace of SVG.
const SVG: &str = "http://www.w3.org/2000/svg";

/// A picture made of outlines.
pub struct Vector {
    text: String,
    fonts: Arc<VectorFonts>,
    /// Where the root element lies in the text: from its start to its end.
    root: (usize, usize),
    /// Where the attributes of the root are that decide about its size, and the end of its name.
    sizing: Vec<(usize, usize)>,
    name_end: usize,
    width: Option<f32>,
    height: Option<f32>,
    /// Left, top, width and height of what is seen, as written.
    view_box: Option<[f32; 4]>,
    aspect: Option<String>,
}

/// Whether a file starts as SVG files do.
pub(super) fn is_svg(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let looked_at = &start[..start.len().min(4096)];
    start.trim_ascii_start().starts_with(b"<")
        && looked_at
            .windows(4)
            .any(|word| word.eq_ignore_ascii_case(b"<svg"))
}

fn undecodable() -> Error {
    Error::BadInput("is not an SVG image that can be drawn".to_owned())
}

fn too_costly() -> Error {
    Error::BadInput("is an SVG image that would take too much time or memory to draw".to_owned())
}

impl Vector {
    /// Reads a picture. It may not refer to anything outside of itself.
    pub(super) fn read(source: impl Read, fonts: Arc<VectorFonts>) -> Result<Self> {
        let mut bytes = Vec::new();
        source
            .take(MOST_BYTES + 1)
            .read_to_end(&mut bytes)
            .context("reading a fetched image")?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(Error::BadInput(format!(
                "is an SVG image of more than {} MiB",
                MOST_BYTES >> 20
            )));
        }
        let text = String::from_utf8(bytes).map_err(|_| undecodable())?;
        if is_too_deep(&text) {
            return Err(Error::BadInput(format!(
                "is an SVG image with more than {DEEPEST} elements inside one another"
            )));
        }
        let document = parse(&text)?;
        svg_weight::check(&document).map_err(|_| too_costly())?;
        let root = document.root_element();
        if root.tag_name().name() != "svg" {
            return Err(undecodable());
        }
        let sizing = root
            .attributes()
            .filter(|attribute| attribute.namespace().is_none())
            .filter(|attribute| {
                [
                    "width",
                    "height",
                    "x",
                    "y",
                    "viewBox",
                    "preserveAspectRatio",
                ]
                .contains(&attribute.name())
            })
            .map(|attribute| (attribute.range().start, attribute.range().end))
            .collect();
        let vector = Self {
            root: (root.range().start, root.range().end),
            sizing,
            name_end: name_end(&text, root),
            width: root.attribute("width").and_then(pixels),
            height: root.attribute("height").and_then(pixels),
            view_box: root.attribute("viewBox").and_then(view_box),
            aspect: root.attribute("preserveAspectRatio").map(str::to_owned),
            text: String::new(),
            fonts,
        };
        drop(document);
        let vector = Self { text, ..vector };
        // What can't be drawn at its own size can't be drawn at any.
        let (width, height) = vector.natural_size((300.0, 150.0));
        vector.laid_out((width, height)).map(|_| ())?;
        Ok(vector)
    }

    /// The size that the picture has by itself, in a box of this size: what it leaves open, the box
    /// decides.
    pub fn natural_size(&self, (box_width, box_height): (f32, f32)) -> (f32, f32) {
        let ratio = self
            .view_box
            .map(|[_, _, width, height]| width / height)
            .filter(|ratio| ratio.is_finite() && *ratio > 0.0);
        match (self.width, self.height, ratio) {
            (Some(width), Some(height), _) => (width, height),
            (Some(width), None, Some(ratio)) => (width, width / ratio),
            (None, Some(height), Some(ratio)) => (height * ratio, height),
            (Some(width), None, None) => (width, box_height),
            (None, Some(height), None) => (box_width, height),
            (None, None, Some(ratio)) if box_width > box_height * ratio => {
                (box_height * ratio, box_height)
            }
            (None, None, Some(ratio)) => (box_width, box_width / ratio),
            (None, None, None) => (box_width, box_height),
        }
    }

    /// The picture laid out in a viewport of this size, in pixels.
    pub fn laid_out(&self, (width, height): (f32, f32)) -> Result<Drawing> {
        let is_drawable = |side: f32| side.is_finite() && side > 0.0 && side < 1e6;
        if !is_drawable(width) || !is_drawable(height) {
            return Err(undecodable());
        }
        // Inside another element the picture is clipped to its viewport.
        let mut text = String::with_capacity(self.text.len() + 512);
        text.push_str(&self.text[..self.root.0]);
        text.push_str(&format!(
            "<svg xmlns='{SVG}' width='{width}' height='{height}'>"
        ));
        text.push_str(&self.text[self.root.0..self.name_end]);
        text.push_str(&format!(" width='{width}' height='{height}'"));
        let (view, aspect) = match (self.view_box, self.width, self.height) {
            (Some(view), _, _) => (Some(view), self.aspect.as_deref().unwrap_or("xMidYMid")),
            // Its own size without a view is a view of all that, stretched to any other size.
            (None, Some(width), Some(height)) => (Some([0.0, 0.0, width, height]), "none"),
            (None, _, _) => (None, "none"),
        };
        if let Some([x, y, width, height]) = view {
            text.push_str(&format!(
                " viewBox='{x} {y} {width} {height}' preserveAspectRatio='{}'",
                escaped(aspect)
            ));
        }
        let mut from = self.name_end;
        for (start, end) in &self.sizing {
            text.push_str(&self.text[from..*start]);
            from = *end;
        }
        text.push_str(&self.text[from..self.root.1]);
        text.push_str("</svg>");
        text.push_str(&self.text[self.root.1..]);
        let document = parse(&text)?;
        unpanicked(|| {
            let tree = Tree::from_xmltree(&document, &options(&self.fonts));
            tree.map(Drawing).map_err(|_| undecodable())
        })
    }
}

/// A picture laid out for one size.
pub struct Drawing(Tree);

impl Drawing {
    /// Draws the picture, whose viewport starts at the origin, onto premultiplied RGBA8 pixels.
    pub fn draw(&self, onto: &mut PixmapMut<'_>, to_pixels: Transform) -> Result<()> {
        let size = (onto.width(), onto.height());
        svg_cost::check(&self.0, to_pixels, size).map_err(|_| too_costly())?;
        unpanicked(|| {
            resvg::render(&self.0, to_pixels, onto);
            Ok(())
        })
    }
}

fn parse(text: &str) -> Result<Document<'_>> {
    let options = ParsingOptions {
        allow_dtd: true,
        nodes_limit: MOST_NODES,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).map_err(|_| undecodable())
}

/// How pictures are read: nothing outside of them is looked at, and pictures inside are bounded.
fn options(fonts: &Arc<VectorFonts>) -> Options<'static> {
    let embedded = ImageHrefResolver::default_data_resolver();
    let pixels_left = AtomicU64::new(MOST_EMBEDDED_PIXELS);
    Options {
        fontdb: Arc::clone(fonts),
        font_family: kinora_composition::fonts::SERIF.to_owned(),
        font_size: 16.0,
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(move |mime, data, options| {
                if matches!(mime, "image/svg+xml" | "text/plain") && !is_plain_inside(&data) {
                    return None;
                }
                let kind = embedded(mime, data, options)?;
                let (ImageKind::PNG(data)
                | ImageKind::JPEG(data)
                | ImageKind::GIF(data)
                | ImageKind::WEBP(data)) = &kind
                else {
                    return Some(kind);
                };
                let (width, height) = dimensions(data)?;
                let pixels = u64::from(width) * u64::from(height);
                pixels_left
                    .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                        left.checked_sub(pixels)
                    })
                    .is_ok()
                    .then_some(kind)
            }),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    }
}

/// Whether data inside a picture are another picture, or an SVG picture that is checked as it is.
fn is_plain_inside(data: &[u8]) -> bool {
    match std::str::from_utf8(data) {
        Ok(text) => {
            !is_too_deep(text)
                && parse(text).is_ok_and(|document| svg_weight::check(&document).is_ok())
        }
        Err(_) => dimensions(data).is_some(),
    }
}

fn dimensions(data: &[u8]) -> Option<(u32, u32)> {
    image::ImageReader::new(std::io::Cursor::new(data))
        .with_guessed_format()
        .ok()?
        .into_dimensions()
        .ok()
}

/// Whether elements lie deeper in one another than is accepted. Looks at the text alone, since
/// parsers call themselves for each.
fn is_too_deep(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut tags = text.match_indices('<').map(|(at, _)| at).peekable();
    while let Some(at) = tags.next() {
        match bytes.get(at + 1) {
            Some(b'/') => depth = depth.saturating_sub(1),
            Some(b'!' | b'?') | None => {}
            Some(_) => {
                let end = tags.peek().copied().unwrap_or(bytes.len());
                let closes_itself = text[at..end]
                    .rfind('>')
                    .is_some_and(|close| bytes[at + close - 1] == b'/');
                depth += usize::from(!closes_itself);
                if depth > DEEPEST {
                    return true;
                }
            }
        }
    }
    false
}

fn name_end(text: &str, root: Node<'_, '_>) -> usize {
    debug_assert_eq!(root.node_type(), NodeType::Element);
    let start = root.range().start;
    let name = text[start..]
        .find(|c: char| c.is_ascii_whitespace() || c == '>' || c == '/')
        .unwrap_or(0);
    start + name
}

/// A length that does not depend on what is around, in pixels.
fn pixels(text: &str) -> Option<f32> {
    let text = text.trim();
    let unit_at = text
        .find(|c: char| c.is_ascii_alphabetic() && c != 'e' && c != 'E' || c == '%')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    let in_pixels = match unit.to_ascii_lowercase().as_str() {
        "" | "px" => 1.0,
        "pt" => 4.0 / 3.0,
        "pc" => 16.0,
        "in" => 96.0,
        "cm" => 96.0 / 2.54,
        "mm" => 96.0 / 25.4,
        _ => return None,
    };
    let length = number.trim().parse::<f32>().ok()? * in_pixels;
    (length.is_finite() && length > 0.0).then_some(length)
}

fn view_box(text: &str) -> Option<[f32; 4]> {
    let mut numbers = text
        .split(|c: char| c.is_ascii_whitespace() || c == ',')
        .filter(|part| !part.is_empty())
        .map(|part| part.parse::<f32>().ok().filter(|number| number.is_finite()));
    let view = [
        numbers.next()??,
        numbers.next()??,
        numbers.next()??,
        numbers.next()??,
    ];
    (numbers.next().is_none() && view[2] > 0.0 && view[3] > 0.0).then_some(view)
}

fn escaped(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == ' ')
        .collect()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

    use resvg::tiny_skia::Pixmap;

    use super::*;

    fn read(text: &str) -> Result<Vector> {
        Vector::read(text.as_bytes(), Arc::new(VectorFonts::new()))
    }

    fn svg(attributes: &str, content: &str) -> Vector {
        read(&format!("<svg xmlns='{SVG}' {attributes}>{content}</svg>")).unwrap()
    }

    /// Colours of pixels of a picture laid out in 40 × 20 pixels.
    fn pixels_of(vector: &Vector, at: [(u32, u32); 2]) -> [[u8; 4]; 2] {
        let mut pixmap = Pixmap::new(60, 30).unwrap();
        let drawing = vector.laid_out((40.0, 20.0)).unwrap();
        let drawn = drawing.draw(&mut pixmap.as_mut(), Transform::identity());
        drawn.unwrap();
        at.map(|(x, y)| {
            let pixel = pixmap.pixel(x, y).unwrap();
            [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()]
        })
    }

    const RED: [u8; 4] = [255, 0, 0, 255];
    const NOTHING: [u8; 4] = [0; 4];

    #[test]
    fn a_size_is_taken_from_the_file_or_from_the_box() {
        let in_box = (300.0, 100.0);
        let size = |attributes: &str| svg(attributes, "").natural_size(in_box);
        assert_eq!(size("width='80' height='1in'"), (80.0, 96.0));
        assert_eq!(size("width='80px' viewBox='0 0 20 10'"), (80.0, 40.0));
        assert_eq!(size("viewBox='5,5 20 10'"), (200.0, 100.0));
        assert_eq!(size("viewBox='0 0 60 10' width='100%'"), (300.0, 50.0));
        assert_eq!(size("width='100%' height='50%'"), in_box);
        assert_eq!(size("width='-3' height='x' viewBox='0 0 0 1'"), in_box);
    }

    #[test]
    fn a_view_keeps_its_shape_and_a_size_alone_is_stretched() {
        let square = "<rect width='10' height='10' fill='red'/>";
        let kept = svg("viewBox='0 0 10 10'", square);
        assert_eq!(pixels_of(&kept, [(5, 10), (20, 10)]), [NOTHING, RED]);
        let told = svg("viewBox='0 0 10 10' preserveAspectRatio='none'", square);
        assert_eq!(pixels_of(&told, [(2, 10), (37, 10)]), [RED, RED]);
        let stretched = svg("width='10' height='10'", square);
        assert_eq!(pixels_of(&stretched, [(2, 10), (37, 10)]), [RED, RED]);
        let open = svg("", "<rect width='50%' height='100%' fill='red'/>");
        assert_eq!(pixels_of(&open, [(18, 10), (22, 10)]), [RED, NOTHING]);
    }

    #[test]
    fn nothing_is_drawn_beyond_the_viewport() {
        let wide = svg("", "<rect width='500' height='500' fill='red'/>");
        assert_eq!(pixels_of(&wide, [(39, 19), (41, 10)]), [RED, NOTHING]);
    }

    #[test]
    fn nothing_outside_is_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret.png");
        image::RgbaImage::from_pixel(40, 20, image::Rgba(RED))
            .save(&path)
            .unwrap();
        let text = format!("<image href='{}' width='40' height='20'/>", path.display());
        assert_eq!(pixels_of(&svg("", &text), [(5, 5), (20, 10)]), [NOTHING; 2]);
    }

    #[test]
    fn hostile_files_are_refused_in_words() {
        let nested = format!(
            "<svg xmlns='{SVG}'>{}{}</svg>",
            "<g>".repeat(100_000),
            "</g>".repeat(100_000)
        );
        let laughs = format!(
            "<!DOCTYPE svg [<!ENTITY a '<g/><g/>'>{}]><svg xmlns='{SVG}'>&z;</svg>",
            ('b'..='z')
                .zip('a'..)
                .map(|(name, of)| format!("<!ENTITY {name} '&{of};&{of};&{of};&{of};'>"))
                .collect::<String>()
        );
        for text in [
            nested.as_str(),
            &laughs,
            "<svg",
            "<html><svg/></html>",
            "<svg xmlns='http://www.w3.org/2000/svg'><g></svg>",
        ] {
            let refused = read(text).map(|_| ()).unwrap_err();
            assert!(matches!(refused, Error::BadInput(_)), "{refused}");
        }
        assert!(svg("", "").laid_out((f32::NAN, 1e9)).is_err());
    }

    #[test]
    fn files_are_known_by_how_they_start() {
        assert!(is_svg(b"\xef\xbb\xbf <?xml version='1.0'?><!-- a --><svg>"));
        assert!(!is_svg(b"\x89PNG <svg"));
        assert!(!is_svg(b"<html><body></body></html>"));
        assert!(!is_svg(b""));
    }
}
