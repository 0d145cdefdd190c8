//! Content by hash. In: bytes; out: a file `blobs/<sha-256>.<kind>` and the bytes again. Refuses names that are not a hash,
//! links, and content that does not match its name.

use std::fs::{self, File, OpenOptions};
use std::io::{Cursor, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Schema};
use arrow::ipc::reader::FileReader;
use arrow::ipc::writer::FileWriter;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::run::{NotRun, Outcome};

/// The largest blob that is read, in bytes.
const MAX_BLOB_BYTES: u64 = 4 << 30;

/// The name of a blob: a hash in lower-case hexadecimal digits, a dot, and `txt`, `json` or `arrow`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BlobId(String);

impl BlobId {
    /// The name that content of a kind has.
    pub fn of(bytes: &[u8], kind: &str) -> BlobId {
        let mut name = String::with_capacity(70);
        for b in Sha256::digest(bytes) {
            name.push_str(&format!("{b:02x}"));
        }
        name.push('.');
        name.push_str(kind);
        BlobId(name)
    }

    /// The name, if it is one: anything else could point outside the folder.
    pub fn checked(&self) -> Result<&str> {
        let fine = match self.0.split_once('.') {
            Some((hash, "txt" | "json" | "arrow")) => {
                hash.len() == 64 && hash.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
            }
            _ => false,
        };
        match fine {
            true => Ok(&self.0),
            false => Err(Error::input(format!("{:?} is not the name of a blob", self.0))
                .hint("the session was altered; take it from where it was recorded")),
        }
    }

    /// For messages and digests.
    pub fn name(&self) -> &str {
        &self.0
    }
}

/// The blobs of one session.
#[derive(Debug, Clone)]
pub struct Blobs {
    dir: PathBuf,
}

impl Blobs {
    /// The blobs of a session folder; nothing is touched yet.
    pub fn of(session: &Path) -> Blobs {
        Blobs {
            dir: session.join("blobs"),
        }
    }

    /// Stores bytes; content that is there already is not written again.
    pub fn put(&self, bytes: &[u8], kind: &str) -> std::io::Result<BlobId> {
        let id = BlobId::of(bytes, kind);
        let path = self.dir.join(&id.0);
        if fs::symlink_metadata(&path).is_ok_and(|m| m.is_file() && m.len() == bytes.len() as u64) {
            return Ok(id);
        }
        fs::create_dir_all(&self.dir)?;
        // Written under another name first, so that a kill leaves no half blob under a right name.
        let part = self.dir.join(format!("{}.{}.part", id.0, std::process::id()));
        let written = File::create(&part).and_then(|mut f| {
            f.write_all(bytes)?;
            f.sync_data()
        });
        match written.and_then(|()| fs::rename(&part, &path)) {
            Ok(()) => Ok(id),
            Err(e) => {
                let _ = fs::remove_file(&part);
                Err(e)
            }
        }
    }

    /// Reads a blob and checks that it is what its name says.
    pub fn get(&self, id: &BlobId) -> Result<Vec<u8>> {
        let name = id.checked()?;
        let failed = |e: std::io::Error| {
            let what = match e.kind() {
                std::io::ErrorKind::NotFound => format!("blob {name} is missing"),
                _ => format!("cannot read blob {name}"),
            };
            Error::input(what)
                .because(e)
                .hint("copy the whole session folder, `blobs` included")
        };
        let mut file = open_no_link(&self.dir, name).map_err(failed)?;
        let len = file.metadata().map_err(failed)?.len();
        if len > MAX_BLOB_BYTES {
            return Err(Error::input(format!(
                "blob {name} is {} GiB, more than is read",
                len >> 30
            )));
        }
        let mut bytes = Vec::with_capacity(len as usize);
        file.read_to_end(&mut bytes).map_err(failed)?;
        let kind = name.rsplit('.').next().unwrap_or_default();
        if BlobId::of(&bytes, kind) != *id {
            return Err(Error::input(format!("blob {name} does not hold what its name says"))
                .hint("the session was altered or damaged; take it from where it was recorded"));
        }
        Ok(bytes)
    }

    /// Stores text.
    pub fn put_text(&self, text: &str) -> std::io::Result<BlobId> {
        self.put(text.as_bytes(), "txt")
    }

    /// Reads text.
    pub fn get_text(&self, id: &BlobId) -> Result<Arc<str>> {
        let bytes = self.get(id)?;
        let text =
            String::from_utf8(bytes).map_err(|e| Error::input(format!("blob {} is not UTF-8", id.0)).because(e))?;
        Ok(text.into())
    }

