//! Compares outcomes. In: two outcomes of the same rows, the inputs and a policy; out: a verdict, counts by class and the
//! differing rows, each of which [`row_mismatches`] takes apart by path. Pure: never runs anything.

mod classes;
mod classify;
mod leaf;
mod policy;
mod text;
pub(crate) mod walk;

use std::collections::BTreeMap;

use arrow::array::{Array, RecordBatch};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use classes::{CLASSES, ClassInfo, announced, class_info};
pub use policy::{Policy, PolicyEntry};
pub use text::cell_text;

use self::classify::Difference;
use crate::run::{NotRunReason, Outcome};

/// Most mismatches that [`Comparison::sample`] holds whole.
const SAMPLE: usize = 100;
/// Of made-up rows, one in so many may be left out of a verdict because it could not be run; of the user's rows none.
const NOT_RUN_SHARE: u64 = 100;
/// Rows that one thread compares at a time.
const CHUNK: usize = 1 << 16;

/// What a test came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Every outcome is the same.
    Equal,
    /// Every difference is in a class that the policy accepts.
    EqualWithinPolicy,
    /// At least one row differs outside the policy.
    Different,
    /// Nothing was shown: zero rows, all null, or the candidate did not really run.
    Vacuous,
    /// Some rows could not be run, and they are too many or came from the user's data: see [`Comparison::not_run`].
    NotProven,
}

impl Verdict {
    /// The words of screens and reports.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Equal => "equal",
            Verdict::EqualWithinPolicy => "equal within policy",
            Verdict::Different => "different",
            Verdict::Vacuous => "vacuous",
            Verdict::NotProven => "not proven",
        }
    }

    /// The sign of screens and reports, where colour alone would say too little.
    pub fn glyph(self) -> &'static str {
        match self {
            Verdict::Equal => "=",
            Verdict::EqualWithinPolicy => "~",
            Verdict::Different => "!",
            Verdict::Vacuous | Verdict::NotProven => "?",
        }
    }

    /// Whether the rewrite gives what the original gives, as far as is asked for.
    pub fn holds(self) -> bool {
        matches!(self, Verdict::Equal | Verdict::EqualWithinPolicy)
    }
}

/// One differing leaf of one row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mismatch {
    /// 0-based row of the batch.
    pub row: u64,
    /// `value`, `value.items[3].price`, `value["key"]`, or `error`.
    pub path: String,
    /// Stable class id, see [`CLASSES`].
    pub class: String,
    /// Oracle's leaf as text.
    pub original: String,
    /// Candidate's leaf as text.
    pub rewrite: String,
    /// Distance in units in the last place, for floats.
    pub ulp: Option<u64>,
    /// Absolute distance, for numbers.
    pub abs: Option<f64>,
    /// Relative distance, for numbers.
    pub rel: Option<f64>,
    /// Whether the policy accepts it.
    pub accepted: bool,
}

/// How far apart two leaves are, where they have a distance.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Distances {
    /// Units in the last place.
    ulp: Option<u64>,
    /// Absolute.
    abs: Option<f64>,
    /// Relative to the original.
    rel: Option<f64>,
}

impl Mismatch {
    fn distances(&self) -> Distances {
        Distances {
            ulp: self.ulp,
            abs: self.abs,
            rel: self.rel,
        }
    }
}

/// How often a class occurred, and its worst case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClassCount {
    /// Rows with at least one mismatch of this class.
    pub rows: u64,
    /// Of those, rows in which the policy accepts every mismatch of this class.
    pub accepted: u64,
    /// The worst mismatch: largest ULP, else largest relative or absolute distance, else the first.
    pub worst: Mismatch,
    /// The smallest bound in ULP that would pass, where every mismatch of the class has one.
    pub max_ulp: Option<u64>,
    /// The smallest absolute bound that would pass.
    pub max_abs: Option<f64>,
    /// The smallest relative bound that would pass.
    pub max_rel: Option<f64>,
}

