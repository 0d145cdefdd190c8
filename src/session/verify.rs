//! Running recorded tests again. In: a session; out: every outcome that differs, and what changed in the environment. What
//! needs another process than this one (a JVM, Spark, a compiler, a GPU) runs only for a session that the user trusts.

use std::path::Path;

use serde::Serialize;

use crate::check::{Bench, CheckReport, Runners};
use crate::compare::{Policy, compare};
use crate::error::{Error, Result};
use crate::find::{self, Udf};
use crate::propose::{Candidate, Tier};
use crate::run::{Cancel, EngineId, Evidence, Outcome, Settings};
use crate::source::SourceFile;

use super::blob::{BlobId, batch_bytes, outcome_batch};
use super::entry::{self, Entry};
use super::replay::Replay;

/// What running a session again came to.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Verification {
    /// Tests that were run again.
    pub tests: usize,
    /// What differs, in the order of the steps.
    pub differences: Vec<Difference>,
    /// What was wrong with the session, in words.
    pub notices: Vec<String>,
}

impl Verification {
    /// Whether everything came out as recorded.
    pub fn holds(&self) -> bool {
        !self.differs() && self.is_whole()
    }

    /// Whether an outcome differs from the recorded one.
    pub fn differs(&self) -> bool {
        self.differences.iter().any(|d| matches!(d, Difference::Digest { .. }))
    }

    /// Whether every recorded test was run again, and the session is as it was written.
    pub fn is_whole(&self) -> bool {
        self.left_out() == 0 && self.notices.is_empty()
    }

    /// How many steps could not be run again.
    pub fn left_out(&self) -> usize {
        let left = |d: &&Difference| matches!(d, Difference::NotRun { .. });
        self.differences.iter().filter(left).count()
    }
}

/// One thing that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Difference {
    /// A digest: what the original or the rewrite gave, or how they compare.
    Digest {
        /// 1-based step.
        step: usize,
        /// `oracle`, `candidate` or `comparison`.
        of: String,
        /// As recorded.
        recorded: String,
        /// As it is now.
        now: String,
        /// Where they part, in words.
        detail: String,
    },
    /// A part of the environment, which explains a digest rather than being wrong itself.
    Environment {
        /// 1-based step.
        step: usize,
        /// `oracle version`, `engine`, a fact of the evidence…
        of: String,
        /// As recorded.
        recorded: String,
        /// As it is now.
        now: String,
    },
    /// A test that could not be run again.
    NotRun {
        /// 1-based step.
        step: usize,
        /// Why.
        why: String,
    },
}

impl Difference {
    /// In one line.
    pub fn line(&self) -> String {
        match self {
            Difference::Digest {
                step,
                of,
                recorded,
                now,
                detail,
            } => format!("step {step}: {of} differs: {detail} (recorded {recorded}, now {now})"),
            Difference::Environment {
                step,
                of,
                recorded,
                now,
            } => format!("step {step}: {of} was {recorded}, is {now}"),
            Difference::NotRun { step, why } => format!("step {step}: not run again: {why}"),
        }
    }
}

/// Runs every recorded test again, on the recorded inputs; outside of this process only if the session is `trusted`.
pub fn verify(dir: &Path, trusted: bool, cancel: &Cancel) -> Result<Verification> {
    let replay = Replay::read(dir)?;
    let mut out = Verification {
        notices: replay.notices.clone(),
        ..Verification::default()
    };
    if replay.version != env!("CARGO_PKG_VERSION") {
        environment(&mut out, 0, "rewright", &replay.version, env!("CARGO_PKG_VERSION"));
    }
    let mut opened: Option<Again> = None;
    for (at, step) in replay.steps().iter().enumerate() {
        cancel.check()?;
        match &step.entry {
            Entry::Opened(o) => opened = find_again(o, trusted, at + 1, &mut out),
            Entry::Checked(c) => match &opened {
                Some(opened) => opened.again(c, at + 1, cancel, &mut out)?,
                None => not_run(&mut out, at + 1, "its UDF is not found in the recorded text"),
            },
            Entry::Verified(_) => {
                let why = "a run over a whole input: `rewright verify` with the same arguments runs it again";
                not_run(&mut out, at + 1, why);
            }
            _ => {}
        }
    }
    Ok(out)
}

/// The UDF that the following tests are about.
struct Again {
    file: SourceFile,
    udf: Udf,
    settings: Settings,
    trusted: bool,
}

fn find_again(o: &entry::Opened, trusted: bool, step: usize, out: &mut Verification) -> Option<Again> {
    let file = SourceFile::from_text(o.path.clone(), o.language, o.text.clone());
    let udf = find::find(&file).by_name(&o.udf).cloned();
    if udf.is_none() {
        not_run(out, step, &format!("{} is not found in the recorded text", o.udf));
    }
    Some(Again {
        file,
        udf: udf?,
        settings: o.settings.clone(),
        trusted,
    })
}

impl Again {
    fn again(&self, c: &entry::Checked, step: usize, cancel: &Cancel, out: &mut Verification) -> Result<()> {
        let recorded = &c.report;
        let outside = |e: &Evidence| !matches!(e.engine, EngineId::Embedded | EngineId::Cpu);
        let evidence = [&recorded.oracle_evidence, &recorded.engine_evidence];
        if let Some(e) = evidence.into_iter().find(|e| outside(e))
            && !self.trusted
        {
            let why = format!(
                "{} runs its code outside of this program; --trust allows that",
                e.engine.name()
            );
            not_run(out, step, &why);
            return Ok(());
        }
        match self.check(c, cancel) {
            Ok(now) => {
                out.tests += 1;
                compared(c, &now, step, out)
            }
            Err(e) if e.kind == crate::error::ErrorKind::Interrupted => Err(e),
            Err(e) => {
                not_run(out, step, &e.to_string());
                Ok(())
            }
        }
    }

