//! What every parser of a CSS value starts from: its tokens, what relative units and `currentColor`
//! stand for, and bounds on what is read at all.

use cssparser::{ParseError, Parser, ParserInput, Token};

use super::{Color, ROOT_FONT_SIZE};

/// The tokens of a value.
pub(super) type Input<'i, 't> = Parser<'i, 't>;

/// What a parser makes of tokens.
pub(super) type Parsed<'i, T> = Result<T, ParseError<'i, ()>>;

/// What relative values of an element refer to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Basis {
    /// What `currentColor` stands for.
    pub current: Color,
    /// Pixels of 1em.
    pub em: f32,
}

impl From<Color> for Basis {
    fn from(current: Color) -> Self {
        Self {
            current,
            em: ROOT_FONT_SIZE,
        }
    }
}

impl Default for Basis {
    fn default() -> Self {
        Color::BLACK.into()
    }
}

/// Longer values are ignored: nobody writes them by hand, and parsing has to stay cheap.
const LONGEST_VALUE: usize = 10_000;

/// Deeper brackets are ignored: parsers recurse into them.
const DEEPEST_NESTING: usize = 32;

/// Whether a value is short and flat enough to be parsed.
pub(super) fn is_bounded(text: &str) -> bool {
    let mut depth = 0_usize;
    text.len() <= LONGEST_VALUE
        && text.bytes().all(|byte| {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth <= DEEPEST_NESTING
        })
}

/// Parses a whole value; `None` where anything is wrong or left over.
pub(super) fn whole<T>(
    text: &str,
    parse: impl for<'i, 't> FnOnce(&mut Input<'i, 't>) -> Parsed<'i, T>,
) -> Option<T> {
    if !is_bounded(text) {
        return None;
    }
    let mut input = ParserInput::new(text);
    Parser::new(&mut input).parse_entirely(parse).ok()
}

/// The error of a value that fits no grammar.
pub(super) fn refused<'i>(input: &Input<'i, '_>) -> ParseError<'i, ()> {
    input.new_custom_error(())
}

/// The value where there is one, an error otherwise.
pub(super) fn some<'i, T>(input: &Input<'i, '_>, value: Option<T>) -> Parsed<'i, T> {
    value.ok_or_else(|| refused(input))
}

/// One of these words, whatever its case.
pub(super) fn keyword<'i, T: Copy>(
    input: &mut Input<'i, '_>,
    words: &[(&str, T)],
) -> Parsed<'i, T> {
    let word = input.expect_ident()?.clone();
    let known = words
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(&word))
        .map(|(_, value)| *value);
    some(input, known)
}

/// One word, whatever its case.
pub(super) fn word<'i>(input: &mut Input<'i, '_>, word: &str) -> Parsed<'i, ()> {
    Ok(input.expect_ident_matching(word)?)
}

/// Whether this word comes next; if so it is taken.
pub(super) fn takes_word(input: &mut Input<'_, '_>, text: &str) -> bool {
    input.try_parse(|input| word(input, text)).is_ok()
}

/// The name of the function that comes next, in lower case; its arguments are the next block.
pub(super) fn function_name<'i>(input: &mut Input<'i, '_>) -> Parsed<'i, String> {
    Ok(input.expect_function()?.to_ascii_lowercase())
}

/// Whether a comma comes next; if so it is taken.
pub(super) fn takes_comma(input: &mut Input<'_, '_>) -> bool {
    input.try_parse(Parser::expect_comma).is_ok()
}

/// Whether a slash comes next; if so it is taken.
pub(super) fn takes_slash(input: &mut Input<'_, '_>) -> bool {
    input
        .try_parse(|input| match input.next()? {
            Token::Delim('/') => Ok(()),
            _ => Err(input.new_error_for_next_token::<()>()),
        })
        .is_ok()
}

/// Values that each parser may take once, in any order, until none of them fits.
pub(super) fn in_any_order<'i>(
    input: &mut Input<'i, '_>,
    mut take: impl FnMut(&mut Input<'i, '_>) -> bool,
) {
    while !input.is_exhausted() && take(input) {}
}

/// Takes a value into an empty slot; whether it did.
pub(super) fn fills<'i, 't, T>(
    slot: &mut Option<T>,
    input: &mut Input<'i, 't>,
    parse: impl FnOnce(&mut Input<'i, 't>) -> Parsed<'i, T>,
) -> bool {
    if slot.is_none() {
        *slot = input.try_parse(parse).ok();
        return slot.is_some();
    }
    false
}
