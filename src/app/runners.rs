//! Which oracle and which engine answer, and whether the user trusts the source enough for foreign code to run. In: actions
//! and answers; out: changed state, effects. Starts nothing itself.
//!
//! Where nobody chose an oracle and this machine can run a JVM, its worker starts as soon as a file is open. What is tested
//! before it is ready is answered by the embedded oracle at once, and confirmed in the JVM when it is.

use crate::check::{INSTEAD, Runners};
use crate::compare::Verdict;
use crate::propose::Tier;
use crate::run::EngineId;
use crate::run::spark::{WorkerState, WorkerStatus};
use crate::session::{Choice, Entry};

use super::act;
use super::action::Action;
use super::event::Effect;
use super::job::JobKind;
use super::line::Line;
use super::state::{Ask, Overlay, Prompt, State, Tested, Work};

/// Oracles in the order in which the key goes through them.
pub const ORACLES: [EngineId; 3] = [EngineId::Embedded, EngineId::Jvm, EngineId::Spark];
/// Engines of the sql tier.
pub const ENGINES: [EngineId; 2] = [EngineId::Cpu, EngineId::Spark];
/// Engines of the cudf tier.
pub const CUDF_ENGINES: [EngineId; 2] = [EngineId::Cpu, EngineId::Cudf];
/// Engines of the cuda tier.
pub const CUDA_ENGINES: [EngineId; 2] = [EngineId::CudaHost, EngineId::Cuda];

/// What one pair of oracle and engine said of the rewrite as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// The oracle.
    pub oracle: EngineId,
    /// The engine.
    pub engine: EngineId,
    /// The verdict.
    pub verdict: Verdict,
    /// Rows that differ.
    pub different: u64,
}

/// Whether the JVM answers because nobody chose otherwise.
fn jvm_by_default(work: &Work) -> bool {
    work.runners.by_default && work.runners.oracle == EngineId::Jvm && work.trusted
}

/// Whether a worker waits for work.
fn ready(state: &State) -> bool {
    state.workers.iter().any(|w| w.state == WorkerState::Ready)
}

/// A file was opened: the worker that its tests will need starts while the user reads.
pub(super) fn opened(state: &State, out: &mut Vec<Effect>) {
    let wanted = |w: &Work| w.trusted && w.runners.oracle != EngineId::Embedded;
    if !state.folding && state.work.as_ref().is_some_and(wanted) {
        out.push(warm_up(state));
    }
}

/// What runs the next test of the tier on screen.
pub(super) fn for_test(state: &mut State, out: &mut Vec<Effect>) -> Runners {
    let ready = ready(state);
    let restart = state.workers.iter().all(|w| w.state.is_gone()).then(|| warm_up(state));
    let Some(work) = &mut state.work else {
        return Runners::default();
    };
    let runners = work.runners.of_tier(work.tier);
    // What is not covered in this process has to wait for the other; a kernel that runs nowhere needs neither.
    let runs = work.tier != Tier::Cuda || runners.engine != EngineId::Cpu;
    let covered = work.udf().is_some_and(|u| u.program.is_ok()) && runs;
    let first = jvm_by_default(work) && !ready && covered;
    work.slot_mut().confirm = first;
    if !first {
        return runners;
    }
    state.restarting = restart.is_some();
    out.extend(restart);
    Runners {
        oracle: EngineId::Embedded,
        ..runners
    }
}

/// Starts the test that confirms an answer of the embedded oracle, once the worker is ready and nothing else is tested.
pub(super) fn confirm(state: &mut State, out: &mut Vec<Effect>) {
    if state.folding || state.jobs.running(JobKind::Check).is_some() || !ready(state) {
        return;
    }
    let Some(work) = state.work.as_ref().filter(|w| jvm_by_default(w)) else {
        return;
    };
    let due = |t: &Tier| {
        let slot = &work.slots[*t as usize];
        slot.confirm && !slot.stale && !matches!(slot.tested, Tested::Not)
    };
    let tier = std::iter::once(work.tier).chain(Tier::ALL).find(due);
    if let Some(tier) = tier {
        let runners = work.runners.of_tier(tier);
        act::check(state, tier, runners, out);
    }
}

