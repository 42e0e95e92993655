//! Stickers from the colour emoji font, by code points or by name.

/// How messages describe identifiers of emoji.
pub const EMOJI_FORM: &str = "any colour emoji by its code points in hexadecimal, as in emoji-1f680 or emoji-1f468-200d-1f4bb";

/// Longer sequences are no emoji.
const MOST_CHARACTERS: usize = 10;

/// Names for common emoji: identifier and code points.
#[rustfmt::skip]
pub(super) const NAMES: &[(&str, &str)] = &[
    ("emoji-grin", "1f600"),
    ("emoji-joy", "1f602"),
    ("emoji-rofl", "1f923"),
    ("emoji-heart-eyes", "1f60d"),
    ("emoji-kiss", "1f618"),
    ("emoji-hug", "1f917"),
    ("emoji-sunglasses", "1f60e"),
    ("emoji-sob", "1f62d"),
    ("emoji-scream", "1f631"),
    ("emoji-rage", "1f621"),
    ("emoji-sleeping", "1f634"),
    ("emoji-mind-blown", "1f92f"),
    ("emoji-money-face", "1f911"),
    ("emoji-ghost", "1f47b"),
    ("emoji-skull", "1f480"),
    ("emoji-robot", "1f916"),
    ("emoji-alien", "1f47d"),
    ("emoji-poop", "1f4a9"),
    ("emoji-clap", "1f44f"),
    ("emoji-wave", "1f44b"),
    ("emoji-thumbs-up", "1f44d"),
    ("emoji-thumbs-down", "1f44e"),
    ("emoji-ok-hand", "1f44c"),
    ("emoji-pray", "1f64f"),
    ("emoji-muscle", "1f4aa"),
    ("emoji-handshake", "1f91d"),
    ("emoji-raised-hands", "1f64c"),
    ("emoji-victory", "270c-fe0f"),
    ("emoji-point-up", "1f446"),
    ("emoji-point-down", "1f447"),
    ("emoji-point-left", "1f448"),
    ("emoji-point-right", "1f449"),
    ("emoji-heart", "2764-fe0f"),
    ("emoji-broken-heart", "1f494"),
    ("emoji-sparkling-heart", "1f496"),
    ("emoji-eyes", "1f440"),
    ("emoji-brain", "1f9e0"),
    ("emoji-crown", "1f451"),
    ("emoji-gem", "1f48e"),
    ("emoji-money-bag", "1f4b0"),
    ("emoji-dollar", "1f4b5"),
    ("emoji-credit-card", "1f4b3"),
    ("emoji-chart-up", "1f4c8"),
    ("emoji-chart-down", "1f4c9"),
    ("emoji-calendar", "1f4c5"),
    ("emoji-bulb", "1f4a1"),
    ("emoji-bell", "1f514"),
    ("emoji-megaphone", "1f4e3"),
    ("emoji-camera", "1f4f7"),
    ("emoji-movie-camera", "1f3a5"),
    ("emoji-phone", "1f4f1"),
    ("emoji-laptop", "1f4bb"),
    ("emoji-gift", "1f381"),
    ("emoji-balloon", "1f388"),
    ("emoji-confetti", "1f38a"),
    ("emoji-tada", "1f389"),
    ("emoji-cake", "1f382"),
    ("emoji-champagne", "1f37e"),
    ("emoji-beer", "1f37a"),
    ("emoji-coffee", "2615"),
    ("emoji-pizza", "1f355"),
    ("emoji-burger", "1f354"),
    ("emoji-ice-cream", "1f366"),
    ("emoji-avocado", "1f951"),
    ("emoji-apple", "1f34e"),
    ("emoji-dog", "1f436"),
    ("emoji-cat", "1f431"),
    ("emoji-unicorn", "1f984"),
    ("emoji-butterfly", "1f98b"),
    ("emoji-sun", "2600-fe0f"),
    ("emoji-moon", "1f319"),
    ("emoji-star", "2b50"),
    ("emoji-glowing-star", "1f31f"),
    ("emoji-sparkles", "2728"),
    ("emoji-zap", "26a1"),
    ("emoji-rainbow", "1f308"),
    ("emoji-snowflake", "2744-fe0f"),
    ("emoji-earth", "1f30d"),
    ("emoji-palm-tree", "1f334"),
    ("emoji-rose", "1f339"),
    ("emoji-car", "1f697"),
    ("emoji-airplane", "2708-fe0f"),
    ("emoji-house", "1f3e0"),
    ("emoji-trophy", "1f3c6"),
    ("emoji-medal", "1f3c5"),
    ("emoji-soccer", "26bd"),
    ("emoji-basketball", "1f3c0"),
    ("emoji-target", "1f3af"),
    ("emoji-guitar", "1f3b8"),
    ("emoji-music", "1f3b5"),
    ("emoji-microphone", "1f3a4"),
    ("emoji-clapper", "1f3ac"),
    ("emoji-check", "2705"),
    ("emoji-cross", "274c"),
    ("emoji-warning", "26a0-fe0f"),
    ("emoji-question", "2753"),
    ("emoji-exclamation", "2757"),
    ("emoji-stop", "1f6d1"),
    ("emoji-lock", "1f512"),
    ("emoji-key", "1f511"),
    ("emoji-hourglass", "23f3"),
    ("emoji-alarm", "23f0"),
    ("emoji-pin", "1f4cd"),
    ("emoji-package", "1f4e6"),
    ("emoji-shopping-cart", "1f6d2"),
    ("emoji-shopping-bags", "1f6cd-fe0f"),
    ("emoji-developer", "1f468-200d-1f4bb"),
];

