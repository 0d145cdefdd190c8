//! Steps as they stand on disk, one JSON object a line. Distinct from [`super::entry`], so that the program can change
//! while old sessions still open.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::app::job::Failure;
use crate::bench::BenchReport;
use crate::check::CheckReport;
use crate::compare::{Comparison, Policy, PolicyEntry, Verdict, compare};
use crate::error::{Error, Result};
use crate::propose::{Candidate, Note, Tier};
use crate::run::{EngineId, Evidence, Finding, Settings};
use crate::source::{Language, Refusal, Span};

use super::blob::{BlobId, Blobs};
use super::entry::{self, Choice, Digests, Entry};

/// The first line of a session.
#[derive(Debug, Serialize, Deserialize)]
pub struct Header {
    /// Version of the format.
    pub rewright_session: u32,
    /// Version of the program that began it.
    pub rewright: String,
}

/// One further line.
#[derive(Debug, Serialize, Deserialize)]
pub struct Line {
    /// When, in UTC.
    pub at: String,
    /// What.
    #[serde(flatten)]
    pub record: Record,
}

/// One step on disk.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Record {
    /// A UDF was opened.
    Opened {
        /// The file as the user named it.
        path: PathBuf,
        /// Its language.
        language: Language,
        /// Its whole text.
        text: BlobId,
        /// Which UDF.
        udf: String,
        /// Rows that a test generates.
        rows: usize,
        /// Seed that it generates with.
        seed: u64,
        /// Zone and ANSI mode.
        settings: Settings,
    },
    /// Rewrites were proposed.
    Proposed {
        /// What can be expressed.
        candidates: Vec<CandidateRecord>,
        /// What cannot.
        refused: Vec<(Tier, Refusal)>,
    },
    /// Proposing failed.
    ProposeFailed {
        /// Why.
        failure: Failure,
    },
    /// An action, by name.
    Action {
        /// Its name.
        action: String,
    },
    /// An oracle or an engine was chosen. Earlier sessions hold the
    /// action `oracle` or `engine` instead, which takes the next one.
    Chose {
        /// For what.
        of: Chosen,
        /// Which one.
        id: EngineId,
    },
    /// A rewrite came with the sample.
    Supplied {
        /// Which tier.
        tier: Tier,
        /// The whole text.
        text: BlobId,
    },
    /// A rewrite was edited.
    Edited {
        /// Which tier.
        tier: Tier,
        /// The whole text.
        text: BlobId,
    },
    /// A class was accepted.
    Accepted {
        /// With bound, reason and name.
        entry: PolicyEntry,
    },
    /// An acceptance was taken back.
    Withdrawn {
        /// Which class.
        class: String,
    },
    /// A test ended with outcomes.
    Checked(Box<CheckedRecord>),
    /// A run over a whole input ended.
    Verified(Box<VerifiedRecord>),
    /// A benchmark ended.
    Benched(BenchedRecord),
    /// A benchmark ended without anything to show.
    BenchFailed {
        /// Which tier.
        tier: Tier,
        /// Why.
        failure: Failure,
    },
    /// A test ended without.
    CheckFailed {
        /// Which tier.
        tier: Tier,
        /// Why.
        failure: Failure,
    },
}

/// What a choice is about.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Chosen {
    /// The oracle.
    Oracle,
    /// The engine of the sql tier.
    Engine,
    /// The engine of the cudf tier.
    Columnar,
    /// The engine of the cuda tier.
    Kernels,
}

/// A candidate with its text as a blob.
#[derive(Debug, Serialize, Deserialize)]
pub struct CandidateRecord {
    tier: Tier,
    text: BlobId,
    span_map: Vec<(Span, Span)>,
    notes: Vec<Note>,
    rank: u8,
    rank_reason: String,
}

/// A test with its batches as blobs. Verdict and counts stand beside them for whoever reads the lines.
#[derive(Debug, Serialize, Deserialize)]
pub struct CheckedRecord {
    tier: Tier,
    verdict: Verdict,
    rows: u64,
    different_rows: u64,
    candidate: BlobId,
    inputs: BlobId,
    oracle_outcome: BlobId,
    candidate_outcome: BlobId,
    comparison: BlobId,
    policy: Policy,
    oracle_evidence: Evidence,
    engine_evidence: Evidence,
    findings: Vec<Finding>,
}

/// A run over a whole input. Its rows are not recorded: they are the input's; the report names that and its digest.
#[derive(Debug, Serialize, Deserialize)]
pub struct VerifiedRecord {
    verdict: Verdict,
    rows: u64,
    different_rows: u64,
    candidate: BlobId,
    policy: Policy,
    report: BlobId,
}

