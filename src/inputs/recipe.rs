//! How the rows of a function are made up. In: its parameters, its literals and a seed; out: batches of any number of rows. The first
//! [`FIRST`] rows come from one stream; behind them every stretch of [`STRETCH`] rows has streams of its own, so that all cores, or
//! a device, make them at once and come to the same rows.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, RecordBatch, RecordBatchOptions};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use rayon::prelude::*;

use super::columns::{self, Pick, edge_count};
use super::rng::Rng;
use super::{Literals, MADE_UP, picks};
use crate::error::{Error, Result};
use crate::find::Udf;
use crate::run::joined;
use crate::source::SourceFile;

/// Rows that one stream makes: the null matrix and all edges are among them.
pub(crate) const FIRST: usize = 1 << 17;
/// Rows of a stretch.
pub(crate) const STRETCH: usize = 1 << 11;

/// Everything that rows depend on but their number.
pub(crate) struct Recipe {
    names: Vec<String>,
    pub(super) types: Vec<DataType>,
    pub(super) literals: Literals,
    /// How many edge values each column has.
    counts: Vec<usize>,
    seed: u64,
}

impl Recipe {
    /// The recipe of a function; fails where the types of its columns cannot be told.
    pub fn of(udf: &Udf, file: &SourceFile, seed: u64) -> Result<Recipe> {
        let types = column_types(udf, file)?;
        let literals = Literals::of_udf(udf, file);
        Ok(Recipe {
            names: udf.params.iter().map(|p| p.name.clone()).collect(),
            counts: types.iter().map(|t| edge_count(t, &literals)).collect(),
            types,
            literals,
            seed,
        })
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// So many rows; of a function without parameters one at most.
    pub fn batch(&self, rows: usize) -> Result<RecordBatch> {
        let mut parts = vec![self.first(rows.min(FIRST))];
        let stretches = rows.saturating_sub(FIRST).div_ceil(STRETCH);
        parts.par_extend((0..stretches).into_par_iter().map(|k| {
            let rest = rows - FIRST - k * STRETCH;
            self.stretch(k as u64, rest.min(STRETCH))
        }));
        let columns: Result<Vec<ArrayRef>> = (0..self.types.len())
            .map(|i| {
                let column: Vec<&dyn Array> = parts.iter().map(|p| &*p[i]).collect();
                joined(&column).map_err(|e| {
                    Error::not_proven("so many rows of this type do not fit into one column")
                        .because(e)
                        .hint("ask for fewer with --rows")
                })
            })
            .collect();
        self.named(columns?, rows.min(1))
    }

    /// Columns as a batch that says that it was made up; `rows` is for none.
    fn named(&self, columns: Vec<ArrayRef>, rows: usize) -> Result<RecordBatch> {
        let schema = self.schema(columns.iter().map(|c| c.data_type().clone()));
        let options = RecordBatchOptions::new();
        let options = match columns.is_empty() {
            true => options.with_row_count(Some(rows)),
            false => options,
        };
        RecordBatch::try_new_with_options(schema, columns, &options)
            .map_err(|e| Error::internal("generated columns do not fit").because(e))
    }

    fn schema(&self, types: impl Iterator<Item = DataType>) -> SchemaRef {
        let named = self.names.iter().zip(types);
        let fields: Vec<Field> = named.map(|(name, t)| Field::new(name, t, true)).collect();
        let origin = HashMap::from([(MADE_UP.to_owned(), self.seed.to_string())]);
        Arc::new(Schema::new(fields).with_metadata(origin))
    }

    /// The rows that every batch begins with.
    fn first(&self, rows: usize) -> Vec<ArrayRef> {
        let picks = picks::first(&self.counts, rows, &mut Rng::new(self.seed));
        self.columns(&picks, self.seed)
    }

    /// Rows of the stretch of this number.
    fn stretch(&self, k: u64, rows: usize) -> Vec<ArrayRef> {
        let seed = stretch_seed(self.seed, k);
        let mut picks = vec![Vec::new(); self.counts.len()];
        picks::mixed(&self.counts, rows, &mut Rng::new(seed), &mut picks);
        self.columns(&picks, seed)
    }

    fn columns(&self, picks: &[Vec<Pick>], seed: u64) -> Vec<ArrayRef> {
        let column = |(i, t): (usize, &DataType)| {
            // Every column has a stream of its own, so that a new parameter leaves the others' values as they are.
            columns::column(t, &picks[i], &self.literals, &mut Rng::new(column_seed(seed, i)))
        };
        self.types.iter().enumerate().map(column).collect()
    }
}

/// The seed of a stretch.
fn stretch_seed(seed: u64, k: u64) -> u64 {
    Rng::new(seed ^ (k + 1).wrapping_mul(0xD1B5_4A32_D192_ED03)).next()
}

/// The seed of a column's values.
fn column_seed(seed: u64, i: usize) -> u64 {
    seed ^ (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

fn column_types(udf: &Udf, file: &SourceFile) -> Result<Vec<DataType>> {
    udf.params
        .iter()
        .map(|p| {
            let known = p.data_type.as_ref().filter(|t| columns::can_generate(t));
            known.cloned().ok_or_else(|| {
                Error::not_proven(format!(
                    "no inputs can be made up for `{}: {}` of {}",
                    p.name, p.ty, udf.name
                ))
                .because("its columns cannot be told from the source")
                .at(file.location(udf.span))
                .hint("give a data file: --data FILE.parquet")
            })
        })
        .collect()
}
