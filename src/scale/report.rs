//! What the application says, as values. In: its JSON lines; out: progress and the report with its verdict.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Request;
use crate::compare::{Advice, EXCEPTION_CLASS, Mismatch, Verdict};
use crate::error::{Error, Result};
use crate::propose::Tier;
use crate::run::spark::Packed;

/// How far the application is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Progress {
    /// It knows its input and begins.
    Started {
        /// Partitions to work through.
        partitions: u64,
    },
    /// Partitions that got further.
    Progress {
        /// Rows so far.
        rows: u64,
        /// Rows that differ so far, accepted or not.
        different: u64,
        /// Finished partitions.
        done: u64,
        /// All partitions.
        partitions: u64,
        /// Those that changed since the last report.
        parts: Vec<PartProgress>,
    },
    /// The candidate throws: it begins again, guarding every row.
    Again {
        /// Why.
        reason: String,
    },
    /// A task failed; Spark tries it again.
    TaskFailed {
        /// Which partition.
        partition: u64,
        /// Which attempt, from 0.
        attempt: u64,
        /// Spark's reason.
        reason: String,
    },
    /// An executor is gone; Spark runs its tasks elsewhere.
    ExecutorLost {
        /// Which.
        executor: String,
        /// Spark's reason.
        reason: String,
    },
}

/// How far one partition is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartProgress {
    /// 0-based number.
    pub partition: u64,
    /// Rows so far.
    pub rows: u64,
    /// Rows that differ so far.
    pub different: u64,
    /// Whether it is finished.
    pub done: bool,
}

/// A mismatch with the place and the arguments of its row; `row` counts within the partition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScaleRow {
    /// 0-based partition of the input.
    pub partition: u64,
    /// Arguments as text, by parameter name, in call order. Long ones are cut.
    pub args: Vec<(String, String)>,
    /// What differs.
    #[serde(flatten)]
    pub mismatch: Mismatch,
}

/// The rows of one class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScaleClass {
    /// Rows with at least one mismatch of this class.
    pub rows: u64,
    /// Of those, rows in which the policy accepts every mismatch of this class.
    pub accepted: u64,
    /// The smallest bound in ULP that would pass, where every mismatch of the class has one.
    pub max_ulp: Option<u64>,
    /// The smallest absolute bound that would pass.
    pub max_abs: Option<f64>,
    /// The smallest relative bound that would pass.
    pub max_rel: Option<f64>,
    /// The worst row.
    pub worst: ScaleRow,
    /// The first rows, in order of partition and row.
    pub sample: Vec<ScaleRow>,
}

/// What a run over a whole input came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScaleReport {
    /// Which tier.
    pub tier: Tier,
    /// The verdict.
    pub verdict: Verdict,
    /// Why it is vacuous, if it is.
    pub vacuous_because: Option<String>,
    /// Rows compared.
    pub rows: u64,
    /// Rows that differ, accepted or not.
    pub different_rows: u64,
    /// Of those, rows that the policy accepts.
    pub accepted_rows: u64,
    /// Rows for which the original gave a value.
    pub original_values: u64,
    /// Rows for which the candidate gave a value.
    pub rewrite_values: u64,
    /// Rows for which the original threw.
    pub original_threw: u64,
    /// Rows for which the candidate threw.
    pub rewrite_threw: u64,
    /// Whether it ended early because enough rows differ; then the counts are of the rows seen.
    pub stopped: bool,
    /// Counts, worst and first rows by class.
    pub classes: BTreeMap<String, ScaleClass>,
    /// Schema differences: findings of their own, never value mismatches.
    pub schema_findings: Vec<String>,
    /// What ran where: versions, master, settings, plan, files with their digest, what was lost on the way.
    pub evidence: BTreeMap<String, Value>,
}

impl ScaleReport {
    /// What the verdict means, where its word alone may mislead. Nothing is said of an input that was not read to its end.
    pub fn advice(&self) -> Option<Advice> {
        let count = self.classes.get(EXCEPTION_CLASS).filter(|_| self.classes.len() == 1)?;
        let all = self.verdict == Verdict::Different && !self.stopped && count.rows == self.different_rows;
        all.then(|| Advice::on_exception_class(count.rows))
    }
}

/// A row as the application gives it: arguments without names.
#[derive(Debug, Deserialize)]
struct Row {
    partition: u64,
    args: Vec<String>,
    #[serde(flatten)]
    mismatch: Mismatch,
}

impl Row {
    fn named(self, params: &[String]) -> ScaleRow {
        ScaleRow {
            partition: self.partition,
            args: params.iter().cloned().zip(self.args).collect(),
            mismatch: self.mismatch,
        }
    }
}

#[derive(Debug, Deserialize)]
struct Class {
    rows: u64,
    accepted: u64,
    max_ulp: Option<u64>,
    max_abs: Option<f64>,
    max_rel: Option<f64>,
    worst: Row,
    sample: Vec<Row>,
}

/// The application's result.
#[derive(Debug, Deserialize)]
pub(super) struct Verified {
    rows: u64,
    different_rows: u64,
    accepted_rows: u64,
    original_values: u64,
    rewrite_values: u64,
    original_threw: u64,
    rewrite_threw: u64,
    stopped: bool,
    classes: BTreeMap<String, Class>,
    evidence: BTreeMap<String, Value>,
}

impl Verified {
    pub(super) fn of(json: Value) -> Result<Verified> {
        serde_json::from_value(json).map_err(|e| Error::internal("the result cannot be read").because(e))
    }

