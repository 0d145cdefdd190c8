//! The worker protocol: a child process that answers one JSON line with one JSON line. In: a program to start and requests
//! with a time-out and a switch to cancel; out: replies, or why there is none. Columns travel as Arrow files in a folder that
//! only this user can read. Also how one waits for a worker's turn. Never knows what a
//! worker is for.

mod log;
pub(crate) mod shared;

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::error::{Error, Result};
use crate::run::Cancel;

pub use log::Log;

/// How often a waiting caller looks at the switch that cancels.
const TICK: Duration = Duration::from_millis(20);
/// How long a cancelled request may still take to end by itself, which saves starting another worker.
const GRACE: Duration = Duration::from_millis(400);
/// How long an ended worker's exit status may take to arrive.
const REAP: Duration = Duration::from_millis(500);

/// How to start a worker.
#[derive(Debug, Clone)]
pub struct Launch {
    /// What the user calls it: "the JVM worker".
    pub name: String,
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Variables beside those of this process.
    pub environment: Vec<(OsString, OsString)>,
    /// How long it may take to say that it is ready.
    pub start_limit: Duration,
}

/// Why a request has no reply. The worker is gone, unless a cancelled request ended by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lost {
    /// The user stopped it.
    Cancelled,
    /// It took longer than allowed.
    TimedOut(Duration),
    /// It ended by itself or was killed; in words how.
    Ended(String),
}

/// A running worker. Dropping it kills its whole process group.
pub struct Worker {
    launch: Launch,
    child: Child,
    /// Gone once it is told to end.
    requests: Option<ChildStdin>,
    replies: Receiver<String>,
    log: Log,
    folder: tempfile::TempDir,
    last_id: u64,
    hello: Value,
}

impl Worker {
    /// Starts a worker and waits until it says that it is ready.
    pub fn start(launch: &Launch, cancel: &Cancel) -> Result<Worker> {
        let cannot =
            |e: &dyn std::fmt::Display| Error::not_proven(format!("{} cannot be started", launch.name)).because(e);
        let folder = tempfile::Builder::new()
            .prefix("rewright-")
            .tempdir()
            .map_err(|e| cannot(&e))?;
        let mut child = Command::new(&launch.program)
            .args(&launch.args)
            .envs(launch.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|e| cannot(&format!("{}: {e}", launch.program.display())))?;
        let (Some(requests), Some(out), Some(err)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(Error::internal("a worker without pipes"));
        };
        let (sender, replies) = channel();
        std::thread::spawn(move || read_lines(out, &sender));
        let mut worker = Worker {
            launch: launch.clone(),
            child,
            requests: Some(requests),
            replies,
            log: Log::of(err),
            folder,
            last_id: 0,
            hello: Value::Null,
        };
        worker.hello = worker
            .wait(launch.start_limit, Duration::ZERO, cancel, |v| v["event"] == "ready")
            .map_err(|lost| {
                let log = worker.log.text();
                lost_error(&format!("{} did not start", launch.name), &lost, &log)
            })?;
        Ok(worker)
    }

    /// What it said about itself when it was ready.
    pub fn hello(&self) -> &Value {
        &self.hello
    }

    /// The folder for columns; it goes with the worker.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// What it wrote to its standard error.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// The operating system's number of the process, which is also that of its group.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// What is needed to end it from elsewhere.
    pub fn handle(&self) -> Handle {
        Handle {
            process: self.child.id(),
            folder: self.folder.path().to_owned(),
        }
    }

    /// Whether it still runs, as far as can be told without asking it.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Sends a request (an object) and waits for its reply. When there is none the worker has been killed; only a cancelled
    /// one that would have replied within a moment is still there.
    pub fn call(&mut self, request: Value, limit: Duration, cancel: &Cancel) -> Result<Value, Lost> {
        self.request(request, limit, GRACE, cancel)
    }

    /// The same for a request that nobody waits for: cancelling it ends the worker at once.
    pub fn call_idly(&mut self, request: Value, limit: Duration, cancel: &Cancel) -> Result<Value, Lost> {
        self.request(request, limit, Duration::ZERO, cancel)
    }

    fn request(
        &mut self,
        mut request: Value,
        limit: Duration,
        grace: Duration,
        cancel: &Cancel,
    ) -> Result<Value, Lost> {
        self.last_id += 1;
        let id = self.last_id;
        request["id"] = id.into();
        let mut line = request.to_string();
        line.push('\n');
        let sent = self
            .requests
            .as_mut()
            .is_some_and(|to| to.write_all(line.as_bytes()).and_then(|()| to.flush()).is_ok());
        if !sent {
            return Err(self.ended());
        }
        self.wait(limit, grace, cancel, |v| v["id"] == id)
    }

