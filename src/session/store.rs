//! Appending to a session folder. In: steps; out: lines that are on disk when `append` returns. One writer at a time; a
//! failure is an error value, never a lost result of the caller.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

use super::blob::{Blobs, open_no_link};
use super::entry::Entry;
use super::load::header;
use super::record::{Header, Line, Record};

/// The format that is written, and the newest that is read.
pub const FORMAT_VERSION: u32 = 1;

/// The name of the list of steps.
pub(super) const EVENTS: &str = "events.jsonl";

/// A session folder that is open for appending.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    file: File,
    blobs: Blobs,
}

impl Store {
    /// Begins a session in a folder that does not exist yet.
    pub fn create(dir: &Path) -> Result<Store> {
        let failed = |e| cannot("create the session", dir, e);
        if let Some(parent) = dir.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        fs::create_dir(dir).map_err(failed)?;
        fs::create_dir(dir.join("blobs")).map_err(failed)?;
        let mut file = OpenOptions::new()
            .append(true)
            .create_new(true)
            .open(dir.join(EVENTS))
            .map_err(failed)?;
        let header = Header {
            rewright_session: FORMAT_VERSION,
            rewright: env!("CARGO_PKG_VERSION").to_owned(),
        };
        lock(&file, dir)?;
        write_line(&mut file, &header).map_err(failed)?;
        Ok(Store {
            dir: dir.to_owned(),
            file,
            blobs: Blobs::of(dir),
        })
    }

    /// Continues a session; a torn last line is cut off first.
    pub fn continue_in(dir: &Path) -> Result<Store> {
        let failed = |e| cannot("continue the session", dir, e);
        // Opening for reading first refuses links and folders in its place.
        let mut read = open_no_link(dir, EVENTS).map_err(failed)?;
        let mut file = OpenOptions::new().append(true).open(dir.join(EVENTS)).map_err(failed)?;
        lock(&file, dir)?;
        let mut bytes = Vec::new();
        read.seek(SeekFrom::Start(0))
            .and_then(|_| read.read_to_end(&mut bytes))
            .map_err(failed)?;
        let whole = whole_len(&bytes);
        // A newer session is read by a newer program; a step of this one in it would be lost on both.
        header(bytes[..whole].split(|b| *b == b'\n').next().unwrap_or_default(), dir)?;
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(failed)?;
        }
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(Store {
            dir: dir.to_owned(),
            file,
            blobs: Blobs::of(dir),
        })
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Appends a step: its blobs first, then its line, flushed.
    pub fn append(&mut self, step: &Entry) -> Result<()> {
        let failed =
            |e| cannot("record in the session", &self.dir, e).hint("the work goes on; save under another name");
        let record = Record::store(step, &self.blobs).map_err(failed)?;
        let at = chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
        let before = self.file.metadata().map_err(failed)?.len();
        let written = write_line(&mut self.file, &Line { at, record });
        if let Err(e) = written {
            // Half a line would hide every later one.
            let _ = self.file.set_len(before);
            return Err(failed(e));
        }
        Ok(())
    }

    /// Moves the session to another folder, in one step as seen from outside.
    pub fn rename(&mut self, to: &Path) -> Result<()> {
        let failed = |e| cannot("save the session", to, e);
        if fs::symlink_metadata(to).is_ok() {
            return Err(Error::input(format!("{} exists already", to.display())).hint("choose another name"));
        }
        if fs::rename(&self.dir, to).is_err() {
            // Another file system: copy beside the target, then rename.
            let part = part_name(to);
            let copied = copy_session(&self.dir, &part).and_then(|()| fs::rename(&part, to));
            if let Err(e) = copied {
                let _ = fs::remove_dir_all(&part);
                return Err(failed(e));
            }
            let file = OpenOptions::new().append(true).open(to.join(EVENTS)).map_err(failed)?;
            lock(&file, to)?;
            self.file = file;
            // What is left behind is a copy; failing to remove it loses nothing.
            let _ = fs::remove_dir_all(&self.dir);
        }
        self.dir = to.to_owned();
        self.blobs = Blobs::of(to);
        Ok(())
    }
}

fn part_name(to: &Path) -> PathBuf {
    let name = to.file_name().unwrap_or_default().to_string_lossy().into_owned();
    to.with_file_name(format!(".{name}.{}.part", std::process::id()))
}

fn copy_session(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to.join("blobs"))?;
    fs::copy(from.join(EVENTS), to.join(EVENTS))?;
    for entry in fs::read_dir(from.join("blobs"))? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), to.join("blobs").join(entry.file_name()))?;
        }
    }
    Ok(())
}

fn lock(file: &File, dir: &Path) -> Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(fs::TryLockError::WouldBlock) => Err(Error::input(format!(
            "{} is being recorded by another rewright",
            dir.display()
        ))
        .hint("close it there, or work in a new session")),
        // A file system without locks: recording still works.
        Err(fs::TryLockError::Error(_)) => Ok(()),
    }
}

fn write_line(file: &mut File, value: &impl serde::Serialize) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    file.write_all(&line)?;
    file.sync_data()
}

/// How many bytes hold whole lines: what follows the last line feed is torn, and so is a last line that is no JSON.
pub(super) fn whole_len(bytes: &[u8]) -> usize {
    let end = memchr::memrchr(b'\n', bytes).map_or(0, |i| i + 1);
    if end == 0 {
        return 0;
    }
    let start = memchr::memrchr(b'\n', &bytes[..end - 1]).map_or(0, |i| i + 1);
    let last: std::result::Result<serde::de::IgnoredAny, _> = serde_json::from_slice(&bytes[start..end]);
    if last.is_ok() { end } else { start }
}

pub(super) fn cannot(what: &str, dir: &Path, e: std::io::Error) -> Error {
    Error::input(format!("cannot {what} {}", dir.display())).because(e)
}
