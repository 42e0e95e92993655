//! SVG pictures that are small as files only.

use super::bits::zlib_zeros;
use super::{Fate, Suspect, suspect};

fn svg(inside: &str) -> String {
    format!("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'>{inside}</svg>")
}

/// Things that each hold two of the one before.
fn doubling(levels: u32, first: &str, each: impl Fn(u32, u32) -> String) -> String {
    (1..levels).fold(first.to_owned(), |text, level| {
        text + &each(level, level - 1)
    })
}

fn filter(steps: &str) -> String {
    format!(
        "<filter id='f' x='-1e9' y='-1e9' width='1e10' height='1e10'>{steps}</filter>\
         <rect width='100' height='100' filter='url(#f)'/>"
    )
}

/// All of them.
pub fn all() -> Vec<Suspect> {
    let rect = "<rect width='100' height='100' fill='red'/>";
    let laughs = ('b'..='l').zip('a'..).fold(
        "<!DOCTYPE svg [<!ENTITY a 'ha ha ha ha ha ha ha ha ha ha'>".to_owned(),
        |text, (name, of)| format!("{text}<!ENTITY {name} '{}'>", format!("&{of};").repeat(10)),
    ) + "]>";
    let in_text = format!("{laughs}{}", svg("<text y='50'>&l;</text>"));
    let in_attribute = format!("{laughs}{}", svg("<g id='&l;'/>"));
    let outside = "<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>".to_owned()
        + &svg("<text y='50'>&x;</text>");
    let uses = doubling(40, &format!("<g id='a0'>{rect}</g>"), |level, below| {
        let below = format!("<use href='#a{below}'/>");
        format!("<g id='a{level}'>{below}{below}</g>")
    }) + "<use href='#a39'/>";
    let patterns = doubling(
        40,
        &format!("<pattern id='a0' width='50' height='50'>{rect}</pattern>"),
        |level, below| {
            let part = format!("<rect width='9' height='9' fill='url(#a{below})'/>");
            format!("<pattern id='a{level}' width='.5' height='.5'>{part}{part}</pattern>")
        },
    ) + "<rect width='100' height='100' fill='url(#a39)'/>";
    let masks = doubling(
        40,
        &format!("<mask id='a0'>{rect}</mask>"),
        |level, below| {
            let part = format!("<rect width='99' height='99' mask='url(#a{below})'/>");
            format!("<mask id='a{level}'>{part}{part}</mask>")
        },
    ) + "<rect width='100' height='100' mask='url(#a39)'/>";
    let styled_masks = doubling(
        60,
        &format!("<mask id='a0'>{rect}</mask>"),
        |level, below| {
            format!(
                "<style>.c{level}{{mask:url(#a{below})}}</style><mask id='a{level}'>{}</mask>",
                format!("<rect class='c{level}' width='99' height='99'/>").repeat(2)
            )
        },
    ) + "<style>.last{mask:url(#a59)}</style><rect class='last' width='100' height='100'/>";
    let chain = doubling(5_000, "<clipPath id='a0'/>", |link, before| {
        format!("<clipPath id='a{link}' clip-path='url(#a{before})'>{rect}</clipPath>")
    }) + "<rect width='100' height='100' clip-path='url(#a4999)'/>";
    let deep_uses = doubling(900, &format!("<g id='a0'>{rect}</g>"), |level, below| {
        format!("<g id='a{level}'><use href='#a{below}'/></g>")
    }) + "<use href='#a899'/>";
    let glass = format!(
        "{}{rect}{}",
        "<g opacity='.9'>".repeat(190),
        "</g>".repeat(190)
    );
    let packed = {
        let mut gzip = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
        gzip.extend(&zlib_zeros(1 << 30)[2..]);
        gzip
    };
    let bytes: String = packed
        .iter()
        .take(60_000)
        .map(|byte| format!("%{byte:02x}"))
        .collect();
    let packed_inside = svg(&format!(
        "<image width='9' height='9' href='data:image/svg+xml,{bytes}'/>"
    ));
    let marks = format!(
        "<marker id='m'>{}</marker><polyline marker-mid='url(#m)' points='{}'/>",
        rect.repeat(500),
        "1,1 2,2 ".repeat(20_000)
    );
    let dashes = "<path d='M0 0H1e6' stroke='red' stroke-dasharray='.001'/>".repeat(500);
    let image = |name: &str, fate, text: String| suspect(name, "image", fate, text.into_bytes());
    let mut all = vec![
        image(
            "wide.svg",
            Fate::Either,
            "<svg xmlns='http://www.w3.org/2000/svg' width='100000' height='100000'/>".into(),
        ),
        image(
            "wider.svg",
            Fate::Either,
            "<svg xmlns='http://www.w3.org/2000/svg' width='1e30' height='1e-30'/>".into(),
        ),
        image("laughs.svg", Fate::Refused, in_text),
        image("laughs-in-attribute.svg", Fate::Refused, in_attribute),
        image("outside.svg", Fate::Either, outside),
        image("nested.svg", Fate::Refused, svg(&"<g>".repeat(100_000))),
        image("uses.svg", Fate::Refused, svg(&uses)),
        image("patterns.svg", Fate::Refused, svg(&patterns)),
        image("masks.svg", Fate::Refused, svg(&masks)),
        image("styled-masks.svg", Fate::Refused, svg(&styled_masks)),
        image("chain.svg", Fate::Refused, svg(&chain)),
        image("deep-uses.svg", Fate::Refused, svg(&deep_uses)),
        image("glass.svg", Fate::Either, svg(&glass)),
        image("marks.svg", Fate::Refused, svg(&marks)),
        image("dashes.svg", Fate::Either, svg(&dashes)),
        image(
            "circle.svg",
            Fate::Shown,
            svg(
                "<g id='a'><use href='#a'/></g><pattern id='p' width='1' height='1'><rect fill='url(#p)' width='5' height='5'/></pattern><rect width='9' height='9' fill='url(#p)'/>",
            ),
        ),
        image(
            "tile.svg",
            Fate::Refused,
            svg(
                "<pattern id='p' width='1e6' height='1e6' patternUnits='userSpaceOnUse'><rect width='1' height='1'/></pattern><rect width='100' height='100' fill='url(#p)'/>",
            ),
        ),
        image(
            "words.svg",
            Fate::Refused,
            svg(&format!(
                "<text y='50'>{}</text>",
                "word ".repeat(1_000_000)
            )),
        ),
        image(
            "large-words.svg",
            Fate::Either,
            svg("<text y='50' font-size='1e9' letter-spacing='1e9'>word</text>"),
        ),
        image("packed.svg", Fate::Refused, String::new()),
        image("packed-inside.svg", Fate::Either, packed_inside),
        image(
            "blur.svg",
            Fate::Either,
            svg(&filter("<feGaussianBlur stdDeviation='1e9'/>")),
        ),
        image(
            "grow.svg",
            Fate::Either,
            svg(&filter("<feMorphology operator='dilate' radius='1e9'/>")),
        ),
        image(
            "octaves.svg",
            Fate::Refused,
            svg(&filter(
                "<feTurbulence baseFrequency='.1' numOctaves='1000000000'/>",
            )),
        ),
        image(
            "kernel.svg",
            Fate::Refused,
            svg(&filter(&format!(
                "<feConvolveMatrix order='1000' kernelMatrix='{}'/>",
                "1 ".repeat(1_000_000)
            ))),
        ),
        image(
            "steps.svg",
            Fate::Refused,
            svg(&filter(
                &"<feGaussianBlur stdDeviation='9'/>".repeat(50_000),
            )),
        ),
        image(
            "link.svg",
            Fate::Either,
            svg(
                "<image width='9' height='9' href='file:///etc/passwd'/><image width='9' height='9' href='http://127.0.0.1:1/a.png'/>",
            ),
        ),
        image("latin.svg", Fate::Refused, String::new()),
    ];
    for (name, bytes) in [
        ("packed.svg", packed),
        (
            "latin.svg",
            b"<svg xmlns='http://www.w3.org/2000/svg'>\xff\xfe</svg>".to_vec(),
        ),
    ] {
        if let Some(suspect) = all.iter_mut().find(|suspect| suspect.name == name) {
            suspect.bytes = bytes;
        }
    }
    all
}
