//! The benchmark of one UDF: rows → the kernel's times from the GPU worker, the original's from the JVM worker → a
//! [`BenchReport`]. In: a UDF, a candidate, how many rows; out: the report. The screen and the shell command both call this.
//! What is timed is compared with the original; times that cannot be had are told with their reason.

mod cpu;
mod rival;
mod rows;
mod sweep;
mod tune;

use arrow::array::RecordBatch;
use sha2::{Digest, Sha256};

use crate::bench::{self, BENCH_FORMAT, BenchReport, CpuLane, JobInputs, Missing, Plan, Verified, Warning};
use crate::check::{Runners, oracle_of};
use crate::compare::{Comparison, Policy, Verdict, compare};
use crate::error::{Error, ErrorKind, Result};
use crate::find::Udf;
use crate::propose::{Candidate, Tier};
use crate::run::cuda::{Beside, Timed, Timing, has_gpu, time};
use crate::run::{Cancel, EngineId, Outcome, Settings};
use crate::source::SourceFile;

pub use rows::TILE;

/// Rows of a benchmark where nobody says otherwise.
pub const ROWS: u64 = 1 << 24;
/// The share of a job that a UDF is taken to be where nobody says otherwise.
pub const JOB_SHARE: f64 = 0.5;
/// Rows up to which sizes are gone through at least.
pub const SWEEP_ROWS: u64 = 100_000_000;

/// What is timed.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The file.
    pub file: &'a SourceFile,
    /// The UDF.
    pub udf: &'a Udf,
    /// The rewrite.
    pub candidate: &'a Candidate,
    /// Zone and ANSI mode.
    pub settings: &'a Settings,
    /// What runs the original for the comparison, and which GPU runs the kernel.
    pub runners: &'a Runners,
    /// What is accepted.
    pub policy: &'a Policy,
}

/// How it is timed.
#[derive(Debug, Clone)]
pub struct Ask {
    /// Rows on the device.
    pub rows: u64,
    /// Seed of the rows that are made up.
    pub seed: u64,
    /// The share of nulls in every column; without it as a test makes them.
    pub null_share: Option<f64>,
    /// Rows of the user's instead.
    pub data: Option<RecordBatch>,
    /// When to stop on the device.
    pub sampling: Plan,
    /// Which lanes of the CPU to run.
    pub cpu: CpuAsk,
    /// Which other rewrites for the same device take turns with the kernel.
    pub rivals: Rivals,
    /// The user's own cuDF rewrite instead of the proposal: its name and its text.
    pub rival: Option<(String, String)>,
    /// Whether to go through sizes.
    pub sweep: bool,
    /// Whether to search for a faster shape of the kernel.
    pub tune: bool,
    /// Rows of the job; without it as many as on the device.
    pub job_rows: Option<u64>,
    /// Share of the job's time that the UDF takes.
    pub job_share: f64,
    /// Price of the GPU's machine over that of the CPU's.
    pub price_ratio: Option<f64>,
}

impl Default for Ask {
    fn default() -> Ask {
        Ask {
            rows: ROWS,
            seed: 42,
            null_share: None,
            data: None,
            sampling: Plan::default(),
            cpu: CpuAsk::Measure,
            rivals: Rivals::None,
            rival: None,
            sweep: false,
            tune: false,
            job_rows: None,
            job_share: JOB_SHARE,
            price_ratio: None,
        }
    }
}

/// Which other rewrites are timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rivals {
    /// None.
    None,
    /// The cuDF calls as kernels of their own, which needs no JVM.
    Kernels,
    /// The cuDF calls by the user's library; where there is none, as kernels of their own.
    Library,
}

/// Which lanes of the CPU are run.
#[derive(Debug, Clone)]
pub enum CpuAsk {
    /// All that can be.
    Measure,
    /// None: these were measured before, of the same function and rows.
    Known(Vec<CpuLane>),
    /// None, because of this.
    Not(String),
}

/// Runs a benchmark.
pub fn bench(subject: &Subject, ask: &Ask, cancel: &Cancel) -> Result<BenchReport> {
    let tile = rows::tile(subject, ask)?;
    let asked = ask.rows.max(1);
    let rival::Together { kernel: timed, rivals } = rival::together(subject, ask, &tile, asked, cancel)?;
    let (gpu, outcome) = match timed {
        Ok(timed) => (Ok(timed.lane.clone()), Some(timed)),
        Err(e) if is_fatal(&e) => return Err(e),
        Err(e) => (Err(Missing::from(&e)), None),
    };
    let mut troubles = Vec::new();
    let original = match &outcome {
        Some(timed) => original(subject, &tile, timed, cancel, &mut troubles)?,
        None => None,
    };
    let timed = outcome.as_ref().zip(original.as_ref());
    let verified = timed.map(|(timed, original)| verify(subject, original, timed, &mut troubles));
    let cpu = match &ask.cpu {
        CpuAsk::Measure => cpu::all(subject, &tile, cancel)?,
        CpuAsk::Known(lanes) => lanes.clone(),
        CpuAsk::Not(why) => cpu::none(why),
    };
    let mut report = BenchReport {
        format: BENCH_FORMAT,
        rewright: env!("CARGO_PKG_VERSION").into(),
        at: chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
        udf: subject.udf.name.clone(),
        tier: subject.candidate.tier,
        candidate: digest(&subject.candidate.text),
        rows: asked,
        made_rows: tile.num_rows() as u64,
        seed: ask.seed,
        null_share: ask.null_share,
        gpu,
        verified,
        rivals,
        cpu,
        claims: Vec::new(),
        warnings: Vec::new(),
        sweep: None,
        job: None,
        compared: None,
        tuned: None,
    };
    report.claims = bench::claims(&report);
    if ask.sweep {
        report.sweep = Some(sweep::all(subject, ask, &tile, &report, cancel)?);
    }
    if ask.tune {
        match tune::tune(subject, ask, original.as_ref(), &report, cancel)? {
            Ok(tuned) => report.tuned = Some(tuned),
            Err(missing) => troubles.push(Warning {
                id: "not-tuned".into(),
                what: format!("no faster shape was looked for: {}", missing.why),
                remedy: missing
                    .hints
                    .first()
                    .cloned()
                    .unwrap_or_else(|| "mend that first".into()),
            }),
        }
    }
    report.warnings = bench::warnings(&report);
    report.warnings.extend(troubles);
    report.job = bench::job(
        &report,
        JobInputs {
            rows: ask.job_rows.unwrap_or(asked),
            share: ask.job_share,
            price_ratio: ask.price_ratio,
        },
    );
    Ok(report)
}

