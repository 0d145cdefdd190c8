//! A benchmark as text: a table, what may be claimed, a chart over sizes, what it means for a job. The screen shows the same lines.

mod chart;
mod numbers;
mod parts;
mod tuned;

use super::text::Paint;
use super::{grouped, printable};
use crate::bench::{BenchReport, Claim, Claimed, Verified};

pub use chart::chart;
pub use numbers::{duration, fold, times};
use numbers::{percent, rate, width};
pub use tuned::tried;

/// What a line is, as far as colour goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// A heading.
    Head,
    /// Plain.
    Plain,
    /// What matters less.
    Quiet,
    /// What holds.
    Good,
    /// What is wrong.
    Bad,
    /// What is not known.
    Unknown,
}

/// A line with its tone.
pub type Line = (Tone, String);

/// All lines of a benchmark.
pub fn bench_lines(report: &BenchReport) -> Vec<Line> {
    let mut out = parts::head(report);
    out.extend(parts::table(report));
    out.extend(parts::device(report));
    if let Some(v) = &report.verified {
        out.push(verified(v));
    }
    out.extend(report.claims.iter().map(claimed));
    if let Some(compared) = &report.compared {
        out.extend(parts::compared(compared));
    }
    if let Some(sweep) = &report.sweep {
        out.extend(parts::sweep(sweep));
    }
    if let Some(tuned) = &report.tuned {
        out.extend(tuned::lines(tuned));
    }
    if let Some(job) = &report.job {
        out.extend(parts::job(job));
    }
    for w in &report.warnings {
        out.push((Tone::Bad, format!("warning: {} ({})", w.what, w.remedy)));
    }
    out.iter_mut().for_each(|(_, line)| *line = printable(line));
    out
}

/// The same as one text.
pub fn bench_text(report: &BenchReport, paint: Paint) -> String {
    let mut out = String::new();
    for (tone, line) in bench_lines(report) {
        let line = match tone {
            Tone::Head => paint.strong(&line),
            Tone::Quiet => paint.dim(&line),
            Tone::Good => paint.good(&line),
            Tone::Bad => paint.bad(&line),
            Tone::Unknown => paint.unknown(&line),
            Tone::Plain => line,
        };
        out.push_str(&line);
        out.push('\n');
    }
    out
}

/// What was compared of the output that was timed.
pub fn verified(v: &Verified) -> Line {
    let glyph = match v.trouble {
        Some(_) => "!",
        None => v.verdict.glyph(),
    };
    let repeated = match v.repeated_rows {
        0 => String::new(),
        n => format!("; {} more rows repeat them and came out alike", grouped(n)),
    };
    let text = match &v.trouble {
        Some(trouble) => format!("{glyph} what was timed is wrong: {trouble}"),
        None => format!(
            "{glyph} what was timed is {} on {} rows against {}{repeated}",
            v.verdict.words(),
            grouped(v.rows),
            v.oracle
        ),
    };
    let tone = match v.holds() {
        true => Tone::Good,
        false => Tone::Bad,
    };
    (tone, text)
}

/// A claim in one line.
pub fn claimed(c: &Claimed) -> Line {
    let tone = match c.claim {
        Claim::Faster => Tone::Good,
        Claim::Slower => Tone::Bad,
        Claim::Same => Tone::Plain,
        Claim::Ambiguous => Tone::Unknown,
    };
    let note = c.note.as_ref().map(|n| format!(", {n}")).unwrap_or_default();
    let text = format!(
        "{:<9} {} as {} ({}{note})",
        c.claim.name(),
        numbers::times(c.speed_up.median),
        c.against,
        numbers::range(c.speed_up, numbers::times)
    );
    (tone, text)
}

/// The benchmark in one line, for the screen's panel: `kernel 1.04 ms ±0.3% · 4.14 TB/s = 98% of copy`.
pub fn bench_summary(report: &BenchReport) -> String {
    match &report.gpu {
        Ok(gpu) => {
            let cold = &gpu.cold;
            let mut text = format!("kernel {} {}", duration(cold.seconds.median), width(cold));
            match &gpu.bandwidth {
                Ok(b) => text.push_str(&format!(
                    " · {} = {} of copy",
                    rate(b.bytes_per_second.median),
                    percent(b.share_of_copy.median)
                )),
                Err(_) => text.push_str(" · its bandwidth cannot be believed"),
            }
            text
        }
        Err(missing) => format!("not timed: {}", missing.why),
    }
}
