//! Runs jobs on threads and sends their reports through one channel. In: start and cancel; out: events. The input loop
//! never waits for a job.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use crate::run::{Cancel, INTERPRETER_STACK};

use super::event::{Event, Origin};
use super::job::{Failure, JobSpec, Jobs, Report};

/// Threads of running jobs, as far as they can be stopped.
pub struct Runner {
    jobs: Arc<dyn Jobs>,
    events: Sender<Event>,
    cancels: HashMap<u64, Cancel>,
}

impl Runner {
    /// A runner whose reports go to a channel.
    pub fn new(jobs: Arc<dyn Jobs>, events: Sender<Event>) -> Runner {
        Runner {
            jobs,
            events,
            cancels: HashMap::new(),
        }
    }

    /// Starts a job; its report comes under this number, whatever happens to it.
    pub fn start(&mut self, id: u64, spec: JobSpec) {
        let kind = spec.kind();
        let cancel = Cancel::default();
        // Cancelled or ended jobs of earlier numbers need no switch any more.
        self.cancels.retain(|_, c| !c.is_cancelled());
        self.cancels.insert(id, cancel.clone());
        let (jobs, events) = (self.jobs.clone(), self.events.clone());
        let shape = Shape::of(&spec);
        let run = move || {
            let report = catch_unwind(AssertUnwindSafe(|| jobs.run(spec, &cancel)));
            let report = report.unwrap_or_else(|panic| shape.failed(panic_text(&*panic)));
            // The receiver is gone only when the program ends.
            let _ = events.send(Event::Report(kind, id, report));
        };
        let thread = std::thread::Builder::new()
            .name(kind.doing().into())
            .stack_size(INTERPRETER_STACK)
            .spawn(run);
        if let Err(e) = thread {
            let report = shape.failed(format!("no thread could be started: {e}"));
            let _ = self.events.send(Event::Report(kind, id, report));
        }
    }

    /// Asks a job to stop.
    pub fn cancel(&mut self, id: u64) {
        if let Some(cancel) = self.cancels.remove(&id) {
            cancel.cancel();
        }
    }
}

/// Which report a job owes, so that a panic becomes one.
#[derive(Debug, Clone, Copy)]
enum Shape {
    Opened,
    Loaded,
    Proposed,
    Checked(crate::propose::Tier),
    Traced(u64),
    Benched(crate::propose::Tier),
}

impl Shape {
    fn of(spec: &JobSpec) -> Shape {
        match spec {
            JobSpec::Open(Origin::Session(_)) => Shape::Loaded,
            JobSpec::Open(_) => Shape::Opened,
            JobSpec::Propose(..) => Shape::Proposed,
            JobSpec::Check(c) => Shape::Checked(c.candidate.tier),
            JobSpec::Compare(tier, ..) => Shape::Checked(*tier),
            JobSpec::Trace(.., row) => Shape::Traced(*row),
            JobSpec::Bench(b) => Shape::Benched(b.candidate.tier),
        }
    }

    fn failed(self, why: String) -> Report {
        let failure = Failure {
            kind: "internal".into(),
            what: format!("internal error: {why}"),
            hints: vec!["this is a defect of rewright; the session is kept".into()],
            line: None,
        };
        match self {
            Shape::Opened => Report::Opened(Err(failure)),
            Shape::Loaded => Report::Loaded(Err(failure)),
            Shape::Proposed => Report::Proposed(Err(failure)),
            Shape::Checked(tier) => Report::Checked(tier, Err(failure)),
            Shape::Traced(row) => Report::Traced(row, Vec::new()),
            Shape::Benched(tier) => Report::Benched(tier, Err(failure)),
        }
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(s), _) => (*s).to_owned(),
        (_, Some(s)) => s.clone(),
        _ => "unknown panic".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::job::JobKind;
    use std::sync::mpsc::channel;

    struct Panics;

    impl Jobs for Panics {
        fn run(&self, _: JobSpec, _: &Cancel) -> Report {
            panic!("boom")
        }
    }

    #[test]
    fn a_panic_becomes_a_report() {
        let (tx, rx) = channel();
        Runner::new(Arc::new(Panics), tx).start(7, JobSpec::Open(Origin::Sample(0)));
        match rx.recv().unwrap() {
            Event::Report(JobKind::Open, 7, Report::Opened(Err(e))) => assert!(e.what.contains("boom")),
            other => panic!("{other:?}"),
        }
    }
}
