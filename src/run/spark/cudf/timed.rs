//! Times a cuDF rewrite on a device. In: a text, rows, how many of them; out: times that were taken inside of the JVM until the device
//! was done, and the outcome of the rows that travelled. Its worker ends afterwards, which gives the device's memory back.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use arrow::array::RecordBatch;
use serde_json::{Value, json};

use super::super::accelerator::Library;
use super::super::columns;
use super::super::server::Turn;
use super::{LibraryEngine, reply};
use crate::bench::{self, Lane, Plan, Sample, Times};
use crate::error::{Error, ErrorKind, Result};
use crate::run::worker::Lost;
use crate::run::{Cancel, Evaluator, Outcome};

/// A sample with everything around it; the first one fills the device.
const LIMIT: Duration = Duration::from_secs(120);

/// What came of it.
#[derive(Debug)]
pub struct TimedCalls {
    /// Of one call.
    pub times: Times,
    /// What the rows that travelled came to.
    pub outcome: Outcome,
    /// Version and digest of the library, and where its memory comes from.
    pub facts: BTreeMap<String, String>,
}

struct Samples<'a, 's> {
    turn: &'a mut Turn<'s>,
    request: Value,
    library: &'a Library,
    cancel: &'a Cancel,
}

impl Samples<'_, '_> {
    fn call(&mut self, request: Value) -> Result<Value> {
        let answer = self.turn.call("timing cuDF", request, LIMIT, self.cancel)?;
        match answer["ok"] == true {
            true => Ok(answer),
            false => Err(reply::refusal(self.turn, &answer, self.library)),
        }
    }
}

impl bench::Timer for Samples<'_, '_> {
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

/// Times an engine made for a library [`Library::timed`] over a batch that the device repeats to so many rows.
pub fn time(
    engine: &mut LibraryEngine,
    tile: &RecordBatch,
    rows: u64,
    plan: &Plan,
    cancel: &Cancel,
) -> Result<TimedCalls> {
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
    let request = json!({
        "op": "time-call", "program": program, "input": input, "rows": rows,
        "ansi": engine.settings.ansi, "zone": engine.settings.time_zone,
    });
    let mut samples = Samples {
        turn: &mut turn,
        request: request.clone(),
        library: &engine.library,
        cancel,
    };
    let measured = measure(&mut samples, plan).and_then(|times| {
        let mut last = request;
        last["output"] = json!(output);
        let answer = samples.call(last)?;
        let kept = answer["tile"].as_u64().unwrap_or_default() as usize;
        Ok((times, columns::read(&[&output], kept, None)?))
    });
    turn.give_up(&Lost::Ended("it has timed what it was for".into()));
    let (times, outcome) = measured?;
    Ok(TimedCalls { times, outcome, facts })
}

fn measure(samples: &mut Samples, plan: &Plan) -> Result<Times> {
    match bench::sample(samples, 1, plan)?.into_iter().next() {
        Some(Lane::Measured(times)) => Ok(times),
        Some(Lane::Failed(why)) => Err(Error::new(ErrorKind::NotProven, why)),
        None => Err(Error::internal("a lane that was not run")),
    }
}
