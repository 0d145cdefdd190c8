//! Proof at scale. In: a UDF, an SQL candidate, a table or Parquet files and a Spark master; out: a [`ScaleReport`] over every
//! row of the input, and progress on the way. A Spark application of our own (`assets/jvm/verify`) runs both sides and compares
//! them; this module builds it, submits it and reads what it says. Never sees a row: the application gives back counts and a
//! bounded sample.

mod report;
mod submit;
mod watch;

use std::num::NonZeroU64;
use std::path::PathBuf;

use crate::compare::Policy;
use crate::error::{Error, Result};
use crate::find::Udf;
use crate::propose::{Candidate, Tier};
use crate::run::spark::{JvmOracle, Kit};
use crate::run::{Cancel, Settings};
use crate::source::SourceFile;

pub use report::{PartProgress, Progress, ScaleClass, ScaleReport, ScaleRow};

/// What to run over which rows on which cluster.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The user's file.
    pub source: &'a SourceFile,
    /// The original.
    pub udf: &'a Udf,
    /// The rewrite, of the `sql` tier.
    pub candidate: &'a Candidate,
    /// A path to Parquet, or the name of a table.
    pub input: &'a str,
    /// Spark's master.
    pub master: &'a str,
    /// Further settings of the application, in order.
    pub conf: &'a [(String, String)],
    /// Jars that the original needs.
    pub classpath: &'a [PathBuf],
    /// What is accepted.
    pub policy: &'a Policy,
    /// Rows outside the policy at which it stops.
    pub max_mismatches: Option<NonZeroU64>,
    /// Rows kept per class.
    pub samples: usize,
    /// Zone and ANSI mode.
    pub settings: &'a Settings,
}

/// Submits the application and waits for its result. `on_progress` is told how far it is.
pub fn verify(request: &Request, cancel: &Cancel, on_progress: &mut dyn FnMut(&Progress)) -> Result<ScaleReport> {
    if request.candidate.tier != Tier::Sql {
        return Err(Error::not_proven(format!(
            "a {} candidate does not run in a plan of Spark",
            request.candidate.tier.name()
        ))
        .hint("give an SQL candidate: --tier sql"));
    }
    let kit = Kit::find(request.classpath)?;
    let folder = tempfile::Builder::new()
        .prefix("rewright-verify-")
        .tempdir()
        .map_err(|e| Error::not_proven("there is no room for the application's jars").because(e))?;
    let mut original =
        JvmOracle::new(request.source, request.udf, request.settings.clone(), request.classpath)?.with_cancel(cancel);
    let packed = original.pack(folder.path())?;
    // Its worker is not needed any more, and the cluster may be this machine.
    original.release();
    let command = submit::command(request, &kit, &packed, folder.path())?;
    let verified = watch::run(command, cancel, on_progress)?;
    report::finish(request, &packed, verified)
}
