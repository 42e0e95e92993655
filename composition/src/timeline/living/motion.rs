//! Pieces of a text that move one after another.

use super::Show;
use crate::document::{AnimatedText, Split, StaggerDirection, TextStyles};
use crate::timeline::content::TextBlock;
use crate::timeline::motion::Moment;
use crate::timeline::pieces::{DEFAULT_EASING, PieceState, Stagger, Track};
use crate::timeline::plan::Shared;

/// Seconds that a piece moves when the document does not say.
const DURATION: f64 = 0.6;
/// Seconds in which a line of code appears.
const LINE_DURATION: f64 = 0.4;
/// From how far below letters rise when the document says nothing, in em.
const RISE: f64 = 0.5;
/// Displaced letters jump so often in a second.
const JUMPS: f64 = 30.0;

/// How the pieces of a text move.
#[derive(Clone, Debug, PartialEq)]
pub struct TextMotion {
    /// What the pieces are.
    pub split: Split,
    /// How they move.
    pub stagger: Stagger,
    /// Whether offsets are in em of the letters rather than in pixels.
    pub is_in_em: bool,
    /// Frames after which nothing moves any more, however the text is laid out.
    ends: f64,
}

impl TextMotion {
    /// The movement that a style asks for, if any.
    pub(super) fn of(styles: &TextStyles, block: &TextBlock, fps: f64) -> Option<Self> {
        let (split, stagger, is_in_em) = animated(styles, fps)
            .or_else(|| code_lines(styles, fps))
            .or_else(|| staggered(styles, block, fps))?;
        let most = most_pieces(split, block.number.as_ref().unwrap_or(&block.text));
        Some(Self {
            split,
            is_in_em,
            ends: stagger.ends_after(most),
            stagger,
        })
    }

    /// What is seen of a text that moves so.
    pub(super) fn show(motion: &Shared<Self>, moment: Moment) -> Show {
        let last = motion.stagger.pieces(1, f64::MAX);
        let has_ended = moment.elapsed >= motion.ends;
        if has_ended && last == [PieceState::AT_REST] {
            return Show::Whole;
        }
        let stands_still = has_ended && last.iter().all(|piece| piece.glitch == 0.0);
        let tick = if stands_still || motion.stagger.glitch == Track::default() {
            0
        } else {
            // A frame that begins with a jump has jumped.
            (moment.elapsed / moment.fps * JUMPS + 1e-6) as u64
        };
        Show::Pieces {
            motion: motion.clone(),
            elapsed: moment.elapsed.min(motion.ends),
            tick,
        }
    }
}

type Movement = (Split, Stagger, bool);

fn animated(styles: &TextStyles, fps: f64) -> Option<Movement> {
    let animated = styles.animated_text.as_ref()?;
    if animated.enabled != Some(true) {
        return None;
    }
    let split = animated.split.unwrap_or(Split::Word);
    let (stagger, is_in_em) = Stagger::of_text(animated, split, fps);
    Some((split, stagger, is_in_em))
}

fn code_lines(styles: &TextStyles, fps: f64) -> Option<Movement> {
    let code = (styles.code_block.as_ref()).filter(|code| code.enabled == Some(true))?;
    let step = code.line_stagger.filter(|step| *step > 0.0)?;
    let stagger = Stagger {
        step,
        duration: LINE_DURATION * fps,
        ..rising(fps)
    };
    Some((Split::Line, stagger, true))
}

fn staggered(styles: &TextStyles, block: &TextBlock, fps: f64) -> Option<Movement> {
    let stagger = Stagger::of(styles.staggered_motion.as_ref()?, fps)?;
    let split = match block.code {
        Some(_) => Split::Line,
        None => Split::Word,
    };
    Some((split, stagger, false))
}

/// Letters that fade in while they rise by a part of an em.
fn rising(fps: f64) -> Stagger {
    let none = Track::default();
    Stagger {
        x: none.clone(),
        y: Track::new(Some(&vec![RISE, 0.0]), 0.0),
        scale: none.clone(),
        opacity: Track::new(Some(&vec![0.0, 1.0]), 1.0),
        rotate: none.clone(),
        blur: none.clone(),
        glitch: none,
        direction: StaggerDirection::Forward,
        step: 0.0,
        duration: DURATION * fps,
        delay: 0.0,
        easing: DEFAULT_EASING,
    }
}

impl Stagger {
    /// The movement of animated text, and whether its offsets are in em: they are where the document
    /// names no movement.
    fn of_text(text: &AnimatedText, split: Split, fps: f64) -> (Self, bool) {
        let channels = [
            &text.x,
            &text.y,
            &text.scale,
            &text.opacity,
            &text.rotate,
            &text.blur,
            &text.glitch,
        ];
        let is_named = channels
            .iter()
            .any(|values| values.as_ref().is_some_and(|values| !values.is_empty()));
        let step = match split {
            Split::None => 0.0,
            Split::Character => 0.03,
            Split::Word => 0.08,
            Split::Line => 0.15,
        };
        let easing = text.easing.as_ref();
        let timing = Self {
            step: text.split_stagger.unwrap_or(step * fps),
            duration: text.duration.unwrap_or(DURATION * fps),
            delay: text.delay.unwrap_or(0.0),
            easing: easing.map_or(DEFAULT_EASING, |easing| easing.curve.clone()),
            ..rising(fps)
        };
        if !is_named {
            return (timing, true);
        }
        let rest = PieceState::AT_REST;
        let stagger = Self {
            x: Track::new(text.x.as_ref(), rest.x),
            y: Track::new(text.y.as_ref(), rest.y),
            scale: Track::new(text.scale.as_ref(), rest.scale),
            opacity: Track::new(text.opacity.as_ref(), rest.opacity),
            rotate: Track::new(text.rotate.as_ref(), rest.rotate),
            blur: Track::new(text.blur.as_ref(), rest.blur),
            glitch: Track::new(text.glitch.as_ref(), rest.glitch),
            ..timing
        };
        (stagger, false)
    }
}

/// As many pieces as a text may have at most, however it is laid out.
fn most_pieces(split: Split, text: &str) -> usize {
    let ends_a_word = |letter: char| letter.is_whitespace() || !letter.is_ascii();
    let ends_a_line = |letter: char| ends_a_word(letter) || matches!(letter, '-' | '?');
    let count = |ends: &dyn Fn(char) -> bool| text.chars().filter(|letter| ends(*letter)).count();
    match split {
        Split::None => 1,
        Split::Word => count(&ends_a_word) + 1,
        Split::Character => text.chars().count(),
        Split::Line => count(&ends_a_line) + 1,
    }
}
