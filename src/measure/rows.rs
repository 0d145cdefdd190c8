//! The rows of a benchmark. In: a UDF and what is asked for; out: a batch that the device repeats. The same arguments give the same
//! rows on every machine.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, RecordBatch, UInt32Array, make_array};
use arrow::buffer::{BooleanBuffer, NullBuffer};
use arrow::compute::take_record_batch;

use super::{Ask, Subject};
use crate::error::{Error, Result};
use crate::inputs::{Rng, generate};

/// Rows that are made up and travel; more rows repeat these on the device. A multiple of 32.
pub const TILE: usize = 1 << 17;

/// Rows that are made up to have enough without nulls.
const MORE: usize = 2;

/// The rows that travel.
pub(super) fn tile(subject: &Subject, ask: &Ask) -> Result<RecordBatch> {
    let rows = usize::try_from(ask.rows).unwrap_or(usize::MAX).clamp(1, TILE);
    if let Some(data) = &ask.data {
        return given(data, ask.rows);
    }
    let Some(share) = ask.null_share else {
        return generate(subject.udf, subject.file, rows, ask.seed);
    };
    let made = generate(subject.udf, subject.file, rows * MORE, ask.seed)?;
    with_nulls(&without_nulls(&made, rows)?, share, ask.seed)
}

/// The user's rows, as many as travel.
fn given(data: &RecordBatch, wanted: u64) -> Result<RecordBatch> {
    let rows = data.num_rows();
    if rows == 0 {
        return Err(Error::input("the data has no rows to time anything with"));
    }
    if wanted <= rows as u64 {
        return Ok(data.slice(0, wanted as usize));
    }
    if rows < 32 {
        return Err(Error::input(format!("{rows} rows of data are too few to be repeated"))
            .hint("give 32 rows or more, or leave --rows out"));
    }
    // Validity is repeated in whole words.
    Ok(data.slice(0, rows / 32 * 32))
}

fn failed(e: arrow::error::ArrowError) -> Error {
    Error::internal("rows for a benchmark do not fit").because(e)
}

/// So many rows in which no argument is null, over and over if there are too few.
fn without_nulls(made: &RecordBatch, rows: usize) -> Result<RecordBatch> {
    let full = |row: &usize| made.columns().iter().all(|c| c.is_valid(*row));
    let kept: Vec<u32> = (0..made.num_rows()).filter(full).map(|r| r as u32).collect();
    if kept.is_empty() {
        return Err(
            Error::not_proven("no row can be made up in which no argument is null").hint("leave --null-share out")
        );
    }
    let order: UInt32Array = kept.iter().copied().cycle().take(rows).collect();
    take_record_batch(made, &order).map_err(failed)
}

/// Nulls in every column, at places of their own.
fn with_nulls(batch: &RecordBatch, share: f64, seed: u64) -> Result<RecordBatch> {
    let column = |(i, array): (usize, &ArrayRef)| -> Result<ArrayRef> {
        let mut rng = Rng::new(seed ^ (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let valid = BooleanBuffer::collect_bool(array.len(), |_| rng.unit() >= share);
        let nulls = NullBuffer::new(valid);
        let nulls = (nulls.null_count() > 0).then_some(nulls);
        let data = array.to_data().into_builder().nulls(nulls).build().map_err(failed)?;
        Ok(make_array(data))
    };
    let columns = batch
        .columns()
        .iter()
        .enumerate()
        .map(column)
        .collect::<Result<Vec<_>>>()?;
    if columns.is_empty() {
        return Ok(batch.clone());
    }
    RecordBatch::try_new(Arc::clone(batch.schema_ref()), columns).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Float64Array, StringArray};

    fn batch() -> RecordBatch {
        let x: ArrayRef = Arc::new(
            (0..1000)
                .map(|i| (i % 3 > 0).then_some(f64::from(i)))
                .collect::<Float64Array>(),
        );
        let y: ArrayRef = Arc::new(
            (0..1000)
                .map(|i| (i % 5 > 0).then(|| i.to_string()))
                .collect::<StringArray>(),
        );
        RecordBatch::try_from_iter_with_nullable([("x", x, true), ("y", y, true)]).unwrap()
    }

    #[test]
    fn nulls_are_as_many_as_asked_for() {
        let full = without_nulls(&batch(), 2000).unwrap();
        assert_eq!((full.num_rows(), full.column(0).null_count()), (2000, 0));
        let none = with_nulls(&full, 0.0, 7).unwrap();
        assert_eq!(none, full);
        let some = with_nulls(&full, 0.1, 7).unwrap();
        for column in some.columns() {
            assert!((150..250).contains(&column.null_count()), "{}", column.null_count());
        }
        assert_eq!(some, with_nulls(&full, 0.1, 7).unwrap());
        assert_eq!(with_nulls(&full, 1.0, 7).unwrap().column(1).null_count(), 2000);
    }

    #[test]
    fn data_is_repeated_in_whole_words() {
        assert_eq!(given(&batch(), 10).unwrap().num_rows(), 10);
        assert_eq!(given(&batch(), 1_000_000).unwrap().num_rows(), 992);
        assert!(given(&batch().slice(0, 5), 100).is_err());
    }
}