/// Characters that the font has a picture for, as ranges that include both ends.
#[rustfmt::skip]
const PICTURES: &[(u32, u32)] = &[
    (0xa9, 0xa9), (0xae, 0xae), (0x203c, 0x203c), (0x2049, 0x2049), (0x2122, 0x2122),
    (0x2139, 0x2139), (0x2194, 0x2199), (0x21a9, 0x21aa), (0x231a, 0x231b), (0x2328, 0x2328),
    (0x23cf, 0x23cf), (0x23e9, 0x23f3), (0x23f8, 0x23fa), (0x24c2, 0x24c2), (0x25aa, 0x25ab),
    (0x25b6, 0x25b6), (0x25c0, 0x25c0), (0x25fb, 0x25fe), (0x2600, 0x2604), (0x260e, 0x260e),
    (0x2611, 0x2611), (0x2614, 0x2615), (0x2618, 0x2618), (0x261d, 0x261d), (0x2620, 0x2620),
    (0x2622, 0x2623), (0x2626, 0x2626), (0x262a, 0x262a), (0x262e, 0x262f), (0x2638, 0x263a),
    (0x2640, 0x2640), (0x2642, 0x2642), (0x2648, 0x2653), (0x265f, 0x2660), (0x2663, 0x2663),
    (0x2665, 0x2666), (0x2668, 0x2668), (0x267b, 0x267b), (0x267e, 0x267f), (0x2692, 0x2697),
    (0x2699, 0x2699), (0x269b, 0x269c), (0x26a0, 0x26a1), (0x26a7, 0x26a7), (0x26aa, 0x26ab),
    (0x26b0, 0x26b1), (0x26bd, 0x26be), (0x26c4, 0x26c5), (0x26c8, 0x26c8), (0x26ce, 0x26cf),
    (0x26d1, 0x26d1), (0x26d3, 0x26d4), (0x26e9, 0x26ea), (0x26f0, 0x26f5), (0x26f7, 0x26fa),
    (0x26fd, 0x26fd), (0x2702, 0x2702), (0x2705, 0x2705), (0x2708, 0x270d), (0x270f, 0x270f),
    (0x2712, 0x2712), (0x2714, 0x2714), (0x2716, 0x2716), (0x271d, 0x271d), (0x2721, 0x2721),
    (0x2728, 0x2728), (0x2733, 0x2734), (0x2744, 0x2744), (0x2747, 0x2747), (0x274c, 0x274c),
    (0x274e, 0x274e), (0x2753, 0x2755), (0x2757, 0x2757), (0x2763, 0x2764), (0x2795, 0x2797),
    (0x27a1, 0x27a1), (0x27b0, 0x27b0), (0x27bf, 0x27bf), (0x2934, 0x2935), (0x2b05, 0x2b07),
    (0x2b1b, 0x2b1c), (0x2b50, 0x2b50), (0x2b55, 0x2b55), (0x3030, 0x3030), (0x303d, 0x303d),
    (0x3297, 0x3297), (0x3299, 0x3299), (0x1f004, 0x1f004), (0x1f0cf, 0x1f0cf), (0x1f170, 0x1f171),
    (0x1f17e, 0x1f17f), (0x1f18e, 0x1f18e), (0x1f191, 0x1f19a), (0x1f1e6, 0x1f1ff),
    (0x1f201, 0x1f202), (0x1f21a, 0x1f21a), (0x1f22f, 0x1f22f), (0x1f232, 0x1f23a),
    (0x1f250, 0x1f251), (0x1f300, 0x1f321), (0x1f324, 0x1f393), (0x1f396, 0x1f397),
    (0x1f399, 0x1f39b), (0x1f39e, 0x1f3f0), (0x1f3f3, 0x1f3f5), (0x1f3f7, 0x1f4fd),
    (0x1f4ff, 0x1f53d), (0x1f549, 0x1f54e), (0x1f550, 0x1f567), (0x1f56f, 0x1f570),
    (0x1f573, 0x1f57a), (0x1f587, 0x1f587), (0x1f58a, 0x1f58d), (0x1f590, 0x1f590),
    (0x1f595, 0x1f596), (0x1f5a4, 0x1f5a5), (0x1f5a8, 0x1f5a8), (0x1f5b1, 0x1f5b2),
    (0x1f5bc, 0x1f5bc), (0x1f5c2, 0x1f5c4), (0x1f5d1, 0x1f5d3), (0x1f5dc, 0x1f5de),
    (0x1f5e1, 0x1f5e1), (0x1f5e3, 0x1f5e3), (0x1f5e8, 0x1f5e8), (0x1f5ef, 0x1f5ef),
    (0x1f5f3, 0x1f5f3), (0x1f5fa, 0x1f64f), (0x1f680, 0x1f6c5), (0x1f6cb, 0x1f6d2),
    (0x1f6d5, 0x1f6d7), (0x1f6dc, 0x1f6e5), (0x1f6e9, 0x1f6e9), (0x1f6eb, 0x1f6ec),
    (0x1f6f0, 0x1f6f0), (0x1f6f3, 0x1f6fc), (0x1f7e0, 0x1f7eb), (0x1f7f0, 0x1f7f0),
    (0x1f90c, 0x1f93a), (0x1f93c, 0x1f945), (0x1f947, 0x1f9ff), (0x1fa70, 0x1fa7c),
    (0x1fa80, 0x1fa88), (0x1fa90, 0x1fabd), (0x1fabf, 0x1fac5), (0x1face, 0x1fadb),
    (0x1fae0, 0x1fae8), (0x1faf0, 0x1faf8),
];

