//! Actions: what each one does to the state, and whether it is possible now. In: an action; out: changed state, effects.

use std::sync::Arc;

use crate::check::Runners;
use crate::propose::Tier;
use crate::run::EngineId;
use crate::run::spark::WorkerState;
use crate::session::Entry;

use super::action::Action;
use super::choose::choose;
use super::event::Effect;
use super::event::Origin;
use super::job::{CheckSpec, JobKind, JobSpec};
use super::line::Line;
use super::moves::{self, Move};
use super::runners;
use super::state::{Ask, Overlay, Panel, Pick, Picker, Prompt, Scroll, State, Tested, Undo, Work};
use super::update::{quit, start, stop};

/// Does it, if it is possible.
pub fn act(state: &mut State, action: Action, out: &mut Vec<Effect>) {
    if let Some(why) = impossible(state, action) {
        state.say(why);
        return;
    }
    match action {
        Action::Test | Action::Memcheck => test(state, action, out),
        Action::Bench | Action::Tune => super::timing::bench(state, action, out),
        Action::Tries => super::timing::tries(state),
        Action::Timings => state.overlays.push(Overlay::Timings(Scroll::default())),
        Action::TierSql => tier(state, Tier::Sql, out),
        Action::TierCudf => tier(state, Tier::Cudf, out),
        Action::TierCuda => tier(state, Tier::Cuda, out),
        Action::Edit => edit(state, out),
        Action::Revert => revert(state, out),
        Action::Diff => state.overlays.push(Overlay::Diff(Scroll::default())),
        Action::NextMismatch => moves::to_mismatch(state, true, out),
        Action::PreviousMismatch => moves::to_mismatch(state, false, out),
        Action::Open => choose(state, out),
        Action::Filter => filter(state),
        Action::Policy => policy(state),
        Action::Find => {
            let ask = Ask::Find(state.focus);
            state.overlays.push(Overlay::Prompt(Prompt {
                ask,
                line: Line::default(),
            }));
        }
        Action::Undo => undo(state, out),
        Action::Notes => state.overlays.push(Overlay::Notes(Scroll::default())),
        Action::Udfs => udfs(state),
        Action::Oracle | Action::Engine => runners::switch(state, action, out),
        Action::Log => out.push(Effect::WorkerLog),
        Action::Save => save(state),
        Action::Watch => watch(state, out),
        Action::Copy => out.push(Effect::Copy(crate::view::copy_text(state))),
        Action::Remove => remove(state, out),
        Action::Chooser => {
            state.work = None;
            state.overlays.clear();
            state.watching = false;
            stop(state, JobKind::Check, out);
            stop(state, JobKind::Bench, out);
            stop(state, JobKind::Propose, out);
            out.push(Effect::Watch(None));
        }
        Action::NextPanel => focus(state, 1),
        Action::PreviousPanel => focus(state, 2),
        Action::Up => moves::apply(state, Move::By(-1), out),
        Action::Down => moves::apply(state, Move::By(1), out),
        Action::Left => moves::sideways(state, -8),
        Action::Right => moves::sideways(state, 8),
        Action::Top => moves::apply(state, Move::Top, out),
        Action::Bottom => moves::apply(state, Move::Bottom, out),
        Action::PageUp => moves::apply(state, Move::Pages(-1), out),
        Action::PageDown => moves::apply(state, Move::Pages(1), out),
        Action::HalfUp => moves::apply(state, Move::Halves(-1), out),
        Action::HalfDown => moves::apply(state, Move::Halves(1), out),
        Action::Help => help(state),
        Action::Palette => state
            .overlays
            .push(Overlay::Palette(Line::default(), Scroll::default())),
        Action::Back => back(state),
        Action::Quit => match state.overlays.last() {
            None | Some(Overlay::Confirm) => quit(state, out),
            Some(_) => back(state),
        },
        Action::Interrupt => interrupt(state, out),
        Action::Suspend => out.push(Effect::Suspend),
        Action::Redraw => out.push(Effect::Redraw),
    }
}

