//! The only writer of the state. In: an event; out: effects for the shell. Never touches files, clock, terminal or random
//! numbers: the same state and event give the same result.

use super::act;
use super::event::{Effect, Event, MouseKind, SessionNews};
use super::job::{Asked, JobKind, JobSpec};
use super::key::Key;
use super::keys;
use super::moves::{self, Move};
use super::reports;
use super::runners;
use super::state::{Overlay, Panel, State};

/// Applies one event.
pub fn update(state: &mut State, event: Event) -> Vec<Effect> {
    let mut effects = Vec::new();
    apply(state, event, &mut effects);
    effects
}

fn apply(state: &mut State, event: Event, out: &mut Vec<Effect>) {
    match event {
        Event::Key(key) => on_key(state, key, out),
        Event::Mouse(kind, x, y) => on_mouse(state, kind, x, y, out),
        Event::Paste(text) => on_paste(state, &text),
        Event::Resize(size) => {
            state.size = size;
            moves::keep_in_sight(state);
        }
        Event::Tick(now_ms) => state.now_ms = now_ms,
        Event::Act(action) => act::act(state, action, out),
        Event::Open(origin, udf) => {
            state.wanted_udf = udf;
            start(state, JobSpec::Open(origin), out);
        }
        Event::Report(kind, id, report) => on_report(state, kind, id, report, out),
        Event::Edited(tier, result) => reports::edited(state, tier, result, out),
        Event::FileChanged => reports::file_changed(state, out),
        Event::Workers(workers) => {
            state.workers = workers;
            state.restarting = false;
            runners::workers_changed(state, out);
        }
        Event::WorkerLog(text) => state.overlays.push(Overlay::Log(text, Default::default())),
        Event::Session(news) => on_session(state, news, out),
        Event::Copied(Ok(text)) => state.say(text),
        Event::Copied(Err(text)) => state.complain(text),
        Event::Recorded(entry) => {
            let folding = std::mem::replace(&mut state.folding, true);
            // What follows from a recorded step stands recorded itself.
            super::fold::recorded(state, *entry, &mut Vec::new());
            state.folding = folding;
        }
    }
}

/// Asks for a job; while a session is folded nothing starts.
pub(super) fn start(state: &mut State, spec: JobSpec, out: &mut Vec<Effect>) {
    if state.folding {
        return;
    }
    match state.jobs.ask(spec, state.now_ms) {
        Asked::Start(id, spec) => out.push(Effect::StartJob(id, spec)),
        Asked::CancelFirst(kind, id) => out.push(Effect::Cancel(kind, id)),
    }
}

/// Stops a job of a kind, if one runs; whether one did.
pub(super) fn stop(state: &mut State, kind: JobKind, out: &mut Vec<Effect>) -> bool {
    match state.jobs.stop(kind) {
        Some(id) => {
            out.push(Effect::Cancel(kind, id));
            true
        }
        None => false,
    }
}

fn on_key(state: &mut State, key: Key, out: &mut Vec<Effect>) {
    state.notice = None;
    if let Some(action) = keys::lookup(state.context(), key) {
        return act::act(state, action, out);
    }
    let typed = match state.overlays.last_mut() {
        Some(Overlay::Prompt(prompt)) => prompt.line.key(key),
        Some(Overlay::Palette(line, _)) => line.key(key),
        _ => false,
    };
    if let (true, Some(Overlay::Palette(_, scroll))) = (typed, state.overlays.last_mut()) {
        // Another text lists other commands: the first one is the one that is meant.
        *scroll = Default::default();
    }
}

fn on_paste(state: &mut State, text: &str) {
    if let Some(Overlay::Prompt(super::state::Prompt { line, .. }) | Overlay::Palette(line, _)) =
        state.overlays.last_mut()
    {
        line.insert(text);
    }
}

fn on_mouse(state: &mut State, kind: MouseKind, x: u16, y: u16, out: &mut Vec<Effect>) {
    let panels = [Panel::Source, Panel::Rewrite, Panel::Rows];
    let layout = state.layout();
    let under = panels
        .into_iter()
        .find(|p| layout.panel(*p).is_some_and(|a| a.has(x, y)));
    let over_panels = state.overlays.is_empty() && state.work.is_some();
    if let (true, Some(panel)) = (over_panels, under) {
        state.focus = panel;
    }
    match kind {
        MouseKind::WheelUp => moves::apply(state, Move::By(-3), out),
        MouseKind::WheelDown => moves::apply(state, Move::By(3), out),
        MouseKind::Click => moves::click(state, y, out),
    }
}

fn on_report(state: &mut State, kind: JobKind, id: u64, report: super::job::Report, out: &mut Vec<Effect>) {
    let Some(ended) = state.jobs.ended(kind, id) else {
        return;
    };
    if let Some(next) = ended.next {
        start(state, next, out);
    } else if ended.stopping {
        if kind == JobKind::Check {
            runners::cancelled(state);
        }
        state.say(format!("{} was cancelled", kind.doing()));
    } else {
        reports::report(state, report, out);
        runners::workers_changed(state, out);
    }
}

fn on_session(state: &mut State, news: SessionNews, out: &mut Vec<Effect>) {
    match news {
        SessionNews::Saved(path) => {
            state.say(format!(
                "saved as {}; every step is written as it happens",
                path.display()
            ));
            state.keeping.saved = Some(path);
            state.keeping.unsaved = false;
            state.keeping.trouble = false;
            if state.quitting {
                out.push(Effect::Quit);
            }
        }
        SessionNews::Trouble(text) => {
            state.keeping.trouble = true;
            state.quitting = false;
            state.complain(text);
        }
    }
}

/// Quits, or asks once about work without a name.
pub(super) fn quit(state: &mut State, out: &mut Vec<Effect>) {
    let asked = matches!(state.overlays.last(), Some(Overlay::Confirm));
    if state.keeping.unsaved && !asked {
        state.overlays.push(Overlay::Confirm);
        return;
    }
    for kind in JobKind::ALL {
        stop(state, kind, out);
    }
    out.push(Effect::Quit);
}
