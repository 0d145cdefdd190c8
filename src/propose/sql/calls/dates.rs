//! Dates by a pattern, as templates.

use super::super::literal;

/// The fields of a pattern of `yyyy`, `MM`, `dd` as `CAST(substring(…) AS INT)`.
pub(super) fn date_fields(pattern: &str) -> [String; 3] {
    ["yyyy", "MM", "dd"].map(|letters| {
        let at = pattern.find(letters).unwrap_or(0);
        let place = pattern[..at].chars().count() + 1;
        format!("CAST(substring({{0}}, {place}, {}) AS INT)", letters.len())
    })
}

/// Whether text is a date by a pattern: digits at their places, a year from 1, a month, a day up to 31.
pub(super) fn date_test(pattern: &str) -> String {
    let mut regex = String::from("\\A");
    for c in pattern.chars() {
        match c {
            'y' | 'M' | 'd' => regex.push_str("[0-9]"),
            c if c.is_ascii_punctuation() => regex.extend(['\\', c]),
            c => regex.push(c),
        }
    }
    let regex = regex
        .replace("[0-9][0-9][0-9][0-9]", "[0-9]{4}")
        .replace("[0-9][0-9]", "[0-9]{2}");
    let regex = literal::text(&format!("{regex}\\z"))
        .replace('{', "{{")
        .replace('}', "}}");
    let [y, m, d] = date_fields(pattern);
    format!("({{0.}} RLIKE {regex} AND {y} > 0 AND {m} BETWEEN 1 AND 12 AND {d} BETWEEN 1 AND 31)")
}

/// The date; the JVM takes a day past the end of the month for its last.
pub(super) fn date_by(pattern: &str) -> String {
    let [y, m, d] = date_fields(pattern);
    let first = format!("make_date({y}, {m}, 1)");
    format!("least(date_add({first}, {d} - 1), last_day({first}))")
}
