//! Positions inside a box, as of `object-position` and gradient centres.

use super::Length;
use super::math::length_percentage;
use super::tokens::{Basis, Input, Parsed, keyword, some, whole};

/// A point relative to a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    /// From the left.
    pub x: Length,
    /// From the top.
    pub y: Length,
}

/// A word or a length of a position.
#[derive(Clone, Copy)]
enum Part {
    Across { far: bool },
    Down { far: bool },
    Center,
    At(Length),
}

const HALF: Length = Length {
    px: 0.0,
    share: 0.5,
};

impl Position {
    /// The middle of the box.
    pub const CENTER: Self = Self { x: HALF, y: HALF };

    /// The top left corner of the box.
    pub const TOP_LEFT: Self = Self {
        x: Length {
            px: 0.0,
            share: 0.0,
        },
        y: Length {
            px: 0.0,
            share: 0.0,
        },
    };

    /// The point on a box of this size.
    pub fn on_box(&self, width: f32, height: f32) -> (f32, f32) {
        (self.x.resolve(width), self.y.resolve(height))
    }

    /// Parses a CSS `<position>`.
    pub fn parse(text: &str) -> Option<Self> {
        whole(text, |input| Self::take(input, Basis::default(), false))
    }

    /// The position that comes next; one of three parts only where `background` stands.
    pub(super) fn take<'i>(
        input: &mut Input<'i, '_>,
        basis: Basis,
        takes_three: bool,
    ) -> Parsed<'i, Self> {
        let mut parts = vec![part(input, basis)?];
        while parts.len() < 4
            && let Ok(next) = input.try_parse(|input| part(input, basis))
        {
            parts.push(next);
        }
        some(input, from_parts(&parts, takes_three))
    }
}

fn part<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Part> {
    const WORDS: [(&str, Part); 5] = [
        ("left", Part::Across { far: false }),
        ("right", Part::Across { far: true }),
        ("top", Part::Down { far: false }),
        ("bottom", Part::Down { far: true }),
        ("center", Part::Center),
    ];
    input
        .try_parse(|input| keyword(input, &WORDS))
        .or_else(|_| length_percentage(input, basis).map(Part::At))
}

fn from_parts(parts: &[Part], takes_three: bool) -> Option<Position> {
    use Part::{Across, At, Center, Down};
    let edge = |far: bool| Length {
        px: 0.0,
        share: if far { 1.0 } else { 0.0 },
    };
    match *parts {
        [Across { far }] => Some((edge(far), HALF)),
        [Down { far }] => Some((HALF, edge(far))),
        [Center] => Some((HALF, HALF)),
        [At(x)] => Some((x, HALF)),
        [first, second] => {
            let across = |part| match part {
                Across { far } => Some(edge(far)),
                Center => Some(HALF),
                At(at) => Some(at),
                Down { .. } => None,
            };
            let down = |part| match part {
                Down { far } => Some(edge(far)),
                Center => Some(HALF),
                At(at) => Some(at),
                Across { .. } => None,
            };
            let are_words = !matches!(first, At(_)) && !matches!(second, At(_));
            across(first).zip(down(second)).or_else(|| {
                if are_words {
                    across(second).zip(down(first))
                } else {
                    None
                }
            })
        }
        [_, _, _] if !takes_three => None,
        _ => from_edges(parts),
    }
    .map(|(x, y)| Position { x, y })
}

/// Two words, each perhaps with an offset from the edge that it names.
fn from_edges(parts: &[Part]) -> Option<(Length, Length)> {
    let (mut x, mut y, mut center) = (None, None, false);
    let mut parts = parts.iter().copied().peekable();
    while let Some(part) = parts.next() {
        let offset = parts
            .next_if(|next| matches!(next, Part::At(_)))
            .map(|next| match next {
                Part::At(offset) => offset,
                _ => Length::default(),
            });
        let from_edge = |far: bool| {
            let offset = offset.unwrap_or_default();
            if far {
                Length {
                    px: -offset.px,
                    share: 1.0 - offset.share,
                }
            } else {
                offset
            }
        };
        match part {
            Part::Across { far } if x.is_none() => x = Some(from_edge(far)),
            Part::Down { far } if y.is_none() => y = Some(from_edge(far)),
            Part::Center if !center && offset.is_none() => center = true,
            _ => return None,
        }
    }
    match (x, y, center) {
        (Some(x), Some(y), false) => Some((x, y)),
        (Some(x), None, true) => Some((x, HALF)),
        (None, Some(y), true) => Some((HALF, y)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_percentages_and_offsets() {
        let place =
            |text: &str| Position::parse(text).map(|p| (p.x.resolve(200.0), p.y.resolve(100.0)));
        assert_eq!(place("center"), Some((100.0, 50.0)));
        assert_eq!(place("left top"), Some((0.0, 0.0)));
        assert_eq!(place("top left"), Some((0.0, 0.0)));
        assert_eq!(place("center left"), Some((0.0, 50.0)));
        assert_eq!(place("bottom"), Some((100.0, 100.0)));
        assert_eq!(place("25% 10px"), Some((50.0, 10.0)));
        assert_eq!(place("right 10px bottom 20%"), Some((190.0, 80.0)));
        assert_eq!(place("bottom 20% right 10px"), Some((190.0, 80.0)));
        for text in [
            "middle",
            "left right",
            "10px left",
            "top 10px",
            "right 10px top",
        ] {
            assert_eq!(place(text), None, "{text}");
        }
    }
}
