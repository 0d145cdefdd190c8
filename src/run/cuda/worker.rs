//! The child's side: a process that compiles and runs kernels, one request at a time. In: JSON lines on standard input, columns
//! as Arrow files; out: JSON lines, outcomes as Arrow files. Ends with its parent, also while a kernel runs.

mod made;
mod timed;

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufRead, Write};
use std::os::fd::FromRawFd;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::DataType;
use serde_json::{Value, json};

use super::chain::{self, Chain};
use super::device::{self, Block, Device, DeviceKernel, DeviceMachine};
use super::host::{self, Host, HostKernel, HostMachine};
use super::machine::{Codes, Machine, Ran, run, run_over};
use super::making::Made;
use super::params::Kernel;
use super::plan::Plan;
use super::server::{Kind, keeps_rows};
use crate::error::{Error, ErrorKind, Result};
use crate::run::spark::columns;
use crate::run::worker::shared;

/// Kernels that stay loaded.
const LOADED: usize = 64;

/// Serves requests until standard input ends.
pub fn serve(kind: Kind) -> u8 {
    let Some(mut replies) = own_output() else {
        eprintln!("the worker has no standard output");
        return ErrorKind::Internal.exit_code();
    };
    let requests = lines();
    let mut state = State {
        kind,
        host: None,
        device: None,
        bench: None,
        made: None,
        direct: false,
        given: None,
    };
    let mut say = |value: Value| writeln!(replies, "{value}").and_then(|()| replies.flush()).is_ok();
    if !say(json!({"event": "ready", "process": std::process::id(), "probe": shared::probe()})) {
        return 0;
    }
    for line in requests {
        let Ok(request) = serde_json::from_str::<Value>(&line) else {
            continue;
        };
        let mut broken = false;
        let mut reply = match state.answer(&request, &mut broken) {
            Ok(reply) => reply,
            Err(e) => failure(&e),
        };
        reply["id"] = request["id"].clone();
        reply["broken"] = broken.into();
        if !say(reply) || broken {
            break;
        }
    }
    0
}

/// The real standard output; what kernels print goes to standard error, past the protocol.
fn own_output() -> Option<File> {
    // SAFETY: duplicates a descriptor of this process and puts standard error in its place.
    unsafe {
        let own = libc::dup(1);
        if own < 0 || libc::dup2(2, 1) < 0 {
            return None;
        }
        Some(File::from_raw_fd(own))
    }
}

/// Lines of standard input. When it ends the parent is gone: a kernel that never ends must not outlive it.
fn lines() -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(std::io::Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
        // The parent removes the folder unless it just ended; an empty one of the right name is ours.
        if let Ok(folder) = std::env::current_dir()
            && folder
                .file_name()
                .is_some_and(|n| n.to_string_lossy().starts_with("rewright-"))
        {
            let _ = std::fs::remove_dir(folder);
        }
        // SAFETY: ends the process at once; handlers of a library whose kernel still runs might wait for it.
        unsafe { libc::_exit(0) };
    });
    receiver
}

fn failure(e: &Error) -> Value {
    let place = e.location.as_ref().map(|l| [l.line, l.column]);
    json!({"ok": false, "kind": e.kind.name(), "what": e.what, "causes": e.causes, "hints": e.hints, "place": place})
}

/// What is loaded.
struct State {
    kind: Kind,
    host: Option<(Host, HashMap<String, Rc<HostKernel>>)>,
    device: Option<(Device, Loaded)>,
    /// What is being timed: it holds memory of the device between requests.
    bench: Option<device::Bench>,
    /// Rows that were made up on the device, for the next runs over them.
    made: Option<(u64, Made<Block>)>,
    /// Whether the other side can read this process' memory.
    direct: bool,
    /// Columns that it is about to read there.
    given: Option<RecordBatch>,
}

/// Kernels of the device by their text.
type Loaded = HashMap<String, Rc<DeviceKernel>>;

/// One run as asked for.
struct Job {
    text: String,
    kernel: Kernel,
    plan: Plan,
    /// Without rows where they are on the device.
    batch: RecordBatch,
    on_device: bool,
}

