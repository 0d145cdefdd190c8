//! Inputs for a test. In: a UDF's signature, its source, a row count and a seed, or the user's data file; out: an Arrow
//! batch with one column per parameter. Never runs the UDF.

mod columns;
pub mod data;
mod device;
mod edges;
mod literals;
mod picks;
mod recipe;
mod rng;

use arrow::array::RecordBatch;
use arrow::datatypes::Schema;

pub use data::{bind, read_data, replace, write_outcome};
pub use literals::Literals;

use crate::error::Result;
use crate::find::Udf;
use crate::source::SourceFile;
pub(crate) use device::{DeviceColumn, powers};
pub(crate) use recipe::{FIRST, Recipe, STRETCH};
pub(crate) use rng::Rng;

/// Key of the schema's metadata that says that a batch was made up and holds nobody's data.
const MADE_UP: &str = "rewright.made-up";

/// Whether a batch of this schema comes from [`generate`].
pub fn made_up(schema: &Schema) -> bool {
    schema.metadata().contains_key(MADE_UP)
}

/// Generates typed edge rows, the UDF's own literals and their neighbours, the null matrix over the arguments, then
/// seeded random rows. The same arguments give the same batch on every machine, and more rows begin with the same ones.
pub fn generate(udf: &Udf, file: &SourceFile, rows: usize, seed: u64) -> Result<RecordBatch> {
    Recipe::of(udf, file, seed)?.batch(rows)
}

#[cfg(test)]
mod tests;
