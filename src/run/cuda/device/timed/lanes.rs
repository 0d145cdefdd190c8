//! What is sampled on the device, each between two events on the same stream. In: memory and kernels; out: seconds of one run of
//! a lane. Before each sample the L2 cache is written over; the warm lane then runs once untimed. The lane of rows that stay in the
//! cache runs right after itself instead. Whose turn it is, is not decided here.

use std::time::Instant;

use cudarc::driver::{result, sys};

use super::super::DeviceMachine;
use super::super::machine::Block;
use super::super::nvml::{Nvml, Seen};
use super::fixed::Fixed;
use super::output::Output;
use super::tiles::Inputs;
use crate::bench::{Clocks, Missing, Sample, Traffic};
use crate::error::Result;
use crate::run::cuda::time::Which;

/// The clocks are looked at in one of so many samples: a look takes longer than most kernels.
const LOOK_EVERY: u64 = 4;

/// Events around a piece of work.
pub(super) struct Events {
    start: sys::CUevent,
    end: sys::CUevent,
}

impl Events {
    /// Two of them.
    pub fn new() -> Result<Events> {
        let event = || {
            result::event::create(sys::CUevent_flags::CU_EVENT_DEFAULT)
                .map_err(|e| super::failed("an event cannot be made", e))
        };
        Ok(Events {
            start: event()?,
            end: event()?,
        })
    }

    /// Seconds of what is started between them. `meanwhile` runs while the device works.
    pub fn around(
        &self,
        machine: &mut DeviceMachine,
        work: impl FnOnce(&mut DeviceMachine) -> Result<()>,
        meanwhile: impl FnOnce(),
    ) -> Result<f64> {
        let stream = std::ptr::null_mut();
        // SAFETY: the events live as long as this; the stream is the default one, which all work uses.
        let started = unsafe { result::event::record(self.start, stream) };
        machine.checked("an event cannot be recorded", started)?;
        work(machine)?;
        // SAFETY: as above.
        let ended = unsafe { result::event::record(self.end, stream) };
        machine.checked("an event cannot be recorded", ended)?;
        meanwhile();
        let done = result::ctx::synchronize();
        machine.checked("the kernel failed on the device", done)?;
        // SAFETY: both were recorded and have passed.
        let elapsed = unsafe { result::event::elapsed(self.start, self.end) };
        elapsed
            .map(|ms| f64::from(ms) / 1000.0)
            .map_err(|e| super::failed("the device tells no time", e))
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        for event in [self.start, self.end] {
            // SAFETY: made above and destroyed once.
            let _ = unsafe { result::event::destroy(event) };
        }
    }
}

/// Everything that a sample needs beside the kernel and its columns.
pub(super) struct Lanes {
    traffic: Traffic,
    events: Events,
    flush: Block,
    from: Block,
    to: Block,
    nvml: Result<Nvml, Missing>,
    seen: Seen,
    samples: u64,
    slow: bool,
}

/// What a sample is taken of.
pub(super) struct Subject<'a> {
    pub machine: &'a mut DeviceMachine,
    pub fixed: &'a Fixed,
    pub output: &'a Output,
    /// The kernel over fewer rows, which stay in the cache.
    pub cached: Option<&'a Output>,
}

impl Lanes {
    /// With memory for copies and for flushing.
    pub fn new(
        machine: &mut DeviceMachine,
        inputs: &Inputs,
        traffic: Traffic,
        l2_bytes: u64,
        nvml: Result<Nvml, Missing>,
    ) -> Result<Lanes> {
        // Half of the bytes are read in a plain copy; the copying kernel reads and writes as the kernel does.
        let most = traffic.read_bytes.max(traffic.written_bytes).max(32) as usize;
        let from = machine.block(most)?;
        fill_alike(machine, &from, inputs)?;
        Ok(Lanes {
            from,
            to: machine.block(most)?,
            flush: machine.block(2 * l2_bytes as usize)?,
            events: Events::new()?,
            traffic,
            nvml,
            seen: Seen::default(),
            samples: 0,
            slow: false,
        })
    }

