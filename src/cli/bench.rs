//! `rewright bench`: the micro-benchmark without a screen.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::args::BenchArgs;
use super::config::Config;
use super::output::Output;
use super::pick::{Opened, candidate, distinct, engine_of_tier, open, policy, runners, settings};
use super::record::Recording;
use crate::bench::{self, BenchReport};
use crate::check::Runners;
use crate::error::{Error, Result};
use crate::find::Udf;
use crate::inputs::{bind, read_data, replace};
use crate::measure::{Ask, CpuAsk, ROWS, Rivals, Subject, bench as measure};
use crate::propose::{Candidate, Tier, propose_tier};
use crate::report::bench_text;
use crate::run::{Cancel, EngineId};

pub(super) fn run(args: &BenchArgs, session: Option<&Path>, out: &mut Output) -> Result<u8> {
    let config = Config::load(&args.which.file)?;
    let settings = settings(&args.settings, &config)?;
    let policy = policy(args.policy.as_ref())?;
    if args.settings.engine.as_deref() == Some("cuda-host") {
        return Err(
            Error::not_proven("the engine `cuda-host` is an emulation and is never timed")
                .hint("leave --engine out: kernels are timed on a GPU"),
        );
    }
    if let Some(output) = &args.output {
        distinct(output, &inputs(args))?;
    }
    // What an earlier run wrote is read before minutes are spent on a new one.
    let baseline = args.baseline.as_deref().map(earlier).transpose()?;
    let opened = open(&args.which)?;
    let udf = opened.one(args.which.udf.as_deref())?;
    let chosen = chosen(args, &opened, udf)?;
    engine_of_tier(&args.settings, Some(chosen.tier))?;
    let runners = runners(&args.settings, &config)?;
    let ask = ask(args, &config, udf, &runners, out)?;
    let mut recording = Recording::open(session)?;
    recording.opened(&opened.file, udf, ask.rows as usize, ask.seed, &settings);
    recording.accepted(&policy);
    recording.given(&chosen);
    let subject = Subject {
        file: &opened.file,
        udf,
        candidate: &chosen,
        settings: &settings,
        runners: &runners,
        policy: &policy,
    };
    let mut report = match measure(&subject, &ask, &Cancel::default()) {
        Ok(report) => report,
        Err(e) => {
            if !e.kind.ends_all() {
                recording.bench_failed(&chosen, &e);
            }
            return Err(e);
        }
    };
    report.compared = baseline.map(|b| bench::against(&report, &b));
    recording.benched(&chosen, &report);
    if let Some(path) = &args.output {
        write(&report, path)?;
    }
    if out.is_json() {
        out.object(&report);
    } else {
        let text = bench_text(&report, out.paint());
        out.text(&text);
    }
    Ok(report.exit_code())
}

fn ask(args: &BenchArgs, config: &Config, udf: &Udf, runners: &Runners, out: &mut Output) -> Result<Ask> {
    let data = match &args.data {
        Some(path) => {
            let bound = bind(udf, &read_data(path)?, path)?;
            out.by_position(&bound.by_position);
            Some(bound.args)
        }
        None => None,
    };
    // Whoever chose the interpreter wants no JVM started.
    let interpreted = runners.oracle == EngineId::Embedded && !runners.by_default;
    let all = data.as_ref().map(|d| d.num_rows() as u64);
    let usual = Ask::default();
    Ok(Ask {
        rows: args.rows.or(all).unwrap_or(ROWS),
        seed: args.seed.or(config.seed).unwrap_or(usual.seed),
        null_share: args.null_share,
        data,
        cpu: match interpreted {
            true => CpuAsk::Not("the oracle embedded was chosen, so no JVM is started".into()),
            false => CpuAsk::Measure,
        },
        rivals: match interpreted && runners.rapids_jar.is_none() {
            true => Rivals::Kernels,
            false => Rivals::Library,
        },
        rival: args.rival.as_deref().map(rival).transpose()?,
        sweep: args.sweep,
        tune: args.tune,
        job_rows: args.job_rows,
        job_share: args.job_share,
        price_ratio: args.price_ratio,
        ..usual
    })
}

/// The text of the user's cuDF rewrite, by its file's name.
fn rival(path: &Path) -> Result<(String, String)> {
    let failed = |e: std::io::Error| Error::input(format!("cannot read the rival {}", path.display())).because(e);
    let text = std::fs::read_to_string(path).map_err(failed)?;
    let name = path.file_name().unwrap_or(path.as_os_str());
    Ok((name.to_string_lossy().into_owned(), text))
}

/// The user's candidate, else the proposal of the tier.
fn chosen(args: &BenchArgs, opened: &Opened, udf: &Udf) -> Result<Candidate> {
    if let Some(given) = candidate(&args.candidate)? {
        return Ok(given);
    }
    let tier = args.candidate.tier.map_or(Tier::Cuda, Tier::from);
    propose_tier(&opened.file, udf, tier).map_err(|r| {
        Error::not_proven(format!("there is no {} proposal for `{}`", tier.name(), udf.name))
            .because(&r.reason)
            .at(opened.file.location(r.span))
            .hint("give a candidate: --candidate FILE")
    })
}

fn earlier(path: &Path) -> Result<BenchReport> {
    let failed =
        |e: &dyn std::fmt::Display| Error::input(format!("cannot use the baseline {}", path.display())).because(e);
    let text = std::fs::read_to_string(path).map_err(|e| failed(&e))?;
    BenchReport::parse(&text).map_err(|e| {
        let mut error = failed(&e);
        error.hints = e.hints;
        error
    })
}

fn write(report: &BenchReport, path: &Path) -> Result<()> {
    let mut text = serde_json::to_string(report).map_err(|e| Error::internal("a report as JSON").because(e))?;
    text.push('\n');
    replace(path, |mut file| file.write_all(text.as_bytes()))
}

/// The files that are read, and must not be written over. The baseline may be: it is what the next run compares with.
fn inputs(args: &BenchArgs) -> Vec<&Path> {
    let given = [&args.data, &args.candidate.candidate];
    let given = given.into_iter().flatten().map(PathBuf::as_path);
    given.chain([args.which.file.as_path()]).collect()
}
