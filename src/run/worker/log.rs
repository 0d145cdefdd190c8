//! What a worker writes to its standard error: read to the end so that it never waits, kept as far as a screen shows.

use std::collections::VecDeque;
use std::io::Read;
use std::process::ChildStderr;
use std::sync::{Arc, Mutex};

/// Bytes that are kept.
const KEPT: usize = 64 << 10;

/// The end of a worker's log; shared with the thread that reads it.
#[derive(Debug, Clone, Default)]
pub struct Log(Arc<Mutex<Tail>>);

#[derive(Debug, Default)]
struct Tail {
    bytes: VecDeque<u8>,
    total: u64,
}

impl Log {
    /// Reads a pipe until it ends.
    pub fn of(mut pipe: ChildStderr) -> Log {
        let log = Log::default();
        let own = log.clone();
        std::thread::spawn(move || {
            let mut buffer = vec![0; 16 << 10];
            while let Ok(n @ 1..) = pipe.read(&mut buffer) {
                own.push(&buffer[..n]);
            }
        });
        log
    }

    /// Adds a line of our own.
    pub(super) fn note(&self, line: &str) {
        self.push(line.as_bytes());
    }

    fn push(&self, bytes: &[u8]) {
        if let Ok(mut tail) = self.0.lock() {
            tail.total += bytes.len() as u64;
            tail.bytes.extend(bytes);
            let over = tail.bytes.len().saturating_sub(KEPT);
            tail.bytes.drain(..over);
        }
    }

    /// The kept end, without a line that was cut at its beginning.
    pub fn text(&self) -> String {
        let Ok(mut tail) = self.0.lock() else {
            return String::new();
        };
        let cut = tail.total > tail.bytes.len() as u64;
        let text = String::from_utf8_lossy(tail.bytes.make_contiguous()).into_owned();
        match text.split_once('\n') {
            Some((_, rest)) if cut => rest.to_owned(),
            _ => text,
        }
    }

    /// Bytes written so far, kept or not.
    pub fn written(&self) -> u64 {
        self.0.lock().map_or(0, |t| t.total)
    }
}
