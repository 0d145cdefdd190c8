//! The JVM workers of this process: one per class path, started on first use or ahead of it, started again after a loss. In:
//! requests; out: replies. One request runs at a time; a caller that waits for its turn can be cancelled.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::accelerator::Library;
use super::kit::{Kit, Life};
use crate::error::{Error, ErrorKind, Result};
use crate::run::Cancel;
use crate::run::worker::{Handle, Lost, Worker, lock, turn};

/// How long the end of the program may wait for a worker that is just starting.
const LAST_WAIT: Duration = Duration::from_millis(150);

/// How a worker is, for the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkerState {
    /// Not started, or ended without anyone waiting.
    Off,
    /// Starting.
    Starting,
    /// Started, and loading what the first request would wait for.
    Warming,
    /// Waiting for work.
    Ready,
    /// Working; in words on what.
    Working(String),
    /// Gone, with the reason; the next request starts another.
    Lost(String),
}

impl WorkerState {
    /// Whether no worker is there or on its way.
    pub fn is_gone(&self) -> bool {
        matches!(self, WorkerState::Off | WorkerState::Lost(_))
    }
}

/// How a worker is and how often it was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerStatus {
    /// The state.
    pub state: WorkerState,
    /// Starts so far.
    pub starts: u64,
}

/// One worker and what it is made of.
pub struct Server {
    kit: Kit,
    slot: Mutex<Slot>,
    status: Mutex<WorkerStatus>,
    log: Mutex<String>,
    /// Stops what nobody waits for: starting ahead of the first request.
    idle: Cancel,
    /// Of the last worker that was started.
    handle: Mutex<Option<Handle>>,
    /// Whether workers are started to stay.
    stays: AtomicBool,
}

#[derive(Default)]
struct Slot {
    worker: Option<Worker>,
    generation: u64,
}

/// The environment that decides which Java and Spark are found, beside the class path and the cuDF library.
type Key = (Vec<PathBuf>, Option<Library>, [Option<OsString>; 4]);

type Servers = Mutex<Vec<(Key, Arc<Server>)>>;

static SERVERS: LazyLock<Servers> = LazyLock::new(Mutex::default);

impl Server {
    /// The server for a class path; says what is missing for one.
    pub fn of(classpath: &[PathBuf]) -> Result<Arc<Server>> {
        Server::find(classpath, None)
    }

    /// The server for a class path and a cuDF library. It has a worker of its own: native code that crashes takes no answer of
    /// the original with it.
    pub fn with_library(classpath: &[PathBuf], library: Library) -> Result<Arc<Server>> {
        Server::find(classpath, Some(library))
    }

    fn find(classpath: &[PathBuf], library: Option<Library>) -> Result<Arc<Server>> {
        let environment = ["JAVA_HOME", "SPARK_HOME", "PATH", "XDG_CACHE_HOME"].map(std::env::var_os);
        let key: Key = (classpath.to_vec(), library.clone(), environment);
        let mut servers = lock(&SERVERS);
        if let Some((_, server)) = servers.iter().find(|(k, _)| *k == key) {
            return Ok(server.clone());
        }
        let server = Arc::new(Server {
            kit: Kit {
                library,
                ..Kit::find(classpath)?
            },
            slot: Mutex::default(),
            status: Mutex::new(WorkerStatus {
                state: WorkerState::Off,
                starts: 0,
            }),
            log: Mutex::default(),
            idle: Cancel::default(),
            handle: Mutex::default(),
            stays: AtomicBool::new(false),
        });
        servers.push((key, server.clone()));
        Ok(server)
    }

    /// How the workers are that were asked for so far.
    pub fn all_statuses() -> Vec<WorkerStatus> {
        lock(&SERVERS).iter().map(|(_, s)| s.status()).collect()
    }

    /// What the workers wrote that were asked for so far, one after the other.
    pub fn logs() -> String {
        let servers: Vec<Arc<Server>> = lock(&SERVERS).iter().map(|(_, s)| s.clone()).collect();
        let logs: Vec<String> = servers.iter().map(|s| s.log()).collect();
        logs.join("\n")
    }

    /// What it is made of.
    pub fn kit(&self) -> &Kit {
        &self.kit
    }

    /// How it is. A worker that died since its last reply is found out here, where it is free.
    pub fn status(&self) -> WorkerStatus {
        if let Ok(mut slot) = self.slot.try_lock()
            && slot.worker.as_mut().is_some_and(|w| !w.is_alive())
            && let Some(worker) = slot.worker.take()
        {
            *lock(&self.log) = worker.log().text();
            self.set(WorkerState::Lost("it ended between two requests".into()));
        }
        lock(&self.status).clone()
    }

    /// What the worker wrote, as far as it is kept; of the last one, with why it ended, if none runs.
    pub fn log(&self) -> String {
        let mut log = self.written();
        if let WorkerState::Lost(why) = self.status().state {
            log.push_str(&format!("\nno worker: {why}\n"));
        }
        log
    }

    fn written(&self) -> String {
        match self.slot.try_lock() {
            Ok(slot) => slot
                .worker
                .as_ref()
                .map_or_else(|| lock(&self.log).clone(), |w| w.log().text()),
            Err(_) => lock(&self.log).clone(),
        }
    }

