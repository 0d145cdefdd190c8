//! The workers of this process: one for kernels on the CPU, one per device; started on first use and again after a loss. In:
//! requests; out: replies. A caller that waits for its turn can be cancelled.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, Weak};
use std::time::Duration;

use arrow::array::{Array, RecordBatch};
use arrow::datatypes::DataType;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::FILE;
use super::worker::write_type;
use crate::error::{Error, ErrorKind, Location, Result};
use crate::run::Cancel;
use crate::run::spark::columns;
use crate::run::worker::shared::can_read;
use crate::run::worker::{Launch, Lost, Worker, lock, turn};

pub(super) const START_LIMIT: Duration = Duration::from_secs(30);
/// Building a kernel takes a second; the driver's first start may take longer.
pub(super) const COMPILE_LIMIT: Duration = Duration::from_secs(120);

/// What a worker runs kernels on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The CPU.
    Host,
    /// The device of this number.
    Device(u32),
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Host => "the cuda-host worker",
            Kind::Device(_) => "the GPU worker",
        }
    }

    pub(super) fn args(self) -> Vec<String> {
        match self {
            Kind::Host => vec!["worker".into(), "cuda-host".into()],
            Kind::Device(n) => vec!["worker".into(), "gpu".into(), "--device".into(), n.to_string()],
        }
    }
}

/// A worker that is started when it is needed.
pub(super) struct Server {
    kind: Kind,
    slot: Mutex<Slot>,
}

#[derive(Default)]
struct Slot {
    worker: Option<Worker>,
    requests: u64,
    /// Whether the worker's memory can be read.
    direct: bool,
    on_device: Option<OnDevice>,
}

/// Rows that a worker has on its device. They are known by the columns themselves: rows that look alike are others.
struct OnDevice {
    process: u32,
    token: u64,
    columns: Vec<Weak<dyn Array>>,
}

impl OnDevice {
    fn is(&self, batch: &RecordBatch) -> bool {
        self.columns.len() == batch.num_columns()
            && self
                .columns
                .iter()
                .zip(batch.columns())
                .all(|(there, column)| there.ptr_eq(&Arc::downgrade(column)))
    }
}

/// Whether rows that were made on the device outlast such a request; others need the memory for themselves.
pub(super) fn keeps_rows(op: &str) -> bool {
    matches!(op, "run" | "compile" | "survey")
}

type Servers = Mutex<Vec<Arc<Server>>>;

static SERVERS: LazyLock<Servers> = LazyLock::new(Mutex::default);

impl Server {
    /// The server of a kind.
    pub fn of(kind: Kind) -> Arc<Server> {
        let mut servers = lock(&SERVERS);
        if let Some(found) = servers.iter().find(|s| s.kind == kind) {
            return found.clone();
        }
        let server = Arc::new(Server {
            kind,
            slot: Mutex::default(),
        });
        servers.push(server.clone());
        server
    }

    /// Waits for a turn that lasts for several requests.
    pub fn hold(&self, cancel: &Cancel) -> Result<Held<'_>> {
        Ok(Held {
            server: self,
            slot: turn(&self.slot, cancel)?,
        })
    }

    /// Asks the worker once, as [`Held::call`] does.
    pub fn call<T>(
        &self,
        doing: &str,
        limit: Duration,
        cancel: &Cancel,
        request: impl FnOnce(&Path) -> Result<Value>,
        take: impl FnOnce(Value, &Path) -> Result<T>,
    ) -> Result<T> {
        self.hold(cancel)?.call(doing, limit, cancel, request, take)
    }

    fn launch(&self) -> Result<Launch> {
        Ok(Launch {
            name: self.kind.name().into(),
            program: program()?,
            args: self.kind.args().into_iter().map(Into::into).collect(),
            environment: Vec::new(),
            start_limit: START_LIMIT,
        })
    }
}

/// A worker whom nobody else asks meanwhile.
pub(super) struct Held<'s> {
    server: &'s Server,
    slot: MutexGuard<'s, Slot>,
}

