//! Path data of SVG.

use super::PathStep;

/// The steps of path data; `None` where it does not follow the grammar.
pub(super) fn parse(data: &str) -> Option<Vec<PathStep>> {
    let mut pen = Pen::default();
    let mut scanner = Scanner { rest: data };
    let mut command = None;
    loop {
        scanner.skip_spaces();
        if scanner.rest.is_empty() {
            return Some(pen.steps);
        }
        let next = scanner.command();
        command = match (next, command) {
            (Some(next), Some(_)) => Some(next),
            // A path starts with a move.
            (Some(next @ ('M' | 'm')), None) => Some(next),
            (Some(_), None) | (None, None | Some('Z' | 'z')) => return None,
            // After a move, further points are lines.
            (None, Some('M')) => Some('L'),
            (None, Some('m')) => Some('l'),
            (None, same) => same,
        };
        if next.is_none() {
            scanner.skip_comma();
        }
        pen.draw(command?, &mut scanner)?;
    }
}

struct Scanner<'a> {
    rest: &'a str,
}

impl Scanner<'_> {
    fn skip_spaces(&mut self) {
        self.rest = self
            .rest
            .trim_start_matches([' ', '\t', '\n', '\r', '\u{c}']);
    }

    fn skip_comma(&mut self) {
        self.skip_spaces();
        if let Some(rest) = self.rest.strip_prefix(',') {
            self.rest = rest;
            self.skip_spaces();
        }
    }

    fn command(&mut self) -> Option<char> {
        let letter = self.rest.chars().next()?;
        if !"MmLlHhVvCcSsQqTtAaZz".contains(letter) {
            return None;
        }
        self.rest = &self.rest[1..];
        Some(letter)
    }

    fn number(&mut self) -> Option<f64> {
        self.skip_spaces();
        let bytes = self.rest.as_bytes();
        let digits = |from: usize| {
            bytes[from..]
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count()
        };
        let mut end = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
        let whole = digits(end);
        end += whole;
        let mut fraction = 0;
        if bytes.get(end) == Some(&b'.') {
            fraction = digits(end + 1);
            end += 1 + fraction;
        }
        if whole + fraction == 0 {
            return None;
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = bytes
                .get(end + 1 + sign..)
                .map_or(0, |_| digits(end + 1 + sign));
            if exponent > 0 {
                end += 1 + sign + exponent;
            }
        }
        let number = self.rest[..end].parse::<f64>().ok()?;
        self.rest = &self.rest[end..];
        number.is_finite().then_some(number)
    }

    fn numbers<const COUNT: usize>(&mut self) -> Option<[f64; COUNT]> {
        let mut numbers = [0.0; COUNT];
        for (index, number) in numbers.iter_mut().enumerate() {
            if index > 0 {
                self.skip_comma();
            }
            *number = self.number()?;
        }
        Some(numbers)
    }

    /// A flag of an arc: one digit, that need not be set apart.
    fn flag(&mut self) -> Option<bool> {
        self.skip_comma();
        let flag = match self.rest.as_bytes().first()? {
            b'0' => false,
            b'1' => true,
            _ => return None,
        };
        self.rest = &self.rest[1..];
        Some(flag)
    }
}

#[derive(Default)]
struct Pen {
    steps: Vec<PathStep>,
    at: (f64, f64),
    start: (f64, f64),
    /// The last handle of the last curve, and whether that was a cubic one.
    handle: Option<((f64, f64), bool)>,
}

impl Pen {
    fn draw(&mut self, command: char, scanner: &mut Scanner<'_>) -> Option<()> {
        let (ox, oy) = if command.is_ascii_lowercase() {
            self.at
        } else {
            (0.0, 0.0)
        };
        match command.to_ascii_uppercase() {
            'M' => {
                let [x, y] = scanner.numbers()?;
                self.at = (x + ox, y + oy);
                self.start = self.at;
                self.handle = None;
                let (x, y) = single(self.at);
                self.steps.push(PathStep::MoveTo(x, y));
            }
            'L' => {
                let [x, y] = scanner.numbers()?;
                self.line((x + ox, y + oy));
            }
            'H' => {
                let [x] = scanner.numbers()?;
                self.line((x + ox, self.at.1));
            }
            'V' => {
                let [y] = scanner.numbers()?;
                self.line((self.at.0, y + oy));
            }
            'C' => {
                let [a, b, c, d, x, y] = scanner.numbers()?;
                self.cubic((a + ox, b + oy), (c + ox, d + oy), (x + ox, y + oy));
            }
            'S' => {
                let [c, d, x, y] = scanner.numbers()?;
                let first = self.mirrored(true);
                self.cubic(first, (c + ox, d + oy), (x + ox, y + oy));
            }
            'Q' => {
                let [a, b, x, y] = scanner.numbers()?;
                self.quadratic((a + ox, b + oy), (x + ox, y + oy));
            }
            'T' => {
                let [x, y] = scanner.numbers()?;
                let handle = self.mirrored(false);
                self.quadratic(handle, (x + ox, y + oy));
            }
            'A' => {
                let [rx, ry, turn] = scanner.numbers()?;
                let is_large = scanner.flag()?;
                let is_clockwise = scanner.flag()?;
                scanner.skip_comma();
                let [x, y] = scanner.numbers()?;
                let to = (x + ox, y + oy);
                self.arc((rx.abs(), ry.abs()), turn, is_large, is_clockwise, to);
            }
            _ => {
                self.steps.push(PathStep::Close);
                self.at = self.start;
                self.handle = None;
            }
        }
        Some(())
    }

    /// The handle that continues the last curve; the point itself after anything else.
    fn mirrored(&self, cubic: bool) -> (f64, f64) {
        match self.handle {
            Some(((x, y), kind)) if kind == cubic => (2.0 * self.at.0 - x, 2.0 * self.at.1 - y),
            _ => self.at,
        }
    }

