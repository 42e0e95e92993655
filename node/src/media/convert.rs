//! Decoded frames of any pixel format made 8-bit.

use ffmpeg_the_third as ffmpeg;

use ffmpeg::filter::{self, Graph};
use ffmpeg::format::Pixel;
use ffmpeg::{color, frame};

use super::orientation::Turn;
use super::picture::ColorMatrix;

/// How the samples of a frame mean colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Coding {
    pub(super) matrix: ColorMatrix,
    pub(super) full_range: bool,
}

/// Frames of less height than this are standard definition when they do not say otherwise.
const HIGH_DEFINITION_HEIGHT: u32 = 720;

impl Coding {
    /// What a frame says of itself, with the usual assumptions where it says nothing. For RGB it
    /// is the coding that conversion will give it.
    pub(super) fn of(frame: &frame::Video) -> Self {
        if is_rgb(frame.format()) {
            return Self {
                matrix: ColorMatrix::Bt709,
                full_range: false,
            };
        }
        let matrix = match frame.color_space() {
            color::Space::BT709 => ColorMatrix::Bt709,
            color::Space::BT470BG | color::Space::SMPTE170M | color::Space::FCC => {
                ColorMatrix::Bt601
            }
            color::Space::BT2020NCL | color::Space::BT2020CL => ColorMatrix::Bt2020,
            _ if frame.color_primaries() == color::Primaries::BT2020 => ColorMatrix::Bt2020,
            _ if frame.height() < HIGH_DEFINITION_HEIGHT => ColorMatrix::Bt601,
            _ => ColorMatrix::Bt709,
        };
        let full_range = frame.color_range() == color::Range::JPEG
            || name_of(frame.format()).starts_with("yuvj");
        Self { matrix, full_range }
    }
}

/// Whether a frame's planes can be used as they are.
pub(super) fn is_planar_420(frame: &frame::Video) -> bool {
    matches!(frame.format(), Pixel::YUV420P | Pixel::YUVJ420P)
        && frame.planes() == 3
        // Some decoders hand out pictures upside down, with strides below zero.
        && (0..3).all(|plane| i32::try_from(frame.stride(plane)).is_ok())
}

fn name_of(format: Pixel) -> &'static str {
    format
        .descriptor()
        .map_or("none", ffmpeg::format::pixel::Descriptor::name)
}

fn is_rgb(format: Pixel) -> bool {
    let name = name_of(format);
    ["rgb", "bgr", "gbr", "pal"]
        .iter()
        .any(|family| name.contains(family))
}

/// Whether pixels of a format say how much of them is seen.
pub(super) fn has_alpha(format: Pixel) -> bool {
    let name = name_of(format);
    let families = [
        "yuva", "gbrap", "rgba", "bgra", "argb", "abgr", "ya8", "ya16", "pal8",
    ];
    families.iter().any(|family| name.starts_with(family))
}

/// How many bits a luma sample of a frame has.
pub(super) fn bits_of(frame: &frame::Video) -> u32 {
    let name = name_of(frame.format());
    [16, 14, 12, 10, 9]
        .into_iter()
        .find(|bits| name.trim_end_matches("le").ends_with(&bits.to_string()))
        .unwrap_or(8)
}

/// What frames are converted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// 4:2:0 in three planes, coded as before.
    Planar,
    /// 4:2:0 in three planes of 10 bits, coded as before.
    Deep,
    /// Colours, alpha not multiplied in.
    Rgba,
}

impl Output {
    fn name(self) -> &'static str {
        match self {
            Self::Planar => "yuv420p",
            Self::Deep => "yuv420p10le",
            Self::Rgba => "rgba",
        }
    }
}

/// Converts frames of one format and size; made anew when these change.
pub(super) struct Converter {
    graph: Graph,
    format: Pixel,
    width: u32,
    height: u32,
    coding: Coding,
}

impl Converter {
    pub(super) fn new(
        frame: &frame::Video,
        coding: Coding,
        output: Output,
        turn: Turn,
    ) -> Result<Self, ffmpeg::Error> {
        let (format, width, height) = (frame.format(), frame.width(), frame.height());
        let matrix = match coding.matrix {
            ColorMatrix::Bt601 => "bt601",
            ColorMatrix::Bt709 => "bt709",
            ColorMatrix::Bt2020 => "bt2020",
        };
        let range = |full: bool| if full { "full" } else { "limited" };
        let in_range = range(coding.full_range || is_rgb(format));
        let out_range = range(coding.full_range || output == Output::Rgba);
        let is_only_turned = output == Output::Planar && is_planar_420(frame);
        let output = output.name();
        let source = format!(
            "video_size={width}x{height}:pix_fmt={}:time_base=1/1:pixel_aspect=1/1",
            name_of(format)
        );
        let scale = format!(
            "scale=in_color_matrix={matrix}:out_color_matrix={matrix}:in_range={in_range}:\
             out_range={out_range}:\
             flags=bicubic+accurate_rnd+full_chroma_int"
        );
        let pixels = format!("format=pix_fmts={output}");
        let mut steps: Vec<&str> = if is_only_turned {
            Vec::new()
        } else {
            vec![&scale, &pixels]
        };
        steps.extend(turn.filters());
        let spec = steps.join(",");
        let missing = ffmpeg::Error::FilterNotFound;
        let mut graph = Graph::new();
        graph.add(&filter::find("buffer").ok_or(missing)?, "in", &source)?;
        graph.add(&filter::find("buffersink").ok_or(missing)?, "out", "")?;
        graph.output("in", 0)?.input("out", 0)?.parse(&spec)?;
        graph.validate()?;
        Ok(Self {
            graph,
            format,
            width,
            height,
            coding,
        })
    }

    /// Whether this converter was made for such a frame.
    pub(super) fn fits(&self, frame: &frame::Video, coding: Coding) -> bool {
        self.format == frame.format()
            && self.width == frame.width()
            && self.height == frame.height()
            && self.coding == coding
    }

    /// Gives back the converted frame. The given one is used up.
    pub(super) fn convert(&mut self, frame: &frame::Video) -> Result<frame::Video, ffmpeg::Error> {
        let bug = ffmpeg::Error::Bug;
        self.graph.get("in").ok_or(bug)?.source().add(frame)?;
        let mut converted = frame::Video::empty();
        self.graph
            .get("out")
            .ok_or(bug)?
            .sink()
            .frame(&mut converted)?;
        Ok(converted)
    }
}
