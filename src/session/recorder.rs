//! Records from a thread of its own, so that the screen never waits for a disk. In: messages; out: files, and news through
//! a callback. A session gets a folder with its first step that is worth keeping.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use crate::app::event::SessionNews;
use crate::error::{Error, Result};

use super::entry::Entry;
use super::list::state_dir;
use super::store::Store;

enum Message {
    New,
    Append(Box<Entry>),
    Continue(PathBuf),
    Save(PathBuf),
}

/// The handle of the recording thread. Dropping it waits until everything is written.
#[derive(Debug)]
pub struct Recorder {
    messages: Option<Sender<Message>>,
    thread: Option<JoinHandle<()>>,
}

impl Recorder {
    /// Starts the thread. Unnamed sessions go below `home`; without one, nothing is recorded until a name is given.
    pub fn start(home: Option<PathBuf>, news: impl Fn(SessionNews) + Send + 'static) -> Recorder {
        let (messages, inbox) = channel();
        let desk = Desk {
            home,
            news: Box::new(news),
            store: None,
            waiting: Vec::new(),
            troubled: false,
        };
        let thread = std::thread::Builder::new()
            .name("recording".into())
            .spawn(move || desk.work(inbox));
        Recorder {
            messages: thread.is_ok().then_some(messages),
            thread: thread.ok(),
        }
    }

    /// A recorder that keeps unnamed sessions in the XDG state folder.
    pub fn standard(news: impl Fn(SessionNews) + Send + 'static) -> Recorder {
        Recorder::start(state_dir(), news)
    }

    fn send(&self, message: Message) {
        if let Some(messages) = &self.messages {
            // The thread ends only when this sender is gone.
            let _ = messages.send(message);
        }
    }

    /// Begins a new session.
    pub fn begin(&self) {
        self.send(Message::New);
    }

    /// Appends a step.
    pub fn append(&self, step: Box<Entry>) {
        self.send(Message::Append(step));
    }

    /// Continues in a folder.
    pub fn continue_in(&self, dir: PathBuf) {
        self.send(Message::Continue(dir));
    }

    /// Gives the session a name.
    pub fn save(&self, to: PathBuf) {
        self.send(Message::Save(to));
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.messages = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Desk {
    home: Option<PathBuf>,
    news: Box<dyn Fn(SessionNews) + Send>,
    store: Option<Store>,
    /// Steps of a session that has no folder yet, or whose folder could not be written.
    waiting: Vec<Entry>,
    troubled: bool,
}

impl Desk {
    fn work(mut self, inbox: Receiver<Message>) {
        for message in inbox {
            match message {
                Message::New => {
                    self.store = None;
                    self.waiting.clear();
                    self.troubled = false;
                }
                Message::Append(step) => self.append(*step),
                Message::Continue(dir) => {
                    self.waiting.clear();
                    match Store::continue_in(&dir) {
                        Ok(store) => self.store = Some(store),
                        Err(e) => self.trouble(e),
                    }
                }
                Message::Save(to) => match self.save(&to) {
                    Ok(()) => (self.news)(SessionNews::Saved(to)),
                    Err(e) => (self.news)(SessionNews::Trouble(with_hint(&e))),
                },
            }
        }
    }

    fn append(&mut self, step: Entry) {
        let worth = matches!(
            step,
            Entry::Checked(_)
                | Entry::Verified(_)
                | Entry::Benched(_)
                | Entry::CheckFailed { .. }
                | Entry::Edited { .. }
                | Entry::Accepted(_)
        );
        self.waiting.push(step);
        if self.store.is_none() && worth && !self.troubled {
            let Some(home) = self.home.clone() else { return };
            match Store::create(&free_name(&home, self.udf())) {
                Ok(store) => self.store = Some(store),
                Err(e) => return self.trouble(e),
            }
        }
        if let Err(e) = self.flush() {
            self.trouble(e);
        }
    }

    /// Writes what waits; a step that could not be written keeps waiting.
    fn flush(&mut self) -> Result<()> {
        let Some(store) = &mut self.store else { return Ok(()) };
        while let Some(step) = self.waiting.first() {
            store.append(step)?;
            self.waiting.remove(0);
        }
        self.troubled = false;
        Ok(())
    }

    fn save(&mut self, to: &Path) -> Result<()> {
        match &mut self.store {
            Some(store) => {
                store.rename(to)?;
            }
            None if self.waiting.is_empty() => {
                return Err(Error::input("there is nothing to save yet"));
            }
            None => {
                if std::fs::symlink_metadata(to).is_ok() {
                    return Err(Error::input(format!("{} exists already", to.display())).hint("choose another name"));
                }
                self.store = Some(Store::create(to)?);
            }
        }
        self.flush()
    }

    fn udf(&self) -> &str {
        let name = |e: &Entry| matches!(e, Entry::Opened(_));
        match self.waiting.iter().find(|e| name(e)) {
            Some(Entry::Opened(o)) => &o.udf,
            _ => "session",
        }
    }

    /// Says once that recording fails; every later step keeps waiting in memory.
    fn trouble(&mut self, e: Error) {
        if !std::mem::replace(&mut self.troubled, true) {
            (self.news)(SessionNews::Trouble(with_hint(&e)));
        }
    }
}

fn with_hint(e: &Error) -> String {
    match e.hints.first() {
        Some(hint) => format!("{e} ({hint})"),
        None => e.to_string(),
    }
}

/// A folder name below `home` that is not taken, from the UDF and the time.
pub fn free_name(home: &Path, udf: &str) -> PathBuf {
    let safe: String = udf
        .chars()
        .filter(|c| c.is_alphanumeric() || *c == '_')
        .take(60)
        .collect();
    let time = chrono::Utc::now().format("%Y%m%d-%H%M%S");
    let mut path = home.join(format!("{safe}-{time}.rw"));
    let mut n = 1;
    while std::fs::symlink_metadata(&path).is_ok() {
        n += 1;
        path = home.join(format!("{safe}-{time}-{n}.rw"));
    }
    path
}
