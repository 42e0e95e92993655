//! Easings: how progress in time becomes progress in movement.

use super::math::{number, positive_number, share};
use super::tokens::{Input, Parsed, function_name, keyword, refused, some, takes_comma, whole};

/// A curve from 0 to 1. Between its ends it may leave that range; at its ends it is exact.
#[derive(Clone, Debug, PartialEq)]
pub enum Easing {
    /// At one speed.
    Linear,
    /// A CSS cubic Bézier by its two inner points.
    Bezier([f64; 4]),
    /// So many equal steps, and where they jump.
    Steps(u32, Jump),
    /// Straight lines between points of progress in time and in movement.
    Points(Vec<(f64, f64)>),
    /// Swings past its end and comes to rest.
    Spring,
    /// A named family.
    Family(Family, Side),
}

/// Where a stepped easing jumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// At the start of each step.
    Start,
    /// At the end of each step.
    End,
    /// At neither end.
    None,
    /// At both.
    Both,
}

/// Families of easings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// A quarter of a sine.
    Sine,
    /// A power of time.
    Power(i32),
    /// A power of two.
    Expo,
    /// A quarter of a circle.
    Circ,
    /// Draws back before it goes.
    Back,
    /// A rubber band.
    Elastic,
    /// A ball that comes to rest.
    Bounce,
}

/// At which end a family is slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// At the start.
    In,
    /// At the end.
    Out,
    /// At both.
    InOut,
}

impl Easing {
    /// What a person may write.
    pub const EXPECTED: &'static str = "an easing: linear, ease, ease-in, ease-out, ease-in-out, \
        step-start, step-end, cubic-bezier(), steps(), linear(), spring, or easeIn, easeOut or \
        easeInOut followed by nothing, Sine, Quad, Cubic, Quart, Quint, Expo, Circ, Back, Elastic or Bounce";

    /// Reads a CSS easing function or one of the names.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        named(text).or_else(|| whole(text, function))
    }

    /// Progress in movement at a progress in time, which is held between 0 and 1.
    pub fn at(&self, time: f64) -> f64 {
        let time = if time.is_nan() {
            1.0
        } else {
            time.clamp(0.0, 1.0)
        };
        match self {
            Self::Linear => time,
            Self::Steps(count, jump) => steps(f64::from(*count), *jump, time),
            Self::Points(points) => between(points, time),
            _ if time == 0.0 || time == 1.0 => time,
            Self::Bezier(points) => bezier(*points, time),
            Self::Spring => spring(time),
            Self::Family(family, side) => side.apply(time, |time| family.slow_start(time)),
        }
    }
}

fn named(text: &str) -> Option<Easing> {
    let name: String = text
        .chars()
        .filter(|letter| !matches!(letter, '-' | '_'))
        .flat_map(char::to_lowercase)
        .collect();
    Some(match name.as_str() {
        "linear" => Easing::Linear,
        "ease" => Easing::Bezier([0.25, 0.1, 0.25, 1.0]),
        "easein" => Easing::Bezier([0.42, 0.0, 1.0, 1.0]),
        "easeout" => Easing::Bezier([0.0, 0.0, 0.58, 1.0]),
        "easeinout" => Easing::Bezier([0.42, 0.0, 0.58, 1.0]),
        "stepstart" => Easing::Steps(1, Jump::Start),
        "stepend" => Easing::Steps(1, Jump::End),
        "spring" => Easing::Spring,
        other => {
            let (side, family) = [
                ("easeinout", Side::InOut),
                ("easein", Side::In),
                ("easeout", Side::Out),
            ]
            .into_iter()
            .find_map(|(prefix, side)| Some((side, other.strip_prefix(prefix)?)))?;
            let family = match family {
                "sine" => Family::Sine,
                "quad" => Family::Power(2),
                "cubic" => Family::Power(3),
                "quart" => Family::Power(4),
                "quint" => Family::Power(5),
                "expo" => Family::Expo,
                "circ" => Family::Circ,
                "back" => Family::Back,
                "elastic" => Family::Elastic,
                "bounce" => Family::Bounce,
                _ => return None,
            };
            Easing::Family(family, side)
        }
    })
}

