//! The same UDF as cuDF calls, timed on the same device with the user's own library. In: a UDF, rows, what the kernel gave; out: the
//! rival's times, or why it has none. Never stands in the way of the kernel's times.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;

use super::{Ask, Subject};
use crate::bench::{Missing, Plan, Rival, Times};
use crate::check::library_engine;
use crate::compare::{Verdict, compare};
use crate::error::{Error, Result};
use crate::propose::{Tier, propose_tier};
use crate::run::spark::time_calls;
use crate::run::{Cancel, Outcome};

const NAME: &str = "the same rewrite as cuDF calls";

/// When to stop sampling it.
const PLAN: Plan = Plan {
    least: 10,
    most: 200,
    seconds: 3.0,
    narrow: 0.01,
    most_warm_up: 40,
    warm_up_seconds: 2.0,
};

/// All rivals; `kernel` is what was timed, where it was.
pub(super) fn all(
    subject: &Subject,
    ask: &Ask,
    tile: &RecordBatch,
    rows: u64,
    kernel: Option<&Outcome>,
    cancel: &Cancel,
) -> Result<Vec<Rival>> {
    let timed = match (ask.rivals, kernel) {
        (false, _) => Err(Error::not_proven("it was not asked for").hint("`rewright bench` times it")),
        (true, None) => Err(Error::not_proven("there is no kernel's time to compare with")),
        (true, Some(kernel)) => cudf(subject, ask, tile, rows, kernel, cancel),
    };
    let (times, facts) = match timed {
        Ok((times, facts)) => (Ok(times), facts),
        Err(e) if e.kind.ends_all() => return Err(e),
        Err(e) => (Err(Missing::from(&e)), BTreeMap::new()),
    };
    Ok(vec![Rival {
        name: match &ask.rival {
            Some((name, _)) => format!("the cuDF calls of {name}"),
            None => NAME.into(),
        },
        times,
        facts,
    }])
}

fn cudf(
    subject: &Subject,
    ask: &Ask,
    tile: &RecordBatch,
    rows: u64,
    kernel: &Outcome,
    cancel: &Cancel,
) -> Result<(Times, BTreeMap<String, String>)> {
    let (udf, runners) = (subject.udf, subject.runners);
    let library = runners.library()?.timed();
    let (text, notes) = match &ask.rival {
        Some((_, text)) => (text.clone(), Vec::new()),
        None => propose_tier(subject.file, udf, Tier::Cudf)
            .map(|c| (c.text, c.notes))
            .map_err(|r| Error::not_proven("it cannot be written as cuDF calls").because(r.reason))?,
    };
    let engine = library_engine(&text, udf, subject.settings, runners, library)?;
    let timed = time_calls(&mut engine.with_cancel(cancel), tile, rows, &PLAN, cancel)?;
    let both = kernel.len().min(timed.outcome.len());
    if both < kernel.len() || both < timed.outcome.len() {
        return Err(Error::internal("the rival's rows are not the kernel's"));
    }
    let comparison = compare(&tile.slice(0, both), kernel, &timed.outcome, subject.policy);
    let different = comparison.verdict == Verdict::Different && !comparison.only_announced(&notes);
    let classes: Vec<&str> = comparison.classes.keys().map(String::as_str).collect();
    let how = format!("{} of {both} rows: {}", comparison.different_rows, classes.join(", "));
    if different {
        return Err(
            Error::not_proven(format!("its result is another in {how}")).hint("--policy accepts classes of difference")
        );
    }
    let mut facts = timed.facts;
    if comparison.different_rows > 0 {
        facts.insert("differs as accepted or announced".into(), how);
    }
    Ok((timed.times, facts))
}
