//! The differential test: inputs → oracle → engine → compare. In: a UDF, a candidate, a batch, settings and a policy;
//! out: a [`CheckReport`], or a [`NotProven`] with its reason. The screen and the shell commands both call this.

use arrow::array::RecordBatch;

use crate::compare::{Comparison, Policy, compare};
use crate::error::{Error, ErrorKind, Result};
use crate::find::Udf;
use crate::propose::{Candidate, Tier};
use crate::run::{Cancel, Evaluator, Evidence, Finding, Outcome, Settings};
use crate::run::{cudf::CudfEngine, embedded::Embedded, sql::SqlEngine};

/// A finished test with everything that a screen or a report shows.
#[derive(Debug, Clone)]
pub struct CheckReport {
    /// The arguments, one column per parameter, in order.
    pub inputs: RecordBatch,
    /// What the original gave.
    pub oracle: Outcome,
    /// What the candidate gave.
    pub candidate: Outcome,
    /// How they compare.
    pub comparison: Comparison,
    /// What ran the original.
    pub oracle_evidence: Evidence,
    /// What ran the candidate.
    pub engine_evidence: Evidence,
    /// Leaks, double closes and the like.
    pub findings: Vec<Finding>,
}

/// Makes the oracle for a UDF. Fails with the refusal's reason and place when the UDF is not covered.
pub fn oracle(udf: &Udf, settings: &Settings) -> Result<Box<dyn Evaluator>> {
    Ok(Box::new(Embedded::new(udf, settings.clone())?))
}

/// Makes the engine that runs a candidate's text.
pub fn engine(candidate: &Candidate, udf: &Udf, settings: &Settings) -> Result<Box<dyn Evaluator>> {
    let params: Vec<String> = udf.params.iter().map(|p| p.name.clone()).collect();
    match candidate.tier {
        Tier::Sql => Ok(Box::new(SqlEngine::new(&candidate.text, params, settings.clone())?)),
        Tier::Cudf => Ok(Box::new(CudfEngine::new(&candidate.text, params, settings.clone())?)),
        Tier::Cuda => Err(
            Error::new(ErrorKind::NotProven, "a CUDA kernel does not run on the cpu engine")
                .hint("its text was checked for form only; it needs a machine with an NVIDIA GPU"),
        ),
    }
}

/// Tests one candidate against the original over one batch.
pub fn check(
    udf: &Udf,
    candidate: &Candidate,
    inputs: &RecordBatch,
    settings: &Settings,
    policy: &Policy,
    cancel: &Cancel,
) -> Result<CheckReport> {
    let mut oracle = oracle(udf, settings)?;
    let mut engine = engine(candidate, udf, settings)?;
    let oracle_evidence = oracle.prepare(inputs.schema_ref())?;
    let engine_evidence = engine.prepare(inputs.schema_ref())?;
    // Side by side: an engine that works through whole columns leaves cores idle that the oracle's rows can use.
    let (oracle_outcome, candidate_outcome) = std::thread::scope(|scope| {
        let candidate = scope.spawn(|| engine.eval(inputs, cancel));
        let original = oracle.eval(inputs, cancel);
        let candidate = candidate
            .join()
            .unwrap_or_else(|_| Err(Error::internal("the engine's thread ended early")));
        (original, candidate)
    });
    let (oracle_outcome, candidate_outcome) = (oracle_outcome?, candidate_outcome?);
    let comparison = compare(inputs, &oracle_outcome, &candidate_outcome, policy);
    Ok(CheckReport {
        inputs: inputs.clone(),
        oracle: oracle_outcome,
        candidate: candidate_outcome,
        comparison,
        oracle_evidence,
        engine_evidence,
        findings: engine.findings(),
    })
}
