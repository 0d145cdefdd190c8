//! The original on the CPU, four ways. In: a UDF and rows; out: a lane for each, with its times or the reason why it has none. A lane
//! that is not available never stands in the way of the others.

use arrow::array::RecordBatch;

use super::Subject;
use crate::bench::{CpuLane, Missing, Plan, Times};
use crate::error::{Error, Result};
use crate::run::Cancel;
use crate::run::spark::JvmOracle;
use crate::run::spark::timed::{Through, time};

/// The lanes: id, name, and how the worker runs it.
const LANES: &[(&str, &str, Option<Through>)] = &[
    ("jvm-1", "JVM direct, 1 thread", Some(Through::OneThread)),
    ("jvm-all", "JVM direct, all cores", Some(Through::AllThreads)),
    ("spark", "Spark UDF, local", Some(Through::Query)),
    ("gpu-plan", "CPU UDF inside a GPU plan", None),
];

/// When to stop sampling one of them.
const PLAN: Plan = Plan {
    least: 10,
    most: 60,
    seconds: 0.6,
    narrow: 0.02,
    most_warm_up: 60,
    warm_up_seconds: 1.5,
};

/// When to stop at one of many sizes.
const SHORT: Plan = Plan {
    seconds: 0.15,
    warm_up_seconds: 0.15,
    ..PLAN
};

fn lane(id: &str, name: &str, rows: u64, times: Result<Times, Missing>) -> CpuLane {
    CpuLane {
        id: id.to_owned(),
        name: name.to_owned(),
        rows,
        times,
    }
}

/// All lanes without times, for one reason.
pub(super) fn none(why: &str) -> Vec<CpuLane> {
    let one = |(id, name, _): &(&str, &str, _)| lane(id, name, 0, Err(Missing::because(why)));
    LANES.iter().map(one).collect()
}

/// Runs all lanes.
pub(super) fn all(subject: &Subject, tile: &RecordBatch, cancel: &Cancel) -> Result<Vec<CpuLane>> {
    let rows = tile.num_rows() as u64;
    let oracle = ready(subject, tile, cancel);
    let mut out = Vec::new();
    for (id, name, through) in LANES {
        let times = match (through, &oracle) {
            (Some(through), Ok(oracle)) => time(oracle, tile, subject.settings, *through, &PLAN, cancel),
            (Some(_), Err(e)) => Err(e.clone()),
            (None, _) => Err(Error::not_proven(
                "it needs the accelerator's plugin in a Spark with a GPU",
            )),
        };
        let times = match times {
            Err(e) if e.kind.ends_all() => return Err(e),
            other => other.map_err(|e| Missing::from(&e)),
        };
        out.push(lane(id, name, rows, times));
    }
    Ok(out)
}

/// The same lane over other rows.
pub(super) fn again(subject: &Subject, id: &str, rows: &RecordBatch, cancel: &Cancel) -> Result<Times> {
    let through = LANES.iter().find(|l| l.0 == id).and_then(|l| l.2);
    let through = through.ok_or_else(|| Error::internal("a lane that cannot be run"))?;
    let oracle = ready(subject, rows, cancel)?;
    time(&oracle, rows, subject.settings, through, &SHORT, cancel)
}

/// The JVM's oracle, with the function compiled and bound to the columns.
fn ready(subject: &Subject, rows: &RecordBatch, cancel: &Cancel) -> Result<JvmOracle> {
    use crate::run::Evaluator;
    let (file, udf) = (subject.file, subject.udf);
    let oracle = JvmOracle::new(file, udf, subject.settings.clone(), &subject.runners.classpath)?;
    let mut oracle = oracle.with_cancel(cancel);
    oracle.prepare(rows.schema_ref())?;
    Ok(oracle)
}
