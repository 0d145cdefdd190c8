//! What can happen and what follows from it. In and out of [`super::update::update`]: closed enums of plain values.

use std::path::PathBuf;
use std::sync::Arc;

use crate::propose::Tier;
use crate::run::spark::WorkerStatus;
use crate::session::Entry;
use crate::source::Language;

use super::action::Action;
use super::job::{JobKind, JobSpec, Report};
use super::key::Key;

/// Size of the terminal in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Size {
    /// Columns.
    pub width: u16,
    /// Lines.
    pub height: u16,
}

/// What the mouse did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseKind {
    /// The first button went down.
    Click,
    /// The wheel turned up.
    WheelUp,
    /// The wheel turned down.
    WheelDown,
}

/// Everything that can happen.
#[derive(Debug)]
pub enum Event {
    /// A key was struck.
    Key(Key),
    /// The mouse did something at a column and a line.
    Mouse(MouseKind, u16, u16),
    /// Text was pasted.
    Paste(String),
    /// The terminal has a new size.
    Resize(Size),
    /// Time passed; milliseconds since the start.
    Tick(u64),
    /// An action asked for by name: palette, start-up, a script.
    Act(Action),
    /// A file, sample or session is to be opened.
    Open(Origin, Option<String>),
    /// A job has ended.
    Report(JobKind, u64, Report),
    /// The editor was closed; the text as it left it.
    Edited(Tier, Result<String, String>),
    /// The watched file changed.
    FileChanged,
    /// The workers changed their states.
    Workers(Vec<WorkerStatus>),
    /// What the workers wrote so far.
    WorkerLog(String),
    /// The session store has something to say.
    Session(SessionNews),
    /// A copy ended up in a file instead of the clipboard, or failed.
    Copied(Result<String, String>),
    /// A recorded step, while a session is folded.
    Recorded(Box<Entry>),
}

/// What the session store reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionNews {
    /// The session now lives in this folder under a name of its own.
    Saved(PathBuf),
    /// Something could not be written; the work goes on.
    Trouble(String),
}

/// Where a UDF comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A file.
    File(PathBuf),
    /// A bundled sample, by its place in the list.
    Sample(usize),
    /// A session folder.
    Session(PathBuf),
}

/// What the shell around the state machine is to do.
#[derive(Debug)]
pub enum Effect {
    /// Start a job in the slot of its kind.
    StartJob(u64, JobSpec),
    /// Ask a running job to stop.
    Cancel(JobKind, u64),
    /// Append to the session.
    Append(Box<Entry>),
    /// Begin a new session; the old one stays as it is.
    NewSession,
    /// Give the session this folder name.
    SaveSession(PathBuf),
    /// Continue the session in this folder instead of a new one.
    ContinueSession(PathBuf),
    /// Let the user edit a text, at this 1-based line.
    OpenEditor {
        /// Of which tier.
        tier: Tier,
        /// In which language, where the tier has several.
        language: Language,
        /// The text to begin with.
        text: Arc<str>,
        /// Where the cursor stands.
        line: usize,
    },
    /// Put text on the clipboard.
    Copy(String),
    /// Start the JVM worker for this class path, so that the first test does not wait for it.
    WarmUp(Vec<PathBuf>),
    /// Fetch what the workers wrote.
    WorkerLog,
    /// Watch this file, or none.
    Watch(Option<PathBuf>),
    /// Stop the process until the shell continues it.
    Suspend,
    /// Draw everything again.
    Redraw,
    /// End.
    Quit,
}
