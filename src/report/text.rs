//! Plain text with optional colour. Every text from files and data is stripped of control sequences first.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{CheckResult, DifferingRow, RefusedAt, Status, TierResult, UdfSummary};
use crate::check::{COMPILED, INSTEAD};
use crate::run::EngineId;

/// Makes text safe for a terminal: control characters become visible, so that nothing in a file name, a source or a cell
/// can move the cursor, change colours or hide what follows (bidirectional overrides included).
pub fn printable(text: &str) -> String {
    let hidden = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(hidden) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if hidden(c) {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

/// Colours by role; all empty without colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// With or without colour.
    pub fn new(on: bool) -> Paint {
        Paint { on }
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.on {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }

    pub(super) fn strong(self, text: &str) -> String {
        self.wrap("1", text)
    }

    pub(super) fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }

    pub(super) fn good(self, text: &str) -> String {
        self.wrap("32", text)
    }

    pub(super) fn bad(self, text: &str) -> String {
        self.wrap("31;1", text)
    }

    pub(super) fn unknown(self, text: &str) -> String {
        self.wrap("33", text)
    }

    /// A status with its glyph and colour: never colour alone.
    pub(super) fn status(self, status: &Status) -> String {
        let (glyph, code) = match status {
            Status::Equal => ("=", "32"),
            Status::EqualWithinPolicy => ("~", "36"),
            Status::Different => ("!", "31;1"),
            Status::Vacuous => ("?", "35"),
            Status::NotProven => ("?", "33"),
            Status::DoesNotCompile => ("x", "31"),
        };
        self.wrap(code, &format!("{glyph} {}", status.words()))
    }
}

/// One line per UDF, then what was not understood and what only looks like a UDF.
pub fn found_text(udfs: &[UdfSummary], refused: &[RefusedAt], not_udfs: &[RefusedAt], paint: Paint) -> String {
    let mut out = String::new();
    for udf in udfs {
        let place = format!("{}:{}", printable(&udf.place.file), udf.place.line);
        let _ = write!(out, "{place}  {}", paint.strong(&printable(&udf.signature())));
        if !udf.aliases.is_empty() {
            let also = format!("  also {}", printable(&udf.aliases.join(", ")));
            let _ = write!(out, "{}", paint.dim(&also));
        }
        let _ = writeln!(out);
        if let Some(r) = &udf.refused {
            let _ = writeln!(out, "    {}", paint.dim(&refused_line(r)));
        }
    }
    for r in refused {
        let _ = writeln!(out, "{}", paint.dim(&format!("not understood: {}", refused_line(r))));
    }
    for r in not_udfs {
        let _ = writeln!(out, "{}", paint.dim(&format!("not a UDF: {}", refused_line(r))));
    }
    out
}

fn refused_line(r: &RefusedAt) -> String {
    let construct = printable(&r.construct);
    let place = format!("{}:{}:{}", printable(&r.place.file), r.place.line, r.place.column);
    format!("{place}: {} — `{construct}`", printable(&r.reason))
}

/// The UDF of a test, above the paragraphs of its tiers.
pub fn check_head(result: &CheckResult, paint: Paint) -> String {
    let place = format!("{}:{}", printable(&result.udf.place.file), result.udf.place.line);
    let signature = paint.strong(&printable(&result.udf.signature()));
    format!("{signature}  {}\n", paint.dim(&place))
}

/// The test of one UDF, a paragraph per tier.
pub fn check_text(result: &CheckResult, paint: Paint, quiet: bool) -> String {
    let tiers = result.tiers.iter().map(|tier| check_tier(result, tier, paint, quiet));
    std::iter::once(check_head(result, paint)).chain(tiers).collect()
}

/// The paragraph of one of its tiers.
pub fn check_tier(result: &CheckResult, tier: &TierResult, paint: Paint, quiet: bool) -> String {
    let mut out = String::new();
    tier_text(&mut out, tier, result, paint, quiet);
    out
}

fn tier_text(out: &mut String, tier: &TierResult, result: &CheckResult, paint: Paint, quiet: bool) {
    let _ = write!(out, "  {:<5} {}", tier.tier.name(), paint.status(&tier.status));
    if tier
        .comparison
        .as_ref()
        .is_some_and(|c| c.only_exception_class().is_some())
    {
        let _ = write!(out, " only in the exception class");
    }
    if let Some(c) = &tier.comparison {
        let _ = write!(out, "  {} rows", grouped(c.rows));
        if c.different_rows > 0 {
            let _ = write!(out, ", {} differ", grouped(c.different_rows));
        }
        let not_run = c.not_run_rows();
        if not_run > 0 {
            let _ = write!(out, ", {} not run", grouped(not_run));
        }
    }
    let _ = writeln!(out);
    if let Some(r) = &tier.refused {
        let _ = writeln!(out, "        {}", refused_line(r));
    } else if let Some(reason) = &tier.reason {
        let _ = writeln!(out, "        {}", printable(reason));
    }
    for r in &tier.not_run {
        let _ = writeln!(out, "        {}", r.line());
    }
    if quiet {
        return;
    }
    for hint in &tier.hints {
        let _ = writeln!(out, "        {}", paint.dim(&format!("try: {}", printable(hint))));
    }
    if let (Some(oracle), Some(engine)) = (&tier.oracle, &tier.engine) {
        let _ = writeln!(
            out,
            "        {}",
            paint.dim(&evidence_line(oracle.engine, engine.engine, result))
        );
        let said = [
            ("not run in a JVM", oracle.facts.get(INSTEAD)),
            (COMPILED, engine.facts.get(COMPILED)),
        ];
        for (label, fact) in said.iter().filter_map(|(l, f)| Some((l, (*f)?))) {
            let _ = writeln!(out, "        {}", paint.dim(&format!("{label}: {}", printable(fact))));
        }
        if let Some(line) = kernel_line(&engine.facts) {
            let _ = writeln!(out, "        {}", paint.dim(&line));
        }
    }
    classes_text(out, tier, paint);
    for row in tier.rows.iter().take(5) {
        let _ = writeln!(out, "        {}", row_line(row));
    }
    for f in &tier.findings {
        let line = f.line.map_or(String::new(), |l| format!(" (candidate line {l})"));
        let _ = writeln!(out, "        {}: {}{line}", f.id, printable(&f.message));
    }
}

/// What the compiler of kernels said, and the device that ran them: `NVIDIA H200 · sm_90 · 26 registers per thread · …`.
fn kernel_line(facts: &BTreeMap<String, String>) -> Option<String> {
    let registers = facts.get("registers per thread")?;
    let mut parts: Vec<String> = ["device", "architecture"]
        .into_iter()
        .filter_map(|k| facts.get(k).map(|v| printable(v)))
        .collect();
    parts.push(format!("{} registers per thread", printable(registers)));
    if let Some(spilled) = facts.get("spilled bytes per thread") {
        parts.push(format!("bytes spilled: {}", printable(spilled)));
    }
    Some(parts.join(" · "))
}

fn evidence_line(oracle: EngineId, engine: EngineId, result: &CheckResult) -> String {
    let from = match &result.inputs {
        super::InputsFrom::Generated { seed } => format!("seed {seed}"),
        super::InputsFrom::Data { path } => printable(path),
    };
    let emulated = if engine.is_emulation() { " (emulation)" } else { "" };
    let ansi = if result.settings.ansi { "on" } else { "off" };
    format!(
        "oracle {} · engine {}{emulated} · {from} · ansi {ansi} · {}",
        oracle.name(),
        engine.name(),
        result.settings.time_zone
    )
}

fn classes_text(out: &mut String, tier: &TierResult, paint: Paint) {
    let Some(c) = &tier.comparison else { return };
    for finding in &c.schema_findings {
        let _ = writeln!(out, "        {finding}");
    }
    for (id, count) in &c.classes {
        let accepted = if count.accepted == count.rows { "~" } else { "!" };
        let bound = count.max_ulp.map_or(String::new(), |u| format!(" (≤ {u} ulp)"));
        let announced = tier.notes.iter().any(|n| crate::compare::announced(&n.class, id));
        let said = if announced { ", announced" } else { "" };
        let line = format!("{accepted} {id}  {} rows{bound}{said}", grouped(count.rows));
        let _ = writeln!(out, "        {}", paint.strong(&line));
        if let Some(info) = crate::compare::class_info(id) {
            let _ = writeln!(
                out,
                "          {}",
                paint.dim(&format!("{}; {}", info.what, info.cause))
            );
        }
    }
}

fn row_line(row: &DifferingRow) -> String {
    let args: Vec<_> = row
        .args
        .iter()
        .map(|(n, v)| format!("{n}={}", shortened(&printable(v))))
        .collect();
    let m = &row.mismatch;
    let ulp = m.ulp.map_or(String::new(), |u| format!(", {u} ulp"));
    let path = if m.path == "value" || m.path == "error" {
        String::new()
    } else {
        format!("{}: ", printable(&m.path))
    };
    let (original, rewrite) = (shortened(&printable(&m.original)), shortened(&printable(&m.rewrite)));
    format!(
        "row {}  {}  {path}original {original}  rewrite {rewrite}  ({}{ulp})",
        m.row,
        args.join(" "),
        m.class
    )
}

/// A cell cut to a line's worth; the cut is marked.
fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    let cut: String = text.chars().take(MOST - 1).collect();
    format!("{cut}…")
}

/// 1000000 as 1,000,000.
pub(super) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_sequences_become_visible() {
        assert_eq!(printable("a\u{1b}[31mb\u{202e}c"), "a\\u{1b}[31mb\\u{202e}c");
        assert_eq!(printable("日本 ß"), "日本 ß");
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(
            [grouped(5), grouped(1234), grouped(1_000_000)],
            ["5", "1,234", "1,000,000"]
        );
    }
}
