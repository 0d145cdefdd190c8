//! Compiled kernels by content. In: everything that decides what comes out; out: a file of this user's cache.
//! The oldest files go when there are many. Never reads what it keeps.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::propose::cuda::HEADERS;
use crate::run::spark::cache_dir;

/// Files of a kind that are kept.
const MOST: usize = 512;

/// The name for a kernel's text with the headers that it may include, the flags and whatever else it is made with.
pub(super) fn name(text: &str, flags: &[&str], made_with: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for (name, header) in HEADERS {
        hash.update(name);
        hash.update(header);
    }
    flags.iter().for_each(|f| hash.update(f));
    made_with.iter().for_each(|m| hash.update(m));
    hash.update(text);
    hash.finalize().iter().take(16).map(|b| format!("{b:02x}")).collect()
}

/// Where the file of a kind is, or would be; `None` where there is no cache.
pub(super) fn place(kind: &str, name: &str, extension: &str) -> Option<PathBuf> {
    Some(cache_dir()?.join(kind).join(format!("{name}.{extension}")))
}

/// Moves a file into the cache; a reader sees all of it or nothing.
pub(super) fn keep(file: &Path, place: &Path) -> std::io::Result<()> {
    let Some(folder) = place.parent() else {
        return Err(std::io::Error::other("a place without folder"));
    };
    std::fs::create_dir_all(folder)?;
    let near = tempfile::NamedTempFile::new_in(folder)?;
    std::fs::copy(file, near.path())?;
    near.persist(place).map_err(|e| e.error)?;
    prune(folder);
    Ok(())
}

/// Removes the oldest files beyond the bound; that others do so at the same time does no harm.
fn prune(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut files: Vec<_> = entries
        .flatten()
        .filter_map(|e| Some((e.metadata().ok()?.modified().ok()?, e.path())))
        .collect();
    if files.len() <= MOST {
        return;
    }
    files.sort();
    for (_, path) in &files[..files.len() - MOST] {
        let _ = std::fs::remove_file(path);
    }
}
