//! Replays recorded steps through the same functions that live events use. In: an entry; out: changed state. Effects are
//! dropped by [`super::update::update`].

use std::sync::Arc;

use crate::find;
use crate::propose::Proposals;
use crate::session::{Entry, entry};
use crate::source::SourceFile;

use super::act;
use super::choose;
use super::document::{Document, Syntax};
use super::event::{Effect, Origin};
use super::job::Opened;
use super::reports;
use super::runners;
use super::state::State;

/// Applies one recorded step.
pub(super) fn recorded(state: &mut State, step: Entry, out: &mut Vec<Effect>) {
    match step {
        Entry::Opened(o) => opened(state, o, out),
        Entry::Proposed { candidates, refused } => {
            let proposals = Proposals { candidates, refused };
            reports::proposed(state, proposals, out);
        }
        Entry::ProposeFailed(e) => reports::propose_failed(state, e, out),
        Entry::Action(name) => match name.parse() {
            Ok(action) => act::act(state, action, out),
            Err(_) => state.complain(format!("the session holds a step that is not known here: {name}")),
        },
        Entry::Chose(choice) => runners::chose(state, choice, out),
        Entry::Supplied { tier, text } => {
            if let Some(work) = &mut state.work {
                reports::supplied(work, tier, text);
            }
        }
        Entry::Edited { tier, text } => reports::edited(state, tier, Ok(text.to_string()), out),
        Entry::Accepted(policy) => choose::accepted(state, policy, out),
        Entry::Withdrawn(class) => choose::withdraw(state, &class, out),
        Entry::Checked(c) => reports::checked(state, c.tier, c.report, out),
        Entry::Verified(_) => state.say(crate::session::describe(&step)),
        Entry::Benched(b) => super::timing::recorded(state, b.candidate, b.report),
        Entry::BenchFailed { tier, failure } => super::timing::failed(state, tier, failure, out),
        Entry::CheckFailed { tier, failure } => reports::check_failed(state, tier, failure, out),
    }
}

/// Finds the UDF in the recorded text and puts it on the bench.
fn opened(state: &mut State, o: entry::Opened, out: &mut Vec<Effect>) {
    let file = SourceFile::from_text(o.path.clone(), o.language, o.text);
    let found = find::find(&file);
    let opened = Arc::new(Opened {
        origin: Origin::File(o.path),
        document: Document::new(file.text.clone(), Syntax::of_language(file.language)),
        found,
        file,
        edits: Vec::new(),
    });
    let udf = opened.found.udfs.iter().position(|u| u.name == o.udf);
    reports::put_on_bench(state, opened);
    if let Some(work) = &mut state.work {
        work.rows_wanted = o.rows;
        work.seed = o.seed;
        work.settings = o.settings;
    }
    match udf {
        Some(udf) => reports::choose_udf(state, udf, out),
        None => state.complain(format!("{} is not found in the recorded text", o.udf)),
    }
}
