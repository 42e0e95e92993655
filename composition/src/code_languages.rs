//! The programming languages that can be named, with their usual endings.

/// Each language by the name of its grammar, and what it may be called.
const LANGUAGES: [(&str, &[&str]); 58] = [
    ("Bourne Again Shell (bash)", &["bash", "sh", "shell", "zsh"]),
    ("C", &["c", "h"]),
    ("C#", &["csharp", "c#", "cs"]),
    ("C++", &["cpp", "c++", "cc", "cxx", "hpp", "hh"]),
    ("CMake", &["cmake"]),
    ("CSS", &["css"]),
    ("Clojure", &["clojure", "clj", "cljs"]),
    ("Crystal", &["crystal", "cr"]),
    ("D", &["d"]),
    ("Dart", &["dart"]),
    ("Diff", &["diff", "patch"]),
    ("Dockerfile", &["dockerfile", "docker"]),
    ("Elixir", &["elixir", "ex", "exs"]),
    ("Elm", &["elm"]),
    ("Erlang", &["erlang", "erl"]),
    ("F#", &["fsharp", "f#", "fs"]),
    ("Fish", &["fish"]),
    ("Go", &["go", "golang"]),
    ("GraphQL", &["graphql", "gql"]),
    ("Groovy", &["groovy", "gradle"]),
    ("HTML", &["html", "htm"]),
    ("Haskell", &["haskell", "hs"]),
    ("INI", &["ini", "cfg", "conf"]),
    ("JSON", &["json", "jsonc", "json5"]),
    ("Java", &["java"]),
    ("JavaScript", &["javascript", "js", "mjs", "cjs"]),
    ("Julia", &["julia", "jl"]),
    ("Kotlin", &["kotlin", "kt", "kts"]),
    ("LaTeX", &["latex", "tex"]),
    ("Less", &["less"]),
    ("Lisp", &["lisp", "scheme"]),
    ("Lua", &["lua"]),
    ("Makefile", &["makefile", "make"]),
    ("Markdown", &["markdown", "md"]),
    ("Nix", &["nix"]),
    ("OCaml", &["ocaml", "ml"]),
    ("Objective-C", &["objective-c", "objectivec", "objc", "m"]),
    ("PHP", &["php"]),
    ("Pascal", &["pascal", "pas", "delphi"]),
    ("Perl", &["perl", "pl"]),
    ("Protocol Buffer", &["protobuf", "proto"]),
    ("Python", &["python", "py"]),
    ("R", &["r"]),
    ("Ruby", &["ruby", "rb"]),
    ("Rust", &["rust", "rs"]),
    ("SCSS", &["scss"]),
    ("SQL", &["sql", "postgresql", "mysql"]),
    ("Scala", &["scala"]),
    ("Solidity", &["solidity", "sol"]),
    ("Svelte", &["svelte"]),
    ("Swift", &["swift"]),
    ("TOML", &["toml"]),
    ("TypeScript", &["typescript", "ts"]),
    ("TypeScriptReact", &["tsx", "jsx"]),
    ("Vue Component", &["vue"]),
    ("XML", &["xml", "svg"]),
    ("YAML", &["yaml", "yml"]),
    ("Zig", &["zig"]),
];

/// The grammar of a language by its name or its usual ending; `None` for what is not highlighted.
pub fn grammar(language: &str) -> Option<&'static str> {
    let language = language.trim().trim_start_matches('.').to_lowercase();
    LANGUAGES
        .iter()
        .find(|(grammar, names)| {
            names.contains(&language.as_str()) || grammar.eq_ignore_ascii_case(&language)
        })
        .map(|(grammar, _)| *grammar)
}

/// Every grammar that a name leads to.
pub fn grammars() -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().map(|(grammar, _)| *grammar)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_go_by_names_and_by_endings() {
        for name in ["rust", "rs", ".rs", " Rust "] {
            assert_eq!(grammar(name), Some("Rust"), "{name}");
        }
        assert_eq!(grammar("C++"), grammar("hpp"));
        assert_eq!((grammar(""), grammar("klingon")), (None, None));
    }

    #[test]
    fn no_name_means_two_languages() {
        let mut names: Vec<&str> = LANGUAGES.iter().flat_map(|one| one.1).copied().collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
