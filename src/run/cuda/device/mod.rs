//! Kernels on a GPU of this machine, through the driver's API. In: machine code and columns; out: outcomes and facts about the
//! device. Only ever called inside of a worker process: after a fault no kernel runs in that process any more.

mod library;
mod machine;
mod nvml;
mod nvrtc;
mod staging;
mod timed;

pub use library::{Nvrtc, in_environment};
pub(super) use machine::{Block, DeviceMachine};
pub(super) use timed::{Bench, ChainRequest, Request as TimeRequest};

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ffi::CString;
use std::rc::Rc;
use std::time::Instant;

use cudarc::driver::{result, sys};
use serde_json::{Value, json};

use super::params::Kernel;
use super::shape::Shape;
use crate::bench::Compile;
use crate::error::{Error, Result};
use nvrtc::{Compiled, Compiler, USUAL, Usage};

/// The driver, once it has answered.
struct Driver {
    /// CUDA's version that it serves: 13000.
    cuda: i32,
}

impl Driver {
    fn load() -> Result<Driver> {
        // SAFETY: looking for a library runs its constructors only; without one the first call would panic.
        if !unsafe { sys::is_culib_present() } {
            return Err(
                Error::not_proven("no NVIDIA driver is on this machine, which the cuda engine needs")
                    .hint("--engine cuda-host runs the same text on the CPU, as an emulation"),
            );
        }
        result::init().map_err(|e| failed("the NVIDIA driver does not start", e))?;
        let mut cuda = 0;
        // SAFETY: the version is written to a number that lives long enough.
        unsafe { sys::cuDriverGetVersion(&mut cuda) }
            .result()
            .map_err(|e| failed("the NVIDIA driver does not answer", e))?;
        Ok(Driver { cuda })
    }

    fn major(&self) -> u32 {
        (self.cuda / 1000) as u32
    }

    fn version(&self) -> String {
        format!("{}.{}", self.cuda / 1000, self.cuda % 1000 / 10)
    }
}

fn failed(what: &str, e: result::DriverError) -> Error {
    let name = e.error_name().ok().map(|n| n.to_string_lossy().into_owned());
    let words = e.error_string().ok().map(|n| n.to_string_lossy().into_owned());
    let error = Error::not_proven(what);
    match (name, words) {
        (Some(name), Some(words)) => error.because(format!("{name}: {words}")),
        _ => error.because(format!("CUDA error {}", e.0 as u32)),
    }
}

/// The release of the driver, where the system tells it: `580.159.04`.
fn release() -> Option<String> {
    if let Ok(text) = std::fs::read_to_string("/sys/module/nvidia/version") {
        return Some(text.trim().to_owned());
    }
    let text = std::fs::read_to_string("/proc/driver/nvidia/version").ok()?;
    let numbers = |w: &&str| w.contains('.') && w.chars().all(|c| c.is_ascii_digit() || c == '.');
    text.split_whitespace().find(numbers).map(str::to_owned)
}

/// What this machine has, for the doctor and for the choice of a device.
pub(super) fn survey() -> Value {
    let driver = Driver::load();
    let nvrtc = Compiler::load(driver.as_ref().ok().map(Driver::major));
    let devices: Vec<Value> = match &driver {
        Ok(_) => (0..result::device::get_count().unwrap_or(0))
            .filter_map(|n| result::device::get(n).ok())
            .map(|d| Value::from_iter(facts_of(d)))
            .collect(),
        Err(_) => Vec::new(),
    };
    json!({
        "driver": driver.as_ref().ok().map(|d| json!({"cuda": d.version(), "release": release()})),
        "no_driver": driver.as_ref().err().map(|e| e.to_string()),
        "devices": devices,
        "nvrtc": nvrtc.as_ref().ok().map(|n| json!({"version": n.version(), "by": n.by()})),
        "no_nvrtc": nvrtc.as_ref().err().map(|e| e.to_string()),
    })
}

