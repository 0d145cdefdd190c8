//! What the screen knows. Only [`super::update::update`] writes it; [`crate::view`] reads it. Holds no handle to the
//! outside world.

use std::path::PathBuf;
use std::sync::Arc;

use crate::bench::BenchReport;
use crate::check::{CheckReport, Runners};
use crate::compare::{CLASSES, ClassCount, Mismatch, Policy, PolicyEntry, row_mismatches};
use crate::find::Udf;
use crate::propose::{Candidate, Tier};
use crate::run::spark::WorkerStatus;
use crate::run::{EngineId, Settings};
use crate::source::{Refusal, Span};

use super::action::Action;
use super::document::{Document, Syntax};
use super::event::{Origin, Size};
use super::job::{Failure, JobKind, JobTable, Opened};
use super::keys::Where;
use super::layout::{self, Layout};
use super::line::Line;
use super::runners::Answer;

/// What does not change while the program runs.
#[derive(Debug, Clone)]
pub struct Config {
    /// Rows that a test generates.
    pub rows: usize,
    /// Seed that it generates with.
    pub seed: u64,
    /// A data file whose rows are tested instead.
    pub data: Option<PathBuf>,
    /// Zone and ANSI mode.
    pub settings: Settings,
    /// What runs the two sides of a test at first.
    pub runners: Runners,
    /// Who accepts, as a suggestion.
    pub who: String,
    /// Entries of the start screen.
    pub chooser: Vec<ChooserEntry>,
}

/// One entry of the start screen.
#[derive(Debug, Clone)]
pub struct ChooserEntry {
    /// What it opens.
    pub origin: Origin,
    /// Its name.
    pub title: String,
    /// What it shows, in one line.
    pub detail: String,
}

/// The three panels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Panel {
    /// The original.
    Source,
    /// The rewrite.
    Rewrite,
    /// The mismatches.
    Rows,
}

/// A cursor in a list or text, with what is scrolled away.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Scroll {
    /// Line or entry under the cursor.
    pub cursor: usize,
    /// First visible one.
    pub top: usize,
    /// Columns scrolled away.
    pub left: usize,
}

impl Scroll {
    /// Moves the cursor to a line, keeps it in range and in sight.
    pub fn go(&mut self, to: usize, count: usize, height: usize) {
        self.cursor = to.min(count.saturating_sub(1));
        let height = height.max(1);
        if self.cursor < self.top {
            self.top = self.cursor;
        } else if self.cursor >= self.top + height {
            self.top = self.cursor + 1 - height;
        }
        self.top = self.top.min(count.saturating_sub(height));
    }

    /// Like [`Scroll::go`], but brings a line from out of sight to the middle.
    pub fn reveal(&mut self, to: usize, count: usize, height: usize) {
        if to < self.top || to >= self.top + height.max(1) {
            self.top = to.saturating_sub(height / 2);
        }
        self.go(to, count, height);
    }
}

/// What lies over the panels.
#[derive(Debug)]
pub enum Overlay {
    /// The keys, for the context they were asked in.
    Help(Where, Scroll),
    /// The record view of the current mismatch.
    Record(Scroll),
    /// The edit against the proposal.
    Diff(Scroll),
    /// Where the rewrite may differ.
    Notes(Scroll),
    /// The whole benchmark.
    Timings(Scroll),
    /// What the worker wrote.
    Log(String, Scroll),
    /// Accepted classes and those that could be.
    Policy(Scroll),
    /// A list to choose from.
    Picker(Picker),
    /// The command palette: query and cursor.
    Palette(Line, Scroll),
    /// A line of text.
    Prompt(Prompt),
    /// Quit with work that has no name?
    Confirm,
}

/// A list to choose from.
#[derive(Debug)]
pub struct Picker {
    /// What is chosen.
    pub what: Pick,
    /// The entries: name and detail.
    pub entries: Vec<(String, String)>,
    /// The cursor.
    pub scroll: Scroll,
}

/// What a list chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pick {
    /// A UDF of the file.
    Udf,
    /// A class of mismatch to show.
    Class,
    /// A shape of the kernel that was tried.
    Try,
}

/// A line of text that is being typed.
#[derive(Debug)]
pub struct Prompt {
    /// What it is for.
    pub ask: Ask,
    /// The text.
    pub line: Line,
}

