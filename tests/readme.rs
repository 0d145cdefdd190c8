//! The README is true: its key table is the program's.

#[test]
fn the_key_table_is_the_programs() {
    let readme = include_str!("../README.md");
    let table = rewright::app::keys::markdown();
    assert!(
        readme.contains(&table),
        "run: cargo run --release --example demo\n{table}"
    );
}
