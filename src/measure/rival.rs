//! The same UDF as cuDF calls, timed in turns with the kernel on the same device: by the user's library, or each call as a kernel of
//! its own where there is none. In: a UDF, rows; out: what timing the kernel gave, and the rival's times or why it has none. Never
//! stands in the way of the kernel's times.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;

use super::{Ask, Rivals, Subject, kernel, may_be_timed, timing, travelling};
use crate::bench::{Lane, Missing, Plan, Rival, Times};
use crate::check::library_engine;
use crate::compare::{Verdict, compare};
use crate::error::{Error, Result};
use crate::propose::{Note, Tier, propose_tier};
use crate::run::cuda::{Beside, Timed, has_no_room};
use crate::run::cudf::CudfEngine;
use crate::run::spark::{Calls, Library, with_calls};
use crate::run::{Cancel, Outcome};

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

/// One benchmark.
struct Turns<'a> {
    subject: &'a Subject<'a>,
    ask: &'a Ask,
    tile: &'a RecordBatch,
    rows: u64,
    cancel: &'a Cancel,
}

/// A rewrite as cuDF calls.
struct Rewrite {
    text: String,
    /// Classes of difference that a proposal announces.
    notes: Vec<Note>,
}

/// Times the kernel, and in turns with it the rival that is asked for.
pub(super) fn together(
    subject: &Subject,
    ask: &Ask,
    tile: &RecordBatch,
    rows: u64,
    cancel: &Cancel,
) -> Result<Together> {
    let turns = Turns {
        subject,
        ask,
        tile,
        rows,
        cancel,
    };
    let mut name = match &ask.rival {
        Some((name, _)) => format!("the cuDF calls of {name}"),
        None => "the same rewrite as cuDF calls".into(),
    };
    let both = turns.ready().and_then(|rewrite| match turns.library() {
        Some(library) => turns.with_library(&rewrite, library?),
        None => turns.with_kernels(&rewrite, &mut name),
    });
    let (kernel, found) = match both {
        Ok((Err(e), _)) if has_no_room(&e) => (turns.alone(), Err(no_room())),
        Ok((timed, found)) => (timed, found),
        Err(why) if why.kind.ends_all() => return Err(why),
        Err(why) => (turns.alone(), Err(why)),
    };
    let (times, facts) = match found {
        Ok((times, facts)) => (Ok(times), facts),
        Err(e) if e.kind.ends_all() => return Err(e),
        Err(e) => (Err(Missing::from(&e)), BTreeMap::new()),
    };
    let rival = Rival {
        name,
        in_turns: times.is_ok(),
        times,
        facts,
    };
    Ok(Together {
        kernel,
        rivals: vec![rival],
    })
}

fn no_room() -> Error {
    Error::not_proven("its columns and the kernel's have no room beside each other on the device")
        .hint("run it with fewer rows")
}

fn no_kernel() -> Error {
    Error::not_proven("there is no kernel's time to compare with")
}

