//! Reading a session folder. In: a path that may come from anyone; out: its steps and what was wrong with it. Never follows
//! a link and never runs anything.

use std::io::Read;
use std::path::Path;

use crate::app::job::Loaded;
use crate::error::{Error, Result};

use super::blob::{Blobs, open_no_link};
use super::record::{Header, Line};
use super::store::{EVENTS, FORMAT_VERSION, cannot, whole_len};

/// The longest list of steps that is read, in bytes.
const MAX_EVENTS_BYTES: u64 = 1 << 30;

/// The lines of a session without their blobs.
#[derive(Debug)]
pub(super) struct Lines {
    /// The first line.
    pub header: Header,
    /// The steps, with 1-based line numbers.
    pub lines: Vec<(usize, Line)>,
    /// What was wrong.
    pub notices: Vec<String>,
}

/// Reads the lines; at most this many steps.
pub(super) fn lines(dir: &Path, most: usize) -> Result<Lines> {
    let bytes = read_events(dir)?;
    let whole = whole_len(&bytes);
    let mut notices = Vec::new();
    if whole < bytes.len() {
        notices.push(format!(
            "the last line of {} was cut off ({} bytes); that step is lost",
            dir.join(EVENTS).display(),
            bytes.len() - whole
        ));
    }
    let mut rows = bytes[..whole].split(|b| *b == b'\n').enumerate();
    let first = rows.next().map(|(_, l)| l).unwrap_or_default();
    let header = header(first, dir)?;
    let mut lines = Vec::new();
    for (at, row) in rows.filter(|(_, row)| !row.is_empty()).take(most) {
        let line: Line = serde_json::from_slice(row).map_err(|e| {
            Error::input(format!("line {} of {} is no step", at + 1, dir.join(EVENTS).display()))
                .because(e)
                .hint("the session was altered or damaged; take it from where it was recorded")
        })?;
        lines.push((at + 1, line));
    }
    Ok(Lines { header, lines, notices })
}

fn read_events(dir: &Path) -> Result<Vec<u8>> {
    let failed = |e: std::io::Error| {
        cannot("open the session", dir, e).hint("a session is a folder NAME.rw with events.jsonl in it")
    };
    let mut file = open_no_link(dir, EVENTS).map_err(failed)?;
    let len = file.metadata().map_err(failed)?.len();
    if len > MAX_EVENTS_BYTES {
        return Err(Error::input(format!(
            "{} is {} MiB, more than is read",
            dir.display(),
            len >> 20
        )));
    }
    let mut bytes = Vec::with_capacity(len as usize);
    file.read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

/// The first line; refuses one of a newer version.
pub(super) fn header(first: &[u8], dir: &Path) -> Result<Header> {
    // A newer header may hold more; its version is read before anything else is expected of it.
    let value: serde_json::Value = serde_json::from_slice(first).unwrap_or_default();
    let version = value.get("rewright_session").and_then(serde_json::Value::as_u64);
    match version {
        Some(v) if v > u64::from(FORMAT_VERSION) => {
            let by = value
                .get("rewright")
                .and_then(|v| v.as_str())
                .unwrap_or("a newer version");
            Err(Error::input(format!(
                "{} has session format {v}; this rewright reads up to {FORMAT_VERSION}",
                dir.display()
            ))
            .hint(format!("open it with rewright {by} or later")))
        }
        Some(_) => serde_json::from_slice(first).map_err(|e| bad_header(dir).because(e)),
        None => Err(bad_header(dir)),
    }
}

fn bad_header(dir: &Path) -> Error {
    Error::input(format!("{} is not a session", dir.display()))
        .hint("its first line must name the format: {\"rewright_session\":1,…}")
}

/// Reads a session with all its blobs. A step whose blob is missing or altered ends the list with a notice; the steps
/// before it are whole.
pub fn load(dir: &Path) -> Result<Loaded> {
    let Lines { lines, mut notices, .. } = lines(dir, usize::MAX)?;
    let blobs = Blobs::of(dir);
    let mut entries = Vec::with_capacity(lines.len());
    for (number, line) in lines {
        match line.record.load(&blobs) {
            Ok(entry) => entries.push(entry),
            Err(e) => {
                notices.insert(0, format!("step at line {number}: {e}; later steps are not shown"));
                break;
            }
        }
    }
    Ok(Loaded {
        path: dir.to_owned(),
        entries,
        notices,
    })
}

/// Reads a session for replay or review; the same as [`load`].
pub fn open(dir: &Path) -> Result<Loaded> {
    load(dir)
}
