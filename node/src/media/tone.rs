//! Wide colours and high dynamic range brought to what a plain screen shows: BT.709, 8 bit.

use ffmpeg_the_third as ffmpeg;

use ffmpeg::format::Pixel;
use ffmpeg::{color, frame};

use super::convert::Coding;
use super::picture::ColorMatrix;

/// Where white of plain pictures lies, in candela for each square metre (ITU-R BT.2408).
const WHITE_NITS: f32 = 203.0;
/// The brightest that pictures of high dynamic range are taken to be.
const PEAK_NITS: f32 = 1000.0;
/// The brightest that PQ can say.
const PQ_NITS: f32 = 10_000.0;

/// Nodes of the table: luma and both chromas. Between them, colours are interpolated.
const LUMA_NODES: usize = 65;
const CHROMA_NODES: usize = 33;
/// Bits of a 10-bit sample that say how far it is from a node to the next.
const LUMA_SHIFT: u32 = 4;
const CHROMA_SHIFT: u32 = 5;
/// Rows that are worth a thread.
const ROWS_OF_A_THREAD: usize = 128;
const MOST_THREADS: usize = 8;

/// What samples say about light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Transfer {
    Plain,
    Pq,
    Hlg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Primaries {
    Bt709,
    P3,
    Bt2020,
}

/// Colours that differ from those of the canvas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Light {
    transfer: Transfer,
    primaries: Primaries,
}

impl Light {
    /// What a frame says, unless its colours are the canvas's own.
    pub(super) fn of(frame: &frame::Video) -> Option<Self> {
        let transfer = match frame.color_transfer_characteristic() {
            color::TransferCharacteristic::SMPTE2084 => Transfer::Pq,
            color::TransferCharacteristic::ARIB_STD_B67 => Transfer::Hlg,
            _ => Transfer::Plain,
        };
        let primaries = match frame.color_primaries() {
            color::Primaries::BT2020 => Primaries::Bt2020,
            color::Primaries::SMPTE431 | color::Primaries::SMPTE432 => Primaries::P3,
            color::Primaries::Unspecified if transfer != Transfer::Plain => Primaries::Bt2020,
            _ => Primaries::Bt709,
        };
        (transfer != Transfer::Plain || primaries != Primaries::Bt709).then_some(Self {
            transfer,
            primaries,
        })
    }

    /// What Y'CbCr in another light look like on the canvas, as R'G'B'.
    fn on_canvas(self, color: [f32; 3]) -> [f32; 3] {
        let linear = match self.transfer {
            Transfer::Plain => color.map(from_srgb),
            Transfer::Pq => toned(color.map(|value| from_pq(value) * PQ_NITS)),
            Transfer::Hlg => toned(hlg_display(color.map(from_hlg))),
        };
        let matrix = match self.primaries {
            Primaries::Bt709 => return linear.map(to_srgb),
            Primaries::P3 => P3_TO_BT709,
            Primaries::Bt2020 => BT2020_TO_BT709,
        };
        let narrow = matrix.map(|row| dot(row, linear));
        within(narrow).map(to_srgb)
    }
}

const BT2020_TO_BT709: [[f32; 3]; 3] = [
    [1.660_491, -0.587_641, -0.072_85],
    [-0.124_55, 1.132_9, -0.008_349],
    [-0.018_151, -0.100_579, 1.118_73],
];
const P3_TO_BT709: [[f32; 3]; 3] = [
    [1.224_94, -0.224_94, 0.0],
    [-0.042_057, 1.042_057, 0.0],
    [-0.019_638, -0.078_636, 1.098_274],
];
const BT709_LUMINANCE: [f32; 3] = [0.212_639, 0.715_169, 0.072_192];
const BT2020_LUMINANCE: [f32; 3] = [0.2627, 0.678, 0.0593];

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn from_srgb(value: f32) -> f32 {
    let value = value.clamp(0.0, 1.0);
    if value <= 0.040_45 {
        value / 12.92
    } else {
        ((value + 0.055) / 1.055).powf(2.4)
    }
}

fn to_srgb(value: f32) -> f32 {
    let value = value.clamp(0.0, 1.0);
    if value <= 0.003_130_8 {
        value * 12.92
    } else {
        1.055 * value.powf(1.0 / 2.4) - 0.055
    }
}

const PQ_M1: f32 = 0.159_301_76;
const PQ_M2: f32 = 78.843_75;
const PQ_C1: f32 = 0.835_937_5;
const PQ_C2: f32 = 18.851_562;
const PQ_C3: f32 = 18.687_5;

/// From a PQ signal to light, where 1 is the brightest.
fn from_pq(value: f32) -> f32 {
    let power = value.clamp(0.0, 1.0).powf(1.0 / PQ_M2);
    ((power - PQ_C1).max(0.0) / (PQ_C2 - PQ_C3 * power)).powf(1.0 / PQ_M1)
}

