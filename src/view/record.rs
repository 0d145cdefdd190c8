//! One row as a record: all inputs, both outcomes with aligned digits and bits, distances, and what is known of the class.

use crate::app::cells;
use crate::app::state::{State, Work};
use crate::check::CheckReport;
use crate::compare::{Mismatch, announced, class_info};
use crate::run::Outcome;

use super::canvas::{Piece, Row, piece, width};
use super::notes::wrapped;
use super::rows;
use super::theme::Role;
use super::words;

/// Columns of the names on the left.
const NAMES: usize = 16;

/// The title of the page.
pub fn title(state: &State) -> String {
    match state.work.as_ref().and_then(Work::mismatch) {
        Some(m) => format!("record ─ row {}", m.row),
        None => "record".into(),
    }
}

/// The lines of the page.
pub fn rows(state: &State, columns: usize) -> Vec<Row> {
    let Some(work) = &state.work else { return Vec::new() };
    let (Some(report), Some(m)) = (work.slot().report(), work.mismatch()) else {
        return vec![vec![piece("no mismatch is chosen", Role::Dim)]];
    };
    let m = &m;
    let mut out = vec![heading("inputs")];
    inputs(&mut out, report, m, columns);
    out.push(Vec::new());
    out.push(heading("outcomes"));
    outcomes(&mut out, report, m, columns);
    out.push(Vec::new());
    out.push(heading("class"));
    class(&mut out, work, m, columns);
    others(&mut out, work, m, columns);
    out
}

fn heading(text: &str) -> Row {
    vec![piece(text, Role::Accent)]
}

fn name(text: &str) -> Piece {
    let pad = NAMES.saturating_sub(width(text));
    piece(format!("  {text}{}", " ".repeat(pad.max(1))), Role::Dim)
}

fn inputs(out: &mut Vec<Row>, report: &CheckReport, m: &Mismatch, columns: usize) {
    let schema = report.inputs.schema();
    for (field, column) in schema.fields().iter().zip(report.inputs.columns()) {
        let text = cells::text(column, m.row as usize);
        let value = wrapped(&text, columns.saturating_sub(NAMES + 2), Role::Text);
        for (i, line) in value.into_iter().enumerate() {
            let label = if i == 0 { field.name().as_str() } else { "" };
            let mut row = vec![name(label)];
            row.extend(line);
            out.push(row);
        }
        let bits = cells::bits(column, m.row as usize).map(|b| format!("  bits {b}"));
        let about = format!("{}{}", field.data_type(), bits.unwrap_or_default());
        out.push(vec![name(""), piece(about, Role::Dim)]);
    }
}

/// Blanks in front of either number so that their points stand below each other.
fn alignment(a: &str, b: &str) -> (usize, usize) {
    let point = |s: &str| {
        let number = s.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        number.then(|| s.find(['.', 'E']).unwrap_or(s.len()))
    };
    match (point(a), point(b)) {
        (Some(x), Some(y)) => (y.saturating_sub(x).min(40), x.saturating_sub(y).min(40)),
        _ => (0, 0),
    }
}

fn outcomes(out: &mut Vec<Row>, report: &CheckReport, m: &Mismatch, columns: usize) {
    if m.path != "value" && m.path != "error" {
        out.push(vec![name("at"), piece(m.path.clone(), Role::Text)]);
    }
    let room = columns.saturating_sub(NAMES + 4);
    let (a, b) = rows::pair(m, room);
    let (before_a, before_b) = alignment(&m.original, &m.rewrite);
    for (label, side, pad) in [("original", a, before_a), ("rewrite", b, before_b)] {
        let mut row = vec![name(label), piece(" ".repeat(pad), Role::Text)];
        row.extend(side);
        out.push(row);
    }
    let whole = m.path == "value";
    for (label, outcome) in [("original", &report.oracle), ("rewrite", &report.candidate)] {
        let row = m.row as usize;
        if let Some(class) = outcome_error(outcome, row) {
            out.push(vec![name(&format!("{label} threw")), piece(class, Role::Mismatch)]);
        } else if let Some(bits) = cells::bits(&outcome.values, row).filter(|_| whole) {
            out.push(vec![name(&format!("{label} bits")), piece(bits, Role::Dim)]);
        }
    }
    let mut distance = |label: &str, text: Option<String>| {
        if let Some(text) = text {
            out.push(vec![name(label), piece(text, Role::Text)]);
        }
    };
    distance("ulp", m.ulp.map(words::count));
    distance("absolute", m.abs.map(|x| format!("{x:e}")));
    distance("relative", m.rel.map(|x| format!("{x:e}")));
}