impl State {
    fn answer(&mut self, request: &Value, broken: &mut bool) -> Result<Value> {
        let op = request["op"].as_str();
        self.given = None;
        self.direct = request["direct"] == true;
        if !op.is_some_and(keeps_rows) {
            self.made = None;
        }
        if let Some(step) = op.and_then(|op| op.strip_prefix("time-")) {
            return self.timing(step, request, broken);
        }
        // Whoever was timing something has given it up: its memory is needed.
        self.bench = None;
        match op {
            Some("survey") => Ok(json!({"ok": true, "survey": device::survey()})),
            Some("compile") => {
                let facts = device::compile_only(text(request, "text")?)?;
                Ok(json!({"ok": true, "facts": facts}))
            }
            Some("run") => {
                let job = self.job(request)?;
                let (ran, version, facts) = match self.kind {
                    Kind::Host => self.on_host(&job, broken)?,
                    Kind::Device(number) => self.on_device(number, &job, broken)?,
                };
                self.give(&ran, request)?;
                let mut facts = facts;
                facts.insert("kernel".to_owned(), job.kernel.name);
                Ok(json!({"ok": true, "findings": ran.findings, "version": version, "facts": facts}))
            }
            Some("make") => self.make(request, broken),
            Some("memory") => self.memory(request, broken),
            Some("chain") => {
                let ran = self.chain(request, broken)?;
                self.give(&ran, request)?;
                Ok(json!({"ok": true}))
            }
            _ => Err(Error::internal("the worker was asked for what it does not know")),
        }
    }

    /// Gives the outcome of a run to the other side.
    fn give(&mut self, ran: &Ran, request: &Value) -> Result<()> {
        self.give_batch(&outcome(ran)?, request)
    }

    fn give_batch(&mut self, batch: &RecordBatch, request: &Value) -> Result<()> {
        let to = Path::new(text(request, "output")?);
        match self.direct {
            true => self.given = columns::hand_over(batch, to)?,
            false => columns::write(batch, to)?,
        }
        Ok(())
    }

    fn on_host(&mut self, job: &Job, broken: &mut bool) -> Result<(Ran, String, BTreeMap<String, String>)> {
        host::covers(&job.text)?;
        let (host, loaded) = self.host()?;
        let kernel = keep(loaded, &job.text, || host.load(&job.text, &job.kernel))?;
        let mut machine = HostMachine::new(&kernel);
        let ran = run(&mut machine, &job.plan, &job.batch);
        *broken = machine.broken();
        let (version, facts) = host.facts();
        Ok((ran?, version, facts))
    }

    /// Runs kernels one after the other.
    fn chain(&mut self, request: &Value, broken: &mut bool) -> Result<Ran> {
        let (chain, plan, batch) = chain_of(request)?;
        let texts = chain.steps.iter().map(|s| &s.text);
        if let Kind::Device(number) = self.kind {
            let (device, loaded) = self.device(number)?;
            let load = |text: &String| {
                let kernel = Kernel::parse(text)?;
                keep(loaded, text, || device.load(text, &kernel)).map(DeviceMachine::new)
            };
            let kernels = texts.map(load).collect::<Result<_>>()?;
            return chain::run(&chain, kernels, &plan, &batch, broken);
        }
        let (host, loaded) = self.host()?;
        let load = |text: &String| {
            host::covers(text)?;
            let kernel = Kernel::parse(text)?;
            keep(loaded, text, || host.load(text, &kernel))
        };
        let kernels: Vec<Rc<HostKernel>> = texts.map(load).collect::<Result<_>>()?;
        let machines = kernels.iter().map(|k| HostMachine::new(k)).collect();
        chain::run(&chain, machines, &plan, &batch, broken)
    }

    /// The CPU's compiler, with what is loaded.
    fn host(&mut self) -> Result<&mut (Host, HashMap<String, Rc<HostKernel>>)> {
        Ok(match &mut self.host {
            Some(host) => host,
            none => none.insert((Host::new(Path::new("."))?, HashMap::new())),
        })
    }

    /// The device, opened, with what is loaded on it.
    fn device(&mut self, number: u32) -> Result<(&Device, &mut Loaded)> {
        let (device, loaded) = match &mut self.device {
            Some(device) => device,
            none => none.insert((Device::open(number)?, HashMap::new())),
        };
        Ok((device, loaded))
    }

