//! Inputs for a test. In: a UDF's signature, its source, a row count and a seed; out: an Arrow batch with one column per
//! parameter. Never runs the UDF.

use arrow::array::RecordBatch;

use crate::error::{Error, Result};
use crate::find::Udf;
use crate::source::SourceFile;

/// Generates typed edge rows, the UDF's own literals and their neighbours, then seeded random rows.
pub fn generate(udf: &Udf, file: &SourceFile, rows: usize, seed: u64) -> Result<RecordBatch> {
    let _ = (file, rows, seed);
    Err(Error::not_proven(format!("no inputs are known for {}", udf.name)).hint("give a data file"))
}
