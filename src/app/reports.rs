//! What follows from the end of a job, of the editor, or from a change of the file. In: reports; out: changed state,
//! entries for the session, follow-up jobs.

use std::sync::Arc;

use crate::check::CheckReport;
use crate::compare::Verdict;
use crate::propose::{Proposals, Tier};
use crate::run::EngineId;
use crate::session::{Entry, entry};

use super::act;
use super::event::{Effect, Event, Origin};
use super::job::{Failure, JobKind, JobSpec, Loaded, Opened, Report};
use super::layout;
use super::moves;
use super::state::{Panel, Proposing, Scroll, Slot, State, Tested, Timed, Undo, Work};
use super::update::{start, stop, update};

/// A job has ended and was not cancelled.
pub(super) fn report(state: &mut State, report: Report, out: &mut Vec<Effect>) {
    match report {
        Report::Opened(Ok(file)) => opened(state, file, out),
        Report::Opened(Err(e)) | Report::Loaded(Err(e)) => {
            state.wanted_udf = None;
            state.complain(in_one_line(&e));
        }
        Report::Loaded(Ok(session)) => loaded(state, session, out),
        Report::Proposed(Ok(p)) => proposed(state, p, out),
        Report::Proposed(Err(e)) => propose_failed(state, e, out),
        Report::Checked(tier, Ok(report)) => checked(state, tier, report, out),
        Report::Checked(tier, Err(e)) => check_failed(state, tier, e, out),
        Report::Benched(tier, Ok(report)) => super::timing::benched(state, tier, report, out),
        Report::Benched(tier, Err(e)) => super::timing::failed(state, tier, e, out),
        Report::Traced(row, spans) => {
            if let Some(work) = &mut state.work
                && work.row_at(work.rows_scroll.cursor) == Some(row)
            {
                work.trace = Some((row, spans));
                moves::reveal(state);
            }
        }
    }
}

/// A failure as the status line tells it.
pub fn in_one_line(e: &Failure) -> String {
    match e.hints.first() {
        Some(hint) => format!("{} ({hint})", e.what),
        None => e.what.clone(),
    }
}

/// A file was read: put it on the bench and choose its UDF, or ask which.
fn opened(state: &mut State, file: Arc<Opened>, out: &mut Vec<Effect>) {
    let again = state.work.as_ref().filter(|w| w.opened.origin == file.origin);
    let name = again.and_then(Work::udf).map(|u| u.name.clone());
    let reload = name.is_some();
    let wanted = state.wanted_udf.take().or(name);
    let udfs = &file.found.udfs;
    let chosen = match &wanted {
        Some(name) => {
            let own = udfs.iter().position(|u| u.name == *name);
            own.or_else(|| udfs.iter().position(|u| u.aliases.contains(name)))
        }
        None if udfs.len() == 1 => Some(0),
        None => None,
    };
    if reload && chosen.is_none() {
        state.complain(format!("{} is no longer in the file", wanted.unwrap_or_default()));
        return;
    }
    if !reload {
        state.keeping = Default::default();
        state.watching = false;
        out.push(Effect::Watch(None));
        out.push(Effect::NewSession);
    }
    let several = udfs.len() > 1;
    put_on_bench(state, file);
    super::runners::opened(state, out);
    match (chosen, wanted) {
        (Some(udf), _) => choose_udf(state, udf, out),
        (None, Some(name)) if !several => state.complain(format!("no UDF is called {name}")),
        (None, wanted) => {
            if let Some(name) = wanted {
                state.complain(format!("no UDF is called {name}: choose one"));
            }
            if several {
                act::udfs(state);
            }
        }
    }
}

/// Makes a file the work at hand, keeping edits and policy if it is the same UDF of the same file.
pub(super) fn put_on_bench(state: &mut State, file: Arc<Opened>) {
    let before = state.work.take().filter(|w| w.opened.origin == file.origin);
    let mut work = Work {
        udf: None,
        proposing: Proposing::Pending,
        slots: [Slot::empty(), Slot::empty(), Slot::empty()],
        tier: Tier::Cudf,
        policy: Default::default(),
        undo: Vec::new(),
        source: Scroll::default(),
        rows: Vec::new(),
        rows_scroll: Scroll::default(),
        filter: None,
        trace: None,
        rows_wanted: state.config.rows,
        seed: state.config.seed,
        data: state.config.data.clone(),
        settings: state.config.settings.clone(),
        runners: state.config.runners.clone(),
        trusted: !state.folding,
        opened: file,
    };
    if let Some(old) = before {
        let name = old.udf().map(|u| u.name.clone());
        work.udf = work
            .opened
            .found
            .udfs
            .iter()
            .position(|u| Some(&u.name) == name.as_ref());
        work.source = old.source;
        if work.udf.is_some() {
            work.slots = old.slots;
            work.policy = old.policy;
            work.undo = old.undo;
            work.tier = old.tier;
            work.runners = old.runners;
            work.trusted = old.trusted;
        }
    }
    if state.folding && work.runners.by_default {
        // What runs in this process answers until the user chooses, and with it trusts what was recorded.
        work.runners.oracle = EngineId::Embedded;
    }
    state.overlays.clear();
    state.work = Some(work);
    moves::keep_in_sight(state);
}