fn outcome_error(outcome: &Outcome, row: usize) -> Option<String> {
    (row < outcome.len()).then(|| outcome.error(row).map(str::to_owned))?
}

fn class(out: &mut Vec<Row>, work: &Work, m: &Mismatch, columns: usize) {
    let role = if m.accepted { Role::WithinPolicy } else { Role::Mismatch };
    let glyph = if m.accepted { "~" } else { "!" };
    let rows = work.class(&m.class).map_or(0, |c| c.rows);
    let text = format!("{glyph} {}", m.class);
    out.push(vec![
        name("class"),
        piece(text, role),
        piece(format!("   {} rows", words::count(rows)), Role::Dim),
    ]);
    if let Some(worst) = work.class(&m.class).map(|c| &c.worst) {
        let text = format!(
            "row {}: {} → {}  {}",
            worst.row,
            worst.original,
            worst.rewrite,
            words::distance(worst)
        );
        out.push(vec![
            name("worst"),
            piece(super::canvas::cut(&text, columns.saturating_sub(NAMES + 2)), Role::Text),
        ]);
    }
    if let Some(info) = class_info(&m.class) {
        labelled(out, "means", info.what, columns);
        labelled(out, "cause", info.cause, columns);
        labelled(out, "try", info.fix, columns);
    }
    let accepted = work.policy.entries.iter().find(|e| e.class == m.class);
    let policy = match accepted {
        Some(e) => format!("{} accepted by {}: {}", words::bound(e), e.who, e.reason),
        None => "not accepted; p accepts it with a reason".into(),
    };
    labelled(out, "policy", &policy, columns);
    let proposal = work.slot().proposal.as_ref();
    let all = proposal.map(|p| p.notes.as_slice()).unwrap_or_default();
    let notes: Vec<&crate::propose::Note> = all.iter().filter(|n| announced(&n.class, &m.class)).collect();
    for note in &notes {
        let text = format!(
            "{}, {}: {}",
            note.class,
            words::place(&work.opened.file, note.span),
            note.why
        );
        labelled(out, "announced", &text, columns);
    }
    if notes.is_empty() {
        labelled(
            out,
            "announced",
            "no: the proposal does not mention this class",
            columns,
        );
    }
}

fn labelled(out: &mut Vec<Row>, label: &str, text: &str, columns: usize) {
    let lines = wrapped(text, columns.saturating_sub(NAMES + 2), Role::Text);
    for (i, line) in lines.into_iter().enumerate() {
        let mut row = vec![name(if i == 0 { label } else { "" })];
        row.extend(line);
        out.push(row);
    }
}

/// Further differences of the same row.
fn others(out: &mut Vec<Row>, work: &Work, m: &Mismatch, columns: usize) {
    let all = work.mismatches_at(work.rows_scroll.cursor);
    let rest: Vec<&Mismatch> = all.iter().filter(|o| o.path != m.path).take(50).collect();
    if rest.is_empty() {
        return;
    }
    out.push(Vec::new());
    out.push(heading("further differences of this row"));
    for o in rest {
        labelled(
            out,
            &o.path,
            &format!("{} → {}  {}", o.original, o.rewrite, o.class),
            columns,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_stand_below_each_other() {
        assert_eq!(alignment("-12.5", "3.25"), (0, 2));
        assert_eq!(alignment("7", "123"), (2, 0));
        assert_eq!(alignment("null", "123"), (0, 0));
        assert_eq!(alignment("\"a.b\"", "1.0"), (0, 0));
    }
}
