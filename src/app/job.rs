//! Jobs: what the screen asks for and what comes back. In: a [`JobSpec`]; out: a [`Report`]. The table of running jobs
//! lives in the state; threads live in the shell.

use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::RecordBatch;
use serde::{Deserialize, Serialize};

use crate::bench::BenchReport;
use crate::check::{CheckReport, Runners};
use crate::compare::Policy;
use crate::error::{Error, ErrorKind, Location};
use crate::find::Found;
use crate::measure::Ask;
use crate::propose::{Candidate, Proposals, Tier};
use crate::run::{Cancel, Settings};
use crate::session::Entry;
use crate::source::{SourceFile, Span};

use super::document::Document;
use super::event::Origin;

/// One slot each: of a kind, one job runs at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobKind {
    /// Reading a file and finding its UDFs.
    Open,
    /// Proposing rewrites.
    Propose,
    /// Testing.
    Check,
    /// Finding the branch that a row took.
    Trace,
    /// Timing.
    Bench,
}

impl JobKind {
    /// All slots.
    pub const ALL: [JobKind; 5] = [
        JobKind::Open,
        JobKind::Propose,
        JobKind::Check,
        JobKind::Trace,
        JobKind::Bench,
    ];

    /// What the screen calls it while it runs.
    pub fn doing(self) -> &'static str {
        match self {
            JobKind::Open => "opening",
            JobKind::Propose => "proposing",
            JobKind::Check => "testing",
            JobKind::Trace => "tracing",
            JobKind::Bench => "timing",
        }
    }
}

/// What one test needs.
#[derive(Debug, Clone)]
pub struct CheckSpec {
    /// The file.
    pub opened: Arc<Opened>,
    /// Which UDF of it.
    pub udf: usize,
    /// The rewrite.
    pub candidate: Candidate,
    /// Rows to generate.
    pub rows: usize,
    /// Seed to generate with.
    pub seed: u64,
    /// A data file to read instead.
    pub data: Option<PathBuf>,
    /// Zone and ANSI mode.
    pub settings: Settings,
    /// What is accepted.
    pub policy: Policy,
    /// Inputs of an earlier test of the same UDF, to save generating them again.
    pub inputs: Option<RecordBatch>,
    /// What runs the two sides.
    pub runners: Runners,
    /// An earlier test of the same UDF: where another oracle answered then, the two must agree.
    pub before: Option<Arc<CheckReport>>,
}

/// What one benchmark needs.
#[derive(Debug, Clone)]
pub struct BenchSpec {
    /// The file.
    pub opened: Arc<Opened>,
    /// Which UDF of it.
    pub udf: usize,
    /// The rewrite.
    pub candidate: Candidate,
    /// How it is timed; its rows of data are read from `data`.
    pub ask: Ask,
    /// A data file to read instead of making rows up.
    pub data: Option<PathBuf>,
    /// Zone and ANSI mode.
    pub settings: Settings,
    /// What is accepted of what was timed.
    pub policy: Policy,
    /// What runs the original, and which GPU.
    pub runners: Runners,
}

/// Work for a thread.
#[derive(Debug, Clone)]
pub enum JobSpec {
    /// Read and find, or load a session.
    Open(Origin),
    /// Propose rewrites of one UDF.
    Propose(Arc<Opened>, usize),
    /// Test a candidate.
    Check(Box<CheckSpec>),
    /// Compare known outcomes again under another policy.
    Compare(Tier, Arc<CheckReport>, Policy),
    /// Time a candidate and the original.
    Bench(Box<BenchSpec>),
    /// Find the branch that a row took.
    Trace(Arc<Opened>, usize, Settings, RecordBatch, u64),
}

impl JobSpec {
    /// The slot that it runs in.
    pub fn kind(&self) -> JobKind {
        match self {
            JobSpec::Open(_) => JobKind::Open,
            JobSpec::Propose(..) => JobKind::Propose,
            JobSpec::Check(_) | JobSpec::Compare(..) => JobKind::Check,
            JobSpec::Trace(..) => JobKind::Trace,
            JobSpec::Bench(_) => JobKind::Bench,
        }
    }
}

/// A file that was read, with its UDFs.
#[derive(Debug)]
pub struct Opened {
    /// Where it came from.
    pub origin: Origin,
    /// The text.
    pub file: SourceFile,
    /// Its UDFs, and what was not understood.
    pub found: Found,
    /// The text as the screen shows it.
    pub document: Document,
    /// Rewrites that come with a sample, as hand edits.
    pub edits: Vec<(Tier, Arc<str>)>,
}

/// A session that was read from disk.
#[derive(Debug)]
pub struct Loaded {
    /// Its folder.
    pub path: PathBuf,
    /// Its steps, in order.
    pub entries: Vec<Entry>,
    /// What was wrong with it, in words.
    pub notices: Vec<String>,
}

