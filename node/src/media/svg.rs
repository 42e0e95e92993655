//! SVG pictures: read once, drawn at whatever size they are shown.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use resvg::tiny_skia::{PixmapMut, Transform};
use resvg::usvg::roxmltree::{Document, Node, NodeType, ParsingOptions};
use resvg::usvg::{self, ImageHrefResolver, ImageKind, Options, Tree};

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
        let tree =
            Tree::from_xmltree(&document, &options(&self.fonts)).map_err(|_| undecodable())?;
        Ok(Drawing(tree))
    }
}

/// A picture laid out for one size.
pub struct Drawing(Tree);

impl Drawing {
    /// Draws the picture, whose viewport starts at the origin, onto premultiplied RGBA8 pixels.
    pub fn draw(&self, onto: &mut PixmapMut<'_>, to_pixels: Transform) {
        resvg::render(&self.0, to_pixels, onto);
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
