//! The last line: the keys that do something now.

use crate::app::act;
use crate::app::action::Action;
use crate::app::keys::{Binding, KEYS};
use crate::app::layout::Area;
use crate::app::state::State;

use super::canvas::{Canvas, piece, width};
use super::theme::Role;

/// Draws as many as fit; help and quit always do.
pub fn draw(canvas: &mut Canvas, state: &State, area: Area) {
    let keys = possible(state);
    let kept = |(_, _, a): &&(String, &str, Action)| matches!(a, Action::Help | Action::Quit | Action::Back);
    let wide = |(key, label, _): &(String, &str, Action)| width(key) + 1 + width(label) + 2;
    let reserved: usize = keys.iter().filter(kept).map(wide).sum();
    let mut room = (area.width as usize).saturating_sub(reserved + 1);
    let mut x = area.x + 1;
    for entry in &keys {
        let must = kept(&entry);
        if !must {
            if wide(entry) > room {
                room = 0;
                continue;
            }
            room -= wide(entry);
        }
        let left = (area.x + area.width).saturating_sub(x) as usize;
        let row = [
            piece(entry.0.clone(), Role::Key),
            piece(format!(" {}  ", entry.1), Role::Text),
        ];
        x = canvas.row(x, area.y, left, &row);
    }
}

/// Key, word and action of what can be done in this place now.
pub fn possible(state: &State) -> Vec<(String, &'static str, Action)> {
    let at = state.context();
    let here = |b: &&Binding| !b.label.is_empty() && b.at.meets(at) && act::impossible(state, b.action).is_none();
    let name = |b: &Binding| match b.action {
        Action::TierCudf => "1/2/3".to_owned(),
        Action::NextMismatch => "n/N".to_owned(),
        _ => b.keys[0].to_owned(),
    };
    KEYS.iter().filter(here).map(|b| (name(b), b.label, b.action)).collect()
}
