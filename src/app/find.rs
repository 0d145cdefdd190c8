//! Find text in a panel. In: the needle in the state; out: a moved cursor, or a message that it is not there.

use super::cells;
use super::document::Document;
use super::event::Effect;
use super::moves;
use super::state::{Panel, State, Work};

/// Rows that one search looks through, so that a key never takes long.
const MAX_ROWS: usize = 100_000;

/// Goes to the next line or row that holds the needle, round the end.
pub fn next(state: &mut State, panel: Panel, out: &mut Vec<Effect>) {
    let needle = state.needle.clone();
    let height = state.layout().lines(panel);
    let Some(work) = &mut state.work else { return };
    if needle.is_empty() {
        return state.say("nothing to look for yet");
    }
    let found = match panel {
        Panel::Source => in_text(&work.opened.document, work.source.cursor, &needle),
        Panel::Rewrite => in_text(&work.slot().document, work.slot().scroll.cursor, &needle),
        Panel::Rows => in_rows(work, &needle),
    };
    let Some(at) = found else {
        return state.complain(format!("{needle:?} is not here"));
    };
    match panel {
        Panel::Source => {
            let count = work.opened.document.line_count();
            work.source.reveal(at, count, height);
        }
        Panel::Rewrite => {
            let slot = work.slot_mut();
            let count = slot.document.line_count();
            slot.scroll.reveal(at, count, height);
        }
        Panel::Rows => {
            let count = work.rows.len();
            work.rows_scroll.reveal(at, count, height);
            moves::trace(state, out);
        }
    }
}

/// Whether text holds the needle; capitals in the needle make case count.
pub fn holds(text: &str, needle: &str) -> bool {
    match needle.chars().any(char::is_uppercase) {
        true => text.contains(needle),
        false => text.to_lowercase().contains(needle),
    }
}

fn in_text(document: &Document, cursor: usize, needle: &str) -> Option<usize> {
    let count = document.line_count();
    let round = (1..=count).map(|i| (cursor + i) % count);
    round.into_iter().find(|i| holds(document.line(*i), needle))
}

fn in_rows(work: &Work, needle: &str) -> Option<usize> {
    let report = work.slot().report()?;
    let count = work.rows.len();
    if count == 0 {
        return None;
    }
    let mut round = (1..=count.min(MAX_ROWS)).map(|i| (work.rows_scroll.cursor + i) % count);
    round.find(|i| {
        let Some(row) = work.row_at(*i) else { return false };
        let mut columns = report.inputs.columns().iter();
        row.to_string() == needle
            || columns.any(|c| holds(&cells::text(c, row as usize), needle))
            || work
                .mismatches_at(*i)
                .iter()
                .any(|m| holds(&m.original, needle) || holds(&m.rewrite, needle) || holds(&m.class, needle))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::document::Syntax;

    #[test]
    fn search_goes_round_and_minds_capitals() {
        let d = Document::new("Alpha\nbeta\nalpha\n", Syntax::Plain);
        assert_eq!(in_text(&d, 0, "alpha"), Some(2));
        assert_eq!(in_text(&d, 2, "alpha"), Some(0));
        assert_eq!(in_text(&d, 2, "Alpha"), Some(0));
        assert_eq!(in_text(&d, 0, "gamma"), None);
    }
}
