//! Where a rewrite may differ and why; what was found; how every number on screen came about.

use crate::app::state::{State, Tested, Work};
use crate::check::CheckReport;
use crate::propose::NoteScope;
use crate::run::Evidence;

use super::canvas::{Row, char_width, piece};
use super::theme::Role;
use super::words;

/// The lines of the page.
pub fn rows(state: &State, columns: usize) -> Vec<Row> {
    let Some(work) = &state.work else { return Vec::new() };
    let mut out = Vec::new();
    proposal(&mut out, work, columns);
    if let Some(report) = work.slot().report() {
        out.push(Vec::new());
        evidence(&mut out, report, work, columns);
        out.extend(answers(work));
        let findings = findings(report, columns);
        if !findings.is_empty() {
            out.push(Vec::new());
            out.push(vec![piece("findings", Role::Accent)]);
            out.extend(findings);
        }
    }
    if let Tested::Failed(e) = &work.slot().tested {
        out.push(Vec::new());
        let (_, text, role) = words::failed(e);
        out.extend(wrapped(&text, columns, role));
        for hint in &e.hints {
            out.extend(wrapped(&format!("  try: {hint}"), columns, Role::Text));
        }
    }
    if !work.opened.found.refused.is_empty() {
        out.push(Vec::new());
        out.push(vec![piece("seen in this file, not understood", Role::Accent)]);
        for r in &work.opened.found.refused {
            let text = format!("- {}: {}", words::place(&work.opened.file, r.span), r.reason);
            out.extend(wrapped(&text, columns, Role::Refused));
        }
    }
    out
}

fn proposal(out: &mut Vec<Row>, work: &Work, columns: usize) {
    let slot = work.slot();
    out.push(vec![piece(format!("the {} proposal", work.tier.name()), Role::Accent)]);
    let Some(p) = &slot.proposal else {
        for r in &slot.refused {
            let text = format!("- {}: {}", words::place(&work.opened.file, r.span), r.reason);
            out.extend(wrapped(&text, columns, Role::Refused));
        }
        return;
    };
    out.extend(wrapped(
        &format!("rank {}: {}", p.rank, p.rank_reason),
        columns,
        Role::Text,
    ));
    if slot.edited.is_some() {
        out.extend(wrapped(
            "edited by hand: what follows is about the proposal",
            columns,
            Role::Vacuous,
        ));
    }
    if p.notes.is_empty() {
        out.extend(wrapped(
            "= it claims the same outcome on every row",
            columns,
            Role::Match,
        ));
    }
    for note in &p.notes {
        let scope = match note.on {
            NoteScope::Everywhere => "everywhere",
            NoteScope::Gpu => "only on a GPU",
        };
        out.push(vec![
            piece(format!("~ {}", note.class), Role::WithinPolicy),
            piece(
                format!("  {scope}, {}", words::place(&work.opened.file, note.span)),
                Role::Dim,
            ),
        ]);
        out.extend(wrapped(&format!("  {}", note.why), columns, Role::Text));
    }
}

fn evidence(out: &mut Vec<Row>, report: &CheckReport, work: &Work, columns: usize) {
    out.push(vec![piece("how the counts came about", Role::Accent)]);
    let c = &report.comparison;
    let (glyph, _, role) = words::verdict(c.verdict);
    let counts = format!(
        "{glyph} {}: {} rows compared, {} differ{}",
        c.words(),
        words::count(c.rows),
        words::count(c.different_rows),
        words::not_run(c)
    );
    out.extend(wrapped(&counts, columns, role));
    if let Some(advice) = c.advice() {
        out.extend(wrapped(&advice.meaning, columns, Role::Text));
        out.extend(wrapped("p accepts the class for this UDF", columns, Role::Dim));
    }
    out.extend(not_run(report, work, columns));
    for (label, e) in [("oracle", &report.oracle_evidence), ("engine", &report.engine_evidence)] {
        out.extend(wrapped(&format!("{label} {}", ran(e)), columns, Role::Text));
    }
    out.extend(wrapped(
        &format!("the same without a screen: {}", words::command(work)),
        columns,
        Role::Text,
    ));
}

