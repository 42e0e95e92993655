//! Text that is source code.

use crate::document::{CodeTheme, TextAlign, TextStyles};
use crate::geometry::Size;

/// How code is highlighted.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeStyle {
    /// As the document names it.
    pub language: String,
    /// Colours for a dark or for a light ground.
    pub theme: CodeTheme,
    /// Whether lines are numbered.
    pub has_numbers: bool,
}

impl CodeStyle {
    /// What a text's styles say, if it is code.
    pub(super) fn of(styles: &TextStyles) -> Option<Self> {
        let code = (styles.code_block.as_ref()).filter(|code| code.enabled == Some(true))?;
        Some(Self {
            language: code.language.clone().unwrap_or_default(),
            theme: code.theme.unwrap_or(CodeTheme::Dark),
            has_numbers: code.show_line_numbers == Some(true),
        })
    }

    /// The styles of a text that is code: what they leave open is as code is usually shown.
    pub(super) fn styles(&self, styles: &TextStyles, size: Size) -> TextStyles {
        let mut styles = styles.clone();
        let (ink, ground) = match self.theme {
            CodeTheme::Dark => ("#e3e7f2", "#191e2e"),
            CodeTheme::Light => ("#2b3145", "#f6f7fb"),
        };
        let share = |share: f32, most: f32| {
            let length = size.width.min(size.height) * share;
            Some(format!("{}px", length.min(most).round()))
        };
        let fill = |value: &mut Option<String>, own: Option<String>| {
            if value.is_none() {
                *value = own;
            }
        };
        let has_ground = styles.background.is_some()
            || styles.background_color.is_some()
            || styles.padding_background_color.is_some();
        if !has_ground {
            styles.background_color = Some(ground.into());
            fill(&mut styles.border_radius, share(0.05, 24.0));
        }
        fill(&mut styles.padding, share(0.07, 48.0));
        fill(&mut styles.color, Some(ink.into()));
        fill(&mut styles.font_family, Some("JetBrains Mono".into()));
        fill(&mut styles.line_height, Some("1.5".into()));
        let code_size = styles.code_block.as_ref().and_then(|code| code.font_size);
        if let Some(pixels) = code_size.filter(|pixels| *pixels > 0.0) {
            styles.font_size = Some(format!("{pixels}px"));
        }
        styles.text_align = Some(TextAlign::Left);
        styles.text_transform = None;
        styles
    }
}

/// Code as it is laid out: with spaces for tabs.
pub(super) fn untabbed(code: &str) -> String {
    const TAB: &str = "    ";
    code.replace('\t', TAB)
}
