//! The edit against the proposal, line by line.

use similar::{ChangeTag, TextDiff};

use crate::app::state::State;

use super::canvas::{Row, piece};
use super::theme::Role;

/// The title of the page.
pub fn title(state: &State) -> String {
    let tier = state.work.as_ref().map_or("", |w| w.tier.name());
    format!("{tier} ─ edit (+) against proposal (-)")
}

/// The lines of the page: changes with three lines around them.
pub fn rows(state: &State) -> Vec<Row> {
    let Some(work) = &state.work else { return Vec::new() };
    let slot = work.slot();
    let Some(edited) = &slot.edited else {
        return vec![vec![piece("the rewrite is the proposal", Role::Dim)]];
    };
    let proposal = slot.proposal.as_ref().map_or("", |p| p.text.as_str());
    let diff = TextDiff::from_lines(proposal, edited.as_ref());
    let mut out = Vec::new();
    for (i, group) in diff.grouped_ops(3).iter().enumerate() {
        if i > 0 {
            out.push(vec![piece("  ⋯", Role::Dim)]);
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let (glyph, role) = match change.tag() {
                ChangeTag::Equal => (" ", Role::Text),
                ChangeTag::Insert => ("+", Role::Added),
                ChangeTag::Delete => ("-", Role::Removed),
            };
            let number = change.new_index().or(change.old_index()).map_or(0, |i| i + 1);
            let text = change.value().trim_end_matches(['\n', '\r']);
            out.push(vec![
                piece(format!("{number:>4} "), Role::Dim),
                piece(format!("{glyph} {text}"), role),
            ]);
        }
    }
    if out.is_empty() {
        out.push(vec![piece("only line ends differ", Role::Dim)]);
    }
    out
}