    fn wait(
        &mut self,
        limit: Duration,
        grace: Duration,
        cancel: &Cancel,
        wanted: impl Fn(&Value) -> bool,
    ) -> Result<Value, Lost> {
        let start = Instant::now();
        let mut cancelled: Option<Instant> = None;
        loop {
            if cancel.is_cancelled() && cancelled.get_or_insert_with(Instant::now).elapsed() >= grace {
                self.kill();
                return Err(Lost::Cancelled);
            }
            match self.replies.recv_timeout(TICK) {
                // What is no JSON was written past the protocol, by native code for instance.
                Ok(line) => match serde_json::from_str::<Value>(&line) {
                    Ok(reply) if wanted(&reply) && cancelled.is_none() => return Ok(reply),
                    Ok(reply) if wanted(&reply) => return Err(Lost::Cancelled),
                    Ok(_) => {}
                    Err(_) => self.log.note(&line),
                },
                Err(RecvTimeoutError::Timeout) if start.elapsed() > limit => {
                    self.kill();
                    return Err(Lost::TimedOut(limit));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
            }
        }
    }

    /// Ends its input, on which it ends by itself, and waits for that; what has not ended then is killed.
    pub fn finish(&mut self, limit: Duration) {
        self.requests = None;
        let start = Instant::now();
        while self.is_alive() && start.elapsed() < limit {
            std::thread::sleep(TICK);
        }
        if self.is_alive() {
            self.kill();
        }
    }

    /// How it ended, after its output has.
    fn ended(&mut self) -> Lost {
        let start = Instant::now();
        let mut status = None;
        while status.is_none() && start.elapsed() < REAP {
            status = self.child.try_wait().ok().flatten();
            std::thread::sleep(Duration::from_millis(2));
        }
        self.kill();
        Lost::Ended(status.map_or("it closed its output".into(), in_words))
    }

    /// Kills the whole process group, so that nothing it started stays behind.
    fn kill(&mut self) {
        // The number of the group is not reused before its first process is waited for below.
        kill_group(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// The error for a request without a reply: what was being done, why it has none, and the end of the log.
    pub fn explain(&self, doing: &str, lost: &Lost) -> Error {
        lost_error(
            &format!("{doing}: {} was lost", self.launch.name),
            lost,
            &self.log.text(),
        )
    }
}

/// A worker that somebody else waits for, for when the whole program ends.
#[derive(Debug, Clone)]
pub struct Handle {
    process: u32,
    folder: PathBuf,
}

impl Handle {
    /// Kills the worker if it still runs, and removes its folder. Whoever waits for it finds it lost.
    pub fn end(&self) {
        // The folder goes with the worker: where it is gone, so is the worker, and its number may be another's.
        if self.folder.exists() {
            kill_group(self.process);
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// Locks, also after a panic elsewhere: what servers keep behind their locks is whole at any time.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Waits for the turn behind a lock that others hold for as long as a request takes; cancelling ends the wait.
pub fn turn<'m, T>(mutex: &'m Mutex<T>, cancel: &Cancel) -> Result<MutexGuard<'m, T>> {
    loop {
        cancel.check()?;
        match mutex.try_lock() {
            Ok(guard) => return Ok(guard),
            Err(TryLockError::Poisoned(p)) => return Ok(p.into_inner()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

fn kill_group(process: u32) {
    // SAFETY: kill only sends a signal; the callers know that the group is that of a child of ours.
    unsafe {
        libc::kill(-(process as libc::pid_t), libc::SIGKILL);
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if self.is_alive() {
            self.kill();
        }
    }
}

fn read_lines(out: ChildStdout, replies: &Sender<String>) {
    let mut out = BufReader::new(out);
    let mut line = Vec::new();
    // A line without its end was cut off by the worker's death: no reply.
    while out.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) && line.last() == Some(&b'\n') {
        if replies.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
            return;
        }
        line.clear();
    }
}

fn in_words(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("it ended with exit code {code}"),
        (None, Some(signal)) => format!("it was killed by signal {signal}"),
        _ => "it ended".into(),
    }
}

fn lost_error(what: &str, lost: &Lost, log: &str) -> Error {
    let error = match lost {
        Lost::Cancelled => return Error::new(crate::error::ErrorKind::Interrupted, "cancelled"),
        Lost::TimedOut(limit) => {
            Error::not_proven(what).because(format!("no answer within {} s; it was stopped", limit.as_secs()))
        }
        Lost::Ended(how) => Error::not_proven(what).because(how),
    };
    match log.trim().lines().next_back() {
        Some(last) => error.because(format!("its last words: {}", last.trim())),
        None => error,
    }
    .hint("the next test starts a new one")
}

#[cfg(test)]
mod tests;
