//! Dropping text at the ends: `trim`, `strip`, Scala's `stripMargin` and kin, and splitting into lines.

use crate::jvm::unicode;

/// `String.trim()`: drops everything up to U+0020 from both ends.
pub fn trim(units: &[u16]) -> &[u16] {
    trim_by(units, |u| u <= 0x20, true, true)
}

/// Drops units for which `drop` holds from the chosen ends.
pub fn trim_by(units: &[u16], drop: impl Fn(u16) -> bool, start: bool, end: bool) -> &[u16] {
    let mut from = 0;
    let mut to = units.len();
    while start && from < to && drop(units[from]) {
        from += 1;
    }
    while end && from < to && drop(units[to - 1]) {
        to -= 1;
    }
    &units[from..to]
}

/// `String.strip()` and its one-sided forms; no whitespace lies beyond the basic plane.
pub fn strip(units: &[u16], start: bool, end: bool) -> &[u16] {
    trim_by(units, |u| unicode::is_whitespace(u32::from(u)), start, end)
}

/// Lines as `String.lines()` gives them: `\n`, `\r` and `\r\n` end a line; no empty line after the last end.
pub fn java_lines(units: &[u16]) -> Vec<&[u16]> {
    let mut out = Vec::new();
    let mut from = 0;
    while from < units.len() {
        let end = units[from..].iter().position(|u| matches!(u, 10 | 13));
        let Some(len) = end else {
            out.push(&units[from..]);
            break;
        };
        let end = from + len;
        out.push(&units[from..end]);
        from = end
            + if units[end] == 13 && units.get(end + 1) == Some(&10) {
                2
            } else {
                1
            };
    }
    out
}

/// Lines of Scala 2.12's `linesWithSeparators`: `\n` and form feed end a line and stay with it.
pub fn scala_lines_with_ends(units: &[u16]) -> Vec<&[u16]> {
    units.split_inclusive(|u| matches!(u, 10 | 12)).collect()
}

/// Scala's `stripLineEnd`: one `\r\n`, `\n` or form feed at the end.
pub fn strip_line_end(units: &[u16]) -> &[u16] {
    match units {
        [rest @ .., 13, 10] => rest,
        [rest @ .., 10 | 12] => rest,
        _ => units,
    }
}

/// Scala's `stripMargin(c)`: drops leading blanks up to and including the margin character from each line that has one.
pub fn strip_margin(units: &[u16], margin: u16) -> Vec<u16> {
    let mut out = Vec::with_capacity(units.len());
    for line in scala_lines_with_ends(units) {
        let body = line.iter().position(|u| *u > 0x20).map(|at| &line[at..]);
        match body {
            Some([first, rest @ ..]) if *first == margin => out.extend_from_slice(rest),
            _ => out.extend_from_slice(line),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_vectors::{Cell, escape, vectors};

    #[test]
    fn ends_are_dropped_as_in_the_jvm() {
        for (file, f) in [
            ("str_trim", trim as fn(&[u16]) -> &[u16]),
            ("str_strip", |u: &[u16]| strip(u, true, true)),
        ] {
            for row in vectors(file).rows() {
                if let (Some(a), Cell::Text(want)) = (row.units("a"), row.cell("jvm_result")) {
                    assert_eq!(escape(f(&a)), escape(&want), "{row:?}");
                }
            }
        }
    }

    #[test]
    fn lines_end_as_in_the_jvm() {
        let u = |s: &str| s.encode_utf16().collect::<Vec<u16>>();
        let text = u("a\r\nb\rc\n\n");
        assert_eq!(java_lines(&text), vec![u("a"), u("b"), u("c"), u("")]);
        assert_eq!(strip_margin(&u("  |a\n  b\n |"), u16::from(b'|')), u("a\n  b\n"));
    }
}
