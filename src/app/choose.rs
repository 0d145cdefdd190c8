//! What Enter does in lists, prompts and the palette. In: the overlay on top; out: changed state, effects.

use std::path::PathBuf;

use crate::compare::PolicyEntry;
use crate::session::Entry;

use super::act;
use super::action::Action;
use super::event::{Effect, Event};
use super::find;
use super::keys::{KEYS, Where};
use super::line::Line;
use super::moves;
use super::reports;
use super::state::{Ask, Overlay, Pick, Picker, Prompt, Scroll, State, Undo};
use super::update::update;

/// Chooses the entry under the cursor, or submits the text.
pub fn choose(state: &mut State, out: &mut Vec<Effect>) {
    match state.overlays.last() {
        None if state.work.is_none() => open_chosen(state, out),
        None => {
            state.overlays.push(Overlay::Record(Scroll::default()));
            moves::reveal(state);
        }
        Some(Overlay::Policy(_)) => accept(state),
        Some(Overlay::Picker(_) | Overlay::Palette(..) | Overlay::Prompt(_)) => match state.overlays.pop() {
            Some(Overlay::Picker(picker)) => picked(state, picker, out),
            Some(Overlay::Palette(line, scroll)) => command(state, &line.text(), scroll.cursor, out),
            Some(Overlay::Prompt(prompt)) => submitted(state, prompt, out),
            _ => {}
        },
        Some(_) => {}
    }
}

fn open_chosen(state: &mut State, out: &mut Vec<Effect>) {
    if let Some(entry) = state.config.chooser.get(state.chooser.cursor) {
        let origin = entry.origin.clone();
        out.extend(update(state, Event::Open(origin, None)));
    }
}

fn picked(state: &mut State, picker: Picker, out: &mut Vec<Effect>) {
    let at = picker.scroll.cursor;
    match picker.what {
        Pick::Udf => reports::choose_udf(state, at, out),
        Pick::Try => super::timing::take(state, at, out),
        Pick::Class => {
            let class = picker.entries.get(at).filter(|_| at > 0).map(|(c, _)| c.clone());
            if let Some(work) = &mut state.work {
                work.filter = class;
                work.list_rows();
            }
            moves::trace(state, out);
        }
    }
}

/// The commands that a palette query leaves, best first: those that can be done here, by name and doc.
pub fn palette(state: &State, query: &str) -> Vec<Action> {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let under = match state.overlays.iter().rev().nth(1) {
        Some(_) => Where::RECORD,
        None if state.work.is_none() => Where::CHOOSER,
        None => Where::PANELS,
    };
    let here = |a: &Action| KEYS.iter().any(|b| b.action == *a && b.at.meets(under));
    let fits = |a: &Action| {
        let text = format!("{} {}", a.name(), a.doc().to_lowercase());
        words.iter().all(|w| text.contains(w.as_str()))
    };
    let mut found: Vec<Action> = Action::ALL.iter().copied().filter(here).filter(fits).collect();
    found.retain(|a| *a != Action::Palette && act::impossible(state, *a).is_none());
    let by_name = |a: &Action| !words.first().is_some_and(|w| a.name().starts_with(w.as_str()));
    found.sort_by_key(by_name);
    found
}

fn command(state: &mut State, query: &str, at: usize, out: &mut Vec<Effect>) {
    // The list is the one that was on screen: the palette counts as open while it is made.
    state
        .overlays
        .push(Overlay::Palette(Line::new(query), Scroll::default()));
    let chosen = palette(state, query).get(at).copied();
    state.overlays.pop();
    match chosen {
        Some(action) => act::act(state, action, out),
        None => state.say(format!("no command matches {query:?}")),
    }
}

/// One line of the policy list.
#[derive(Debug, Clone, PartialEq)]
pub enum PolicyItem {
    /// A class that occurred and is not accepted, as the entry that would accept all of it.
    Offered(PolicyEntry, u64),
    /// A class that is accepted.
    Accepted(PolicyEntry),
}

impl PolicyItem {
    /// The class.
    pub fn class(&self) -> &str {
        match self {
            PolicyItem::Offered(e, _) | PolicyItem::Accepted(e) => &e.class,
        }
    }
}

