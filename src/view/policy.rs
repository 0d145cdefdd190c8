//! Accepted classes and those that could be, each with the smallest bound that passes.

use crate::app::choose::{PolicyItem, policy_items};
use crate::app::layout::Area;
use crate::app::state::{Scroll, State};

use super::canvas::{Canvas, Row, piece};
use super::lists;
use super::theme::Role;
use super::words;

/// Draws the list.
pub fn draw(canvas: &mut Canvas, state: &State, scroll: &Scroll, area: Area) {
    let title = [piece("policy ─ Enter accepts, D removes", Role::Accent)];
    let inner = canvas.frame(area, &title, &[], true);
    let rows = rows(state);
    if rows.is_empty() {
        let text = vec![piece("nothing differs and nothing is accepted", Role::Dim)];
        return canvas.page(inner, &[text], 0);
    }
    lists::draw(canvas, &rows, scroll, inner);
}

/// One line for each entry.
pub fn rows(state: &State) -> Vec<Row> {
    let one = |item: PolicyItem| match item {
        PolicyItem::Offered(e, rows) => vec![
            piece(format!("! {:<24}", e.class), Role::Mismatch),
            piece(format!("{:<18}", words::bound(&e)), Role::Text),
            piece(format!("would accept {} rows", words::count(rows)), Role::Dim),
        ],
        PolicyItem::Accepted(e) => vec![
            piece(format!("~ {:<24}", e.class), Role::WithinPolicy),
            piece(format!("{:<18}", words::bound(&e)), Role::Text),
            piece(format!("accepted by {}: {}", e.who, e.reason), Role::Text),
        ],
    };
    policy_items(state).into_iter().map(one).collect()
}
