//! Styles of video, image and sound overlays.

use crate::document::motion::{Animation, StaggeredMotion};
use crate::document::reader::{names, record};

names! {
    /// How a picture fills its box.
    pub enum ObjectFit {
        Contain = "contain",
        Cover = "cover",
        Fill = "fill",
        None = "none",
        ScaleDown = "scale-down",
    }
}

names! {
    /// The ways an image can stand in space.
    pub enum Layout3dName {
        None = "none",
        TiltUp = "tilt-up",
        TiltDown = "tilt-down",
        CardLeft = "card-left",
        CardRight = "card-right",
        Book = "book",
        Floating = "floating",
        Billboard = "billboard",
        Skewed = "skewed",
    }
}

record! {
    /// How a video looks and sounds.
    #[derive(Default)]
    pub struct VideoStyles {
        /// How the picture fills its box; `cover` when omitted.
        object_fit: ObjectFit, "objectFit", optional;
        /// Where in its box the picture sits, as CSS: `50% 50%` when omitted.
        object_position: String, "objectPosition", optional;
        /// CSS filter list, as in `brightness(1.2) blur(2px)`.
        filter: String, "filter", optional;
        /// CSS shadow of the box; several are separated by commas.
        box_shadow: String, "boxShadow", optional;
        /// CSS border inside the box, as in `2px solid white`.
        border: String, "border", optional;
        /// CSS border of the top side, in place of `border`.
        border_top: String, "borderTop", optional;
        /// CSS border of the right side, in place of `border`.
        border_right: String, "borderRight", optional;
        /// CSS border of the bottom side, in place of `border`.
        border_bottom: String, "borderBottom", optional;
        /// CSS border of the left side, in place of `border`.
        border_left: String, "borderLeft", optional;
        /// CSS padding between the box and its content, as in `8px 16px`.
        padding: String, "padding", optional;
        /// CSS colour that fills the padding.
        padding_background_color: String, "paddingBackgroundColor", optional;
        /// CSS corner radius, as in `12px` or `50%`.
        border_radius: String, "borderRadius", optional;
        /// CSS transform of the content about its centre, as in `rotate(5deg) scale(1.1)`.
        transform: String, "transform", optional;
        /// CSS basic shape outside of which nothing is seen, as in `circle(40%)`.
        clip_path: String, "clipPath", optional;
        /// Linear volume of its sound from 0 to 1; 1 when omitted.
        volume: f64, "volume", optional;
        /// From 0 (invisible) to 1 (the default).
        opacity: f64, "opacity", optional;
        /// Orders content inside this overlay only; it never lifts the overlay past another row.
        z_index: f64, "zIndex", optional;
        /// How the overlay enters, moves while it is visible, and leaves.
        animation: Animation, "animation", optional;
        /// Moves the parts of the overlay one after another.
        staggered_motion: StaggeredMotion, "staggeredMotion", optional;
        /// Whether only the part of the source named by the crop fields is shown.
        crop_enabled: bool, "cropEnabled", optional;
        /// Left edge of the shown part, in percent of the source's width; 0 when omitted.
        crop_x: f64, "cropX", optional;
        /// Top edge of the shown part, in percent of the source's height; 0 when omitted.
        crop_y: f64, "cropY", optional;
        /// Width of the shown part, in percent of the source's width.
        crop_width: f64, "cropWidth", optional;
        /// Height of the shown part, in percent of the source's height.
        crop_height: f64, "cropHeight", optional;
    }
}

record! {
    /// An image that stands in space.
    pub struct Layout3d("Layout3D") {
        /// The pose; `none` lies flat.
        layout: Layout3dName, "layout", optional;
        /// Whether the image turns from the pose to flat while it enters; off when omitted.
        settle: bool, "settle", optional;
    }
}

record! {
    /// How an image looks.
    #[derive(Default)]
    pub struct ImageStyles {
        /// CSS filter list, as in `brightness(1.2) blur(2px)`.
        filter: String, "filter", optional;
        /// CSS corner radius, as in `12px` or `50%`.
        border_radius: String, "borderRadius", optional;
        /// How the picture fills its box; `cover` when omitted.
        object_fit: ObjectFit, "objectFit", optional;
        /// Where in its box the picture sits, as CSS: `50% 50%` when omitted.
        object_position: String, "objectPosition", optional;
        /// CSS shadow of the box; several are separated by commas.
        box_shadow: String, "boxShadow", optional;
        /// CSS border inside the box, as in `2px solid white`.
        border: String, "border", optional;
        /// CSS border of the top side, in place of `border`.
        border_top: String, "borderTop", optional;
        /// CSS border of the right side, in place of `border`.
        border_right: String, "borderRight", optional;
        /// CSS border of the bottom side, in place of `border`.
        border_bottom: String, "borderBottom", optional;
        /// CSS border of the left side, in place of `border`.
        border_left: String, "borderLeft", optional;
        /// CSS padding between the box and its content, as in `8px 16px`.
        padding: String, "padding", optional;
        /// CSS colour that fills the padding.
        padding_background_color: String, "paddingBackgroundColor", optional;
        /// CSS transform of the content about its centre, as in `rotate(5deg) scale(1.1)`.
        transform: String, "transform", optional;
        /// CSS basic shape outside of which nothing is seen, as in `circle(40%)`.
        clip_path: String, "clipPath", optional;
        /// From 0 (invisible) to 1 (the default).
        opacity: f64, "opacity", optional;
        /// Orders content inside this overlay only; it never lifts the overlay past another row.
        z_index: f64, "zIndex", optional;
        /// How the overlay enters, moves while it is visible, and leaves.
        animation: Animation, "animation", optional;
        /// Moves the parts of the overlay one after another.
        staggered_motion: StaggeredMotion, "staggeredMotion", optional;
        /// Whether only the part of the source named by the crop fields is shown.
        crop_enabled: bool, "cropEnabled", optional;
        /// Left edge of the shown part, in percent of the source's width; 0 when omitted.
        crop_x: f64, "cropX", optional;
        /// Top edge of the shown part, in percent of the source's height; 0 when omitted.
        crop_y: f64, "cropY", optional;
        /// Width of the shown part, in percent of the source's width.
        crop_width: f64, "cropWidth", optional;
        /// Height of the shown part, in percent of the source's height.
        crop_height: f64, "cropHeight", optional;
        /// Stands the image in space.
        layout_3d: Layout3d, "layout3D", optional;
    }
}

record! {
    /// How a sound sounds.
    #[derive(Default)]
    pub struct SoundStyles {
        /// Linear volume from 0 to 1; 1 when omitted.
        volume: f64, "volume", optional;
        /// Seconds from silence to full volume at the start.
        fade_in: f64, "fadeIn", optional;
        /// Seconds from full volume to silence, ending with the overlay.
        fade_out: f64, "fadeOut", optional;
        /// Accepted, without effect on a sound.
        opacity: f64, "opacity", optional;
        /// Accepted, without effect on a sound.
        z_index: f64, "zIndex", optional;
        /// Accepted, without effect on a sound.
        transform: String, "transform", optional;
    }
}
