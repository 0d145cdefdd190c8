//! A run over a whole input as text.

use std::fmt::Write;

use super::text::{Paint, grouped};
use super::{Status, UdfSummary, printable};
use crate::scale::{Progress, ScaleReport, ScaleRow};

/// Rows of a class that the text shows.
const SHOWN_ROWS: usize = 3;

/// How far it is in one line, and whether the line is to stay on the screen.
pub fn progress_line(progress: &Progress) -> (String, bool) {
    match progress {
        Progress::Started { partitions } => (format!("started: {partitions} partitions"), false),
        Progress::Progress {
            rows,
            different,
            done,
            partitions,
            parts,
        } => {
            let running = parts.iter().filter(|p| !p.done).count();
            let line = format!(
                "{} rows · {done} of {partitions} partitions done · {running} running · {} differ",
                grouped(*rows),
                grouped(*different)
            );
            (line, false)
        }
        Progress::Again { reason } => {
            let line = format!("the rewrite runs again with every row guarded: {}", printable(reason));
            (line, true)
        }
        Progress::TaskFailed {
            partition,
            attempt,
            reason,
        } => {
            let line = format!(
                "partition {partition} failed (attempt {}): {}",
                attempt + 1,
                printable(reason)
            );
            (line, true)
        }
        Progress::ExecutorLost { executor, reason } => {
            let line = format!("executor {} is lost: {}", printable(executor), printable(reason));
            (line, true)
        }
    }
}

/// The result of a run.
pub fn scale_text(udf: &UdfSummary, report: &ScaleReport, paint: Paint, quiet: bool) -> String {
    let mut out = String::new();
    let place = format!("{}:{}", printable(&udf.place.file), udf.place.line);
    let signature = paint.strong(&printable(&udf.signature()));
    let _ = writeln!(out, "{signature}  {}", paint.dim(&place));
    let status = paint.status(&Status::of(report.verdict));
    let _ = write!(
        out,
        "  {:<5} {status}  {} rows",
        report.tier.name(),
        grouped(report.rows)
    );
    if report.different_rows > 0 {
        let _ = write!(out, ", {} differ", grouped(report.different_rows));
    }
    let early = if report.stopped { ", stopped early" } else { "" };
    let _ = writeln!(out, "{early}");
    let advice = report.advice();
    let why = advice.as_ref().map(|a| &a.meaning).or(report.vacuous_because.as_ref());
    if let Some(why) = why {
        let _ = writeln!(out, "        {why}");
    }
    if quiet {
        return out;
    }
    if let Some(advice) = &advice {
        let _ = writeln!(out, "        {}", paint.dim(&format!("try: {}", advice.hint)));
    }
    evidence(&mut out, report, paint);
    for finding in &report.schema_findings {
        let _ = writeln!(out, "        {}", printable(finding));
    }
    for (id, class) in &report.classes {
        let mut line = format!("{id}: {} rows", grouped(class.rows));
        if class.accepted > 0 {
            let _ = write!(line, " ({} accepted)", grouped(class.accepted));
        }
        if let Some(ulp) = class.max_ulp {
            let _ = write!(line, ", up to {ulp} ulp");
        }
        if let Some(abs) = class.max_abs {
            let _ = write!(line, ", up to {abs:e}");
        }
        let _ = writeln!(out, "        {line}");
        let worst = class.max_ulp.is_some() || class.max_abs.is_some();
        if worst {
            let _ = writeln!(out, "          worst {}", row(&class.worst));
        }
        for r in class.sample.iter().take(SHOWN_ROWS) {
            let _ = writeln!(out, "          {}", row(r));
        }
    }
    out
}

fn evidence(out: &mut String, report: &ScaleReport, paint: Paint) {
    let fact = |key: &str| match report.evidence.get(key) {
        Some(serde_json::Value::String(s)) => printable(s),
        Some(v) => v.to_string(),
        None => "unknown".into(),
    };
    let line = format!(
        "Spark {} on {}, {} partitions, zone {}, ANSI {}, candidate {}",
        fact("spark"),
        fact("master"),
        fact("partitions"),
        fact("time_zone"),
        if fact("ansi") == "true" { "on" } else { "off" },
        fact("rewrite_ran")
    );
    let _ = writeln!(out, "        {}", paint.dim(&line));
    let (lost, failed) = (fact("lost_executors"), fact("failed_tasks"));
    if lost != "0" || failed != "0" {
        let line = format!("{lost} executors lost, {failed} tasks run again");
        let _ = writeln!(out, "        {}", paint.dim(&line));
    }
}

fn row(r: &ScaleRow) -> String {
    let args: Vec<String> = r.args.iter().map(|(n, v)| format!("{n} = {v}")).collect();
    let m = &r.mismatch;
    let path = if m.path == "value" || m.path == "error" {
        String::new()
    } else {
        format!(" at {}", m.path)
    };
    let text = format!("{}: {} ≠ {}{path}", args.join(", "), m.original, m.rewrite);
    format!("{} [partition {}, row {}]", printable(&text), r.partition, m.row)
}