fn to_pq(light: f32) -> f32 {
    let power = light.clamp(0.0, 1.0).powf(PQ_M1);
    ((PQ_C1 + PQ_C2 * power) / (1.0 + PQ_C3 * power)).powf(PQ_M2)
}

/// From an HLG signal to the light of the scene, where 1 is the brightest.
fn from_hlg(value: f32) -> f32 {
    const A: f32 = 0.178_832_77;
    const B: f32 = 1.0 - 4.0 * A;
    const C: f32 = 0.559_910_7;
    let value = value.clamp(0.0, 1.0);
    if value <= 0.5 {
        value * value / 3.0
    } else {
        (((value - C) / A).exp() + B) / 12.0
    }
}

/// From the light of a scene to that of the screen it was made for.
fn hlg_display(scene: [f32; 3]) -> [f32; 3] {
    const GAMMA: f32 = 1.2;
    let luminance = dot(BT2020_LUMINANCE, scene).max(0.0);
    let gain = PEAK_NITS * luminance.powf(GAMMA - 1.0);
    scene.map(|value| value * gain)
}

/// From light up to the peak to light up to white: dark and middle tones stay, bright ones come
/// together (the curve of ITU-R BT.2390, on the strongest channel, so that hues stay).
fn toned(nits: [f32; 3]) -> [f32; 3] {
    let strongest = nits[0].max(nits[1]).max(nits[2]);
    if strongest <= 0.0 {
        return [0.0; 3];
    }
    let peak = to_pq(PEAK_NITS / PQ_NITS);
    let most = to_pq(WHITE_NITS / PQ_NITS) / peak;
    let knee = 1.5 * most - 0.5;
    let signal = (to_pq(strongest / PQ_NITS) / peak).min(1.0);
    let signal = if signal < knee {
        signal
    } else {
        let t = (signal - knee) / (1.0 - knee);
        let (t2, t3) = (t * t, t * t * t);
        (2.0 * t3 - 3.0 * t2 + 1.0) * knee
            + (t3 - 2.0 * t2 + t) * (1.0 - knee)
            + (3.0 * t2 - 2.0 * t3) * most
    };
    let scale = from_pq(signal * peak) * PQ_NITS / strongest;
    nits.map(|value| value * scale / WHITE_NITS)
}

/// Pulls a colour that the canvas can't show towards grey of its own brightness, until it can.
fn within(color: [f32; 3]) -> [f32; 3] {
    let grey = dot(BT709_LUMINANCE, color).clamp(0.0, 1.0);
    let kept = color.iter().fold(1.0_f32, |kept, value| {
        let reach = if *value < 0.0 {
            grey / (grey - value)
        } else if *value > 1.0 {
            (1.0 - grey) / (value - grey)
        } else {
            1.0
        };
        kept.min(reach)
    });
    color.map(|value| grey + (value - grey) * kept)
}

/// A table from 10-bit 4:2:0 in some light to 8-bit 4:2:0 in BT.709, limited range.
pub(super) struct Toner {
    light: Light,
    coding: Coding,
    /// Luma and both chromas of the result, in 255ths, by chroma and luma of the source.
    tables: [Vec<f32>; 3],
}

impl Toner {
    pub(super) fn new(light: Light, coding: Coding) -> Self {
        let nodes = LUMA_NODES * CHROMA_NODES * CHROMA_NODES;
        let mut tables = [(); 3].map(|()| Vec::with_capacity(nodes));
        for blue in 0..CHROMA_NODES {
            for red in 0..CHROMA_NODES {
                for luma in 0..LUMA_NODES {
                    let samples = [
                        luma << LUMA_SHIFT,
                        blue << CHROMA_SHIFT,
                        red << CHROMA_SHIFT,
                    ];
                    let color = light.on_canvas(decoded(samples, coding));
                    for (table, value) in tables.iter_mut().zip(encoded(color)) {
                        table.push(value);
                    }
                }
            }
        }
        Self {
            light,
            coding,
            tables,
        }
    }

    /// Whether the table was made for such a frame.
    pub(super) fn fits(&self, light: Light, coding: Coding) -> bool {
        self.light == light && self.coding == coding
    }

    /// The coding of what comes out.
    pub(super) fn coding() -> Coding {
        Coding {
            matrix: ColorMatrix::Bt709,
            full_range: false,
        }
    }

