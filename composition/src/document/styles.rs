//! The `styles` of each overlay type, as they are written; CSS strings are parsed when a scene is built.

use super::motion::{Animation, GradientTransition, StaggerDirection, StaggeredMotion};
use super::reader::{Field, Reader, names, record};
use serde_json::Value;

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
}

record! {
    /// Text that moves in pieces.
    pub struct AnimatedText {
        /// `enabled` as in the specification.
        enabled: bool, "enabled", optional;
        /// `split` as in the specification.
        split: Split, "split", optional;
        /// `splitStagger` as in the specification.
        split_stagger: f64, "splitStagger", optional;
        /// `y` as in the specification.
        y: Vec<f64>, "y", optional;
        /// `x` as in the specification.
        x: Vec<f64>, "x", optional;
        /// `blur` as in the specification.
        blur: Vec<f64>, "blur", optional;
        /// 0 to 1.
        opacity: Vec<f64>, "opacity", optional;
        /// `scale` as in the specification.
        scale: Vec<f64>, "scale", optional;
        /// `rotate` as in the specification.
        rotate: Vec<f64>, "rotate", optional;
        /// `glitch` as in the specification.
        glitch: Vec<f64>, "glitch", optional;
        /// `duration` as in the specification.
        duration: f64, "duration", optional;
        /// `delay` as in the specification.
        delay: f64, "delay", optional;
        /// `easing` as in the specification.
        easing: String, "easing", optional;
    }
}

record! {
    /// Text that is typed.
    pub struct TypeWriter {
        /// `enabled` as in the specification.
        enabled: bool, "enabled", optional;
        /// `cursor` as in the specification.
        cursor: bool, "cursor", optional;
        /// `loop` as in the specification.
        looped: bool, "loop", optional;
        /// `deleteBeforeNext` as in the specification.
        delete_before_next: bool, "deleteBeforeNext", optional;
        /// `typeSpeed` as in the specification.
        type_speed: f64, "typeSpeed", optional;
        /// `errorRate` as in the specification.
        error_rate: f64, "errorRate", optional;
        /// `blinkSpeed` as in the specification.
        blink_speed: f64, "blinkSpeed", optional;
        /// `pauseAfterType` as in the specification.
        pause_after_type: f64, "pauseAfterType", optional;
        /// `pauseAfterDelete` as in the specification.
        pause_after_delete: f64, "pauseAfterDelete", optional;
    }
}

record! {
    /// A number that runs.
    pub struct CounterMode {
        /// `enabled` as in the specification.
        enabled: bool, "enabled", optional;
        /// `from` as in the specification.
        from: f64, "from", optional;
        /// `to` as in the specification.
        to: f64, "to", optional;
        /// `toFixed` as in the specification.
        to_fixed: f64, "toFixed", optional;
        /// `duration` as in the specification.
        duration: f64, "duration", optional;
        /// `prefix` as in the specification.
        prefix: String, "prefix", optional;
        /// `postfix` as in the specification.
        postfix: String, "postfix", optional;
        /// `easing` as in the specification.
        easing: String, "easing", optional;
    }
}

record! {
    /// Highlighted code.
    pub struct CodeBlock {
        /// `enabled` as in the specification.
        enabled: bool, "enabled", optional;
        /// `language` as in the specification.
        language: String, "language", optional;
        /// `theme` as in the specification.
        theme: CodeTheme, "theme", optional;
        /// `showLineNumbers` as in the specification.
        show_line_numbers: bool, "showLineNumbers", optional;
        /// `lineStagger` as in the specification.
        line_stagger: f64, "lineStagger", optional;
        /// CSS size; px and unitless only for text.
        font_size: f64, "fontSize", optional;
    }
}

