//! Configuration objects that several overlay types share.

use super::reader::{names, record};

record! {
    /// How an overlay comes, stays and goes.
    pub struct Animation {
        /// Enter preset.
        enter: String, "enter", optional;
        /// Exit preset.
        exit: String, "exit", optional;
        /// Seconds; 15 frames when omitted.
        enter_duration: f64, "enterDuration", optional;
        /// Seconds; 15 frames when omitted.
        exit_duration: f64, "exitDuration", optional;
        /// What it does all the while.
        during: During, "during", optional;
        /// Speed of `during`.
        during_speed: f64, "duringSpeed", default(1.0);
        /// Intensity of `during`.
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
    /// Children of an overlay that move one after another.
    pub struct StaggeredMotion {
        /// Whether it is on.
        enabled: bool, "enabled", optional;
        /// Frames between children.
        stagger: f64, "stagger", optional;
        /// Order of the children.
        stagger_direction: StaggerDirection, "staggerDirection", optional;
        /// Vertical offsets.
        y: Vec<f64>, "y", optional;
        /// Horizontal offsets.
        x: Vec<f64>, "x", optional;
        /// Scales.
        scale: Vec<f64>, "scale", optional;
        /// Opacities.
        opacity: Vec<f64>, "opacity", optional;
        /// Angles in degrees.
        rotate: Vec<f64>, "rotate", optional;
        /// Blur radii.
        blur: Vec<f64>, "blur", optional;
        /// Frames.
        duration: f64, "duration", optional;
        /// Frames.
        delay: f64, "delay", optional;
        /// Curve.
        easing: String, "easing", optional;
    }
}

record! {
    /// Colour thresholds of a greenscreen.
    pub struct Threshold {
        /// Red, 0 to 255.
        red: f64, "red", optional;
        /// Green, 0 to 255.
        green: f64, "green", optional;
        /// Blue, 0 to 255.
        blue: f64, "blue", optional;
    }
}

record! {
    /// Removes a background colour.
    pub struct Greenscreen {
        /// Whether it is on.
        enabled: bool, "enabled", required;
        /// 0 to 255; higher removes more.
        sensitivity: f64, "sensitivity", optional;
        /// Colour thresholds.
        threshold: Threshold, "threshold", optional;
        /// 0 to 10.
        smoothing: f64, "smoothing", optional;
        /// 0 to 1.
        spill: f64, "spill", optional;
    }
}

record! {
    /// A stretch of a source.
    pub struct MediaSegment {
        /// First source frame.
        start_frame: f64, "startFrame", required;
        /// The frame after the last.
        end_frame: f64, "endFrame", required;
        /// How fast it plays.
        speed: f64, "speed", optional;
    }
}

record! {
    /// Gradients that follow one another.
    pub struct GradientTransition {
        /// Whether it is on.
        enabled: bool, "enabled", optional;
        /// CSS gradients.
        gradients: Vec<String>, "gradients", optional;
        /// Frames.
        duration: f64, "duration", optional;
        /// Curve.
        easing: String, "easing", optional;
    }
}
