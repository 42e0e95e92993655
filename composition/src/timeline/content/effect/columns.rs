//! Columns of pictures that move without end.

use super::super::media::MediaBox;
use super::{Album, Brief, within};
use crate::document::ScrollDirection;
use crate::geometry::Size;

/// Columns of pictures that move without end.
#[derive(Clone, Debug, PartialEq)]
pub struct Columns {
    /// From the left.
    pub columns: Vec<ScrollingColumn>,
    /// Size of a picture.
    pub picture: Size,
    /// Pixels between columns, and between the pictures of one.
    pub gap: f32,
}

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub struct ScrollingColumn {
    /// Pictures of the effect from the top, by their indexes.
    pub pictures: Vec<usize>,
    /// Pixels down in a second.
    pub speed: f64,
}

impl Columns {
    pub(super) fn new(brief: Brief<'_>) -> (Self, Vec<MediaBox>) {
        const MOST_COLUMNS: usize = 50;
        const FASTEST: f64 = 1000.0;
        /// Speeds are pixels in a frame of a video of this rate.
        const STEPS: f64 = 30.0;
        const LEAST_HEIGHT: f64 = 4.0;
        let styles = brief.styles;
        let width = f64::from(brief.size.width);
        let given = styles.columns.iter().flatten().take(MOST_COLUMNS);
        let count = given.clone().count().max(1) as f64;
        let gap = within(
            styles.column_gap,
            (width * 0.0125).round(),
            0.0,
            width / count,
        );
        let column_width = (width - gap * (count - 1.0)) / count;
        let height = within(
            styles.image_height,
            column_width * 1.25,
            LEAST_HEIGHT,
            100_000.0,
        );
        let picture = Size {
            width: column_width as f32,
            height: height as f32,
        };
        let mut album = Album {
            brief,
            size: picture,
            pictures: Vec::new(),
        };
        let columns = given.enumerate().map(|(index, column)| {
            let direction = column.direction.unwrap_or(match index % 2 {
                0 => ScrollDirection::Up,
                _ => ScrollDirection::Down,
            });
            let speed = within(column.speed, 2.0, -FASTEST, FASTEST) * STEPS * brief.speed();
            ScrollingColumn {
                pictures: column
                    .images
                    .iter()
                    .flatten()
                    .filter_map(|src| album.add(src))
                    .collect(),
                speed: match direction {
                    ScrollDirection::Up => -speed,
                    ScrollDirection::Down => speed,
                },
            }
        });
        let columns = Self {
            columns: columns.collect(),
            picture,
            gap: gap as f32,
        };
        (columns, album.pictures)
    }
}