fn function<'i>(input: &mut Input<'i, '_>) -> Parsed<'i, Easing> {
    let name = function_name(input)?;
    input.parse_nested_block(|input| match name.as_str() {
        "cubic-bezier" => {
            let mut points = [0.0; 4];
            for (index, point) in points.iter_mut().enumerate() {
                if index > 0 {
                    input.expect_comma()?;
                }
                *point = number(input)?;
            }
            let is_function = (0.0..=1.0).contains(&points[0]) && (0.0..=1.0).contains(&points[2]);
            some(input, is_function.then_some(Easing::Bezier(points)))
        }
        "steps" => {
            let count = positive_number(input)?;
            let jump = if takes_comma(input) {
                keyword(
                    input,
                    &[
                        ("start", Jump::Start),
                        ("jump-start", Jump::Start),
                        ("end", Jump::End),
                        ("jump-end", Jump::End),
                        ("jump-none", Jump::None),
                        ("jump-both", Jump::Both),
                    ],
                )?
            } else {
                Jump::End
            };
            let least = if jump == Jump::None { 2.0 } else { 1.0 };
            let is_count = count.fract() == 0.0 && (least..=1e6).contains(&count);
            some(input, is_count.then_some(Easing::Steps(count as u32, jump)))
        }
        "linear" => points(input),
        _ => Err(refused(input)),
    })
}

/// The stops of `linear()`: those without a place are spread between their neighbours.
fn points<'i>(input: &mut Input<'i, '_>) -> Parsed<'i, Easing> {
    let stops = input.parse_comma_separated(|input| {
        let value = number(input)?;
        let first = input.try_parse(share).ok();
        let second = first.and_then(|_| input.try_parse(share).ok());
        Ok((value, first, second))
    })?;
    let mut placed: Vec<(Option<f64>, f64)> = Vec::new();
    for (value, first, second) in stops {
        placed.push((first, value));
        if second.is_some() {
            placed.push((second, value));
        }
    }
    if placed.len() < 2 {
        return Err(refused(input));
    }
    let last = placed.len() - 1;
    placed[0].0.get_or_insert(0.0);
    placed[last].0.get_or_insert(1.0);
    let mut points: Vec<(f64, f64)> = Vec::new();
    let mut index = 0;
    while index <= last {
        let low = points.last().map_or(f64::NEG_INFINITY, |point| point.0);
        if let Some(place) = placed[index].0 {
            points.push((place.max(low), placed[index].1));
            index += 1;
            continue;
        }
        let next = (index..=last).find(|next| placed[*next].0.is_some());
        let next = next.unwrap_or(last);
        let high = placed[next].0.unwrap_or(1.0).max(low);
        let gaps = (next - index + 1) as f64;
        for step in index..next {
            let share = (step - index + 1) as f64 / gaps;
            points.push((low + (high - low) * share, placed[step].1));
        }
        index = next;
    }
    Ok(Easing::Points(points))
}

fn between(points: &[(f64, f64)], time: f64) -> f64 {
    let after = points
        .iter()
        .position(|point| point.0 > time)
        .unwrap_or(points.len());
    match (after.checked_sub(1).map(|at| points[at]), points.get(after)) {
        (Some((_, value)), None) => value,
        (None, Some((_, value))) => *value,
        (Some((from, low)), Some((to, high))) => low + (high - low) * (time - from) / (to - from),
        (None, None) => time,
    }
}

fn steps(count: f64, jump: Jump, time: f64) -> f64 {
    let taken = (time * count).floor();
    match jump {
        Jump::Start => ((taken + 1.0) / count).min(1.0),
        Jump::End => taken / count,
        Jump::None => (taken / (count - 1.0)).min(1.0),
        Jump::Both => ((taken + 1.0) / (count + 1.0)).min(1.0),
    }
}

