//! Rows about which a run can say nothing. In: rows with reasons, in order; out: the rows, and each reason with its count. The
//! number of distinct reasons is bounded, so that data cannot make a report grow without end.

use serde::{Deserialize, Serialize};

use crate::source::Span;

/// Most distinct reasons; further ones are counted under [`OTHER`].
const MOST_REASONS: usize = 8;
/// The reason of rows whose own reason is one too many.
const OTHER: &str = "other reasons";

/// The class that a row that was not run has among the errors of a written outcome. No JVM class is called so.
pub const NOT_RUN: &str = "NotRun";

/// Why rows were not run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotRunReason {
    /// One sentence without a final stop.
    pub text: String,
    /// Where in the original, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// How many rows.
    pub rows: u64,
    /// The first of them, 0-based.
    pub first_row: u64,
}

impl NotRunReason {
    /// `3 rows not run, the first is row 17: reason`.
    pub fn words(&self) -> String {
        match self.rows {
            1 => format!("row {} not run: {}", self.first_row, self.text),
            n => format!("{n} rows not run, the first is row {}: {}", self.first_row, self.text),
        }
    }
}

/// The rows of a batch that were not run. Empty for most runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NotRun {
    rows: Vec<(u32, u8)>,
    reasons: Vec<NotRunReason>,
}

impl NotRun {
    /// Whether every row was run.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many rows were not.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The reasons, in the order in which they first occurred.
    pub fn reasons(&self) -> &[NotRunReason] {
        &self.reasons
    }

    /// The reason of a row.
    pub fn reason(&self, row: usize) -> Option<&NotRunReason> {
        let row = u32::try_from(row).ok()?;
        let at = self.rows.binary_search_by_key(&row, |r| r.0).ok()?;
        self.reasons.get(usize::from(self.rows[at].1))
    }

    /// Adds a row behind those that are there.
    pub fn add(&mut self, row: usize, text: &str, span: Option<Span>) {
        let reason = self.index(text, span, 1, row as u64);
        self.rows.push((row as u32, reason));
    }

    /// Adds the rows of a later part.
    pub fn extend(&mut self, later: NotRun) {
        let map: Vec<u8> = later
            .reasons
            .iter()
            .map(|r| self.index(&r.text, r.span, r.rows, r.first_row))
            .collect();
        self.rows
            .extend(later.rows.into_iter().map(|(row, i)| (row, map[usize::from(i)])));
    }

    /// Both, for rows that are to be left out where either side has nothing to say.
    pub fn union(&self, other: &NotRun) -> NotRun {
        if other.is_empty() {
            return self.clone();
        }
        let mut all: Vec<(u32, &NotRunReason)> = [self, other]
            .into_iter()
            .flat_map(|n| n.rows.iter().map(|(row, i)| (*row, &n.reasons[usize::from(*i)])))
            .collect();
        all.sort_by_key(|(row, _)| *row);
        all.dedup_by_key(|(row, _)| *row);
        let mut out = NotRun::default();
        for (row, reason) in all {
            out.add(row as usize, &reason.text, reason.span);
        }
        out
    }

    fn index(&mut self, text: &str, span: Option<Span>, rows: u64, first_row: u64) -> u8 {
        if let Some(at) = self.reasons.iter().position(|r| r.text == text && r.span == span) {
            self.reasons[at].rows += rows;
            return at as u8;
        }
        if self.reasons.len() + 1 < MOST_REASONS || text == OTHER {
            self.reasons.push(NotRunReason {
                text: text.to_owned(),
                span,
                rows,
                first_row,
            });
            return (self.reasons.len() - 1) as u8;
        }
        self.index(OTHER, None, rows, first_row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_counted_and_bounded() {
        let mut all = NotRun::default();
        for row in 0..100 {
            all.add(row, &format!("reason {}", row % 50), None);
        }
        assert_eq!((all.len(), all.reasons().len()), (100, MOST_REASONS));
        assert_eq!(all.reason(53).map(|r| r.rows), Some(2));
        assert_eq!(
            all.reasons().last().map(|r| (r.text.as_str(), r.rows)),
            Some((OTHER, 86))
        );
        assert_eq!(all.reason(100), None);
    }

    #[test]
    fn parts_are_joined_in_order() {
        let (mut a, mut b) = (NotRun::default(), NotRun::default());
        a.add(1, "x", None);
        b.add(7, "y", None);
        b.add(9, "x", None);
        a.extend(b.clone());
        assert_eq!(
            a.reason(9).map(|r| (r.text.as_str(), r.rows, r.first_row)),
            Some(("x", 2, 1))
        );
        let u = a.union(&b);
        assert_eq!(u.len(), 3);
        assert_eq!(u.reasons().len(), 2);
    }
}
