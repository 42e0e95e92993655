//! Styles of shapes and stickers.

use crate::document::motion::{Animation, GradientTransition, StaggeredMotion};
use crate::document::reader::record;

record! {
    /// How a shape looks.
    #[derive(Default)]
    pub struct ShapeStyles {
        /// CSS colour of the inside.
        fill: String, "fill", optional;
        /// CSS colour of the outline; no outline when omitted.
        stroke: String, "stroke", optional;
        /// CSS corner radius of a rectangle, as in `12px`.
        border_radius: String, "borderRadius", optional;
        /// CSS shadow of the box; several are separated by commas.
        box_shadow: String, "boxShadow", optional;
        /// One CSS gradient, in place of `fill`.
        gradient: String, "gradient", optional;
        /// CSS transform of the content about its centre, as in `rotate(5deg) scale(1.1)`.
        transform: String, "transform", optional;
        /// Width of the outline in pixels.
        stroke_width: f64, "strokeWidth", optional;
        /// From 0 (invisible) to 1 (the default).
        opacity: f64, "opacity", optional;
        /// Orders content inside this overlay only; it never lifts the overlay past another row.
        z_index: f64, "zIndex", optional;
        /// Fades through several gradients.
        gradient_transition: GradientTransition, "gradientTransition", optional;
        /// How the overlay enters, moves while it is visible, and leaves.
        animation: Animation, "animation", optional;
        /// Moves the parts of the overlay one after another.
        staggered_motion: StaggeredMotion, "staggeredMotion", optional;
    }
}

record! {
    /// How a sticker looks.
    #[derive(Default)]
    pub struct StickerStyles {
        /// CSS colour of the main areas, in place of the drawing's own.
        fill: String, "fill", optional;
        /// CSS colour of the outlines, in place of the drawing's own.
        stroke: String, "stroke", optional;
        /// CSS filter list, as in `brightness(1.2) blur(2px)`.
        filter: String, "filter", optional;
        /// CSS transform of the content about its centre, as in `rotate(5deg) scale(1.1)`.
        transform: String, "transform", optional;
        /// Width of the outlines in pixels, in place of the drawing's own.
        stroke_width: f64, "strokeWidth", optional;
        /// Factor on the size, about the centre of the box; 1 when omitted.
        scale: f64, "scale", optional;
        /// From 0 (invisible) to 1 (the default).
        opacity: f64, "opacity", optional;
        /// Orders content inside this overlay only; it never lifts the overlay past another row.
        z_index: f64, "zIndex", optional;
        /// How the overlay enters, moves while it is visible, and leaves.
        animation: Animation, "animation", optional;
        /// Moves the parts of the overlay one after another.
        staggered_motion: StaggeredMotion, "staggeredMotion", optional;
    }
}