fn bezier([x1, y1, x2, y2]: [f64; 4], time: f64) -> f64 {
    let along = |a: f64, b: f64, t: f64| {
        let back = 1.0 - t;
        3.0 * back * back * t * a + 3.0 * back * t * t * b + t * t * t
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..52 {
        let middle = f64::midpoint(low, high);
        if along(x1, x2, middle) < time {
            low = middle;
        } else {
            high = middle;
        }
    }
    along(y1, y2, f64::midpoint(low, high))
}

/// A mass on a spring, let go at 0; what is left of its swing is taken out evenly, so that it rests at
/// the end.
fn spring(time: f64) -> f64 {
    const DAMPING: f64 = 5.0;
    const FREQUENCY: f64 = 14.0;
    let (sin, cos) = (FREQUENCY * time).sin_cos();
    let swing = (-DAMPING * time).exp() * (cos + DAMPING / FREQUENCY * sin);
    1.0 - swing * (1.0 - time * time * time)
}

impl Side {
    fn apply(self, time: f64, slow_start: impl Fn(f64) -> f64) -> f64 {
        match self {
            Self::In => slow_start(time),
            Self::Out => 1.0 - slow_start(1.0 - time),
            Self::InOut if time < 0.5 => slow_start(2.0 * time) / 2.0,
            Self::InOut => 1.0 - slow_start(2.0 - 2.0 * time) / 2.0,
        }
    }
}

impl Family {
    fn slow_start(self, time: f64) -> f64 {
        use std::f64::consts::{FRAC_PI_2, TAU};
        match self {
            Self::Sine => 1.0 - (time * FRAC_PI_2).cos(),
            Self::Power(power) => time.powi(power),
            Self::Expo if time <= 0.0 => 0.0,
            Self::Expo => (10.0 * time - 10.0).exp2(),
            Self::Circ => 1.0 - (1.0 - time * time).max(0.0).sqrt(),
            Self::Back => {
                const OVERSHOOT: f64 = 1.701_58;
                time * time * ((OVERSHOOT + 1.0) * time - OVERSHOOT)
            }
            Self::Elastic if time <= 0.0 || time >= 1.0 => time,
            Self::Elastic => {
                -(10.0 * time - 10.0).exp2() * ((10.0 * time - 10.75) * TAU / 3.0).sin()
            }
            Self::Bounce => 1.0 - bounce(1.0 - time),
        }
    }
}

/// The height of a ball that falls from 0 to 1 and bounces three times.
fn bounce(time: f64) -> f64 {
    const STRENGTH: f64 = 7.5625;
    const SPAN: f64 = 2.75;
    let (from, height) = match time * SPAN {
        fall if fall < 1.0 => (0.0, 0.0),
        fall if fall < 2.0 => (1.5, 0.75),
        fall if fall < 2.5 => (2.25, 0.9375),
        _ => (2.625, 0.984_375),
    };
    let time = time - from / SPAN;
    STRENGTH * time * time + height
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, time: f64) -> f64 {
        Easing::parse(text)
            .unwrap_or_else(|| panic!("{text} is an easing"))
            .at(time)
    }

    const NAMES: [&str; 10] = [
        "Sine", "Quad", "Cubic", "Quart", "Quint", "Expo", "Circ", "Back", "Elastic", "Bounce",
    ];

    fn continuous() -> Vec<String> {
        let families = ["easeIn", "easeOut", "easeInOut"]
            .into_iter()
            .flat_map(|side| NAMES.map(|name| format!("{side}{name}")));
        [
            "linear",
            "ease",
            "ease-in",
            "easeOut",
            "ease-in-out",
            "spring",
        ]
        .map(String::from)
        .into_iter()
        .chain(families)
        .chain([
            "cubic-bezier(0.2, -2, 0.9, 3)".into(),
            "linear(0, 0.5 20% 40%, 1)".into(),
        ])
        .collect()
    }

    #[test]
    fn ends_are_exact_and_nothing_jumps_between_them() {
        for text in continuous() {
            assert_eq!(at(&text, 0.0), 0.0, "{text}");
            assert_eq!(at(&text, 1.0), 1.0, "{text}");
            assert_eq!(at(&text, -3.0), 0.0, "{text}");
            assert_eq!(at(&text, f64::INFINITY), 1.0, "{text}");
            let points: Vec<f64> = (0..=20_000)
                .map(|step| at(&text, f64::from(step) / 20_000.0))
                .collect();
            for pair in points.windows(2) {
                assert!((pair[0] - pair[1]).abs() < 0.02, "{text} jumps: {pair:?}");
                assert!(
                    (-3.0..=4.0).contains(&pair[0]),
                    "{text} is out of bounds: {pair:?}"
                );
            }
        }
    }

    #[test]
    fn curves_pass_through_known_points() {
        for (text, time, value) in [
            ("ease", 0.5, 0.802_403),
            ("ease-in", 0.25, 0.093_46),
            ("easeInQuad", 0.5, 0.25),
            ("EASE_OUT_CUBIC", 0.5, 0.875),
            ("ease-in-out-quart", 0.25, 0.03125),
            ("easeOutBounce", 1.0 / 2.75, 1.0),
            ("easeInBack", 0.5, -0.087_697),
            ("steps(4)", 0.49, 0.25),
            ("steps(4, start)", 0.49, 0.5),
            ("steps(3, jump-none)", 0.5, 0.5),
            ("steps(3, jump-both)", 0.5, 0.5),
            ("step-start", 0.01, 1.0),
            ("step-end", 0.99, 0.0),
            ("linear(0, 1, 0.5)", 0.25, 0.5),
            ("linear(0 0%, 0.2 50%, 1)", 0.75, 0.6),
        ] {
            assert!(
                (at(text, time) - value).abs() < 1e-5,
                "{text}: {}",
                at(text, time)
            );
        }
    }

    #[test]
    fn what_is_no_easing_is_refused() {
        for text in [
            "",
            "eas",
            "NaN",
            "cubic-bezier(2, 0, 0, 1)",
            "cubic-bezier(0, 0, 1)",
            "steps(0)",
            "steps(1.5)",
            "steps(1, jump-none)",
            "easeInOutFoo",
            "easeSine",
            "linear()",
            "linear(1)",
            "ease ease",
            "spring(",
        ] {
            assert_eq!(Easing::parse(text), None, "{text}");
        }
    }
}