impl Turns<'_> {
    /// The kernel without a rival.
    fn alone(&self) -> Result<Timed> {
        let sampling = self.ask.sampling;
        kernel(
            self.subject,
            self.tile,
            self.rows,
            sampling,
            Beside::Nobody,
            self.cancel,
        )
    }

    /// The kernel with one, and time for both.
    fn beside(&self, rival: Beside) -> Result<Timed> {
        let sampling = Plan {
            warm_up_seconds: self.ask.sampling.warm_up_seconds + MORE_SECONDS.0,
            seconds: self.ask.sampling.seconds + MORE_SECONDS.1,
            ..self.ask.sampling
        };
        kernel(self.subject, self.tile, self.rows, sampling, rival, self.cancel)
    }

    /// The rewrite, where one is asked for and there is a kernel to take turns with.
    fn ready(&self) -> Result<Rewrite> {
        let (subject, ask) = (self.subject, self.ask);
        if ask.rivals == Rivals::None {
            return Err(Error::not_proven("it was not asked for").hint("`rewright bench` times it"));
        }
        let tile = travelling(self.tile, self.rows);
        let kernel = may_be_timed(subject).and_then(|()| timing(subject, &tile, self.rows, ask.sampling).check());
        kernel.map_err(|_| no_kernel())?;
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

    /// The user's library; none where it is not at hand. One that was named and cannot be used is an error.
    fn library(&self) -> Option<Result<Library>> {
        let runners = self.subject.runners;
        let found = (self.ask.rivals == Rivals::Library).then(|| runners.library())?;
        match found {
            Err(_) if runners.rapids_jar.is_none() => None,
            found => Some(found),
        }
    }

    /// The kernel and the user's library in turns. Fails where the library is not even there for a first call.
    fn with_library(&self, rewrite: &Rewrite, library: Library) -> Result<(Result<Timed>, Result<Found>)> {
        let subject = self.subject;
        let library = library.timed();
        let engine = library_engine(&rewrite.text, subject.udf, subject.settings, subject.runners, library)?;
        let mut engine = engine.with_cancel(self.cancel);
        let sampled = |calls: &mut Calls| {
            let timed = self.beside(Beside::Other(&mut *calls));
            let lane = timed.as_ref().ok().and_then(|t| t.beside.as_ref()?.times());
            let outcome = lane.is_some().then(|| calls.outcome());
            (timed, outcome)
        };
        let ((timed, outcome), facts) = with_calls(&mut engine, self.tile, self.rows, self.cancel, sampled)?;
        let found = match &timed {
            Err(_) => Err(no_kernel()),
            Ok(timed) => self.judged(rewrite, timed, outcome, facts),
        };
        Ok((timed, found))
    }

    /// The kernel and the cuDF calls, each as a kernel of its own, in turns. Fails where a call is not one of those.
    fn with_kernels(&self, rewrite: &Rewrite, name: &mut String) -> Result<(Result<Timed>, Result<Found>)> {
        let subject = self.subject;
        let tile = travelling(self.tile, self.rows);
        let engine = CudfEngine::new(&rewrite.text, subject.udf.param_names(), subject.settings.clone());
        let chained = engine.and_then(|mut e| e.chain(&tile, self.cancel));
        let (job, _) = chained.map_err(|e| match e.kind.ends_all() {
            true => e,
            false => Error::not_proven("its cuDF calls are not timed without the library")
                .because(e)
                .hint("--rapids-jar names a cuDF library: the real calls would be timed"),
        })?;
        let steps = &job.chain.steps;
        let launches = match steps.len() {
            1 => "one launch".to_owned(),
            n => format!("{n} launches"),
        };
        *name = format!(
            "{} as op-at-a-time kernels, {launches}; not cuDF itself",
            match &self.ask.rival {
                Some((file, _)) => format!("the cuDF calls of {file}"),
                None => "the cuDF calls".into(),
            }
        );
        let calls: Vec<&str> = steps.iter().map(|s| s.call.as_str()).collect();
        let facts = BTreeMap::from([
            ("kernels".to_owned(), calls.join(", ")),
            ("memory".to_owned(), "made once, before the first sample".to_owned()),
        ]);
        let timed = self.beside(Beside::Chain(&job));
        let found = match &timed {
            Err(_) => Err(no_kernel()),
            Ok(timed) => self.judged(rewrite, timed, timed.chain.clone().map(Ok), facts),
        };
        Ok((timed, found))
    }

    /// The rival's times, if what it gave is what the kernel gave.
    fn judged(
        &self,
        rewrite: &Rewrite,
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
        if let Some(how) = self.differs(rewrite, &timed.outcome, &outcome)? {
            facts.insert("differs as accepted or announced".into(), how);
        }
        Ok((times, facts))
    }

    /// How it differs as it may; an error if it differs as it may not.
    fn differs(&self, rewrite: &Rewrite, kernel: &Outcome, rival: &Outcome) -> Result<Option<String>> {
        let rows = kernel.len();
        if rows != rival.len() {
            let gave = rival.len();
            return Err(Error::not_proven(format!(
                "it gave {gave} rows where the kernel gave {rows}"
            )));
        }
        let comparison = compare(&self.tile.slice(0, rows), kernel, rival, self.subject.policy);
        let classes: Vec<&str> = comparison.classes.keys().map(String::as_str).collect();
        let how = format!("{} of {rows} rows: {}", comparison.different_rows, classes.join(", "));
        if comparison.verdict == Verdict::Different && !comparison.only_announced(&rewrite.notes) {
            return Err(Error::not_proven(format!("its result is another in {how}"))
                .hint("--policy accepts classes of difference"));
        }
        Ok((comparison.different_rows > 0).then_some(how))
    }
}
