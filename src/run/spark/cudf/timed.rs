//! Times a cuDF rewrite on a device. In: a text, rows, how many of them; out: one sample at a time, taken inside of the JVM until the
//! device was done, and the outcome of the rows that travelled. Its worker ends afterwards, which gives the device's memory back.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use arrow::array::RecordBatch;
use serde_json::{Value, json};

use super::super::accelerator::Library;
use super::super::columns;
use super::super::server::Turn;
use super::{LibraryEngine, reply};
use crate::bench::{Sample, Timer};
use crate::error::{Error, Result};
use crate::run::worker::Lost;
use crate::run::{Cancel, Evaluator, Outcome};

/// A sample with everything around it; the first one fills the device.
const LIMIT: Duration = Duration::from_secs(120);

/// A candidate whose columns are on the device: each sample is one call.
pub struct Calls<'a, 's> {
    turn: &'a mut Turn<'s>,
    request: Value,
    output: PathBuf,
    library: &'a Library,
    cancel: &'a Cancel,
}

impl Calls<'_, '_> {
    fn call(&mut self, request: Value) -> Result<Value> {
        let answer = self.turn.call("timing cuDF", request, LIMIT, self.cancel)?;
        match answer["ok"] == true {
            true => Ok(answer),
            false => Err(reply::refusal(self.turn, &answer, self.library)),
        }
    }

    /// What one more call gives for the rows that travelled.
    pub fn outcome(&mut self) -> Result<Outcome> {
        let mut last = self.request.clone();
        last["output"] = json!(self.output);
        let answer = self.call(last)?;
        let kept = answer["tile"].as_u64().unwrap_or_default() as usize;
        columns::read(&[&self.output], kept, None)
    }
}

impl Timer for Calls<'_, '_> {
    fn sample(&mut self, _: usize) -> Result<Sample> {
        self.cancel.check()?;
        let began = Instant::now();
        let answer = self.call(self.request.clone())?;
        let ns = answer["ns"]
            .as_u64()
            .ok_or_else(|| Error::internal("a sample without a time"))?;
        Ok(Sample {
            seconds: ns as f64 / 1e9,
            cost: began.elapsed().as_secs_f64(),
            throttled: false,
        })
    }
}

/// Has an engine made for a library [`Library::timed`] ready for calls over a batch that the device repeats to so many rows: its
/// columns are there and one call has been made. `sampled` takes samples of it. Beside what that gives, facts: version and digest of
/// the library, and where its memory comes from.
pub fn with_calls<T>(
    engine: &mut LibraryEngine,
    tile: &RecordBatch,
    rows: u64,
    cancel: &Cancel,
    sampled: impl FnOnce(&mut Calls) -> T,
) -> Result<(T, BTreeMap<String, String>)> {
    let rows = i32::try_from(rows).map_err(|_| Error::not_proven("a column of cuDF holds at most 2^31 - 1 rows"))?;
    let tile = engine.ordered(tile)?;
    let evidence = engine.prepare(tile.schema_ref())?;
    let mut facts = evidence.facts;
    facts.insert("cudf".into(), evidence.version);
    facts.insert("memory".into(), "a pool of the device's".into());
    let server = engine.server.clone();
    let mut turn = server.turn(cancel)?;
    let program = engine.ensure(&mut turn)?;
    let folder = turn.worker()?.folder().to_owned();
    let (input, output) = (folder.join("timed-columns"), folder.join("timed-result"));
    columns::write(&tile, &input)?;
    let mut calls = Calls {
        turn: &mut turn,
        request: json!({
            "op": "time-call", "program": program, "input": input, "rows": rows,
            "ansi": engine.settings.ansi, "zone": engine.settings.time_zone,
        }),
        output,
        library: &engine.library,
        cancel,
    };
    // The first call loads columns and code: none of that is to count against the time that is given to warming up.
    let made = calls.sample(0).map(|_| sampled(&mut calls));
    turn.give_up(&Lost::Ended("it has timed what it was for".into()));
    Ok((made?, facts))
}