impl Held<'_> {
    /// Asks the worker. `request` is made in a folder that both can read, under a name that no other request has; `take` gets the
    /// reply before anyone else asks. A kernel that ended the worker is an error; the next call starts another worker.
    pub fn call<T>(
        &mut self,
        doing: &str,
        limit: Duration,
        cancel: &Cancel,
        request: impl FnOnce(&Path) -> Result<Value>,
        take: impl FnOnce(Value, &Path) -> Result<T>,
    ) -> Result<T> {
        self.call_over(None, doing, limit, cancel, |base, _| request(base), take)
    }

    /// The same over rows that may be on the device already; then `request` gets their token.
    pub fn call_over<T>(
        &mut self,
        rows: Option<&RecordBatch>,
        doing: &str,
        limit: Duration,
        cancel: &Cancel,
        request: impl FnOnce(&Path, Option<u64>) -> Result<Value>,
        take: impl FnOnce(Value, &Path) -> Result<T>,
    ) -> Result<T> {
        let slot = &mut *self.slot;
        slot.requests += 1;
        let number = slot.requests;
        let alive = slot.worker.take().and_then(|mut w| w.is_alive().then_some(w));
        let worker = match alive {
            Some(worker) => worker,
            None => {
                let worker = Worker::start(&self.server.launch()?, cancel)?;
                slot.direct = worker.hello()["probe"]
                    .as_u64()
                    .is_some_and(|probe| can_read(worker.process(), probe));
                worker
            }
        };
        let worker = slot.worker.insert(worker);
        let base = worker.folder().join(number.to_string());
        let process = worker.process();
        let token = match (&slot.on_device, rows) {
            (Some(there), Some(rows)) if there.process == process && there.is(rows) => Some(there.token),
            _ => None,
        };
        let mut request = request(&base, token)?;
        request["direct"] = slot.direct.into();
        if !request["op"].as_str().is_some_and(keeps_rows) {
            slot.on_device = None;
        }
        match worker.call(request, limit, cancel) {
            Ok(reply) if reply["ok"] == true => take(reply, &base),
            Ok(reply) => {
                if reply["broken"] == true {
                    slot.worker = None;
                }
                Err(error_of(&reply))
            }
            Err(lost) => {
                let error = explain(worker, doing, &lost);
                slot.worker = None;
                Err(error)
            }
        }
    }

    /// Remembers that the worker has these rows on its device.
    pub fn has(&mut self, token: u64, batch: &RecordBatch) {
        let slot = &mut *self.slot;
        slot.on_device = slot.worker.as_ref().map(|worker| OnDevice {
            process: worker.process(),
            token,
            columns: batch.columns().iter().map(Arc::downgrade).collect(),
        });
    }
}

/// A request with a kernel's text, its columns and the type of its result in files beside it. Its outcome is to go to another.
pub(super) fn with_columns(
    op: &str,
    text: &str,
    result: Option<&DataType>,
    rows: &RecordBatch,
    base: &Path,
) -> Result<Value> {
    let file = base.with_extension("columns");
    columns::write(rows, &file)?;
    let mut request = over_held(op, text, result, 0, base)?;
    request["columns"] = json!(file);
    Ok(request)
}

/// The same over the rows of a token, which are on the device.
pub(super) fn over_held(op: &str, text: &str, result: Option<&DataType>, token: u64, base: &Path) -> Result<Value> {
    let types = match result {
        Some(ty) => {
            let path = base.with_extension("types");
            write_type(ty, &path)?;
            Some(path)
        }
        None => None,
    };
    Ok(json!({"op": op, "text": text, "on_device": token, "types": types, "output": output(base)}))
}

/// Where the outcome of such a request is.
pub(super) fn output(base: &Path) -> PathBuf {
    base.with_extension("outcome")
}

/// Whether this process runs the program `rewright`, whatever its file is called.
static IS_PROGRAM: AtomicBool = AtomicBool::new(false);

/// Says that this process runs the program: its own file is that of the workers.
pub fn this_is_the_program() {
    IS_PROGRAM.store(true, Ordering::Relaxed);
}