record! {
    /// How text looks.
    #[derive(Default)]
    pub struct TextStyles {
        /// CSS size; px and unitless only for text.
        font_size: String, "fontSize", optional;
        /// `fontSizeFixed` as in the specification.
        font_size_fixed: bool, "fontSizeFixed", optional;
        /// `fontSizeScale` as in the specification.
        font_size_scale: f64, "fontSizeScale", optional;
        /// `fontWeight` as in the specification.
        font_weight: String, "fontWeight", optional;
        /// `color` as in the specification.
        color: String, "color", optional;
        /// `backgroundColor` as in the specification.
        background_color: String, "backgroundColor", optional;
        /// `fontFamily` as in the specification.
        font_family: String, "fontFamily", optional;
        /// `fontStyle` as in the specification.
        font_style: String, "fontStyle", optional;
        /// `textDecoration` as in the specification.
        text_decoration: String, "textDecoration", optional;
        /// `lineHeight` as in the specification.
        line_height: String, "lineHeight", optional;
        /// `letterSpacing` as in the specification.
        letter_spacing: String, "letterSpacing", optional;
        /// `textAlign` as in the specification.
        text_align: TextAlign, "textAlign", optional;
        /// `textShadow` as in the specification.
        text_shadow: String, "textShadow", optional;
        /// `padding` as in the specification.
        padding: String, "padding", optional;
        /// `paddingBackgroundColor` as in the specification.
        padding_background_color: String, "paddingBackgroundColor", optional;
        /// `borderRadius` as in the specification.
        border_radius: String, "borderRadius", optional;
        /// `boxShadow` as in the specification.
        box_shadow: String, "boxShadow", optional;
        /// `background` as in the specification.
        background: String, "background", optional;
        /// `WebkitBackgroundClip` as in the specification.
        webkit_background_clip: String, "WebkitBackgroundClip", optional;
        /// `WebkitTextFillColor` as in the specification.
        webkit_text_fill_color: String, "WebkitTextFillColor", optional;
        /// `backdropFilter` as in the specification.
        backdrop_filter: String, "backdropFilter", optional;
        /// `border` as in the specification.
        border: String, "border", optional;
        /// `textTransform` as in the specification.
        text_transform: String, "textTransform", optional;
        /// 0 to 1.
        opacity: f64, "opacity", optional;
        /// Order of content inside the overlay.
        z_index: f64, "zIndex", optional;
        /// CSS transform list.
        transform: String, "transform", optional;
        /// Enter, exit and during.
        animation: Animation, "animation", optional;
        /// Children one after another.
        staggered_motion: StaggeredMotion, "staggeredMotion", optional;
        /// `animatedText` as in the specification.
        animated_text: AnimatedText, "animatedText", optional;
        /// `typeWriter` as in the specification.
        type_writer: TypeWriter, "typeWriter", optional;
        /// `counterMode` as in the specification.
        counter_mode: CounterMode, "counterMode", optional;
        /// `codeBlock` as in the specification.
        code_block: CodeBlock, "codeBlock", optional;
    }
}

record! {
    /// How a video looks and sounds.
    #[derive(Default)]
    pub struct VideoStyles {
        /// `objectFit` as in the specification.
        object_fit: ObjectFit, "objectFit", optional;
        /// `objectPosition` as in the specification.
        object_position: String, "objectPosition", optional;
        /// `filter` as in the specification.
        filter: String, "filter", optional;
        /// `boxShadow` as in the specification.
        box_shadow: String, "boxShadow", optional;
        /// `border` as in the specification.
        border: String, "border", optional;
        /// `padding` as in the specification.
        padding: String, "padding", optional;
        /// `paddingBackgroundColor` as in the specification.
        padding_background_color: String, "paddingBackgroundColor", optional;
        /// `borderRadius` as in the specification.
        border_radius: String, "borderRadius", optional;
        /// CSS transform list.
        transform: String, "transform", optional;
        /// `clipPath` as in the specification.
        clip_path: String, "clipPath", optional;
        /// 0 to 1.
        volume: f64, "volume", optional;
        /// 0 to 1.
        opacity: f64, "opacity", optional;
        /// Order of content inside the overlay.
        z_index: f64, "zIndex", optional;
        /// Enter, exit and during.
        animation: Animation, "animation", optional;
        /// Children one after another.
        staggered_motion: StaggeredMotion, "staggeredMotion", optional;
        /// `cropEnabled` as in the specification.
        crop_enabled: bool, "cropEnabled", optional;
        /// `cropX` as in the specification.
        crop_x: f64, "cropX", optional;
        /// `cropY` as in the specification.
        crop_y: f64, "cropY", optional;
        /// `cropWidth` as in the specification.
        crop_width: f64, "cropWidth", optional;
        /// `cropHeight` as in the specification.
        crop_height: f64, "cropHeight", optional;
    }
}

record! {
    /// An image that stands in space.
    pub struct Layout3d {
        /// `layout` as in the specification.
        layout: Layout3dName, "layout", optional;
        /// `settle` as in the specification.
        settle: bool, "settle", optional;
    }
}

