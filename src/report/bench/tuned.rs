//! A search for a faster kernel as text: a line for each try, then what may be said of the fastest.

use super::numbers::{duration, percent, width};
use super::{Line, Tone, claimed};
use crate::bench::{Try, Tuned};
use crate::compare::Verdict;

/// The lines.
pub(super) fn lines(tuned: &Tuned) -> Vec<Line> {
    let count = tuned.tries.len() - 1;
    let mut out = vec![(
        Tone::Head,
        format!("{count} other shapes of the kernel, each compared with the original before it was timed:"),
    )];
    let best = |n| n == tuned.best && n > 0;
    out.extend(tuned.tries.iter().enumerate().map(|(n, t)| one(t, best(n))));
    match &tuned.claimed {
        Some(found) => out.push(claimed(found)),
        None => out.push((Tone::Plain, "none of them is faster than the kernel as it is".into())),
    }
    out
}

/// One try, for the page and for the list to choose from.
pub fn tried(t: &Try) -> (String, String) {
    let glyph = t.verdict.unwrap_or(Verdict::NotProven).glyph();
    let took = match (&t.times, t.share_of_copy) {
        (Ok(times), share) => {
            let share = share.map(|s| format!("  {} of copy", percent(s))).unwrap_or_default();
            format!("{:>9}  {:<8}{share}", duration(times.seconds.median), width(times))
        }
        (Err(missing), _) => missing.why.clone(),
    };
    (format!("{glyph} {}", t.what), took)
}

fn one(t: &Try, best: bool) -> Line {
    let (what, took) = tried(t);
    let tone = match (best, &t.times) {
        (true, _) => Tone::Good,
        (false, Ok(_)) => Tone::Plain,
        (false, Err(_)) => Tone::Unknown,
    };
    (
        tone,
        format!("  {what:<40} {took}{}", if best { "  fastest" } else { "" }),
    )
}