/// The workers changed, or a test has ended: a test that waited for a worker starts, or is given up.
pub(super) fn workers_changed(state: &mut State, out: &mut Vec<Effect>) {
    let lost = |w: &WorkerStatus| matches!(w.state, WorkerState::Lost(_));
    let gone = !state.restarting && state.workers.iter().all(|w| w.state.is_gone()) && state.workers.iter().any(lost);
    let waiting = state.work.iter().flat_map(|w| &w.slots).any(|s| s.confirm);
    if gone && waiting && state.jobs.running(JobKind::Check).is_none() {
        cancelled(state);
        return state.complain("the JVM worker was lost before it could confirm: L says why, t tests again");
    }
    confirm(state, out);
}

/// A test was cancelled: nothing is confirmed any more.
pub(super) fn cancelled(state: &mut State) {
    for slot in state.work.iter_mut().flat_map(|w| &mut w.slots) {
        slot.confirm = false;
    }
}

fn next(all: &[EngineId], now: EngineId) -> EngineId {
    let at = all.iter().position(|e| *e == now).map_or(0, |i| i + 1);
    all[at % all.len()]
}

/// The next oracle or engine, as the action says.
pub(super) fn switch(state: &mut State, action: Action, out: &mut Vec<Effect>) {
    let Some(work) = &state.work else { return };
    let choice = match action {
        Action::Oracle => Choice::Oracle(next(&ORACLES, work.runners.oracle)),
        _ if work.tier == Tier::Cuda => Choice::Kernels(next(&CUDA_ENGINES, work.runners.cuda)),
        _ if work.tier == Tier::Cudf => Choice::Columnar(next(&CUDF_ENGINES, work.runners.cudf)),
        _ => Choice::Engine(next(&ENGINES, work.runners.engine)),
    };
    chose(state, choice, out);
}

/// Whether a choice is one of those that the keys go through; a session may hold anything.
fn is_known(choice: Choice) -> bool {
    match choice {
        Choice::Oracle(id) => ORACLES.contains(&id),
        Choice::Engine(id) => ENGINES.contains(&id),
        Choice::Columnar(id) => CUDF_ENGINES.contains(&id),
        Choice::Kernels(id) => CUDA_ENGINES.contains(&id),
    }
}

/// An oracle or an engine answers from here on.
pub(super) fn chose(state: &mut State, choice: Choice, out: &mut Vec<Effect>) {
    if !is_known(choice) {
        return state.complain(format!(
            "the session holds a choice that is not known here: {}",
            choice.words()
        ));
    }
    let Some(work) = &mut state.work else { return };
    match choice {
        Choice::Oracle(id) => {
            // From here on it is the user's choice.
            work.runners.by_default = false;
            work.runners.oracle = id;
        }
        Choice::Engine(id) => work.runners.engine = id,
        Choice::Columnar(id) => work.runners.cudf = id,
        Choice::Kernels(id) => work.runners.cuda = id,
    }
    let now = work.runners.of_tier(work.tier);
    let (oracle, engine) = (now.oracle, now.engine);
    for slot in &mut work.slots {
        slot.stale = slot.stale || slot.report().is_some();
        slot.confirm = false;
    }
    out.push(Effect::Append(Box::new(Entry::Chose(choice))));
    state.say(format!(
        "oracle {} · engine {}; t tests with them",
        oracle.name(),
        engine.name()
    ));
    if state.folding || !foreign(state) {
        return;
    }
    if !trusted(state) {
        ask(state, Action::Test);
    } else if needs_jvm(state) {
        out.push(warm_up(state));
    }
}

