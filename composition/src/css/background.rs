//! Backgrounds: a colour and gradients over it.

use super::math::size;
use super::tokens::{
    Basis, Input, Parsed, fills, in_any_order, keyword, refused, some, takes_comma, takes_slash,
    takes_word, whole,
};
use super::{Color, Gradient, Length, Position};

/// What is painted behind content.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Background {
    /// Under everything else.
    pub color: Option<Color>,
    /// Gradients, the front one first.
    pub layers: Vec<BackgroundLayer>,
    /// Where the colour is seen.
    pub clip: BackgroundClip,
}

/// One gradient of a background, perhaps tiled.
#[derive(Clone, Debug, PartialEq)]
pub struct BackgroundLayer {
    /// The picture.
    pub gradient: Gradient,
    /// Where the first tile sits in the box of `origin`; percentages are of what the tile leaves
    /// free there.
    pub position: Position,
    /// How large a tile is.
    pub size: BackgroundSize,
    /// How tiles repeat across and down.
    pub repeats: (Repeat, Repeat),
    /// The box that position and size refer to.
    pub origin: BackgroundOrigin,
    /// Where it is seen.
    pub clip: BackgroundClip,
}

/// How tiles of a background repeat in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeat {
    /// As often as the box needs, cut off at its edges.
    #[default]
    Tiles,
    /// There is only one.
    Once,
    /// As many as fit, resized so that none is cut off.
    Fitted,
    /// As many as fit, with equal gaps between them.
    Spaced,
}

/// How large a tile of a background is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum BackgroundSize {
    /// As large as the box of its origin.
    #[default]
    Whole,
    /// Width and height; what is left out is as large as the box of its origin.
    Lengths(Option<Length>, Option<Length>),
}

/// The box in which a background is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BackgroundOrigin {
    /// Up to the outer edge of the border.
    BorderBox,
    /// Up to the inner edge of the border.
    #[default]
    PaddingBox,
    /// Inside the padding.
    ContentBox,
}

/// Where a background is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BackgroundClip {
    /// Up to the outer edge of the border.
    #[default]
    BorderBox,
    /// Up to the inner edge of the border.
    PaddingBox,
    /// Inside the padding.
    ContentBox,
    /// Through the letters only.
    Text,
}

impl Background {
    /// Whether nothing is painted.
    pub fn is_empty(&self) -> bool {
        self.layers.is_empty() && self.color.is_none_or(|color| color.a <= 0.0)
    }

    /// Parses a CSS `background`, and puts `color` under it where it names none. Pictures are not
    /// fetched: a layer with one is a layer of nothing.
    pub fn parse(text: &str, color: Option<Color>, current: impl Into<Basis>) -> Option<Self> {
        let basis = current.into();
        whole(text, |input| {
            let mut background = Self::default();
            loop {
                let layer = Parts::take(input, basis)?;
                let is_last = !takes_comma(input);
                if layer.color.is_some() && !is_last {
                    return Err(refused(input));
                }
                let (origin, clip) = layer.boxes();
                background.layers.extend(layer.gradient(origin, clip));
                if is_last {
                    background.color = layer.color.or(color);
                    background.clip = clip;
                    return Ok(background);
                }
            }
        })
    }

    /// Parses a CSS `background-clip`.
    pub fn parse_clip(text: &str) -> Option<BackgroundClip> {
        whole(text, |input| keyword(input, &CLIPS))
    }

    /// The same background, seen only there.
    #[must_use]
    pub fn clipped(mut self, clip: BackgroundClip) -> Self {
        self.clip = clip;
        for layer in &mut self.layers {
            layer.clip = clip;
        }
        self
    }
}

const CLIPS: [(&str, BackgroundClip); 4] = [
    ("border-box", BackgroundClip::BorderBox),
    ("padding-box", BackgroundClip::PaddingBox),
    ("content-box", BackgroundClip::ContentBox),
    ("text", BackgroundClip::Text),
];

/// A layer as written: its parts come in any order.
#[derive(Default)]
struct Parts {
    image: Option<Option<Gradient>>,
    place: Option<(Position, Option<BackgroundSize>)>,
    repeats: Option<(Repeat, Repeat)>,
    attachment: Option<()>,
    first_box: Option<BackgroundClip>,
    second_box: Option<BackgroundClip>,
    color: Option<Color>,
}

impl Parts {
    fn take<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Self> {
        let mut parts = Self::default();
        let mut is_empty = true;
        in_any_order(input, |input| {
            let fits = fills(&mut parts.image, input, |input| image(input, basis))
                || fills(&mut parts.repeats, input, repeats)
                || fills(&mut parts.attachment, input, attachment)
                || fills(&mut parts.first_box, input, |input| keyword(input, &CLIPS))
                || fills(&mut parts.second_box, input, |input| keyword(input, &CLIPS))
                || fills(&mut parts.place, input, |input| place(input, basis))
                || fills(&mut parts.color, input, |input| Color::take(input, basis));
            is_empty &= !fits;
            fits
        });
        some(input, (!is_empty).then_some(parts))
    }

    /// One box is both, two are first the origin, then the clip; `text` is only ever a clip.
    fn boxes(&self) -> (BackgroundOrigin, BackgroundClip) {
        let origin = |named: BackgroundClip| match named {
            BackgroundClip::BorderBox => BackgroundOrigin::BorderBox,
            BackgroundClip::PaddingBox | BackgroundClip::Text => BackgroundOrigin::PaddingBox,
            BackgroundClip::ContentBox => BackgroundOrigin::ContentBox,
        };
        match (self.first_box, self.second_box) {
            (Some(BackgroundClip::Text), Some(other)) => (origin(other), BackgroundClip::Text),
            (Some(first), Some(second)) => (origin(first), second),
            (Some(both), None) => (origin(both), both),
            _ => Default::default(),
        }
    }

