//! The first line: which UDF, what runs it, how it is kept.

use crate::app::layout::{Area, SIDE_BY_SIDE};
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
    // The seed or the data can be read in the notes; what ran and whether the work is kept must be on screen.
    if wide(&right) + wide(&left) + 2 > room {
        right.retain(|p| !p.text.starts_with("seed") && !p.text.starts_with("data"));
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
    let inputs = match words::data_name(work) {
        Some(name) => format!("data {name} · "),
        None => format!("seed {} · ", work.seed),
    };
    let mut right = vec![piece(inputs, Role::Dim)];
    if state.size.width >= SIDE_BY_SIDE {
        right.insert(0, piece(format!("{} · ", words::runs(work)), Role::Dim));
    }
    if let Some((text, role)) = words::worker(&state.workers) {
        right.push(piece(format!("{text} · "), role));
    }
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
