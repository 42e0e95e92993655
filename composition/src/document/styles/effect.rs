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
        /// URLs of the images, from top to bottom, over and over again.
        images: Vec<String>, "images", optional;
        /// Pixels that the column moves in a 30th of a second, whatever the frame rate, up to 1000; 2
        /// when omitted.
        speed: f64, "speed", optional;
        /// Which way the column moves; up and down in turn when omitted.
        direction: ScrollDirection, "direction", optional;
    }
}

record! {
    /// Parameters of an effect.
    #[derive(Default)]
    pub struct EffectStyles {
        /// CSS colour of the particles, of the shades of cells without `cellColors`, or of the pane of
        /// `fracture`. When omitted, each effect has its own: confetti come in many.
        color: String, "color", optional;
        /// CSS colour of the falling characters of `matrix`; that of `color` when omitted, else green.
        matrix_color: String, "matrixColor", optional;
        /// Characters that fall in `matrix`, the first 256 different ones; katakana and digits when
        /// omitted.
        matrix_charset: String, "matrixCharset", optional;
        /// CSS transform of the content about its centre, as in `rotate(5deg) scale(1.1)`.
        transform: String, "transform", optional;
        /// How many particles there are, 0 to 20000, and no more than cover the box forty times over.
        /// When omitted, as many as suit the box.
        particle_count: f64, "particleCount", optional;
        /// Factor on the speed of particles, characters and columns, 0 to 20; 1 when omitted.
        speed: f64, "speed", optional;
        /// Size in pixels of a particle of middling distance, 0.1 to 1000: the diameter of a flake, the
        /// width of a raindrop. When omitted, what suits the box.
        size: f64, "size", optional;
        /// From 0 (invisible) to 1 (the default).
        opacity: f64, "opacity", optional;
        /// Orders content inside this overlay only; it never lifts the overlay past another row.
        z_index: f64, "zIndex", optional;
        /// Size of the characters of `matrix` in pixels, 4 to 400, and larger where there would be more
        /// than 40000; a 42nd of the shorter side when omitted.
        matrix_font_size: f64, "matrixFontSize", optional;
        /// Share of the columns of `matrix` in which characters fall, 0 to 1; 0.9 when omitted.
        matrix_density: f64, "matrixDensity", optional;
        /// Columns of `grid-stagger` and `fracture`, 1 to 200; as many as make cells square when omitted.
        grid_cols: f64, "gridCols", optional;
        /// Rows of `grid-stagger` and `fracture`, 1 to 200; as many as make cells square when omitted.
        grid_rows: f64, "gridRows", optional;
        /// Frames from the start of one cell to the start of the next, or of one ring of cells when
        /// `staggerDir` is `center`; 2 when omitted.
        stagger_delay: f64, "staggerDelay", optional;
        /// Frames that one cell moves; 18 when omitted, 45 in `fracture`.
        anim_duration: f64, "animDuration", optional;
        /// Pixels between the columns of `scrolling-columns` and between the images of one; an 80th of
        /// the width when omitted.
        column_gap: f64, "columnGap", optional;
        /// Height of the images of `scrolling-columns` in pixels, at least 4; five quarters of their
        /// width when omitted. Images cover their place.
        image_height: f64, "imageHeight", optional;
        /// CSS colours of the cells of `grid-stagger` or the shards of `fracture`, taken in turn.
        cell_colors: Vec<String>, "cellColors", optional;
        /// URLs of images in the cells of `grid-stagger`, taken in turn, in place of colours; the first is
        /// the pane of `fracture`. At most 200.
        cell_images: Vec<String>, "cellImages", optional;
        /// Order in which the cells start; `forward` when omitted, `center` in `fracture`.
        stagger_dir: StaggerDirection, "staggerDir", optional;
        /// The columns of `scrolling-columns` from the left, at most 50, with at most 200 images.
        columns: Vec<Column>, "columns", optional;
        /// Moves cells, shards or columns one after another; other effects move as a whole. `blur` has an
        /// effect on these alone.
        staggered_motion: StaggeredMotion, "staggeredMotion", optional;
    }
}
