//! Clocks of a device while it works, from NVML, which the driver brings. In: the device's place on the bus; out: clocks,
//! temperature, power, and why clocks are lowered; or why nothing can be told. Only reads: it never sets anything.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_ulonglong, c_void};

use cudarc::driver::sys;

use crate::bench::{Clocks, Missing};

const LIBRARY: &CStr = c"libnvidia-ml.so.1";
const CORE: c_uint = 1;
const MEMORY: c_uint = 2;

/// Why clocks are lowered, by bit, in words; whether samples under it are not those of a healthy device.
const REASONS: &[(u64, &str, bool)] = &[
    (0x04, "power limit", true),
    (0x08, "hardware slowdown", true),
    (0x10, "clocks shared with another device", true),
    (0x20, "temperature (software)", true),
    (0x40, "temperature (hardware)", true),
    (0x80, "power brake", true),
    (0x02, "clocks set by an administrator", false),
    (0x100, "display clocks", false),
];

type Handle = *mut c_void;
type Init = unsafe extern "C" fn() -> c_int;
type ByBus = unsafe extern "C" fn(*const c_char, *mut Handle) -> c_int;
type Clock = unsafe extern "C" fn(Handle, c_uint, *mut c_uint) -> c_int;
type Number = unsafe extern "C" fn(Handle, *mut c_uint) -> c_int;
type Bits = unsafe extern "C" fn(Handle, *mut c_ulonglong) -> c_int;

/// NVML's view of one device.
pub(super) struct Nvml {
    device: Handle,
    clock: Clock,
    most: Clock,
    temperature: Clock,
    power: Number,
    reasons: Bits,
}

/// What was seen so far.
#[derive(Default)]
pub(super) struct Seen {
    core: Option<(u32, u32)>,
    memory: Option<(u32, u32)>,
    celsius: u32,
    watts: u32,
    reasons: u64,
}

impl Nvml {
    /// Opens it for a device.
    pub fn open(device: sys::CUdevice) -> Result<Nvml, Missing> {
        let missing = |why: &str| Missing {
            why: why.to_owned(),
            hints: vec!["NVML comes with the driver; `nvidia-smi` needs it as well".into()],
        };
        // SAFETY: the name ends with a zero byte; the library is the driver's.
        let library = unsafe { libc::dlopen(LIBRARY.as_ptr(), libc::RTLD_NOW) };
        if library.is_null() {
            return Err(missing("libnvidia-ml.so.1 cannot be loaded"));
        }
        let incomplete = || missing("NVML has not the functions that are needed");
        // SAFETY: each symbol is used with the signature that NVML documents for it.
        let (init, by_bus, mut nvml) = unsafe {
            let needed = |name| symbol(library, name).ok_or_else(incomplete);
            let init = std::mem::transmute::<Handle, Init>(needed(c"nvmlInit_v2")?);
            let by_bus = std::mem::transmute::<Handle, ByBus>(needed(c"nvmlDeviceGetHandleByPciBusId_v2")?);
            let clock = |name| needed(name).map(|s| std::mem::transmute::<Handle, Clock>(s));
            let nvml = Nvml {
                device: std::ptr::null_mut(),
                clock: clock(c"nvmlDeviceGetClockInfo")?,
                most: clock(c"nvmlDeviceGetMaxClockInfo")?,
                temperature: clock(c"nvmlDeviceGetTemperature")?,
                power: std::mem::transmute::<Handle, Number>(needed(c"nvmlDeviceGetPowerUsage")?),
                reasons: std::mem::transmute::<Handle, Bits>(needed(c"nvmlDeviceGetCurrentClocksThrottleReasons")?),
            };
            (init, by_bus, nvml)
        };
        let bus = bus_id(device).ok_or_else(|| missing("the driver does not tell the device's place on the bus"))?;
        // SAFETY: the handle is written to a place that lives; the text ends with a zero byte.
        let opened = unsafe { init() == 0 && by_bus(bus.as_ptr(), &mut nvml.device) == 0 };
        if opened {
            Ok(nvml)
        } else {
            Err(missing("NVML does not know the device"))
        }
    }

    /// Looks once; whether clocks are lowered for a reason that makes a sample another device's.
    pub fn look(&self, seen: &mut Seen) -> bool {
        let wider = |range: &mut Option<(u32, u32)>, now: Option<u32>| {
            if let Some(now) = now {
                let (low, high) = range.unwrap_or((now, now));
                *range = Some((low.min(now), high.max(now)));
            }
        };
        wider(&mut seen.core, self.ask(self.clock, CORE));
        wider(&mut seen.memory, self.ask(self.clock, MEMORY));
        seen.celsius = seen.celsius.max(self.ask(self.temperature, 0).unwrap_or(0));
        let (mut milliwatts, mut bits) = (0, 0);
        // SAFETY: the device is open; numbers are written to places that live.
        let told = unsafe { (self.reasons)(self.device, &mut bits) == 0 };
        // SAFETY: as above.
        if unsafe { (self.power)(self.device, &mut milliwatts) } == 0 {
            seen.watts = seen.watts.max(milliwatts / 1000);
        }
        let bits = if told { bits } else { 0 };
        seen.reasons |= bits;
        REASONS.iter().any(|(bit, _, slows)| *slows && bits & bit != 0)
    }

    /// What was seen, with what the device could do at most.
    pub fn clocks(&self, seen: &Seen) -> Result<Clocks, Missing> {
        let range = |range: Option<(u32, u32)>, which| {
            let (low, high) = range?;
            Some((low, high, self.ask(self.most, which).unwrap_or(0)))
        };
        let both = range(seen.core, CORE).zip(range(seen.memory, MEMORY));
        let (core_mhz, memory_mhz) = both.ok_or_else(|| Missing::because("NVML does not tell the device's clocks"))?;
        let words = REASONS.iter().filter(|(bit, ..)| seen.reasons & bit != 0);
        Ok(Clocks {
            core_mhz,
            memory_mhz,
            celsius: seen.celsius,
            watts: seen.watts,
            reasons: words.map(|(_, words, _)| (*words).to_owned()).collect(),
        })
    }

    fn ask(&self, what: Clock, which: c_uint) -> Option<u32> {
        let mut number = 0;
        // SAFETY: the device is open; the number is written to a place that lives.
        (unsafe { what(self.device, which, &mut number) } == 0).then_some(number)
    }
}

/// A function of the library.
fn symbol(library: Handle, name: &CStr) -> Option<Handle> {
    // SAFETY: the library is open and stays so.
    let found = unsafe { libc::dlsym(library, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

fn bus_id(device: sys::CUdevice) -> Option<CString> {
    let mut text = [0 as c_char; 32];
    // SAFETY: the text has the length that is told.
    let told = unsafe { sys::cuDeviceGetPCIBusId(text.as_mut_ptr(), text.len() as c_int, device) };
    let bytes: Vec<u8> = text.iter().map(|c| *c as u8).take_while(|c| *c != 0).collect();
    told.result().ok().and_then(|()| CString::new(bytes).ok())
}
