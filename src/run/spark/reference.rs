//! What a test by the worker is measured against: the same test written in Spark. In: a UDF, an SQL expression and a batch; out: the
//! time it took.

use std::time::Duration;

use arrow::array::RecordBatch;
use serde_json::json;

use super::columns;
use super::oracle::JvmOracle;
use crate::error::{Error, Result};
use crate::find::Udf;
use crate::run::{Cancel, Settings};
use crate::source::SourceFile;

const LIMIT: Duration = Duration::from_secs(300);

/// How long Spark takes to run the UDF and the SQL expression over a table, to collect both columns and to compare them.
pub fn reference(
    file: &SourceFile,
    udf: &Udf,
    expression: &str,
    batch: &RecordBatch,
    settings: &Settings,
    cancel: &Cancel,
) -> Result<Duration> {
    let oracle = JvmOracle::new(file, udf, settings.clone(), &[])?;
    let server = oracle.server().clone();
    let mut turn = server.turn(cancel)?;
    let program = oracle.program(&mut turn)?;
    let folder = turn.worker()?.folder().to_owned();
    let (input, table) = (folder.join("columns"), folder.join("reference.parquet"));
    columns::write(&batch.slice(0, 0), &input)?;
    columns::write_table(batch, &table)?;
    let request = json!({
        "op": "reference", "program": program, "expression": expression, "input": input, "table": table,
    });
    let reply = turn.call("the same test in Spark", request, LIMIT, cancel)?;
    match reply["ns"].as_u64() {
        Some(ns) => Ok(Duration::from_nanos(ns)),
        None => Err(Error::not_proven("Spark did not run the test")
            .because(reply["message"].as_str().unwrap_or("no reason was given"))),
    }
}