/// Chooses a UDF of the file: its rewrites are proposed at once.
pub(super) fn choose_udf(state: &mut State, udf: usize, out: &mut Vec<Effect>) {
    stop(state, JobKind::Check, out);
    stop(state, JobKind::Bench, out);
    let height = state.layout().lines(Panel::Source);
    let Some(work) = &mut state.work else { return };
    if udf >= work.opened.found.udfs.len() {
        return;
    }
    if work.udf != Some(udf) {
        work.slots = [Slot::empty(), Slot::empty(), Slot::empty()];
        work.policy = Default::default();
        work.undo = Vec::new();
        work.filter = None;
    }
    for slot in &mut work.slots {
        slot.stale = slot.report().is_some();
        // Inputs of another signature must not be taken for this one's.
        if work.udf != Some(udf) {
            slot.tested = Tested::Not;
            slot.timed = Timed::Not;
        }
    }
    work.udf = Some(udf);
    work.proposing = Proposing::Pending;
    work.list_rows();
    let span = work.opened.found.udfs[udf].span;
    let line = work.opened.document.line_of(span.start);
    work.source.go(line, work.opened.document.line_count(), height);
    work.source.top = line.min(work.opened.document.line_count().saturating_sub(height));
    let file = &work.opened.file;
    let entry = Entry::Opened(entry::Opened {
        path: file.path.clone(),
        language: file.language,
        text: file.text.clone(),
        udf: work.opened.found.udfs[udf].name.clone(),
        rows: work.rows_wanted,
        seed: work.seed,
        settings: work.settings.clone(),
    });
    let spec = JobSpec::Propose(work.opened.clone(), udf);
    out.push(Effect::Append(Box::new(entry)));
    start(state, spec, out);
}

/// Rewrites were proposed.
pub(super) fn proposed(state: &mut State, proposals: Proposals, out: &mut Vec<Effect>) {
    let Some(work) = &mut state.work else { return };
    let fresh = work.slots.iter().all(|s| s.proposal.is_none() && s.edited.is_none());
    let best = proposals.candidates.first().map(|c| c.tier);
    out.push(Effect::Append(Box::new(Entry::Proposed {
        candidates: proposals.candidates.clone(),
        refused: proposals.refused.clone(),
    })));
    work.proposing = Proposing::Done;
    for tier in Tier::ALL {
        let slot = &mut work.slots[tier as usize];
        let candidate = proposals.candidates.iter().find(|c| c.tier == tier).cloned();
        let changed = candidate.as_ref().map(|c| &c.text) != slot.proposal.as_ref().map(|c| &c.text);
        slot.stale |= changed && slot.report().is_some() && slot.edited.is_none();
        slot.proposal = candidate;
        let refused = proposals.refused.iter().filter(|(t, _)| *t == tier);
        slot.refused = refused.map(|(_, r)| r.clone()).collect();
        slot.refresh(tier);
    }
    if fresh {
        if let Some(tier) = best {
            work.tier = tier;
        }
        supply(state, out);
    }
    if std::mem::take(&mut state.retest) && act::impossible(state, super::action::Action::Test).is_none() {
        act::test(state, super::action::Action::Test, out);
    }
}

/// Takes over the hand edits that came with a sample.
fn supply(state: &mut State, out: &mut Vec<Effect>) {
    let Some(work) = &mut state.work else { return };
    for (tier, text) in work.opened.edits.clone() {
        supplied(work, tier, text.clone());
        out.push(Effect::Append(Box::new(Entry::Supplied { tier, text })));
    }
}

/// Sets a hand edit that came with the sample; nothing of the user's is at stake.
pub(super) fn supplied(work: &mut Work, tier: Tier, text: Arc<str>) {
    work.tier = tier;
    let slot = &mut work.slots[tier as usize];
    slot.edited = Some(text);
    slot.refresh(tier);
}

pub(super) fn propose_failed(state: &mut State, e: Failure, out: &mut Vec<Effect>) {
    let Some(work) = &mut state.work else { return };
    out.push(Effect::Append(Box::new(Entry::ProposeFailed(e.clone()))));
    work.proposing = Proposing::Failed(e);
}

