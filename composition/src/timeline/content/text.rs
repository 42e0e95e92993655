//! Text overlays.

use super::code::{CodeStyle, untabbed};
use super::parse::{
    background, border_with_sides, box_shadows, color, families, filters, padding_in, radii_in,
    text_shadows,
};
use super::style::{BoxStyle, Effects, TextStyle};
use super::{DEFAULT_LINE_HEIGHT, DEFAULT_WEIGHT};
use crate::css::{
    Background, Basis, Color, LetterSpacing, TextDecoration, TextTransform, font_weight,
    is_slanted, line_height, text_font_size,
};
use crate::document::{Text, TextAlign, TextStyles};
use crate::geometry::Size;

/// A text overlay.
#[derive(Clone, Debug, PartialEq)]
pub struct TextBlock {
    /// The words, in the case that the style asks for.
    pub text: String,
    /// How they are set.
    pub style: TextStyle,
    /// Their box.
    pub frame: BoxStyle,
    /// Size of the box.
    pub size: Size,
    /// How its words are highlighted, where they are code.
    pub code: Option<CodeStyle>,
    /// The longest number that stands in place of the words: it decides how large they are.
    pub number: Option<String>,
}

impl TextBlock {
    pub(crate) fn new(text: &Text, size: Size) -> Self {
        let code = CodeStyle::of(&text.styles);
        let styles = match &code {
            Some(code) => &code.styles(&text.styles, size),
            None => &text.styles,
        };
        let ink = color(styles.color.as_ref(), Color::BLACK).unwrap_or(Color::BLACK);
        let fill = color(styles.webkit_text_fill_color.as_ref(), ink).unwrap_or(ink);
        let font_size = text_font_size(
            styles.font_size.as_deref(),
            styles.font_size_scale,
            styles.font_size_fixed == Some(true),
        );
        let basis = Basis {
            current: ink,
            em: font_size.limit(),
        };
        let case = styles
            .text_transform
            .as_ref()
            .and_then(|text| TextTransform::parse(text))
            .unwrap_or(TextTransform::None);
        Self {
            text: match &code {
                Some(_) => untabbed(&text.content),
                None => case.apply(&text.content),
            },
            style: TextStyle {
                families: families(styles.font_family.as_ref()),
                weight: styles
                    .font_weight
                    .as_ref()
                    .and_then(|weight| font_weight(weight))
                    .unwrap_or(DEFAULT_WEIGHT),
                italic: styles
                    .font_style
                    .as_ref()
                    .and_then(|style| is_slanted(style))
                    .unwrap_or(false),
                size: font_size,
                line_height: styles
                    .line_height
                    .as_ref()
                    .and_then(|height| line_height(height))
                    .unwrap_or(DEFAULT_LINE_HEIGHT),
                letter_spacing: styles
                    .letter_spacing
                    .as_ref()
                    .and_then(|spacing| LetterSpacing::parse(spacing))
                    .unwrap_or_default(),
                align: styles.text_align.unwrap_or(TextAlign::Center),
                color: fill,
                // A line without a colour of its own has that of the letters' fill; a shadow has
                // that of the text.
                decoration: styles.text_decoration.as_ref().and_then(|text| {
                    let basis = Basis {
                        current: fill,
                        ..basis
                    };
                    TextDecoration::parse(text, basis)
                }),
                shadows: text_shadows(styles.text_shadow.as_ref(), basis),
            },
            frame: Self::frame(styles, basis),
            size,
            code,
            number: None,
        }
    }

    fn frame(styles: &TextStyles, basis: Basis) -> BoxStyle {
        let flat = styles
            .background_color
            .as_ref()
            .or(styles.padding_background_color.as_ref());
        let painted = background(styles.background.as_ref(), flat, basis);
        let clip = styles
            .webkit_background_clip
            .as_ref()
            .and_then(|text| Background::parse_clip(text));
        BoxStyle {
            background: match clip {
                Some(clip) => painted.clipped(clip),
                None => painted,
            },
            border: border_with_sides(
                styles.border.as_ref(),
                [
                    styles.border_top.as_ref(),
                    styles.border_right.as_ref(),
                    styles.border_bottom.as_ref(),
                    styles.border_left.as_ref(),
                ],
                basis,
            ),
            radii: radii_in(styles.border_radius.as_ref(), basis),
            shadows: box_shadows(styles.box_shadow.as_ref(), basis),
            padding: padding_in(styles.padding.as_ref(), basis),
        }
    }

    pub(crate) fn effects(text: &Text) -> Effects {
        Effects {
            backdrop: filters(text.styles.backdrop_filter.as_ref(), Color::BLACK),
            ..Effects::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::css::BackgroundClip;
    use crate::document::{Composition, OverlayKind};

    fn block(styles: &Value) -> TextBlock {
        let document = json!({ "durationInFrames": 1, "overlays": [{
            "id": 1, "type": "text", "content": "don't stop", "from": 0, "durationInFrames": 1,
            "row": 0, "left": 0, "top": 0, "width": 100, "height": 50, "styles": styles }] });
        let (composition, _) = Composition::from_json(&document).expect("valid");
        let OverlayKind::Text(text) = &composition.overlays[0].kind else {
            panic!("text")
        };
        let size = Size {
            width: 100.0,
            height: 50.0,
        };
        TextBlock::new(text, size)
    }

    #[test]
    fn relative_values_follow_the_text() {
        let block = block(&json!({
            "fontSize": "40px", "color": "red", "padding": "0.5em", "border": "0.1em solid",
            "textShadow": "1px 1px", "textDecoration": "underline", "WebkitTextFillColor": "blue",
            "textTransform": "capitalize", "fontStyle": "oblique 12deg", "lineHeight": "normal",
        }));
        let color = |text: &str| Color::parse(text).expect(text);
        assert_eq!(block.frame.padding.top.px, 20.0);
        assert_eq!(block.frame.border.left.width, 4.0);
        assert_eq!(block.frame.border.left.color, color("red"));
        assert_eq!(block.style.shadows[0].color, color("red"));
        assert_eq!(block.style.color, color("blue"));
        let decoration = block.style.decoration.expect("a line");
        assert_eq!(decoration.color, color("blue"));
        assert_eq!(block.text, "Don't Stop");
        assert!(block.style.italic);
    }

    #[test]
    fn the_background_takes_its_colour_and_clip_from_several_styles() {
        let styles = json!({ "paddingBackgroundColor": "#0f0", "background": "linear-gradient(red, blue)",
            "WebkitBackgroundClip": "text" });
        let background = block(&styles).frame.background;
        assert_eq!(background.color, Color::parse("#0f0"));
        assert_eq!(background.clip, BackgroundClip::Text);
        assert_eq!(background.layers[0].clip, BackgroundClip::Text);
        let styles = json!({ "paddingBackgroundColor": "#0f0", "backgroundColor": "#00f" });
        assert_eq!(block(&styles).frame.background.color, Color::parse("#00f"));
    }

    #[test]
    fn a_side_overrides_the_border() {
        let styles = json!({ "border": "2px solid red", "borderLeft": "8px dotted blue", "borderTop": "none",
            "borderRight": "nonsense" });
        let widths = block(&styles).frame.border.widths();
        assert_eq!(widths, [0.0, 2.0, 2.0, 8.0]);
    }
}
