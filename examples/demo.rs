//! Makes what the documents show: pictures of the screen from the real buffer, the key table of the README, and the
//! recorded sessions. Keys go to the real state machine, jobs run for real, only the terminal is missing.
//!
//! `cargo run --release --example demo` from the root of the repository.

use std::path::Path;

use rewright::app::headless::Headless;
use rewright::app::keys;
use rewright::error::Result;
use rewright::session::Store;
use rewright::view::svg::svg;
use rewright::view::theme::Theme;

fn picture(bench: &Headless, name: &str, title: &str) -> Result<()> {
    let buffer = bench.draw(&Theme::preset("default")?);
    let path = Path::new("docs/pictures").join(name);
    std::fs::write(&path, svg(&buffer, title)).expect("the picture is written");
    println!("{}", path.display());
    Ok(())
}

fn pictures() -> Result<()> {
    let mut bench = Headless::new(120, 36, 100_000);
    picture(&bench, "start.svg", "The start screen with the bundled samples")?;
    bench.press("Enter t n")?;
    picture(
        &bench,
        "mismatches.svg",
        "The hand-edited rewrite of the Celsius sample differs in the last digit",
    )?;
    bench.press("Enter")?;
    picture(
        &bench,
        "record.svg",
        "One row with both values, their bits and the distance",
    )?;
    bench.press("Esc r")?;
    picture(
        &bench,
        "equal.svg",
        "The proposal of the Celsius sample gives the same on every row",
    )?;
    let mut bench = Headless::new(120, 36, 100_000);
    bench.press("Down Down Down Down Enter 3")?;
    picture(&bench, "cuda.svg", "A loop that only CUDA can express")?;
    let mut bench = Headless::new(80, 24, 100_000);
    bench.press("Enter t")?;
    picture(&bench, "small.svg", "The workbench on 80 columns")
}

fn record(path: &str) -> Result<Headless> {
    let path = Path::new(path);
    if path.exists() {
        std::fs::remove_dir_all(path).expect("the old recording goes");
    }
    let mut bench = Headless::new(120, 36, 3000);
    bench.store = Some(Store::create(path)?);
    println!("{}", path.display());
    Ok(bench)
}

/// Two pieces of work, as a reviewer would find them.
fn sessions() -> Result<()> {
    let mut bench = record("sessions/celsius.rw")?;
    bench.press("Enter t n n Enter Esc r 1 t")?;
    let mut bench = record("sessions/round-price.rw")?;
    bench.press("Down Down Down Enter t n 2 t 1")?;
    bench.edit = |text| text.replace("round(price, 2)", "round(CAST(price AS DOUBLE), 2)");
    bench.press("e r")
}

/// Puts the key table between its marks in the README.
fn key_table() {
    const MARKS: [&str; 2] = ["<!-- keys -->\n", "<!-- /keys -->"];
    let readme = std::fs::read_to_string("README.md").expect("run this from the root of the repository");
    let (before, rest) = readme.split_once(MARKS[0]).expect("the mark before the table");
    let (_, after) = rest.split_once(MARKS[1]).expect("the mark behind the table");
    let text = format!("{before}{}{}{}{after}", MARKS[0], keys::markdown(), MARKS[1]);
    std::fs::write("README.md", text).expect("the README is written");
}

fn main() -> Result<()> {
    for folder in ["docs/pictures", "sessions"] {
        std::fs::create_dir_all(folder).expect("the folder can be made");
    }
    pictures()?;
    sessions()?;
    key_table();
    Ok(())
}
