//! Image and video overlays.

use super::parse::{border_with_sides, box_shadows, clip_path, color, filters, padding, radii};
use super::style::{BoxStyle, Effects};
use crate::css::{Background, Color, Position};
use crate::document::{Greenscreen, Image, ObjectFit, Video};
use crate::geometry::Size;

/// A picture or a video in its box.
#[derive(Clone, Debug, PartialEq)]
pub struct MediaBox {
    /// Where the file is.
    pub src: String,
    /// How messages name the overlay.
    pub label: String,
    /// How the picture fills the content of the box.
    pub fit: ObjectFit,
    /// Where in the content of the box it sits.
    pub position: Position,
    /// The part of the source to show, as shares of its size: left, top, width, height.
    pub crop: Option<[f32; 4]>,
    /// The colour to make see-through.
    pub greenscreen: Option<Greenscreen>,
    /// The box around the picture.
    pub frame: BoxStyle,
    /// Size of the box.
    pub size: Size,
}

/// Crop percentages as shares of the source.
fn crop(enabled: Option<bool>, parts: [Option<f64>; 4]) -> Option<[f32; 4]> {
    (enabled == Some(true)).then(|| {
        let [x, y, width, height] = parts;
        let x = (x.unwrap_or(0.0) / 100.0).clamp(0.0, 1.0);
        let y = (y.unwrap_or(0.0) / 100.0).clamp(0.0, 1.0);
        let width = (width.unwrap_or(100.0) / 100.0).clamp(0.0, 1.0 - x);
        let height = (height.unwrap_or(100.0) / 100.0).clamp(0.0, 1.0 - y);
        [x as f32, y as f32, width as f32, height as f32]
    })
}

/// Builds a [`MediaBox`] from the styles that images and videos have in common.
macro_rules! media_box {
    ($media:expr, $label:expr, $size:expr) => {{
        let styles = &$media.styles;
        MediaBox {
            src: $media.src.clone(),
            label: $label,
            fit: styles.object_fit.unwrap_or(ObjectFit::Cover),
            position: styles
                .object_position
                .as_ref()
                .and_then(|position| Position::parse(position))
                .unwrap_or(Position::CENTER),
            crop: crop(
                styles.crop_enabled,
                [
                    styles.crop_x,
                    styles.crop_y,
                    styles.crop_width,
                    styles.crop_height,
                ],
            ),
            greenscreen: $media.greenscreen.clone().filter(|key| key.enabled),
            frame: BoxStyle {
                background: Background {
                    color: color(styles.padding_background_color.as_ref(), Color::BLACK),
                    ..Background::default()
                },
                border: border_with_sides(
                    styles.border.as_ref(),
                    [
                        styles.border_top.as_ref(),
                        styles.border_right.as_ref(),
                        styles.border_bottom.as_ref(),
                        styles.border_left.as_ref(),
                    ],
                    Color::BLACK,
                ),
                radii: radii(styles.border_radius.as_ref()),
                shadows: box_shadows(styles.box_shadow.as_ref(), Color::BLACK),
                padding: padding(styles.padding.as_ref()),
            },
            size: $size,
        }
    }};
}

/// Builds [`Effects`] from the styles that images and videos have in common.
macro_rules! media_effects {
    ($media:expr) => {
        Effects {
            filter: filters($media.styles.filter.as_ref(), Color::BLACK),
            clip_path: clip_path($media.styles.clip_path.as_ref()),
            ..Effects::default()
        }
    };
}

impl MediaBox {
    pub(crate) fn image(image: &Image, label: String, size: Size) -> Self {
        media_box!(image, label, size)
    }

    pub(crate) fn video(video: &Video, label: String, size: Size) -> Self {
        media_box!(video, label, size)
    }

    pub(crate) fn image_effects(image: &Image) -> Effects {
        media_effects!(image)
    }

    pub(crate) fn video_effects(video: &Video) -> Effects {
        media_effects!(video)
    }
}
