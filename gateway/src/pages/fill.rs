//! Fills the `{{places}}` of a page with text.

use std::fmt::Write;

/// The page with each `{{name}}` replaced by its value, escaped. Values are not looked at again, so
/// text from outside cannot name a place. A name without a value is left out.
pub(super) fn fill(page: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(page.len() + 256);
    let mut rest = page;
    while let Some((before, after)) = rest.split_once("{{") {
        filled.push_str(before);
        let Some((name, after)) = after.split_once("}}") else {
            rest = after;
            break;
        };
        if let Some((_, value)) = values.iter().find(|(known, _)| *known == name) {
            escape(value, &mut filled);
        }
        rest = after;
    }
    filled.push_str(rest);
    filled
}

/// Safe between tags and in quoted attributes.
fn escape(text: &str, into: &mut String) {
    for character in text.chars() {
        match character {
            '&' | '<' | '>' | '"' | '\'' => {
                // Writing to a string cannot fail.
                let _ = write!(into, "&#{};", u32::from(character));
            }
            _ => into.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn values_are_escaped_and_never_read_as_places() {
        let page = "<title>{{name}}</title><p title=\"{{other}}\">{{none}}</p>";
        let values = [("name", "{{other}} <b>&"), ("other", "\"'")];
        assert_eq!(
            fill(page, &values),
            "<title>{{other}} &#60;b&#62;&#38;</title><p title=\"&#34;&#39;\"></p>"
        );
    }
}
