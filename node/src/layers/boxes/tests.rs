//! Boxes, looked at pixel by pixel.

use kinora_composition::css::{Background, Border, BorderSide, Color, CornerRadii, Shadow, Sides};
use kinora_composition::timeline::{Affine, BoxStyle, Size};

use crate::layers::easel::{HostStill, View};
use crate::layers::frame;

const SIZE: Size = Size {
    width: 40.0,
    height: 30.0,
};

fn background(text: &str) -> BoxStyle {
    BoxStyle {
        background: Background::parse(text, None, Color::BLACK).expect(text),
        ..BoxStyle::default()
    }
}

fn bordered(text: &str) -> BoxStyle {
    BoxStyle {
        border: Border::all(BorderSide::parse(text, Color::BLACK).expect(text)),
        ..BoxStyle::default()
    }
}

fn shadowed(text: &str) -> BoxStyle {
    BoxStyle {
        shadows: Shadow::parse_box(text, Color::BLACK).expect(text),
        ..BoxStyle::default()
    }
}

/// A painted box, with 20 pixels around it.
struct Painted(Option<HostStill>);

impl Painted {
    fn new(style: &BoxStyle) -> Self {
        Self::under(style, Affine::IDENTITY)
    }

    fn under(style: &BoxStyle, to_picture: Affine) -> Self {
        let view = View {
            to_picture,
            ..View::plain(SIZE, 20)
        };
        Self(frame::raster(style, SIZE, &view).expect("small"))
    }

    /// Red, green, blue and alpha at a pixel.
    fn at(&self, x: i32, y: i32) -> [u8; 4] {
        let Some(still) = &self.0 else {
            return [0; 4];
        };
        let (x, y) = (x - still.at.0, y - still.at.1);
        let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else {
            return [0; 4];
        };
        if x >= still.pixels.width() {
            return [0; 4];
        }
        still.pixels.pixel(x, y).map_or([0; 4], |pixel| {
            [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()]
        })
    }
}

