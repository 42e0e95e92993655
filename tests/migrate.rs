//! `kinora migrate`: the schema of a database, apart from those who use it.

use crate::farm::command::{kinora, run, said};
use crate::farm::postgres::Postgres;

#[test]
fn a_new_database_is_brought_up_to_date_once() {
    let folder = tempfile::tempdir().expect("temp folder");
    let data = folder.path().join("new").display().to_string();
    let migrate = || run(["migrate", "--data", &data, "--json"]).json();
    let first = migrate();
    assert_eq!(first["from"], 0);
    let version = first["to"].as_i64().expect("a version");
    assert!(version > 0, "{first}");
    let again = migrate();
    assert_eq!(again["from"], version);
    assert_eq!(again["to"], version);
    let told = run(["migrate", "--data", &data]).succeeded();
    assert!(told.contains("up to date"), "{told}");
}

#[test]
fn it_is_done_on_postgres_before_anybody_starts() {
    let postgres = Postgres::start();
    let with = |words: &[&str]| {
        said(
            kinora()
                .args(words)
                .env("KINORA_DATABASE_URL", postgres.url()),
        )
    };
    let told = with(&["migrate"]).succeeded();
    assert!(told.contains("from version 0 to version"), "{told}");
    let told = with(&["migrate"]).succeeded();
    assert!(told.contains("up to date"), "{told}");
    with(&["account", "create", "--email", "ada@example.com"]).succeeded();
}

#[test]
fn a_database_that_is_away_is_named_without_its_password() {
    let url = "postgres://kinora:hunter2@127.0.0.1:1/kinora";
    let told = said(kinora().arg("migrate").env("KINORA_DATABASE_URL", url));
    told.failed_with(&["127.0.0.1:1/kinora", "check that the server runs"]);
    assert!(!told.stderr.contains("hunter2"), "{}", told.stderr);
}