/// How a job ended.
#[derive(Debug)]
pub enum Report {
    /// A file was opened.
    Opened(Result<Arc<Opened>, Failure>),
    /// A session was read.
    Loaded(Result<Loaded, Failure>),
    /// Rewrites were proposed.
    Proposed(Result<Proposals, Failure>),
    /// A tier was tested.
    Checked(Tier, Result<Arc<CheckReport>, Failure>),
    /// The branch of a row.
    Traced(u64, Vec<Span>),
    /// A tier was timed.
    Benched(Tier, Result<Arc<BenchReport>, Failure>),
}

/// An error as the screen and the session keep it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// `input`, `not-proven`, `compile`, `internal` or `interrupted`.
    pub kind: String,
    /// What failed, with place and causes.
    pub what: String,
    /// What to try.
    pub hints: Vec<String>,
    /// 1-based line of the candidate, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

impl Failure {
    /// A failure of this kind without hints.
    pub fn new(kind: &str, what: impl Into<String>) -> Failure {
        Failure {
            kind: kind.to_owned(),
            what: what.into(),
            hints: Vec::new(),
            line: None,
        }
    }

    /// Whether a text does not compile.
    pub fn is_compile(&self) -> bool {
        self.kind == ErrorKind::Compile.name()
    }

    /// Whether the user stopped it.
    pub fn is_interrupted(&self) -> bool {
        self.kind == ErrorKind::Interrupted.name()
    }
}

impl From<Error> for Failure {
    fn from(e: Error) -> Failure {
        let in_candidate = |l: &&Location| l.path.file_stem().is_some_and(|s| s == "candidate");
        Failure {
            kind: e.kind.name().to_owned(),
            what: e.to_string(),
            line: e.location.as_ref().filter(in_candidate).map(|l| l.line),
            hints: e.hints,
        }
    }
}

/// Whoever does the work; tests answer from a fake.
pub trait Jobs: Send + Sync {
    /// Does it, on the calling thread, until it is done or cancelled.
    fn run(&self, spec: JobSpec, cancel: &Cancel) -> Report;
}

/// A job that runs.
#[derive(Debug)]
pub struct Running {
    /// Its number; reports with another number are stale.
    pub id: u64,
    /// When it started, in milliseconds.
    pub since_ms: u64,
    /// Whether it was asked to stop.
    pub stopping: bool,
    /// What starts when it has ended.
    pub next: Option<JobSpec>,
}

/// The slots.
#[derive(Debug, Default)]
pub struct JobTable {
    slots: [Option<Running>; 5],
    last_id: u64,
}

/// What asking for a job leads to.
#[derive(Debug)]
pub enum Asked {
    /// The slot was free: start it under this number.
    Start(u64, JobSpec),
    /// An older job of the kind must end first: cancel it.
    CancelFirst(JobKind, u64),
}

impl JobTable {
    /// The job of a kind, if one runs.
    pub fn running(&self, kind: JobKind) -> Option<&Running> {
        self.slots[kind as usize].as_ref()
    }

    /// Asks for a job; the newest request of a kind wins.
    pub fn ask(&mut self, spec: JobSpec, now_ms: u64) -> Asked {
        let kind = spec.kind();
        if let Some(running) = &mut self.slots[kind as usize] {
            running.stopping = true;
            running.next = Some(spec);
            return Asked::CancelFirst(kind, running.id);
        }
        self.last_id += 1;
        self.slots[kind as usize] = Some(Running {
            id: self.last_id,
            since_ms: now_ms,
            stopping: false,
            next: None,
        });
        Asked::Start(self.last_id, spec)
    }

    /// Marks a job as stopping, with nothing to follow; its number if one ran.
    pub fn stop(&mut self, kind: JobKind) -> Option<u64> {
        let running = self.slots[kind as usize].as_mut()?;
        running.stopping = true;
        running.next = None;
        Some(running.id)
    }

    /// Takes an ended job out of its slot; `None` if its report is stale.
    pub fn ended(&mut self, kind: JobKind, id: u64) -> Option<Running> {
        let slot = &mut self.slots[kind as usize];
        match slot {
            Some(r) if r.id == id => slot.take(),
            _ => None,
        }
    }

    /// Whether anything runs that the user waits for.
    pub fn busy(&self) -> Option<(JobKind, &Running)> {
        let waited = [JobKind::Check, JobKind::Bench, JobKind::Propose, JobKind::Open];
        waited.into_iter().find_map(|k| Some((k, self.running(k)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_request_waits_for_the_first_to_end() {
        let mut table = JobTable::default();
        let spec = || JobSpec::Open(Origin::Sample(0));
        let Asked::Start(first, _) = table.ask(spec(), 0) else {
            panic!("the slot is free");
        };
        assert!(matches!(table.ask(spec(), 1), Asked::CancelFirst(JobKind::Open, id) if id == first));
        assert!(table.ended(JobKind::Open, first + 9).is_none(), "stale");
        let ended = table.ended(JobKind::Open, first).unwrap();
        assert!(ended.stopping && ended.next.is_some());
        assert!(table.running(JobKind::Open).is_none());
    }
}
