//! The table of mismatches. In: the comparison of the tier on screen; out: the visible rows only, however many there are.

use crate::app::cells;
use crate::app::layout::Area;
use crate::app::state::{Panel, State, Tested, Work};
use crate::check::CheckReport;
use crate::compare::{Mismatch, Verdict};

use super::canvas::{Canvas, Piece, Row, cut, piece, width};
use super::marks;
use super::notes;
use super::theme::Role;
use super::words::{self, count};

/// Below this width, distances are given in ulp alone where there is one.
const SHORT_BELOW: usize = 100;
/// The widest column of an argument.
const MAX_ARG: usize = 24;

/// Draws it.
pub fn draw(canvas: &mut Canvas, state: &State, area: Area) {
    let Some(work) = &state.work else { return };
    let focused = state.focus == Panel::Rows && state.overlays.is_empty();
    let inner = canvas.frame(
        area,
        &title(work, focused),
        &[piece(position(work), Role::Dim)],
        focused,
    );
    if work.rows.is_empty() {
        let text = instead(work, inner.width.saturating_sub(2) as usize);
        return canvas.page(inner, &text, 0);
    }
    let height = (inner.height as usize).saturating_sub(1);
    let table = table(work, work.rows_scroll.top, height, inner.width as usize);
    canvas.row(inner.x, inner.y, inner.width as usize, &table.names);
    for (i, row) in table.rows.iter().enumerate() {
        let y = inner.y + 1 + i as u16;
        canvas.row(inner.x, y, inner.width as usize, row);
        if focused && work.rows_scroll.top + i == work.rows_scroll.cursor {
            let strip = Area {
                x: inner.x,
                y,
                width: 3.min(inner.width),
                height: 1,
            };
            canvas.lay(strip, Role::Cursor);
        }
    }
}

/// Verdict and counts.
pub fn title(work: &Work, focused: bool) -> Row {
    let head = if focused { Role::Accent } else { Role::Text };
    let mut out = vec![piece("rows ─ ", head)];
    let slot = work.slot();
    match &slot.tested {
        Tested::Not => out.push(piece("not tested", Role::Dim)),
        Tested::Failed(e) => {
            let (_, text, role) = words::failed(e);
            out.push(piece(text, role));
        }
        Tested::Done(report) => {
            let c = &report.comparison;
            let (glyph, _, role) = words::verdict(c.verdict);
            out.push(piece(format!("{} tested{} · ", count(c.rows), words::not_run(c)), head));
            out.push(piece(format!("{glyph} {}", c.words()), role));
            if !c.classes.is_empty() {
                out.push(piece(format!(": {}", words::classes(c, &work.policy)), role));
            }
            let findings = report.findings.len() + c.schema_findings.len();
            if findings > 0 {
                out.push(piece(format!(" · {findings} findings"), Role::Mismatch));
            }
        }
    }
    if slot.stale && !matches!(slot.tested, Tested::Not) {
        out.push(piece(" · before the last change", Role::Vacuous));
    }
    out
}

fn position(work: &Work) -> String {
    let Some(report) = work.slot().report() else {
        return String::new();
    };
    if work.rows.is_empty() {
        return String::new();
    }
    let c = &report.comparison;
    let all = match &work.filter {
        Some(class) => c.classes.get(class).map_or(0, |n| n.rows),
        None => c.different_rows,
    };
    let listed = work.rows.len();
    let only = work.filter.as_ref().map(|c| format!("only {c} ")).unwrap_or_default();
    match (listed as u64) < all {
        true => format!(
            "{only}{}/{listed} listed of {}",
            work.rows_scroll.cursor + 1,
            count(all)
        ),
        false => format!("{only}{}/{listed}", work.rows_scroll.cursor + 1),
    }
}