/// Why an action cannot be done now; `None` if it can. The footer shows only what can.
pub fn impossible(state: &State, action: Action) -> Option<&'static str> {
    let needs_work = matches!(
        action,
        Action::Test
            | Action::Memcheck
            | Action::Bench
            | Action::Tune
            | Action::Tries
            | Action::Timings
            | Action::TierSql
            | Action::TierCudf
            | Action::TierCuda
            | Action::Edit
            | Action::Revert
            | Action::Diff
            | Action::NextMismatch
            | Action::PreviousMismatch
            | Action::Filter
            | Action::Policy
            | Action::Find
            | Action::Undo
            | Action::Notes
            | Action::Udfs
            | Action::Oracle
            | Action::Engine
            | Action::Log
            | Action::Watch
            | Action::Copy
            | Action::Remove
            | Action::NextPanel
            | Action::PreviousPanel
            | Action::Chooser
    );
    if action == Action::Back && state.overlays.is_empty() {
        let filtered = state.work.as_ref().is_some_and(|w| w.filter.is_some());
        return (!filtered).then_some("there is nothing to step back from");
    }
    let Some(work) = &state.work else {
        return (needs_work || action == Action::Save).then_some("nothing is open");
    };
    let slot = work.slot();
    let no = |missing: bool, why| missing.then_some(why);
    match action {
        Action::Memcheck if work.tier != Tier::Cuda => Some("M looks at the memory of a kernel: 3 shows one"),
        Action::Memcheck if work.runners.cuda != EngineId::Cuda => Some("M needs a GPU: E takes the engine cuda"),
        Action::Test | Action::Memcheck => no(work.udf.is_none(), "no UDF is chosen").or_else(|| {
            no(
                slot.candidate(work.tier).is_none(),
                "there is no rewrite in this tier to test",
            )
        }),
        Action::Tune if work.tier != Tier::Cuda => Some("only a kernel has other shapes: 3 shows it"),
        Action::Tries => no(
            slot.bench().is_none_or(|r| r.tuned.is_none()),
            "no other shapes were tried: B does",
        ),
        Action::Bench | Action::Tune => no(work.udf.is_none(), "no UDF is chosen").or_else(|| {
            no(
                slot.candidate(work.tier).is_none(),
                "there is no rewrite in this tier to time",
            )
        }),
        Action::Timings => no(slot.bench().is_none(), "nothing was timed: b does"),
        Action::Edit => no(work.udf.is_none(), "no UDF is chosen"),
        Action::Revert => no(slot.edited.is_none(), "the rewrite is the proposal"),
        Action::Diff => no(
            slot.edited.is_none(),
            "the rewrite is the proposal: there is no difference",
        ),
        Action::Undo => no(work.undo.is_empty(), "there is nothing to undo"),
        Action::NextMismatch | Action::PreviousMismatch => no(work.rows.is_empty(), "no mismatch is listed"),
        Action::Filter => no(
            slot.report().is_none_or(|r| r.comparison.classes.is_empty()),
            "there are no classes of mismatch",
        ),
        Action::Policy => no(
            slot.report().is_none() && work.policy.entries.is_empty(),
            "test first: nothing is known that could be accepted",
        ),
        Action::Log => no(
            state.workers.iter().all(|w| w.state == WorkerState::Off),
            "no worker was started",
        ),
        Action::Udfs => no(work.opened.found.udfs.len() < 2, "this file has no other UDF"),
        Action::Watch => no(
            !matches!(work.opened.origin, Origin::File(_)),
            "only a file on disk can be watched",
        ),
        Action::Open if state.overlays.is_empty() => no(work.rows.is_empty(), "no mismatch is listed"),
        Action::Remove => no(
            !matches!(state.overlays.last(), Some(Overlay::Policy(_))),
            "open the policy first",
        ),
        _ => None,
    }
}

/// Starts a test of the tier on screen.
pub(super) fn test(state: &mut State, action: Action, out: &mut Vec<Effect>) {
    if !runners::may_test(state, action) {
        return;
    }
    let Some(tier) = state.work.as_ref().map(|w| w.tier) else {
        return;
    };
    let runners = Runners {
        memcheck: action == Action::Memcheck,
        ..runners::for_test(state, out)
    };
    check(state, tier, runners, out);
}

