//! The first line: which UDF, what runs it, how it is kept.

use crate::app::layout::Area;
use crate::app::state::State;

use super::canvas::{Canvas, Piece, Row, cut, piece, width};
use super::theme::Role;
use super::words;

/// Draws it; where it is too long, the middle gives way.
pub fn draw(canvas: &mut Canvas, state: &State, area: Area) {
    let (left, right) = pieces(state);
    let room = area.width as usize;
    let mut right = right;
    let wide = |pieces: &[Piece]| pieces.iter().map(|p| width(&p.text)).sum::<usize>();
    // Seed and oracle can be read in the notes; the name of the UDF and whether it is kept cannot.
    while right.len() > 1 && wide(&right) + wide(&left).min(room / 2) + 2 > room {
        right.remove(0);
    }
    let right_at = room.saturating_sub(wide(&right) + 1);
    let mut x = area.x;
    for p in &left {
        let columns = right_at.saturating_sub(1 + (x - area.x) as usize);
        x = canvas.text(x, area.y, columns, &cut(&p.text, columns), p.role);
    }
    canvas.row(area.x + right_at as u16, area.y, wide(&right), &right);
}

/// The two sides of the line.
pub fn pieces(state: &State) -> (Row, Row) {
    let mut left = vec![piece(" rewright ", Role::Accent)];
    let Some(work) = &state.work else {
        left.push(piece(" a UDF and its rewrite, tested against each other", Role::Dim));
        return (left, vec![piece(env!("CARGO_PKG_VERSION"), Role::Dim)]);
    };
    let file = work
        .opened
        .file
        .path
        .file_name()
        .unwrap_or(work.opened.file.path.as_os_str());
    left.push(piece(format!(" {}", file.to_string_lossy()), Role::Text));
    if let Some(udf) = work.udf() {
        left.push(piece(" › ", Role::Dim));
        left.push(piece(words::signature(udf), Role::Text));
    }
    let oracle = match work.slot().report() {
        Some(r) => r.oracle_evidence.engine.name(),
        None => "embedded",
    };
    let mut right = vec![
        piece(format!("oracle {oracle} · "), Role::Dim),
        piece(format!("engine {} · ", words::engine(work)), Role::Dim),
        piece(format!("seed {} · ", work.seed), Role::Dim),
    ];
    if state.watching {
        right.push(piece("watching · ", Role::Accent));
    }
    right.push(kept(state));
    (left, right)
}

fn kept(state: &State) -> Piece {
    if state.keeping.trouble {
        piece("! not recorded", Role::Trouble)
    } else if state.keeping.saved.is_some() {
        piece("● saved", Role::Match)
    } else {
        piece("○ unsaved", Role::Text)
    }
}