/// What stands where mismatches would.
pub fn instead(work: &Work, width: usize) -> Vec<Row> {
    let slot = work.slot();
    match &slot.tested {
        Tested::Not if slot.candidate(work.tier).is_some() => {
            let text = match words::data_name(work) {
                Some(name) => format!("t tests the rows of {name} against the original"),
                None => format!("t tests {} rows against the original", count(work.rows_wanted as u64)),
            };
            vec![vec![piece(text, Role::Dim)]]
        }
        Tested::Not => Vec::new(),
        Tested::Failed(e) => {
            let (_, text, role) = words::failed(e);
            let mut rows = notes::wrapped(&text, width, role);
            for hint in &e.hints {
                rows.extend(notes::wrapped(&format!("try: {hint}"), width, Role::Text));
            }
            rows
        }
        Tested::Done(report) => {
            let c = &report.comparison;
            let (glyph, _, role) = words::verdict(c.verdict);
            let text = match c.verdict {
                Verdict::Vacuous => {
                    let why = c.vacuous_because.as_deref().unwrap_or("nothing was compared");
                    format!("{glyph} nothing is shown by this: {why}")
                }
                Verdict::Different => format!("{glyph} different, though no single row can be named"),
                Verdict::NotProven => format!(
                    "{glyph} not proven: every one of {} outcomes is the same, but {} rows could not be run",
                    count(c.rows),
                    count(c.not_run_rows())
                ),
                _ => format!("{glyph} every one of {} outcomes is the same", count(c.rows)),
            };
            let mut rows = notes::wrapped(&text, width, role);
            rows.extend(notes::not_run(report, work, width));
            rows.extend(notes::findings(report, width));
            rows
        }
    }
}

/// A stretch of the table.
pub struct Table {
    /// Names of the columns.
    pub names: Row,
    /// The rows.
    pub rows: Vec<Row>,
}

/// Rows `top..top + height` within a width.
pub fn table(work: &Work, top: usize, height: usize, columns: usize) -> Table {
    let Some(report) = work.slot().report() else {
        return Table {
            names: Vec::new(),
            rows: Vec::new(),
        };
    };
    let visible = top..(top + height).min(work.rows.len());
    let lines: Vec<(usize, Mismatch)> = visible.filter_map(|i| Some((i, work.mismatch_at(i)?))).collect();
    let mut cells: Vec<Cells> = lines.iter().map(|(_, m)| Cells::of(report, m)).collect();
    if columns < SHORT_BELOW {
        for (c, (_, m)) in cells.iter_mut().zip(&lines) {
            c.distance = words::short_distance(m);
        }
    }
    let names = names(report);
    let widths = Widths::fit(&names, &cells, columns);
    let rows = lines.iter().zip(&cells).map(|((i, m), c)| {
        let here = *i == work.rows_scroll.cursor;
        line(m, c, &widths, here)
    });
    Table {
        rows: rows.collect(),
        names: name_row(&names, &widths),
    }
}

/// The texts of one row.
struct Cells {
    row: String,
    args: Vec<String>,
    original: String,
    rewrite: String,
    distance: String,
    class: String,
}

impl Cells {
    fn of(report: &CheckReport, m: &Mismatch) -> Cells {
        let class = match m.path.as_str() {
            "value" | "error" => m.class.clone(),
            path => format!("{} @ {}", m.class, path.strip_prefix("value").unwrap_or(path)),
        };
        let arg = |c: &arrow::array::ArrayRef| cells::text(c, m.row as usize);
        Cells {
            row: m.row.to_string(),
            args: report.inputs.columns().iter().map(arg).collect(),
            original: m.original.clone(),
            rewrite: m.rewrite.clone(),
            distance: words::distance(m),
            class,
        }
    }
}

fn names(report: &CheckReport) -> Vec<String> {
    let schema = report.inputs.schema();
    schema.fields().iter().map(|f| f.name().clone()).collect()
}

/// Columns that each part of a row gets.
struct Widths {
    row: usize,
    args: Vec<usize>,
    value: usize,
    distance: usize,
    class: usize,
}

