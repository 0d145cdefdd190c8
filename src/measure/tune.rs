//! The search for a faster shape of a kernel on the device. In: a benchmark of the kernel as it is; out: every try with its verdict
//! and times. A try is run over the rows of a test and compared with the original before it is timed, and what was timed is
//! compared again.

use arrow::array::RecordBatch;

use super::{Ask, Original, Subject, kernel};
use crate::bench::{BenchReport, Claimed, Missing, Plan, Times, Try, Tuned, claim, search, speed_up};
use crate::compare::Verdict;
use crate::error::{Error, Result};
use crate::inputs::generate;
use crate::propose::Candidate;
use crate::propose::cuda::{Axis, variants};
use crate::run::cuda::{Beside, CudaEngine, Kind};
use crate::run::{Cancel, Evaluator};

/// Rows that prove a try, edges among them.
const PROOF: usize = 1 << 14;
/// When to stop with one try.
const SHORT: Plan = Plan {
    least: 10,
    most: 60,
    seconds: 0.25,
    narrow: 0.005,
    most_warm_up: 20,
    warm_up_seconds: 0.1,
};
/// How often the candidate and the fastest try take turns at the end.
const TURNS: usize = 3;

/// Searches; `timed` is the original over the rows that were timed. The reason where there is nothing to search from.
pub(super) fn tune(
    subject: &Subject,
    ask: &Ask,
    timed: Option<&Original>,
    report: &BenchReport,
    cancel: &Cancel,
) -> Result<Result<Tuned, Missing>> {
    let (lane, timed) = match (&report.gpu, &report.verified, timed) {
        (Err(missing), ..) => return Ok(Err(missing.clone())),
        (Ok(lane), Some(v), Some(timed)) if v.holds() => (lane, timed),
        (Ok(_), ..) => return Ok(Err(Missing::because("a kernel that is not proven is not tuned"))),
    };
    let proof = Original::of(subject, generate(subject.udf, subject.file, PROOF, ask.seed)?, cancel)?;
    let first = Try {
        what: "as it is".into(),
        text: subject.candidate.text.clone(),
        verdict: report.verified.as_ref().map(|v| v.verdict),
        times: Ok(lane.cold.clone()),
        share_of_copy: lane.bandwidth.as_ref().ok().map(|b| b.share_of_copy.median),
    };
    let options = |text: &str, axis: Axis| {
        let found = variants(text, axis).into_iter();
        found.map(|v| (v.what, v.text)).collect()
    };
    let attempt = |what, text| one(subject, (&proof, timed), report.rows, (what, text), cancel);
    let mut tuned = search(first, &Axis::ALL, options, attempt)?;
    if tuned.best > 0 {
        tuned.claimed = turns(subject, &timed.inputs, report.rows, &tuned.tries[tuned.best], cancel)?;
    }
    Ok(Ok(tuned))
}

/// Proves and times one text. What cannot be run, or is not the same, is a try without times.
fn one(
    subject: &Subject,
    (proof, timed): (&Original, &Original),
    rows: u64,
    (what, text): (String, String),
    cancel: &Cancel,
) -> Result<Try> {
    let mut tried = Try {
        what,
        text,
        verdict: None,
        times: Err(Missing::because("")),
        share_of_copy: None,
    };
    match attempt(subject, (proof, timed), rows, &mut tried, cancel) {
        Ok(times) => tried.times = times.map_err(Missing::because),
        Err(e) if e.kind.ends_all() => return Err(e),
        Err(e) => tried.times = Err(Missing::from(&e)),
    }
    Ok(tried)
}

fn attempt(
    subject: &Subject,
    (proof, timed): (&Original, &Original),
    rows: u64,
    tried: &mut Try,
    cancel: &Cancel,
) -> Result<Result<Times, String>> {
    let device = Kind::Device(subject.runners.device);
    let result = subject.udf.return_type.clone();
    let mut engine = CudaEngine::new(&tried.text, result, subject.settings.clone(), device)?.with_cancel(cancel);
    engine.prepare(proof.inputs.schema_ref())?;
    let verdict = proof.compare(subject, &engine.eval(&proof.inputs, cancel)?).verdict;
    tried.verdict = Some(verdict);
    if !verdict.holds() {
        return Ok(Err(format!("it is not timed: it is {}", verdict.words())));
    }
    let candidate = Candidate {
        text: tried.text.clone(),
        ..subject.candidate.clone()
    };
    let of = Subject {
        candidate: &candidate,
        ..*subject
    };
    let found = kernel(&of, &timed.inputs, rows, SHORT, Beside::Nobody, cancel)?;
    let verdict = timed.compare(subject, &found.outcome).verdict;
    if let Some(trouble) = found.trouble.or((!verdict.holds()).then(|| verdict.words().to_owned())) {
        tried.verdict = Some(Verdict::Different);
        return Ok(Err(format!("what was timed is wrong: {trouble}")));
    }
    tried.share_of_copy = found.lane.bandwidth.as_ref().ok().map(|b| b.share_of_copy.median);
    Ok(Ok(found.lane.cold))
}

/// The candidate and the fastest try once more, in turns: what slows the machine down slows both.
fn turns(subject: &Subject, tile: &RecordBatch, rows: u64, best: &Try, cancel: &Cancel) -> Result<Option<Claimed>> {
    let fastest = Candidate {
        text: best.text.clone(),
        ..subject.candidate.clone()
    };
    let mut samples = [Vec::new(), Vec::new()];
    for _ in 0..TURNS {
        for (candidate, samples) in [subject.candidate, &fastest].into_iter().zip(&mut samples) {
            let of = Subject { candidate, ..*subject };
            samples.extend(
                kernel(&of, tile, rows, SHORT, Beside::Nobody, cancel)?
                    .lane
                    .cold
                    .samples,
            );
        }
    }
    let [before, after] = samples.map(Times::of);
    let (Some(before), Some(after)) = (before, after) else {
        return Err(Error::internal("turns without samples"));
    };
    Ok(speed_up(&after, &before, false).map(|found| Claimed {
        against: "the kernel as it was".into(),
        claim: claim(found),
        speed_up: found,
        note: Some(format!("{TURNS} turns each")),
    }))
}
