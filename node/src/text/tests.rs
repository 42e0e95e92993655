//! Text as a whole, with the fonts that we ship.

use kinora_composition::css::{Color, FontSize, LetterSpacing, LineHeight};
use kinora_composition::document::TextAlign;
use kinora_composition::timeline::{Affine, TextStyle};
use tiny_skia::Pixmap;

use super::{FontBook, Part, Pen, TextLayout, Typesetter, find_font_folder};

fn fonts() -> FontBook {
    FontBook::open(&find_font_folder(None).expect("there")).expect("read")
}

fn style(size: FontSize) -> TextStyle {
    TextStyle {
        families: vec!["Inter".into()],
        weight: 400,
        italic: false,
        size,
        line_height: LineHeight::Factor(1.2),
        letter_spacing: LetterSpacing::default(),
        align: TextAlign::Center,
        color: Color::BLACK,
        decoration: None,
        shadows: Vec::new(),
    }
}

#[test]
fn a_line_lies_in_the_middle_on_a_whole_pixel() {
    let layout = TextLayout::new(
        &mut fonts(),
        "Hxg",
        &style(FontSize::Exactly(40.0)),
        300.0,
        100.0,
    );
    // 39 above and 10 below the baseline, on a line of 48: browsers round what is left downwards.
    let line = &layout.lines[0];
    assert_eq!(line.baseline, 26.0 + 39.0 - 1.0);
    let free = 300.0 - layout.width;
    assert!((line.x - free / 2.0).abs() <= 1.0 / 64.0);
}

#[test]
fn white_space_hangs_where_lines_wrap_and_counts_at_their_end() {
    let mut fonts = fonts();
    let mut style = style(FontSize::Exactly(20.0));
    style.align = TextAlign::Right;
    let wide = TextLayout::new(&mut fonts, "end", &style, 400.0, 60.0);
    let spaced = TextLayout::new(&mut fonts, "end   ", &style, 400.0, 60.0);
    assert!(spaced.lines[0].x < wide.lines[0].x - 10.0);
    let wrapped = TextLayout::new(&mut fonts, "end   end", &style, 50.0, 60.0);
    assert_eq!(wrapped.lines.len(), 2);
    assert!((wrapped.lines[0].x + wide.width - 50.0).abs() < 0.1);
}

#[test]
fn blank_lines_count_and_long_words_stick_out() {
    let mut fonts = fonts();
    let style = style(FontSize::Exactly(20.0));
    let layout = TextLayout::new(&mut fonts, "a\n\nb\r\nc", &style, 400.0, 100.0);
    assert_eq!((layout.lines.len(), layout.height), (4, 96.0));
    let long = TextLayout::new(&mut fonts, "unbreakableness so", &style, 40.0, 100.0);
    assert_eq!(long.lines.len(), 2);
    assert!(long.width > 40.0 && long.lines[0].x < 0.0);
}

#[test]
fn fitted_text_fills_its_box_and_stays_inside() {
    let mut fonts = fonts();
    let words = "many words ".repeat(1000);
    for (text, width, height) in [
        ("Big", 290.0, 200.0),
        (words.as_str(), 1920.0, 1080.0),
        ("Donaudampfschifffahrtsgesellschaft", 60.0, 400.0),
    ] {
        let layout = TextLayout::new(
            &mut fonts,
            text,
            &style(FontSize::Fit { scale: 1.0 }),
            width,
            height,
        );
        assert!(layout.width <= width && layout.height <= height, "{text}");
        assert!(layout.width > 0.6 * width || layout.height > 0.6 * height);
    }
    let bound = style(FontSize::AtMost(300.0));
    let layout = TextLayout::new(&mut fonts, "a b", &bound, 100.0, 1000.0);
    assert!(layout.font_size < 300.0 && layout.font_size > 20.0);
    let layout = TextLayout::new(&mut fonts, "a b", &bound, 2000.0, 1000.0);
    assert_eq!(layout.font_size, 300.0);
}

#[test]
fn spaced_letters_do_not_join_and_take_room_after_the_last_one() {
    let mut fonts = fonts();
    let mut style = style(FontSize::Exactly(40.0));
    style.families = vec!["Lato".into()];
    let plain = TextLayout::new(&mut fonts, "ffi", &style, 400.0, 60.0);
    style.letter_spacing = LetterSpacing { px: 10.0, em: 0.0 };
    let spaced = TextLayout::new(&mut fonts, "ffi", &style, 400.0, 60.0);
    assert!(plain.lines[0].glyphs.len() < 3);
    assert_eq!(spaced.lines[0].glyphs.len(), 3);
    assert!(spaced.width > plain.width + 20.0);
}

