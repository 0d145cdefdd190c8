//! The start screen: bundled samples and recent sessions.

use crate::app::event::Origin;
use crate::app::layout::Area;
use crate::app::state::{ChooserEntry, State};

use super::canvas::{Canvas, Row, cut, piece, width};
use super::lists;
use super::theme::Role;

/// Draws it.
pub fn draw(canvas: &mut Canvas, state: &State, area: Area) {
    let title = [piece("open a sample or a session", Role::Accent)];
    let right = [piece("rewright FILE opens your own", Role::Dim)];
    let inner = canvas.frame(area, &title, &right, state.overlays.is_empty());
    let rows = rows(state, inner.width.saturating_sub(2) as usize);
    lists::draw(canvas, &rows, &state.chooser, inner);
}

/// One line for each entry.
pub fn rows(state: &State, columns: usize) -> Vec<Row> {
    let entries = &state.config.chooser;
    let widest = entries.iter().map(|e| width(&e.title)).max().unwrap_or(0).min(40);
    let one = |e: &ChooserEntry| -> Row {
        let kind = match e.origin {
            Origin::Sample(_) => "sample ",
            Origin::Session(_) => "session",
            Origin::File(_) => "file   ",
        };
        let title = cut(&e.title, widest);
        let pad = widest - width(&title) + 3;
        let room = columns.saturating_sub(9 + widest + 3);
        vec![
            piece(format!("{kind}  "), Role::Dim),
            piece(format!("{title}{}", " ".repeat(pad)), Role::Text),
            piece(cut(&e.detail, room), Role::Dim),
        ]
    };
    entries.iter().map(one).collect()
}
