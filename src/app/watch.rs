//! Watching one file. In: a path, asked now and then; out: whether it changed and has been at rest since. Reads no content.

use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

/// How often the file is looked at; a change counts once it looks the same twice.
const EVERY: Duration = Duration::from_millis(200);

type Look = Option<(SystemTime, u64)>;

/// A file that is watched.
#[derive(Debug)]
pub struct Watch {
    path: PathBuf,
    known: Look,
    last: Look,
    next: Instant,
}

impl Watch {
    /// Starts from how the file is now.
    pub fn new(path: PathBuf) -> Watch {
        let known = look(&path);
        Watch {
            path,
            known,
            last: known,
            next: Instant::now() + EVERY,
        }
    }

    /// Whether the file changed and its writer seems to be done. A file that is gone is waited for: editors replace it.
    pub fn changed(&mut self) -> bool {
        if Instant::now() < self.next {
            return false;
        }
        self.next = Instant::now() + EVERY;
        let now = look(&self.path);
        let at_rest = now == self.last && now.is_some();
        self.last = now;
        if at_rest && now != self.known {
            self.known = now;
            return true;
        }
        false
    }
}

fn look(path: &PathBuf) -> Look {
    let meta = std::fs::metadata(path).ok()?;
    Some((meta.modified().ok()?, meta.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_told_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.scala");
        std::fs::write(&path, "a").unwrap();
        let mut watch = Watch::new(path.clone());
        let mut ask = || {
            watch.next = Instant::now();
            watch.changed()
        };
        assert!(!ask());
        std::fs::write(&path, "ab").unwrap();
        assert!(!ask(), "grace");
        assert!(ask());
        assert!(!ask());
        std::fs::remove_file(&path).unwrap();
        assert!(!ask() && !ask());
    }
}
