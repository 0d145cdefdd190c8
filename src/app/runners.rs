//! Which oracle and which engine answer, and whether the user trusts the source enough for foreign code to run. In: actions
//! and answers; out: changed state, effects. Starts nothing itself.

use crate::compare::Verdict;
use crate::propose::Tier;
use crate::run::EngineId;
use crate::session::Entry;

use super::act;
use super::action::Action;
use super::event::Effect;
use super::line::Line;
use super::state::{Ask, Overlay, Prompt, State, Work};

/// Oracles in the order in which the key goes through them.
pub const ORACLES: [EngineId; 3] = [EngineId::Embedded, EngineId::Jvm, EngineId::Spark];
/// Engines of the sql tier; the cudf tier has one.
pub const ENGINES: [EngineId; 2] = [EngineId::Cpu, EngineId::Spark];
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

fn next(all: &[EngineId], now: EngineId) -> EngineId {
    let at = all.iter().position(|e| *e == now).map_or(0, |i| i + 1);
    all[at % all.len()]
}

/// The next oracle or engine, as the action says.
pub(super) fn switch(state: &mut State, action: Action, out: &mut Vec<Effect>) {
    let Some(work) = &mut state.work else { return };
    match action {
        Action::Oracle => work.runners.oracle = next(&ORACLES, work.runners.oracle),
        _ if work.tier == Tier::Cuda => work.runners.cuda = next(&CUDA_ENGINES, work.runners.cuda),
        _ => work.runners.engine = next(&ENGINES, work.runners.engine),
    }
    let now = work.runners.of_tier(work.tier);
    let (oracle, engine) = (
        now.oracle,
        if work.tier == Tier::Cudf {
            work.runners.engine
        } else {
            now.engine
        },
    );
    for slot in &mut work.slots {
        slot.stale = slot.stale || slot.report().is_some();
    }
    out.push(Effect::Append(Box::new(Entry::Action(action.name().into()))));
    state.say(format!(
        "oracle {} · engine {}; t tests with them",
        oracle.name(),
        engine.name()
    ));
    if state.folding || !foreign(state) {
        return;
    }
    if !trusted(state) {
        ask(state);
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
pub(super) fn may_test(state: &mut State) -> bool {
    if !foreign(state) || trusted(state) {
        return true;
    }
    ask(state);
    false
}

fn ask(state: &mut State) {
    state.overlays.push(Overlay::Prompt(Prompt {
        ask: Ask::Trust,
        line: Line::default(),
    }));
}

/// The answer to whether the source is trusted.
pub(super) fn answered(state: &mut State, text: &str, out: &mut Vec<Effect>) {
    let Some(work) = &mut state.work else { return };
    if text != "yes" {
        let classpath = std::mem::take(&mut work.runners.classpath);
        work.runners = crate::check::Runners {
            classpath,
            ..Default::default()
        };
        return state.say("not trusted: what runs in this process goes on answering");
    }
    work.trusted = true;
    if needs_jvm(state) {
        out.push(warm_up(state));
    }
    if act::impossible(state, Action::Test).is_none() {
        act::test(state, out);
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
    slot.answers
        .retain(|a| (a.oracle, a.engine) != (answer.oracle, answer.engine));
    slot.answers.push(answer);
}