/// A differing row, small enough to keep millions of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowDiff {
    /// 0-based row of the batch.
    pub row: u32,
    /// Index into [`CLASSES`] of the class of the row's first mismatch.
    pub class: u16,
    /// Whether the policy accepts every mismatch of the row.
    pub accepted: bool,
}

impl RowDiff {
    /// The class id.
    pub fn class_id(self) -> &'static str {
        CLASSES[self.class as usize].id
    }
}

/// What a verdict means, and what can be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// What it means.
    pub meaning: String,
    /// What to try.
    pub hint: String,
}

impl Advice {
    /// For rows that throw on both sides with other exceptions, where nothing else differs.
    pub fn on_exception_class(rows: u64) -> Advice {
        let (rows, verb) = if rows == 1 {
            ("1 row".to_string(), "throws")
        } else {
            (format!("{rows} rows"), "throw")
        };
        Advice {
            meaning: format!("every value is the same; {rows} {verb} on both sides, but another exception class"),
            hint: "accept it with --policy policy.toml (exit code 0 then), a file that holds: \
                   accept = [{class = \"exception-class\", reason = \"callers do not catch by class\", who = \"NAME\"}]"
                .into(),
        }
    }
}

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The verdict.
    pub verdict: Verdict,
    /// Why it is vacuous, if it is.
    pub vacuous_because: Option<String>,
    /// Rows compared: all but those that were not run.
    pub rows: u64,
    /// Why rows could not be run on either side, with counts; such rows are never compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_run: Vec<NotRunReason>,
    /// Rows that differ, accepted or not.
    pub different_rows: u64,
    /// Counts by class id.
    pub classes: BTreeMap<String, ClassCount>,
    /// The first mismatches in row order, whole.
    pub sample: Vec<Mismatch>,
    /// Every differing row in order; [`row_mismatches`] takes one apart. Not recorded.
    #[serde(skip)]
    pub diffs: Vec<RowDiff>,
    /// Schema differences (type, nullability): findings of their own, never value mismatches.
    pub schema_findings: Vec<String>,
}

/// The class of rows in which both sides throw, with other exceptions.
pub const EXCEPTION_CLASS: &str = "exception-class";

impl Comparison {
    /// Rows that were not run and therefore not compared.
    pub fn not_run_rows(&self) -> u64 {
        self.not_run.iter().map(|r| r.rows).sum()
    }

    /// Rows that throw on both sides with other exceptions, where nothing else differs: every value is the same.
    pub fn only_exception_class(&self) -> Option<u64> {
        let alone = self.classes.len() == 1 && self.verdict == Verdict::Different;
        let count = self.classes.get(EXCEPTION_CLASS).filter(|_| alone)?;
        (count.rows == self.different_rows).then_some(count.rows)
    }

    /// The verdict in words: what differs, where that is less than a value.
    pub fn words(&self) -> &'static str {
        match self.only_exception_class() {
            Some(_) => "different only in the exception class",
            None => self.verdict.words(),
        }
    }

    /// What a verdict means that its word alone may mislead about, and what to do about it.
    pub fn advice(&self) -> Option<Advice> {
        self.only_exception_class().map(Advice::on_exception_class)
    }

    /// Whether every mismatch is of a class that one of the notes announced.
    pub fn only_announced(&self, notes: &[crate::propose::Note]) -> bool {
        self.classes
            .keys()
            .all(|class| notes.iter().any(|n| announced(&n.class, class)))
    }
}

