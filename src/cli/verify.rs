//! `rewright verify`: both sides over a whole input on a Spark cluster.

use std::io::{IsTerminal, Write};
use std::path::Path;

use serde_json::json;

use super::args::VerifyArgs;
use super::config::Config;
use super::output::Output;
use super::pick::{Opened, candidate, open, policy};
use super::record::Recording;
use crate::error::{Error, Result};
use crate::find::Udf;
use crate::propose::{Candidate, Tier, propose};
use crate::report::{JSON_FORMAT, Status, UdfSummary, progress_line, scale_text};
use crate::run::{Cancel, Settings};
use crate::scale::{Progress, Request, ScaleReport, verify};

pub(super) fn run(args: &VerifyArgs, session: Option<&Path>, out: &mut Output) -> Result<u8> {
    let config = Config::load(&args.which.file)?;
    let opened = open(&args.which)?;
    let udf = opened.one(args.which.udf.as_deref())?;
    let conf = conf(&args.conf)?;
    let settings = settings(args, &config, &conf)?;
    let policy = policy(args.policy.as_ref())?;
    let chosen = chosen(args, &opened, udf)?;
    let mut recording = Recording::open(session)?;
    recording.opened(&opened.file, udf, 0, 0, &settings);
    recording.accepted(&policy);
    recording.given(&chosen);
    let classpath = match (&args.classpath[..], &config.classpath) {
        ([], Some(configured)) => configured.clone(),
        (given, _) => given.to_vec(),
    };
    let request = Request {
        source: &opened.file,
        udf,
        candidate: &chosen,
        input: &args.input,
        master: &args.master,
        conf: &conf,
        classpath: &classpath,
        policy: &policy,
        max_mismatches: args.max_mismatches,
        samples: args.samples,
        settings: &settings,
    };
    let mut teller = Teller::new(out);
    let result = verify(&request, &Cancel::default(), &mut |p| teller.tell(p));
    teller.end();
    match result {
        Ok(report) => {
            recording.verified(&chosen, &policy, &report);
            print(out, &UdfSummary::of(&opened.file, udf), &report);
            Ok(Status::of(report.verdict).exit_code())
        }
        Err(e) => {
            if !e.kind.ends_all() {
                recording.failed(&chosen, &e);
            }
            Err(e)
        }
    }
}

fn print(out: &mut Output, udf: &UdfSummary, report: &ScaleReport) {
    if out.is_json() {
        out.object(&json!({"format": JSON_FORMAT, "event": "result", "udf": udf, "result": report}));
    } else {
        let text = scale_text(udf, report, out.paint(), out.is_quiet());
        out.text(&text);
    }
}

/// The user's candidate, else the proposal.
fn chosen(args: &VerifyArgs, opened: &Opened, udf: &Udf) -> Result<Candidate> {
    if let Some(given) = candidate(&args.candidate)? {
        return Ok(given);
    }
    let proposals = propose(&opened.file, udf);
    let tier = args.candidate.tier.map_or(Tier::Sql, Tier::from);
    if let Some(c) = proposals.candidates.into_iter().find(|c| c.tier == tier) {
        return Ok(c);
    }
    let error = Error::not_proven(format!("there is no {} proposal for `{}`", tier.name(), udf.name));
    Err(match proposals.refused.iter().find(|(t, _)| *t == tier) {
        Some((_, r)) => error.because(&r.reason).at(opened.file.location(r.span)),
        None => error,
    }
    .hint("give a candidate: --candidate FILE"))
}

fn conf(given: &[String]) -> Result<Vec<(String, String)>> {
    given
        .iter()
        .map(|pair| match pair.split_once('=') {
            Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_owned(), value.to_owned())),
            _ => Err(Error::input(format!("`{pair}` is no setting")).hint("write --conf KEY=VALUE")),
        })
        .collect()
}

/// Flags over Spark's own settings over configuration, so that the evidence tells what really ran.
fn settings(args: &VerifyArgs, config: &Config, conf: &[(String, String)]) -> Result<Settings> {
    let set = |key: &str| conf.iter().rev().find(|(k, _)| k == key).map(|(_, v)| v.clone());
    let zone = set("spark.sql.session.timeZone");
    let ansi = set("spark.sql.ansi.enabled");
    let clash = |flag: &str, key: &str| Error::input(format!("{flag} and --conf {key} say different things"));
    if let (Some(flag), Some(conf)) = (&args.time_zone, &zone)
        && flag != conf
    {
        return Err(clash("--time-zone", "spark.sql.session.timeZone"));
    }
    if args.ansi && ansi.as_deref().is_some_and(|v| v != "true") {
        return Err(clash("--ansi", "spark.sql.ansi.enabled"));
    }
    let defaults = Settings::default();
    Ok(Settings {
        ansi: match ansi {
            Some(v) => v == "true",
            None => args.ansi || config.ansi.unwrap_or(defaults.ansi),
        },
        time_zone: zone
            .or_else(|| args.time_zone.clone())
            .or_else(|| config.time_zone.clone())
            .unwrap_or(defaults.time_zone),
    })
}

/// Tells how far it is: JSON lines, or one line of a terminal that is written over.
struct Teller<'o> {
    out: &'o mut Output,
    draws: bool,
    drawn: bool,
}

impl Teller<'_> {
    fn new(out: &mut Output) -> Teller<'_> {
        let draws = !out.is_json() && !out.is_quiet() && std::io::stderr().is_terminal();
        Teller {
            out,
            draws,
            drawn: false,
        }
    }

    fn tell(&mut self, progress: &Progress) {
        if self.out.is_json() {
            self.out.object(progress);
            return;
        }
        if !self.draws {
            return;
        }
        let (line, stays) = progress_line(progress);
        let end = if stays { "\n" } else { "" };
        let _ = write!(std::io::stderr(), "\r\u{1b}[K{line}{end}");
        self.drawn = !stays;
    }

    fn end(&mut self) {
        if self.drawn {
            let _ = write!(std::io::stderr(), "\r\u{1b}[K");
        }
    }
}