#[test]
fn right_to_left_words_turn_around_and_every_script_has_letters() {
    let mut fonts = fonts();
    let style = style(FontSize::Exactly(40.0));
    let text = "ab שלום مرحبا नमस्ते ไทย 日本 🚀 ★";
    let layout = TextLayout::new(&mut fonts, text, &style, 2000.0, 60.0);
    assert!(layout.faces.len() >= 7);
    assert!(layout.lines[0].glyphs.iter().all(|glyph| glyph.id != 0));
    let hebrew = TextLayout::new(&mut fonts, "אבג", &style, 400.0, 60.0);
    let single = TextLayout::new(&mut fonts, "א", &style, 400.0, 60.0);
    let glyphs = &hebrew.lines[0].glyphs;
    assert_eq!(
        glyphs.last().map(|g| g.id),
        single.lines[0].glyphs.first().map(|g| g.id)
    );
}

#[test]
fn what_has_no_face_is_slanted_and_thickened() {
    let mut fonts = fonts();
    let mut plain = style(FontSize::Exactly(60.0));
    plain.families = vec!["Noto Sans Math".into()];
    let faces = |fonts: &mut FontBook, style: &TextStyle| {
        let face = &fonts.named(style)[0];
        (face.is_emboldened, face.is_slanted)
    };
    assert_eq!(faces(&mut fonts, &plain), (false, false));
    plain.weight = 700;
    plain.italic = true;
    assert_eq!(faces(&mut fonts, &plain), (true, true));
    plain.families = vec!["Inter".into()];
    assert_eq!(faces(&mut fonts, &plain), (false, false));
}

#[test]
fn bold_letters_cover_more_and_turned_ones_as_much() {
    let mut typesetter = Typesetter::new(fonts());
    let mut covered = |style: &TextStyle, turn: f64, text: &str| {
        let layout = TextLayout::new(&mut typesetter.fonts, text, style, 200.0, 200.0);
        let mut pixmap = Pixmap::new(200, 200).expect("small");
        let map = Affine::rotate(turn).about(100.0, 100.0);
        typesetter.paint(
            &mut pixmap,
            &layout,
            (0, Part::ALL),
            map,
            Pen::Own(Color::BLACK),
        );
        (pixmap.pixels().iter())
            .map(|pixel| f64::from(pixel.alpha()))
            .sum::<f64>()
    };
    let mut plain = style(FontSize::Exactly(60.0));
    plain.families = vec!["Noto Sans Math".into()];
    let upright = covered(&plain, 0.0, "Hxg");
    let turned = covered(&plain, 33.0, "Hxg");
    assert!((upright / turned - 1.0).abs() < 0.03);
    plain.weight = 700;
    assert!(covered(&plain, 0.0, "Hxg") > 1.15 * upright);
    plain.size = FontSize::Exactly(300.0);
    assert!(covered(&plain, 0.0, "H") > 0.0);
    assert!(covered(&plain, 20.0, "😀") > 0.0);
}

#[test]
fn odd_input_is_drawn_or_left_out() {
    let mut typesetter = Typesetter::new(fonts());
    let mut pixmap = Pixmap::new(50, 50).expect("small");
    for size in [f32::NAN, 0.0, -5.0, 1e-9, 1e9, f32::INFINITY] {
        for sized in [
            FontSize::Exactly(size),
            FontSize::AtMost(size),
            FontSize::Fit { scale: size },
        ] {
            for text in ["", "\u{200D}\u{FE0F}", "a\u{0}b\tc", "Hg😀"] {
                let mut style = style(sized);
                style.letter_spacing = LetterSpacing { px: size, em: 0.0 };
                let layout = TextLayout::new(&mut typesetter.fonts, text, &style, size, 40.0);
                for map in [
                    Affine::IDENTITY,
                    Affine::scale(1e30, 1e-30),
                    Affine::rotate(7.0),
                ] {
                    typesetter.paint(
                        &mut pixmap,
                        &layout,
                        (0, Part::ALL),
                        map,
                        Pen::Own(Color::BLACK),
                    );
                }
            }
        }
    }
}

#[test]
fn tabs_lead_to_the_next_multiple_of_eight_spaces_that_is_not_too_near() {
    let mut fonts = fonts();
    let mut style = style(FontSize::Exactly(16.0));
    style.align = TextAlign::Left;
    let starts = |fonts: &mut FontBook, text: &str, width: f32| -> Vec<Vec<f32>> {
        let layout = TextLayout::new(fonts, text, &style, width, 60.0);
        let line = |line: &super::layout::Line| line.glyphs.iter().map(|g| g.x).collect();
        layout.lines.iter().map(line).collect()
    };
    let space = starts(&mut fonts, "a b", 400.0)[0][2] - starts(&mut fonts, "ab", 400.0)[0][1];
    let stop = space * 8.0;
    assert!((starts(&mut fonts, "i\tb", 400.0)[0][1] - stop).abs() < 0.1);
    // Stops count from the start of the line, wherever that is in the text.
    let lines = starts(&mut fonts, "aaaaaaaaaaaaaaaaaa i\tb", 3.2 * stop);
    assert_eq!(lines.len(), 2);
    assert!((lines[1][1] - stop).abs() < 0.1, "{lines:?}");
    // A tab is as wide as half a space at least.
    let letter = starts(&mut fonts, "ii", 400.0)[0][1];
    for count in 1..40 {
        let text = format!("{}\tb", "i".repeat(count));
        let after = starts(&mut fonts, &text, 4000.0)[0][count];
        let stops = after / stop;
        assert!((stops - stops.round()).abs() < 0.01, "{text}: {after}");
        let width = after - letter * count as f32;
        assert!(width > space / 2.0 - 0.1 && width < stop + space, "{text}");
    }
}