/// Compares two outcomes of the same rows; `inputs` helps to classify (a null argument, text beyond the BMP).
///
/// Outcomes of different lengths are different in every row: a candidate that loses rows never passes.
pub fn compare(inputs: &RecordBatch, oracle: &Outcome, candidate: &Outcome, policy: &Policy) -> Comparison {
    let rows = oracle.len();
    let not_run = oracle.not_run.union(&candidate.not_run);
    let mut result = Comparison {
        verdict: Verdict::Equal,
        vacuous_because: None,
        rows: rows.saturating_sub(not_run.len()) as u64,
        not_run: not_run.reasons().to_vec(),
        different_rows: 0,
        classes: BTreeMap::new(),
        sample: Vec::new(),
        diffs: Vec::new(),
        schema_findings: walk::schema_findings(oracle.values.data_type(), candidate.values.data_type()),
    };
    if candidate.len() != rows {
        result.verdict = Verdict::Different;
        result.different_rows = rows.max(candidate.len()) as u64;
        result
            .schema_findings
            .push(format!("the candidate returned {} rows for {rows}", candidate.len()));
        return result;
    }
    let mut differ = walk::differing_rows(oracle, candidate, CHUNK);
    if !not_run.is_empty() {
        differ.retain(|row| not_run.reason(*row as usize).is_none());
    }
    let parts: Vec<Tally> = differ
        .par_chunks(CHUNK / 8)
        .map(|rows| Tally::of_rows(rows, inputs, oracle, candidate, policy))
        .collect();
    for part in parts {
        part.merge_into(&mut result);
    }
    result.different_rows = result.diffs.len() as u64;
    settle(
        &mut result,
        oracle,
        candidate,
        crate::inputs::made_up(inputs.schema_ref()),
    );
    result
}

/// Every mismatch of one row, by path. Empty if the row does not differ.
pub fn row_mismatches(
    inputs: &RecordBatch,
    oracle: &Outcome,
    candidate: &Outcome,
    policy: &Policy,
    row: usize,
) -> Vec<Mismatch> {
    if oracle.not_run.reason(row).is_some() || candidate.not_run.reason(row).is_some() {
        return Vec::new();
    }
    let hints = classify::Hints::of_row(inputs, row);
    let mut found = walk::row_leaves(oracle, candidate, row, &hints);
    for m in &mut found {
        m.accepted = policy.accepts(m);
    }
    found
}

/// Chooses the verdict once everything is counted.
fn settle(result: &mut Comparison, oracle: &Outcome, candidate: &Outcome, made_up: bool) {
    let not_run = result.not_run_rows();
    let all = result.rows + not_run;
    let valued = |o: &Outcome| o.values.len() > o.values.logical_null_count();
    if result.diffs.iter().any(|d| !d.accepted) {
        result.verdict = Verdict::Different;
    } else if not_run > 0 && !(made_up && not_run <= all / NOT_RUN_SHARE) {
        result.verdict = Verdict::NotProven;
    } else if result.rows == 0 {
        result.vacuous_because = Some("there were no rows".into());
    } else if !valued(oracle) && !valued(candidate) {
        result.vacuous_because = Some("no row gave a value: all are null or threw".into());
    } else if !result.diffs.is_empty() {
        result.verdict = Verdict::EqualWithinPolicy;
    }
    if result.vacuous_because.is_some() {
        result.verdict = Verdict::Vacuous;
    }
}

/// What one chunk of differing rows adds up to.
#[derive(Default)]
struct Tally {
    diffs: Vec<RowDiff>,
    classes: BTreeMap<String, ClassCount>,
    sample: Vec<Mismatch>,
}

impl Tally {
    fn of_rows(rows: &[u32], inputs: &RecordBatch, oracle: &Outcome, candidate: &Outcome, policy: &Policy) -> Tally {
        let mut tally = Tally::default();
        for &row in rows {
            let written_out = || row_mismatches(inputs, oracle, candidate, policy, row as usize);
            match walk::scalar_difference(inputs, oracle, candidate, row as usize) {
                Some(d) => tally.add_scalar(row, d, policy, || written_out().swap_remove(0)),
                None => tally.add(row, written_out()),
            }
        }
        tally
    }

