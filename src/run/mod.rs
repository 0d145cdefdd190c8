//! Runs a UDF or a candidate over an Arrow batch. In: prepared code and columns; out: one [`Outcome`] per row and the
//! [`Evidence`] of what really ran. Never compares.

pub mod embedded;
pub mod spark;
pub mod worker;
pub mod sql;
pub mod cudf;
pub mod cuda;
mod joined;
mod not_run;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow::array::{Array, ArrayRef, RecordBatch, StringArray};
use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind, Result};

/// Native stack of a thread that interprets a candidate or a UDF: both recurse on it, and it is only touched as far as it is used.
pub const INTERPRETER_STACK: usize = 256 << 20;

/// What ran: an oracle for the original or an engine for a candidate. Part of every verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EngineId {
    /// Oracle: the typed AST interpreted in process with the JVM's semantics.
    Embedded,
    /// Engine: the candidate's text run in process over Arrow columns (an emulation, and named so).
    Cpu,
    /// Oracle: the user's own code compiled and called in a JVM through Spark's expressions.
    Jvm,
    /// Oracle or engine: a query of a real Spark session.
    Spark,
    /// Engine: the candidate's class compiled and called with device columns of the user's cuDF library.
    Cudf,
    /// Engine: the kernel compiled for a GPU of this machine and run there.
    Cuda,
    /// Engine: the kernel's text compiled for the CPU, one thread after the other (an emulation, and named so).
    CudaHost,
}

impl EngineId {
    /// The name on the command line and on screen.
    pub fn name(self) -> &'static str {
        match self {
            EngineId::Embedded => "embedded",
            EngineId::Cpu => "cpu",
            EngineId::Jvm => "jvm",
            EngineId::Spark => "spark",
            EngineId::Cudf => "cudf",
            EngineId::Cuda => "cuda",
            EngineId::CudaHost => "cuda-host",
        }
    }
}

impl EngineId {
    /// Whether it only imitates what the candidate is made for.
    pub fn is_emulation(self) -> bool {
        matches!(self, EngineId::Cpu | EngineId::CudaHost)
    }
}

pub(crate) use joined::joined;
pub use not_run::{NOT_RUN, NotRun, NotRunReason};

/// What each row of a batch came to: a value, null, or an exception; or that nothing can be said about it.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// One element per row; null where the row threw or was not run.
    pub values: ArrayRef,
    /// Simple class name of the exception per row, null where it did not throw; `None` when no row threw.
    pub errors: Option<StringArray>,
    /// Rows that could not be run, with reasons; they have neither value nor exception.
    pub not_run: NotRun,
}

impl Outcome {
    /// An outcome in which no row threw.
    pub fn of_values(values: ArrayRef) -> Outcome {
        Outcome {
            values,
            errors: None,
            not_run: NotRun::default(),
        }
    }

    /// An outcome in which rows may have thrown.
    pub fn with_errors(values: ArrayRef, errors: Option<StringArray>) -> Outcome {
        Outcome {
            errors,
            ..Outcome::of_values(values)
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The exception of a row.
    pub fn error(&self, row: usize) -> Option<&str> {
        self.errors.as_ref().filter(|e| e.is_valid(row)).map(|e| e.value(row))
    }
}

/// What ran where, as far as a run can tell; recorded with every verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// What ran.
    pub engine: EngineId,
    /// Version of it.
    pub version: String,
    /// Facts in stable order: session time zone, ANSI mode, threads, device…
    pub facts: BTreeMap<String, String>,
}

/// Settings of the session that change what a run means. Defaults are Spark's with UTC.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// `spark.sql.ansi.enabled`.
    pub ansi: bool,
    /// `spark.sql.session.timeZone`, an IANA name; also the JVM's default zone.
    pub time_zone: String,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            ansi: false,
            time_zone: "UTC".into(),
        }
    }
}

/// A switch that stops a run; cheap to ask, shared between the asker and the run.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks the run to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// An interrupted error once it was asked.
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled() {
            Err(Error::new(ErrorKind::Interrupted, "cancelled"))
        } else {
            Ok(())
        }
    }
}

/// Runs one UDF or one candidate. `prepare` parses, types or compiles for the batch's schema; `eval` may then be
/// called for any number of batches of that schema, each giving one outcome per row in order.
pub trait Evaluator: Send {
    /// What this is.
    fn id(&self) -> EngineId;
    /// Gets ready for batches of this schema (columns in parameter order); says what will run.
    fn prepare(&mut self, schema: &arrow::datatypes::Schema) -> Result<Evidence>;
    /// Runs over a batch. A row that throws is part of the outcome, and so is one that cannot be run; an `Err` means that
    /// nothing can be said about any row.
    fn eval(&mut self, batch: &RecordBatch, cancel: &Cancel) -> Result<Outcome>;
    /// What the run noticed besides its values: leaked columns, double closes, with the line in the candidate.
    fn findings(&self) -> Vec<Finding> {
        Vec::new()
    }
}

/// Something a run noticed that is not a value: a leak, a double close, an endless loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Stable kebab-case id: `leak`, `double-close`, `input-closed`, `use-after-close`…
    pub id: String,
    /// One sentence.
    pub message: String,
    /// 1-based line in the text that ran, if known.
    pub line: Option<u32>,
}
