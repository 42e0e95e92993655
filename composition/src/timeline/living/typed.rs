//! Text that is typed: what stands there after how many frames.

use unicode_segmentation::UnicodeSegmentation;

use super::Show;
use crate::document::TypeWriter;
use crate::timeline::pieces::scattered;

/// Seconds for a letter when the document does not say.
const LETTER: f64 = 0.05;
/// Seconds of a blink of the cursor.
const BLINK: f64 = 1.0;
/// Seconds before a text that was typed goes again.
const PAUSE_AFTER_TYPE: f64 = 1.0;
/// Seconds before a text that was deleted is typed again.
const PAUSE_AFTER_DELETE: f64 = 0.5;
/// Strokes of a letter that goes wrong: the wrong one, a moment to see it, gone, the right one.
const STROKES_OF_A_MISTAKE: u64 = 4;
/// Sums of frames are a little off: what is due has happened.
const SLACK: f64 = 1e-6;

/// What of a text stands there while it is typed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Typed {
    /// How many letters are right: grapheme clusters, newlines included.
    pub letters: usize,
    /// A wrong letter in place of the next one.
    pub wrong: Option<String>,
    /// Whether the cursor is seen.
    pub has_cursor: bool,
}

/// The times of a text that is typed, in frames.
pub(super) struct TypingTimes {
    /// The strokes after which each letter is right, ascending.
    strokes: Vec<u64>,
    /// What is typed in place of letters that go wrong at first.
    mistakes: Vec<Option<String>>,
    stroke: f64,
    blink: f64,
    has_cursor: bool,
    is_looped: bool,
    is_deleted: bool,
    pause_after_type: f64,
    pause_after_delete: f64,
}

/// Where in its cycle a text is, with the frames since then.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    Typing(f64),
    Complete(f64),
    Deleting(f64),
    Empty(f64),
}

impl TypingTimes {
    pub(super) fn new(mode: &TypeWriter, text: &str, fps: f64) -> Self {
        let letters: Vec<&str> = text.graphemes(true).collect();
        let rate = mode.error_rate.unwrap_or(0.0);
        let mistakes: Vec<Option<String>> = (0..letters.len())
            .map(|index| (chance(index) < rate).then(|| mistake(&letters, index))?)
            .collect();
        let mut strokes = 0;
        let strokes = mistakes
            .iter()
            .map(|mistake| {
                strokes += match mistake {
                    Some(_) => STROKES_OF_A_MISTAKE,
                    None => 1,
                };
                strokes
            })
            .collect();
        let frames = |value: Option<f64>, seconds: f64| value.unwrap_or(seconds * fps).max(0.0);
        Self {
            strokes,
            mistakes,
            stroke: frames(mode.type_speed, LETTER),
            blink: frames(mode.blink_speed, BLINK),
            // Where there is nothing to type, a cursor would have no size to go by.
            has_cursor: mode.cursor.unwrap_or(true) && !text.trim().is_empty(),
            is_looped: mode.looped == Some(true),
            is_deleted: mode.delete_before_next == Some(true),
            pause_after_type: frames(mode.pause_after_type, PAUSE_AFTER_TYPE),
            pause_after_delete: frames(mode.pause_after_delete, PAUSE_AFTER_DELETE),
        }
    }

    /// What is seen so many frames after the text appeared.
    pub(super) fn show(&self, elapsed: f64) -> Show {
        let typed = self.at(elapsed);
        if typed.letters == self.strokes.len() && !typed.has_cursor {
            return Show::Whole;
        }
        Show::Typed(typed)
    }

