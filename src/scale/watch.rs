//! Runs the application. In: its command; out: its result, with progress on the way. It ends when it is cancelled, and it
//! ends itself when this process is gone.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::report::{Progress, Verified};
use crate::error::{Error, ErrorKind, Result};
use crate::run::Cancel;
use crate::run::worker::Log;

/// How often the switch that cancels is looked at.
const TICK: Duration = Duration::from_millis(50);
/// How long an application that is told to end may take to free its executors.
const GRACE: Duration = Duration::from_millis(800);
/// Lines of the log that a failure shows.
const SHOWN_LINES: usize = 3;

/// Starts the application and waits for its result.
pub(super) fn run(command: Command, cancel: &Cancel, on_progress: &mut dyn FnMut(&Progress)) -> Result<Verified> {
    let mut app = App::start(command)?;
    let mut last = None;
    loop {
        if cancel.is_cancelled() {
            app.end();
            return Err(Error::new(ErrorKind::Interrupted, "cancelled"));
        }
        let line = match app.lines.recv_timeout(TICK) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        let Ok(event) = serde_json::from_str::<Value>(&line) else {
            continue;
        };
        match event["event"].as_str() {
            Some("result" | "failed") => last = Some(event),
            _ => {
                if let Ok(progress) = serde_json::from_value(event) {
                    on_progress(&progress);
                }
            }
        }
    }
    match last {
        Some(event) if event["event"] == "result" => Verified::of(event),
        Some(event) => Err(app.failure(&event)),
        None => Err(app.vanished()),
    }
}

struct App {
    child: Child,
    lines: Receiver<String>,
    log: Log,
}

impl App {
    fn start(mut command: Command) -> Result<App> {
        let cannot = |e: std::io::Error| Error::not_proven("the Spark application cannot be started").because(e);
        // A group of its own, so that the application and what it starts can be ended together.
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(cannot)?;
        let (Some(out), Some(err)) = (child.stdout.take(), child.stderr.take()) else {
            return Err(Error::internal("an application without pipes"));
        };
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(std::io::Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(App {
            child,
            lines,
            log: Log::of(err),
        })
    }

    /// Ends it: it gets a moment to give its executors back.
    fn end(&mut self) {
        // It ends when its input does.
        drop(self.child.stdin.take());
        let start = Instant::now();
        while start.elapsed() < GRACE && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let group = self.child.id() as libc::pid_t;
        if matches!(self.child.try_wait(), Ok(None)) {
            // SAFETY: kill only sends a signal; the group is that of our own child, which has not been waited for.
            unsafe {
                libc::kill(-group, libc::SIGKILL);
            }
        }
        let _ = self.child.wait();
    }

    fn failure(&mut self, event: &Value) -> Error {
        let message = event["message"].as_str().unwrap_or("no reason was given").to_owned();
        match event["kind"].as_str() {
            Some("input") => Error::input(message),
            Some("compile") => Error::compile("Spark does not take the candidate").because(message),
            Some("internal") => Error::internal(message),
            // The last word of a driver whose JVM is being ended from inside.
            Some("job") if message.contains("SparkContext was shut down") => self
                .with_log(Error::not_proven("the Spark application ended without a result").because(message))
                .hint("a UDF that calls System.exit ends the application: look for it in the original"),
            Some("job") => self.with_log(Error::not_proven("the Spark job failed").because(message)),
            _ => Error::not_proven(message),
        }
    }

    /// It ended without a word: a UDF that ends its JVM, a driver without memory, a master that is not there.
    fn vanished(&mut self) -> Error {
        let how = match self.child.wait().map(|s| s.code()) {
            Ok(Some(code)) => format!("it ended with exit code {code}"),
            _ => "it was killed".to_owned(),
        };
        self.with_log(Error::not_proven("the Spark application ended without a result").because(how))
    }

    fn with_log(&self, error: Error) -> Error {
        let text = self.log.text();
        let told = |l: &&str| !l.trim().is_empty() && !l.trim_start().starts_with("at ") && !l.starts_with("WARNING: ");
        let lines: Vec<&str> = text.lines().filter(told).collect();
        let shown = &lines[lines.len().saturating_sub(SHOWN_LINES)..];
        shown.iter().fold(error, |e, line| e.because(line.trim()))
    }
}

impl Drop for App {
    fn drop(&mut self) {
        self.end();
    }
}
