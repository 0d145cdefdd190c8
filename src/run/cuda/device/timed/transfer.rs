//! Moving bytes between host and device, from and to page-locked memory, as an accelerator does. In: how many bytes; out: times
//! of both directions. More bytes than a piece are not moved: the time of a byte no longer changes by then.

use std::ffi::c_void;
use std::time::Instant;

use cudarc::driver::result;

use super::super::DeviceMachine;
use super::super::machine::Block;
use super::lanes::Events;
use crate::bench::{self, Lane, Plan, Sample, Timer, Times, Transfers};
use crate::error::{Error, Result};

/// Most bytes that are moved.
const PIECE: u64 = 256 << 20;
/// Most seconds of it.
const SECONDS: f64 = 0.25;

/// Page-locked memory of the host.
struct Locked {
    address: *mut c_void,
    size: usize,
}

impl Locked {
    fn new(machine: &mut DeviceMachine, size: usize) -> Result<Locked> {
        // SAFETY: nothing is asked of the arguments.
        let made = unsafe { result::malloc_host(size, 0) };
        let address = made.map_err(|e| super::failed("page-locked memory cannot be had", e))?;
        let mut locked = Locked { address, size };
        locked.bytes().fill(0x5A);
        machine.checked("the device does not answer", result::ctx::synchronize())?;
        Ok(locked)
    }

    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: it has that size and nobody else has it while this is borrowed.
        unsafe { std::slice::from_raw_parts_mut(self.address.cast(), self.size) }
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        // SAFETY: made above and freed once.
        let _ = unsafe { result::free_host(self.address) };
    }
}

struct Both<'a> {
    machine: &'a mut DeviceMachine,
    host: Locked,
    device: Block,
    events: Events,
}

impl Timer for Both<'_> {
    fn sample(&mut self, lane: usize) -> Result<Sample> {
        let began = Instant::now();
        let (host, device) = (&mut self.host, &self.device);
        let work = |machine: &mut DeviceMachine| {
            let stream = std::ptr::null_mut();
            // SAFETY: both have the same size, and nothing else happens to them until the copy has ended.
            let done = unsafe {
                match lane {
                    0 => result::memcpy_htod_async(device.address, host.bytes(), stream),
                    _ => result::memcpy_dtoh_async(host.bytes(), device.address, stream),
                }
            };
            machine.checked("bytes cannot be moved to or from the device", done)
        };
        let seconds = self.events.around(self.machine, work, || {})?;
        Ok(Sample {
            seconds,
            cost: began.elapsed().as_secs_f64(),
            throttled: false,
        })
    }
}

/// Times both directions.
pub(super) fn measure(machine: &mut DeviceMachine, bytes: u64, plan: &Plan) -> Result<Transfers> {
    let bytes = bytes.clamp(1, PIECE);
    let host = Locked::new(machine, bytes as usize)?;
    let device = machine.block(bytes as usize)?;
    let events = Events::new()?;
    let mut both = Both {
        machine,
        host,
        device,
        events,
    };
    let plan = Plan {
        seconds: plan.seconds.min(SECONDS),
        warm_up_seconds: plan.warm_up_seconds.min(SECONDS),
        ..*plan
    };
    let lanes = bench::sample(&mut both, 2, &plan)?;
    let times = |lane: &Lane| -> Result<Times> {
        match lane {
            Lane::Measured(times) => Ok(times.clone()),
            Lane::Failed(why) => Err(Error::not_proven("transfers could not be timed").because(why)),
        }
    };
    Ok(Transfers {
        bytes,
        to_device: times(&lanes[0])?,
        to_host: times(&lanes[1])?,
    })
}
