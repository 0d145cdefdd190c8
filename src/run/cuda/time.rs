//! Times a kernel on a GPU, and beside it whatever else takes turns with it. In: a candidate's text, rows and when to stop; out: the
//! times of the device, and the outcomes of the very output that was timed. Runs no kernel itself: that is the worker's, which is
//! asked for one sample at a time. The emulation is never timed.

use std::path::Path;
use std::time::{Duration, Instant};

use arrow::array::RecordBatch;
use arrow::datatypes::DataType;
use serde_json::{Value, json};

use super::chain::ChainJob;
use super::engine::read;
use super::machine::NO_ROOM;
use super::params::Kernel;
use super::plan::Plan;
use super::server::{Held, Kind, Server, output, with_columns};
use crate::bench::{self, Both, GpuLane, Lane, Sample, Timer};
use crate::error::{Error, Result};
use crate::run::{Cancel, Finding, Outcome};

/// How long it may take: moving, sampling and reading back.
const LIMIT: Duration = Duration::from_secs(300);
/// How long giving memory back may take.
const DROP_LIMIT: Duration = Duration::from_secs(10);
/// What is done, in messages.
const DOING: &str = "timing the kernel";

/// The lanes of a kernel, in the order in which they take turns. The cold kernel comes last, so that what stands in memory
/// afterwards is what its last sample wrote.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    DriverCopy,
    KernelCopy,
    Empty,
    Cached,
    Warm,
    Cold,
}

impl Which {
    pub const ALL: [Which; 6] = [
        Which::DriverCopy,
        Which::KernelCopy,
        Which::Empty,
        Which::Cached,
        Which::Warm,
        Which::Cold,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Which::DriverCopy => "the driver's copy",
            Which::KernelCopy => "the copying kernel",
            Which::Empty => "the empty kernel",
            Which::Cached => "the kernel out of the cache",
            Which::Warm => "the kernel with a warm cache",
            Which::Cold => "the kernel",
        }
    }
}

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
    /// The lane that took turns with it, if there was one.
    pub beside: Option<Lane>,
    /// The outcomes of other kernels, if those took turns with it.
    pub chain: Option<Outcome>,
}

/// What takes turns with the kernel. It fails for itself.
pub enum Beside<'b> {
    /// Nothing.
    Nobody,
    /// Something else, of one lane.
    Other(&'b mut dyn Timer),
    /// Other kernels over the same rows, one after the other.
    Chain(&'b ChainJob),
}

impl Timing<'_> {
    /// What can be told without a worker.
    pub fn check(&self) -> Result<()> {
        crate::propose::cuda::check_form(self.text)?;
        let kernel = Kernel::parse(self.text)?;
        Plan::of(&kernel, self.tile.schema_ref(), self.result)?;
        match self.tile.num_rows() {
            0 => Err(Error::input("nothing can be timed without rows")),
            _ => Ok(()),
        }
    }
}

/// Whether an error is that the device has too little memory.
pub fn has_no_room(e: &Error) -> bool {
    e.what == NO_ROOM
}

/// The worker's lanes, asked for one after the other.
struct Lanes<'a, 's> {
    held: Held<'s>,
    cancel: &'a Cancel,
    /// What the worker took until now.
    spent: Duration,
    /// Why it takes no more samples: after a fault there is nothing to go on with.
    lost: Option<Error>,
    /// Whether that was in the turn of other kernels.
    lost_in_chain: bool,
}

impl Lanes<'_, '_> {
    fn ask<T>(
        &mut self,
        request: impl FnOnce(&Path) -> Result<Value>,
        take: impl FnOnce(Value, &Path) -> Result<T>,
    ) -> Result<T> {
        if let Some(e) = &self.lost {
            return Err(e.clone());
        }
        let began = Instant::now();
        let limit = LIMIT.saturating_sub(self.spent).max(Duration::from_secs(1));
        let answer = self.held.call(DOING, limit, self.cancel, request, take);
        self.spent += began.elapsed();
        if let Err(e) = &answer {
            self.lost = Some(e.clone());
        }
        answer
    }

    /// Has other kernels take turns; why they cannot, if so.
    fn add(&mut self, job: &ChainJob, timing: &Timing) -> Result<Option<String>> {
        let request = |base: &Path| {
            let mut request = job.request(base)?;
            request["op"] = "time-chain".into();
            request["rows"] = timing.rows.into();
            request["sampling"] = json!(timing.sampling);
            Ok(request)
        };
        let added = self.ask(request, |reply, _| Ok(reply["no_chain"].as_str().map(str::to_owned)));
        self.lost_in_chain |= added.is_err();
        added
    }

