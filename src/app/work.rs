//! The real jobs: reading, finding, proposing, testing. In: a [`JobSpec`] on a thread of its own; out: a [`Report`]. What
//! runs outside this process is asked for by the spec, which the state fills in only for a source that the user trusts.

use std::path::Path;
use std::sync::Arc;

use crate::bench::BenchReport;
use crate::check;
use crate::compare::compare;
use crate::error::{Error, Result};
use crate::find::{self, Udf};
use crate::inputs;
use crate::measure;
use crate::propose;
use crate::run::{Cancel, embedded};
use crate::samples::SAMPLES;
use crate::session;
use crate::source::SourceFile;

use super::document::{Document, Syntax};
use super::event::Origin;
use super::job::{BenchSpec, CheckSpec, Failure, JobSpec, Jobs, Opened, Report};

/// Does the work in process.
#[derive(Debug, Default)]
pub struct Workshop;

impl Jobs for Workshop {
    fn run(&self, spec: JobSpec, cancel: &Cancel) -> Report {
        match spec {
            JobSpec::Open(Origin::Session(path)) => Report::Loaded(session::load(&path).map_err(Failure::from)),
            JobSpec::Open(Origin::File(path)) => Report::Opened(open_file(&path).map_err(Failure::from)),
            JobSpec::Open(Origin::Sample(at)) => Report::Opened(open_sample(at).map_err(Failure::from)),
            JobSpec::Propose(opened, udf) => {
                let udf = udf_of(&opened, udf).map_err(Failure::from);
                Report::Proposed(udf.map(|udf| propose::propose(&opened.file, udf)))
            }
            JobSpec::Check(spec) => {
                let result = test(&spec, cancel);
                Report::Checked(spec.candidate.tier, result.map(Arc::new).map_err(Failure::from))
            }
            JobSpec::Bench(spec) => {
                let result = bench(*spec.clone(), cancel);
                Report::Benched(spec.candidate.tier, result.map(Arc::new).map_err(Failure::from))
            }
            JobSpec::Compare(tier, report, policy) => {
                let mut again = (*report).clone();
                again.comparison = compare(&again.inputs, &again.oracle, &again.candidate, &policy);
                Report::Checked(tier, Ok(Arc::new(again)))
            }
            JobSpec::Trace(opened, udf, settings, batch, row) => {
                // A row that cannot be traced has no marks; the table of rows stands as it is.
                let udf = opened.found.udfs.get(udf);
                let spans = udf.and_then(|u| embedded::trace(u, &batch, row as usize, &settings).ok());
                Report::Traced(row, spans.unwrap_or_default())
            }
        }
    }
}

/// Reads a file and finds its UDFs.
pub fn open_file(path: &Path) -> Result<Arc<Opened>> {
    let file = SourceFile::read(path)?;
    Ok(Arc::new(opened(Origin::File(path.to_owned()), file, Vec::new())))
}

fn open_sample(at: usize) -> Result<Arc<Opened>> {
    let sample = SAMPLES
        .get(at)
        .ok_or_else(|| Error::input(format!("there is no sample number {at}")))?;
    let edits = sample.edited.iter().map(|(t, text)| (*t, Arc::from(*text)));
    Ok(Arc::new(opened(Origin::Sample(at), sample.source(), edits.collect())))
}

/// A source text with its UDFs, as the bench takes it.
pub fn opened(origin: Origin, file: SourceFile, edits: Vec<(propose::Tier, Arc<str>)>) -> Opened {
    Opened {
        origin,
        found: find::find(&file),
        document: Document::new(file.text.clone(), Syntax::of_language(file.language)),
        file,
        edits,
    }
}

fn udf_of(opened: &Opened, udf: usize) -> Result<&Udf> {
    let udf = opened.found.udfs.get(udf);
    udf.ok_or_else(|| Error::internal("the UDF is gone"))
}

fn bench(mut spec: BenchSpec, cancel: &Cancel) -> Result<BenchReport> {
    let udf = udf_of(&spec.opened, spec.udf)?;
    if let Some(path) = &spec.data {
        let data = inputs::bind(udf, &inputs::read_data(path)?, path)?.args;
        spec.ask.rows = data.num_rows() as u64;
        spec.ask.data = Some(data);
    }
    let subject = measure::Subject {
        file: &spec.opened.file,
        udf,
        candidate: &spec.candidate,
        settings: &spec.settings,
        runners: &spec.runners,
        policy: &spec.policy,
    };
    measure::bench(&subject, &spec.ask, cancel)
}

fn test(spec: &CheckSpec, cancel: &Cancel) -> Result<check::CheckReport> {
    let udf = udf_of(&spec.opened, spec.udf)?;
    let inputs = match (&spec.inputs, &spec.data) {
        (Some(batch), _) => batch.clone(),
        (None, Some(path)) => inputs::bind(udf, &inputs::read_data(path)?, path)?.args,
        (None, None) => {
            let device = spec.runners.device_of(spec.candidate.tier);
            check::made_up(&spec.opened.file, udf, spec.rows, spec.seed, device, cancel)?
        }
    };
    cancel.check()?;
    let bench = check::Bench {
        file: &spec.opened.file,
        udf,
        settings: &spec.settings,
        runners: &spec.runners,
    };
    let mut report = bench.check(&spec.candidate, &inputs, &spec.policy, cancel)?;
    if let Some(before) = &spec.before {
        report.findings.extend(check::disagreement(before, &report));
    }
    Ok(report)
}