/// Starts a test of a tier.
pub(super) fn check(state: &mut State, tier: Tier, runners: Runners, out: &mut Vec<Effect>) {
    let Some(work) = &mut state.work else { return };
    let slot = &work.slots[tier as usize];
    let (Some(udf), Some(candidate)) = (work.udf, slot.candidate(tier)) else {
        return;
    };
    // Inputs depend on the UDF, the seed and the row count only, so that another tier's can serve.
    let reports = || std::iter::once(slot).chain(&work.slots).filter_map(|s| s.report());
    let inputs = reports()
        .map(|r| r.inputs.clone())
        .next()
        .filter(|b| b.num_columns() == work.opened.found.udfs[udf].params.len());
    let spec = CheckSpec {
        opened: work.opened.clone(),
        udf,
        candidate,
        rows: work.rows_wanted,
        seed: work.seed,
        data: work.data.clone(),
        settings: work.settings.clone(),
        policy: work.policy.clone(),
        inputs,
        before: reports().next().cloned(),
        runners,
    };
    work.slots[tier as usize].asked = Some(spec.runners.oracle);
    start(state, JobSpec::Check(Box::new(spec)), out);
}

fn tier(state: &mut State, tier: Tier, out: &mut Vec<Effect>) {
    let Some(work) = &mut state.work else { return };
    if work.tier == tier {
        return;
    }
    work.tier = tier;
    work.list_rows();
    out.push(Effect::Append(Box::new(Entry::Action(format!("tier-{}", tier.name())))));
    moves::trace(state, out);
    moves::reveal(state);
}

fn edit(state: &mut State, out: &mut Vec<Effect>) {
    let Some(work) = &state.work else { return };
    let slot = work.slot();
    let text = &slot.document.text;
    let language = match text.trim().is_empty() {
        true => work.opened.file.language,
        false => crate::run::cudf::language_of(text),
    };
    out.push(Effect::OpenEditor {
        tier: work.tier,
        language,
        text: slot.document.text.clone(),
        line: slot.scroll.cursor + 1,
    });
}

/// Replaces the hand edit of a tier; what was tested is stale from here on.
pub(super) fn set_text(state: &mut State, tier: Tier, text: Option<Arc<str>>, out: &mut Vec<Effect>) {
    stop(state, JobKind::Check, out);
    stop(state, JobKind::Bench, out);
    let Some(work) = &mut state.work else { return };
    let slot = &mut work.slots[tier as usize];
    let is_proposal = slot.proposal.as_ref().map(|p| p.text.as_str()) == text.as_deref();
    slot.edited = text.filter(|_| !is_proposal);
    slot.stale = true;
    slot.confirm = false;
    slot.answers.clear();
    slot.refresh(tier);
    state.keeping.unsaved = state.keeping.saved.is_none();
}

fn revert(state: &mut State, out: &mut Vec<Effect>) {
    let Some(work) = &mut state.work else { return };
    let tier = work.tier;
    let before = work.slot().edited.clone();
    work.undo.push(Undo::Text(tier, before));
    set_text(state, tier, None, out);
    out.push(Effect::Append(Box::new(Entry::Action(Action::Revert.name().into()))));
    state.say("back to the proposal; u brings the edit back");
    test_again(state, out);
}

fn undo(state: &mut State, out: &mut Vec<Effect>) {
    let Some(last) = state.work.as_mut().and_then(|w| w.undo.pop()) else {
        return;
    };
    out.push(Effect::Append(Box::new(Entry::Action(Action::Undo.name().into()))));
    match last {
        Undo::Text(tier, text) => {
            set_text(state, tier, text, out);
            if let Some(work) = &mut state.work {
                work.tier = tier;
                work.list_rows();
            }
            state.say(format!("the {} rewrite is as it was before", tier.name()));
            test_again(state, out);
        }
        Undo::Policy(policy) => {
            set_policy(state, policy, out);
            state.say("the policy is as it was before");
        }
    }
}

/// Tests again if this tier has been tested before.
pub(super) fn test_again(state: &mut State, out: &mut Vec<Effect>) {
    let tested = state.work.as_ref().map(|w| &w.slot().tested);
    if matches!(tested, Some(Tested::Done(_) | Tested::Failed(_))) && impossible(state, Action::Test).is_none() {
        test(state, Action::Test, out);
    }
}

/// Replaces the policy and compares what is known again.
pub(super) fn set_policy(state: &mut State, policy: crate::compare::Policy, out: &mut Vec<Effect>) {
    let Some(work) = &mut state.work else { return };
    work.policy = policy.clone();
    state.keeping.unsaved = state.keeping.saved.is_none();
    let tier = work.tier;
    for slot in &mut work.slots {
        slot.stale = slot.stale || slot.report().is_some();
    }
    let report = work.slot().report().cloned();
    if let Some(report) = report {
        start(state, JobSpec::Compare(tier, report, policy), out);
    }
}

