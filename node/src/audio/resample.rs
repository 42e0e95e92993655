//! Decoded sound of any rate and layout made 48 kHz stereo, from an exact sample on.

use ffmpeg_the_third as ffmpeg;

use ffmpeg::filter::{self, Graph};
use ffmpeg::{ChannelLayout, frame};

use super::{SAMPLE_RATE, downmix};
use crate::media::would_block;

/// A long filter: flat to 20 kHz for a source of 44.1 kHz, with what it must keep out more than
/// 120 dB below. The filter that comes without these options lets through a tenth of it.
const QUALITY: &str = "filter_size=128:cutoff=0.98:kaiser_beta=12";

/// A chain of filters for sound of one format.
pub(super) struct Resampler {
    graph: Graph,
    format: Format,
}

/// What the chain is built for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Format {
    pub(super) rate: u32,
    sample: String,
    layout: String,
    downmix: Option<String>,
}

impl Format {
    /// Reads the format off a frame, and gives the frame a layout if it has only a count.
    pub(super) fn of(frame: &mut frame::Audio) -> Self {
        if frame.ch_layout().mask().is_none() {
            let channels = frame.ch_layout().channels();
            frame.set_ch_layout(ChannelLayout::default_for_channels(channels));
        }
        Self {
            rate: frame.rate(),
            sample: frame.format().name().to_owned(),
            layout: frame.ch_layout().description(),
            downmix: downmix::filter(&frame.ch_layout()),
        }
    }
}

impl Resampler {
    /// A chain that leaves out the first `skip` samples of what it is given.
    pub(super) fn new(format: Format, skip: u64) -> Result<Self, ffmpeg::Error> {
        let rate = format.rate;
        let source = format!(
            "time_base=1/{rate}:sample_rate={rate}:sample_fmt={}:channel_layout={}",
            format.sample, format.layout
        );
        let mut steps = Vec::new();
        if skip > 0 {
            steps.push(format!("atrim=start_sample={skip}"));
        }
        steps.push("aformat=sample_fmts=fltp".to_owned());
        steps.extend(format.downmix.clone());
        if rate != SAMPLE_RATE {
            steps.push(format!("aresample={SAMPLE_RATE}:{QUALITY}"));
        }
        steps.push("aformat=sample_fmts=flt:channel_layouts=stereo".to_owned());
        let missing = ffmpeg::Error::FilterNotFound;
        let mut graph = Graph::new();
        graph.add(&filter::find("abuffer").ok_or(missing)?, "in", &source)?;
        graph.add(&filter::find("abuffersink").ok_or(missing)?, "out", "")?;
        graph
            .output("in", 0)?
            .input("out", 0)?
            .parse(&steps.join(","))?;
        graph.validate()?;
        Ok(Self { graph, format })
    }

    pub(super) fn format(&self) -> &Format {
        &self.format
    }

    /// Takes in a frame.
    pub(super) fn push(&mut self, frame: &frame::Audio) -> Result<(), ffmpeg::Error> {
        self.graph
            .get("in")
            .ok_or(ffmpeg::Error::Bug)?
            .source()
            .add(frame)
    }

    /// Says that no more comes, so that what is held back comes out.
    pub(super) fn finish(&mut self) -> Result<(), ffmpeg::Error> {
        self.graph
            .get("in")
            .ok_or(ffmpeg::Error::Bug)?
            .source()
            .flush()
    }

    /// Appends what is ready, interleaved.
    pub(super) fn drain(&mut self, out: &mut Vec<f32>) -> Result<(), ffmpeg::Error> {
        let mut frame = frame::Audio::empty();
        loop {
            match self
                .graph
                .get("out")
                .ok_or(ffmpeg::Error::Bug)?
                .sink()
                .frame(&mut frame)
            {
                Ok(()) => {
                    for &(left, right) in frame.plane::<(f32, f32)>(0) {
                        out.extend([left, right]);
                    }
                }
                Err(ffmpeg::Error::Eof) => return Ok(()),
                Err(error) if would_block(error) => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    }
}
