//! Benchmarks on screen: asking for one, and what follows from its end. In: the key, reports, recorded steps; out: changed
//! state, entries for the session. A recorded one is shown as it was; nothing runs for it.

use std::sync::Arc;

use crate::bench::{BenchReport, Plan};
use crate::measure::{Ask, CpuAsk};
use crate::propose::Tier;
use crate::run::EngineId;
use crate::session::{Entry, entry};

use super::event::Effect;
use super::job::{BenchSpec, Failure, JobSpec};
use super::runners;
use super::state::{State, Timed, Work};
use super::update::start;

/// When to stop on the device, so that the answer comes while the user looks at it.
const SHORT: Plan = Plan {
    least: 10,
    most: 100,
    seconds: 0.3,
    narrow: 0.005,
    most_warm_up: 40,
    warm_up_seconds: 0.2,
};

/// Starts a benchmark of the tier on screen.
pub(super) fn bench(state: &mut State, out: &mut Vec<Effect>) {
    if !runners::may_bench(state) {
        return;
    }
    let (runners, worker_ready) = runners::for_bench(state);
    let Some(work) = &state.work else { return };
    let (Some(udf), Some(candidate)) = (work.udf, work.slot().candidate(work.tier)) else {
        return;
    };
    let spec = BenchSpec {
        opened: work.opened.clone(),
        udf,
        candidate,
        ask: Ask {
            seed: work.seed,
            sampling: SHORT,
            cpu: cpu(work, worker_ready),
            // Starting the library takes seconds: whoever chose it for the tests waits for it here as well.
            rivals: work.runners.cudf == EngineId::Cudf,
            ..Ask::default()
        },
        data: work.data.clone(),
        settings: work.settings.clone(),
        policy: work.policy.clone(),
        runners,
    };
    start(state, JobSpec::Bench(Box::new(spec)), out);
}

/// Lanes of the CPU: those of an earlier benchmark of the same rows, else measured where that starts no worker first.
fn cpu(work: &Work, worker_ready: bool) -> CpuAsk {
    let measured = |r: &&Arc<BenchReport>| r.seed == work.seed && r.best_cpu().is_some();
    let earlier = work.slots.iter().filter_map(|s| s.bench()).find(measured);
    match earlier {
        Some(report) if work.data.is_none() => CpuAsk::Known(report.cpu.clone()),
        _ if worker_ready => CpuAsk::Measure,
        _ => CpuAsk::Not("no JVM worker is ready; b times the original once one is".into()),
    }
}

/// A benchmark ended.
pub(super) fn benched(state: &mut State, tier: Tier, report: Arc<BenchReport>, out: &mut Vec<Effect>) {
    let Some(work) = &mut state.work else { return };
    let slot = &mut work.slots[tier as usize];
    out.push(Effect::Append(Box::new(Entry::Benched(Box::new(entry::Benched {
        candidate: slot.document.text.clone(),
        report: report.clone(),
    })))));
    slot.timed_text = slot.document.text.clone();
    slot.timed = Timed::Done(report);
    super::moves::keep_in_sight(state);
}

/// A recorded benchmark, as it was.
pub(super) fn recorded(state: &mut State, text: Arc<str>, report: Arc<BenchReport>) {
    let Some(work) = &mut state.work else { return };
    let slot = &mut work.slots[report.tier as usize];
    slot.timed_text = text;
    slot.timed = Timed::Done(report);
}

/// A benchmark ended without anything to show.
pub(super) fn failed(state: &mut State, tier: Tier, failure: Failure, out: &mut Vec<Effect>) {
    let Some(work) = &mut state.work else { return };
    if failure.is_interrupted() {
        return state.say("timing was cancelled");
    }
    out.push(Effect::Append(Box::new(Entry::BenchFailed {
        tier,
        failure: failure.clone(),
    })));
    let slot = &mut work.slots[tier as usize];
    slot.timed_text = slot.document.text.clone();
    slot.timed = Timed::Failed(failure);
    super::moves::keep_in_sight(state);
}
