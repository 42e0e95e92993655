//! The `styles` of each overlay type, as they are written; CSS strings are parsed when a scene is built.

use serde_json::{Value, json};

use super::motion::{Animation, GradientTransition, StaggerDirection, StaggeredMotion};
use super::reader::{Field, Reader, names, record};
use super::schema::Schemas;

names! {
    /// Horizontal alignment of text.
    pub enum TextAlign {
        Left = "left",
        Center = "center",
        Right = "right",
    }
}

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
    /// How animated text is cut into pieces.
    pub enum Split {
        None = "none",
        Word = "word",
        Character = "character",
        Line = "line",
    }
}

names! {
    /// Colours of a code block.
    pub enum CodeTheme {
        Dark = "dark",
        Light = "light",
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

names! {
    /// Which way a column scrolls.
    pub enum ScrollDirection {
        Up = "up",
        Down = "down",
    }
}

/// A weight written as a number or as a string.
#[derive(Clone, Debug, PartialEq)]
pub enum NumberOrString {
    /// As in 700.
    Number(f64),
    /// As in "bold".
    String(String),
}

impl Field for NumberOrString {
    const EXPECTED: &'static str = "a number or a string";

    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        match value {
            Value::String(text) => Some(Self::String(text.clone())),
            Value::Number(_) => f64::read(value, reader).map(Self::Number),
            _ => {
                reader.wrong_type(Self::EXPECTED, value);
                None
            }
        }
    }

    fn write(&self) -> Value {
        match self {
            Self::Number(number) => number.write(),
            Self::String(text) => text.write(),
        }
    }

    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": ["number", "string"] })
    }
}

record! {
    /// Text that moves in pieces and ends where it belongs.
    pub struct AnimatedText {
        /// Whether it is on; off when omitted.
        enabled: bool, "enabled", optional;
        /// Which pieces move one by one; `none` moves the text as a whole.
        split: Split, "split", optional;
        /// Frames from the start of one piece to the start of the next.
        split_stagger: f64, "splitStagger", optional;
        /// Vertical offsets in pixels that a piece moves through, as in `[40, 0]`.
        y: Vec<f64>, "y", optional;
        /// Horizontal offsets in pixels that a piece moves through.
        x: Vec<f64>, "x", optional;
        /// Blur radii in pixels that a piece goes through.
        blur: Vec<f64>, "blur", optional;
        /// Opacities from 0 to 1 that a piece goes through.
        opacity: Vec<f64>, "opacity", optional;
        /// Scale factors that a piece goes through.
        scale: Vec<f64>, "scale", optional;
        /// Angles in degrees that a piece turns through.
        rotate: Vec<f64>, "rotate", optional;
        /// Strengths of displacement that a piece goes through.
        glitch: Vec<f64>, "glitch", optional;
        /// Frames that one piece moves.
        duration: f64, "duration", optional;
        /// Frames before the first piece starts; 0 when omitted.
        delay: f64, "delay", optional;
        /// Easing: a CSS name, `cubic-bezier()`, `steps()`, `spring`, or a name like
        /// `easeOutCubic`.
        easing: String, "easing", optional;
    }
}

record! {
    /// Text that is typed.
    pub struct TypeWriter {
        /// Whether it is on; off when omitted.
        enabled: bool, "enabled", optional;
        /// Whether a cursor blinks behind the last letter.
        cursor: bool, "cursor", optional;
        /// Whether it starts again after the end.
        looped: bool, "loop", optional;
        /// Whether the text is deleted letter by letter before it is typed again.
        delete_before_next: bool, "deleteBeforeNext", optional;
        /// Frames for each character.
        type_speed: f64, "typeSpeed", optional;
        /// Share of characters first typed wrong and then corrected, 0 to 1.
        error_rate: f64, "errorRate", optional;
        /// Frames for each blink of the cursor.
        blink_speed: f64, "blinkSpeed", optional;
        /// Frames to wait after the last character.
        pause_after_type: f64, "pauseAfterType", optional;
        /// Frames to wait after the text is deleted.
        pause_after_delete: f64, "pauseAfterDelete", optional;
    }
}

