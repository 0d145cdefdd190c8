//! Times a kernel on the device. In: the kernel, a batch, a number of rows; then one sample at a time of the kernel cold and warm,
//! of the kernel over so few rows that they stay in the cache, of a copy of the same bytes and of an empty kernel; out: at the end
//! transfers, and the output that was timed, read back. Columns stay on the device meanwhile, so that another process can take turns.

mod chained;
mod fixed;
mod lanes;
mod output;
mod tiles;
mod transfer;

use std::rc::Rc;

use arrow::array::RecordBatch;
use cudarc::driver::{result, sys};

use super::super::machine::{Machine, Ran};
use super::super::plan::Plan;
use super::super::time::Which;
use super::nvml::Nvml;
use super::{Device, DeviceKernel, DeviceMachine, failed};
use crate::bench::{self, Cached, GpuLane, Lane, Missing, Reference, Roofs, Sample, Times, Traffic, cached_rows};
use crate::error::{Error, Result};

pub(in super::super) use chained::ChainRequest;
use chained::Chained;
pub(super) use fixed::Fixed;
use lanes::{Lanes, Subject};
use output::Output;

/// What to time.
pub(in super::super) struct Request {
    pub plan: Plan,
    /// The rows that are repeated.
    pub tile: RecordBatch,
    /// Rows on the device.
    pub rows: usize,
    pub sampling: bench::Plan,
}

/// What it took, and what it gave.
pub(in super::super) struct Timed {
    pub lane: GpuLane,
    /// Outcomes of the tile.
    pub ran: Ran,
    /// Rows beyond it that were compared with it.
    pub repeated_rows: u64,
    /// The first of them that came out otherwise.
    pub trouble: Option<String>,
}

/// A kernel with its columns on the device, ready for samples.
pub(in super::super) struct Bench {
    machine: DeviceMachine,
    fixed: Rc<Fixed>,
    output: Output,
    /// Its first rows once more, as many as stay in the cache; why not, where there are none to speak of.
    cached: Result<(u64, Output), Missing>,
    lanes: Lanes,
    request: Request,
    /// Bytes of the L2 cache.
    l2_bytes: u64,
    /// Other kernels that take turns with it.
    chain: Option<Chained>,
    /// The arguments stay for as long as the kernel may run.
    _inputs: tiles::Inputs,
}

impl Bench {
    /// Moves the columns and makes room. `broken` says whether this process can still run kernels.
    pub fn open(device: &Device, kernel: Rc<DeviceKernel>, request: Request, broken: &mut bool) -> Result<Bench> {
        let mut machine = DeviceMachine::new(kernel);
        let made = Bench::made(device, &mut machine, &request);
        *broken = machine.broken();
        let (fixed, inputs, output, cached, lanes) = made?;
        Ok(Bench {
            machine,
            fixed,
            output,
            cached,
            lanes,
            request,
            l2_bytes: device.flushed_bytes(),
            chain: None,
            _inputs: inputs,
        })
    }

    fn made(device: &Device, machine: &mut DeviceMachine, request: &Request) -> Result<Made> {
        let fixed = device.fixed()?;
        let inputs = tiles::upload(machine, request)?;
        let output = Output::new(machine, &fixed, request, request.rows, &inputs)?;
        let traffic = Traffic {
            read_bytes: inputs.bytes(),
            written_bytes: output.bytes(),
        };
        let nvml = Nvml::open(device.opened);
        let lanes = Lanes::new(machine, &inputs, traffic, device.flushed_bytes(), nvml)?;
        let at_once = device.threads() * machine.kernel.shape.rows_per_thread as u64;
        let cached = cached_rows(request.rows as u64, traffic.total(), device.l2_bytes(), at_once);
        let cached = cached.and_then(|rows| {
            let output = Output::new(machine, &fixed, request, rows as usize, &inputs)?;
            Ok((rows, output))
        });
        // Rows are on the device before anything else takes a turn.
        let there = result::ctx::synchronize();
        machine.checked("the kernel failed on the device", there)?;
        Ok((fixed, inputs, output, cached.map_err(|e| Missing::from(&e)), lanes))
    }

    /// Has other kernels take turns with it. Where they cannot, it goes on alone.
    pub fn add(&mut self, request: ChainRequest, broken: &mut bool) -> Result<()> {
        self.chain = Some(Chained::open(request, broken)?);
        Ok(())
    }

    /// Runs the other kernels once, one after the other.
    pub fn sample_chain(&mut self, broken: &mut bool) -> Result<Sample> {
        let chain = self
            .chain
            .as_mut()
            .ok_or_else(|| Error::internal("a lane that there is not"))?;
        let sample = self.lanes.other(&mut self.machine, || chain.start());
        *broken = self.machine.broken() || chain.broken();
        sample
    }

    /// What the other kernels left for the tile, if there are any.
    pub fn chain_ran(&mut self) -> Result<Option<Ran>> {
        let chain = self.chain.as_ref();
        chain.map(|c| c.ran(&mut self.machine)).transpose()
    }

    /// Runs a lane once.
    pub fn sample(&mut self, which: Which, broken: &mut bool) -> Result<Sample> {
        let of = Subject {
            machine: &mut self.machine,
            fixed: &self.fixed,
            output: &self.output,
            cached: self.cached.as_ref().ok().map(|(_, output)| output),
        };
        let sample = self.lanes.sample(of, which);
        *broken = self.machine.broken();
        sample
    }