/// Whether the next test of the tier on screen runs foreign code.
fn foreign(state: &State) -> bool {
    state
        .work
        .as_ref()
        .is_some_and(|w| w.runners.of_tier(w.tier).start_foreign_code())
}

/// Whether the next test of the tier on screen starts a JVM; kernels have workers of their own, which start at once.
fn needs_jvm(state: &State) -> bool {
    state.work.as_ref().is_some_and(|w| {
        let now = w.runners.of_tier(w.tier);
        [now.oracle, now.engine]
            .iter()
            .any(|e| matches!(e, EngineId::Jvm | EngineId::Spark))
    })
}

fn trusted(state: &State) -> bool {
    state.work.as_ref().is_some_and(|w| w.trusted)
}

/// Whether a test may start; if the user has to be asked first, the question is put.
pub(super) fn may_test(state: &mut State, action: Action) -> bool {
    if !foreign(state) || trusted(state) {
        return true;
    }
    ask(state, action);
    false
}

/// Whether a benchmark may start, which always runs foreign code; if the user has to be asked first, the question is put.
pub(super) fn may_bench(state: &mut State, action: Action) -> bool {
    if !trusted(state) {
        ask(state, action);
        return false;
    }
    true
}

/// What runs the original for the comparison of a benchmark: nobody waits for a worker that is only on its way. And whether a
/// worker waits for work.
pub(super) fn for_bench(state: &State) -> (Runners, bool) {
    let ready = ready(state);
    let Some(work) = &state.work else {
        return (Runners::default(), ready);
    };
    let runners = work.runners.of_tier(work.tier);
    let covered = work.udf().is_some_and(|u| u.program.is_ok());
    let oracle = match jvm_by_default(work) && !ready && covered {
        true => EngineId::Embedded,
        false => runners.oracle,
    };
    (Runners { oracle, ..runners }, ready)
}

fn ask(state: &mut State, then: Action) {
    state.overlays.push(Overlay::Prompt(Prompt {
        ask: Ask::Trust(then),
        line: Line::default(),
    }));
}

/// The answer to whether the source is trusted.
pub(super) fn answered(state: &mut State, text: &str, then: Action, out: &mut Vec<Effect>) {
    let Some(work) = &mut state.work else { return };
    if text != "yes" {
        work.runners = Runners {
            oracle: EngineId::Embedded,
            engine: EngineId::Cpu,
            cudf: EngineId::Cpu,
            ..work.runners.clone()
        };
        let cpu = EngineId::Cpu;
        for choice in [
            Choice::Oracle(EngineId::Embedded),
            Choice::Engine(cpu),
            Choice::Columnar(cpu),
        ] {
            out.push(Effect::Append(Box::new(Entry::Chose(choice))));
        }
        return state.say("not trusted: what runs in this process goes on answering");
    }
    work.trusted = true;
    if needs_jvm(state) {
        out.push(warm_up(state));
    }
    if act::impossible(state, then).is_none() {
        act::act(state, then, out);
    }
}

fn warm_up(state: &State) -> Effect {
    let classpath = state.work.as_ref().map(|w| w.runners.classpath.clone());
    Effect::WarmUp(classpath.unwrap_or_default())
}

/// Keeps what was answered about the rewrite of a tier, one line for each pair of oracle and engine.
pub(super) fn keep(work: &mut Work, tier: Tier) {
    let slot = &mut work.slots[tier as usize];
    let Some(report) = slot.report() else { return };
    let answer = Answer {
        oracle: report.oracle_evidence.engine,
        engine: report.engine_evidence.engine,
        verdict: report.comparison.verdict,
        different: report.comparison.different_rows,
    };
    let interpreted_instead = report.oracle_evidence.facts.contains_key(INSTEAD);
    if report.oracle_evidence.engine != EngineId::Embedded || interpreted_instead {
        slot.confirm = false;
    }
    slot.answers
        .retain(|a| (a.oracle, a.engine) != (answer.oracle, answer.engine));
    slot.answers.push(answer);
}
