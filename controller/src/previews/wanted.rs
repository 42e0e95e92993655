//! What of a preview somebody wants to see, and how small it is drawn.

/// Frames on a contact sheet.
const GRID_FRAMES: u32 = 12;

/// Names of single frames begin with this.
pub(super) const FRAME: &str = "frame:";

/// What a page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The whole video.
    Video,
    /// Frames spread over the video.
    Grid,
    /// One frame.
    Frame(u32),
}

impl Wanted {
    /// The same for a video of this many frames: past the end is the last one.
    pub(super) fn within(self, frames: u32) -> Self {
        match self {
            Self::Frame(frame) => Self::Frame(frame.min(frames.saturating_sub(1))),
            whole => whole,
        }
    }

    /// The name in the database.
    pub(super) fn name(self) -> String {
        match self {
            Self::Video => "video".into(),
            Self::Grid => "grid".into(),
            Self::Frame(frame) => format!("{FRAME}{frame}"),
        }
    }

    /// The longest side that is worth drawing.
    fn max_side(self) -> u32 {
        match self {
            Self::Video => 640,
            Self::Grid => 480,
            Self::Frame(_) => 1920,
        }
    }

    /// What each side is divided by.
    pub(super) fn reduce(self, width: u32, height: u32) -> u32 {
        width.max(height).div_ceil(self.max_side()).max(1)
    }

    /// The frames that are drawn one by one, in order; none when the whole video is encoded.
    pub(super) fn stills(self, frames: u32) -> Vec<u32> {
        match self {
            Self::Video => Vec::new(),
            Self::Frame(frame) => vec![frame],
            Self::Grid if frames <= GRID_FRAMES => (0..frames).collect(),
            Self::Grid => (0..GRID_FRAMES)
                .map(|cell| spread(cell, frames - 1))
                .collect(),
        }
    }
}

/// The frame of a cell when the first cell shows frame 0 and the last shows `last`.
fn spread(cell: u32, last: u32) -> u32 {
    let gaps = u64::from(GRID_FRAMES - 1);
    let exact = (u64::from(cell) * u64::from(last) + gaps / 2) / gaps;
    u32::try_from(exact).unwrap_or(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_begins_at_the_first_frame_ends_at_the_last_and_is_even() {
        for frames in [13, 30, 60, 300, 432_000, u32::MAX] {
            let stills = Wanted::Grid.stills(frames);
            assert_eq!(stills.len(), 12);
            assert_eq!((stills[0], stills[11]), (0, frames - 1));
            let gaps: Vec<u32> = stills.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let (least, most) = (gaps.iter().min(), gaps.iter().max());
            assert!(
                most.zip(least)
                    .is_some_and(|(most, least)| most - least <= 1),
                "{gaps:?}"
            );
        }
        assert_eq!(Wanted::Grid.stills(3), [0, 1, 2]);
        assert_eq!(Wanted::Grid.stills(12).len(), 12);
    }

    #[test]
    fn a_frame_past_the_end_is_the_last_one() {
        assert_eq!(Wanted::Frame(99).within(30), Wanted::Frame(29));
        assert_eq!(Wanted::Frame(7).within(30), Wanted::Frame(7));
        assert_eq!(Wanted::Frame(0).within(30).stills(30), [0]);
    }

    #[test]
    fn pictures_are_made_just_small_enough() {
        assert_eq!(Wanted::Video.reduce(1920, 1080), 3);
        assert_eq!(Wanted::Video.reduce(1080, 1920), 3);
        assert_eq!(Wanted::Video.reduce(640, 640), 1);
        assert_eq!(Wanted::Video.reduce(642, 480), 2);
        assert_eq!(Wanted::Grid.reduce(1920, 1080), 4);
        assert_eq!(Wanted::Frame(0).reduce(1920, 1080), 1);
        assert_eq!(Wanted::Frame(0).reduce(7680, 4320), 4);
        assert_eq!(Wanted::Video.reduce(16, 16), 1);
    }
}