/// Facts that do not change between runs.
fn facts_of(device: sys::CUdevice) -> BTreeMap<String, String> {
    use sys::CUdevice_attribute as Attribute;
    // SAFETY: the device was got from the driver.
    let attribute = |which| unsafe { result::device::get_attribute(device, which) }.ok();
    let mut facts = BTreeMap::new();
    let mut add = |name: &str, value: Option<String>| value.map(|v| facts.insert(name.to_owned(), v));
    add("device", result::device::get_name(device).ok());
    // SAFETY: as above.
    let memory = unsafe { result::device::total_mem(device) }.ok();
    add("memory", memory.map(|m| format!("{} MiB", m >> 20)));
    let (major, minor) = (
        attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
        attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
    );
    add("compute capability", major.zip(minor).map(|(a, b)| format!("{a}.{b}")));
    let clock = |kilohertz: i32| format!("{} MHz", kilohertz / 1000);
    add(
        "core clock",
        attribute(Attribute::CU_DEVICE_ATTRIBUTE_CLOCK_RATE).map(clock),
    );
    add(
        "memory clock",
        attribute(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE).map(clock),
    );
    let ecc = attribute(Attribute::CU_DEVICE_ATTRIBUTE_ECC_ENABLED);
    add("ecc", ecc.map(|e| if e != 0 { "on".into() } else { "off".into() }));
    let processors = attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    add("multiprocessors", processors.map(|p| p.to_string()));
    facts
}

/// What a kernel calls whose functions call themselves, see `kernels/rw_core.cuh`.
const RECURSION: &str = "rw::too_deep(";
/// Bytes of a thread's stack for such a kernel: what calls may take there, scratch memory, and the frames around both.
const STACK: usize = 32 << 10;

/// A device with its compiler.
pub(super) struct Device {
    driver: Driver,
    compiler: Compiler,
    facts: BTreeMap<String, String>,
    architecture: String,
    opened: sys::CUdevice,
    /// The fixed kernels of the micro-benchmark, once it has run.
    fixed: OnceCell<Rc<timed::Fixed>>,
}

/// A kernel on the device.
pub(super) struct DeviceKernel {
    function: sys::CUfunction,
    shape: Shape,
    usage: Usage,
    compile: Compile,
}

impl Device {
    /// Opens the device of a number.
    pub fn open(number: u32) -> Result<Device> {
        let driver = Driver::load()?;
        let count = result::device::get_count().map_err(|e| failed("the devices cannot be counted", e))?;
        if number as i32 >= count {
            let there = match count {
                0 => "there is none".to_owned(),
                1 => "there is device 0 only".to_owned(),
                n => format!("there are devices 0 to {}", n - 1),
            };
            return Err(Error::not_proven(format!("there is no device {number}"))
                .because(there)
                .hint("`rewright doctor` lists them"));
        }
        let opened = result::device::get(number as i32).map_err(|e| failed("the device cannot be opened", e))?;
        // SAFETY: the device was got from the driver; its context is kept for as long as this process lives.
        unsafe {
            let context = result::primary_ctx::retain(opened);
            let context = context.map_err(|e| failed("the device cannot be used", e))?;
            result::ctx::set_current(context).map_err(|e| failed("the device cannot be used", e))?;
        }
        let compiler = Compiler::load(Some(driver.major())).map_err(|e| {
            e.because("the driver is there, its compiler of kernels is not part of it")
                .hint("--engine cuda-host runs the same text on the CPU, as an emulation")
        })?;
        let facts = facts_of(opened);
        let capability = facts.get("compute capability").map(|c| c.replace('.', ""));
        Ok(Device {
            driver,
            compiler,
            architecture: capability.map_or(USUAL.to_owned(), |c| format!("sm_{c}")),
            facts,
            opened,
            fixed: OnceCell::new(),
        })
    }

    /// Compiles and loads a kernel.
    pub fn load(&self, text: &str, kernel: &Kernel) -> Result<DeviceKernel> {
        let start = Instant::now();
        let compiled = self.compiler.compile(text, &self.architecture)?;
        let compile = Compile {
            seconds: start.elapsed().as_secs_f64(),
            cached: compiled.cached,
        };
        if text.contains(RECURSION) {
            let stack = sys::CUlimit::CU_LIMIT_STACK_SIZE;
            result::ctx::set_limit(stack, STACK)
                .map_err(|e| failed("there is no room for the stacks of recursion", e))?;
        }
        let module = self.module(&compiled)?;
        Ok(DeviceKernel {
            function: function(module, &kernel.name)?,
            shape: kernel.shape,
            usage: compiled.usage,
            compile,
        })
    }