    /// Writes the L2 cache over and waits for it: another process finds none of its columns there.
    pub fn flush(&mut self, broken: &mut bool) -> Result<()> {
        let started = self.lanes.flush(&mut self.machine);
        let done = started.and_then(|()| {
            let ended = result::ctx::synchronize();
            self.machine.checked("the cache cannot be written over", ended)
        });
        *broken = self.machine.broken();
        done
    }

    /// What came of the samples: the times as a lane, and what the last cold sample left.
    pub fn close(mut self, device: &Device, measured: &[Lane], broken: &mut bool) -> Result<Timed> {
        let timed = self.end(device, measured);
        *broken = self.machine.broken();
        timed
    }

    fn end(&mut self, device: &Device, measured: &[Lane]) -> Result<Timed> {
        let (machine, request) = (&mut self.machine, &self.request);
        let repeats = self.output.check(machine, request)?;
        let ran = self.output.ran(machine, request)?;
        let traffic = self.lanes.traffic();
        let transfers = transfer::measure(machine, traffic.read_bytes, &request.sampling);
        let l2_bytes = (self.l2_bytes, self.lanes.flush_bytes());
        let lane = lane(device, &machine.kernel, measured, &self.output, traffic, l2_bytes)?;
        Ok(Timed {
            lane: GpuLane {
                roofs: roofs(request.rows as u64, &lane, &self.cached, measured),
                transfers: transfers.map_err(|e| Missing::from(&e)),
                clocks: self.lanes.clocks(),
                ..lane
            },
            ran,
            repeated_rows: repeats.rows,
            trouble: repeats.trouble,
        })
    }
}

/// What is ready before the first sample.
type Made = (Rc<Fixed>, tiles::Inputs, Output, Result<(u64, Output), Missing>, Lanes);

/// What bounds the kernel.
fn roofs(
    rows: u64,
    lane: &GpuLane,
    cached: &Result<(u64, Output), Missing>,
    measured: &[Lane],
) -> Result<Roofs, Missing> {
    let (few, _) = cached.as_ref().map_err(Clone::clone)?;
    let times = times(measured, Which::Cached).map_err(|e| Missing::from(&e))?;
    let cached = Cached { rows: *few, times };
    let found = Roofs::of(rows, &lane.cold, &lane.copy.times, &lane.empty, cached);
    found.map_err(|e| Missing::from(&e))
}

/// What a lane took.
fn times(measured: &[Lane], which: Which) -> Result<Times> {
    match measured.get(which as usize) {
        Some(Lane::Measured(times)) => Ok(times.clone()),
        None => Err(Error::internal(format!("{} has no lane", which.name()))),
        Some(Lane::Failed(why)) => Err(Error::not_proven(format!("{} could not be timed", which.name())).because(why)),
    }
}

/// The kernel's lane; fails where the kernel has no times.
fn lane(
    device: &Device,
    kernel: &DeviceKernel,
    measured: &[Lane],
    output: &Output,
    traffic: Traffic,
    l2_bytes: (u64, u64),
) -> Result<GpuLane> {
    let times = |which| times(measured, which);
    let cold = times(Which::Cold)?;
    let copies = [("driver", Which::DriverCopy), ("kernel", Which::KernelCopy)];
    // The faster of the two ways to copy is what a kernel could reach.
    let fastest = copies
        .into_iter()
        .filter_map(|(by, which)| Some((by, times(which).ok()?)))
        .min_by(|a, b| a.1.seconds.median.total_cmp(&b.1.seconds.median));
    let (by, copy) = fastest.ok_or_else(|| Error::not_proven("no copy of the same bytes could be timed"))?;
    let (_, facts) = device.facts(kernel);
    Ok(GpuLane {
        facts,
        bandwidth: bench::bandwidth(traffic, &cold, &copy).map_err(|e| Missing::from(&e)),
        warm: times(Which::Warm)?,
        cold,
        copy: Reference {
            by: by.to_owned(),
            times: copy,
        },
        empty: times(Which::Empty)?,
        launches: output.launches(),
        traffic,
        roofs: Err(Missing::because("not measured")),
        transfers: Err(Missing::because("not measured")),
        compile: kernel.compile.clone(),
        clocks: Err(Missing::because("not measured")),
        l2_bytes,
    })
}

impl Device {
    fn fixed(&self) -> Result<Rc<Fixed>> {
        if let Some(fixed) = self.fixed.get() {
            return Ok(fixed.clone());
        }
        let fixed = Rc::new(Fixed::load(self)?);
        Ok(self.fixed.get_or_init(|| fixed).clone())
    }

    /// Bytes of the L2 cache, if the driver tells.
    fn l2_bytes(&self) -> Option<u64> {
        self.attribute(sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)
    }

    /// The same where more does no harm: where the driver does not tell, more than any device has.
    fn flushed_bytes(&self) -> u64 {
        self.l2_bytes().unwrap_or(128 << 20)
    }

    /// Threads that all multiprocessors hold at once.
    fn threads(&self) -> u64 {
        use sys::CUdevice_attribute as A;
        let each = self.attribute(A::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
        let all = self.attribute(A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
        // Where the driver does not tell, more than any device has.
        each.zip(all).map_or(1 << 20, |(each, all)| each * all)
    }

    fn attribute(&self, which: sys::CUdevice_attribute) -> Option<u64> {
        // SAFETY: the device was got from the driver.
        let value = unsafe { result::device::get_attribute(self.opened, which) };
        value.ok().and_then(|v| u64::try_from(v).ok())
    }
}