record! {
    /// A number that runs from one value to another.
    pub struct CounterMode {
        /// Whether it is on; off when omitted.
        enabled: bool, "enabled", optional;
        /// Number at the start.
        from: f64, "from", optional;
        /// Number at the end.
        to: f64, "to", optional;
        /// Decimals to show.
        to_fixed: f64, "toFixed", optional;
        /// Frames from the first number to the last.
        duration: f64, "duration", optional;
        /// Text before the number, as in `$`.
        prefix: String, "prefix", optional;
        /// Text after the number, as in `%`.
        postfix: String, "postfix", optional;
        /// Easing: a CSS name, `cubic-bezier()`, `steps()`, `spring`, or a name like
        /// `easeOutCubic`.
        easing: String, "easing", optional;
    }
}

record! {
    /// Highlighted code.
    pub struct CodeBlock {
        /// Whether it is on; off when omitted.
        enabled: bool, "enabled", optional;
        /// Programming language to highlight, as in `rust`.
        language: String, "language", optional;
        /// Colours on a dark or on a light ground.
        theme: CodeTheme, "theme", optional;
        /// Whether lines are numbered.
        show_line_numbers: bool, "showLineNumbers", optional;
        /// Frames from the appearance of one line to the next.
        line_stagger: f64, "lineStagger", optional;
        /// Size of the letters in pixels.
        font_size: f64, "fontSize", optional;
    }
}