/// What a prompt asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Ask {
    /// Text to find in a panel.
    Find(Panel),
    /// Why a class is acceptable.
    Reason(PolicyEntry),
    /// Who accepts it.
    Who(PolicyEntry),
    /// Whether the source may run in a worker, for this action.
    Trust(Action),
    /// Under which name to save; then whether to quit.
    SaveAs {
        /// Quit once it is saved.
        then_quit: bool,
    },
}

/// How a tier's last test ended.
#[derive(Debug, Clone, Default)]
pub enum Tested {
    /// Not tested.
    #[default]
    Not,
    /// With outcomes.
    Done(Arc<CheckReport>),
    /// Without.
    Failed(Failure),
}

/// How a tier's last benchmark ended.
#[derive(Debug, Clone, Default)]
pub enum Timed {
    /// Not timed.
    #[default]
    Not,
    /// With something to show.
    Done(Arc<BenchReport>),
    /// Without.
    Failed(Failure),
}

/// One tier of the UDF at hand.
#[derive(Debug)]
pub struct Slot {
    /// The proposal, if the tier can express the UDF.
    pub proposal: Option<Candidate>,
    /// Why not, if it cannot.
    pub refused: Vec<Refusal>,
    /// The hand edit.
    pub edited: Option<Arc<str>>,
    /// The current text as the screen shows it.
    pub document: Document,
    /// The last test.
    pub tested: Tested,
    /// Whether text, source or policy changed since.
    pub stale: bool,
    /// Cursor in the rewrite.
    pub scroll: Scroll,
    /// What each pair of oracle and engine said of the text as it stands.
    pub answers: Vec<Answer>,
    /// The oracle of the test that was asked for last.
    pub asked: Option<EngineId>,
    /// Whether a JVM has still to confirm what the embedded oracle said.
    pub confirm: bool,
    /// The last benchmark.
    pub timed: Timed,
    /// The text that it was of.
    pub timed_text: Arc<str>,
}

impl Slot {
    /// A tier of which nothing is known yet.
    pub fn empty() -> Slot {
        Slot {
            proposal: None,
            refused: Vec::new(),
            edited: None,
            document: Document::new("", Syntax::Plain),
            tested: Tested::Not,
            stale: false,
            scroll: Scroll::default(),
            answers: Vec::new(),
            asked: None,
            confirm: false,
            timed: Timed::Not,
            timed_text: Arc::from(""),
        }
    }

    /// The rewrite as it would be tested: the edit, else the proposal.
    pub fn candidate(&self, tier: Tier) -> Option<Candidate> {
        match (&self.edited, &self.proposal) {
            (Some(text), proposal) => Some(Candidate {
                tier,
                text: text.to_string(),
                span_map: Vec::new(),
                notes: proposal.as_ref().map(|p| p.notes.clone()).unwrap_or_default(),
                rank: proposal.as_ref().map_or(u8::MAX, |p| p.rank),
                rank_reason: "edited by hand".into(),
            }),
            (None, proposal) => proposal.clone(),
        }
    }

    /// The line of the text that does not compile, 0-based, if the last test said so of the text as it stands.
    pub fn broken_line(&self) -> Option<(usize, &Failure)> {
        match &self.tested {
            Tested::Failed(e) if !self.stale => Some((e.line?.checked_sub(1)? as usize, e)),
            _ => None,
        }
    }

    /// The last test's outcomes, stale or not.
    pub fn report(&self) -> Option<&Arc<CheckReport>> {
        match &self.tested {
            Tested::Done(report) => Some(report),
            _ => None,
        }
    }

    /// The last benchmark, of this text or of another.
    pub fn bench(&self) -> Option<&Arc<BenchReport>> {
        match &self.timed {
            Timed::Done(report) => Some(report),
            _ => None,
        }
    }

    /// Whether the last benchmark was of another text.
    pub fn bench_is_old(&self) -> bool {
        self.timed_text != self.document.text
    }

    /// Sets the text on screen to the current candidate's.
    pub fn refresh(&mut self, tier: Tier) {
        let text = match (&self.edited, &self.proposal) {
            (Some(text), _) => text.clone(),
            (None, Some(p)) => Arc::from(p.text.as_str()),
            (None, None) => Arc::from(""),
        };
        let syntax = Syntax::of_candidate(tier, &text);
        self.document = Document::new(text, syntax);
        let last = self.document.line_count() - 1;
        self.scroll.cursor = self.scroll.cursor.min(last);
        self.scroll.top = self.scroll.top.min(last);
    }
}

