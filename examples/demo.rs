//! Makes what the documents show: pictures of the screen from the real buffer, the key table of the README, and the
//! recorded sessions. Keys go to the real state machine, jobs run for real, only the terminal is missing.
//!
//! `cargo run --release --example demo` from the root of the repository.

use std::path::Path;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use rewright::app::event::{Effect, Event, Origin, Size};
use rewright::app::job::Jobs;
use rewright::app::state::{Config, State};
use rewright::app::update::update;
use rewright::app::work::Workshop;
use rewright::app::{chooser, keys};
use rewright::run::{Cancel, Settings};
use rewright::session::Store;
use rewright::view::svg::svg;
use rewright::view::theme::Theme;
use rewright::view::view;

/// The workbench without a terminal.
struct Bench {
    state: State,
    store: Option<Store>,
    /// What the user's editor would do to a text.
    edit: fn(&str) -> String,
}

impl Bench {
    fn new(width: u16, height: u16, rows: usize) -> Bench {
        let settings = Settings::default();
        let samples = chooser().into_iter().filter(|e| matches!(e.origin, Origin::Sample(_))).collect();
        let config = Config { rows, seed: 42, settings, who: "a reviewer".into(), chooser: samples };
        Bench { state: State::new(config, Size { width, height }), store: None, edit: str::to_owned }
    }

    fn send(&mut self, event: Event) {
        for effect in update(&mut self.state, event) {
            match effect {
                Effect::StartJob(id, spec) => {
                    let kind = spec.kind();
                    let report = Workshop.run(spec, &Cancel::default());
                    self.send(Event::Report(kind, id, report));
                }
                Effect::Append(entry) => {
                    if let Some(store) = &mut self.store {
                        store.append(&entry).expect("the session is written");
                    }
                }
                Effect::OpenEditor { tier, text, .. } => {
                    let edited = (self.edit)(&text);
                    self.send(Event::Edited(tier, Ok(edited)));
                }
                _ => {}
            }
        }
    }

    /// Keys by name, with blanks between them.
    fn press(&mut self, keys: &str) {
        for key in keys.split_whitespace() {
            self.send(Event::Key(key.parse().expect("a key's name")));
        }
    }

    fn picture(&self, name: &str, title: &str) {
        let Size { width, height } = self.state.size;
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        view(&self.state, &Theme::preset("default").expect("a preset"), area, &mut buffer);
        let path = Path::new("docs/pictures").join(name);
        std::fs::write(&path, svg(&buffer, title)).expect("the picture is written");
        println!("{}", path.display());
    }

    fn record(&mut self, path: &str) {
        let path = Path::new(path);
        if path.exists() {
            std::fs::remove_dir_all(path).expect("the old recording goes");
        }
        self.store = Some(Store::create(path).expect("the session begins"));
        println!("{}", path.display());
    }
}

fn pictures() {
    let mut bench = Bench::new(120, 36, 100_000);
    bench.picture("start.svg", "The start screen with the bundled samples");
    bench.press("Enter t n");
    bench.picture("mismatches.svg", "The hand-edited rewrite of the Celsius sample differs in the last digit");
    bench.press("Enter");
    bench.picture("record.svg", "One row with both values, their bits and the distance");
    bench.press("Esc r t");
    bench.picture("equal.svg", "The proposal of the Celsius sample gives the same on every row");
    let mut bench = Bench::new(120, 36, 100_000);
    bench.press("Down Down Down Down Enter 3");
    bench.picture("cuda.svg", "A loop that only CUDA can express");
    let mut bench = Bench::new(80, 24, 100_000);
    bench.press("Enter t");
    bench.picture("small.svg", "The workbench on 80 columns");
}

/// Two pieces of work, as a reviewer would find them.
fn sessions() {
    let mut bench = Bench::new(120, 36, 3000);
    bench.record("sessions/celsius.rw");
    bench.press("Enter t n n Enter Esc r t 1 t");
    let mut bench = Bench::new(120, 36, 3000);
    bench.record("sessions/round-price.rw");
    bench.press("Down Down Down Enter t n 2 t 1");
    bench.edit = |text| text.replace("round(price, 2)", "CAST(round(price, 2) AS DOUBLE)");
    bench.press("e t");
    bench.press("r t");
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

fn main() {
    std::fs::create_dir_all("docs/pictures").expect("a folder for pictures");
    std::fs::create_dir_all("sessions").expect("a folder for sessions");
    pictures();
    sessions();
    key_table();
}