/// The characters that an identifier stands for: a name, or code points of a picture of the font.
pub(super) fn characters(id: &str) -> Option<String> {
    let named = NAMES.iter().find(|(name, _)| *name == id);
    let points = match named {
        Some((_, points)) => points,
        None => id.strip_prefix("emoji-")?,
    };
    let characters = points
        .split('-')
        .take(MOST_CHARACTERS + 1)
        .map(|point| {
            let is_hex =
                (1..=6).contains(&point.len()) && point.bytes().all(|b| b.is_ascii_hexdigit());
            is_hex
                .then(|| u32::from_str_radix(point, 16).ok().and_then(char::from_u32))
                .flatten()
        })
        .collect::<Option<Vec<char>>>()?;
    is_emoji(&characters).then(|| characters.into_iter().collect())
}

fn is_emoji(characters: &[char]) -> bool {
    let [first, rest @ ..] = characters else {
        return false;
    };
    let is_keycap = matches!(first, '0'..='9' | '#' | '*') && rest.last() == Some(&KEYCAP);
    characters.len() <= MOST_CHARACTERS
        && (is_picture(*first) || is_keycap)
        && rest
            .iter()
            .all(|character| is_picture(*character) || is_joiner(*character))
}

fn is_picture(character: char) -> bool {
    let point = u32::from(character);
    PICTURES
        .iter()
        .any(|(first, last)| (*first..=*last).contains(&point))
}

const KEYCAP: char = '\u{20e3}';

/// Whether a character only changes or joins the pictures around it.
fn is_joiner(character: char) -> bool {
    const ZERO_WIDTH_JOINER: char = '\u{200d}';
    const AS_PICTURE: char = '\u{fe0f}';
    const TAGS: std::ops::RangeInclusive<char> = '\u{e0030}'..='\u{e007f}';
    matches!(character, ZERO_WIDTH_JOINER | AS_PICTURE | KEYCAP) || TAGS.contains(&character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_points_become_characters() {
        for (id, text) in [
            ("emoji-1f680", "🚀"),
            ("emoji-1F680", "🚀"),
            ("emoji-1f468-200d-1f4bb", "👨\u{200d}💻"),
            ("emoji-31-fe0f-20e3", "1\u{fe0f}\u{20e3}"),
            ("emoji-1f1eb-1f1f7", "🇫🇷"),
            ("emoji-1f44d-1f3fd", "👍🏽"),
            ("emoji-developer", "👨\u{200d}💻"),
        ] {
            assert_eq!(characters(id).as_deref(), Some(text), "{id}");
        }
    }

    #[test]
    fn what_is_no_emoji_is_nothing() {
        for id in [
            "emoji-",
            "emoji-41",
            "emoji-31",
            "emoji-1f680-",
            "emoji--1f680",
            "emoji-+1f680",
            "emoji-d800",
            "emoji-110000",
            "emoji-fe0f",
            "emoji-1f680-41",
            "emoji-zzz",
            "1f680",
            "emoji-00000001f680",
        ] {
            assert_eq!(characters(id), None, "{id}");
        }
        assert_eq!(
            characters(&format!("emoji-{}", ["1f680"; 11].join("-"))),
            None
        );
        assert!(characters(&format!("emoji-{}", ["1f680"; 10].join("-"))).is_some());
    }

    #[test]
    fn the_ranges_are_in_order() {
        assert!(PICTURES.iter().all(|(first, last)| first <= last));
        assert!(PICTURES.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }
}