record! {
    /// How an image looks.
    #[derive(Default)]
    pub struct ImageStyles {
        /// `filter` as in the specification.
        filter: String, "filter", optional;
        /// `borderRadius` as in the specification.
        border_radius: String, "borderRadius", optional;
        /// `objectFit` as in the specification.
        object_fit: ObjectFit, "objectFit", optional;
        /// `objectPosition` as in the specification.
        object_position: String, "objectPosition", optional;
        /// `boxShadow` as in the specification.
        box_shadow: String, "boxShadow", optional;
        /// `border` as in the specification.
        border: String, "border", optional;
        /// `padding` as in the specification.
        padding: String, "padding", optional;
        /// `paddingBackgroundColor` as in the specification.
        padding_background_color: String, "paddingBackgroundColor", optional;
        /// CSS transform list.
        transform: String, "transform", optional;
        /// `clipPath` as in the specification.
        clip_path: String, "clipPath", optional;
        /// 0 to 1.
        opacity: f64, "opacity", optional;
        /// Order of content inside the overlay.
        z_index: f64, "zIndex", optional;
        /// Enter, exit and during.
        animation: Animation, "animation", optional;
        /// Children one after another.
        staggered_motion: StaggeredMotion, "staggeredMotion", optional;
        /// `cropEnabled` as in the specification.
        crop_enabled: bool, "cropEnabled", optional;
        /// `cropX` as in the specification.
        crop_x: f64, "cropX", optional;
        /// `cropY` as in the specification.
        crop_y: f64, "cropY", optional;
        /// `cropWidth` as in the specification.
        crop_width: f64, "cropWidth", optional;
        /// `cropHeight` as in the specification.
        crop_height: f64, "cropHeight", optional;
        /// `layout3D` as in the specification.
        layout_3d: Layout3d, "layout3D", optional;
    }
}

record! {
    /// How a sound sounds.
    #[derive(Default)]
    pub struct SoundStyles {
        /// 0 to 1.
        volume: f64, "volume", optional;
        /// Seconds.
        fade_in: f64, "fadeIn", optional;
        /// Seconds.
        fade_out: f64, "fadeOut", optional;
        /// 0 to 1.
        opacity: f64, "opacity", optional;
        /// Order of content inside the overlay.
        z_index: f64, "zIndex", optional;
        /// CSS transform list.
        transform: String, "transform", optional;
    }
}

record! {
    /// How a shape looks.
    #[derive(Default)]
    pub struct ShapeStyles {
        /// `fill` as in the specification.
        fill: String, "fill", optional;
        /// `stroke` as in the specification.
        stroke: String, "stroke", optional;
        /// `borderRadius` as in the specification.
        border_radius: String, "borderRadius", optional;
        /// `boxShadow` as in the specification.
        box_shadow: String, "boxShadow", optional;
        /// `gradient` as in the specification.
        gradient: String, "gradient", optional;
        /// CSS transform list.
        transform: String, "transform", optional;
        /// `strokeWidth` as in the specification.
        stroke_width: f64, "strokeWidth", optional;
        /// 0 to 1.
        opacity: f64, "opacity", optional;
        /// Order of content inside the overlay.
        z_index: f64, "zIndex", optional;
        /// `gradientTransition` as in the specification.
        gradient_transition: GradientTransition, "gradientTransition", optional;
        /// Enter, exit and during.
        animation: Animation, "animation", optional;
        /// Children one after another.
        staggered_motion: StaggeredMotion, "staggeredMotion", optional;
    }
}

record! {
    /// How a sticker looks.
    #[derive(Default)]
    pub struct StickerStyles {
        /// `fill` as in the specification.
        fill: String, "fill", optional;
        /// `stroke` as in the specification.
        stroke: String, "stroke", optional;
        /// `filter` as in the specification.
        filter: String, "filter", optional;
        /// CSS transform list.
        transform: String, "transform", optional;
        /// `strokeWidth` as in the specification.
        stroke_width: f64, "strokeWidth", optional;
        /// `scale` as in the specification.
        scale: f64, "scale", optional;
        /// 0 to 1.
        opacity: f64, "opacity", optional;
        /// Order of content inside the overlay.
        z_index: f64, "zIndex", optional;
        /// Enter, exit and during.
        animation: Animation, "animation", optional;
        /// Children one after another.
        staggered_motion: StaggeredMotion, "staggeredMotion", optional;
    }
}

