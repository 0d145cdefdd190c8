//! Inputs for a test. In: a UDF's signature, its source, a row count and a seed, or the user's data file; out: an Arrow
//! batch with one column per parameter. Never runs the UDF.

mod columns;
pub mod data;
mod edges;
mod literals;
mod rng;

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::{DataType, Field, Schema};

pub use data::{bind, read_data, replace, write_outcome};
pub use literals::Literals;

use crate::error::{Error, Result};
use crate::find::Udf;
use crate::source::SourceFile;
use columns::{Pick, edge_count};
pub(crate) use rng::Rng;

/// Most rows of edge values that are combined across parameters before random rows begin.
const MOST_COMBINATIONS: usize = 4096;
/// Up to this many parameters every combination of null and not null is tried.
const WIDEST_NULL_MATRIX: usize = 6;

/// Key of the schema's metadata that says that a batch was made up and holds nobody's data.
const MADE_UP: &str = "rewright.made-up";

/// Whether a batch of this schema comes from [`generate`].
pub fn made_up(schema: &Schema) -> bool {
    schema.metadata().contains_key(MADE_UP)
}

/// Generates typed edge rows, the UDF's own literals and their neighbours, the null matrix over the arguments, then
/// seeded random rows. The same arguments give the same batch on every machine.
pub fn generate(udf: &Udf, file: &SourceFile, rows: usize, seed: u64) -> Result<RecordBatch> {
    let types = column_types(udf, file)?;
    let literals = Literals::of_udf(udf, file);
    let plan = plan(&types, &literals, rows, seed);
    let columns: Vec<ArrayRef> = types
        .iter()
        .enumerate()
        .map(|(i, t)| {
            let picks: Vec<Pick> = plan.iter().map(|row| row[i]).collect();
            // Every column has a stream of its own, so that a new parameter leaves the others' values as they are.
            let mut rng = Rng::new(seed ^ (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
            columns::column(t, &picks, &literals, &mut rng)
        })
        .collect();
    let fields: Vec<Field> = udf
        .params
        .iter()
        .zip(&columns)
        .map(|(p, c)| Field::new(&p.name, c.data_type().clone(), true))
        .collect();
    let origin = HashMap::from([(MADE_UP.to_owned(), seed.to_string())]);
    let schema = Arc::new(Schema::new(fields).with_metadata(origin));
    if columns.is_empty() {
        let options = arrow::array::RecordBatchOptions::new().with_row_count(Some(rows.min(1)));
        return RecordBatch::try_new_with_options(schema, columns, &options)
            .map_err(|e| Error::internal("cannot make a batch without columns").because(e));
    }
    RecordBatch::try_new(schema, columns).map_err(|e| Error::internal("generated columns do not fit").because(e))
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

/// What goes into each cell, row by row.
fn plan(types: &[DataType], literals: &Literals, rows: usize, seed: u64) -> Vec<Vec<Pick>> {
    let mut rng = Rng::new(seed);
    let counts: Vec<usize> = types.iter().map(|t| edge_count(t, literals)).collect();
    let mut plan = null_matrix(types.len());
    plan.extend(edge_rows(&counts, &mut rng));
    plan.truncate(rows);
    while plan.len() < rows {
        let row = counts.iter().map(|n| match rng.below(20) {
            0 => Pick::Null,
            1..=4 if *n > 0 => Pick::Edge(rng.below(*n as u64) as usize),
            _ => Pick::Random,
        });
        plan.push(row.collect());
    }
    plan
}

/// Every combination of null and not null over the arguments.
fn null_matrix(width: usize) -> Vec<Vec<Pick>> {
    if width > WIDEST_NULL_MATRIX {
        let one_null = (0..width).map(|at| {
            (0..width)
                .map(|i| if i == at { Pick::Null } else { Pick::Random })
                .collect()
        });
        return one_null.chain([vec![Pick::Null; width]]).collect();
    }
    (0..1usize << width)
        .map(|bits| {
            (0..width)
                .map(|i| if bits >> i & 1 == 1 { Pick::Null } else { Pick::Random })
                .collect()
        })
        .collect()
}

/// All combinations of edge values while there are few, else each edge of each parameter beside random edges of the others.
fn edge_rows(counts: &[usize], rng: &mut Rng) -> Vec<Vec<Pick>> {
    let all = counts
        .iter()
        .try_fold(1usize, |n, c| n.checked_mul((*c).max(1)))
        .unwrap_or(usize::MAX);
    if all <= MOST_COMBINATIONS {
        let row = |mut n: usize| {
            let pick = |c: &usize| {
                let at = n % (*c).max(1);
                n /= (*c).max(1);
                if *c == 0 { Pick::Random } else { Pick::Edge(at) }
            };
            counts.iter().map(pick).collect()
        };
        return (0..all).map(row).collect();
    }
    let mut rows = Vec::with_capacity(MOST_COMBINATIONS);
    for (at, count) in counts.iter().enumerate() {
        for edge in 0..*count {
            rows.push(mixed_row(counts, rng, Some((at, edge))));
        }
    }
    while rows.len() < MOST_COMBINATIONS {
        rows.push(mixed_row(counts, rng, None));
    }
    rows
}

fn mixed_row(counts: &[usize], rng: &mut Rng, fixed: Option<(usize, usize)>) -> Vec<Pick> {
    let pick = |(i, n): (usize, &usize)| match fixed {
        Some((at, edge)) if at == i => Pick::Edge(edge),
        _ if *n > 0 && rng.below(3) > 0 => Pick::Edge(rng.below(*n as u64) as usize),
        _ => Pick::Random,
    };
    counts.iter().enumerate().map(pick).collect()
}

#[cfg(test)]
mod tests;
