//! Times a kernel on the device. In: the kernel, a batch, a number of rows; out: times of the kernel cold and warm, of a copy of
//! the same bytes, of an empty kernel and of transfers, and the output that was timed, read back. Columns stay on the device.

mod fixed;
mod lanes;
mod output;
mod tiles;
mod transfer;

use arrow::array::RecordBatch;
use cudarc::driver::{result, sys};

use super::super::machine::Ran;
use super::super::plan::Plan;
use super::nvml::Nvml;
use super::{Device, DeviceKernel, DeviceMachine, failed};
use crate::bench::{self, GpuLane, Lane, Missing, Reference, Traffic};
use crate::error::{Error, Result};

pub(super) use fixed::Fixed;
use lanes::{Lanes, Which};
use output::Output;

/// What to time.
pub(in super::super) struct Request<'r> {
    pub plan: &'r Plan,
    /// The rows that are repeated.
    pub tile: &'r RecordBatch,
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

/// Times it. `broken` says whether this process can still run kernels.
pub(in super::super) fn time(
    device: &Device,
    kernel: &DeviceKernel,
    request: &Request,
    broken: &mut bool,
) -> Result<Timed> {
    let mut machine = DeviceMachine::new(kernel);
    let timed = all(device, &mut machine, request);
    *broken = super::super::machine::Machine::broken(&machine);
    timed
}

fn all(device: &Device, machine: &mut DeviceMachine, request: &Request) -> Result<Timed> {
    let fixed = device.fixed()?;
    let inputs = tiles::upload(machine, request)?;
    let output = Output::new(machine, fixed, request, &inputs)?;
    let traffic = Traffic {
        read_bytes: inputs.bytes(),
        written_bytes: output.bytes(),
    };
    let l2 = device.l2_bytes();
    let nvml = Nvml::open(device.opened);
    let mut lanes = Lanes::new(machine, fixed, &inputs, &output, traffic, l2, nvml.as_ref().ok())?;
    // The cold kernel comes last, so that what stands in memory afterwards is what its last sample wrote.
    let measured = bench::sample(&mut lanes, Which::ALL.len(), &request.sampling)?;
    let (flush, seen) = lanes.end();
    let repeats = output.check(machine, request)?;
    let ran = output.ran(machine, request)?;
    let transfers = transfer::measure(machine, traffic.read_bytes, &request.sampling);
    let lane = lane(device, machine.kernel, &measured, &output, traffic, (l2, flush))?;
    Ok(Timed {
        lane: GpuLane {
            transfers: transfers.map_err(|e| Missing::from(&e)),
            clocks: nvml.and_then(|n| n.clocks(&seen)),
            ..lane
        },
        ran,
        repeated_rows: repeats.rows,
        trouble: repeats.trouble,
    })
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
    let times = |which: Which| match &measured[which as usize] {
        Lane::Measured(times) => Ok(times.clone()),
        Lane::Failed(why) => Err(Error::not_proven(format!("{} could not be timed", which.name())).because(why)),
    };
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
        transfers: Err(Missing::because("not measured")),
        compile: kernel.compile.clone(),
        clocks: Err(Missing::because("not measured")),
        l2_bytes,
    })
}

impl Device {
    fn fixed(&self) -> Result<&Fixed> {
        if let Some(fixed) = self.fixed.get() {
            return Ok(fixed);
        }
        let fixed = Fixed::load(self)?;
        Ok(self.fixed.get_or_init(|| fixed))
    }

    fn l2_bytes(&self) -> u64 {
        let which = sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE;
        // SAFETY: the device was got from the driver.
        let bytes = unsafe { result::device::get_attribute(self.opened, which) };
        // Where the driver does not tell, more than any device has.
        bytes.map_or(128 << 20, |b| b.max(0) as u64)
    }
}
