//! Decoded sound of any rate and layout made 48 kHz stereo, from an exact sample on, at a speed.

use ffmpeg_the_third as ffmpeg;

use ffmpeg::filter::{self, Graph};
use ffmpeg::{ChannelLayout, frame};

use super::SAMPLE_RATE;
use crate::media::would_block;

/// Gaps in the source longer than this are played as silence; shorter ones are rounding.
pub(super) const SHORTEST_GAP_SECONDS: f64 = 0.02;
/// One stretching filter works well in this range; more is reached by several in a row.
const TEMPOS: std::ops::RangeInclusive<f64> = 0.5..=2.0;

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
    channels: u32,
}

impl Format {
    /// Reads the format off a frame, and gives the frame a layout if it has only a count.
    pub(super) fn of(frame: &mut frame::Audio) -> Self {
        let channels = frame.ch_layout().channels();
        if frame.ch_layout().mask().is_none() {
            frame.set_ch_layout(ChannelLayout::default_for_channels(channels));
        }
        Self {
            rate: frame.rate(),
            sample: frame.format().name().to_owned(),
            layout: frame.ch_layout().description(),
            channels,
        }
    }
}

impl Resampler {
    /// A chain whose output begins with the source sample `first`, played at `speed`.
    pub(super) fn new(format: Format, first: i64, speed: f64) -> Result<Self, ffmpeg::Error> {
        let rate = format.rate;
        let source = format!(
            "time_base=1/{rate}:sample_rate={rate}:sample_fmt={}:channel_layout={}",
            format.sample, format.layout
        );
        let mut spec = format!(
            "atrim=start_pts={first},\
             aresample={SAMPLE_RATE}:async=1:min_hard_comp={SHORTEST_GAP_SECONDS}"
        );
        if format.channels == 1 {
            // The resampler would spread one channel over two at −3 dB; players do not.
            spec.push_str(",pan=stereo|c0=c0|c1=c0");
        }
        spec.push_str(",aformat=sample_fmts=flt:channel_layouts=stereo");
        for tempo in tempos(speed) {
            spec.push_str(&format!(",atempo={tempo}"));
        }
        let missing = ffmpeg::Error::FilterNotFound;
        let mut graph = Graph::new();
        graph.add(&filter::find("abuffer").ok_or(missing)?, "in", &source)?;
        graph.add(&filter::find("abuffersink").ok_or(missing)?, "out", "")?;
        graph.output("in", 0)?.input("out", 0)?.parse(&spec)?;
        graph.validate()?;
        Ok(Self { graph, format })
    }

    pub(super) fn format(&self) -> &Format {
        &self.format
    }

    /// Takes in a frame whose presentation time is its position in source samples.
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

/// Splits a speed into factors that one filter each can do.
fn tempos(speed: f64) -> Vec<f64> {
    let mut rest = speed;
    let mut factors = Vec::new();
    while rest > *TEMPOS.end() {
        factors.push(*TEMPOS.end());
        rest /= TEMPOS.end();
    }
    while rest < *TEMPOS.start() {
        factors.push(*TEMPOS.start());
        rest /= TEMPOS.start();
    }
    if (rest - 1.0).abs() > 1e-9 {
        factors.push(rest);
    }
    factors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_speed_is_a_product_of_what_one_filter_can_do() {
        assert!(tempos(1.0).is_empty());
        for speed in [0.05, 0.25, 0.5, 0.9, 1.5, 2.0, 3.0, 16.0, 100.0] {
            let factors = tempos(speed);
            assert!(
                factors.iter().all(|factor| TEMPOS.contains(factor)),
                "{speed}: {factors:?}"
            );
            assert!((factors.iter().product::<f64>() - speed).abs() < 1e-9);
        }
    }
}