/// A test ended with outcomes.
pub(super) fn checked(state: &mut State, tier: Tier, report: Arc<CheckReport>, out: &mut Vec<Effect>) {
    let one_panel = state.size.width < layout::STACKED;
    let Some(work) = &mut state.work else { return };
    // Where the cursor stood counts only if it stood in this tier's rows.
    let kept = (tier == work.tier).then(|| work.row_at(work.rows_scroll.cursor));
    let slot = &mut work.slots[tier as usize];
    out.push(Effect::Append(Box::new(Entry::Checked(Box::new(entry::Checked {
        tier,
        candidate: slot.document.text.clone(),
        policy: work.policy.clone(),
        report: report.clone(),
        digests: Default::default(),
    })))));
    // What only confirms a known verdict takes the user nowhere.
    let known = slot.report().filter(|_| slot.confirm && !slot.stale);
    let known = known.is_some_and(|r| r.comparison.verdict == report.comparison.verdict);
    let different = report.comparison.verdict == Verdict::Different && !known;
    slot.tested = Tested::Done(report);
    slot.stale = false;
    super::runners::keep(work, tier);
    if tier != work.tier {
        return;
    }
    let kept = kept.flatten();
    if work.filter.as_ref().is_some_and(|c| work.class(c).is_none()) {
        work.filter = None;
    }
    work.list_rows();
    restore_row(state, kept);
    if different && (state.overlays.is_empty() || one_panel) {
        state.focus = Panel::Rows;
    }
    moves::trace(state, out);
    moves::reveal(state);
}

/// Puts the cursor back on the row it was on before the test, if that row still differs.
fn restore_row(state: &mut State, kept: Option<u64>) {
    let height = state.layout().lines(Panel::Rows);
    let (Some(work), Some(row)) = (&mut state.work, kept) else {
        return;
    };
    let Some(report) = work.slot().report().cloned() else {
        return;
    };
    let diffs = &report.comparison.diffs;
    if let Ok(at) = work
        .rows
        .binary_search_by_key(&row, |i| u64::from(diffs[*i as usize].row))
    {
        let count = work.rows.len();
        work.rows_scroll.reveal(at, count, height);
    }
}

/// A test ended without outcomes.
pub(super) fn check_failed(state: &mut State, tier: Tier, failure: Failure, out: &mut Vec<Effect>) {
    let height = state.layout().lines(Panel::Rewrite);
    let Some(work) = &mut state.work else { return };
    if failure.is_interrupted() {
        return state.say("testing was cancelled");
    }
    out.push(Effect::Append(Box::new(Entry::CheckFailed {
        tier,
        failure: failure.clone(),
    })));
    let slot = &mut work.slots[tier as usize];
    if let Some(line) = failure.line {
        let (count, height) = (slot.document.line_count(), height);
        slot.scroll.reveal(line.saturating_sub(1) as usize, count, height);
    }
    slot.tested = Tested::Failed(failure);
    slot.stale = false;
    if slot.asked != Some(EngineId::Embedded) {
        slot.confirm = false;
    }
    if tier == work.tier {
        work.list_rows();
    }
}

/// The editor was closed.
pub(super) fn edited(state: &mut State, tier: Tier, result: Result<String, String>, out: &mut Vec<Effect>) {
    let Some(work) = &mut state.work else { return };
    let text = match result {
        Ok(text) => text,
        Err(why) => return state.complain(why),
    };
    let slot = &work.slots[tier as usize];
    if *text == *slot.document.text {
        return state.say("the rewrite is unchanged");
    }
    let text: Arc<str> = text.into();
    work.undo.push(Undo::Text(tier, slot.edited.clone()));
    out.push(Effect::Append(Box::new(Entry::Edited {
        tier,
        text: text.clone(),
    })));
    act::set_text(state, tier, Some(text), out);
    if state.work.as_ref().is_some_and(|w| w.tier == tier)
        && act::impossible(state, super::action::Action::Test).is_none()
    {
        act::test(state, super::action::Action::Test, out);
    }
}

/// The watched file changed.
pub(super) fn file_changed(state: &mut State, out: &mut Vec<Effect>) {
    let Some(work) = &state.work else { return };
    if !state.watching {
        return;
    }
    let Origin::File(path) = work.opened.origin.clone() else {
        return;
    };
    state.retest = work.slots.iter().any(|s| !matches!(s.tested, Tested::Not));
    stop(state, JobKind::Check, out);
    state.say("the file changed");
    start(state, JobSpec::Open(Origin::File(path)), out);
}

/// A session was read: fold its steps, then go on from there.
fn loaded(state: &mut State, session: Loaded, out: &mut Vec<Effect>) {
    state.keeping = Default::default();
    state.work = None;
    state.overlays.clear();
    state.watching = false;
    out.push(Effect::Watch(None));
    let steps = session.entries.len();
    for entry in session.entries {
        update(state, Event::Recorded(Box::new(entry)));
    }
    if state.work.is_none() {
        return state.complain(format!("{} holds no step to show", session.path.display()));
    }
    state.keeping.unsaved = false;
    state.keeping.saved = Some(session.path.clone());
    out.push(Effect::ContinueSession(session.path));
    match session.notices.first() {
        Some(notice) => state.complain(notice.clone()),
        None => state.say(format!("{steps} recorded steps; t tests again")),
    }
    moves::trace(state, out);
    moves::reveal(state);
}