/// A benchmark. Tier, rows and what was timed stand beside it for whoever reads the lines.
#[derive(Debug, Serialize, Deserialize)]
pub struct BenchedRecord {
    tier: Tier,
    rows: u64,
    kernel_seconds: Option<f64>,
    candidate: BlobId,
    report: BlobId,
}

impl Record {
    /// Stores the blobs of a step and gives its line.
    pub fn store(step: &Entry, blobs: &Blobs) -> std::io::Result<Record> {
        Ok(match step {
            Entry::Opened(o) => Record::Opened {
                path: o.path.clone(),
                language: o.language,
                text: blobs.put_text(&o.text)?,
                udf: o.udf.clone(),
                rows: o.rows,
                seed: o.seed,
                settings: o.settings.clone(),
            },
            Entry::Proposed { candidates, refused } => Record::Proposed {
                candidates: candidates
                    .iter()
                    .map(|c| store_candidate(c, blobs))
                    .collect::<Result<_, _>>()?,
                refused: refused.clone(),
            },
            Entry::ProposeFailed(failure) => Record::ProposeFailed {
                failure: failure.clone(),
            },
            Entry::Action(action) => Record::Action { action: action.clone() },
            Entry::Chose(choice) => store_choice(*choice),
            Entry::Supplied { tier, text } => Record::Supplied {
                tier: *tier,
                text: blobs.put_text(text)?,
            },
            Entry::Edited { tier, text } => Record::Edited {
                tier: *tier,
                text: blobs.put_text(text)?,
            },
            Entry::Accepted(entry) => Record::Accepted { entry: entry.clone() },
            Entry::Withdrawn(class) => Record::Withdrawn { class: class.clone() },
            Entry::Checked(c) => Record::Checked(Box::new(store_checked(c, blobs)?)),
            Entry::Verified(v) => Record::Verified(Box::new(store_verified(v, blobs)?)),
            Entry::Benched(b) => Record::Benched(store_benched(b, blobs)?),
            Entry::BenchFailed { tier, failure } => Record::BenchFailed {
                tier: *tier,
                failure: failure.clone(),
            },
            Entry::CheckFailed { tier, failure } => Record::CheckFailed {
                tier: *tier,
                failure: failure.clone(),
            },
        })
    }

    /// The step again, with its blobs.
    pub fn load(self, blobs: &Blobs) -> Result<Entry> {
        Ok(match self {
            Record::Opened {
                path,
                language,
                text,
                udf,
                rows,
                seed,
                settings,
            } => Entry::Opened(entry::Opened {
                path,
                language,
                text: blobs.get_text(&text)?,
                udf,
                rows,
                seed,
                settings,
            }),
            Record::Proposed { candidates, refused } => Entry::Proposed {
                candidates: candidates
                    .into_iter()
                    .map(|c| load_candidate(c, blobs))
                    .collect::<Result<_>>()?,
                refused,
            },
            Record::ProposeFailed { failure } => Entry::ProposeFailed(failure),
            Record::Action { action } => Entry::Action(action),
            Record::Chose { of, id } => Entry::Chose(match of {
                Chosen::Oracle => Choice::Oracle(id),
                Chosen::Engine => Choice::Engine(id),
                Chosen::Columnar => Choice::Columnar(id),
                Chosen::Kernels => Choice::Kernels(id),
            }),
            Record::Supplied { tier, text } => Entry::Supplied {
                tier,
                text: blobs.get_text(&text)?,
            },
            Record::Edited { tier, text } => Entry::Edited {
                tier,
                text: blobs.get_text(&text)?,
            },
            Record::Accepted { entry } => Entry::Accepted(entry),
            Record::Withdrawn { class } => Entry::Withdrawn(class),
            Record::Checked(c) => Entry::Checked(Box::new(load_checked(*c, blobs)?)),
            Record::Verified(v) => Entry::Verified(Box::new(load_verified(*v, blobs)?)),
            Record::Benched(b) => Entry::Benched(Box::new(load_benched(b, blobs)?)),
            Record::BenchFailed { tier, failure } => Entry::BenchFailed { tier, failure },
            Record::CheckFailed { tier, failure } => Entry::CheckFailed { tier, failure },
        })
    }
}

fn store_choice(choice: Choice) -> Record {
    let (of, id) = match choice {
        Choice::Oracle(id) => (Chosen::Oracle, id),
        Choice::Engine(id) => (Chosen::Engine, id),
        Choice::Columnar(id) => (Chosen::Columnar, id),
        Choice::Kernels(id) => (Chosen::Kernels, id),
    };
    Record::Chose { of, id }
}

fn store_candidate(c: &Candidate, blobs: &Blobs) -> std::io::Result<CandidateRecord> {
    Ok(CandidateRecord {
        tier: c.tier,
        text: blobs.put_text(&c.text)?,
        span_map: c.span_map.clone(),
        notes: c.notes.clone(),
        rank: c.rank,
        rank_reason: c.rank_reason.clone(),
    })
}