    /// Starts the worker and gets its compiler warm on a thread of its own, so that the first test does not wait for it.
    /// Nothing happens where one is there or on its way.
    pub fn warm_up(self: &Arc<Server>) {
        self.stays.store(true, Ordering::Relaxed);
        {
            let _ = self.status();
            let mut status = lock(&self.status);
            if !status.state.is_gone() {
                return;
            }
            status.state = WorkerState::Starting;
        }
        let server = self.clone();
        let work = move || {
            // Whoever needs the worker gets the reason again; nobody waits for it here.
            match server.turn(&server.idle) {
                Ok(mut turn) => turn.warm(&server.idle),
                Err(e) if e.kind == ErrorKind::Interrupted => server.set(WorkerState::Off),
                Err(_) => {}
            }
        };
        if std::thread::Builder::new().name("warm-up".into()).spawn(work).is_err() {
            self.set(WorkerState::Off);
        }
    }

    /// Ends all workers, for when the program ends: their processes and folders go. Waits for nothing that takes time.
    pub fn end_all() {
        let servers: Vec<Arc<Server>> = lock(&SERVERS).iter().map(|(_, s)| s.clone()).collect();
        servers.iter().for_each(|s| s.idle.cancel());
        let until = Instant::now() + LAST_WAIT;
        for server in servers {
            loop {
                if let Ok(mut slot) = server.slot.try_lock() {
                    slot.worker = None;
                    break;
                }
                if Instant::now() > until {
                    // Somebody still waits for its reply.
                    lock(&server.handle).take().inspect(Handle::end);
                    break;
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }

    /// Waits for the worker's turn, starting one if none runs.
    pub fn turn(&self, cancel: &Cancel) -> Result<Turn<'_>> {
        let mut slot = turn(&self.slot, cancel)?;
        if !slot.worker.as_mut().is_some_and(Worker::is_alive) {
            self.start(&mut slot, cancel)?;
        }
        Ok(Turn {
            server: self,
            slot,
            ended: false,
        })
    }

    /// Puts a new worker into the slot.
    fn start(&self, slot: &mut Slot, cancel: &Cancel) -> Result<()> {
        slot.worker = None;
        self.set(WorkerState::Starting);
        let life = match self.stays.load(Ordering::Relaxed) {
            true => Life::Long,
            false => Life::Once,
        };
        let launched = self
            .kit
            .launch(life, cancel)
            .and_then(|launch| Worker::start(&launch, cancel));
        match launched {
            Ok(worker) => {
                *lock(&self.handle) = Some(worker.handle());
                slot.worker = Some(worker);
            }
            Err(e) if e.kind == ErrorKind::Interrupted => {
                self.set(WorkerState::Off);
                return Err(e);
            }
            Err(e) => {
                self.set(WorkerState::Lost(e.to_string()));
                return Err(e);
            }
        }
        slot.generation += 1;
        lock(&self.status).starts += 1;
        self.set(WorkerState::Ready);
        Ok(())
    }

    fn set(&self, state: WorkerState) {
        lock(&self.status).state = state;
    }
}

/// The right to use the worker.
pub struct Turn<'s> {
    server: &'s Server,
    slot: MutexGuard<'s, Slot>,
    ended: bool,
}

impl Turn<'_> {
    /// Grows with every start: what an earlier worker knew is gone.
    pub fn generation(&self) -> u64 {
        self.slot.generation
    }

    /// The worker.
    pub fn worker(&self) -> Result<&Worker> {
        self.slot
            .worker
            .as_ref()
            .ok_or_else(|| Error::internal("a turn without a worker"))
    }

    /// Sends a request; a reply may still say that it failed. `doing` names it for the screen and for errors.
    pub fn call(&mut self, doing: &str, request: Value, limit: Duration, cancel: &Cancel) -> Result<Value> {
        let worker = self
            .slot
            .worker
            .as_mut()
            .ok_or_else(|| Error::internal("a turn without a worker"))?;
        self.server.set(WorkerState::Working(doing.to_owned()));
        let answer = worker.call(request, limit, cancel);
        match answer {
            Ok(reply) => {
                self.server.set(WorkerState::Ready);
                Ok(reply)
            }
            Err(lost) => {
                let error = worker.explain(doing, &lost);
                match worker.is_alive() {
                    true => self.server.set(WorkerState::Ready),
                    false => self.give_up(&lost),
                }
                Err(error)
            }
        }
    }

    /// Loads what the first request would wait for.
    fn warm(&mut self, cancel: &Cancel) {
        const LIMIT: Duration = Duration::from_secs(300);
        let Some(worker) = self.slot.worker.as_mut() else {
            return;
        };
        self.server.set(WorkerState::Warming);
        match worker.call_idly(json!({"op": "warm"}), LIMIT, cancel) {
            Ok(_) => self.server.set(WorkerState::Ready),
            Err(lost) => self.give_up(&lost),
        }
    }

    /// Starts another worker if the last one ended by itself or was killed; whether it did.
    pub fn start_again(&mut self, cancel: &Cancel) -> Result<bool> {
        if !std::mem::take(&mut self.ended) || cancel.is_cancelled() {
            return Ok(false);
        }
        self.server.start(&mut self.slot, cancel)?;
        Ok(true)
    }

    /// Ends the worker, because it is of no more use.
    pub fn give_up(&mut self, lost: &Lost) {
        self.ended = matches!(lost, Lost::Ended(_));
        if let Some(worker) = self.slot.worker.take() {
            *lock(&self.server.log) = worker.log().text();
        }
        self.server.set(match lost {
            Lost::Cancelled => WorkerState::Lost("stopped with its request".into()),
            Lost::TimedOut(limit) => WorkerState::Lost(format!("no answer within {} s", limit.as_secs())),
            Lost::Ended(how) => WorkerState::Lost(how.clone()),
        });
    }
}
