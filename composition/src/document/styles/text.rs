//! Styles of text overlays.

use crate::document::motion::{Animation, StaggeredMotion};
use crate::document::reader::{EasingText, names, record};

names! {
    /// Horizontal alignment of text.
    pub enum TextAlign {
        Left = "left",
        Center = "center",
        Right = "right",
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

record! {
    /// Text that moves in pieces and ends where it belongs. Without any of the arrays its letters rise by
    /// half an em and fade in. Its box stays where it is. Letters may leave the box while they move.
    pub struct AnimatedText {
        /// Whether it is on; off when omitted.
        enabled: bool, "enabled", optional;
        /// Which pieces move one by one, in reading order; `none` moves the text as a whole. `word` when
        /// omitted.
        split: Split, "split", optional;
        /// Frames from the start of one piece to the start of the next. When omitted 0.03 seconds for
        /// characters, 0.08 for words, 0.15 for lines.
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
        /// Pixels of displacement that a piece goes through: it is cut into bands that jump 30 times a
        /// second, with a red and a cyan ghost beside it. At 0 there is nothing of that.
        glitch: Vec<f64>, "glitch", optional;
        /// Frames that one piece moves; 0.6 seconds when omitted.
        duration: f64, "duration", optional;
        /// Frames before the first piece starts; 0 when omitted.
        delay: f64, "delay", optional;
        /// Easing: a CSS name, `cubic-bezier()`, `steps()`, `spring`, or a name like
        /// `easeOutCubic`, which it is when omitted.
        easing: EasingText, "easing", optional;
    }
}

record! {
    /// Text that is typed. It is laid out as a whole, so that no line jumps. Beside it, `animatedText` and
    /// `staggeredMotion` are without effect.
    pub struct TypeWriter {
        /// Whether it is on; off when omitted.
        enabled: bool, "enabled", optional;
        /// Whether a cursor stands behind the last letter, and blinks while nothing is typed; on when
        /// omitted.
        cursor: bool, "cursor", optional;
        /// Whether it starts again after the end; off when omitted.
        looped: bool, "loop", optional;
        /// Whether the text is deleted letter by letter in the end, before it is typed again if it is;
        /// off when omitted.
        delete_before_next: bool, "deleteBeforeNext", optional;
        /// Frames for each character that is typed or deleted; 0.05 seconds when omitted.
        type_speed: f64, "typeSpeed", optional;
        /// Share of characters first typed wrong and then corrected, 0 to 1; 0 when omitted. The same
        /// characters go wrong in every render.
        error_rate: f64, "errorRate", optional;
        /// Frames for each blink of the cursor, on and off; 1 second when omitted. At 0 it does not blink.
        blink_speed: f64, "blinkSpeed", optional;
        /// Frames to wait after the last character; 1 second when omitted.
        pause_after_type: f64, "pauseAfterType", optional;
        /// Frames to wait after the text is deleted; half a second when omitted.
        pause_after_delete: f64, "pauseAfterDelete", optional;
    }
}

record! {
    /// A number that runs from one value to another. It is shown in place of `content`, whose own number
    /// only says how thousands and decimals are set apart: `1,000` or `1.000,00` groups them so, any
    /// other text not at all. Its size is that of the longest number.
    pub struct CounterMode {
        /// Whether it is on; off when omitted.
        enabled: bool, "enabled", optional;
        /// Number at the start; 0 when omitted.
        from: f64, "from", optional;
        /// Number at the end; the first one in `content` when omitted.
        to: f64, "to", optional;
        /// Decimals to show, 0 to 20; as many as `from` and `to` have when omitted.
        to_fixed: f64, "toFixed", optional;
        /// Frames from the first number to the last; when omitted 2 seconds, or the life of the overlay if
        /// that is shorter.
        duration: f64, "duration", optional;
        /// Text before the number, as in `$`.
        prefix: String, "prefix", optional;
        /// Text after the number, as in `%`.
        postfix: String, "postfix", optional;
        /// Easing: a CSS name, `cubic-bezier()`, `steps()`, `spring`, or a name like
        /// `easeOutCubic`, which it is when omitted.
        easing: EasingText, "easing", optional;
    }
}

record! {
    /// Highlighted code: in JetBrains Mono on a panel of its own, unless the styles say otherwise. Lines
    /// never wrap; tabs are four spaces wide.
    pub struct CodeBlock {
        /// Whether it is on; off when omitted.
        enabled: bool, "enabled", optional;
        /// Programming language to highlight, by its name or its usual file ending, as in `rust`, `tsx` or
        /// `py`. What is not known is shown in one colour.
        language: String, "language", optional;
        /// Colours on a dark or on a light ground; `dark` when omitted.
        theme: CodeTheme, "theme", optional;
        /// Whether lines are numbered; off when omitted.
        show_line_numbers: bool, "showLineNumbers", optional;
        /// Frames from the appearance of one line to the next; all lines are there at once when omitted
        /// or 0.
        line_stagger: f64, "lineStagger", optional;
        /// Upper bound of the size of the letters in pixels; fitted to the box when omitted.
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
        /// CSS border of the top side, in place of `border`.
        border_top: String, "borderTop", optional;
        /// CSS border of the right side, in place of `border`.
        border_right: String, "borderRight", optional;
        /// CSS border of the bottom side, in place of `border`.
        border_bottom: String, "borderBottom", optional;
        /// CSS border of the left side, in place of `border`.
        border_left: String, "borderLeft", optional;
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
        /// Moves the words one after another, or the lines of code. Without effect beside `animatedText`.
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