fn load_candidate(c: CandidateRecord, blobs: &Blobs) -> Result<Candidate> {
    Ok(Candidate {
        tier: c.tier,
        text: blobs.get_text(&c.text)?.to_string(),
        span_map: c.span_map,
        notes: c.notes,
        rank: c.rank,
        rank_reason: c.rank_reason,
    })
}

fn store_verified(v: &entry::Verified, blobs: &Blobs) -> std::io::Result<VerifiedRecord> {
    Ok(VerifiedRecord {
        verdict: v.report.verdict,
        rows: v.report.rows,
        different_rows: v.report.different_rows,
        candidate: blobs.put_text(&v.candidate)?,
        policy: v.policy.clone(),
        report: blobs.put(&serde_json::to_vec(v.report.as_ref())?, "json")?,
    })
}

fn load_verified(v: VerifiedRecord, blobs: &Blobs) -> Result<entry::Verified> {
    let report = serde_json::from_slice(&blobs.get(&v.report)?)
        .map_err(|e| Error::input(format!("blob {} holds no report", v.report.name())).because(e))?;
    Ok(entry::Verified {
        candidate: blobs.get_text(&v.candidate)?,
        policy: v.policy,
        report: Arc::new(report),
    })
}

fn store_benched(b: &entry::Benched, blobs: &Blobs) -> std::io::Result<BenchedRecord> {
    let r = &b.report;
    Ok(BenchedRecord {
        tier: r.tier,
        rows: r.rows,
        kernel_seconds: r.gpu.as_ref().ok().map(|g| g.cold.seconds.median),
        candidate: blobs.put_text(&b.candidate)?,
        report: blobs.put(&serde_json::to_vec(r.as_ref())?, "json")?,
    })
}

fn load_benched(b: BenchedRecord, blobs: &Blobs) -> Result<entry::Benched> {
    let bad =
        |e: &dyn std::fmt::Display| Error::input(format!("blob {} holds no benchmark", b.report.name())).because(e);
    let bytes = blobs.get(&b.report)?;
    let text = std::str::from_utf8(&bytes).map_err(|e| bad(&e))?;
    Ok(entry::Benched {
        candidate: blobs.get_text(&b.candidate)?,
        report: Arc::new(BenchReport::parse(text).map_err(|e| bad(&e))?),
    })
}

fn store_checked(c: &entry::Checked, blobs: &Blobs) -> std::io::Result<CheckedRecord> {
    let r = &c.report;
    Ok(CheckedRecord {
        tier: c.tier,
        verdict: r.comparison.verdict,
        rows: r.comparison.rows,
        different_rows: r.comparison.different_rows,
        candidate: blobs.put_text(&c.candidate)?,
        inputs: blobs.put_batch(&r.inputs)?,
        oracle_outcome: blobs.put_outcome(&r.oracle)?,
        candidate_outcome: blobs.put_outcome(&r.candidate)?,
        comparison: blobs.put(&serde_json::to_vec(&r.comparison)?, "json")?,
        policy: c.policy.clone(),
        oracle_evidence: r.oracle_evidence.clone(),
        engine_evidence: r.engine_evidence.clone(),
        findings: r.findings.clone(),
    })
}

fn load_checked(c: CheckedRecord, blobs: &Blobs) -> Result<entry::Checked> {
    let json = blobs.get(&c.comparison)?;
    let mut comparison: Comparison = serde_json::from_slice(&json)
        .map_err(|e| Error::input(format!("blob {} holds no comparison", c.comparison.name())).because(e))?;
    let (inputs, oracle) = (blobs.get_batch(&c.inputs)?, blobs.get_outcome(&c.oracle_outcome)?);
    let candidate = blobs.get_outcome(&c.candidate_outcome)?;
    // The list of differing rows is not recorded: it follows from the outcomes.
    comparison.diffs = compare(&inputs, &oracle, &candidate, &c.policy).diffs;
    let report = CheckReport {
        inputs,
        oracle,
        candidate,
        comparison,
        oracle_evidence: c.oracle_evidence,
        engine_evidence: c.engine_evidence,
        findings: c.findings,
    };
    Ok(entry::Checked {
        tier: c.tier,
        candidate: blobs.get_text(&c.candidate)?,
        policy: c.policy,
        report: Arc::new(report),
        digests: Digests {
            inputs: c.inputs.name().to_owned(),
            oracle: c.oracle_outcome.name().to_owned(),
            candidate: c.candidate_outcome.name().to_owned(),
            comparison: c.comparison.name().to_owned(),
        },
    })
}
