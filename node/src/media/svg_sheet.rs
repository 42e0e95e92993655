//! What the style sheets of an SVG file refer to, and for which elements.

use std::collections::HashMap;

use super::svg_weight::urls;

/// The rules of style sheets that refer to something. Read loosely: a rule may count for more
/// elements than it is for, never for fewer.
pub(super) struct Sheet {
    /// By a word of the selector: `.class`, `#id` or a tag.
    rules: HashMap<String, Vec<Reference>>,
    /// Of rules for everything.
    everywhere: Vec<Reference>,
}

#[derive(Clone)]
struct Reference {
    target: String,
    is_handed_down: bool,
}

impl Sheet {
    pub(super) fn read<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut sheet = Self {
            rules: HashMap::new(),
            everywhere: Vec::new(),
        };
        for text in texts {
            let text = without_comments(text);
            for rule in text.split('}') {
                if let Some((selectors, body)) = rule.rsplit_once('{') {
                    sheet.add(selectors, body);
                }
            }
        }
        sheet
    }

    fn add(&mut self, selectors: &str, body: &str) {
        let is_handed_down = ["fill", "stroke", "marker"]
            .iter()
            .any(|paint| body.contains(paint));
        let references: Vec<Reference> = urls(body)
            .map(|target| Reference {
                target: target.to_owned(),
                is_handed_down,
            })
            .collect();
        if references.is_empty() {
            return;
        }
        for selector in selectors.split(',') {
            let is_plain = |c: char| c.is_alphanumeric() || " \t\r\n.#-_>".contains(c);
            let words: Vec<String> = words(selector);
            if words.is_empty() || !selector.chars().all(is_plain) {
                self.everywhere.extend(references.clone());
            }
            for word in words {
                self.rules
                    .entry(word)
                    .or_default()
                    .extend(references.clone());
            }
        }
    }

    /// What rules for an element of this tag, id and classes refer to, and whether that is handed
    /// down to what is inside.
    pub(super) fn references(
        &self,
        (tag, id, classes): (&str, &str, &str),
    ) -> impl Iterator<Item = (&str, bool)> {
        let names = classes
            .split_whitespace()
            .map(|class| format!(".{class}"))
            .chain([format!("#{id}"), tag.to_owned()]);
        names
            .filter_map(|name| self.rules.get(&name))
            .flatten()
            .chain(&self.everywhere)
            .map(|reference| (reference.target.as_str(), reference.is_handed_down))
    }
}

/// The classes, ids and tags in a selector, with their signs.
fn words(selector: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in selector.chars() {
        let is_inside = c.is_alphanumeric() || c == '-' || c == '_';
        if !is_inside {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut()
            && (is_inside || c == '.' || c == '#')
        {
            word.push(c);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn without_comments(text: &str) -> String {
    let mut parts = text.split("/*");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if let Some((_, rest)) = part.split_once("*/") {
            kept.push_str(rest);
        }
    }
    kept
}
