//! Where the stops of a gradient lie.

use crate::css::color::{Exact, Method};
use crate::css::{Color, Length};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Item {
    Stop { color: Exact, at: Option<Length> },
    Hint(Length),
}

/// Gives every stop an offset, as CSS Images says: ends at 0 and 1, never before an earlier one,
/// gaps spread evenly; a hint becomes a few stops along its curve.
pub(super) fn place_stops(
    items: &[Item],
    length: f32,
    method: Option<Method>,
) -> Vec<(f32, Color)> {
    let length = length.max(f32::MIN_POSITIVE);
    let mut offsets: Vec<Option<f32>> = items
        .iter()
        .map(|item| match item {
            Item::Stop { at, .. } => at.map(|at| at.resolve(length) / length),
            Item::Hint(at) => Some(at.resolve(length) / length),
        })
        .collect();
    if let Some(first) = offsets.first_mut() {
        first.get_or_insert(0.0);
    }
    if let Some(last) = offsets.last_mut() {
        last.get_or_insert(1.0);
    }
    let mut latest = f32::NEG_INFINITY;
    for offset in offsets.iter_mut().flatten() {
        latest = latest.max(*offset);
        *offset = latest;
    }
    let mut placed = Vec::with_capacity(offsets.len());
    for (index, offset) in offsets.iter().enumerate() {
        placed.push(offset.unwrap_or_else(|| {
            let before = placed.last().copied().unwrap_or(0.0);
            let ahead = offsets[index..]
                .iter()
                .position(Option::is_some)
                .unwrap_or(1);
            let after = offsets[index..]
                .iter()
                .flatten()
                .next()
                .copied()
                .unwrap_or(1.0);
            before + (after - before) / (ahead as f32 + 1.0)
        }));
    }

    let mut stops = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        match item {
            Item::Stop { color, .. } => stops.push((placed[index], *color)),
            Item::Hint(_) => {
                if let (Some(Item::Stop { color: a, .. }), Some(Item::Stop { color: b, .. })) = (
                    index.checked_sub(1).and_then(|i| items.get(i)),
                    items.get(index + 1),
                ) {
                    let (from, to) = ((placed[index - 1], *a), (placed[index + 1], *b));
                    hint_stops(&mut stops, from, placed[index], to, method);
                }
            }
        }
    }
    match method {
        Some(method) => in_space(&stops, method),
        None => stops
            .iter()
            .map(|(at, color)| (*at, color.shown()))
            .collect(),
    }
}

/// What lies between two colours of a gradient.
fn between(from: Exact, to: Exact, weight: f32, method: Option<Method>) -> Exact {
    match method {
        Some(method) => from.mixed(to, f64::from(weight), method),
        None => from.shown().mixed(to.shown(), weight).into(),
    }
}

/// Stops so close that colours mixed in sRGB between them are those of another space.
fn in_space(stops: &[(f32, Exact)], method: Method) -> Vec<(f32, Color)> {
    let steps: u16 = if stops.len() > 64 { 4 } else { 32 };
    let mut dense = Vec::with_capacity(stops.len());
    for (index, (at, color)) in stops.iter().enumerate() {
        if let Some((before, from)) = index.checked_sub(1).and_then(|i| stops.get(i))
            && at > before
        {
            for step in 0..=steps {
                let t = f32::from(step) / f32::from(steps);
                let color = from.mixed(*color, f64::from(t), method);
                dense.push((before + (at - before) * t, color.shown()));
            }
        } else {
            dense.push((*at, color.shown()));
        }
    }
    dense
}

/// A hint half way says nothing; at an end it makes a hard edge; otherwise the curve through it
/// becomes nine stops, placed where Chromium places them.
fn hint_stops(
    stops: &mut Vec<(f32, Exact)>,
    from: (f32, Exact),
    hint: f32,
    to: (f32, Exact),
    method: Option<Method>,
) {
    let span = to.0 - from.0;
    let (left, right) = (hint - from.0, to.0 - hint);
    if span <= 0.0 || (left - right).abs() <= span * 1e-6 {
        return;
    }
    if left <= 0.0 {
        stops.push((hint, to.1));
        return;
    }
    if right <= 0.0 {
        stops.push((hint, from.1));
        return;
    }
    let thirteenths = |start: f32, of: f32, first: u8| {
        (first..first + 7).map(move |step| start + of * f32::from(step) / 13.0)
    };
    let thirds = |start: f32, of: f32| [start + of / 3.0, start + of * 2.0 / 3.0];
    let offsets: Vec<f32> = if left > right {
        thirteenths(from.0, left, 7)
            .chain(thirds(hint, right))
            .collect()
    } else {
        thirds(from.0, left)
            .into_iter()
            .chain(thirteenths(hint, right, 0))
            .collect()
    };
    let exponent = 0.5f32.ln() / (left / span).ln();
    for at in offsets {
        let weight = ((at - from.0) / span).powf(exponent);
        stops.push((at, between(from.1, to.1, weight, method)));
    }
}