record! {
    /// How text looks.
    #[derive(Default)]
    pub struct TextStyles {
        /// Upper bound in pixels (`48px` or `48`): text that would not fit is set smaller. Fitted
        /// to the box when omitted or in another unit.
        font_size: String, "fontSize", optional;
        /// Sets the text at exactly `fontSize` and clips what does not fit; off when omitted.
        font_size_fixed: bool, "fontSizeFixed", optional;
        /// Factor on the fitted size when `fontSize` is omitted; 0.8 to 1.4 works well.
        font_size_scale: f64, "fontSizeScale", optional;
        /// CSS weight, as in `700` or `bold`; 400 when omitted.
        font_weight: String, "fontWeight", optional;
        /// CSS colour of the letters; black when omitted.
        color: String, "color", optional;
        /// CSS colour of the box; see-through when omitted.
        background_color: String, "backgroundColor", optional;
        /// CSS family list; Inter where none of them is known.
        font_family: String, "fontFamily", optional;
        /// CSS font style: `normal`, `italic` or `oblique`.
        font_style: String, "fontStyle", optional;
        /// CSS lines on the text, as in `underline`.
        text_decoration: String, "textDecoration", optional;
        /// CSS distance of the baselines, as in `1.4` or `60px`; 1.2 when omitted.
        line_height: String, "lineHeight", optional;
        /// CSS length between letters, as in `2px` or `0.05em`.
        letter_spacing: String, "letterSpacing", optional;
        /// Horizontal alignment; `center` when omitted.
        text_align: TextAlign, "textAlign", optional;
        /// CSS shadow of the letters; several are separated by commas.
        text_shadow: String, "textShadow", optional;
        /// CSS padding between the box and its content, as in `8px 16px`.
        padding: String, "padding", optional;
        /// CSS colour that fills the padding.
        padding_background_color: String, "paddingBackgroundColor", optional;
        /// CSS corner radius, as in `12px` or `50%`.
        border_radius: String, "borderRadius", optional;
        /// CSS shadow of the box; several are separated by commas.
        box_shadow: String, "boxShadow", optional;
        /// CSS colour or gradient of the box, over `backgroundColor`.
        background: String, "background", optional;
        /// `text` shows the background only through the letters.
        webkit_background_clip: String, "WebkitBackgroundClip", optional;
        /// CSS colour of the letters in place of `color`; `transparent` lets a clipped background
        /// show.
        webkit_text_fill_color: String, "WebkitTextFillColor", optional;
        /// CSS filter on what lies behind the box, as in `blur(8px)`.
        backdrop_filter: String, "backdropFilter", optional;
        /// CSS border inside the box, as in `2px solid white`.
        border: String, "border", optional;
        /// CSS case: `uppercase`, `lowercase`, `capitalize` or `none`.
        text_transform: String, "textTransform", optional;
        /// From 0 (invisible) to 1 (the default).
        opacity: f64, "opacity", optional;
        /// Orders content inside this overlay only; it never lifts the overlay past another row.
        z_index: f64, "zIndex", optional;
        /// CSS transform of the content about its centre, as in `rotate(5deg) scale(1.1)`.
        transform: String, "transform", optional;
        /// How the overlay enters, moves while it is visible, and leaves.
        animation: Animation, "animation", optional;
        /// Moves the parts of the overlay one after another.
        staggered_motion: StaggeredMotion, "staggeredMotion", optional;
        /// Moves the words, characters or lines one after another.
        animated_text: AnimatedText, "animatedText", optional;
        /// Types the text out.
        type_writer: TypeWriter, "typeWriter", optional;
        /// Shows a running number instead of the text.
        counter_mode: CounterMode, "counterMode", optional;
        /// Shows the text as highlighted source code.
        code_block: CodeBlock, "codeBlock", optional;
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
        /// CSS colour of the inside.
        fill: String, "fill", optional;
        /// CSS colour of the outline; no outline when omitted.
        stroke: String, "stroke", optional;
        /// CSS filter list, as in `brightness(1.2) blur(2px)`.
        filter: String, "filter", optional;
        /// CSS transform of the content about its centre, as in `rotate(5deg) scale(1.1)`.
        transform: String, "transform", optional;
        /// Width of the outline in pixels.
        stroke_width: f64, "strokeWidth", optional;
        /// Factor on the size; 1 when omitted.
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

record! {
    /// How the spoken word looks.
    #[derive(Default)]
    pub struct HighlightStyle {
        /// CSS colour of the box behind the word.
        background_color: String, "backgroundColor", optional;
        /// CSS colour of the word.
        color: String, "color", optional;
        /// CSS shadow of the word.
        text_shadow: String, "textShadow", optional;
        /// CSS padding of the box behind the word.
        padding: String, "padding", optional;
        /// CSS corner radius, as in `12px` or `50%`.
        border_radius: String, "borderRadius", optional;
        /// CSS transition between the spoken word and the others.
        transition: String, "transition", optional;
        /// CSS colour or gradient of the box behind the word.
        background: String, "background", optional;
        /// CSS border inside the box, as in `2px solid white`.
        border: String, "border", optional;
        /// CSS filter on what lies behind the box, as in `blur(8px)`.
        backdrop_filter: String, "backdropFilter", optional;
        /// Factor on the size of the word; 1 when omitted.
        scale: f64, "scale", optional;
        /// Weight of the word, 1 to 1000.
        font_weight: f64, "fontWeight", optional;
    }
}

record! {
    /// How captions look.
    #[derive(Default)]
    pub struct CaptionStyles {
        /// CSS family list; Inter where none of them is known.
        font_family: String, "fontFamily", optional;
        /// CSS size in any unit (1rem is 16 px), taken as it is; 48 px when omitted.
        font_size: String, "fontSize", optional;
        /// Distance of the baselines as a factor on the size; 1.2 when omitted.
        line_height: f64, "lineHeight", optional;
        /// Horizontal alignment; `center` when omitted.
        text_align: TextAlign, "textAlign", optional;
        /// CSS colour of the letters; white when omitted.
        color: String, "color", optional;
        /// CSS colour of the box; see-through when omitted.
        background_color: String, "backgroundColor", optional;
        /// CSS colour or gradient of the box, over `backgroundColor`.
        background: String, "background", optional;
        /// CSS filter on what lies behind the box, as in `blur(8px)`.
        backdrop_filter: String, "backdropFilter", optional;
        /// CSS padding between the box and its content, as in `8px 16px`.
        padding: String, "padding", optional;
        /// CSS length between letters, as in `2px` or `0.05em`.
        letter_spacing: String, "letterSpacing", optional;
        /// CSS shadow of the letters; several are separated by commas.
        text_shadow: String, "textShadow", optional;
        /// CSS corner radius, as in `12px` or `50%`.
        border_radius: String, "borderRadius", optional;
        /// CSS transition between the spoken word and the others.
        transition: String, "transition", optional;
        /// CSS weight, as in 700 or `bold`; 400 when omitted.
        font_weight: NumberOrString, "fontWeight", optional;
        /// How the word being spoken differs.
        highlight_style: HighlightStyle, "highlightStyle", optional;
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
