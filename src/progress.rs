//! Shows how far a local render is: a bar on a terminal, a line now and then elsewhere.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::terminal;

/// How often a line is written where no bar can be drawn.
const LINE_INTERVAL: Duration = Duration::from_secs(2);
const TEMPLATE: &str = "{bar:40.cyan/blue} {pos}/{len} frames  {per_sec}  {eta} left";

/// The progress of one render.
pub(crate) enum Progress {
    Bar(ProgressBar),
    Lines(Mutex<Lines>),
}

/// What plain lines are computed from.
pub(crate) struct Lines {
    frames: u32,
    started: Instant,
    last: Instant,
}

impl Progress {
    /// Progress over `frames` frames, on standard error.
    pub(crate) fn new(frames: u32) -> anyhow::Result<Self> {
        if !std::io::stderr().is_terminal() {
            let now = Instant::now();
            return Ok(Self::Lines(Mutex::new(Lines {
                frames,
                started: now,
                last: now,
            })));
        }
        let style = ProgressStyle::with_template(TEMPLATE)?.with_key(
            "per_sec",
            |state: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
                let _ = write!(out, "{:.1} fps", state.per_sec());
            },
        );
        let bar = ProgressBar::with_draw_target(
            Some(u64::from(frames)),
            ProgressDrawTarget::stderr_with_hz(10),
        );
        Ok(Self::Bar(bar.with_style(style)))
    }

    /// `done` frames are finished.
    pub(crate) fn at(&self, done: u32) {
        match self {
            Self::Bar(bar) => bar.set_position(u64::from(done)),
            Self::Lines(lines) => {
                let Ok(mut lines) = lines.lock() else { return };
                let now = Instant::now();
                if now.duration_since(lines.last) >= LINE_INTERVAL {
                    lines.last = now;
                    terminal::note(lines.describe(done, now.duration_since(lines.started)));
                }
            }
        }
    }

    /// Clears the bar, so that what is said next stands alone.
    pub(crate) fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

impl Lines {
    fn describe(&self, done: u32, elapsed: Duration) -> String {
        let fps = f64::from(done) / elapsed.as_secs_f64().max(1e-3);
        let left = f64::from(self.frames.saturating_sub(done)) / fps.max(1e-3);
        format!(
            "{done}/{} frames, {fps:.1} fps, {left:.0} s left",
            self.frames
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_speed_and_time_left() {
        let now = Instant::now();
        let lines = Lines {
            frames: 300,
            started: now,
            last: now,
        };
        assert_eq!(
            lines.describe(100, Duration::from_secs(4)),
            "100/300 frames, 25.0 fps, 8 s left"
        );
    }
}
