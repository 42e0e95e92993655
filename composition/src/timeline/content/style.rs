//! Styles that several kinds of content have in common, parsed.

use crate::css::{
    Background, Border, ClipPath, Color, CornerRadii, Filter, FontSize, LetterSpacing, LineHeight,
    Shadow, Sides, TextDecoration,
};
use crate::document::TextAlign;

/// How text is set.
#[derive(Clone, Debug, PartialEq)]
pub struct TextStyle {
    /// Families in order of preference.
    pub families: Vec<String>,
    /// 1 to 1000.
    pub weight: u16,
    /// Whether it slants.
    pub italic: bool,
    /// How large.
    pub size: FontSize,
    /// From baseline to baseline.
    pub line_height: LineHeight,
    /// Between letters.
    pub letter_spacing: LetterSpacing,
    /// Left, centre or right.
    pub align: TextAlign,
    /// Fill of the letters.
    pub color: Color,
    /// Lines on the text.
    pub decoration: Option<TextDecoration>,
    /// Shadows, the front one first.
    pub shadows: Vec<Shadow>,
}

/// The box behind content.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoxStyle {
    /// What fills it.
    pub background: Background,
    /// Its border, inside the box.
    pub border: Border,
    /// Corners of its outer edge.
    pub radii: CornerRadii,
    /// Shadows, the front one first.
    pub shadows: Vec<Shadow>,
    /// Space between border and content.
    pub padding: Sides,
}

/// What happens to a whole box once it is painted: filter, then clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effects {
    /// On the box and its content.
    pub filter: Vec<Filter>,
    /// On what lies behind the box, inside its outer edge.
    pub backdrop: Vec<Filter>,
    /// What may be seen of it.
    pub clip_path: Option<ClipPath>,
}
