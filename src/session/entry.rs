//! Steps of a session as the program holds them: what was opened, proposed, edited, accepted and tested. Distinct from
//! [`super::record`], which is how they stand on disk.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::job::Failure;
use crate::bench::BenchReport;
use crate::check::CheckReport;
use crate::compare::{Policy, PolicyEntry};
use crate::propose::{Candidate, Tier};
use crate::run::{EngineId, Settings};
use crate::scale::ScaleReport;
use crate::source::{Language, Refusal};

/// One step.
#[derive(Debug, Clone)]
pub enum Entry {
    /// A UDF was opened.
    Opened(Opened),
    /// Rewrites were proposed.
    Proposed {
        /// What can be expressed.
        candidates: Vec<Candidate>,
        /// What cannot, and why.
        refused: Vec<(Tier, Refusal)>,
    },
    /// Proposing failed.
    ProposeFailed(Failure),
    /// An action that changes what is shown or kept, by its name.
    Action(String),
    /// An oracle or an engine was chosen.
    Chose(Choice),
    /// A rewrite came with the sample, as if edited by hand.
    Supplied {
        /// Which tier.
        tier: Tier,
        /// The whole text.
        text: Arc<str>,
    },
    /// The rewrite of a tier was edited.
    Edited {
        /// Which tier.
        tier: Tier,
        /// The whole text.
        text: Arc<str>,
    },
    /// A class was accepted.
    Accepted(PolicyEntry),
    /// An acceptance was taken back, by class.
    Withdrawn(String),
    /// A test ended with outcomes.
    Checked(Box<Checked>),
    /// A run over a whole input on a cluster ended.
    Verified(Box<Verified>),
    /// A benchmark ended.
    Benched(Box<Benched>),
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

/// What runs from here on. By name: which one comes after another depends on the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The oracle.
    Oracle(EngineId),
    /// The engine of the sql tier.
    Engine(EngineId),
    /// The engine of the cudf tier.
    Columnar(EngineId),
    /// The engine of the cuda tier.
    Kernels(EngineId),
}

impl Choice {
    /// In words.
    pub fn words(self) -> String {
        match self {
            Choice::Oracle(id) => format!("oracle {}", id.name()),
            Choice::Engine(id) => format!("engine {}", id.name()),
            Choice::Columnar(id) => format!("engine {} for cuDF", id.name()),
            Choice::Kernels(id) => format!("engine {} for kernels", id.name()),
        }
    }
}

/// What was opened, with the settings that its tests run under.
#[derive(Debug, Clone)]
pub struct Opened {
    /// The file as the user named it.
    pub path: PathBuf,
    /// Its language.
    pub language: Language,
    /// Its whole text.
    pub text: Arc<str>,
    /// Which UDF.
    pub udf: String,
    /// Rows that a test generates.
    pub rows: usize,
    /// Seed that it generates with.
    pub seed: u64,
    /// Zone and ANSI mode.
    pub settings: Settings,
}

/// A test with its outcomes and what it ran under.
#[derive(Debug, Clone)]
pub struct Checked {
    /// Which tier.
    pub tier: Tier,
    /// The rewrite's text as it ran.
    pub candidate: Arc<str>,
    /// What was accepted.
    pub policy: Policy,
    /// The outcomes.
    pub report: Arc<CheckReport>,
    /// Digests as they were recorded; empty for a test of this run.
    pub digests: Digests,
}

/// A run over a whole input with what it ran under.
#[derive(Debug, Clone)]
pub struct Verified {
    /// The rewrite's text as it ran.
    pub candidate: Arc<str>,
    /// What was accepted.
    pub policy: Policy,
    /// What it came to, with the evidence.
    pub report: Arc<ScaleReport>,
}

/// A benchmark with what it was of. It is shown again as it was: times cannot be replayed.
#[derive(Debug, Clone)]
pub struct Benched {
    /// The rewrite's text as it ran.
    pub candidate: Arc<str>,
    /// What it came to.
    pub report: Arc<BenchReport>,
}

/// What `replay --verify` compares.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Digests {
    /// Of the inputs.
    pub inputs: String,
    /// Of what the original gave.
    pub oracle: String,
    /// Of what the rewrite gave.
    pub candidate: String,
    /// Of the comparison.
    pub comparison: String,
}