    fn verdict(&self) -> (Verdict, Option<String>) {
        let vacuous = |why: &str| (Verdict::Vacuous, Some(why.to_owned()));
        if self.different_rows > self.accepted_rows {
            (Verdict::Different, None)
        } else if self.rows == 0 {
            vacuous("there were no rows")
        } else if self.original_values == 0 && self.rewrite_values == 0 {
            vacuous("no row gave a value: all are null or threw")
        } else if self.different_rows > 0 {
            (Verdict::EqualWithinPolicy, None)
        } else {
            (Verdict::Equal, None)
        }
    }
}

/// A setting as evidence shows it: passwords and the like stay with the user.
fn shown<'v>(key: &str, value: &'v str) -> &'v str {
    let key = key.to_lowercase();
    let secret = [
        "secret",
        "password",
        "token",
        "credential",
        "access.key",
        "accesskey",
        "account.key",
    ];
    if secret.iter().any(|s| key.contains(s)) {
        "(not shown)"
    } else {
        value
    }
}

/// Adds to the result what only the caller knows.
pub(super) fn finish(request: &Request, packed: &Packed, result: Verified) -> Result<ScaleReport> {
    let params = request.udf.param_names();
    let (verdict, vacuous_because) = result.verdict();
    let mut evidence = result.evidence;
    evidence.insert("compiled".into(), packed.way.into());
    let conf: BTreeMap<&str, &str> = request.conf.iter().map(|(k, v)| (k.as_str(), shown(k, v))).collect();
    evidence.insert("conf".into(), serde_json::to_value(conf).unwrap_or_default());
    let text = |key: &str| evidence.get(key).and_then(Value::as_str).unwrap_or("unknown");
    let (a, b) = (text("original_type"), text("rewrite_type"));
    let schema_findings = if a == b {
        Vec::new()
    } else {
        vec![format!(
            "the rewrite's result is {b}, the original's {a}; values are compared across the types"
        )]
    };
    let class = |c: Class| ScaleClass {
        rows: c.rows,
        accepted: c.accepted,
        max_ulp: c.max_ulp,
        max_abs: c.max_abs,
        max_rel: c.max_rel,
        worst: c.worst.named(&params),
        sample: c.sample.into_iter().map(|r| r.named(&params)).collect(),
    };
    Ok(ScaleReport {
        tier: request.candidate.tier,
        verdict,
        vacuous_because,
        rows: result.rows,
        different_rows: result.different_rows,
        accepted_rows: result.accepted_rows,
        original_values: result.original_values,
        rewrite_values: result.rewrite_values,
        original_threw: result.original_threw,
        rewrite_threw: result.rewrite_threw,
        stopped: result.stopped,
        classes: result.classes.into_iter().map(|(id, c)| (id, class(c))).collect(),
        schema_findings,
        evidence,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(rows: u64, different: u64, accepted: u64, values: u64) -> Verified {
        Verified::of(serde_json::json!({
            "rows": rows, "different_rows": different, "accepted_rows": accepted, "original_values": values,
            "rewrite_values": values, "original_threw": 0, "rewrite_threw": 0, "stopped": false, "classes": {},
            "evidence": {},
        }))
        .unwrap()
    }

    #[test]
    fn the_verdict_follows_the_rules_of_a_test() {
        assert_eq!(result(5, 0, 0, 5).verdict().0, Verdict::Equal);
        assert_eq!(result(5, 2, 2, 5).verdict().0, Verdict::EqualWithinPolicy);
        assert_eq!(result(5, 2, 1, 5).verdict().0, Verdict::Different);
        assert_eq!(result(0, 0, 0, 0).verdict().0, Verdict::Vacuous);
        assert_eq!(result(5, 0, 0, 0).verdict().0, Verdict::Vacuous);
        assert_eq!(result(5, 1, 0, 0).verdict().0, Verdict::Different);
    }

    #[test]
    fn other_exceptions_alone_are_told_apart_from_other_values() {
        let report = |stopped: bool, different: u64| -> ScaleReport {
            let row = serde_json::json!({
                "partition": 0, "args": [], "row": 1, "path": "", "class": "exception-class", "original": "A", "rewrite": "B",
                "accepted": false,
            });
            serde_json::from_value(serde_json::json!({
                "tier": "sql", "verdict": "different", "vacuous_because": null, "rows": 9, "different_rows": different,
                "accepted_rows": 0, "original_values": 7, "rewrite_values": 7, "original_threw": 2, "rewrite_threw": 2,
                "stopped": stopped, "schema_findings": [], "evidence": {},
                "classes": {"exception-class": {
                    "rows": 2, "accepted": 0, "max_ulp": null, "max_abs": null, "max_rel": null, "worst": row, "sample": [],
                }},
            }))
            .unwrap()
        };
        let advice = report(false, 2).advice().unwrap();
        assert!(advice.meaning.contains("every value is the same; 2 rows throw"));
        assert_eq!(report(false, 3).advice(), None, "a row differs otherwise");
        assert_eq!(report(true, 2).advice(), None, "the rest was not read");
    }

    #[test]
    fn secrets_are_no_evidence() {
        assert_eq!(shown("spark.hadoop.fs.s3a.secret.key", "abc"), "(not shown)");
        assert_eq!(shown("spark.executor.memory", "2g"), "2g");
    }

    #[test]
    fn progress_is_read_as_it_is_written() {
        let line = r#"{"event":"progress","rows":5,"different":1,"done":0,"partitions":2,"parts":[{"partition":1,"rows":5,"different":1,"done":false}]}"#;
        let read: Progress = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), line);
    }
}
