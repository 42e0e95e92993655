//! How much an SVG file becomes when everything in it that refers to something else is put in place.

use std::collections::HashMap;

use resvg::usvg::roxmltree::{Document, Node};

use super::svg_sheet::Sheet;

/// Elements, letters and points of outlines that a picture may come to.
const HEAVIEST: u64 = 2_000_000;
/// Elements inside elements, what they refer to counted as inside.
const DEEPEST: u32 = 250;
/// Bytes of an outline for each of its points, at least.
const BYTES_PER_POINT: usize = 4;
/// Bytes of a picture inside that weigh as much as an element.
const BYTES_INSIDE: usize = 16;

/// More than can be laid out and drawn in reasonable time.
#[derive(Debug)]
pub(super) struct TooHeavy;

/// Refuses files that are small themselves and large when laid out.
pub(super) fn check(document: &Document<'_>) -> Result<(), TooHeavy> {
    let elements = || document.descendants().filter(Node::is_element);
    let named = elements()
        .filter_map(|element| Some((element.attribute("id")?, element)))
        .collect();
    let sheets = elements()
        .filter(|element| element.has_tag_name_of("style"))
        .filter_map(|element| element.text());
    let mut scale = Scale {
        named,
        sheet: Sheet::read(sheets),
        weights: HashMap::new(),
        heaviest_marker: 0,
    };
    for marker in elements().filter(|element| element.has_tag_name_of("marker")) {
        let (weight, _) = scale.weigh(marker, 0)?;
        scale.heaviest_marker = scale.heaviest_marker.max(weight);
    }
    if scale.heaviest_marker > 0 {
        // Weighed again with what stands on their corners.
        scale.weights.clear();
    }
    match scale.weigh(document.root_element(), 0)? {
        (weight, _) if weight > HEAVIEST => Err(TooHeavy),
        _ => Ok(()),
    }
}

struct Scale<'a, 'input> {
    named: HashMap<&'a str, Node<'a, 'input>>,
    sheet: Sheet,
    /// By element: what it comes to and how deep it goes; `None` while that is being found out.
    weights: HashMap<usize, Option<(u64, u32)>>,
    heaviest_marker: u64,
}

impl<'a, 'input> Scale<'a, 'input> {
    /// What an element comes to, and how many elements lie inside one another in it.
    fn weigh(&mut self, element: Node<'a, 'input>, depth: u32) -> Result<(u64, u32), TooHeavy> {
        if depth > DEEPEST {
            return Err(TooHeavy);
        }
        let key = element.id().get_usize();
        match self.weights.get(&key) {
            // What refers to itself is left out when the picture is laid out.
            Some(None) => return Ok((0, 0)),
            Some(Some((weight, deep))) if depth + deep > DEEPEST || *weight > HEAVIEST => {
                return Err(TooHeavy);
            }
            Some(Some(known)) => return Ok(*known),
            None => {}
        }
        self.weights.insert(key, None);
        let mut weight = 1 + self.own_weight(element);
        let mut deep = 0;
        let children = element.children().filter(Node::is_element);
        let referred = self.references(element);
        for (inner, times) in children.map(|child| (child, 1)).chain(referred) {
            let (inner_weight, inner_deep) = self.weigh(inner, depth + 1)?;
            weight = weight.saturating_add(inner_weight.saturating_mul(times));
            deep = deep.max(inner_deep + 1);
        }
        self.weights.insert(key, Some((weight, deep)));
        Ok((weight, deep))
    }

    /// Letters, pictures inside, and points of an outline with what may stand on each.
    fn own_weight(&self, element: Node<'_, '_>) -> u64 {
        let letters: usize = element
            .children()
            .filter(Node::is_text)
            .filter_map(|text| text.text())
            .map(str::len)
            .sum();
        let outline = ["d", "points"]
            .into_iter()
            .filter_map(|name| element.attribute(name))
            .map(str::len)
            .sum::<usize>()
            / BYTES_PER_POINT;
        let picture = element
            .attributes()
            .filter(|attribute| attribute.name() == "href")
            .map(|attribute| attribute.value().len() / BYTES_INSIDE)
            .sum::<usize>();
        let on_points = (outline as u64).saturating_mul(self.heaviest_marker.saturating_add(1));
        on_points.saturating_add((letters + picture) as u64)
    }