/// The policy list: what could be accepted, with the smallest bound that passes, then what is.
pub fn policy_items(state: &State) -> Vec<PolicyItem> {
    let Some(work) = &state.work else { return Vec::new() };
    let mut items = Vec::new();
    if let Some(report) = work.slot().report() {
        for (class, count) in &report.comparison.classes {
            if count.accepted < count.rows {
                items.push(PolicyItem::Offered(smallest(class, count), count.rows - count.accepted));
            }
        }
    }
    items.extend(work.policy.entries.iter().cloned().map(PolicyItem::Accepted));
    items
}

/// The entry with the smallest bound under which every mismatch of a class passes: in ulp where there is one, else absolute.
fn smallest(class: &str, count: &crate::compare::ClassCount) -> PolicyEntry {
    PolicyEntry {
        class: class.to_owned(),
        max_ulp: count.max_ulp,
        max_abs: count.max_abs.filter(|x| count.max_ulp.is_none() && x.is_finite()),
        max_rel: None,
        reason: String::new(),
        who: String::new(),
    }
}

fn accept(state: &mut State) {
    let Some(Overlay::Policy(scroll)) = state.overlays.last() else {
        return;
    };
    match policy_items(state).get(scroll.cursor) {
        Some(PolicyItem::Offered(entry, _)) => {
            let ask = Ask::Reason(entry.clone());
            let line = Line::default();
            state.overlays.push(Overlay::Prompt(Prompt { ask, line }));
        }
        Some(PolicyItem::Accepted(_)) => state.say("it is accepted already; D removes it"),
        None => state.say("there is nothing to accept"),
    }
}

fn submitted(state: &mut State, prompt: Prompt, out: &mut Vec<Effect>) {
    let text = prompt.line.text().trim().to_owned();
    match prompt.ask {
        Ask::Find(panel) => {
            if !text.is_empty() {
                state.needle = text;
            }
            find::next(state, panel, out);
        }
        Ask::Reason(mut entry) => {
            if text.is_empty() {
                state.complain("a reason is needed: a reviewer will read it");
                let ask = Ask::Reason(entry);
                let line = Line::default();
                state.overlays.push(Overlay::Prompt(Prompt { ask, line }));
                return;
            }
            entry.reason = text;
            let ask = Ask::Who(entry);
            let line = Line::new(&state.config.who);
            state.overlays.push(Overlay::Prompt(Prompt { ask, line }));
        }
        Ask::Who(mut entry) => {
            entry.who = if text.is_empty() { "unnamed".into() } else { text };
            if matches!(state.overlays.last(), Some(Overlay::Policy(_))) {
                state.overlays.pop();
            }
            accepted(state, entry, out);
        }
        Ask::Trust(then) => super::runners::answered(state, &text, then, out),
        Ask::SaveAs { then_quit } => save_as(state, text, then_quit, out),
    }
}

fn save_as(state: &mut State, mut name: String, then_quit: bool, out: &mut Vec<Effect>) {
    if name.is_empty() {
        state.complain("not saved: a name is needed");
        return;
    }
    if !name.ends_with(".rw") {
        name.push_str(".rw");
    }
    state.quitting = then_quit;
    out.push(Effect::SaveSession(PathBuf::from(name)));
}

/// Accepts a class from here on.
pub(super) fn accepted(state: &mut State, entry: PolicyEntry, out: &mut Vec<Effect>) {
    let Some(work) = &mut state.work else { return };
    let mut policy = work.policy.clone();
    policy.entries.retain(|e| e.class != entry.class);
    policy.entries.push(entry.clone());
    work.undo.push(Undo::Policy(work.policy.clone()));
    state.say(format!("{} is accepted: {}", entry.class, entry.reason));
    out.push(Effect::Append(Box::new(Entry::Accepted(entry))));
    act::set_policy(state, policy, out);
}

/// Takes an acceptance back.
pub(super) fn withdraw(state: &mut State, class: &str, out: &mut Vec<Effect>) {
    let Some(work) = &mut state.work else { return };
    let mut policy = work.policy.clone();
    policy.entries.retain(|e| e.class != class);
    work.undo.push(Undo::Policy(work.policy.clone()));
    state.say(format!("{class} is no longer accepted"));
    out.push(Effect::Append(Box::new(Entry::Withdrawn(class.to_owned()))));
    act::set_policy(state, policy, out);
}