    /// Gives the device's memory back where timing ended early. A worker that is gone has done so.
    fn give_up(&mut self) {
        let drop = |_: &Path| Ok(json!({"op": "time-drop"}));
        let _ = self
            .held
            .call(DOING, DROP_LIMIT, &Cancel::default(), drop, |_, _| Ok(()));
    }
}

impl Timer for Lanes<'_, '_> {
    fn sample(&mut self, lane: usize) -> Result<Sample> {
        let began = Instant::now();
        let request = |_: &Path| Ok(json!({"op": "time-sample", "lane": lane}));
        let before = self.lost.is_some();
        let asked = self.ask(request, |reply, _| {
            let seconds = reply["seconds"].as_f64();
            let seconds = seconds.ok_or_else(|| Error::internal("a sample without a time"))?;
            Ok((seconds, reply["throttled"] == true))
        });
        self.lost_in_chain |= !before && self.lost.is_some() && lane == Which::ALL.len();
        let (seconds, throttled) = asked?;
        Ok(Sample {
            seconds,
            cost: began.elapsed().as_secs_f64(),
            throttled,
        })
    }

    fn give_way(&mut self) -> Result<()> {
        self.ask(|_| Ok(json!({"op": "time-flush"})), |_, _| Ok(()))
    }
}

/// Times it.
pub fn time(timing: &Timing, beside: Beside, cancel: &Cancel) -> Result<Timed> {
    timing.check()?;
    let server = Server::of(Kind::Device(timing.device));
    let mut lanes = Lanes {
        held: server.hold(cancel)?,
        cancel,
        spent: Duration::ZERO,
        lost: None,
        lost_in_chain: false,
    };
    let mut timed = sampled(timing, beside, &mut lanes);
    if let Some(fault) = lanes.lost.take_if(|e| lanes.lost_in_chain && !e.kind.ends_all()) {
        // Other kernels ended the worker: this one has done nothing.
        timed = sampled(timing, Beside::Nobody, &mut lanes);
        if let Ok(timed) = &mut timed {
            timed.beside = Some(Lane::Failed(fault.to_string()));
        }
    }
    if timed.is_err() {
        lanes.give_up();
    }
    timed
}

fn sampled(timing: &Timing, beside: Beside, lanes: &mut Lanes) -> Result<Timed> {
    let chain = match &beside {
        Beside::Chain(job) => Some(*job),
        _ => None,
    };
    let open = |base: &Path| {
        let mut request = with_columns("time-open", timing.text, timing.result, timing.tile, base)?;
        request["rows"] = timing.rows.into();
        request["sampling"] = json!(timing.sampling);
        Ok(request)
    };
    lanes.ask(open, |_, _| Ok(()))?;
    let no_chain = match chain {
        Some(job) => lanes.add(job, timing)?,
        None => None,
    };
    let chain = chain.filter(|_| no_chain.is_none());
    let (own, plan) = (Which::ALL.len(), &timing.sampling);
    let mut measured = match beside {
        Beside::Other(second) => {
            let mut both = Both {
                first: lanes,
                lanes: own,
                second,
            };
            bench::sample(&mut both, own + 1, plan)?
        }
        _ => bench::sample(lanes, own + usize::from(chain.is_some()), plan)?,
    };
    if let Some(e) = &lanes.lost {
        return Err(e.clone());
    }
    let beside = measured.drain(own..).next().or(no_chain.map(Lane::Failed));
    let rows = timing.tile.num_rows();
    let of_chain = |base: &Path| base.with_extension("chain-outcome");
    let close = |base: &Path| {
        let to = chain.map(|_| of_chain(base));
        Ok(json!({"op": "time-close", "lanes": measured, "output": output(base), "chain_output": to}))
    };
    lanes.ask(close, |reply, base| {
        let unreadable = reply["no_chain"].as_str().map(|why| Lane::Failed(why.to_owned()));
        let chain = chain.filter(|_| unreadable.is_none());
        Ok(Timed {
            lane: part(&reply, "lane")?,
            outcome: read(&output(base), rows)?,
            findings: part(&reply, "findings")?,
            repeated_rows: part(&reply, "repeated_rows")?,
            trouble: part(&reply, "trouble")?,
            beside: unreadable.or(beside),
            chain: chain.map(|_| read(&of_chain(base), rows)).transpose()?,
        })
    })
}

fn part<T: serde::de::DeserializeOwned>(reply: &Value, key: &str) -> Result<T> {
    serde_json::from_value(reply[key].clone())
        .map_err(|e| Error::internal(format!("the worker's {key} cannot be read")).because(e))
}