    /// Stores a batch as Arrow IPC.
    pub fn put_batch(&self, batch: &RecordBatch) -> std::io::Result<BlobId> {
        self.put(&batch_bytes(batch).map_err(std::io::Error::other)?, "arrow")
    }

    /// Reads a batch; several are joined.
    pub fn get_batch(&self, id: &BlobId) -> Result<RecordBatch> {
        let bytes = self.get(id)?;
        let bad = |why: String| Error::input(format!("blob {} is not an Arrow file", id.0)).because(why);
        // The reader checks what it reads, but a crafted file must not end the program either.
        let read = std::panic::catch_unwind(|| -> std::result::Result<RecordBatch, arrow::error::ArrowError> {
            let reader = FileReader::try_new(Cursor::new(bytes), None)?;
            let schema = reader.schema();
            let batches = reader.collect::<std::result::Result<Vec<_>, _>>()?;
            arrow::compute::concat_batches(&schema, &batches)
        });
        match read {
            Ok(batch) => batch.map_err(|e| bad(e.to_string())),
            Err(_) => Err(bad("its structure is broken".into())),
        }
    }

    /// Stores an outcome: a column of values, one of exceptions where a row threw, and one of reasons where a row was not
    /// run.
    pub fn put_outcome(&self, outcome: &Outcome) -> std::io::Result<BlobId> {
        self.put_batch(&outcome_batch(outcome).map_err(std::io::Error::other)?)
    }

    /// Reads an outcome.
    pub fn get_outcome(&self, id: &BlobId) -> Result<Outcome> {
        let batch = self.get_batch(id)?;
        let values = batch.column_by_name("value").cloned();
        let errors = match batch.column_by_name("error") {
            Some(e) if *e.data_type() == DataType::Utf8 => Some(e.as_string::<i32>().clone()),
            Some(_) => return Err(Error::input(format!("blob {} holds no outcome", id.0))),
            None => None,
        };
        match values {
            Some(values) => Ok(Outcome {
                not_run: not_run_of(&batch),
                ..Outcome::with_errors(values, errors)
            }),
            None => Err(Error::input(format!("blob {} holds no outcome", id.0))),
        }
    }
}

/// The bytes that a batch has on disk; the same columns give the same bytes.
pub fn batch_bytes(batch: &RecordBatch) -> std::result::Result<Vec<u8>, arrow::error::ArrowError> {
    let mut bytes = Vec::new();
    let mut writer = FileWriter::try_new(&mut bytes, batch.schema_ref())?;
    writer.write(batch)?;
    writer.finish()?;
    drop(writer);
    Ok(bytes)
}

/// An outcome as a batch.
pub fn outcome_batch(outcome: &Outcome) -> std::result::Result<RecordBatch, arrow::error::ArrowError> {
    let mut fields = vec![Field::new("value", outcome.values.data_type().clone(), true)];
    let mut columns: Vec<ArrayRef> = vec![outcome.values.clone()];
    if let Some(errors) = &outcome.errors {
        fields.push(Field::new("error", DataType::Utf8, true));
        columns.push(Arc::new(errors.clone()));
    }
    if !outcome.not_run.is_empty() {
        let reason = |row| outcome.not_run.reason(row).map(|r| r.text.as_str());
        fields.push(Field::new("not_run", DataType::Utf8, true));
        columns.push(Arc::new((0..outcome.len()).map(reason).collect::<StringArray>()));
    }
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
}

/// The rows that were not run, from the column of reasons; sessions from before there were such rows have none.
fn not_run_of(batch: &RecordBatch) -> NotRun {
    let mut out = NotRun::default();
    if let Some(reasons) = batch.column_by_name("not_run").and_then(|c| c.as_string_opt::<i32>()) {
        for (row, reason) in reasons.iter().enumerate() {
            if let Some(reason) = reason {
                out.add(row, reason, None);
            }
        }
    }
    out
}

/// Opens a regular file in a folder; neither may be a link, so that a session cannot read from elsewhere.
pub fn open_no_link(dir: &Path, name: &str) -> std::io::Result<File> {
    if !fs::symlink_metadata(dir)?.is_dir() {
        return Err(std::io::Error::other(format!(
            "{} is a link or no folder",
            dir.display()
        )));
    }
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
        .open(dir.join(name))?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(std::io::Error::other(format!("{name} is not a regular file"))),
    }
}
