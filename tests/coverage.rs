//! `docs/API-COVERAGE.md` names a test for every rule of the interface: each of them must be there.

use std::path::Path;

/// The texts between backquotes, in order.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn every_test_that_the_table_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = std::fs::read_to_string(root.join("docs/API-COVERAGE.md")).expect("the table");
    let rows = table
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| Rule "));
    let mut checked = 0;
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let [_, proof] = cells.as_slice() else {
            panic!("a row has a rule and its tests: {row}");
        };
        let (mut file, mut named) = (None, 0);
        for name in quoted(proof) {
            if name.contains('/') {
                let source = std::fs::read_to_string(root.join(name));
                let source = source.unwrap_or_else(|_| panic!("{name} is not there: {row}"));
                named += usize::from(name.ends_with(".mjs"));
                file = Some((name, source));
            } else {
                let (path, source) = file.as_ref().expect("a file comes before its tests");
                let test = format!("fn {name}(");
                assert!(source.contains(&test), "{path} has no test {name}: {row}");
                named += 1;
            }
        }
        assert!(named > 0, "no test is named: {row}");
        checked += 1;
    }
    assert!(checked > 150, "only {checked} rules");
}
