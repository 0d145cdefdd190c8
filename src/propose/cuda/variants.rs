//! The same kernel in other shapes, for finding the fastest: rows of a thread, elements moved at a time, threads of a block,
//! caches, where nulls are told apart. In: a kernel's text, edited or not; out: texts that compute the same in another order. What
//! a text does not have the form for is left out, and nothing is said about which one is faster.

use super::lines::Lines;
use super::several::{self, BEGIN};
use super::wide;
use crate::run::cuda::{ROWS_PER_THREAD, THREADS_PER_BLOCK};

/// What can be varied, in the order in which it is worth trying.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Rows of a thread.
    Rows,
    /// Elements that one instruction moves.
    Width,
    /// Threads of a block.
    Block,
    /// Caches that reads go through.
    Loads,
    /// Whether nulls are branched around, or computed and masked out.
    Nulls,
}

/// One text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// What was changed, in words: `8 rows per thread`.
    pub what: String,
    /// The text.
    pub text: String,
}

impl Axis {
    /// All.
    pub const ALL: [Axis; 5] = [Axis::Rows, Axis::Width, Axis::Block, Axis::Loads, Axis::Nulls];
}

/// What is put before the includes for reads through a cache, and how it is called.
const LOADS: [(&str, &str); 2] = [
    ("#define RW_LOAD_PLAIN", "plain reads"),
    ("#define RW_LOAD_STREAMING", "reads that leave nothing in the caches"),
];

/// The texts that differ in one respect from this one; none where it has not the form for it.
pub fn variants(text: &str, axis: Axis) -> Vec<Variant> {
    let made: Vec<(String, Option<String>)> = match axis {
        Axis::Rows => [1, 2, 4, 8, 16]
            .map(|n| (format!("{n} rows per thread"), rows(text, n)))
            .into(),
        Axis::Width => [
            (1, "one element"),
            (2, "2 elements"),
            (4, "4 elements"),
            (8, "8 elements"),
        ]
        .map(|(n, what)| (format!("{what} at a time"), wide::side(text, n)))
        .into(),
        Axis::Block => [64, 128, 256, 512]
            .map(|n| (format!("{n} threads per block"), block(text, n)))
            .into(),
        Axis::Loads => loads(text),
        Axis::Nulls => vec![("nulls computed and masked out".to_owned(), masked(text))],
    };
    let other = |(what, made): (String, Option<String>)| {
        let text = made.filter(|made| made != text)?;
        Some(Variant { what, text })
    };
    made.into_iter().filter_map(other).collect()
}

/// The number that a constant has in a text.
pub(super) fn constant(text: &str, name: &str) -> Option<usize> {
    let line = text.lines().find_map(|l| l.strip_prefix(&declared(name)))?;
    line.strip_suffix(';')?.parse().ok()
}

/// How the declaration of a constant begins.
pub(super) fn declared(name: &str) -> String {
    format!("constexpr int {name} = ")
}

/// The text with another number for a constant that it declares.
fn with_constant(text: &str, name: &str, to: usize) -> Option<String> {
    constant(text, name)?;
    let line = |l: &str| match l.starts_with(&declared(name)) {
        true => format!("{}{to};", declared(name)),
        false => l.to_owned(),
    };
    Some(by_line(text, line))
}

fn by_line(text: &str, mut f: impl FnMut(&str) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        out.push_str(&f(line));
        out.push('\n');
    }
    out
}

/// So many rows for each thread.
fn rows(text: &str, n: usize) -> Option<String> {
    let width = wide::width(text);
    if let Some(now) = constant(text, ROWS_PER_THREAD) {
        let whole = width.is_none_or(|w| n.is_multiple_of(w));
        return with_constant(text, ROWS_PER_THREAD, n)
            .filter(|_| whole && now != n)
            .map(|t| by_line(&t, |l| wide::said(l, n, width)));
    }
    if n == 1 {
        return None;
    }
    let made = several::with(Lines::of(text), Some(n)).finish().0;
    made.contains(BEGIN).then_some(made)
}

/// So many threads for each block.
fn block(text: &str, n: usize) -> Option<String> {
    match constant(text, THREADS_PER_BLOCK) {
        Some(_) => with_constant(text, THREADS_PER_BLOCK, n),
        // Nothing said is 256.
        None if n == 256 => None,
        None => {
            let entry = text.lines().position(|l| l.starts_with("extern \"C\" __global__"))?;
            let mut lines: Vec<&str> = text.lines().collect();
            let line = format!("{}{n};", declared(THREADS_PER_BLOCK));
            lines.insert(entry, &line);
            Some(lines.join("\n") + "\n")
        }
    }
}

/// Other caches for what `rw::load` reads.
fn loads(text: &str) -> Vec<(String, Option<String>)> {
    if !text.contains("rw::load(") && !text.contains("rw::load_side<") {
        return Vec::new();
    }
    let without = |l: &&str| !LOADS.iter().any(|(define, _)| l == define);
    let plain: Vec<&str> = text.lines().filter(without).collect();
    let made = LOADS.map(|(define, what)| {
        let first = plain.iter().position(|l| l.starts_with("#include"));
        let text = first.map(|at| {
            let mut lines = plain.clone();
            lines.insert(at, define);
            lines.join("\n") + "\n"
        });
        (what.to_owned(), text)
    });
    made.into_iter()
        .chain([("plain reads".to_owned(), Some(plain.join("\n") + "\n"))])
        .collect()
}

/// Rows whose arguments are null computed like the others and masked out afterwards. Only where a row is short: what stands in the
/// memory of a null may be anything, and a loop over it may take any time.
fn masked(text: &str) -> Option<String> {
    if several::is_long(&Lines::of(text)) {
        return None;
    }
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let guard = lines.iter().position(|l| guard(l).is_some())?;
    let condition = self::guard(&lines[guard])?.to_owned();
    let indent: String = lines[guard].chars().take_while(|c| *c == ' ').collect();
    let end = (guard + 1..lines.len()).find(|n| lines[*n] == format!("{indent}}}"))?;
    lines[guard] = format!("{indent}const bool rw_present = {condition};");
    for line in &mut lines[guard + 1..end] {
        let inner = line.trim_start();
        let inner = match inner.strip_prefix("valid = ") {
            Some(rest) => format!("valid = rw_present && {rest}"),
            None => inner.replace(
                "if (cx.error != rw::kNone) error[row]",
                "if (rw_present && cx.error != rw::kNone) error[row]",
            ),
        };
        *line = format!("{indent}{inner}");
    }
    lines.remove(end);
    Some(lines.join("\n") + "\n")
}

/// The condition of a line that lets a row be computed only where no argument is null.
fn guard(line: &str) -> Option<&str> {
    let condition = line.trim_start().strip_prefix("if (")?.strip_suffix(") {")?;
    let all = condition.split(" && ").all(|part| {
        part.strip_suffix("_row.valid")
            .is_some_and(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'))
    });
    all.then_some(condition)
}