/// What can be undone.
#[derive(Debug)]
pub enum Undo {
    /// The hand edit of a tier as it was.
    Text(Tier, Option<Arc<str>>),
    /// The policy as it was.
    Policy(Policy),
}

/// How proposing went.
#[derive(Debug, Default)]
pub enum Proposing {
    /// Not yet done.
    #[default]
    Pending,
    /// Done.
    Done,
    /// It failed.
    Failed(Failure),
}

/// One UDF on the bench.
#[derive(Debug)]
pub struct Work {
    /// The file.
    pub opened: Arc<Opened>,
    /// Which UDF of it; `None` while it is being chosen or when there is none.
    pub udf: Option<usize>,
    /// How proposing went.
    pub proposing: Proposing,
    /// The three tiers.
    pub slots: [Slot; 3],
    /// The tier on screen.
    pub tier: Tier,
    /// What is accepted.
    pub policy: Policy,
    /// What can be undone, newest last.
    pub undo: Vec<Undo>,
    /// Cursor in the original.
    pub source: Scroll,
    /// The differing rows on show, as places in the comparison's list of them.
    pub rows: Vec<u32>,
    /// Cursor in them.
    pub rows_scroll: Scroll,
    /// The only class on show.
    pub filter: Option<String>,
    /// The branch that a row took.
    pub trace: Option<(u64, Vec<Span>)>,
    /// Rows and seed of the tests, where a session says so.
    pub rows_wanted: usize,
    /// The seed.
    pub seed: u64,
    /// A data file whose rows are tested instead.
    pub data: Option<PathBuf>,
    /// Zone and ANSI mode.
    pub settings: Settings,
    /// What runs the two sides.
    pub runners: Runners,
    /// Whether foreign code of this source may run: not for a recorded session until the user says so.
    pub trusted: bool,
}

impl Work {
    /// The UDF.
    pub fn udf(&self) -> Option<&Udf> {
        self.opened.found.udfs.get(self.udf?)
    }

    /// The tier on screen.
    pub fn slot(&self) -> &Slot {
        &self.slots[self.tier as usize]
    }

    /// The tier on screen.
    pub fn slot_mut(&mut self) -> &mut Slot {
        &mut self.slots[self.tier as usize]
    }

    /// The mismatch under the cursor.
    pub fn mismatch(&self) -> Option<Mismatch> {
        self.mismatch_at(self.rows_scroll.cursor)
    }

    /// The mismatch of an entry of the list: the row's first one, or its first of the only class on show.
    pub fn mismatch_at(&self, entry: usize) -> Option<Mismatch> {
        let mut all = self.mismatches_at(entry);
        let of_filter = |m: &Mismatch| self.filter.as_ref().is_none_or(|c| m.class == *c);
        let at = all.iter().position(of_filter).unwrap_or(0);
        (at < all.len()).then(|| all.swap_remove(at))
    }

    /// Every mismatch of the row of an entry. Rows are taken apart only here, so that millions can be listed.
    pub fn mismatches_at(&self, entry: usize) -> Vec<Mismatch> {
        let (Some(at), Some(r)) = (self.rows.get(entry), self.slot().report()) else {
            return Vec::new();
        };
        match r.comparison.diffs.get(*at as usize) {
            Some(d) => row_mismatches(&r.inputs, &r.oracle, &r.candidate, &self.policy, d.row as usize),
            None => Vec::new(),
        }
    }

    /// The row of the batch that an entry of the list stands for.
    pub fn row_at(&self, entry: usize) -> Option<u64> {
        let at = *self.rows.get(entry)? as usize;
        Some(u64::from(self.slot().report()?.comparison.diffs.get(at)?.row))
    }

    /// Counts of a class in the last test.
    pub fn class(&self, class: &str) -> Option<&ClassCount> {
        self.slot().report()?.comparison.classes.get(class)
    }

    /// Lists the mismatches on show anew, after a test, another tier or another filter.
    pub fn list_rows(&mut self) {
        let Some(report) = self.slot().report().cloned() else {
            self.rows = Vec::new();
            self.rows_scroll = Scroll::default();
            return;
        };
        let diffs = &report.comparison.diffs;
        let class = |id: &String| CLASSES.iter().position(|c| c.id == *id);
        self.rows = match &self.filter {
            None => (0..diffs.len() as u32).collect(),
            Some(id) => {
                let of_class = |i: &u32| Some(diffs[*i as usize].class as usize) == class(id);
                (0..diffs.len() as u32).filter(of_class).collect()
            }
        };
        self.rows_scroll = Scroll::default();
    }
}

