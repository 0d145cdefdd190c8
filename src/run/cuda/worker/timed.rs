//! Timing a kernel, one request a step: columns go to the device, samples are taken one by one, and at the end the output is read
//! back. In: requests; out: replies. What is open stays on the device between them; another request, or the next to open, drops it.

use std::path::Path;

use serde_json::{Value, json};

use super::super::chain::Step;
use super::super::device::{Bench, ChainRequest, Device, TimeRequest};
use super::super::params::Kernel;
use super::super::server::Kind;
use super::super::time::Which;
use super::{Loaded, State, job, keep, outcome};
use crate::bench::Lane;
use crate::error::{Error, Result};
use crate::run::spark::columns;

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
                let sample = match lane(request)? {
                    Some(which) => bench.sample(which, broken)?,
                    None => bench.sample_chain(broken)?,
                };
                self.bench = Some(bench);
                Ok(json!({"ok": true, "seconds": sample.seconds, "throttled": sample.throttled}))
            }
            "flush" => {
                bench.flush(broken)?;
                self.bench = Some(bench);
                Ok(json!({"ok": true}))
            }
            "chain" => self.add(bench, request, broken),
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
        self.device(number)?;
        let Some((device, loaded)) = &mut self.device else {
            return Err(Error::internal("a device that was just opened"));
        };
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

    /// Has other kernels take turns. Where they cannot, the kernel goes on alone.
    fn add(&mut self, mut bench: Bench, request: &Value, broken: &mut bool) -> Result<Value> {
        let Some((device, loaded)) = &mut self.device else {
            return Err(Error::internal("a benchmark without a device"));
        };
        let added = chain_request(device, loaded, request).and_then(|asked| bench.add(asked, broken));
        let why = match added {
            Err(e) if *broken => return Err(e),
            Err(e) => Some(e.to_string()),
            Ok(()) => None,
        };
        self.bench = Some(bench);
        Ok(json!({"ok": true, "no_chain": why}))
    }

    fn close(&mut self, bench: Bench, request: &Value, broken: &mut bool) -> Result<Value> {
        let Some((device, _)) = &self.device else {
            return Err(Error::internal("a benchmark without a device"));
        };
        let measured: Vec<Lane> = part(request, "lanes")?;
        let mut bench = bench;
        let no_chain = match (request["chain_output"].as_str(), bench.chain_ran()) {
            (Some(to), Ok(Some(ran))) => outcome(&ran).and_then(|out| columns::write(&out, Path::new(to))).err(),
            (_, ran) => ran.err(),
        };
        let timed = bench.close(device, &measured, broken)?;
        self.give(&timed.ran, request)?;
        Ok(json!({
            "ok": true, "findings": timed.ran.findings, "lane": timed.lane,
            "repeated_rows": timed.repeated_rows, "trouble": timed.trouble,
            "no_chain": no_chain.map(|e| e.to_string()),
        }))
    }
}

/// The lane of the kernel; none for that of other kernels, which comes after them.
fn lane(request: &Value) -> Result<Option<Which>> {
    let number = request["lane"].as_u64().and_then(|n| usize::try_from(n).ok());
    match number {
        Some(n) if n < Which::ALL.len() => Ok(Some(Which::ALL[n])),
        Some(n) if n == Which::ALL.len() => Ok(None),
        _ => Err(Error::internal("a lane that there is not")),
    }
}

/// Other kernels to take turns with one, compiled.
fn chain_request(device: &Device, loaded: &mut Loaded, request: &Value) -> Result<ChainRequest> {
    let (chain, plan, tile) = super::chain_of(request)?;
    let rows = request["rows"].as_u64().unwrap_or(0) as usize;
    let load = |step: &Step| {
        let kernel = Kernel::parse(&step.text)?;
        keep(loaded, &step.text, || device.load(&step.text, &kernel))
    };
    Ok(ChainRequest {
        kernels: chain.steps.iter().map(load).collect::<Result<_>>()?,
        chain,
        of: TimeRequest {
            plan,
            tile,
            rows,
            sampling: part(request, "sampling")?,
        },
    })
}

fn part<T: serde::de::DeserializeOwned>(request: &Value, key: &str) -> Result<T> {
    serde_json::from_value(request[key].clone())
        .map_err(|e| Error::internal(format!("a request without `{key}`")).because(e))
}
