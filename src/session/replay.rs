//! Walking through a session. In: a folder; out: its steps as lines of text, and the state of the screen after each. Runs
//! nothing.

use std::path::Path;

use crate::app::event::{Event, Size};
use crate::app::state::{Config, State};
use crate::app::update::update;
use crate::error::Result;

use super::blob::Blobs;
use super::entry::Entry;
use super::load::{self, Lines};

/// A session that was read, step by step.
#[derive(Debug)]
pub struct Replay {
    steps: Vec<Step>,
    /// What was wrong with the session, in words.
    pub notices: Vec<String>,
    /// The version of rewright that began it.
    pub version: String,
}

/// One step.
#[derive(Debug)]
pub struct Step {
    /// When, in UTC.
    pub at: String,
    /// What happened, in one line.
    pub line: String,
    /// The step itself.
    pub entry: Entry,
}

impl Replay {
    /// Reads a session. A step whose blob is missing ends the list with a notice.
    pub fn read(dir: &Path) -> Result<Replay> {
        let Lines {
            header,
            lines,
            mut notices,
        } = load::lines(dir, usize::MAX)?;
        let blobs = Blobs::of(dir);
        let mut steps = Vec::new();
        for (number, line) in lines {
            match line.record.load(&blobs) {
                Ok(entry) => steps.push(Step {
                    at: line.at,
                    line: describe(&entry),
                    entry,
                }),
                Err(e) => {
                    notices.insert(0, format!("step at line {number}: {e}; later steps are not shown"));
                    break;
                }
            }
        }
        Ok(Replay {
            steps,
            notices,
            version: header.rewright,
        })
    }

    /// The steps.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The screen after the first `count` steps.
    pub fn state_after(&self, count: usize, config: Config, size: Size) -> State {
        let mut state = State::new(config, size);
        for step in self.steps.iter().take(count) {
            update(&mut state, Event::Recorded(Box::new(step.entry.clone())));
        }
        state
    }
}

/// A step in one line.
pub fn describe(entry: &Entry) -> String {
    match entry {
        Entry::Opened(o) => format!(
            "opened {} of {} ({} rows, seed {}, zone {}, ANSI {})",
            o.udf,
            o.path.display(),
            o.rows,
            o.seed,
            o.settings.time_zone,
            if o.settings.ansi { "on" } else { "off" }
        ),
        Entry::Proposed { candidates, refused } => {
            let made: Vec<&str> = candidates.iter().map(|c| c.tier.name()).collect();
            let not: Vec<String> = refused
                .iter()
                .map(|(t, r)| format!("{}: {}", t.name(), r.reason))
                .collect();
            match (made.is_empty(), not.is_empty()) {
                (_, true) => format!("proposed {}", made.join(", ")),
                (true, _) => format!("proposed nothing ({})", not.join("; ")),
                _ => format!("proposed {}; not {}", made.join(", "), not.join("; ")),
            }
        }
        Entry::ProposeFailed(e) => format!("proposing failed: {}", e.what),
        Entry::Action(name) => name.clone(),
        Entry::Chose(choice) => format!("chose the {}", choice.words()),
        Entry::Supplied { tier, .. } => format!("took the {} rewrite that comes with the sample", tier.name()),
        Entry::Edited { tier, text } => format!("edited the {} rewrite ({} lines)", tier.name(), text.lines().count()),
        Entry::Accepted(e) => format!("accepted {}: {} ({})", bounded(e), e.reason, e.who),
        Entry::Withdrawn(class) => format!("no longer accepts {class}"),
        Entry::Checked(c) => {
            let r = &c.report;
            format!(
                "tested {}: {} ({} of {} rows differ; oracle {} {}, engine {} {})",
                c.tier.name(),
                r.comparison.verdict.words(),
                r.comparison.different_rows,
                r.comparison.rows,
                r.oracle_evidence.engine.name(),
                r.oracle_evidence.version,
                r.engine_evidence.engine.name(),
                r.engine_evidence.version
            )
        }
        Entry::Verified(v) => {
            let r = &v.report;
            let fact = |key: &str| r.evidence.get(key).and_then(|e| e.as_str()).unwrap_or("unknown");
            format!(
                "verified {} on a cluster: {} ({} of {} rows differ{}; Spark {}, {})",
                r.tier.name(),
                r.verdict.words(),
                r.different_rows,
                r.rows,
                if r.stopped { ", stopped early" } else { "" },
                fact("spark"),
                fact("master")
            )
        }
        Entry::Benched(b) => {
            let r = &b.report;
            let rows = crate::report::fold(r.rows);
            format!(
                "timed {} over {rows} rows: {}",
                r.tier.name(),
                crate::report::bench_summary(r)
            )
        }
        Entry::BenchFailed { tier, failure } => format!("timed {}: {}", tier.name(), failure.what),
        Entry::CheckFailed { tier, failure } => format!("tested {}: not proven: {}", tier.name(), failure.what),
    }
}

fn bounded(e: &crate::compare::PolicyEntry) -> String {
    let mut out = e.class.clone();
    if let Some(n) = e.max_ulp {
        out.push_str(&format!(" up to {n} ulp"));
    }
    if let Some(x) = e.max_abs {
        out.push_str(&format!(" up to {x:e} absolute"));
    }
    if let Some(x) = e.max_rel {
        out.push_str(&format!(" up to {x:e} relative"));
    }
    out
}
