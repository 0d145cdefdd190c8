//! `rewright eval`: runs the original, or a candidate, over a data file and writes row, value, error.

use super::args::EvalArgs;
use super::config::Config;
use super::output::Output;
use super::pick::{candidate, distinct, engine_of_tier, open, runners, settings};
use crate::check::{engine_of, oracle_of};
use crate::error::{ErrorKind, Result};
use crate::inputs::{bind, read_data, write_outcome};
use crate::propose::{Tier, propose_tier};
use crate::report::RowsNotRun;
use crate::run::Cancel;

pub(super) fn run(args: &EvalArgs, out: &mut Output) -> Result<u8> {
    let config = Config::load(&args.which.file)?;
    let settings = settings(&args.settings, &config)?;
    let runners = runners(&args.settings, &config)?;
    let cancel = Cancel::default();
    distinct(&args.output, &[&args.data, &args.which.file])?;
    let opened = open(&args.which)?;
    let udf = opened.one(args.which.udf.as_deref())?;
    let bound = bind(udf, &read_data(&args.data)?, &args.data)?;
    out.by_position(&bound.by_position);
    let given = candidate(&args.candidate)?;
    let candidate = match (given, args.candidate.tier.map(Tier::from)) {
        (Some(given), _) => Some(given),
        (None, Some(tier)) => Some(
            propose_tier(&opened.file, udf, tier)
                .map_err(|r| crate::error::Error::not_proven(r.reason.clone()).at(opened.file.location(r.span)))?,
        ),
        (None, None) => None,
    };
    engine_of_tier(&args.settings, candidate.as_ref().map(|c| c.tier))?;
    let mut runner = match &candidate {
        Some(c) => engine_of(c, udf, &settings, &runners, &cancel)?,
        None => oracle_of(&opened.file, udf, &settings, &runners, &cancel)?,
    };
    let evidence = runner.prepare(bound.args.schema_ref())?;
    let outcome = runner.eval(&bound.args, &cancel)?;
    write_outcome(&args.output, &bound.rows, &outcome)?;
    let findings = runner.findings();
    let not_run: Vec<RowsNotRun> = outcome
        .not_run
        .reasons()
        .iter()
        .map(|r| RowsNotRun::of(&opened.file, r))
        .collect();
    if out.is_json() {
        out.object(&serde_json::json!({
            "format": crate::report::JSON_FORMAT, "rows": outcome.len(), "evidence": evidence, "findings": findings,
            "not_run": not_run,
            "output": args.output.display().to_string(), "by_position": bound.by_position,
        }));
    } else if !out.is_quiet() {
        let threw = (0..outcome.len()).filter(|i| outcome.error(*i).is_some()).count();
        let left_out = match outcome.not_run.len() {
            0 => String::new(),
            n => format!(", {n} not run"),
        };
        out.text(&format!(
            "{} rows, {threw} threw{left_out}, by {}\n",
            outcome.len(),
            evidence.engine.name()
        ));
        for f in findings {
            out.text(&format!("{}: {}\n", f.id, crate::report::printable(&f.message)));
        }
    }
    if !out.is_json() {
        not_run.iter().for_each(|r| out.text(&format!("{}\n", r.line())));
    }
    Ok(if outcome.not_run.is_empty() {
        0
    } else {
        ErrorKind::NotProven.exit_code()
    })
}
