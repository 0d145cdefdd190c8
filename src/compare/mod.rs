//! Compares outcomes. In: two outcomes, the inputs and a policy; out: a verdict and classified mismatches by path. Pure.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

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
}

/// One differing leaf of one row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mismatch {
    /// 0-based row of the batch.
    pub row: u64,
    /// `value`, `value.items[3].price`, `value["key"]`, or `error`.
    pub path: String,
    /// Stable class id.
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

/// How often a class occurred, and its worst case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClassCount {
    /// Rows with at least one mismatch of this class.
    pub rows: u64,
    /// Of those, rows that the policy accepts.
    pub accepted: u64,
    /// The worst mismatch: largest ULP, else relative, else first.
    pub worst: Mismatch,
}

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The verdict.
    pub verdict: Verdict,
    /// Why it is vacuous, if it is.
    pub vacuous_because: Option<String>,
    /// Rows compared.
    pub rows: u64,
    /// Rows that differ, accepted or not.
    pub different_rows: u64,
    /// Counts by class, by id.
    pub classes: BTreeMap<String, ClassCount>,
    /// The first mismatches in row order, whole.
    pub sample: Vec<Mismatch>,
    /// Schema differences (type, nullability): findings of their own, never value mismatches.
    pub schema_findings: Vec<String>,
}

/// What the user accepts for one UDF.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Policy {
    /// Accepted classes, each with bound, reason and name.
    pub entries: Vec<PolicyEntry>,
}

/// One accepted deviation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PolicyEntry {
    /// Class id.
    pub class: String,
    /// Largest accepted distance in ULP, where the class has one.
    pub max_ulp: Option<u64>,
    /// Largest accepted absolute distance.
    pub max_abs: Option<f64>,
    /// Largest accepted relative distance.
    pub max_rel: Option<f64>,
    /// Why it is acceptable.
    pub reason: String,
    /// Who accepted it.
    pub who: String,
}

/// Compares two outcomes of the same rows; `inputs` helps to classify (a null argument, a tie, text beyond ASCII).
pub fn compare(
    inputs: &arrow::array::RecordBatch,
    oracle: &crate::run::Outcome,
    candidate: &crate::run::Outcome,
    policy: &Policy,
) -> Comparison {
    let _ = (inputs, oracle, candidate, policy);
    unimplemented!("being written")
}