    /// What an element refers to, and how often: paint is handed down to what is inside.
    fn references(&self, element: Node<'_, '_>) -> Vec<(Node<'a, 'input>, u64)> {
        let mut found = Vec::new();
        let heirs = 1 + element.descendants().count() as u64;
        let mut refer = |name: &str, is_handed_down: bool| {
            let times = if is_handed_down { heirs } else { 1 };
            found.extend(self.named.get(name).map(|target| (*target, times)));
        };
        for attribute in element.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            if name == "href"
                && let Some(target) = value.strip_prefix('#')
            {
                refer(target, false);
            }
            let is_handed_down = ["fill", "stroke", "marker"]
                .iter()
                .any(|paint| name.starts_with(paint) || name == "style" && value.contains(paint));
            for target in urls(value) {
                refer(target, is_handed_down);
            }
        }
        let attribute = |name| element.attribute(name).unwrap_or_default();
        let names = (
            element.tag_name().name(),
            attribute("id"),
            attribute("class"),
        );
        for (target, is_handed_down) in self.sheet.references(names) {
            refer(target, is_handed_down);
        }
        found
    }
}

/// The names in `url(#name)`.
pub(super) fn urls(text: &str) -> impl Iterator<Item = &str> {
    text.split("url(").skip(1).filter_map(|rest| {
        let (inside, _) = rest.split_once(')')?;
        let quotes = |c: char| c.is_ascii_whitespace() || c == '\'' || c == '"';
        inside.trim_matches(quotes).strip_prefix('#')
    })
}

/// Asks for the name of an element in any namespace.
trait Tagged {
    fn has_tag_name_of(&self, name: &str) -> bool;
}

impl Tagged for Node<'_, '_> {
    fn has_tag_name_of(&self, name: &str) -> bool {
        self.tag_name().name() == name
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

    use super::*;

    fn is_heavy(inside: &str) -> bool {
        let text = format!("<svg xmlns='http://www.w3.org/2000/svg'>{inside}</svg>");
        check(&Document::parse(&text).unwrap()).is_err()
    }

    #[test]
    fn what_doubles_and_doubles_again_is_heavy() {
        let uses = |levels: u32| {
            (1..levels).fold("<g id='a0'><rect/></g>".to_owned(), |text, level| {
                let below = format!("<use href='#a{}'/>", level - 1);
                format!("{text}<g id='a{level}'>{below}{below}</g>")
            })
        };
        assert!(!is_heavy(&uses(12)));
        assert!(is_heavy(&uses(24)));
        assert!(is_heavy(&uses(100)));
        let patterns = (1..30).fold("<pattern id='a0'/>".to_owned(), |text, level| {
            let below = format!("<rect fill='url(#a{})'/>", level - 1);
            format!("{text}<pattern id='a{level}'>{below}{below}</pattern>")
        });
        assert!(is_heavy(&patterns));
    }

    #[test]
    fn a_long_chain_is_heavy_and_a_circle_is_not() {
        let chain = |length: u32| {
            (1..length).fold("<clipPath id='a0'/>".to_owned(), |text, link| {
                let before = link - 1;
                format!("{text}<clipPath id='a{link}' style=\"clip-path: url( '#a{before}' )\"/>")
            })
        };
        assert!(!is_heavy(&chain(100)));
        assert!(is_heavy(&chain(1000)));
        assert!(!is_heavy(
            "<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>"
        ));
    }

    #[test]
    fn marks_on_every_corner_and_long_texts_count() {
        let path = format!("<path d='M0 0{}'/>", "L1 1".repeat(30_000));
        let marker = format!("<marker id='m'>{}</marker>", "<g/>".repeat(100));
        assert!(!is_heavy(&path));
        assert!(is_heavy(&format!("{marker}{path}")));
        let words = format!("<text>{}</text>", "word ".repeat(500_000));
        assert!(is_heavy(&words));
        assert!(!is_heavy(&format!(
            "<text>{}</text>",
            "word ".repeat(5_000)
        )));
    }

    #[test]
    fn what_style_sheets_refer_to_counts_where_they_apply() {
        let masks = |levels: u32, class: &str| {
            (1..levels).fold("<mask id='a0'/>".to_owned(), |text, level| {
                let below = level - 1;
                let part = format!("<rect class='{class}{level}'/>");
                format!(
                    "{text}<style>/* }} */ .c{level}, .x {{ mask: url('#a{below}') }}</style>\
                     <mask id='a{level}'>{part}{part}</mask>"
                )
            })
        };
        assert!(is_heavy(&masks(60, "c")));
        assert!(!is_heavy(&masks(60, "d")));
        let plain = (0..500).fold(String::new(), |text, number| {
            format!(
                "{text}<clipPath id='a{number}'><rect class='b'/></clipPath>\
                 <style>.c{number}{{clip-path:url(#a{number})}}</style><g class='c{number}'/>"
            )
        });
        assert!(!is_heavy(&plain));
    }

    #[test]
    fn paint_that_is_handed_down_counts_for_each_heir() {
        let patterns = (1..40).fold("<pattern id='a0'/>".to_owned(), |text, level| {
            let below = level - 1;
            format!(
                "{text}<pattern id='a{level}'><g fill='url(#a{below})'><rect/><rect/></g></pattern>"
            )
        });
        assert!(is_heavy(&patterns));
    }
}
