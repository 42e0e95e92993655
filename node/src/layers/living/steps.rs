//! What a living text is drawn from in a frame: parts of its letters, each at a place of its own.

use kinora_composition::css::BackgroundClip;
use kinora_composition::document::Split;
use kinora_composition::timeline::{Affine, PieceState, Show, TextBlock, TextMotion, Typed};

use super::glitch;
use crate::layers::set_text::SetText;
use crate::layers::text::Coat;
use crate::text::Part;

/// Parts are painted at most so many pixels wide to be shown enlarged.
const WIDEST_ENLARGED: f32 = 4096.0;
/// Blurs beyond this leave nothing to see.
const FARTHEST_BLUR: f64 = 200.0;

/// What is rastered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum SheetKey {
    /// Letters, so many times as large as they are.
    Part { part: Part, coat: Coat, level: u8 },
    /// A wrong letter in place of one.
    Wrong { letter: usize, text: String },
    /// The cursor behind so many letters and a wrong one.
    Cursor {
        letters: usize,
        wrong: Option<String>,
    },
}

/// A sheet at its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    pub(super) key: SheetKey,
    /// From where it belongs to where it is, in pixels of the box.
    pub(super) movement: Affine,
    pub(super) opacity: f32,
    /// Standard deviation in pixels of the box.
    pub(super) blur: f32,
    /// Shares of its height between which it is seen.
    pub(super) band: (f32, f32),
}

impl Step {
    fn at_rest(key: SheetKey) -> Self {
        Self {
            key,
            movement: Affine::IDENTITY,
            opacity: 1.0,
            blur: 0.0,
            band: WHOLE,
        }
    }
}

/// All of a sheet.
pub(super) const WHOLE: (f32, f32) = (0.0, 1.0);

/// What lies behind what is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    /// The text as it is at rest.
    Text,
    /// Its box alone.
    Box,
}

/// A part that moves by itself.
pub(super) struct Piece {
    part: Part,
    center: (f32, f32),
    width: f32,
}

/// The pieces of a text.
pub(super) fn pieces(set: &SetText, split: Split) -> Vec<Piece> {
    let piece = |part: Part| {
        let [left, top, right, bottom] = set.layout.extent(part)?;
        let center = (
            set.at.0 + f32::midpoint(left, right),
            set.at.1 + f32::midpoint(top, bottom),
        );
        Some(Piece {
            part,
            center,
            width: right - left,
        })
    };
    let parts = set.layout.pieces(split);
    parts.into_iter().filter_map(piece).collect()
}

/// What is drawn, and on what.
pub(super) fn steps(
    block: &TextBlock,
    set: &SetText,
    pieces: &[Piece],
    show: &Show,
    is_number: bool,
) -> (Ground, Vec<Step>) {
    let whole = || match is_number {
        true => (Ground::Box, vec![Step::at_rest(part_key(Part::ALL))]),
        false => (Ground::Text, Vec::new()),
    };
    match show {
        Show::Whole => whole(),
        Show::Pieces {
            motion,
            elapsed,
            tick,
        } => {
            let states = motion.stagger.pieces(pieces.len(), *elapsed);
            if states.iter().all(|state| *state == PieceState::AT_REST) {
                return whole();
            }
            let moving = Moving {
                block,
                motion,
                em: set.layout.font_size,
                tick: *tick,
            };
            (Ground::Box, moving.steps(pieces, &states))
        }
        Show::Typed(typed) => typed_steps(set, typed),
    }
}

fn part_key(part: Part) -> SheetKey {
    SheetKey::Part {
        part,
        coat: Coat::All,
        level: 1,
    }
}

/// Lines that are complete stay as they are; the one that is being typed is a part.
fn typed_steps(set: &SetText, typed: &Typed) -> (Ground, Vec<Step>) {
    let layout = &set.layout;
    let there = layout.typed(typed.letters);
    let is_complete = there == layout.typed(usize::MAX) && typed.wrong.is_none();
    let mut keys = Vec::new();
    if !is_complete {
        for line in layout.lines_of(there) {
            let line = layout.line_part(line);
            keys.push(part_key(Part {
                first: line.first,
                end: line.end.min(there.end),
            }));
        }
    }
    if let Some(text) = &typed.wrong {
        keys.push(SheetKey::Wrong {
            letter: typed.letters,
            text: text.clone(),
        });
    }
    if typed.has_cursor {
        keys.push(SheetKey::Cursor {
            letters: typed.letters,
            wrong: typed.wrong.clone(),
        });
    }
    let ground = if is_complete {
        Ground::Text
    } else {
        Ground::Box
    };
    (ground, keys.into_iter().map(Step::at_rest).collect())
}

struct Moving<'a> {
    block: &'a TextBlock,
    motion: &'a TextMotion,
    em: f32,
    tick: u64,
}

impl Moving<'_> {
    /// Shadows and ghosts of all pieces lie under the letters of all.
    fn steps(&self, pieces: &[Piece], states: &[PieceState]) -> Vec<Step> {
        let has_under = !self.block.style.shadows.is_empty()
            || self.block.frame.background.clip == BackgroundClip::Text;
        let coats: &[Coat] = match has_under && pieces.len() > 1 {
            true => &[Coat::Under, Coat::Ink],
            false => &[Coat::All],
        };
        let mut steps = Vec::new();
        for coat in coats {
            let mut letters = Vec::new();
            for (index, (piece, state)) in pieces.iter().zip(states).enumerate() {
                if state.opacity <= 0.0 || state.scale.abs() < 1e-3 {
                    continue;
                }
                let step = self.step(piece, state, *coat);
                if *coat == Coat::Under || state.glitch.abs() < glitch::LEAST {
                    letters.push(step);
                } else {
                    let [ghosts @ .., first, second, third] =
                        glitch::displaced(&step, state.glitch as f32, index, self.tick);
                    steps.extend(ghosts);
                    letters.extend([first, second, third]);
                }
            }
            steps.append(&mut letters);
        }
        steps
    }

    fn step(&self, piece: &Piece, state: &PieceState, coat: Coat) -> Step {
        let unit = if self.motion.is_in_em { self.em } else { 1.0 };
        let scale = state.scale as f32;
        let turned = Affine::rotate(state.rotate)
            .then_inner(Affine::scale(scale, scale))
            .about(piece.center.0, piece.center.1);
        let shift = Affine::translate(state.x as f32 * unit, state.y as f32 * unit);
        let is_turned = state.scale != 1.0 || state.rotate != 0.0;
        Step {
            key: SheetKey::Part {
                part: piece.part,
                coat,
                level: level(scale.abs(), piece.width),
            },
            movement: if is_turned {
                shift.then_inner(turned)
            } else {
                shift
            },
            opacity: state.opacity as f32,
            blur: state.blur.min(FARTHEST_BLUR) as f32,
            band: WHOLE,
        }
    }
}

/// How many times as large as they are letters are painted that are shown at a scale.
fn level(scale: f32, width: f32) -> u8 {
    let wanted: u8 = match scale {
        scale if scale <= 1.05 => 1,
        scale if scale <= 2.1 => 2,
        _ => 4,
    };
    let affordable = (WIDEST_ENLARGED / width.max(1.0)).clamp(1.0, 4.0) as u8;
    wanted.min(affordable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_enlarged_is_painted_larger_within_bounds() {
        assert_eq!(level(1.0, 100.0), 1);
        assert_eq!(level(1.5, 100.0), 2);
        assert_eq!(level(9.0, 100.0), 4);
        assert_eq!(level(9.0, 3000.0), 1);
    }
}