record! {
    /// How the spoken word looks.
    #[derive(Default)]
    pub struct HighlightStyle {
        /// `backgroundColor` as in the specification.
        background_color: String, "backgroundColor", optional;
        /// `color` as in the specification.
        color: String, "color", optional;
        /// `textShadow` as in the specification.
        text_shadow: String, "textShadow", optional;
        /// `padding` as in the specification.
        padding: String, "padding", optional;
        /// `borderRadius` as in the specification.
        border_radius: String, "borderRadius", optional;
        /// `transition` as in the specification.
        transition: String, "transition", optional;
        /// `background` as in the specification.
        background: String, "background", optional;
        /// `border` as in the specification.
        border: String, "border", optional;
        /// `backdropFilter` as in the specification.
        backdrop_filter: String, "backdropFilter", optional;
        /// `scale` as in the specification.
        scale: f64, "scale", optional;
        /// `fontWeight` as in the specification.
        font_weight: f64, "fontWeight", optional;
    }
}

record! {
    /// How captions look.
    #[derive(Default)]
    pub struct CaptionStyles {
        /// `fontFamily` as in the specification.
        font_family: String, "fontFamily", optional;
        /// CSS size; px and unitless only for text.
        font_size: String, "fontSize", optional;
        /// `lineHeight` as in the specification.
        line_height: f64, "lineHeight", optional;
        /// `textAlign` as in the specification.
        text_align: TextAlign, "textAlign", optional;
        /// `color` as in the specification.
        color: String, "color", optional;
        /// `backgroundColor` as in the specification.
        background_color: String, "backgroundColor", optional;
        /// `background` as in the specification.
        background: String, "background", optional;
        /// `backdropFilter` as in the specification.
        backdrop_filter: String, "backdropFilter", optional;
        /// `padding` as in the specification.
        padding: String, "padding", optional;
        /// `letterSpacing` as in the specification.
        letter_spacing: String, "letterSpacing", optional;
        /// `textShadow` as in the specification.
        text_shadow: String, "textShadow", optional;
        /// `borderRadius` as in the specification.
        border_radius: String, "borderRadius", optional;
        /// `transition` as in the specification.
        transition: String, "transition", optional;
        /// `fontWeight` as in the specification.
        font_weight: NumberOrString, "fontWeight", optional;
        /// `highlightStyle` as in the specification.
        highlight_style: HighlightStyle, "highlightStyle", optional;
    }
}

record! {
    /// A scrolling column of images.
    pub struct Column {
        /// `images` as in the specification.
        images: Vec<String>, "images", optional;
        /// `speed` as in the specification.
        speed: f64, "speed", optional;
        /// `direction` as in the specification.
        direction: ScrollDirection, "direction", optional;
    }
}

record! {
    /// Parameters of an effect.
    #[derive(Default)]
    pub struct EffectStyles {
        /// `color` as in the specification.
        color: String, "color", optional;
        /// `matrixColor` as in the specification.
        matrix_color: String, "matrixColor", optional;
        /// `matrixCharset` as in the specification.
        matrix_charset: String, "matrixCharset", optional;
        /// CSS transform list.
        transform: String, "transform", optional;
        /// `particleCount` as in the specification.
        particle_count: f64, "particleCount", optional;
        /// `speed` as in the specification.
        speed: f64, "speed", optional;
        /// `size` as in the specification.
        size: f64, "size", optional;
        /// 0 to 1.
        opacity: f64, "opacity", optional;
        /// Order of content inside the overlay.
        z_index: f64, "zIndex", optional;
        /// `matrixFontSize` as in the specification.
        matrix_font_size: f64, "matrixFontSize", optional;
        /// `matrixDensity` as in the specification.
        matrix_density: f64, "matrixDensity", optional;
        /// `gridCols` as in the specification.
        grid_cols: f64, "gridCols", optional;
        /// `gridRows` as in the specification.
        grid_rows: f64, "gridRows", optional;
        /// `staggerDelay` as in the specification.
        stagger_delay: f64, "staggerDelay", optional;
        /// `animDuration` as in the specification.
        anim_duration: f64, "animDuration", optional;
        /// `columnGap` as in the specification.
        column_gap: f64, "columnGap", optional;
        /// `imageHeight` as in the specification.
        image_height: f64, "imageHeight", optional;
        /// `cellColors` as in the specification.
        cell_colors: Vec<String>, "cellColors", optional;
        /// `cellImages` as in the specification.
        cell_images: Vec<String>, "cellImages", optional;
        /// `staggerDir` as in the specification.
        stagger_dir: StaggerDirection, "staggerDir", optional;
        /// `columns` as in the specification.
        columns: Vec<Column>, "columns", optional;
        /// Children one after another.
        staggered_motion: StaggeredMotion, "staggeredMotion", optional;
    }
}
