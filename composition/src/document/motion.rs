//! Configuration objects that several overlay types share.

use super::reader::{EasingText, names, record};
use crate::timeline::preset_spellings;

record! {
    /// How an overlay enters, moves and leaves.
    pub struct Animation("AnimationConfig") {
        /// Preset with which the overlay appears, in the axes of its box.
        enter: String, "enter", optional, one_of(preset_spellings());
        /// Preset with which it goes: the way that it would have come with it. What slides, rolls,
        /// spins or wipes goes on in the direction of its name, so `slideLeft` leaves to the left.
        exit: String, "exit", optional, one_of(preset_spellings());
        /// Seconds of the enter preset; 15 frames when omitted, none when 0 or less.
        enter_duration: f64, "enterDuration", optional;
        /// Seconds of the exit preset; 15 frames when omitted, none when 0 or less.
        exit_duration: f64, "exitDuration", optional;
        /// Movement across the whole life of a text, image, video or shape overlay. The first five
        /// names happen once, the others repeat.
        during: During, "during", optional;
        /// Factor on the speed of `during`. A movement that happens once then ends early and holds.
        during_speed: f64, "duringSpeed", default(1.0);
        /// Factor on the strength of `during`.
        during_intensity: f64, "duringIntensity", default(1.0);
    }
}

names! {
    /// Animations that run across an overlay's whole life.
    pub enum During {
        KenBurnsIn = "ken-burns-in",
        KenBurnsOut = "ken-burns-out",
        PanLeft = "pan-left",
        PanRight = "pan-right",
        DriftDiagonal = "drift-diagonal",
        Pulse = "pulse",
        Float = "float",
        Sway = "sway",
        Breathe = "breathe",
        Spin = "spin",
    }
}

names! {
    /// The order in which children start.
    pub enum StaggerDirection {
        Forward = "forward",
        Reverse = "reverse",
        Center = "center",
        Random = "random",
    }
}

record! {
    /// Parts of an overlay that move one after another. An image, video, shape or sticker is one part
    /// and moves as a whole. Values are spread evenly over the movement; one value alone leads from
    /// there to where the part belongs.
    pub struct StaggeredMotion("StaggeredMotionConfig") {
        /// Whether it is on; off when omitted.
        enabled: bool, "enabled", optional;
        /// Frames from the start of one part to the start of the next; 0.1 seconds when omitted.
        stagger: f64, "stagger", optional;
        /// Order in which the parts start; `forward` when omitted.
        stagger_direction: StaggerDirection, "staggerDirection", optional;
        /// Vertical offsets in pixels that a part moves through, as in `[40, 0]`.
        y: Vec<f64>, "y", optional;
        /// Horizontal offsets in pixels that a part moves through.
        x: Vec<f64>, "x", optional;
        /// Scale factors that a part goes through.
        scale: Vec<f64>, "scale", optional;
        /// Opacities from 0 to 1 that a part goes through.
        opacity: Vec<f64>, "opacity", optional;
        /// Angles in degrees that a part turns through.
        rotate: Vec<f64>, "rotate", optional;
        /// Blur radii in pixels that a part goes through.
        blur: Vec<f64>, "blur", optional;
        /// Frames that one part moves; 0.6 seconds when omitted.
        duration: f64, "duration", optional;
        /// Frames before the first part starts; 0 when omitted.
        delay: f64, "delay", optional;
        /// Easing: a CSS name, `cubic-bezier()`, `steps()`, `spring`, or a name like
        /// `easeOutCubic`, which it is when omitted.
        easing: EasingText, "easing", optional;
    }
}

record! {
    /// A colour by its parts.
    pub struct Threshold("GreenscreenThreshold") {
        /// Red, 0 to 255.
        red: f64, "red", optional;
        /// Green, 0 to 255.
        green: f64, "green", optional;
        /// Blue, 0 to 255.
        blue: f64, "blue", optional;
    }
}

record! {
    /// Makes a colour of a picture see-through.
    pub struct Greenscreen("GreenscreenConfig") {
        /// Whether the colour is removed.
        enabled: bool, "enabled", required;
        /// From 0 to 255; a higher value removes more.
        sensitivity: f64, "sensitivity", optional;
        /// The colour to remove.
        threshold: Threshold, "threshold", optional;
        /// Softness of the edge, 0 to 10.
        smoothing: f64, "smoothing", optional;
        /// How much of the colour is taken out of what remains, 0 to 1.
        spill: f64, "spill", optional;
    }
}

record! {
    /// A stretch of a source.
    pub struct MediaSegment("OverlayMediaSegment") {
        /// First frame of the source to play, counted from its beginning in frames of its own rate.
        start_frame: f64, "startFrame", required;
        /// The frame of the source after the last one to play.
        end_frame: f64, "endFrame", required;
        /// Speed of this stretch, 0.1 to 10; that of the overlay when omitted.
        speed: f64, "speed", optional;
    }
}

record! {
    /// Gradients of a shape that fade one into the next, from the first to the last, which then stays.
    pub struct GradientTransition("GradientTransitionConfig") {
        /// Whether it is on; off when omitted.
        enabled: bool, "enabled", optional;
        /// CSS gradients, each fading into the next, in place of `gradient` and `fill`. What is no gradient is left out;
        /// one alone stays, and without any the shape keeps its own fill.
        gradients: Vec<String>, "gradients", optional;
        /// Frames from the first gradient to the last; the overlay's whole life when omitted.
        duration: f64, "duration", optional;
        /// Easing of the whole way, `ease-in-out` when omitted: a CSS name, `cubic-bezier()`, `steps()`, `spring`, or a name like
        /// `easeOutCubic`.
        easing: EasingText, "easing", optional;
    }
}
