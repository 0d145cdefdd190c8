//! A check as Markdown, for a pull request.

use std::fmt::Write;

use super::text::grouped;
use super::{CheckResult, InputsFrom, TierResult, printable};

/// One section per UDF: a table of tiers, then the classes and sample rows of those that differ. Cells are masked unless
/// `show_data`, since reports travel further than data may.
pub fn check_markdown(result: &CheckResult, show_data: bool) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "## {}\n", escaped(&result.udf.signature()));
    let from = match &result.inputs {
        InputsFrom::Generated { seed } => format!("generated, seed {seed}"),
        InputsFrom::Data { path } => escaped(path),
    };
    let ansi = if result.settings.ansi { "on" } else { "off" };
    let _ = writeln!(
        out,
        "`{}:{}` · {} rows ({from}) · ANSI {ansi} · {}\n",
        printable(&result.udf.place.file),
        result.udf.place.line,
        grouped(result.row_count),
        result.settings.time_zone
    );
    let _ = writeln!(
        out,
        "| tier | verdict | rows compared | rows that differ | rows not run | oracle | engine | why |\n|---|---|---|---|---|---|---|---|"
    );
    for tier in &result.tiers {
        tier_row(&mut out, tier);
    }
    for tier in result.tiers.iter().filter(|t| !t.rows.is_empty()) {
        sample(&mut out, tier, show_data);
    }
    out
}

fn tier_row(out: &mut String, tier: &TierResult) {
    let differ = tier
        .comparison
        .as_ref()
        .map_or("–".into(), |c| grouped(c.different_rows));
    let compared = tier.comparison.as_ref().map_or("–".into(), |c| grouped(c.rows));
    let not_run = tier
        .comparison
        .as_ref()
        .map_or("–".into(), |c| grouped(c.not_run_rows()));
    let name = |e: &Option<crate::run::Evidence>| e.as_ref().map_or("–", |e| e.engine.name());
    let reason = match (&tier.refused, &tier.reason) {
        (Some(r), _) => format!("line {}: {}", r.place.line, r.reason),
        (None, Some(reason)) => reason.clone(),
        (None, None) => String::new(),
    };
    let lines = tier.not_run.iter().map(super::RowsNotRun::line);
    let reason = [reason]
        .into_iter()
        .filter(|r| !r.is_empty())
        .chain(lines)
        .collect::<Vec<_>>()
        .join("; ");
    let _ = writeln!(
        out,
        "| {} | {} | {compared} | {differ} | {not_run} | {} | {} | {} |",
        tier.tier.name(),
        tier.status.words(),
        name(&tier.oracle),
        name(&tier.engine),
        escaped(&reason)
    );
}

fn sample(out: &mut String, tier: &TierResult, show_data: bool) {
    let _ = writeln!(out, "\n### {}: differing rows\n", tier.tier.name());
    let _ = writeln!(
        out,
        "| row | arguments | original | rewrite | class | ulp |\n|---|---|---|---|---|---|"
    );
    let cell = |text: &str| {
        if show_data {
            format!("`{}`", escaped(text).replace('`', "'"))
        } else {
            "(masked)".into()
        }
    };
    for row in &tier.rows {
        let args: Vec<_> = row.args.iter().map(|(n, v)| format!("{n} = {}", cell(v))).collect();
        let m = &row.mismatch;
        let ulp = m.ulp.map_or(String::new(), |u| u.to_string());
        let (original, rewrite) = (cell(&m.original), cell(&m.rewrite));
        let _ = writeln!(
            out,
            "| {} | {} | {original} | {rewrite} | {} | {ulp} |",
            m.row,
            args.join(", "),
            m.class
        );
    }
}

/// Safe inside a table cell.
fn escaped(text: &str) -> String {
    printable(text)
        .replace('|', "\\|")
        .replace(['\n', '\r'], " ")
        .replace('<', "&lt;")
}