impl Widths {
    fn fit(names: &[String], cells: &[Cells], columns: usize) -> Widths {
        let widest =
            |of: &dyn Fn(&Cells) -> usize, name: &str| cells.iter().map(of).chain([width(name)]).max().unwrap_or(1);
        let mut out = Widths {
            row: widest(&|c| width(&c.row), "row").max(5),
            args: Vec::new(),
            value: widest(&|c| width(&c.original).max(width(&c.rewrite)), "original"),
            distance: widest(&|c| width(&c.distance), "Δ"),
            class: widest(&|c| width(&c.class), "class"),
        };
        for (i, name) in names.iter().enumerate() {
            let widest = widest(&|c| c.args.get(i).map_or(0, |a| width(a)), name);
            out.args.push(widest.min(MAX_ARG));
        }
        out.shrink(columns);
        out
    }

    fn total(&self) -> usize {
        let args: usize = self.args.iter().map(|w| w + 2).sum();
        4 + self.row + 2 + args + 2 * (self.value + 2) + self.distance + 2 + self.class
    }

    /// Gives up room where it hurts least: values keep at least 8 columns, arguments at least 6.
    fn shrink(&mut self, columns: usize) {
        while self.total() > columns {
            let widest = self.args.iter().copied().max().unwrap_or(0);
            if self.value > 24 && self.value >= widest {
                self.value -= 1;
            } else if let Some(w) = self.args.iter_mut().find(|w| **w == widest && **w > 8) {
                *w -= 1;
            } else if self.value > 12 {
                self.value -= 1;
            } else if let Some(w) = self.args.iter_mut().find(|w| **w == widest && **w > 4) {
                *w -= 1;
            } else {
                break;
            }
        }
    }
}

fn padded(text: &str, columns: usize) -> String {
    let text = cut(text, columns);
    let pad = columns.saturating_sub(width(&text)) + 2;
    format!("{text}{}", " ".repeat(pad))
}

fn name_row(names: &[String], w: &Widths) -> Row {
    let mut text = format!("    {:>1$}  ", "row", w.row);
    for (name, columns) in names.iter().zip(&w.args) {
        text.push_str(&padded(name, *columns));
    }
    text.push_str(&padded("original", w.value));
    text.push_str(&padded("rewrite", w.value));
    text.push_str(&padded("Δ", w.distance));
    text.push_str("class");
    vec![piece(text, Role::Dim)]
}

fn line(m: &Mismatch, c: &Cells, w: &Widths, here: bool) -> Row {
    let (glyph, role) = match m.accepted {
        true => ("~", Role::WithinPolicy),
        false => ("!", Role::Mismatch),
    };
    let arrow = if here { " ▸" } else { "  " };
    let mut out = vec![
        piece(arrow, Role::Accent),
        piece(format!("{glyph} "), role),
        piece(format!("{:>1$}  ", c.row, w.row), Role::Text),
    ];
    for (arg, columns) in c.args.iter().zip(&w.args) {
        out.push(piece(padded(arg, *columns), Role::Text));
    }
    let (a, b) = marks::pair(&c.original, &c.rewrite, w.value, Role::Text);
    for side in [a, b] {
        let used: usize = side.iter().map(|p| width(&p.text)).sum();
        out.extend(side);
        out.push(piece(" ".repeat(w.value.saturating_sub(used) + 2), Role::Text));
    }
    out.push(piece(padded(&c.distance, w.distance), Role::Text));
    out.push(piece(c.class.clone(), role));
    out
}

/// The row under the cursor with the names of its columns, tabs between.
pub fn tsv(work: &Work) -> String {
    let (Some(report), Some(m)) = (work.slot().report(), work.mismatch()) else {
        return String::new();
    };
    let c = Cells::of(report, &m);
    let mut head = vec!["row".to_owned()];
    head.extend(names(report));
    head.extend(["original", "rewrite", "distance", "class"].map(str::to_owned));
    let mut line = vec![c.row];
    line.extend(c.args);
    line.extend([c.original, c.rewrite, c.distance, c.class]);
    let clean = |s: &String| s.replace(['\t', '\n'], " ");
    let join = |v: &[String]| v.iter().map(clean).collect::<Vec<_>>().join("\t");
    format!("{}\n{}\n", join(&head), join(&line))
}

/// The pieces of a cell pair, for the record view.
pub fn pair(m: &Mismatch, columns: usize) -> (Vec<Piece>, Vec<Piece>) {
    marks::pair(&m.original, &m.rewrite, columns, Role::Text)
}
