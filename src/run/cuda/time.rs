//! Times a kernel on a GPU. In: a candidate's text, rows and when to stop; out: the times of the device, and the outcomes of the
//! very output that was timed. Runs no kernel itself: that is the worker's. The emulation is never timed.

use std::time::Duration;

use arrow::array::RecordBatch;
use arrow::datatypes::DataType;
use serde_json::{Value, json};

use super::engine::read;
use super::params::Kernel;
use super::plan::Plan;
use super::server::{Kind, Server, output, with_columns};
use crate::bench::{self, GpuLane};
use crate::error::{Error, Result};
use crate::run::{Cancel, Finding, Outcome};

/// How long it may take: moving, sampling and reading back.
const LIMIT: Duration = Duration::from_secs(300);

/// What to time.
#[derive(Debug)]
pub struct Timing<'a> {
    /// The kernel's text.
    pub text: &'a str,
    /// The result's type, where it is known.
    pub result: Option<&'a DataType>,
    /// Which GPU.
    pub device: u32,
    /// Rows that travel; a multiple of 32 where they are repeated.
    pub tile: &'a RecordBatch,
    /// Rows on the device: the tile over and over.
    pub rows: u64,
    /// When to stop.
    pub sampling: bench::Plan,
}

/// What came of it.
#[derive(Debug)]
pub struct Timed {
    /// The device's times.
    pub lane: GpuLane,
    /// The outcomes of the tile's rows, from the output that was timed last.
    pub outcome: Outcome,
    /// What was noticed about them.
    pub findings: Vec<Finding>,
    /// Rows that repeat the tile's, each of which was compared with its own.
    pub repeated_rows: u64,
    /// The first of them that came out otherwise.
    pub trouble: Option<String>,
}

/// Times it.
pub fn time(timing: &Timing, cancel: &Cancel) -> Result<Timed> {
    crate::propose::cuda::check_form(timing.text)?;
    // What can be told without a worker is told at once.
    let kernel = Kernel::parse(timing.text)?;
    Plan::of(&kernel, timing.tile.schema_ref(), timing.result)?;
    if timing.tile.num_rows() == 0 {
        return Err(Error::input("nothing can be timed without rows"));
    }
    let request = |base: &std::path::Path| {
        let mut request = with_columns("time", timing.text, timing.result, timing.tile, base)?;
        request["rows"] = timing.rows.into();
        request["sampling"] = json!(timing.sampling);
        Ok(request)
    };
    let rows = timing.tile.num_rows();
    Server::of(Kind::Device(timing.device)).call("timing the kernel", LIMIT, cancel, request, |reply, base| {
        Ok(Timed {
            lane: part(&reply, "lane")?,
            outcome: read(&output(base), rows)?,
            findings: part(&reply, "findings")?,
            repeated_rows: part(&reply, "repeated_rows")?,
            trouble: part(&reply, "trouble")?,
        })
    })
}

fn part<T: serde::de::DeserializeOwned>(reply: &Value, key: &str) -> Result<T> {
    serde_json::from_value(reply[key].clone())
        .map_err(|e| Error::internal(format!("the worker's {key} cannot be read")).because(e))
}