const RED: [u8; 4] = [255, 0, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const LIME: [u8; 4] = [0, 255, 0, 255];

#[test]
fn hard_stops_are_sharp_and_colours_mix_with_their_alpha() {
    let hard = Painted::new(&background("linear-gradient(90deg, red 50%, blue 50%)"));
    assert_eq!((hard.at(19, 5), hard.at(20, 5)), (RED, BLUE));
    let faded = Painted::new(&background("linear-gradient(90deg, transparent, red)"));
    let [r, g, b, a] = faded.at(20, 5);
    assert_eq!((r, g, b), (a, 0, 0), "no grey in between");
    assert!((125..=135).contains(&a), "{a}");
}

#[test]
fn gradients_without_length_show_their_last_colour() {
    for text in [
        "radial-gradient(circle 0px, red, blue)",
        "repeating-linear-gradient(red 20%, blue 20%)",
        "repeating-conic-gradient(red 0, blue 0)",
    ] {
        let painted = Painted::new(&background(text));
        assert_eq!(
            (painted.at(0, 0), painted.at(20, 15)),
            (BLUE, BLUE),
            "{text}"
        );
    }
}

#[test]
fn conic_gradients_turn_clockwise_from_the_top() {
    let painted = Painted::new(&background(
        "conic-gradient(red 25%, blue 0 50%, lime 0 75%, black 0)",
    ));
    assert_eq!(painted.at(30, 5), RED);
    assert_eq!(painted.at(30, 25), BLUE);
    assert_eq!(painted.at(10, 25), LIME);
    assert_eq!(painted.at(10, 5), [0, 0, 0, 255]);
}

#[test]
fn tiles_repeat_or_stay_alone() {
    let tiled = Painted::new(&background(
        "linear-gradient(90deg, red 50%, blue 0) 0 0/10px 10px",
    ));
    assert_eq!((tiled.at(4, 4), tiled.at(5, 4)), (RED, BLUE));
    assert_eq!((tiled.at(34, 24), tiled.at(35, 24)), (RED, BLUE));
    let alone = Painted::new(&background(
        "linear-gradient(red, red) no-repeat 10px 10px/10px 10px, lime",
    ));
    assert_eq!((alone.at(9, 10), alone.at(10, 10)), (LIME, RED));
    assert_eq!((alone.at(19, 19), alone.at(20, 20)), (RED, LIME));
}

#[test]
fn backgrounds_reach_below_the_border_but_start_inside_it() {
    let mut style = background("linear-gradient(90deg, red 50%, blue 0)");
    style.border = bordered("4px dashed transparent").border;
    let painted = Painted::new(&style);
    assert_eq!(painted.at(2, 15), BLUE, "the tile is repeated");
    assert_eq!(painted.at(37, 15), RED);
    style = background(
        "linear-gradient(red, red) padding-box, linear-gradient(lime, lime) content-box",
    );
    style.border = bordered("4px dashed transparent").border;
    style.padding = Sides::parse_padding("3px").expect("valid");
    style.background.layers.reverse();
    let painted = Painted::new(&style);
    assert_eq!(painted.at(3, 15)[3], 0);
    assert_eq!((painted.at(6, 15), painted.at(7, 15)), (RED, LIME));
}

#[test]
fn sides_of_different_colours_meet_without_a_gap() {
    let mut style = bordered("10px solid red");
    style.border.left.color = Color::parse("blue").expect("valid");
    style.border.left.width = 14.0;
    let painted = Painted::new(&style);
    assert_eq!((painted.at(20, 5), painted.at(5, 15)), (RED, BLUE));
    for step in 0..10 {
        let [.., alpha] = painted.at(step * 14 / 10, step);
        assert!(alpha >= 254, "{step}: {alpha}");
    }
    assert_eq!(painted.at(20, 15)[3], 0, "nothing inside");
}

#[test]
fn border_styles_divide_the_width() {
    let double = Painted::new(&bordered("10px double red"));
    assert_eq!((double.at(20, 2), double.at(20, 3)[3]), (RED, 0));
    assert_eq!((double.at(20, 6)[3], double.at(20, 7)), (0, RED));
    let ridge = Painted::new(&bordered("10px ridge rgb(100 100 100)"));
    let (light, dark) = (ridge.at(20, 2)[0], ridge.at(20, 7)[0]);
    assert!(light > 180 && dark < 20, "{light}, {dark}");
    let dashed = Painted::new(&bordered("4px dashed red"));
    assert_eq!(dashed.at(1, 1), RED);
    let row: Vec<u8> = (0..40).map(|x| dashed.at(x, 1)[3]).collect();
    assert!(row.contains(&0) && row.contains(&255), "{row:?}");
    let dotted = Painted::new(&bordered("6px dotted red"));
    assert!(dotted.at(0, 0)[3] < 20, "round");
    assert_eq!(dotted.at(3, 3), RED);
}

#[test]
fn shadows_are_not_seen_below_their_box() {
    let painted = Painted::new(&shadowed("4px 4px 0 red"));
    assert_eq!(painted.at(20, 15)[3], 0);
    assert_eq!((painted.at(43, 33), painted.at(44, 20)[3]), (RED, 0));
    let soft = Painted::new(&shadowed("0 0 10px red"));
    let fall: Vec<u8> = (40..50).map(|x| soft.at(x, 15)[3]).collect();
    assert!(fall.is_sorted_by(|a, b| a >= b), "{fall:?}");
    assert!((95..=125).contains(&fall[0]), "half at the edge: {fall:?}");
}

#[test]
fn shadows_inside_start_at_the_border() {
    let painted = Painted::new(&shadowed("inset 5px 0 0 red"));
    let row: Vec<u8> = (0..40).map(|x| painted.at(x, 15)[3]).collect();
    assert_eq!(
        (painted.at(4, 15), painted.at(5, 15)[3]),
        (RED, 0),
        "{row:?}"
    );
    let whole = Painted::new(&shadowed("inset 0 0 0 100px red"));
    assert_eq!(whole.at(20, 15), RED);
}

#[test]
fn what_lies_out_of_the_picture_casts_its_shadow_into_it() {
    for radius in ["0", "8px"] {
        let mut style = shadowed("0 0 30px black");
        style.radii = CornerRadii::parse(radius).expect("valid");
        // All of the box is left of the picture.
        let painted = Painted::under(&style, Affine::translate(-61.0, 0.0));
        let [.., alpha] = painted.at(-20, 15);
        assert!(alpha > 70, "{radius}: {alpha}");
    }
}

#[test]
fn enormous_boxes_are_painted_only_where_they_are_seen() {
    let mut style = background("linear-gradient(90deg, red, blue)");
    style.border = bordered("9px dotted blue").border;
    style.radii = CornerRadii::parse("40%").expect("valid");
    style.shadows = shadowed("0 0 90000px 90000px red, inset 0 0 90000px red").shadows;
    let size = Size {
        width: 1e9,
        height: 1e7,
    };
    let view = View::plain(SIZE, 20);
    let still = frame::raster(&style, size, &view).expect("small");
    assert!(still.is_none_or(|still| still.pixels.width() <= 80));
    for value in [f32::NAN, f32::INFINITY, -5.0] {
        let size = Size {
            width: value,
            height: 30.0,
        };
        assert!(frame::raster(&style, size, &view).is_ok());
    }
}

#[test]
fn rounded_edges_of_translucent_borders_are_cut_once() {
    let mut style = background("red");
    style.border = bordered("6px solid rgb(255 0 0 / 50%)").border;
    style.radii = CornerRadii::parse("12px").expect("valid");
    let painted = Painted::new(&style);
    let once = Painted::new(&BoxStyle {
        radii: style.radii,
        ..background("red")
    });
    for x in 0..12 {
        let (both, alone) = (painted.at(x, 1)[3], once.at(x, 1)[3]);
        assert!(both.abs_diff(alone) <= 1, "{x}: {both}, {alone}");
    }
}