    fn gradient(&self, origin: BackgroundOrigin, clip: BackgroundClip) -> Option<BackgroundLayer> {
        let gradient = self.image.clone().flatten()?;
        let (position, size) = self.place.unwrap_or((Position::TOP_LEFT, None));
        Some(BackgroundLayer {
            gradient,
            position,
            size: size.unwrap_or_default(),
            repeats: self.repeats.unwrap_or_default(),
            origin,
            clip,
        })
    }
}

fn image<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Option<Gradient>> {
    if takes_word(input, "none") {
        return Ok(None);
    }
    if input
        .try_parse(|input| input.expect_url().map(drop))
        .is_ok()
    {
        return Ok(None);
    }
    Gradient::take(input, basis).map(Some)
}

fn repeats<'i>(input: &mut Input<'i, '_>) -> Parsed<'i, (Repeat, Repeat)> {
    const BOTH: [(&str, (Repeat, Repeat)); 2] = [
        ("repeat-x", (Repeat::Tiles, Repeat::Once)),
        ("repeat-y", (Repeat::Once, Repeat::Tiles)),
    ];
    const EACH: [(&str, Repeat); 4] = [
        ("repeat", Repeat::Tiles),
        ("no-repeat", Repeat::Once),
        ("round", Repeat::Fitted),
        ("space", Repeat::Spaced),
    ];
    if let Ok(both) = input.try_parse(|input| keyword(input, &BOTH)) {
        return Ok(both);
    }
    let across = keyword(input, &EACH)?;
    let down = input.try_parse(|input| keyword(input, &EACH));
    Ok((across, down.unwrap_or(across)))
}

fn attachment<'i>(input: &mut Input<'i, '_>) -> Parsed<'i, ()> {
    keyword(input, &[("scroll", ()), ("fixed", ()), ("local", ())])
}

fn place<'i>(
    input: &mut Input<'i, '_>,
    basis: Basis,
) -> Parsed<'i, (Position, Option<BackgroundSize>)> {
    let position = Position::take(input, basis, true)?;
    let size = if takes_slash(input) {
        Some(tile_size(input, basis)?)
    } else {
        None
    };
    Ok((position, size))
}

/// A gradient has no proportions of its own, so that `cover` and `contain` are the whole box.
fn tile_size<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, BackgroundSize> {
    if takes_word(input, "cover") || takes_word(input, "contain") {
        return Ok(BackgroundSize::Whole);
    }
    let side = |input: &mut Input<'i, '_>| {
        if takes_word(input, "auto") {
            Ok(None)
        } else {
            size(input, basis).map(Some)
        }
    };
    let width = side(input)?;
    let height = input.try_parse(side).unwrap_or(None);
    Ok(match (width, height) {
        (None, None) => BackgroundSize::Whole,
        (width, height) => BackgroundSize::Lengths(width, height),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<Background> {
        Background::parse(text, None, Color::BLACK)
    }

    #[test]
    fn layers_in_order_over_a_colour() {
        let background = parse(
            "linear-gradient(red, blue) 10px 20% / 50px auto no-repeat, url(a.png), none, \
             repeat-x radial-gradient(#fff, #000) content-box #ff0",
        )
        .expect("valid");
        assert_eq!(background.color, Color::parse("#ff0"));
        assert_eq!(background.clip, BackgroundClip::ContentBox);
        let [front, back] = background.layers.as_slice() else {
            panic!("{background:?}")
        };
        assert_eq!(front.position.x.px, 10.0);
        assert_eq!(front.repeats, (Repeat::Once, Repeat::Once));
        let width = Length {
            px: 50.0,
            share: 0.0,
        };
        assert_eq!(front.size, BackgroundSize::Lengths(Some(width), None));
        assert_eq!(back.repeats, (Repeat::Tiles, Repeat::Once));
        assert_eq!(back.origin, BackgroundOrigin::ContentBox);
        assert_eq!(back.position, Position::TOP_LEFT);
    }

    #[test]
    fn a_border_of_gradient_keeps_its_boxes() {
        let background =
            parse("linear-gradient(#fff, #fff) padding-box, linear-gradient(red, blue) border-box")
                .expect("valid");
        let boxes = |layer: &BackgroundLayer| (layer.origin, layer.clip);
        assert_eq!(
            background.layers.iter().map(boxes).collect::<Vec<_>>(),
            [
                (BackgroundOrigin::PaddingBox, BackgroundClip::PaddingBox),
                (BackgroundOrigin::BorderBox, BackgroundClip::BorderBox)
            ]
        );
    }

    #[test]
    fn text_is_a_clip() {
        let background = parse("linear-gradient(red, blue) text").expect("valid");
        assert_eq!(background.clip, BackgroundClip::Text);
        assert_eq!(background.layers[0].origin, BackgroundOrigin::PaddingBox);
        assert_eq!(Background::parse_clip(" TEXT "), Some(BackgroundClip::Text));
    }

    #[test]
    fn a_colour_stands_only_in_the_last_layer() {
        assert_eq!(parse("red, linear-gradient(red, blue)"), None);
        assert_eq!(parse("red blue"), None);
        assert_eq!(parse("linear-gradient(red, blue),"), None);
        assert_eq!(parse(""), None);
        assert!(parse("none").expect("valid").is_empty());
        let flat = Background::parse("none", Some(Color::WHITE), Color::BLACK).expect("valid");
        assert_eq!(flat.color, Some(Color::WHITE));
    }
}
