//! `rewright setup`: gets what this machine does not have, into the cache and nowhere else.

use super::args::{CudaVersion, SparkVersion};
use super::output::Output;
use crate::error::Result;
use crate::run::cuda;
use crate::run::spark::setup::{Version, setup};

pub(super) fn run(version: SparkVersion, out: &mut Output) -> Result<u8> {
    let version = match version {
        SparkVersion::V3_5 => Version::V3_5,
        SparkVersion::V4 => Version::V4,
    };
    let quiet = out.is_quiet() || out.is_json();
    let spark = setup(version, &mut |line| {
        if !quiet {
            eprintln!("{}", crate::report::printable(line));
        }
    })?;
    if out.is_json() {
        out.object(&serde_json::json!({
            "format": crate::report::JSON_FORMAT, "spark": spark.version, "scala": spark.scala,
            "home": spark.home.display().to_string(),
        }));
    } else {
        let home = spark.home.display();
        out.text(&format!("Spark {} (Scala {}) in {home}\n", spark.version, spark.scala));
    }
    Ok(0)
}

pub(super) fn run_cuda(version: CudaVersion, out: &mut Output) -> Result<u8> {
    let version = match version {
        CudaVersion::V12 => cuda::setup::Version::V12,
        CudaVersion::V13 => cuda::setup::Version::V13,
    };
    let quiet = out.is_quiet() || out.is_json();
    let found = cuda::setup::setup(version, &mut |line| {
        if !quiet {
            eprintln!("{}", crate::report::printable(line));
        }
    })?;
    let library = found.library.display().to_string();
    if out.is_json() {
        out.object(&serde_json::json!({
            "format": crate::report::JSON_FORMAT, "cuda": version.name(), "library": library,
        }));
    } else {
        out.text(&format!("NVRTC for CUDA {} in {library}\n", version.name()));
    }
    Ok(0)
}
