//! Spark's own answer, from a JVM worker: the user's code compiled as it stands and called through Spark's own expressions, and
//! SQL candidates run by a real Spark. In: a UDF or a candidate; out: outcomes. Starts foreign code, so never for a session
//! that came from elsewhere before the user trusts it.

mod accelerator;
mod build;
pub mod columns;
mod compile;
mod cudf;
pub mod ddl;
mod engine;
mod install;
mod java;
mod kit;
mod oracle;
mod pyspark;
mod reference;
mod server;
pub mod setup;
pub mod stubs;
pub mod timed;
pub mod wrap;

pub use accelerator::{JAR_VARIABLE, Library, NATIVE_VARIABLE};
pub use compile::{CompileMessage, compile_check, does_not_compile};
pub use cudf::LibraryEngine;
pub use cudf::timed::{Calls, with_calls};
pub use engine::SparkEngine;
pub use install::{Spark, cache_dir, managed};
pub use java::Java;
pub use kit::Kit;
pub use oracle::{JvmOracle, Packed};
pub use reference::reference;
pub use server::{Server, WorkerState, WorkerStatus};