    /// Counts a row of scalar results. Its one mismatch is written out only where it is kept: a candidate that is wrong
    /// in every row would otherwise spend the time of its verdict on texts that nobody reads.
    fn add_scalar(&mut self, row: u32, d: Difference, policy: &Policy, written_out: impl Fn() -> Mismatch) {
        let accepted = policy.accepts_distances(d.class, d.distances);
        self.diffs.push(RowDiff {
            row,
            class: classes::index_of(d.class),
            accepted,
        });
        if self.sample.len() < SAMPLE {
            self.sample.push(written_out());
        }
        match self.classes.get_mut(d.class) {
            Some(count) => {
                count.add_row(accepted);
                count.widen(d.distances, written_out);
            }
            None => {
                self.classes
                    .insert(d.class.to_owned(), ClassCount::first(&written_out(), accepted));
            }
        }
    }

    fn add(&mut self, row: u32, mismatches: Vec<Mismatch>) {
        let Some(first) = mismatches.first() else { return };
        let class = classes::index_of(&first.class);
        self.diffs.push(RowDiff {
            row,
            class,
            accepted: mismatches.iter().all(|m| m.accepted),
        });
        let mut seen: Vec<&str> = Vec::with_capacity(1);
        for m in &mismatches {
            if !seen.contains(&m.class.as_str()) {
                seen.push(&m.class);
                let all_accepted = mismatches.iter().filter(|o| o.class == m.class).all(|o| o.accepted);
                match self.classes.get_mut(&m.class) {
                    Some(count) => count.add_row(all_accepted),
                    None => {
                        self.classes.insert(m.class.clone(), ClassCount::first(m, all_accepted));
                    }
                }
            }
            if let Some(count) = self.classes.get_mut(&m.class) {
                count.widen(m.distances(), || m.clone());
            }
        }
        if self.sample.len() < SAMPLE {
            self.sample.extend(mismatches);
        }
    }

    fn merge_into(self, result: &mut Comparison) {
        result.diffs.extend(self.diffs);
        let room = SAMPLE.saturating_sub(result.sample.len());
        result.sample.extend(self.sample.into_iter().take(room));
        for (id, count) in self.classes {
            match result.classes.get_mut(&id) {
                Some(total) => total.merge(count),
                None => {
                    result.classes.insert(id, count);
                }
            }
        }
    }
}

/// The larger of two bounds; unknown if either is.
fn larger<T: PartialOrd>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b > a { b } else { a }),
        _ => None,
    }
}

impl ClassCount {
    /// The count of one row, whose first mismatch of the class is `m`.
    fn first(m: &Mismatch, accepted: bool) -> ClassCount {
        let (max_ulp, max_abs, max_rel) = (m.ulp, m.abs, m.rel);
        ClassCount {
            rows: 1,
            accepted: u64::from(accepted),
            worst: m.clone(),
            max_ulp,
            max_abs,
            max_rel,
        }
    }

    fn add_row(&mut self, accepted: bool) {
        self.rows += 1;
        self.accepted += u64::from(accepted);
    }

    fn merge(&mut self, other: ClassCount) {
        self.rows += other.rows;
        self.accepted += other.accepted;
        let largest = Distances {
            ulp: other.max_ulp,
            abs: other.max_abs,
            rel: other.max_rel,
        };
        self.raise(largest);
        if worse(other.worst.distances(), self.worst.distances()) {
            self.worst = other.worst;
        }
    }

    fn widen(&mut self, d: Distances, written_out: impl FnOnce() -> Mismatch) {
        if worse(d, self.worst.distances()) {
            self.worst = written_out();
        }
        self.raise(d);
    }

    fn raise(&mut self, d: Distances) {
        self.max_ulp = larger(self.max_ulp, d.ulp);
        self.max_abs = larger(self.max_abs, d.abs);
        self.max_rel = larger(self.max_rel, d.rel);
    }
}

/// Whether `a` is a worse case than `b`: by ULP, then relative, then absolute distance.
fn worse(a: Distances, b: Distances) -> bool {
    match (a.ulp, b.ulp) {
        (Some(x), Some(y)) if x != y => return x > y,
        _ => {}
    }
    match (a.rel, b.rel) {
        (Some(x), Some(y)) if x != y => return x > y,
        _ => {}
    }
    matches!((a.abs, b.abs), (Some(x), Some(y)) if x > y)
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod golden;
