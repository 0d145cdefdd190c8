//! The keys: first those of the place that help was asked from, then all others.

use crate::app::keys::{Binding, KEYS, Where};

use super::canvas::{Row, cut, piece};
use super::theme::Role;

/// The lines of the page.
pub fn rows(at: Where) -> Vec<Row> {
    let here = Where::EACH
        .iter()
        .find(|(w, _)| *w == at)
        .map_or("here", |(_, name)| name);
    let mut out = vec![vec![piece(format!("here: {here}"), Role::Accent)]];
    let (now, rest): (Vec<&Binding>, Vec<&Binding>) = KEYS.iter().partition(|b| b.at.meets(at));
    out.extend(now.into_iter().map(line));
    out.push(Vec::new());
    out.push(vec![piece("elsewhere", Role::Accent)]);
    out.extend(rest.into_iter().map(line));
    out.push(Vec::new());
    out.push(vec![piece("signs", Role::Accent)]);
    let signs = [
        ("=", "the same", Role::Match),
        ("~", "different, and accepted", Role::WithinPolicy),
        ("!", "different", Role::Mismatch),
        ("?", "not proven, or nothing was shown: not a pass", Role::Vacuous),
        ("-", "not understood, or only in the proposal", Role::Refused),
        ("+", "only in the edit", Role::Added),
        ("*", "tested before the last change", Role::Dim),
        ("▸", "under the cursor, or what the mismatch is about", Role::Accent),
    ];
    out.extend(signs.map(|(sign, words, role)| vec![piece(format!("  {sign:<14}"), role), piece(words, Role::Text)]));
    out
}

fn line(b: &Binding) -> Row {
    vec![
        piece(format!("  {:<14}", b.keys.join(" ")), Role::Key),
        piece(format!("{:<20}", cut(&b.at.words(), 19)), Role::Dim),
        piece(b.action.doc(), Role::Text),
    ]
}