/// The program `rewright`, which is this one or lies beside it: tests and benchmarks are programs of their own.
pub(super) fn program() -> Result<PathBuf> {
    const NAME: &str = "rewright";
    let failed = |e: &dyn std::fmt::Display| Error::not_proven("the program for the worker is not found").because(e);
    let own = std::env::current_exe().map_err(|e| failed(&e))?;
    if IS_PROGRAM.load(Ordering::Relaxed) {
        return Ok(own);
    }
    let near = own
        .parent()
        .into_iter()
        .flat_map(|p| [p.join(NAME), p.join("..").join(NAME)]);
    near.into_iter()
        .find(|p| p.is_file())
        .ok_or_else(|| failed(&format!("there is no {NAME} beside {}", own.display())))
}

/// Why the kernel has no result, with what a signal means.
fn explain(worker: &Worker, doing: &str, lost: &Lost) -> Error {
    let error = worker.explain(doing, lost);
    match lost {
        Lost::Ended(how) if how.ends_with("signal 11") || how.ends_with("signal 7") => {
            error.because("the kernel reached for memory that is not its own")
        }
        Lost::Ended(how) if how.ends_with("signal 8") => error.because("the kernel divided an integer by zero"),
        Lost::TimedOut(_) => error.because("the kernel may never end"),
        _ => error,
    }
}

fn error_of(reply: &Value) -> Error {
    let texts = |key: &str| {
        let list = reply[key].as_array().cloned().unwrap_or_default();
        list.iter().filter_map(|v| v.as_str().map(str::to_owned)).collect()
    };
    let kind = reply["kind"].as_str().and_then(ErrorKind::named);
    let kind = kind.unwrap_or(ErrorKind::NotProven);
    let mut error = Error::new(kind, reply["what"].as_str().unwrap_or("the worker gave no reason"));
    error.causes = texts("causes");
    error.hints = texts("hints");
    let place = |i: usize| reply["place"][i].as_u64().and_then(|n| u32::try_from(n).ok());
    if let (Some(line), Some(column)) = (place(0), place(1)) {
        error.location = Some(Location {
            path: FILE.into(),
            line,
            column,
        });
    }
    error
}

/// The operating system's number of a worker that runs now.
pub fn worker_process(kind: Kind) -> Option<u32> {
    let server = Server::of(kind);
    let slot = turn(&server.slot, &Cancel::default()).ok()?;
    slot.worker.as_ref().map(Worker::process)
}

/// What this machine has for kernels.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Survey {
    /// CUDA's version that the driver serves, and the driver's release, if there is one.
    pub driver: Option<BTreeMap<String, Option<String>>>,
    /// Why there is none.
    pub no_driver: Option<String>,
    /// Facts about each device.
    pub devices: Vec<BTreeMap<String, String>>,
    /// NVRTC's version and what named it.
    pub nvrtc: Option<BTreeMap<String, String>>,
    /// Why there is none.
    pub no_nvrtc: Option<String>,
}

/// Asks a worker what this machine has.
pub fn survey() -> Result<Survey> {
    Server::of(Kind::Device(0)).call(
        "looking for GPUs",
        COMPILE_LIMIT,
        &Cancel::default(),
        |_| Ok(json!({"op": "survey"})),
        |reply, _| {
            serde_json::from_value(reply["survey"].clone())
                .map_err(|e| Error::internal("the worker's survey cannot be read").because(e))
        },
    )
}

/// A kernel that NVRTC took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compiled {
    /// NVRTC's version, architecture, registers and spills per thread.
    pub facts: BTreeMap<String, String>,
}

/// Compiles a kernel's text for a GPU, which needs none; an error points at the line.
pub fn compile_check(text: &str, cancel: &Cancel) -> Result<Compiled> {
    crate::propose::cuda::check_form(text)?;
    Server::of(Kind::Device(0)).call(
        "compiling the kernel",
        COMPILE_LIMIT,
        cancel,
        |_| Ok(json!({"op": "compile", "text": text})),
        |reply, _| {
            let facts = serde_json::from_value(reply["facts"].clone());
            facts
                .map(|facts| Compiled { facts })
                .map_err(|e| Error::internal("the worker's facts cannot be read").because(e))
        },
    )
}