    fn line(&mut self, to: (f64, f64)) {
        self.at = to;
        self.handle = None;
        let (x, y) = single(to);
        self.steps.push(PathStep::LineTo(x, y));
    }

    fn cubic(&mut self, first: (f64, f64), second: (f64, f64), to: (f64, f64)) {
        self.at = to;
        self.handle = Some((second, true));
        let ((a, b), (c, d), (x, y)) = (single(first), single(second), single(to));
        self.steps.push(PathStep::CubicTo(a, b, c, d, x, y));
    }

    fn quadratic(&mut self, handle: (f64, f64), to: (f64, f64)) {
        self.at = to;
        self.handle = Some((handle, false));
        let ((a, b), (x, y)) = (single(handle), single(to));
        self.steps.push(PathStep::QuadTo(a, b, x, y));
    }

    /// An elliptical arc as cubic curves of at most a quarter each, by the implementation notes of
    /// SVG.
    fn arc(
        &mut self,
        (rx, ry): (f64, f64),
        turn: f64,
        is_large: bool,
        is_clockwise: bool,
        to: (f64, f64),
    ) {
        use std::f64::consts::{FRAC_PI_2, TAU};
        let from = self.at;
        if from == to {
            return;
        }
        if rx == 0.0 || ry == 0.0 {
            self.line(to);
            return;
        }
        let (sin, cos) = turn.to_radians().sin_cos();
        let (hx, hy) = ((from.0 - to.0) / 2.0, (from.1 - to.1) / 2.0);
        let (px, py) = (cos * hx + sin * hy, cos * hy - sin * hx);
        let grow = ((px / rx).powi(2) + (py / ry).powi(2)).sqrt().max(1.0);
        let (rx, ry) = (rx * grow, ry * grow);
        let (a, b, c, d) = (rx * rx, ry * ry, px * px, py * py);
        let root = ((a * b - a * d - b * c) / (a * d + b * c)).max(0.0).sqrt();
        let root = if is_large == is_clockwise {
            -root
        } else {
            root
        };
        let (qx, qy) = (root * rx * py / ry, -root * ry * px / rx);
        let center = (
            cos * qx - sin * qy + (from.0 + to.0) / 2.0,
            sin * qx + cos * qy + (from.1 + to.1) / 2.0,
        );
        let start = ((py - qy) / ry).atan2((px - qx) / rx);
        let end = ((-py - qy) / ry).atan2((-px - qx) / rx);
        let mut sweep = (end - start).rem_euclid(TAU);
        if !is_clockwise {
            sweep -= TAU;
        }
        let pieces = (sweep.abs() / FRAC_PI_2).ceil().clamp(1.0, 4.0);
        let step = sweep / pieces;
        let reach = 4.0 / 3.0 * (step / 4.0).tan();
        let point = |angle: f64, along: f64| {
            let (s, c) = angle.sin_cos();
            let (x, y) = (rx * (c - along * s), ry * (s + along * c));
            (center.0 + cos * x - sin * y, center.1 + sin * x + cos * y)
        };
        for piece in 0..pieces as u8 {
            let angle = start + step * f64::from(piece);
            let is_last = f64::from(piece) + 1.0 >= pieces;
            let end = if is_last {
                to
            } else {
                point(angle + step, 0.0)
            };
            self.cubic(point(angle, reach), point(angle + step, -reach), end);
        }
        self.handle = None;
    }
}

fn single((x, y): (f64, f64)) -> (f32, f32) {
    const FARTHEST: f64 = 33_554_428.0;
    let single = |value: f64| {
        if value.is_nan() {
            0.0
        } else {
            value.clamp(-FARTHEST, FARTHEST) as f32
        }
    };
    (single(x), single(y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_and_absolute_commands_agree() {
        let absolute =
            parse("M10 10 L20 10 H30 V40 C30 50 20 50 20 40 Q15 30 10 40 Z").expect("valid");
        let relative = parse("m10,10 10 0h10v30c0,10-10,10-10 0q-5-10-10 0z").expect("valid");
        assert_eq!(absolute, relative);
    }

    #[test]
    fn smooth_curves_mirror_the_handle_before_them() {
        assert_eq!(
            parse("M0 0C0 5 5 10 10 10S20 5 20 0").expect("valid")[2],
            PathStep::CubicTo(15.0, 10.0, 20.0, 5.0, 20.0, 0.0)
        );
        assert_eq!(
            parse("M0 0Q5 10 10 0T20 0").expect("valid")[2],
            PathStep::QuadTo(15.0, -10.0, 20.0, 0.0)
        );
    }

    #[test]
    fn arcs_stay_on_their_circle() {
        // Half a circle about (50, 50), over the top, its flags not set apart.
        let steps = parse("M0 50a50 50 0 01100 0").expect("valid");
        let ends: Vec<(f32, f32)> = steps
            .iter()
            .filter_map(|step| match step {
                PathStep::CubicTo(.., x, y) => Some((x.round(), y.round())),
                _ => None,
            })
            .collect();
        assert_eq!(ends, [(50.0, 0.0), (100.0, 50.0)]);
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for data in [
            "L1 1",
            "M1",
            "M1 1 X",
            "M1 1 Z 5 5",
            "M1 1 L",
            "M1 1 A5 5 0 2 0 9 9",
            "5 5",
            "M1 1é",
        ] {
            assert_eq!(parse(data), None, "{data}");
        }
        assert_eq!(parse(" "), Some(vec![]));
        assert_eq!(parse("M1.5.5-3e1 2").map(|steps| steps.len()), Some(2));
    }
}
