//! The workbench without a terminal: real state machine, real jobs run at once on the calling thread. In: keys by name;
//! out: the state and its picture. For pictures, recordings and benchmarks.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::event::{Effect, Event, Origin, Size};
use super::job::Jobs;
use super::state::{Config, State};
use super::update::update;
use super::work::Workshop;
use crate::error::{Error, Result};
use crate::run::{Cancel, Settings};
use crate::session::Store;
use crate::view::theme::Theme;
use crate::view::view;

/// A workbench that nobody looks at.
pub struct Headless {
    /// What a screen would show.
    pub state: State,
    /// Where steps are recorded, if anywhere.
    pub store: Option<Store>,
    /// What the user's editor does to a text.
    pub edit: fn(&str) -> String,
}

impl Headless {
    /// On the start screen, with the bundled samples; tests generate `rows` rows.
    pub fn new(width: u16, height: u16, rows: usize) -> Headless {
        let samples = super::chooser()
            .into_iter()
            .filter(|e| matches!(e.origin, Origin::Sample(_)))
            .collect();
        let settings = Settings::default();
        let config = Config {
            rows,
            seed: 42,
            data: None,
            settings,
            runners: Default::default(),
            who: "a reviewer".into(),
            chooser: samples,
        };
        Headless {
            state: State::new(config, Size { width, height }),
            store: None,
            edit: str::to_owned,
        }
    }

    /// One event with everything that follows from it.
    pub fn send(&mut self, event: Event) -> Result<()> {
        for effect in update(&mut self.state, event) {
            match effect {
                Effect::StartJob(id, spec) => {
                    let kind = spec.kind();
                    let report = Workshop.run(spec, &Cancel::default());
                    self.send(Event::Report(kind, id, report))?;
                }
                Effect::Append(entry) => {
                    if let Some(store) = &mut self.store {
                        store.append(&entry)?;
                    }
                }
                Effect::OpenEditor { tier, text, .. } => {
                    let edited = (self.edit)(&text);
                    self.send(Event::Edited(tier, Ok(edited)))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Keys by name, with blanks between them: `"Enter t n"`.
    pub fn press(&mut self, keys: &str) -> Result<()> {
        for name in keys.split_whitespace() {
            let key = name.parse().map_err(|_| Error::input(format!("`{name}` is no key")))?;
            self.send(Event::Key(key))?;
        }
        Ok(())
    }

    /// Draws one frame.
    pub fn draw(&self, theme: &Theme) -> Buffer {
        let Size { width, height } = self.state.size;
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        view(&self.state, theme, area, &mut buffer);
        buffer
    }
}