fn remove(state: &mut State, out: &mut Vec<Effect>) {
    let Some(Overlay::Policy(scroll)) = state.overlays.last() else {
        return;
    };
    let items = super::choose::policy_items(state);
    let Some(super::choose::PolicyItem::Accepted(entry)) = items.get(scroll.cursor) else {
        state.say("only an accepted class can be removed");
        return;
    };
    super::choose::withdraw(state, &entry.class, out);
}

fn filter(state: &mut State) {
    let Some(work) = &state.work else { return };
    let Some(report) = work.slot().report() else { return };
    let comparison = &report.comparison;
    let mut entries = vec![("all".to_owned(), format!("{} rows differ", comparison.different_rows))];
    for (class, count) in &comparison.classes {
        entries.push((class.clone(), format!("{} rows", count.rows)));
    }
    let at = entries.iter().position(|(c, _)| Some(c) == work.filter.as_ref());
    let mut scroll = Scroll::default();
    scroll.go(at.unwrap_or(0), entries.len(), entries.len());
    let what = Pick::Class;
    state.overlays.push(Overlay::Picker(Picker { what, entries, scroll }));
}

fn policy(state: &mut State) {
    let class = state.work.as_ref().and_then(|w| w.mismatch().map(|m| m.class));
    let items = super::choose::policy_items(state);
    let at = items.iter().position(|i| Some(i.class()) == class.as_deref());
    let mut scroll = Scroll::default();
    scroll.go(at.unwrap_or(0), items.len(), state.layout().page_lines());
    state.overlays.push(Overlay::Policy(scroll));
}

/// Lists the UDFs of the file to choose from.
pub(super) fn udfs(state: &mut State) {
    let Some(work) = &state.work else { return };
    let file = &work.opened.file;
    let describe = |u: &crate::find::Udf| {
        let line = file.line_of(u.span.start) + 1;
        (u.name.clone(), format!("line {line}  {}", crate::view::signature(u)))
    };
    let entries: Vec<(String, String)> = work.opened.found.udfs.iter().map(describe).collect();
    let mut scroll = Scroll::default();
    scroll.go(work.udf.unwrap_or(0), entries.len(), entries.len());
    let what = Pick::Udf;
    state.overlays.push(Overlay::Picker(Picker { what, entries, scroll }));
}

fn save(state: &mut State) {
    if let Some(path) = &state.keeping.saved {
        let path = path.display().to_string();
        state.say(format!("saved as {path}; every step is written as it happens"));
        return;
    }
    let then_quit = matches!(state.overlays.last(), Some(Overlay::Confirm));
    if then_quit {
        state.overlays.pop();
    }
    let name = state.work.as_ref().and_then(Work::udf).map_or("session", |u| &u.name);
    let safe: String = name
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
        .collect();
    let line = Line::new(&format!("{safe}.rw"));
    let ask = Ask::SaveAs { then_quit };
    state.overlays.push(Overlay::Prompt(Prompt { ask, line }));
}

fn watch(state: &mut State, out: &mut Vec<Effect>) {
    let Some(Origin::File(path)) = state.work.as_ref().map(|w| w.opened.origin.clone()) else {
        return;
    };
    state.watching = !state.watching;
    state.say(match state.watching {
        true => "watching the file: a change tests again",
        false => "no longer watching the file",
    });
    out.push(Effect::Watch(state.watching.then_some(path)));
}

fn focus(state: &mut State, by: usize) {
    let order = [Panel::Source, Panel::Rewrite, Panel::Rows];
    let at = order.iter().position(|p| *p == state.focus).unwrap_or(0);
    state.focus = order[(at + by) % 3];
}

fn help(state: &mut State) {
    if matches!(state.overlays.last(), Some(Overlay::Help(..))) {
        return;
    }
    let at = state.context();
    state.overlays.push(Overlay::Help(at, Scroll::default()));
}

fn back(state: &mut State) {
    state.quitting = false;
    if state.overlays.pop().is_some() {
        return;
    }
    if let Some(work) = &mut state.work
        && work.filter.take().is_some()
    {
        work.list_rows();
    }
}

fn interrupt(state: &mut State, out: &mut Vec<Effect>) {
    let busy = state.jobs.busy().filter(|(_, r)| !r.stopping).map(|(k, _)| k);
    match busy {
        Some(kind) => {
            stop(state, kind, out);
            state.say(format!("cancelling: {}", kind.doing()));
        }
        None => quit(state, out),
    }
}
