//! The same UDF as cuDF calls, timed in turns with the kernel on the same device. In: a UDF, rows; out: what timing the kernel gave,
//! and the rival's times or why it has none. Never stands in the way of the kernel's times.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;

use super::{Ask, Subject, kernel, may_be_timed, timing, travelling};
use crate::bench::{Lane, Missing, Plan, Rival, Times};
use crate::check::library_engine;
use crate::compare::{Verdict, compare};
use crate::error::{Error, Result};
use crate::propose::{Note, Tier, propose_tier};
use crate::run::cuda::{Timed, has_no_room};
use crate::run::spark::{Calls, with_calls};
use crate::run::{Cancel, Outcome};

const NAME: &str = "the same rewrite as cuDF calls";

/// Seconds of warming up and of sampling that a rival gets beside those of the kernel.
const MORE_SECONDS: (f64, f64) = (2.0, 3.0);

/// The kernel and what took turns with it.
pub(super) struct Together {
    /// The kernel.
    pub kernel: Result<Timed>,
    /// The others.
    pub rivals: Vec<Rival>,
}

/// A rival's times, with what ran it.
type Found = (Times, BTreeMap<String, String>);

/// Times the kernel, and in turns with it the rival that is asked for.
pub(super) fn together(
    subject: &Subject,
    ask: &Ask,
    tile: &RecordBatch,
    rows: u64,
    cancel: &Cancel,
) -> Result<Together> {
    let alone = || kernel(subject, tile, rows, ask.sampling, None, cancel);
    let asked = match ask.rivals {
        true => ready(subject, ask, tile, rows),
        false => Err(Error::not_proven("it was not asked for").hint("`rewright bench` times it")),
    };
    let both = asked.and_then(|rewrite| in_turns(subject, ask, &rewrite, tile, rows, cancel));
    let (kernel, found) = match both {
        Ok((Err(e), _)) if has_no_room(&e) => (alone(), Err(no_room())),
        Ok((timed, found)) => (timed, found),
        Err(why) if why.kind.ends_all() => return Err(why),
        Err(why) => (alone(), Err(why)),
    };
    let (times, facts) = match found {
        Ok((times, facts)) => (Ok(times), facts),
        Err(e) if e.kind.ends_all() => return Err(e),
        Err(e) => (Err(Missing::from(&e)), BTreeMap::new()),
    };
    let rival = Rival {
        name: match &ask.rival {
            Some((name, _)) => format!("the cuDF calls of {name}"),
            None => NAME.into(),
        },
        in_turns: times.is_ok(),
        times,
        facts,
    };
    Ok(Together {
        kernel,
        rivals: vec![rival],
    })
}

/// A rewrite as cuDF calls.
struct Rewrite {
    text: String,
    /// Classes of difference that a proposal announces.
    notes: Vec<Note>,
}

/// The rewrite, where there is a kernel to take turns with.
fn ready(subject: &Subject, ask: &Ask, tile: &RecordBatch, rows: u64) -> Result<Rewrite> {
    let tile = travelling(tile, rows);
    let kernel = may_be_timed(subject).and_then(|()| timing(subject, &tile, rows, ask.sampling).check());
    kernel.map_err(|_| Error::not_proven("there is no kernel's time to compare with"))?;
    match &ask.rival {
        Some((_, text)) => Ok(Rewrite {
            text: text.clone(),
            notes: Vec::new(),
        }),
        None => propose_tier(subject.file, subject.udf, Tier::Cudf)
            .map(|c| Rewrite {
                text: c.text,
                notes: c.notes,
            })
            .map_err(|r| Error::not_proven("it cannot be written as cuDF calls").because(r.reason)),
    }
}

fn no_room() -> Error {
    Error::not_proven("its columns and the kernel's have no room beside each other on the device")
        .hint("run it with fewer rows")
}

/// When to stop where there is a rival.
fn longer(sampling: Plan) -> Plan {
    Plan {
        warm_up_seconds: sampling.warm_up_seconds + MORE_SECONDS.0,
        seconds: sampling.seconds + MORE_SECONDS.1,
        ..sampling
    }
}

/// The kernel and the user's library in turns. Fails where the library is not even there for a first call.
fn in_turns(
    subject: &Subject,
    ask: &Ask,
    rewrite: &Rewrite,
    tile: &RecordBatch,
    rows: u64,
    cancel: &Cancel,
) -> Result<(Result<Timed>, Result<Found>)> {
    let library = subject.runners.library()?.timed();
    let engine = library_engine(&rewrite.text, subject.udf, subject.settings, subject.runners, library)?;
    let mut engine = engine.with_cancel(cancel);
    let sampled = |calls: &mut Calls| {
        let timed = kernel(subject, tile, rows, longer(ask.sampling), Some(&mut *calls), cancel);
        let outcome = timed
            .as_ref()
            .ok()
            .and_then(|t| t.beside.as_ref()?.times())
            .map(|_| calls.outcome());
        (timed, outcome)
    };
    let ((timed, outcome), facts) = with_calls(&mut engine, tile, rows, cancel, sampled)?;
    let found = match (&timed, outcome) {
        (Err(_), _) => Err(Error::not_proven("there is no kernel's time to compare with")),
        (Ok(timed), outcome) => judged(subject, rewrite, tile, timed, outcome, facts),
    };
    Ok((timed, found))
}

/// The rival's times, if what it gave is what the kernel gave.
fn judged(
    subject: &Subject,
    rewrite: &Rewrite,
    tile: &RecordBatch,
    timed: &Timed,
    outcome: Option<Result<Outcome>>,
    mut facts: BTreeMap<String, String>,
) -> Result<Found> {
    let times = match &timed.beside {
        Some(Lane::Measured(times)) => times.clone(),
        Some(Lane::Failed(why)) => return Err(Error::not_proven(why)),
        None => return Err(Error::internal("a rival without a lane")),
    };
    let outcome = outcome.ok_or_else(|| Error::internal("a rival without an outcome"))??;
    let differs = same(subject, rewrite, tile, &timed.outcome, &outcome)?;
    if let Some(how) = differs {
        facts.insert("differs as accepted or announced".into(), how);
    }
    Ok((times, facts))
}

/// How it differs as it may; an error if it differs as it may not.
fn same(
    subject: &Subject,
    rewrite: &Rewrite,
    tile: &RecordBatch,
    kernel: &Outcome,
    rival: &Outcome,
) -> Result<Option<String>> {
    let rows = kernel.len();
    if rows != rival.len() {
        return Err(Error::internal("the rival's rows are not the kernel's"));
    }
    let comparison = compare(&tile.slice(0, rows), kernel, rival, subject.policy);
    let classes: Vec<&str> = comparison.classes.keys().map(String::as_str).collect();
    let how = format!("{} of {rows} rows: {}", comparison.different_rows, classes.join(", "));
    if comparison.verdict == Verdict::Different && !comparison.only_announced(&rewrite.notes) {
        return Err(
            Error::not_proven(format!("its result is another in {how}")).hint("--policy accepts classes of difference")
        );
    }
    Ok((comparison.different_rows > 0).then_some(how))
}