    /// Live bytes of the device before and after many runs of a kernel. The first run may load what stays.
    fn memory(&mut self, request: &Value, broken: &mut bool) -> Result<Value> {
        let Kind::Device(number) = self.kind else {
            return Err(Error::internal("the CPU has no device memory"));
        };
        let job = job(request)?;
        self.on_device(number, &job, broken)?;
        let before = device::live_bytes()?;
        for _ in 0..super::memory::CALLS {
            self.on_device(number, &job, broken)?;
        }
        Ok(json!({"ok": true, "before": before, "after": device::live_bytes()?}))
    }

    fn on_device(
        &mut self,
        number: u32,
        job: &Job,
        broken: &mut bool,
    ) -> Result<(Ran, String, BTreeMap<String, String>)> {
        let made = self.made.take();
        let ran = self.run_on(number, job, made.as_ref().map(|(_, made)| made), broken);
        self.made = made;
        ran
    }

    fn run_on(
        &mut self,
        number: u32,
        job: &Job,
        made: Option<&Made<Block>>,
        broken: &mut bool,
    ) -> Result<(Ran, String, BTreeMap<String, String>)> {
        let (device, loaded) = self.device(number)?;
        let kernel = keep(loaded, &job.text, || device.load(&job.text, &job.kernel))?;
        let mut machine = DeviceMachine::new(kernel.clone());
        let ran = match made {
            Some(made) if job.on_device => run_over(&mut machine, &job.plan, made.inputs(), made.rows),
            _ => run(&mut machine, &job.plan, &job.batch),
        };
        *broken = machine.broken();
        let (version, mut facts) = device.facts(&kernel);
        facts.insert("device number".to_owned(), number.to_string());
        Ok((ran?, version, facts))
    }
}

/// A kernel that is loaded, or is loaded now.
fn keep<K>(loaded: &mut HashMap<String, Rc<K>>, text: &str, load: impl FnOnce() -> Result<K>) -> Result<Rc<K>> {
    if let Some(found) = loaded.get(text) {
        return Ok(found.clone());
    }
    let kernel = Rc::new(load()?);
    if loaded.len() >= LOADED {
        loaded.clear();
    }
    loaded.insert(text.to_owned(), kernel.clone());
    Ok(kernel)
}

fn text<'v>(request: &'v Value, key: &str) -> Result<&'v str> {
    request[key]
        .as_str()
        .ok_or_else(|| Error::internal(format!("a request without `{key}`")))
}

fn job(request: &Value) -> Result<Job> {
    job_over(request, columns::take(Path::new(text(request, "columns")?))?)
}

fn job_over(request: &Value, batch: RecordBatch) -> Result<Job> {
    let text_of = text(request, "text")?;
    let result = match request["types"].as_str() {
        Some(path) => Some(columns::take(Path::new(path))?.schema().field(0).data_type().clone()),
        None => None,
    };
    let kernel = Kernel::parse(text_of)?;
    let plan = Plan::of(&kernel, batch.schema_ref(), result.as_ref())?;
    Ok(Job {
        text: super::plan::with_scales(text_of, batch.schema_ref(), result.as_ref()),
        kernel,
        plan,
        batch,
        on_device: false,
    })
}

/// Kernels that run one after the other, how their columns are laid out, and these.
fn chain_of(request: &Value) -> Result<(Chain, Plan, RecordBatch)> {
    let chain: Chain = serde_json::from_value(request["chain"].clone())
        .map_err(|e| Error::internal("a request without a chain").because(e))?;
    let batch = columns::take(Path::new(text(request, "columns")?))?;
    let result = columns::take(Path::new(text(request, "types")?))?;
    let kernel = Kernel::parse(&chain.declaration)?;
    let plan = Plan::of(&kernel, batch.schema_ref(), Some(result.schema().field(0).data_type()))?;
    Ok((chain, plan, batch))
}

/// What a run gave, as columns.
fn outcome(ran: &Ran) -> Result<RecordBatch> {
    let mut columns = vec![("value", ran.values.clone(), true)];
    if let Codes::Of(codes) = &ran.codes {
        columns.push(("code", Arc::new(codes.clone()) as ArrayRef, true));
    }
    RecordBatch::try_from_iter_with_nullable(columns).map_err(|e| Error::internal("the outcome is no batch").because(e))
}

/// The type of a result, as a file that a request names.
pub(super) fn write_type(ty: &DataType, to: &Path) -> Result<()> {
    let schema = arrow::datatypes::Schema::new(vec![arrow::datatypes::Field::new("value", ty.clone(), true)]);
    columns::write(&RecordBatch::new_empty(Arc::new(schema)), to)
}