#[test]
fn a_hyphen_is_seen_only_where_a_line_breaks_at_a_soft_one_and_has_to_fit() {
    let mut fonts = fonts();
    let style = style(FontSize::Exactly(20.0));
    let glyphs = |fonts: &mut FontBook, text: &str, width: f32| -> Vec<(usize, f32)> {
        let layout = TextLayout::new(fonts, text, &style, width, 60.0);
        let inked = |line: &super::layout::Line| (line.glyphs.len(), line.width);
        layout.lines.iter().map(inked).collect()
    };
    let whole = glyphs(&mut fonts, "softhyphen", 400.0)[0].1;
    let first = glyphs(&mut fonts, "soft", 400.0)[0].1;
    let with_hyphen = glyphs(&mut fonts, "soft\u{2010}", 400.0)[0].1;
    let soft = "soft\u{AD}hyphen";
    assert!((glyphs(&mut fonts, soft, 400.0)[0].1 - whole).abs() < 0.1);
    let broken = glyphs(&mut fonts, soft, whole - 2.0);
    assert_eq!(broken.len(), 2);
    assert!((broken[0].1 - with_hyphen).abs() < 1.0, "kerned at most");
    // The hyphen would not fit, so the line breaks at the space before.
    let spaced = glyphs(&mut fonts, "a soft", 400.0)[0].1 + 1.0;
    let earlier = glyphs(&mut fonts, "a soft\u{AD}ly", spaced);
    assert_eq!(earlier.len(), 2);
    assert!(earlier[0].1 < first, "{earlier:?}");
}

#[test]
fn a_line_is_as_wide_as_the_rounded_advances_of_a_browser_say() {
    // The advances make 107.5 pixels, but rounded ones a little more: 17.25 are not left on each side.
    let style = style(FontSize::Exactly(32.0));
    let layout = TextLayout::new(&mut fonts(), "Outline", &style, 142.0, 72.0);
    assert_eq!(layout.lines[0].x, 17.234_375);
}

fn laid_out(text: &str) -> TextLayout {
    let style = style(FontSize::Exactly(20.0));
    TextLayout::new(&mut fonts(), text, &style, 600.0, 200.0)
}

#[test]
fn pieces_are_lines_words_or_clusters_without_white_space() {
    use kinora_composition::document::Split;
    let count = |text: &str, split| laid_out(text).pieces(split).len();
    let text = "  né 👩\u{200D}💻\n\nwell-known ";
    assert_eq!(count(text, Split::None), 1);
    assert_eq!(count(text, Split::Line), 2, "empty lines are no pieces");
    assert_eq!(count(text, Split::Word), 3);
    assert_eq!(count(text, Split::Character), 3 + 10);
    assert_eq!(count("e\u{301}e\u{301}", Split::Character), 2);
    assert_eq!(count("日本語。", Split::Word), 3, "writing without spaces");
    assert_eq!(count("مرحبا", Split::Character), 5);
    for blank in ["", " ", "\n \n"] {
        assert_eq!(count(blank, Split::Character), 0, "{blank:?}");
    }
}

#[test]
fn pieces_hold_every_cluster_once_and_in_order() {
    use kinora_composition::document::Split;
    let layout = laid_out("One, two\nשלום عالم three");
    for split in [Split::Word, Split::Character, Split::Line] {
        let pieces = layout.pieces(split);
        let ends = pieces.iter().map(|piece| piece.end);
        let next = pieces.iter().skip(1).map(|piece| piece.first);
        assert!(ends.zip(next).all(|(end, next)| end == next), "{split:?}");
        assert_eq!(
            pieces.last().map(|piece| piece.end),
            Some(layout.clusters.len())
        );
    }
}

#[test]
fn a_cursor_stands_behind_the_last_letter_in_its_direction() {
    let layout = laid_out("ab\n\nc");
    let carets: Vec<_> = (0..=5)
        .filter_map(|letters| layout.caret(letters))
        .collect();
    let lines: Vec<usize> = carets.iter().map(|caret| caret.line).collect();
    assert_eq!(lines, [0, 0, 0, 1, 2, 2]);
    assert!(carets[0].x < carets[1].x && carets[1].x < carets[2].x);
    let middle = carets[3].x;
    assert!(
        (middle - 300.0).abs() < 0.1,
        "an empty line is in the middle"
    );
    let hebrew = laid_out("שלום");
    let x = |letters| hebrew.caret(letters).expect("a place").x;
    assert!(x(0) > x(1) && x(1) > x(4));
    assert!(laid_out("").caret(0).is_some());
}
