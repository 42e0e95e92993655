//! What clients order: small videos in which every frame shows its number.

use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

/// How many accounts order.
pub(crate) const ACCOUNTS: usize = 4;

pub(crate) const WIDTH: usize = 160;
pub(crate) const HEIGHT: usize = 90;
pub(crate) const FPS: u32 = 30;
const FRAMES: std::ops::RangeInclusive<u32> = 10..=60;
/// How many of noise are too large for one piece.
const FRAMES_OF_NOISE: u32 = 60;
/// How much larger than others a video with noise is, in each direction.
const SCALE_OF_NOISE: usize = 8;
/// Frame n lights cell n: a square of this size, sixteen in a row.
const CELL: usize = 10;
const CELLS: usize = 64;
/// Where a picture or noise is, below the cells: left, top, width, height.
const PICTURE: [usize; 4] = [0, 50, 160, 40];
/// How long after the others of its batch an order may come.
const SPREAD: std::ops::Range<f64> = 0.0..3.0;

/// What a video needs from elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Media {
    Nothing,
    /// A sound.
    Sound,
    /// A picture of the client's own, uploaded before.
    Upload,
    /// A picture that is none: the render must fail and be paid back.
    Broken,
    /// A video of noise, with which the film is so large that it goes into the store in parts.
    Noise,
}

/// One video that a client wants.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) number: usize,
    pub(crate) account: usize,
    pub(crate) frames: u32,
    pub(crate) media: Media,
    /// Whether the client wants to be called when it is ready.
    pub(crate) calls_back: bool,
    /// Whether the client sends the order again though it was answered.
    pub(crate) insists: bool,
    /// Whether the client looks at a preview too.
    pub(crate) previews: bool,
    pub(crate) comes_after: Duration,
}

impl Order {
    /// What the order is known by when it is sent again.
    pub(crate) fn key(&self) -> String {
        format!("order-{}", self.number)
    }
}

/// All orders of a run.
pub(crate) fn orders(count: usize, seed: u64) -> Vec<Order> {
    let mut dice = StdRng::seed_from_u64(seed);
    let media = [
        Media::Nothing,
        Media::Sound,
        Media::Upload,
        Media::Noise,
        Media::Broken,
        Media::Sound,
        Media::Nothing,
        Media::Sound,
        Media::Upload,
        Media::Nothing,
        Media::Broken,
        Media::Sound,
    ];
    (0..count)
        .map(|number| Order {
            number,
            account: dice.random_range(0..ACCOUNTS),
            frames: dice.random_range(FRAMES),
            media: media[number % media.len()],
            calls_back: dice.random_ratio(1, 3),
            insists: dice.random_ratio(1, 3),
            previews: number % 7 == 0,
            comes_after: Duration::from_secs_f64(dice.random_range(SPREAD)),
        })
        .map(|order| match order.media {
            Media::Noise => Order {
                frames: FRAMES_OF_NOISE,
                ..order
            },
            _ => order,
        })
        .collect()
}

/// The composition of an order, with its picture, sound or noise at `src`.
pub(crate) fn composition(order: &Order, src: &str) -> Value {
    let scale = match order.media {
        Media::Noise => SCALE_OF_NOISE,
        _ => 1,
    };
    let cells = (0..order.frames).map(|frame| cell(frame, scale));
    let mut overlays: Vec<Value> = cells.collect();
    let [left, top, width, height] = PICTURE.map(|length| length * scale);
    match order.media {
        Media::Nothing => {}
        Media::Sound => overlays.push(json!({
            "id": 1_000, "type": "sound", "src": src, "from": 0,
            "durationInFrames": order.frames, "row": 2,
            "left": 0, "top": 0, "width": 0, "height": 0,
        })),
        Media::Upload | Media::Broken => overlays.push(json!({
            "id": 1_001, "type": "image", "src": src, "from": 0,
            "durationInFrames": order.frames, "row": 3,
            "left": left, "top": top, "width": width, "height": height,
            "styles": {"objectFit": "fill"},
        })),
        Media::Noise => overlays.push(json!({
            "id": 1_002, "type": "video", "src": src, "from": 0,
            "durationInFrames": order.frames, "row": 3,
            "left": left, "top": top, "width": width, "height": height,
        })),
    }
    json!({
        "width": WIDTH * scale, "height": HEIGHT * scale, "fps": FPS, "durationInFrames": order.frames,
        "backgroundColor": "#102030", "overlays": overlays,
    })
}

fn cell(frame: u32, scale: usize) -> Value {
    let [left, top] = corner(frame as usize).map(|length| length * scale);
    let side = CELL * scale;
    json!({
        "id": frame, "type": "shape", "content": "rectangle", "from": frame,
        "durationInFrames": 1, "row": 1,
        "left": left, "top": top, "width": side, "height": side,
        "styles": {"fill": "#ffffff"},
    })
}

fn corner(cell: usize) -> [usize; 2] {
    let in_a_row = WIDTH / CELL;
    [cell % in_a_row * CELL, cell / in_a_row * CELL]
}

/// The numbers that a picture shows, one byte of brightness for each pixel.
pub(crate) fn numbers(picture: &[u8]) -> Vec<usize> {
    let is_lit = |cell: &usize| {
        let [left, top] = corner(*cell);
        picture[(top + CELL / 2) * WIDTH + left + CELL / 2] > 128
    };
    (0..CELLS).filter(is_lit).collect()
}

/// Whether a picture shows the client's own one, which is bright on both sides.
pub(crate) fn shows_upload(picture: &[u8]) -> bool {
    let [left, top, width, height] = PICTURE;
    let middle = (top + height / 2) * WIDTH;
    [left + width / 4, left + width * 3 / 4]
        .iter()
        .all(|x| picture[middle + x] > 100)
}
