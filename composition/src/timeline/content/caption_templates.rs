//! Ready-made looks of captions: styles under those that a document names itself.

use crate::document::{CaptionStyles, HighlightStyle, NumberOrString};
use crate::geometry::Size;

/// A look. Lengths are in em, so that it suits every canvas.
pub(super) struct Template {
    styles: CaptionStyles,
    /// Whether letters slant.
    pub(super) is_slanted: bool,
    /// Factor on the size that suits the box.
    size: f32,
}

/// What a look says about words, and about the spoken one.
struct Look {
    family: &'static str,
    weight: f64,
    size: f32,
    color: &'static str,
    shadow: &'static str,
    spacing: &'static str,
    line_height: f64,
    is_slanted: bool,
    spoken: Spoken,
}

#[derive(Default)]
struct Spoken {
    color: &'static str,
    background: &'static str,
    padding: &'static str,
    radius: &'static str,
    border: &'static str,
    shadow: &'static str,
    weight: Option<f64>,
    scale: Option<f64>,
}

/// The look of this name, in whatever case; `None` where there is none.
pub(super) fn template(name: &str) -> Option<Template> {
    let look = match name.trim().to_ascii_lowercase().as_str() {
        "classic" => Look {
            weight: 700.0,
            shadow: "0 0.04em 0.14em rgba(0,0,0,.8), 0 0 0.03em rgba(0,0,0,.9)",
            spoken: Spoken {
                color: "#ffd60a",
                ..Spoken::default()
            },
            ..PLAIN
        },
        "hustle" => Look {
            family: "Montserrat",
            weight: 900.0,
            size: 1.15,
            shadow: "0.045em 0.045em 0 #000, -0.045em 0.045em 0 #000, 0.045em -0.045em 0 #000, \
                     -0.045em -0.045em 0 #000, 0 0.1em 0.12em rgba(0,0,0,.7)",
            spacing: "-0.01em",
            line_height: 1.15,
            spoken: Spoken {
                color: "#ffe600",
                scale: Some(1.12),
                ..Spoken::default()
            },
            ..PLAIN
        },
        "medusa" => Look {
            family: "Montserrat",
            weight: 800.0,
            color: "#f2fff8",
            shadow: "0 0.05em 0.2em rgba(0,32,24,.8)",
            spoken: Spoken {
                color: "#ffffff",
                background: "linear-gradient(135deg, #00b386, #6d28d9)",
                padding: "0.02em 0.22em",
                radius: "0.24em",
                shadow: "none",
                ..Spoken::default()
            },
            ..PLAIN
        },
        "minimal" => Look {
            weight: 500.0,
            size: 0.72,
            color: "rgba(255,255,255,.7)",
            shadow: "0 0.03em 0.16em rgba(0,0,0,.55)",
            line_height: 1.35,
            spoken: Spoken {
                color: "#ffffff",
                ..Spoken::default()
            },
            ..PLAIN
        },
        "neon" => Look {
            family: "Montserrat",
            weight: 700.0,
            color: "#e6fdff",
            shadow: "0 0 0.06em #fff, 0 0 0.2em #00e5ff, 0 0 0.5em #00b8d4",
            spacing: "0.01em",
            spoken: Spoken {
                color: "#fff0fb",
                shadow: "0 0 0.06em #fff, 0 0 0.2em #ff2bd6, 0 0 0.5em #ff00aa, 0 0 0.9em #d500f9",
                ..Spoken::default()
            },
            ..PLAIN
        },
        "handwritten" => Look {
            family: "Lato",
            weight: 500.0,
            size: 1.05,
            color: "#fffaf0",
            shadow: "0 0.03em 0.12em rgba(0,0,0,.75)",
            is_slanted: true,
            spoken: Spoken {
                color: "#221a05",
                background: "linear-gradient(178deg, rgba(255,221,77,0) 14%, #ffdd4d 16%, #ffdd4d 86%, \
                             rgba(255,221,77,0) 88%)",
                padding: "0 0.14em",
                radius: "0.3em 0.1em 0.35em 0.12em",
                shadow: "none",
                ..Spoken::default()
            },
            ..PLAIN
        },
        "retro" => Look {
            family: "JetBrains Mono",
            weight: 800.0,
            size: 0.9,
            color: "#ffe8c2",
            shadow: "0.05em 0.05em 0 #c2410c, 0.1em 0.1em 0 #431407",
            spacing: "-0.02em",
            spoken: Spoken {
                color: "#5eead4",
                shadow: "0.05em 0.05em 0 #0f766e, 0.1em 0.1em 0 #042f2e",
                ..Spoken::default()
            },
            ..PLAIN
        },
        "cinematic" => Look {
            family: "Noto Serif",
            weight: 400.0,
            size: 0.8,
            color: "#f5efe0",
            shadow: "0 0.05em 0.25em rgba(0,0,0,.9)",
            spacing: "0.06em",
            line_height: 1.4,
            spoken: Spoken {
                color: "#e9c46a",
                ..Spoken::default()
            },
            ..PLAIN
        },
        "gradient" => Look {
            weight: 800.0,
            shadow: "0 0.04em 0.16em rgba(0,0,0,.7)",
            spoken: Spoken {
                color: "#ffffff",
                background: "linear-gradient(90deg, #ff0080, #ff8c00)",
                padding: "0.03em 0.3em",
                radius: "0.7em",
                shadow: "0 0.03em 0.08em rgba(90,0,40,.5)",
                ..Spoken::default()
            },
            ..PLAIN
        },
        "future" => Look {
            family: "JetBrains Mono",
            weight: 500.0,
            size: 0.85,
            color: "#d7f9ff",
            shadow: "0 0 0.12em rgba(0,12,24,.9), 0 0 0.3em rgba(0,12,24,.6)",
            spoken: Spoken {
                color: "#ffffff",
                background: "rgba(8,51,68,.72)",
                padding: "0 0.2em",
                radius: "0.1em",
                border: "0.05em solid #22d3ee",
                shadow: "0 0 0.25em #22d3ee",
                weight: Some(700.0),
                ..Spoken::default()
            },
            ..PLAIN
        },
        _ => return None,
    };
    Some(look.template())
}

