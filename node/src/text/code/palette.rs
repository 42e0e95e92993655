//! The colours of code: a few kinds of words, on a dark and on a light ground.

use std::sync::OnceLock;

use kinora_composition::css::Color;
use kinora_composition::document::CodeTheme;
use syntect::parsing::{Scope, ScopeStack};

/// A colour for each kind of word.
pub(crate) struct Palette {
    pub(crate) plain: Color,
    /// Numbers of lines.
    pub(crate) gutter: Color,
    pub(super) comment: Color,
    pub(super) keyword: Color,
    pub(super) string: Color,
    number: Color,
    pub(super) function: Color,
    type_name: Color,
    tag: Color,
    attribute: Color,
    operator: Color,
    punctuation: Color,
}

static DARK: Palette = Palette {
    plain: hex(0xe3e7f2),
    gutter: hex(0x56617e),
    comment: hex(0x7c87a3),
    keyword: hex(0xb79bff),
    string: hex(0x9bd88d),
    number: hex(0xf6a878),
    function: hex(0x78b7ff),
    type_name: hex(0xf3cf7d),
    tag: hex(0xf58c9d),
    attribute: hex(0x7fd6c9),
    operator: hex(0x9db3e0),
    punctuation: hex(0x9aa6c4),
};

static LIGHT: Palette = Palette {
    plain: hex(0x2b3145),
    gutter: hex(0xa9b0c2),
    comment: hex(0x868da1),
    keyword: hex(0x7439cf),
    string: hex(0x2c7c3b),
    number: hex(0xb5500c),
    function: hex(0x1c5cbd),
    type_name: hex(0x936200),
    tag: hex(0xb72c4c),
    attribute: hex(0x0c736b),
    operator: hex(0x45568a),
    punctuation: hex(0x69728a),
};

const fn hex(rgb: u32) -> Color {
    const fn channel(value: u32) -> f32 {
        (value & 0xff) as f32 / 255.0
    }
    Color {
        r: channel(rgb >> 16),
        g: channel(rgb >> 8),
        b: channel(rgb),
        a: 1.0,
    }
}

type Pick = fn(&Palette) -> Color;

/// Which colour belongs to a scope: the longest one that it begins with decides.
const RULES: [(&str, Pick); 46] = [
    ("comment", |p| p.comment),
    ("punctuation.definition.comment", |p| p.comment),
    ("string", |p| p.string),
    ("punctuation.definition.string", |p| p.string),
    ("constant.character.escape", |p| p.attribute),
    ("constant.numeric", |p| p.number),
    ("constant.language", |p| p.number),
    ("constant.other", |p| p.number),
    ("constant.character", |p| p.number),
    ("keyword", |p| p.keyword),
    ("keyword.operator", |p| p.operator),
    ("keyword.operator.word", |p| p.keyword),
    ("storage", |p| p.keyword),
    ("storage.type.numeric", |p| p.type_name),
    ("storage.type.primitive", |p| p.type_name),
    ("support.type.property-name", |p| p.attribute),
    ("variable.language", |p| p.tag),
    ("variable.function", |p| p.function),
    ("variable.annotation", |p| p.attribute),
    ("variable.other.constant", |p| p.number),
    ("entity.name.function", |p| p.function),
    ("entity.name.class", |p| p.type_name),
    ("entity.name.type", |p| p.type_name),
    ("entity.name.struct", |p| p.type_name),
    ("entity.name.enum", |p| p.type_name),
    ("entity.name.trait", |p| p.type_name),
    ("entity.name.impl", |p| p.type_name),
    ("entity.name.interface", |p| p.type_name),
    ("entity.name.namespace", |p| p.type_name),
    ("entity.name.tag", |p| p.tag),
    ("entity.name.section", |p| p.function),
    ("entity.other.inherited-class", |p| p.type_name),
    ("entity.other.attribute-name", |p| p.attribute),
    ("support.function", |p| p.function),
    ("support.macro", |p| p.function),
    ("support.type", |p| p.type_name),
    ("support.class", |p| p.type_name),
    ("support.constant", |p| p.number),
    ("markup.heading", |p| p.function),
    ("markup.raw", |p| p.string),
    ("markup.underline.link", |p| p.attribute),
    ("markup.inserted", |p| p.string),
    ("markup.deleted", |p| p.tag),
    ("punctuation.definition.tag", |p| p.punctuation),
    ("punctuation", |p| p.punctuation),
    ("punctuation.separator.decimal", |p| p.number),
];

impl Palette {
    pub(crate) fn of(theme: CodeTheme) -> &'static Self {
        match theme {
            CodeTheme::Dark => &DARK,
            CodeTheme::Light => &LIGHT,
        }
    }

    /// The colour of what lies in these scopes: the innermost one that has one decides.
    pub(super) fn color(&self, scopes: &ScopeStack) -> Color {
        let own = |scope: &Scope| {
            let fitting = rules().iter().filter(|(rule, _)| rule.is_prefix_of(*scope));
            fitting.max_by_key(|(rule, _)| rule.len())
        };
        let found = scopes.as_slice().iter().rev().find_map(own);
        found.map_or(self.plain, |(_, pick)| pick(self))
    }
}

fn rules() -> &'static [(Scope, Pick)] {
    static PARSED: OnceLock<Vec<(Scope, Pick)>> = OnceLock::new();
    PARSED.get_or_init(|| {
        let parsed = RULES
            .iter()
            .map(|(name, pick)| Some((Scope::new(name).ok()?, *pick)));
        parsed.flatten().collect()
    })
}