    /// One of our own kernels.
    pub fn fixed_kernel(&self, text: &str, name: &str, shape: Shape) -> Result<DeviceKernel> {
        let start = Instant::now();
        let compiled = self.compiler.compile(text, &self.architecture)?;
        Ok(DeviceKernel {
            function: function(self.module(&compiled)?, name)?,
            shape,
            usage: compiled.usage,
            compile: Compile {
                seconds: start.elapsed().as_secs_f64(),
                cached: compiled.cached,
            },
        })
    }

    /// Loads machine code; it is never unloaded.
    fn module(&self, compiled: &Compiled) -> Result<sys::CUmodule> {
        let refused = |e| {
            let error = failed("the driver does not take the compiled kernel", e);
            if self.compiler.major() > self.driver.major() {
                let (a, b) = (self.compiler.version(), self.driver.version());
                return error
                    .because(format!("NVRTC is of CUDA {a}, the driver serves CUDA {b}"))
                    .hint(format!(
                        "`rewright setup cuda --version {}` gets one that fits",
                        self.driver.major()
                    ));
            }
            error
        };
        // SAFETY: the image is a whole cubin of NVRTC.
        unsafe { result::module::load_data(compiled.cubin.as_ptr().cast()) }.map_err(refused)
    }

    /// The engine's version and the facts of a run.
    pub fn facts(&self, kernel: &DeviceKernel) -> (String, BTreeMap<String, String>) {
        let mut facts = self.facts.clone();
        facts.insert(
            "driver".into(),
            release().unwrap_or_else(|| "of unknown release".into()),
        );
        facts.insert("cuda of the driver".into(), self.driver.version());
        facts.insert("architecture".into(), self.architecture.clone());
        add_usage(&kernel.usage, &mut facts);
        (format!("CUDA, NVRTC {}", self.compiler.version()), facts)
    }
}

/// An entry of a module.
fn function(module: sys::CUmodule, name: &str) -> Result<sys::CUfunction> {
    let name = CString::new(name).map_err(|_| Error::internal("a name with a zero byte"))?;
    // SAFETY: the module is never unloaded, so the function stays.
    unsafe { result::module::get_function(module, name) }
        .map_err(|e| failed("the compiled kernel has no such entry", e))
}

fn add_usage(usage: &Usage, facts: &mut BTreeMap<String, String>) {
    if let Some(registers) = usage.registers {
        facts.insert("registers per thread".into(), registers.to_string());
    }
    if let (Some(stores), Some(loads)) = (usage.spill_stores, usage.spill_loads) {
        facts.insert(
            "spilled bytes per thread".into(),
            format!("{stores} stored, {loads} loaded"),
        );
    }
    if let Some(stack) = usage.stack {
        facts.insert("stack bytes per thread".into(), stack.to_string());
    }
}

/// Bytes of the device's memory that are taken, by whatever runs on it. Needs an open device.
pub(super) fn live_bytes() -> Result<u64> {
    let (free, total) = result::mem_get_info().map_err(|e| failed("the device's memory cannot be asked about", e))?;
    Ok((total - free) as u64)
}

/// Compiles a kernel where no device is needed; what it uses, and which compiler said so.
pub(super) fn compile_only(text: &str) -> Result<BTreeMap<String, String>> {
    let compiler = Compiler::load(Driver::load().ok().map(|d| d.major()))?;
    let compiled = compiler.compile(text, USUAL)?;
    let mut facts = BTreeMap::from([
        ("nvrtc".to_owned(), compiler.version()),
        ("architecture".to_owned(), USUAL.to_owned()),
    ]);
    add_usage(&compiled.usage, &mut facts);
    Ok(facts)
}
