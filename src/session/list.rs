//! Which sessions there are. In: folders; out: a summary of each session in them, newest first. Reads no blobs.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::load;
use super::record::Record;

/// A session as the chooser and `session list` show it.
#[derive(Debug, Clone)]
pub struct Summary {
    /// Its folder.
    pub path: PathBuf,
    /// The UDF that it is about.
    pub udf: String,
    /// The file that the UDF came from.
    pub source: PathBuf,
    /// Number of steps.
    pub steps: usize,
    /// When it was last written.
    pub modified: SystemTime,
    /// Why it cannot be opened, if it cannot.
    pub trouble: Option<String>,
}

/// The place for sessions without a name: `$XDG_STATE_HOME/rewright/sessions`.
pub fn state_dir() -> Option<PathBuf> {
    let set = std::env::var_os("XDG_STATE_HOME")
        .map(PathBuf::from)
        .filter(|p| p.is_absolute());
    let home = || std::env::var_os("HOME").map(|h| PathBuf::from(h).join(".local/state"));
    Some(set.or_else(home)?.join("rewright/sessions"))
}

/// Where sessions are looked for: the current folder, and the place for those without a name.
pub fn standard_places() -> Vec<PathBuf> {
    std::iter::once(PathBuf::from(".")).chain(state_dir()).collect()
}

/// The sessions in these folders, newest first.
pub fn list(places: &[PathBuf]) -> Vec<Summary> {
    let mut found = Vec::new();
    for place in places {
        let Ok(entries) = std::fs::read_dir(place) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            let named = path.extension().is_some_and(|e| e == "rw");
            if named && entry.file_type().is_ok_and(|t| t.is_dir()) {
                let path = path.strip_prefix(".").map(Path::to_owned).unwrap_or(path);
                found.push(summary(path));
            }
        }
    }
    found.sort_by_key(|s| std::cmp::Reverse(s.modified));
    found
}

fn summary(path: PathBuf) -> Summary {
    let events = path.join(super::store::EVENTS);
    let modified = std::fs::metadata(events).and_then(|m| m.modified());
    let mut out = Summary {
        modified: modified.unwrap_or(SystemTime::UNIX_EPOCH),
        udf: String::new(),
        source: PathBuf::new(),
        steps: 0,
        trouble: None,
        path,
    };
    match load::lines(&out.path, usize::MAX) {
        Err(e) => out.trouble = Some(e.to_string()),
        Ok(lines) => {
            out.steps = lines.lines.len();
            for (_, line) in lines.lines {
                if let Record::Opened { path, udf, .. } = line.record {
                    out.udf = udf;
                    out.source = path;
                    break;
                }
            }
        }
    }
    out
}