    /// Converts a frame of 10-bit 4:2:0; none of another kind.
    pub(super) fn apply(&self, frame: &frame::Video) -> Option<frame::Video> {
        if frame.format() != Pixel::YUV420P10LE {
            return None;
        }
        let source = Source {
            planes: [samples(frame, 0)?, samples(frame, 1)?, samples(frame, 2)?],
            strides: [0, 1, 2].map(|plane| frame.stride(plane) / 2),
            width: frame.width() as usize,
            height: frame.height() as usize,
        };
        let mut converted = frame::Video::new(Pixel::YUV420P, frame.width(), frame.height());
        for plane in 0..3 {
            let stride = converted.stride(plane);
            let rows = converted.plane_height(plane) as usize;
            let threads = threads_for(rows);
            let band = rows.div_ceil(threads).max(1);
            let data = converted.data_mut(plane);
            let end = data.len().min(stride * rows);
            std::thread::scope(|scope| {
                for (index, lines) in data[..end].chunks_mut(band * stride).enumerate() {
                    let (source, first) = (&source, index * band);
                    let mut work = move || {
                        for (row, line) in lines.chunks_mut(stride).enumerate() {
                            match plane {
                                0 => self.luma_row(source, first + row, line),
                                _ => self.chroma_row(source, first + row, plane, line),
                            }
                        }
                    };
                    if threads == 1 {
                        work();
                    } else {
                        scope.spawn(work);
                    }
                }
            });
        }
        Some(converted)
    }

    fn luma_row(&self, source: &Source<'_>, row: usize, line: &mut [u8]) {
        let table = &self.tables[0];
        let luma = source.row(0, row, source.width);
        let chroma_width = source.width.div_ceil(2);
        let blue = source.row(1, row / 2, chroma_width);
        let red = source.row(2, row / 2, chroma_width);
        let pairs = line[..source.width].chunks_mut(2).zip(luma.chunks(2));
        for ((pair, luma), (blue, red)) in pairs.zip(blue.iter().zip(red)) {
            let cell = Cell::of(*blue, *red);
            for (out, luma) in pair.iter_mut().zip(luma) {
                *out = cell.look_up(table, *luma);
            }
        }
    }

    fn chroma_row(&self, source: &Source<'_>, row: usize, plane: usize, line: &mut [u8]) {
        let table = &self.tables[plane];
        let chroma_width = source.width.div_ceil(2);
        let below = (2 * row + 1).min(source.height - 1);
        let upper = source.row(0, 2 * row, source.width);
        let lower = source.row(0, below, source.width);
        let blue = source.row(1, row, chroma_width);
        let red = source.row(2, row, chroma_width);
        let luma = upper.chunks(2).zip(lower.chunks(2));
        for ((out, (upper, lower)), (blue, red)) in
            line.iter_mut().zip(luma).zip(blue.iter().zip(red))
        {
            let sum: u32 = upper.iter().chain(lower).map(|luma| u32::from(*luma)).sum();
            let count = (upper.len() + lower.len()) as u32;
            let mean = (sum + count / 2) / count;
            *out = Cell::of(*blue, *red).look_up(table, mean as u16);
        }
    }
}

/// A frame of 10-bit samples.
struct Source<'a> {
    planes: [&'a [u16]; 3],
    strides: [usize; 3],
    width: usize,
    height: usize,
}

impl Source<'_> {
    fn row(&self, plane: usize, row: usize, width: usize) -> &[u16] {
        &self.planes[plane][row * self.strides[plane]..][..width]
    }
}

/// The corners of the table around a chroma, and the share of each.
struct Cell {
    corners: [usize; 4],
    shares: [f32; 4],
}

impl Cell {
    fn of(blue: u16, red: u16) -> Self {
        const STEP: f32 = (1 << CHROMA_SHIFT) as f32;
        let part = |sample: u16| {
            let sample = usize::from(sample.min(1023));
            let node = sample >> CHROMA_SHIFT;
            (node, (sample - (node << CHROMA_SHIFT)) as f32 / STEP)
        };
        let ((blue, b), (red, r)) = (part(blue), part(red));
        let at = |blue: usize, red: usize| (blue * CHROMA_NODES + red) * LUMA_NODES;
        Self {
            corners: [
                at(blue, red),
                at(blue, red + 1),
                at(blue + 1, red),
                at(blue + 1, red + 1),
            ],
            shares: [(1.0 - b) * (1.0 - r), (1.0 - b) * r, b * (1.0 - r), b * r],
        }
    }

    fn look_up(&self, table: &[f32], luma: u16) -> u8 {
        const STEP: f32 = (1 << LUMA_SHIFT) as f32;
        let luma = usize::from(luma.min(1023));
        let node = luma >> LUMA_SHIFT;
        let part = (luma - (node << LUMA_SHIFT)) as f32 / STEP;
        let value: f32 = (self.corners.iter().zip(self.shares))
            .map(|(corner, share)| {
                let low = table[corner + node];
                share * (low + (table[corner + node + 1] - low) * part)
            })
            .sum();
        (value + 0.5) as u8
    }
}

