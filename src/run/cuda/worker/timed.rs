//! Timing a kernel, one request a step: columns go to the device, samples are taken one by one, and at the end the output is read
//! back. In: requests; out: replies. What is open stays on the device between them; another request, or the next to open, drops it.

use std::path::Path;

use serde_json::{Value, json};

use super::super::device::{Bench, TimeRequest};
use super::super::server::Kind;
use super::super::time::Which;
use super::{State, job, keep, text, write};
use crate::bench::Lane;
use crate::error::{Error, Result};

impl State {
    /// One step.
    pub(super) fn timing(&mut self, step: &str, request: &Value, broken: &mut bool) -> Result<Value> {
        if step == "open" {
            self.bench = None;
            return self.open(request, broken);
        }
        let mut bench = self
            .bench
            .take()
            .ok_or_else(|| Error::not_proven("the worker that had the rows is gone"))?;
        match step {
            "sample" => {
                let which = lane(request)?;
                let sample = bench.sample(which, broken)?;
                self.bench = Some(bench);
                Ok(json!({"ok": true, "seconds": sample.seconds, "throttled": sample.throttled}))
            }
            "flush" => {
                bench.flush(broken)?;
                self.bench = Some(bench);
                Ok(json!({"ok": true}))
            }
            "close" => self.close(bench, request, broken),
            "drop" => Ok(json!({"ok": true})),
            _ => Err(Error::internal("a step of timing that there is not")),
        }
    }

    fn open(&mut self, request: &Value, broken: &mut bool) -> Result<Value> {
        let Kind::Device(number) = self.kind else {
            return Err(Error::not_proven(
                "cuda-host is an emulation: what it takes says nothing of a GPU",
            ));
        };
        let job = job(request)?;
        let sampling = part(request, "sampling")?;
        let rows = request["rows"].as_u64().unwrap_or(0) as usize;
        let (device, loaded) = self.device(number)?;
        let kernel = keep(loaded, &job.text, || device.load(&job.text, &job.kernel))?;
        let asked = TimeRequest {
            plan: job.plan,
            tile: job.batch,
            rows,
            sampling,
        };
        self.bench = Some(Bench::open(device, kernel, asked, broken)?);
        Ok(json!({"ok": true}))
    }

    fn close(&mut self, bench: Bench, request: &Value, broken: &mut bool) -> Result<Value> {
        let Some((device, _)) = &self.device else {
            return Err(Error::internal("a benchmark without a device"));
        };
        let measured: Vec<Lane> = part(request, "lanes")?;
        let timed = bench.close(device, &measured, broken)?;
        write(&timed.ran, Path::new(text(request, "output")?))?;
        Ok(json!({
            "ok": true, "findings": timed.ran.findings, "lane": timed.lane,
            "repeated_rows": timed.repeated_rows, "trouble": timed.trouble,
        }))
    }
}

fn lane(request: &Value) -> Result<Which> {
    let number = request["lane"].as_u64().unwrap_or(u64::MAX);
    let lane = usize::try_from(number).ok().and_then(|n| Which::ALL.get(n).copied());
    lane.ok_or_else(|| Error::internal("a lane that there is not"))
}

fn part<T: serde::de::DeserializeOwned>(request: &Value, key: &str) -> Result<T> {
    serde_json::from_value(request[key].clone())
        .map_err(|e| Error::internal(format!("a request without `{key}`")).because(e))
}