/// A message on the status line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// One line.
    pub text: String,
    /// Whether it tells of a failure.
    pub bad: bool,
}

/// How the work is kept.
#[derive(Debug, Default)]
pub struct Keeping {
    /// The name that the user gave, as a folder.
    pub saved: Option<PathBuf>,
    /// Whether there is work that an unnamed session would make hard to find again.
    pub unsaved: bool,
    /// Whether recording failed.
    pub trouble: bool,
}

/// Everything the screen knows.
#[derive(Debug)]
pub struct State {
    /// Settings of this run.
    pub config: Config,
    /// The terminal.
    pub size: Size,
    /// Milliseconds since the start.
    pub now_ms: u64,
    /// Cursor on the start screen.
    pub chooser: Scroll,
    /// The UDF on the bench, if one is open.
    pub work: Option<Work>,
    /// The panel with the keys.
    pub focus: Panel,
    /// What lies over the panels, topmost last.
    pub overlays: Vec<Overlay>,
    /// The jobs.
    pub jobs: JobTable,
    /// The message on the status line.
    pub notice: Option<Notice>,
    /// How the work is kept.
    pub keeping: Keeping,
    /// Whether the file is watched.
    pub watching: bool,
    /// Whether to quit as soon as the session is saved.
    pub quitting: bool,
    /// The text last looked for.
    pub needle: String,
    /// Whether the next test starts as soon as proposals are there: after a reload.
    pub retest: bool,
    /// The UDF to open by name, when the file arrives.
    pub wanted_udf: Option<String>,
    /// Whether a session is being folded: effects are then dropped.
    pub folding: bool,
    /// How the workers are that were started so far.
    pub workers: Vec<WorkerStatus>,
    /// Whether a worker was asked for that has not said anything yet: one that was lost before must not end the wait for it.
    pub restarting: bool,
}

impl State {
    /// A screen on which nothing is open.
    pub fn new(config: Config, size: Size) -> State {
        State {
            config,
            size,
            now_ms: 0,
            chooser: Scroll::default(),
            work: None,
            focus: Panel::Rewrite,
            overlays: Vec::new(),
            jobs: JobTable::default(),
            notice: None,
            keeping: Keeping::default(),
            watching: false,
            quitting: false,
            needle: String::new(),
            retest: false,
            wanted_udf: None,
            folding: false,
            workers: Vec::new(),
            restarting: false,
        }
    }

    /// The context that keys are looked up in.
    pub fn context(&self) -> Where {
        match (self.overlays.last(), &self.work) {
            (
                Some(Overlay::Help(..) | Overlay::Diff(_) | Overlay::Notes(_) | Overlay::Timings(_) | Overlay::Log(..)),
                _,
            ) => Where::PAGE,
            (Some(Overlay::Record(_)), _) => Where::RECORD,
            (Some(Overlay::Policy(_)), _) => Where::POLICY,
            (Some(Overlay::Picker(_)), _) => Where::PICKER,
            (Some(Overlay::Palette(..)), _) => Where::PALETTE,
            (Some(Overlay::Prompt(_)), _) => Where::PROMPT,
            (Some(Overlay::Confirm), _) => Where::CONFIRM,
            (None, None) => Where::CHOOSER,
            (None, Some(_)) => match self.focus {
                Panel::Source => Where::SOURCE,
                Panel::Rewrite => Where::REWRITE,
                Panel::Rows => Where::ROWS,
            },
        }
    }

    /// Whether there is a benchmark to show, or soon will be.
    fn shows_bench(&self) -> bool {
        let timed = |w: &Work| !matches!(w.slot().timed, Timed::Not);
        self.work.as_ref().is_some_and(timed) || self.jobs.running(JobKind::Bench).is_some()
    }

    /// Where everything stands.
    pub fn layout(&self) -> Layout {
        layout::layout(self.size, self.focus, self.shows_bench())
    }

    /// Says something on the status line.
    pub fn say(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice {
            text: text.into(),
            bad: false,
        });
    }

    /// Tells of a failure on the status line.
    pub fn complain(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice {
            text: text.into(),
            bad: true,
        });
    }
}
