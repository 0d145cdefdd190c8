//! Where two cells differ. In: two texts and a width; out: both as pieces, cut around the difference and never before it,
//! with the differing characters marked.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::canvas::{Piece, char_width, piece};
use super::theme::Role;

/// Beyond this many characters, only the common start and end are told apart.
const MAX_COMPARED: usize = 400;

/// Both texts within `columns`, equal parts in `role`, differing ones marked.
pub fn pair(a: &str, b: &str, columns: usize, role: Role) -> (Vec<Piece>, Vec<Piece>) {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let (in_a, in_b) = differences(&a, &b);
    let start = common_start(&a, &b);
    let show = |text: &[char], marks: &[Range<usize>]| window(text, marks, start, columns, role);
    (show(&a, &in_a), show(&b, &in_b))
}

fn common_start(a: &[char], b: &[char]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y).count()
}

/// Ranges of characters that the other text does not have.
fn differences(a: &[char], b: &[char]) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    if a.len().max(b.len()) > MAX_COMPARED {
        let start = common_start(a, b);
        let end = a[start..].iter().rev().zip(b[start..].iter().rev());
        let end = end.take_while(|(x, y)| x == y).count();
        let one = |len: usize| std::iter::once(start..len - end).filter(|r| !r.is_empty()).collect();
        return (one(a.len()), one(b.len()));
    }
    let (mut in_a, mut in_b) = (Vec::new(), Vec::new());
    for op in capture_diff_slices(Algorithm::Myers, a, b) {
        if !matches!(op, DiffOp::Equal { .. }) {
            in_a.extend(Some(op.old_range()).filter(|r| !r.is_empty()));
            in_b.extend(Some(op.new_range()).filter(|r| !r.is_empty()));
        }
    }
    (in_a, in_b)
}

/// The part of a text around its first difference that fits, with `…` where something is cut.
fn window(text: &[char], marks: &[Range<usize>], first: usize, columns: usize, role: Role) -> Vec<Piece> {
    let total: usize = text.iter().map(|c| char_width(*c)).sum();
    let mut from = 0;
    if total > columns {
        // The start stays while the difference is in sight; else a third of the room goes to what leads up to it.
        let seen = columns.saturating_sub(columns / 3).max(1);
        from = match first < seen {
            true => 0,
            false => first.min(text.len()).saturating_sub(columns / 3),
        };
        let tail: usize = text[from..].iter().map(|c| char_width(*c)).sum();
        if from > 0 && tail < columns.saturating_sub(1) {
            from = fitting_tail(text, columns.saturating_sub(1));
        }
    }
    let mut out = Vec::new();
    let mut room = columns;
    if from > 0 && room > 0 {
        out.push(piece("…", Role::Dim));
        room -= 1;
    }
    let left: usize = text[from..].iter().map(|c| char_width(*c)).sum();
    let cut = left > room;
    let room = if cut { room.saturating_sub(1) } else { room };
    let mut used = 0;
    for (i, c) in text.iter().enumerate().skip(from) {
        used += char_width(*c);
        if used > room {
            break;
        }
        let marked = marks.iter().any(|m| m.contains(&i));
        let role = if marked { Role::Mark } else { role };
        match out.last_mut() {
            Some(Piece { text, role: r }) if *r == role => text.push(*c),
            _ => out.push(piece(c.to_string(), role)),
        }
    }
    if cut && columns > 1 {
        out.push(piece("…", Role::Dim));
    }
    out
}

fn fitting_tail(text: &[char], columns: usize) -> usize {
    let mut used = 0;
    let mut from = text.len();
    for (i, c) in text.iter().enumerate().rev() {
        used += char_width(*c);
        if used > columns {
            break;
        }
        from = i;
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: &[Piece]) -> String {
        let show = |p: &Piece| match p.role {
            Role::Mark => format!("[{}]", p.text),
            _ => p.text.clone(),
        };
        pieces.iter().map(show).collect()
    }

    #[test]
    fn digits_and_signs_are_marked() {
        let (a, b) = pair("-8956.678000000002", "-8956.678", 30, Role::Text);
        assert_eq!(
            (shown(&a), shown(&b)),
            ("-8956.678[000000002]".into(), "-8956.678".into())
        );
        let (a, b) = pair("0.0", "-0.0", 10, Role::Text);
        assert_eq!((shown(&a), shown(&b)), ("0.0".into(), "[-]0.0".into()));
    }

    #[test]
    fn a_huge_cell_is_cut_around_the_difference() {
        let a = format!("{}X{}", "a".repeat(5000), "b".repeat(5000));
        let b = format!("{}Y{}", "a".repeat(5000), "b".repeat(5000));
        let (a, b) = pair(&a, &b, 20, Role::Text);
        assert_eq!(shown(&a), "…aaaaaa[X]bbbbbbbbbbb…");
        assert_eq!(shown(&b), "…aaaaaa[Y]bbbbbbbbbbb…");
    }

    #[test]
    fn any_width_is_safe() {
        for columns in 0..12 {
            for (a, b) in [
                ("", "x"),
                ("漢字漢字漢", "漢字"),
                ("abcdefghijklmnop", "abcdefghijklmnoq"),
            ] {
                let (x, y) = pair(a, b, columns, Role::Text);
                for pieces in [x, y] {
                    let width: usize = pieces.iter().map(|p| super::super::canvas::width(&p.text)).sum();
                    assert!(width <= columns.max(1), "{columns}: {pieces:?}");
                }
            }
        }
    }
}