    /// The test with the oracle and the engine that were recorded.
    fn check(&self, c: &entry::Checked, cancel: &Cancel) -> Result<CheckReport> {
        let (oracle, engine) = (c.report.oracle_evidence.engine, c.report.engine_evidence.engine);
        let mut runners = Runners {
            oracle,
            ..Runners::default()
        };
        match c.tier {
            Tier::Cuda => runners.cuda = engine,
            Tier::Cudf => runners.cudf = engine,
            Tier::Sql => runners.engine = engine,
        }
        let bench = Bench {
            file: &self.file,
            udf: &self.udf,
            settings: &self.settings,
            runners: &runners,
        };
        bench.check(&candidate(c.tier, &c.candidate), &c.report.inputs, &c.policy, cancel)
    }
}

/// Adds what differs between a recorded test and the same test now.
fn compared(c: &entry::Checked, now: &CheckReport, step: usize, out: &mut Verification) -> Result<()> {
    let recorded = &c.report;
    evidence(out, step, "oracle", &recorded.oracle_evidence, &now.oracle_evidence);
    evidence(out, step, "engine", &recorded.engine_evidence, &now.engine_evidence);
    let batch = &recorded.inputs;
    outcome(
        out,
        step,
        "oracle",
        &c.digests.oracle,
        batch,
        (&recorded.oracle, &now.oracle),
    )?;
    outcome(
        out,
        step,
        "candidate",
        &c.digests.candidate,
        batch,
        (&recorded.candidate, &now.candidate),
    )?;
    let json = serde_json::to_vec(&now.comparison).map_err(|e| Error::internal("a comparison as JSON").because(e))?;
    let digest = BlobId::of(&json, "json").name().to_owned();
    if digest != c.digests.comparison {
        let (was, is) = (&recorded.comparison, &now.comparison);
        out.differences.push(Difference::Digest {
            step,
            of: "comparison".into(),
            recorded: c.digests.comparison.clone(),
            now: digest,
            detail: format!(
                "{} with {} differing rows and {} not run became {} with {} and {}",
                was.verdict.words(),
                was.different_rows,
                was.not_run_rows(),
                is.verdict.words(),
                is.different_rows,
                is.not_run_rows()
            ),
        });
    }
    Ok(())
}

fn candidate(tier: Tier, text: &str) -> Candidate {
    Candidate {
        tier,
        text: text.to_owned(),
        span_map: Vec::new(),
        notes: Vec::new(),
        rank: 0,
        rank_reason: "recorded".into(),
    }
}

fn outcome(
    out: &mut Verification,
    step: usize,
    of: &str,
    recorded: &str,
    inputs: &arrow::array::RecordBatch,
    (was, is): (&Outcome, &Outcome),
) -> Result<()> {
    let failed = |e: arrow::error::ArrowError| Error::internal("an outcome as Arrow").because(e);
    let bytes = batch_bytes(&outcome_batch(is).map_err(failed)?).map_err(failed)?;
    let now = BlobId::of(&bytes, "arrow").name().to_owned();
    if now == recorded {
        return Ok(());
    }
    // Other bytes can hold the same outcomes: what stands under a null does not count.
    let comparison = compare(inputs, was, is, &Policy::default());
    let detail = match comparison.sample.first() {
        _ if was.values.data_type() != is.values.data_type() => {
            format!("the type was {}, is {}", was.values.data_type(), is.values.data_type())
        }
        Some(m) => format!(
            "{} rows, first row {}: was {}, is {}",
            comparison.different_rows, m.row, m.original, m.rewrite
        ),
        None if was.len() != is.len() => format!("there were {} rows, are {}", was.len(), is.len()),
        None => return Ok(()),
    };
    out.differences.push(Difference::Digest {
        step,
        of: of.into(),
        recorded: recorded.into(),
        now,
        detail,
    });
    Ok(())
}

fn evidence(out: &mut Verification, step: usize, what: &str, was: &Evidence, is: &Evidence) {
    if was.engine != is.engine {
        environment(out, step, what, was.engine.name(), is.engine.name());
    }
    if was.version != is.version {
        environment(out, step, &format!("{what} version"), &was.version, &is.version);
    }
    let keys: std::collections::BTreeSet<&String> = was.facts.keys().chain(is.facts.keys()).collect();
    for key in keys {
        let fact = |e: &Evidence| e.facts.get(key).cloned().unwrap_or_else(|| "unknown".into());
        if fact(was) != fact(is) {
            environment(out, step, &format!("{what} {key}"), &fact(was), &fact(is));
        }
    }
}

fn environment(out: &mut Verification, step: usize, of: &str, recorded: &str, now: &str) {
    let difference = Difference::Environment {
        step,
        of: of.into(),
        recorded: recorded.into(),
        now: now.into(),
    };
    out.differences.push(difference);
}

fn not_run(out: &mut Verification, step: usize, why: &str) {
    out.differences.push(Difference::NotRun { step, why: why.into() });
}