    fn at(&self, elapsed: f64) -> Typed {
        let count = self.strokes.len();
        let (letters, wrong, waits) = match self.phase(elapsed) {
            Phase::Typing(since) => {
                let stroke = self.strokes_in(since);
                let letters = self.strokes.partition_point(|right| *right <= stroke);
                (letters, self.wrong_at(letters, stroke), None)
            }
            Phase::Complete(since) => (count, None, Some(since)),
            Phase::Deleting(since) => {
                let gone = usize::try_from(self.strokes_in(since)).unwrap_or(usize::MAX);
                (count.saturating_sub(gone), None, None)
            }
            Phase::Empty(since) => (0, None, Some(since)),
        };
        Typed {
            letters,
            wrong,
            has_cursor: self.has_cursor && waits.is_none_or(|since| self.is_lit(since)),
        }
    }

    fn phase(&self, elapsed: f64) -> Phase {
        let typing = self.strokes.last().map_or(0.0, |last| *last as f64) * self.stroke;
        let deleting = self.strokes.len() as f64 * self.stroke;
        let mut cycle = typing + self.pause_after_type;
        if self.is_deleted {
            cycle += deleting + self.pause_after_delete;
        }
        let is_cyclic = self.is_looped && cycle > 0.0 && cycle.is_finite();
        let mut since = elapsed.max(0.0);
        if is_cyclic {
            since -= ((since + SLACK) / cycle).floor() * cycle;
            since = since.max(0.0);
        }
        if since + SLACK < typing {
            return Phase::Typing(since);
        }
        since -= typing;
        if !self.is_deleted || since + SLACK < self.pause_after_type {
            return Phase::Complete(since);
        }
        since -= self.pause_after_type;
        if since + SLACK < deleting {
            return Phase::Deleting(since);
        }
        Phase::Empty(since - deleting)
    }

    /// Strokes that are done after so many frames.
    fn strokes_in(&self, frames: f64) -> u64 {
        if self.stroke > 0.0 {
            ((frames + SLACK) / self.stroke) as u64
        } else {
            u64::MAX
        }
    }

    /// The wrong letter that stands in place of a letter after so many strokes.
    fn wrong_at(&self, letter: usize, stroke: u64) -> Option<String> {
        let mistake = self.mistakes.get(letter)?.as_ref()?;
        let begins = self.strokes[letter] - STROKES_OF_A_MISTAKE;
        (begins + 1..begins + STROKES_OF_A_MISTAKE - 1)
            .contains(&stroke)
            .then(|| mistake.clone())
    }

    /// Whether a cursor that waits is seen: in the first half of each blink.
    fn is_lit(&self, since: f64) -> bool {
        if self.blink <= 0.0 {
            return true;
        }
        let blinks = (since.max(0.0) + SLACK) / self.blink;
        blinks.fract() < 0.5
    }
}

/// A number from 0 to 1 that belongs to a letter.
fn chance(index: usize) -> f64 {
    (scattered(index as u64) >> 11) as f64 / (1u64 << 53) as f64
}

/// What a finger hits that misses a letter: a key beside it, or the letter that comes next.
fn mistake(letters: &[&str], index: usize) -> Option<String> {
    const ROWS: [&str; 4] = ["1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"];
    let letter = letters[index];
    let mut characters = letter.chars();
    let (first, others) = (characters.next()?, characters.next());
    let lower = first.to_ascii_lowercase();
    let row = ROWS.iter().find(|row| row.contains(lower));
    if let (Some(row), None) = (row, others) {
        let keys: Vec<char> = row.chars().collect();
        let at = keys.iter().position(|key| *key == lower)?;
        let right = scattered(index as u64 ^ 0x5EED) & 1 == 0;
        let beside = match (right, at) {
            (false, 0) => 1,
            (false, at) => at - 1,
            (true, at) if at + 1 < keys.len() => at + 1,
            (true, at) => at - 1,
        };
        let key = keys[beside];
        let key = if first.is_ascii_uppercase() {
            key.to_ascii_uppercase()
        } else {
            key
        };
        return Some(key.to_string());
    }
    let next = letters.get(index + 1)?;
    let is_word = |letter: &str| letter.chars().all(char::is_alphabetic);
    (is_word(letter) && is_word(next) && *next != letter).then(|| (*next).to_owned())
}
