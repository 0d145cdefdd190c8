//! Benchmarks on screen: asking for one, and what follows from its end. In: the key, reports, recorded steps; out: changed
//! state, entries for the session. A recorded one is shown as it was; nothing runs for it.

use std::sync::Arc;

use crate::bench::{BenchReport, Claim, Plan};
use crate::measure::{Ask, CpuAsk, Rivals};
use crate::propose::Tier;
use crate::report::{times, tried};
use crate::run::EngineId;
use crate::session::{Entry, entry};

use super::action::Action;
use super::event::Effect;
use super::job::{BenchSpec, Failure, JobSpec};
use super::runners;
use super::state::{Overlay, Pick, Picker, Scroll, State, Timed, Work};
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

/// Starts a benchmark of the tier on screen; of a kernel, if that was asked for, with a search for a faster shape.
pub(super) fn bench(state: &mut State, action: Action, out: &mut Vec<Effect>) {
    if !runners::may_bench(state, action) {
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
            rivals: match work.runners.cudf {
                EngineId::Cudf => Rivals::Library,
                _ => Rivals::None,
            },
            tune: action == Action::Tune,
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
    slot.timed = Timed::Done(report.clone());
    super::moves::keep_in_sight(state);
    let Some(tuned) = &report.tuned else { return };
    match &tuned.claimed {
        Some(found) if found.claim == Claim::Faster => {
            take(state, tuned.best, out);
            let what = &tuned.tries[tuned.best].what;
            state.say(format!(
                "{what}: {} as fast; u undoes it, v lists all tries",
                times(found.speed_up.median)
            ));
        }
        _ => state.say(format!(
            "{} shapes were tried, none is faster; v lists them",
            tuned.tries.len() - 1
        )),
    }
}

/// Lists what was tried, to take one of them.
pub(super) fn tries(state: &mut State) {
    let Some(work) = &state.work else { return };
    let Some(tuned) = work.slot().bench().and_then(|r| r.tuned.as_ref()) else {
        return;
    };
    let now = |t: &crate::bench::Try| *t.text == *work.slot().document.text;
    let at = tuned.tries.iter().position(now).unwrap_or(0);
    let entries: Vec<(String, String)> = tuned.tries.iter().map(tried).collect();
    let mut scroll = Scroll::default();
    scroll.go(at, entries.len(), entries.len());
    let what = Pick::Try;
    state.overlays.push(Overlay::Picker(Picker { what, entries, scroll }));
}

/// Takes a text that was tried, as an edit: it can be undone, and it is tested again.
pub(super) fn take(state: &mut State, at: usize, out: &mut Vec<Effect>) {
    let Some(work) = &state.work else { return };
    let tuned = work.slot().bench().and_then(|r| r.tuned.as_ref());
    let Some(text) = tuned.and_then(|t| t.tries.get(at)).map(|t| t.text.clone()) else {
        return;
    };
    super::reports::edited(state, Tier::Cuda, Ok(text), out);
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