const PLAIN: Look = Look {
    family: "Inter",
    weight: 400.0,
    size: 1.0,
    color: "#ffffff",
    shadow: "",
    spacing: "",
    line_height: 1.25,
    is_slanted: false,
    spoken: Spoken {
        color: "",
        background: "",
        padding: "",
        radius: "",
        border: "",
        shadow: "",
        weight: None,
        scale: None,
    },
};

impl Look {
    fn template(self) -> Template {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let spoken = &self.spoken;
        let highlight = HighlightStyle {
            color: text(spoken.color),
            background: text(spoken.background),
            padding: text(spoken.padding),
            border_radius: text(spoken.radius),
            border: text(spoken.border),
            text_shadow: text(spoken.shadow),
            font_weight: spoken.weight,
            scale: spoken.scale,
            ..HighlightStyle::default()
        };
        Template {
            is_slanted: self.is_slanted,
            size: self.size,
            styles: CaptionStyles {
                font_family: text(self.family),
                font_weight: Some(NumberOrString::Number(self.weight)),
                color: text(self.color),
                text_shadow: text(self.shadow),
                letter_spacing: text(self.spacing),
                line_height: Some(self.line_height),
                highlight_style: Some(highlight),
                ..CaptionStyles::default()
            },
        }
    }
}

impl Template {
    /// Styles of a document with this look under them, field by field.
    pub(super) fn under(self, own: &CaptionStyles, size: Size) -> CaptionStyles {
        // Two lines fill most of the box.
        let suits = (size.width * 0.09).min(size.height * 0.36) * self.size;
        let base = self.styles;
        let own_highlight = own.highlight_style.clone().unwrap_or_default();
        let base_highlight = base.highlight_style.unwrap_or_default();
        // A colour of the document's own is not hidden under a picture of the look.
        let hides = |own: &Option<String>| own.is_some();
        let highlight = HighlightStyle {
            background: own_highlight.background.clone().or(base_highlight
                .background
                .filter(|_| !hides(&own_highlight.background_color))),
            background_color: own_highlight
                .background_color
                .or(base_highlight.background_color),
            color: own_highlight.color.or(base_highlight.color),
            text_shadow: own_highlight.text_shadow.or(base_highlight.text_shadow),
            padding: own_highlight.padding.or(base_highlight.padding),
            border_radius: own_highlight.border_radius.or(base_highlight.border_radius),
            transition: own_highlight.transition,
            border: own_highlight.border.or(base_highlight.border),
            backdrop_filter: own_highlight.backdrop_filter,
            scale: own_highlight.scale.or(base_highlight.scale),
            font_weight: own_highlight.font_weight.or(base_highlight.font_weight),
        };
        CaptionStyles {
            font_family: own.font_family.clone().or(base.font_family),
            font_size: own.font_size.clone().or(Some(format!("{suits}px"))),
            line_height: own.line_height.or(base.line_height),
            color: own.color.clone().or(base.color),
            letter_spacing: own.letter_spacing.clone().or(base.letter_spacing),
            text_shadow: own.text_shadow.clone().or(base.text_shadow),
            font_weight: own.font_weight.clone().or(base.font_weight),
            highlight_style: Some(highlight),
            ..own.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 10] = [
        "classic",
        "hustle",
        "medusa",
        "minimal",
        "neon",
        "handwritten",
        "retro",
        "cinematic",
        "gradient",
        "future",
    ];
    const BOX: Size = Size {
        width: 1600.0,
        height: 240.0,
    };

    #[test]
    fn every_look_is_its_own() {
        let looks = NAMES.map(|name| {
            let template = template(name).expect(name);
            template.under(&CaptionStyles::default(), BOX)
        });
        for (index, look) in looks.iter().enumerate() {
            assert!(looks[..index].iter().all(|other| other != look));
        }
        assert!(template("Classic").is_some());
        assert!(template("unheard of").is_none());
    }

    #[test]
    fn what_a_document_says_wins_field_by_field() {
        let own = CaptionStyles {
            color: Some("red".into()),
            font_size: Some("20px".into()),
            highlight_style: Some(HighlightStyle {
                background_color: Some("blue".into()),
                ..HighlightStyle::default()
            }),
            ..CaptionStyles::default()
        };
        let styles = template("gradient").expect("there").under(&own, BOX);
        assert_eq!(styles.color.as_deref(), Some("red"));
        assert_eq!(styles.font_size.as_deref(), Some("20px"));
        assert_eq!(styles.font_family.as_deref(), Some("Inter"));
        let highlight = styles.highlight_style.expect("there");
        assert_eq!(highlight.background, None, "it would hide the colour");
        assert_eq!(highlight.background_color.as_deref(), Some("blue"));
        assert_eq!(highlight.color.as_deref(), Some("#ffffff"));
    }

    #[test]
    fn letters_suit_the_box() {
        let size = |width, height| {
            let styles = template("classic")
                .expect("there")
                .under(&CaptionStyles::default(), Size { width, height });
            styles.font_size
        };
        assert_eq!(size(1600.0, 200.0).as_deref(), Some("72px"));
        assert_eq!(size(1000.0, 900.0).as_deref(), Some("90px"));
    }
}
