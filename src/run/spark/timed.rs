//! Times the original in the JVM worker. In: a UDF, rows, on how many threads or through a query; out: times that were taken
//! inside of the JVM, so that neither the protocol nor moving columns is in them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use arrow::array::RecordBatch;
use serde_json::{Value, json};

use super::columns;
use super::oracle::JvmOracle;
use super::server::Turn;
use crate::bench::{self, Lane, Plan, Sample, Times};
use crate::error::{Error, ErrorKind, Result};
use crate::run::{Cancel, Settings};

/// How many names were given so far.
static NAMES: AtomicU64 = AtomicU64::new(0);

/// A sample with everything around it; the first one of a query starts Spark.
const LIMIT: Duration = Duration::from_secs(120);

/// How the original is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Through {
    /// The function called row by row on one thread.
    OneThread,
    /// The function called row by row on every core, each with a copy of its own.
    AllThreads,
    /// A query of a local Spark session over a table in memory.
    Query,
}

struct Samples<'a, 's> {
    turn: &'a mut Turn<'s>,
    request: Value,
    cancel: &'a Cancel,
}

impl bench::Timer for Samples<'_, '_> {
    fn sample(&mut self, _: usize) -> Result<Sample> {
        self.cancel.check()?;
        let began = Instant::now();
        let reply = self
            .turn
            .call("timing the original", self.request.clone(), LIMIT, self.cancel)?;
        match reply["ns"].as_u64() {
            Some(ns) => Ok(Sample {
                seconds: ns as f64 / 1e9,
                cost: began.elapsed().as_secs_f64(),
                throttled: false,
            }),
            None => Err(Error::not_proven("the original could not be timed")
                .because(reply["message"].as_str().unwrap_or("no reason was given"))),
        }
    }
}

/// Times it over a batch.
pub fn time(
    oracle: &JvmOracle,
    batch: &RecordBatch,
    settings: &Settings,
    through: Through,
    plan: &Plan,
    cancel: &Cancel,
) -> Result<Times> {
    let server = oracle.server().clone();
    let mut turn = server.turn(cancel)?;
    let program = oracle.program(&mut turn)?;
    let folder = turn.worker()?.folder().to_owned();
    let threads = match through {
        Through::OneThread => 1,
        Through::AllThreads => std::thread::available_parallelism().map_or(1, |n| n.get()),
        Through::Query => 0,
    };
    // The worker keeps what it has read under these names: other rows must not be found there.
    let number = NAMES.fetch_add(1, Ordering::Relaxed);
    let input = folder.join(format!("timed-{number}"));
    let table = folder.join(format!("timed-{number}.parquet"));
    match through {
        Through::Query => {
            columns::write_table(batch, &table)?;
            // Of the columns only the types are asked for.
            columns::write(&batch.slice(0, 0), &input)?;
        }
        _ => columns::write(batch, &input)?,
    }
    let request = json!({
        "op": "time", "program": program, "threads": threads, "input": input, "table": table,
        "ansi": settings.ansi, "zone": settings.time_zone,
    });
    let mut samples = Samples {
        turn: &mut turn,
        request,
        cancel,
    };
    let measured = bench::sample(&mut samples, 1, plan);
    for file in [&input, &table] {
        // Columns that stay in memory are read already; what cannot be removed goes with the worker.
        let _ = std::fs::remove_file(file);
    }
    match measured?.into_iter().next() {
        Some(Lane::Measured(times)) => Ok(times),
        Some(Lane::Failed(why)) => Err(Error::new(ErrorKind::NotProven, why)),
        None => Err(Error::internal("a lane that was not run")),
    }
}