    /// Bytes of the columns.
    pub fn traffic(&self) -> Traffic {
        self.traffic
    }

    /// Bytes written to flush the cache.
    pub fn flush_bytes(&self) -> u64 {
        self.flush.size as u64
    }

    /// What was seen of the clocks.
    pub fn clocks(&self) -> Result<Clocks, Missing> {
        self.nvml
            .as_ref()
            .map_err(Clone::clone)
            .and_then(|n| n.clocks(&self.seen))
    }

    /// Starts writing the L2 cache over. The driver does it: it leaves nothing of the columns in the cache.
    pub fn flush(&self, machine: &mut DeviceMachine) -> Result<()> {
        machine.fill(&self.flush, 0)
    }

    /// Runs something else once, with the same cache.
    pub fn other(&mut self, machine: &mut DeviceMachine, work: impl FnOnce() -> Result<()>) -> Result<Sample> {
        let began = Instant::now();
        self.flush(machine)?;
        let seconds = self.events.around(machine, |_| work(), || {})?;
        Ok(Sample {
            seconds,
            cost: began.elapsed().as_secs_f64(),
            throttled: self.slow,
        })
    }

    /// Runs a lane once.
    pub fn sample(&mut self, of: Subject, which: Which) -> Result<Sample> {
        let began = Instant::now();
        if which == Which::Cold {
            of.output.poison(of.machine)?;
        }
        let before = match which {
            Which::Warm => Some(of.output),
            Which::Cached => of.cached,
            _ => None,
        };
        if which != Which::Cached {
            self.flush(of.machine)?;
        }
        if let Some(kernel) = before {
            kernel.start(of.machine, of.fixed)?;
        }
        self.samples += u64::from(which == Which::Cold);
        let seconds = self.run(of, which)?;
        Ok(Sample {
            seconds,
            cost: began.elapsed().as_secs_f64(),
            throttled: self.slow && which != Which::Empty,
        })
    }

    fn run(&mut self, of: Subject, which: Which) -> Result<f64> {
        let (fixed, output, cached, traffic) = (of.fixed, of.output, of.cached, self.traffic);
        let (from, to) = (&self.from, &self.to);
        let looks = self
            .nvml
            .as_ref()
            .ok()
            .filter(|_| which == Which::Cold && self.samples.is_multiple_of(LOOK_EVERY));
        let (seen, slow) = (&mut self.seen, &mut self.slow);
        let work = |machine: &mut DeviceMachine| match which {
            Which::DriverCopy => {
                let half = (traffic.total() / 2).max(1) as usize;
                // SAFETY: neither block is smaller than half of both.
                let done = unsafe { result::memcpy_dtod_async(to.address, from.address, half, std::ptr::null_mut()) };
                machine.checked("memory of the device cannot be copied", done)
            }
            Which::KernelCopy => fixed.touch(from, traffic.read_bytes, to, traffic.written_bytes),
            Which::Empty => fixed.empty(),
            // Without such rows there is nothing to time, and what this takes is not told.
            Which::Cached => cached.map_or_else(|| fixed.empty(), |c| c.start(machine, fixed)),
            Which::Warm | Which::Cold => output.start(machine, fixed),
        };
        self.events.around(of.machine, work, || {
            if let Some(nvml) = looks {
                *slow = nvml.look(seen);
            }
        })
    }
}

/// Fills a block with the largest column: zeros would be moved faster than data.
fn fill_alike(machine: &mut DeviceMachine, block: &Block, inputs: &Inputs) -> Result<()> {
    let Some(source) = inputs
        .blocks
        .iter()
        .flatten()
        .max_by_key(|b| b.size)
        .filter(|b| b.size > 0)
    else {
        return machine.fill(block, 0x5A);
    };
    let mut filled = 0;
    while filled < block.size {
        let size = source.size.min(block.size - filled);
        // SAFETY: the copy ends inside of both blocks.
        let done = unsafe {
            result::memcpy_dtod_async(
                block.address + filled as u64,
                source.address,
                size,
                std::ptr::null_mut(),
            )
        };
        machine.checked("memory of the device cannot be copied", done)?;
        filled += size;
    }
    Ok(())
}