/// R'G'B' of 10-bit Y'CbCr.
fn decoded(samples: [usize; 3], coding: Coding) -> [f32; 3] {
    let (red, blue) = coding.matrix.weights();
    let [luma, cb, cr] = samples.map(|sample| sample as f32);
    let (luma, cb, cr) = if coding.full_range {
        (luma / 1023.0, (cb - 512.0) / 1023.0, (cr - 512.0) / 1023.0)
    } else {
        (
            (luma - 64.0) / 876.0,
            (cb - 512.0) / 896.0,
            (cr - 512.0) / 896.0,
        )
    };
    let (r, b) = (
        luma + 2.0 * (1.0 - red) * cr,
        luma + 2.0 * (1.0 - blue) * cb,
    );
    [r, (luma - red * r - blue * b) / (1.0 - red - blue), b]
}

/// 8-bit Y'CbCr in BT.709, limited range.
fn encoded([r, g, b]: [f32; 3]) -> [f32; 3] {
    let (red, blue) = ColorMatrix::Bt709.weights();
    let luma = red * r + (1.0 - red - blue) * g + blue * b;
    [
        16.0 + 219.0 * luma,
        128.0 + 224.0 * (b - luma) / (2.0 * (1.0 - blue)),
        128.0 + 224.0 * (r - luma) / (2.0 * (1.0 - red)),
    ]
}

fn samples(frame: &frame::Video, plane: usize) -> Option<&[u16]> {
    let stride = i32::try_from(frame.stride(plane)).ok()? as usize;
    let bytes = frame
        .data(plane)
        .get(..stride * frame.plane_height(plane) as usize)?;
    bytemuck::try_cast_slice(bytes).ok()
}

fn threads_for(rows: usize) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    (rows / ROWS_OF_A_THREAD).clamp(1, processors.min(MOST_THREADS))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PQ: Light = Light {
        transfer: Transfer::Pq,
        primaries: Primaries::Bt2020,
    };

    fn grey_of(light: Light, signal: f32) -> f32 {
        let [red, green, blue] = light.on_canvas([signal; 3]);
        assert!((red - green).abs() < 1e-3 && (green - blue).abs() < 1e-3);
        green * 255.0
    }

    #[test]
    fn curves_are_their_own_inverse_and_meet_known_points() {
        for light in [0.0, 1e-4, 0.01, 0.0203, 0.1, 1.0] {
            assert!((from_pq(to_pq(light)) - light).abs() < 1e-3 * light.max(0.01));
        }
        assert!((to_pq(100.0 / PQ_NITS) - 0.5081).abs() < 1e-3);
        assert!((to_pq(WHITE_NITS / PQ_NITS) - 0.5807).abs() < 1e-3);
        assert!((from_hlg(0.5) - 1.0 / 12.0).abs() < 1e-4 && (from_hlg(1.0) - 1.0).abs() < 1e-3);
    }

    #[test]
    fn white_is_nearly_white_and_what_is_brighter_still_differs() {
        let at = |nits: f32| grey_of(PQ, to_pq(nits / PQ_NITS));
        assert_eq!(at(0.0), 0.0);
        let middle = to_srgb(26.0 / WHITE_NITS) * 255.0;
        assert!((at(26.0) - middle).abs() < 1.0, "middle grey stays");
        assert!((220.0..240.0).contains(&at(203.0)), "{}", at(203.0));
        assert!(at(203.0) + 5.0 < at(500.0) && at(500.0) < at(1000.0));
        assert!((at(1000.0) - 255.0).abs() < 1.0 && (at(4000.0) - 255.0).abs() < 1.0);
    }

    #[test]
    fn both_kinds_of_high_dynamic_range_agree_on_white() {
        let hlg = Light {
            transfer: Transfer::Hlg,
            ..PQ
        };
        let pq = grey_of(PQ, to_pq(WHITE_NITS / PQ_NITS));
        assert!(
            (grey_of(hlg, 0.75) - pq).abs() < 3.0,
            "{}",
            grey_of(hlg, 0.75)
        );
    }

    #[test]
    fn colours_beyond_the_canvas_keep_their_hue_and_greys_stay() {
        let wide = Light {
            transfer: Transfer::Plain,
            primaries: Primaries::Bt2020,
        };
        for value in [0.0, 0.2, 0.5, 1.0] {
            assert!((grey_of(wide, value) - value * 255.0).abs() < 0.5);
        }
        let [red, green, blue] = wide.on_canvas([0.1, 0.9, 0.1]);
        assert!(green > red.max(blue) + 0.2 && red >= 0.0 && blue >= 0.0);
        // A red of BT.709, said in BT.2020.
        let [red, green, blue] = wide.on_canvas([0.8138, 0.2915, 0.1353]);
        assert!(
            red > 0.97 && green < 0.1 && blue < 0.1,
            "{red} {green} {blue}"
        );
    }
}
