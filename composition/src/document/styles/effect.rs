//! Parameters of effects.

use crate::document::motion::{StaggerDirection, StaggeredMotion};
use crate::document::reader::{names, record};

names! {
    /// Which way a column scrolls.
    pub enum ScrollDirection {
        Up = "up",
        Down = "down",
    }
}

record! {
    /// A scrolling column of images.
    pub struct Column {
        /// URLs of the images, from top to bottom.
        images: Vec<String>, "images", optional;
        /// Pixels that the column moves in each frame.
        speed: f64, "speed", optional;
        /// Which way the column moves.
        direction: ScrollDirection, "direction", optional;
    }
}

record! {
    /// Parameters of an effect.
    #[derive(Default)]
    pub struct EffectStyles {
        /// CSS colour of the particles.
        color: String, "color", optional;
        /// CSS colour of the falling characters of `matrix`.
        matrix_color: String, "matrixColor", optional;
        /// Characters that fall in `matrix`.
        matrix_charset: String, "matrixCharset", optional;
        /// CSS transform of the content about its centre, as in `rotate(5deg) scale(1.1)`.
        transform: String, "transform", optional;
        /// How many particles there are.
        particle_count: f64, "particleCount", optional;
        /// Factor on the speed of the particles; 1 when omitted.
        speed: f64, "speed", optional;
        /// Size of a particle in pixels.
        size: f64, "size", optional;
        /// From 0 (invisible) to 1 (the default).
        opacity: f64, "opacity", optional;
        /// Orders content inside this overlay only; it never lifts the overlay past another row.
        z_index: f64, "zIndex", optional;
        /// Size of the characters of `matrix` in pixels.
        matrix_font_size: f64, "matrixFontSize", optional;
        /// Share of the columns of `matrix` in which characters fall.
        matrix_density: f64, "matrixDensity", optional;
        /// Columns of `grid-stagger` and `fracture`.
        grid_cols: f64, "gridCols", optional;
        /// Rows of `grid-stagger` and `fracture`.
        grid_rows: f64, "gridRows", optional;
        /// Frames from the start of one cell to the start of the next.
        stagger_delay: f64, "staggerDelay", optional;
        /// Frames that one cell moves.
        anim_duration: f64, "animDuration", optional;
        /// Pixels between the columns of `scrolling-columns`.
        column_gap: f64, "columnGap", optional;
        /// Height of the images of `scrolling-columns` in pixels.
        image_height: f64, "imageHeight", optional;
        /// CSS colours of the cells of `grid-stagger`, taken in turn.
        cell_colors: Vec<String>, "cellColors", optional;
        /// URLs of images in the cells of `grid-stagger`, taken in turn.
        cell_images: Vec<String>, "cellImages", optional;
        /// Order in which the cells start.
        stagger_dir: StaggerDirection, "staggerDir", optional;
        /// The columns of `scrolling-columns`.
        columns: Vec<Column>, "columns", optional;
        /// Moves the parts of the overlay one after another.
        staggered_motion: StaggeredMotion, "staggeredMotion", optional;
    }
}
