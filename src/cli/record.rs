//! Records what a shell command does into a session, in the same steps as the screen. A failure to record is a notice:
//! it never fails the run.

use std::path::Path;
use std::sync::Arc;

use crate::app::job::Failure;
use crate::bench::BenchReport;
use crate::check::CheckReport;
use crate::compare::Policy;
use crate::error::{Error, Result};
use crate::find::Udf;
use crate::propose::{Candidate, Proposals};
use crate::report::printable;
use crate::run::Settings;
use crate::scale::ScaleReport;
use crate::session::Store;
use crate::session::entry::{Benched, Checked, Digests, Entry, Opened, Verified};
use crate::source::SourceFile;

/// A session that is being written, if one was asked for and could be.
pub(super) struct Recording(Option<Store>);

impl Recording {
    /// Begins a session, or continues the one that stands there.
    pub fn open(path: Option<&Path>) -> Result<Recording> {
        let Some(path) = path else { return Ok(Recording(None)) };
        let store = if path.exists() {
            Store::continue_in(path)
        } else {
            Store::create(path)
        };
        store.map(|s| Recording(Some(s)))
    }

    fn append(&mut self, entry: Entry) {
        if let Some(store) = &mut self.0
            && let Err(e) = store.append(&entry)
        {
            eprintln!("rewright: {}; the rest is not recorded", printable(&e.to_string()));
            self.0 = None;
        }
    }

    /// A UDF was opened.
    pub fn opened(&mut self, file: &SourceFile, udf: &Udf, rows: usize, seed: u64, settings: &Settings) {
        self.append(Entry::Opened(Opened {
            path: file.path.clone(),
            language: file.language,
            text: file.text.clone(),
            udf: udf.name.clone(),
            rows,
            seed,
            settings: settings.clone(),
        }));
    }

    /// Rewrites were proposed.
    pub fn proposed(&mut self, proposals: &Proposals) {
        let (candidates, refused) = (proposals.candidates.clone(), proposals.refused.clone());
        self.append(Entry::Proposed { candidates, refused });
    }

    /// A candidate was given by hand, with what its user accepts.
    pub fn given(&mut self, candidate: &Candidate) {
        self.append(Entry::Edited {
            tier: candidate.tier,
            text: candidate.text.as_str().into(),
        });
    }

    /// What is accepted.
    pub fn accepted(&mut self, policy: &Policy) {
        policy
            .entries
            .iter()
            .for_each(|e| self.append(Entry::Accepted(e.clone())));
    }

    /// A run over a whole input ended.
    pub fn verified(&mut self, candidate: &Candidate, policy: &Policy, report: &ScaleReport) {
        if self.0.is_some() {
            self.append(Entry::Verified(Box::new(Verified {
                candidate: candidate.text.as_str().into(),
                policy: policy.clone(),
                report: Arc::new(report.clone()),
            })));
        }
    }

    /// A benchmark ended.
    pub fn benched(&mut self, candidate: &Candidate, report: &BenchReport) {
        if self.0.is_some() {
            self.append(Entry::Benched(Box::new(Benched {
                candidate: candidate.text.as_str().into(),
                report: Arc::new(report.clone()),
            })));
        }
    }

    /// A benchmark gave nothing.
    pub fn bench_failed(&mut self, candidate: &Candidate, error: &Error) {
        self.append(Entry::BenchFailed {
            tier: candidate.tier,
            failure: Failure::from(error.clone()),
        });
    }

    /// A test, or a run over a whole input, gave no outcomes.
    pub fn failed(&mut self, candidate: &Candidate, error: &Error) {
        self.append(Entry::CheckFailed {
            tier: candidate.tier,
            failure: Failure::from(error.clone()),
        });
    }

    /// A test ended.
    pub fn checked(
        &mut self,
        candidate: &Candidate,
        policy: &Policy,
        outcome: &std::result::Result<CheckReport, Error>,
    ) {
        if self.0.is_none() {
            return;
        }
        self.append(match outcome {
            Ok(report) => Entry::Checked(Box::new(Checked {
                tier: candidate.tier,
                candidate: candidate.text.as_str().into(),
                policy: policy.clone(),
                report: Arc::new(report.clone()),
                digests: Digests::default(),
            })),
            Err(e) => Entry::CheckFailed {
                tier: candidate.tier,
                failure: Failure::from(e.clone()),
            },
        });
    }
}
