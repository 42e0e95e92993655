//! How sound of any number of channels becomes left and right.

use ffmpeg_the_third as ffmpeg;

use ffmpeg::{ChannelLayout, ChannelLayoutMask};

/// Front channels play as they are, what stands in the middle or at the side 3 dB down, what is both
/// 6 dB down. The channel for low effects is left out, as in browsers.
const FULL: &str = "1";
const ASIDE: &str = "0.70710678";
const BEHIND: &str = "0.5";

/// Channels heard on the left, with their mirror images, and those heard on both sides.
const SIDES: [(&str, &str, &str); 10] = [
    ("FL", "FR", FULL),
    ("DL", "DR", FULL),
    ("FLC", "FRC", ASIDE),
    ("WL", "WR", ASIDE),
    ("SL", "SR", ASIDE),
    ("BL", "BR", ASIDE),
    ("SDL", "SDR", ASIDE),
    ("TFL", "TFR", ASIDE),
    ("TBL", "TBR", ASIDE),
    ("TSL", "TSR", ASIDE),
];
const MIDDLE: [(&str, &str); 5] = [
    ("FC", ASIDE),
    ("BC", BEHIND),
    ("TC", BEHIND),
    ("TFC", BEHIND),
    ("TBC", BEHIND),
];

/// The filter that makes a layout stereo; none where it is.
pub(super) fn filter(layout: &ChannelLayout<'_>) -> Option<String> {
    let Some(mask) = layout.mask() else {
        // Channels without a place: the first two, as most players do.
        let right = if layout.channels() == 1 { "c0" } else { "c1" };
        return Some(format!("pan=stereo|c0=c0|c1={right}"));
    };
    if mask == ChannelLayoutMask::STEREO {
        return None;
    }
    if layout.channels() == 1 {
        return Some("pan=stereo|c0=c0|c1=c0".to_owned());
    }
    let left = SIDES.iter().map(|&(left, _, gain)| (left, gain));
    let right = SIDES.iter().map(|&(_, right, gain)| (right, gain));
    let sum = |side: &mut dyn Iterator<Item = (&str, &str)>| {
        let heard = side.chain(MIDDLE);
        let heard = heard.filter(|(name, _)| layout.index_from_string(name).is_some());
        let terms: Vec<_> = heard.map(|(name, gain)| format!("{gain}*{name}")).collect();
        if terms.is_empty() {
            "0*c0".to_owned()
        } else {
            terms.join("+")
        }
    };
    let (left, right) = (sum(&mut { left }), sum(&mut { right }));
    Some(format!("pan=stereo|c0={left}|c1={right}"))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

    use super::*;

    fn of(name: &str) -> Option<String> {
        filter(&ChannelLayout::from_string(name).unwrap())
    }

    #[test]
    fn stereo_is_left_alone_and_one_channel_is_heard_on_both_sides() {
        assert_eq!(of("stereo"), None);
        assert_eq!(of("mono").unwrap(), "pan=stereo|c0=c0|c1=c0");
    }

    #[test]
    fn each_channel_is_heard_on_its_side_and_low_effects_are_not() {
        assert_eq!(
            of("5.1").unwrap(),
            "pan=stereo|c0=1*FL+0.70710678*BL+0.70710678*FC|c1=1*FR+0.70710678*BR+0.70710678*FC"
        );
        assert_eq!(of("2.1").unwrap(), "pan=stereo|c0=1*FL|c1=1*FR");
        assert_eq!(of("7 channels").unwrap(), "pan=stereo|c0=c0|c1=c1");
    }

    #[test]
    fn every_common_layout_is_heard_on_both_sides() {
        for name in [
            "3.0",
            "3.0(back)",
            "4.0",
            "quad",
            "5.0",
            "5.0(side)",
            "6.1",
            "hexagonal",
            "7.1",
            "7.1(wide)",
            "octagonal",
        ] {
            let filter = of(name).unwrap();
            assert!(
                filter.contains("c0=1*FL") && filter.contains("c1=1*FR"),
                "{name}: {filter}"
            );
        }
    }
}