/// Whether an error ends the whole benchmark: the others only leave the GPU's lane without times.
fn is_fatal(e: &Error) -> bool {
    e.kind != ErrorKind::NotProven
}

fn digest(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|b| format!("{b:02x}")).collect()
}

/// Whether the candidate is one that can be timed, and here.
fn may_be_timed(subject: &Subject) -> Result<()> {
    let tier = subject.candidate.tier;
    if tier != Tier::Cuda {
        return Err(Error::not_proven(format!(
            "the {} tier has no engine here that could be timed on a GPU",
            tier.name()
        ))
        .hint("--tier cuda times the kernel"));
    }
    if !has_gpu() {
        return Err(Error::not_proven("there is no NVIDIA GPU on this machine")
            .hint("run the same command on a machine that has one; `rewright doctor` says what it finds")
            .hint("cuda-host is an emulation on the CPU and is never timed"));
    }
    Ok(())
}

/// The rows that travel for so many on the device.
fn travelling(tile: &RecordBatch, rows: u64) -> RecordBatch {
    match usize::try_from(rows) {
        Ok(rows) if rows < tile.num_rows() => tile.slice(0, rows),
        _ => tile.clone(),
    }
}

/// What of the kernel is timed over so many rows.
fn timing<'a>(subject: &'a Subject, tile: &'a RecordBatch, rows: u64, sampling: Plan) -> Timing<'a> {
    Timing {
        text: &subject.candidate.text,
        result: subject.udf.return_type.as_ref(),
        device: subject.runners.device,
        tile,
        rows,
        sampling,
    }
}

/// Times the kernel over so many rows; `beside` takes turns with it.
fn kernel(
    subject: &Subject,
    tile: &RecordBatch,
    rows: u64,
    sampling: Plan,
    beside: Beside,
    cancel: &Cancel,
) -> Result<Timed> {
    may_be_timed(subject)?;
    let tile = travelling(tile, rows);
    time(&timing(subject, &tile, rows, sampling), beside, cancel)
}

/// What the original gives for rows, to compare with.
struct Original {
    inputs: RecordBatch,
    outcome: Outcome,
    oracle: EngineId,
}

impl Original {
    fn of(subject: &Subject, inputs: RecordBatch, cancel: &Cancel) -> Result<Original> {
        let mut oracle = oracle_of(subject.file, subject.udf, subject.settings, subject.runners, cancel)?;
        oracle.prepare(inputs.schema_ref())?;
        let outcome = oracle.eval(&inputs, cancel)?;
        Ok(Original {
            inputs,
            outcome,
            oracle: oracle.id(),
        })
    }

    fn compare(&self, subject: &Subject, candidate: &Outcome) -> Comparison {
        compare(&self.inputs, &self.outcome, candidate, subject.policy)
    }
}

/// The original over the rows that were timed. Where it cannot be run nothing is verified, and that is told.
fn original(
    subject: &Subject,
    tile: &RecordBatch,
    timed: &Timed,
    cancel: &Cancel,
    troubles: &mut Vec<Warning>,
) -> Result<Option<Original>> {
    match Original::of(subject, tile.slice(0, timed.outcome.len()), cancel) {
        Ok(original) => Ok(Some(original)),
        Err(e) if e.kind.ends_all() => Err(e),
        Err(e) => {
            troubles.push(Warning {
                id: "not-verified".into(),
                what: format!("what was timed is not compared with the original: {e}"),
                remedy: e.hints.first().cloned().unwrap_or_else(|| "another --oracle".into()),
            });
            Ok(None)
        }
    }
}

/// Compares what was timed with the original.
fn verify(subject: &Subject, original: &Original, timed: &Timed, troubles: &mut Vec<Warning>) -> Verified {
    let comparison = original.compare(subject, &timed.outcome);
    let found = timed.findings.first().map(|f| f.message.clone());
    let verified = Verified {
        verdict: comparison.verdict,
        rows: comparison.rows,
        different_rows: comparison.different_rows,
        repeated_rows: timed.repeated_rows,
        oracle: original.oracle.name().into(),
        trouble: timed.trouble.clone().or(found),
    };
    if !verified.holds() {
        let what = match &verified.trouble {
            Some(trouble) => trouble.clone(),
            None => format!("what was timed is {}", verified.verdict.words()),
        };
        troubles.push(Warning {
            id: "not-the-same".into(),
            what: format!("{what}: these are times of something else"),
            remedy: match verified.verdict {
                Verdict::Different => "`rewright check` shows the rows; --policy accepts classes of difference".into(),
                _ => "`rewright check` says what is not proven".into(),
            },
        });
    }
    verified
}
