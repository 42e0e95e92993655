//! A number that runs from one value to another in place of a text.

use crate::css::{Easing, TextTransform};
use crate::document::{CounterMode, Text};
use crate::timeline::pieces::DEFAULT_EASING;

/// Seconds that a number runs at most when the document does not say.
const DURATION: f64 = 2.0;
/// Decimals that are shown at most.
const MOST_DECIMALS: f64 = 20.0;
/// Moments at which an easing is looked at for how far it goes.
const SAMPLES: u32 = 240;

/// A running number.
pub(super) struct Counter {
    from: f64,
    to: f64,
    decimals: usize,
    prefix: String,
    postfix: String,
    spelling: Spelling,
    /// In frames.
    duration: f64,
    easing: Easing,
}

/// The signs in a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spelling {
    /// Between groups of three digits.
    group: Option<char>,
    point: char,
}

impl Counter {
    pub(super) fn new(mode: &CounterMode, text: &Text, life: f64, fps: f64) -> Self {
        let spelling = Spelling::of(&text.content);
        let to = mode.to.or_else(|| spelling.first_number(&text.content));
        let (from, to) = (mode.from.unwrap_or(0.0), to.unwrap_or(0.0));
        let decimals = match mode.to_fixed {
            Some(asked) => asked.clamp(0.0, MOST_DECIMALS) as usize,
            None => decimals_of(from).max(decimals_of(to)),
        };
        let case = (text.styles.text_transform.as_ref())
            .and_then(|text| TextTransform::parse(text))
            .unwrap_or(TextTransform::None);
        let words = |words: &Option<String>| case.apply(words.as_deref().unwrap_or_default());
        let easing = mode.easing.as_ref();
        Self {
            from,
            to,
            decimals,
            prefix: words(&mode.prefix),
            postfix: words(&mode.postfix),
            spelling,
            duration: mode.duration.unwrap_or(life.min(DURATION * fps)),
            easing: easing.map_or(DEFAULT_EASING, |easing| easing.curve.clone()),
        }
    }

    /// What is seen so many frames after the text appeared.
    pub(super) fn at(&self, elapsed: f64) -> String {
        let time = if self.duration > 0.0 {
            (elapsed / self.duration).clamp(0.0, 1.0)
        } else {
            1.0
        };
        self.spelled(self.value(time))
    }

    /// The longest that is ever seen.
    pub(super) fn longest(&self) -> String {
        let times = (0..=SAMPLES).map(|sample| f64::from(sample) / f64::from(SAMPLES));
        let values: Vec<f64> = times.map(|time| self.value(time)).collect();
        let lowest = values.iter().copied().fold(self.from, f64::min);
        let highest = values.iter().copied().fold(self.from, f64::max);
        [highest, lowest]
            .map(|value| self.spelled(value))
            .into_iter()
            .max_by_key(|text| text.chars().count())
            .unwrap_or_default()
    }

    fn value(&self, time: f64) -> f64 {
        let share = self.easing.at(time);
        let value = match share {
            0.0 => self.from,
            1.0 => self.to,
            _ => self.from * (1.0 - share) + self.to * share,
        };
        value.clamp(f64::MIN, f64::MAX)
    }

    fn spelled(&self, value: f64) -> String {
        let digits = format!(
            "{:.*}",
            self.decimals,
            halves_up(value.abs(), self.decimals)
        );
        let is_zero = !digits.contains(|digit: char| matches!(digit, '1'..='9'));
        let sign = if value < 0.0 && !is_zero { "-" } else { "" };
        let (whole, part) = digits.split_once('.').unwrap_or((&digits, ""));
        let whole = self.spelling.grouped(whole);
        let mut text = format!("{}{sign}{whole}", self.prefix);
        if !part.is_empty() {
            text.push(self.spelling.point);
            text.push_str(part);
        }
        text.push_str(&self.postfix);
        text
    }
}

impl Spelling {
    /// The signs that a text uses in its own number: `1,000.5`, `1.000,5`, `1 000,5` or `1000.5`.
    fn of(text: &str) -> Self {
        let letters: Vec<char> = text.chars().collect();
        let plain = Self {
            group: None,
            point: '.',
        };
        let Some(start) = letters.iter().position(char::is_ascii_digit) else {
            return plain;
        };
        let digits_from = |at: usize| {
            let rest = letters.get(at..).unwrap_or_default();
            rest.iter().take_while(|one| one.is_ascii_digit()).count()
        };
        let mut end = start + digits_from(start);
        let first = end - start;
        let (mut group, mut groups) = (None, 0);
        while let Some(sign) = letters.get(end).copied() {
            let is_sign = match group {
                None => first <= 3 && is_group_sign(sign),
                Some(group) => group == sign,
            };
            if !is_sign || digits_from(end + 1) != 3 {
                break;
            }
            (group, groups) = (Some(sign), groups + 1);
            end += 4;
        }
        let after = letters.get(end).copied().filter(|sign| {
            matches!(sign, '.' | ',') && Some(*sign) != group && digits_from(end + 1) > 0
        });
        // One point may begin decimals as well as a group.
        if group == Some('.') && groups == 1 && after.is_none() {
            return plain;
        }
        let point = match (after, group) {
            (Some(point), _) => point,
            (None, Some('.')) => ',',
            (None, _) => '.',
        };
        Self { group, point }
    }

    fn first_number(self, text: &str) -> Option<f64> {
        let start = text.find(|letter: char| letter.is_ascii_digit())?;
        let mut digits = String::new();
        for letter in text[start..].chars() {
            match letter {
                '0'..='9' => digits.push(letter),
                _ if letter == self.point && !digits.contains('.') => digits.push('.'),
                _ if Some(letter) == self.group => {}
                _ => break,
            }
        }
        let value: f64 = digits.trim_end_matches('.').parse().ok()?;
        let is_negative = text[..start].ends_with(['-', '\u{2212}']);
        Some(if is_negative { -value } else { value })
    }

    fn grouped(self, whole: &str) -> String {
        let Some(sign) = self.group else {
            return whole.to_owned();
        };
        let mut text = String::new();
        for (index, digit) in whole.chars().enumerate() {
            if index > 0 && (whole.len() - index).is_multiple_of(3) {
                text.push(sign);
            }
            text.push(digit);
        }
        text
    }
}

/// The number itself, or where it lies half-way between two with so many decimals, the larger of them.
fn halves_up(value: f64, decimals: usize) -> f64 {
    let unit = 10f64.powi(decimals as i32);
    let units = value * unit;
    if units.fract() == 0.5 {
        (units + 0.5) / unit
    } else {
        value
    }
}

fn is_group_sign(sign: char) -> bool {
    matches!(
        sign,
        ',' | '.' | '\'' | '’' | '_' | ' ' | '\u{A0}' | '\u{2009}' | '\u{202F}'
    )
}

/// As many decimals as a number is written with.
fn decimals_of(number: f64) -> usize {
    let text = number.to_string();
    let decimals = text.split_once('.').map_or(0, |(_, part)| part.len());
    decimals.min(MOST_DECIMALS as usize)
}