fn ran(e: &Evidence) -> String {
    let facts: Vec<String> = e.facts.iter().map(|(k, v)| format!("{k} {v}")).collect();
    format!("{} {} ({})", e.engine.name(), e.version, facts.join(", "))
}

/// Why rows were not run, and where in the original.
pub fn not_run(report: &CheckReport, work: &Work, columns: usize) -> Vec<Row> {
    let mut out = Vec::new();
    for r in &report.comparison.not_run {
        let place = r.span.map_or(String::new(), |span| {
            format!(", {}", words::place(&work.opened.file, span))
        });
        out.extend(wrapped(&format!("? {}{place}", r.words()), columns, Role::Vacuous));
    }
    out
}

/// Leaks, double closes, schema differences: findings of their own.
pub fn findings(report: &CheckReport, columns: usize) -> Vec<Row> {
    let mut out = Vec::new();
    for f in &report.findings {
        let line = f.line.map(|l| format!(" (line {l})")).unwrap_or_default();
        out.extend(wrapped(
            &format!("! {}{line}: {}", f.id, f.message),
            columns,
            Role::Mismatch,
        ));
    }
    for s in &report.comparison.schema_findings {
        out.extend(wrapped(&format!("! schema: {s}"), columns, Role::Mismatch));
    }
    out
}

/// What a worker wrote, line by line, its last line at the end.
pub fn log(text: &str, columns: usize) -> Vec<Row> {
    match text.trim().is_empty() {
        true => vec![vec![piece("nothing", Role::Dim)]],
        false => text.lines().flat_map(|l| wrapped(l, columns, Role::Text)).collect(),
    }
}

/// What each pair of oracle and engine said, where more than one did.
fn answers(work: &Work) -> Vec<Row> {
    let slot = work.slot();
    if slot.answers.len() < 2 {
        return Vec::new();
    }
    let one = |a: &crate::app::runners::Answer| {
        let (glyph, word, role) = words::verdict(a.verdict);
        vec![
            piece(
                format!("  oracle {:<9} engine {:<6}", a.oracle.name(), a.engine.name()),
                Role::Text,
            ),
            piece(format!("{glyph} {word}, {} differ", words::count(a.different)), role),
        ]
    };
    let head = vec![piece("side by side", Role::Accent)];
    std::iter::once(head).chain(slot.answers.iter().map(one)).collect()
}

/// A text over several lines, broken at blanks where there are any.
pub fn wrapped(text: &str, columns: usize, role: Role) -> Vec<Row> {
    let columns = columns.max(8);
    let mut out = Vec::new();
    let (mut line, mut used, mut blank) = (String::new(), 0, None);
    for c in text.chars() {
        let w = char_width(c);
        if used + w > columns {
            let rest = match blank {
                Some(at) => line.split_off(at),
                None => String::new(),
            };
            out.push(vec![piece(std::mem::take(&mut line), role)]);
            line = rest.trim_start().to_owned();
            used = super::canvas::width(&line);
            blank = None;
        }
        if c == ' ' && !line.trim().is_empty() {
            blank = Some(line.len());
        }
        line.push(c);
        used += w;
    }
    if !line.is_empty() || out.is_empty() {
        out.push(vec![piece(line, role)]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_broken_at_blanks() {
        let shown: Vec<String> = wrapped("one two three four", 9, Role::Text)
            .iter()
            .map(super::super::canvas::row_text)
            .collect();
        assert_eq!(shown, ["one two", "three", "four"]);
        assert_eq!(wrapped("aaaaaaaaaaaaaaaaaaaa", 8, Role::Text).len(), 3);
        assert_eq!(wrapped("", 8, Role::Text).len(), 1);
    }
}
