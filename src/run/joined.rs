//! Puts parts of a column together. In: arrays of one type; out: one array. Long columns of numbers are copied on all cores: at tens
//! of millions of rows, one core would take longer for that than all of them for the rows.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, ArrowPrimitiveType, BooleanBufferBuilder, PrimitiveArray, downcast_primitive};
use arrow::buffer::NullBuffer;
use arrow::compute::concat;
use arrow::error::ArrowError;
use rayon::prelude::*;

/// From so many rows on it is worth several cores.
const LONG: usize = 1 << 20;

/// One array of all parts; fails where their types differ, or where texts get too long for one column.
pub(crate) fn joined(parts: &[&dyn Array]) -> Result<ArrayRef, ArrowError> {
    macro_rules! long {
        ($t:ty) => {
            Ok(Arc::new(numbers::<$t>(parts)))
        };
    }
    let rows: usize = parts.iter().map(|p| p.len()).sum();
    let alike = parts.windows(2).all(|p| p[0].data_type() == p[1].data_type());
    match parts.first() {
        Some(first) if rows >= LONG && alike => downcast_primitive! {
            first.data_type() => (long),
            _ => concat(parts),
        },
        _ => concat(parts),
    }
}

fn numbers<T: ArrowPrimitiveType>(parts: &[&dyn Array]) -> PrimitiveArray<T> {
    let parts: Vec<&PrimitiveArray<T>> = parts.iter().filter_map(|p| p.as_any().downcast_ref()).collect();
    let rows = parts.iter().map(|p| p.len()).sum();
    let mut values = vec![T::Native::default(); rows];
    let mut rest = &mut values[..];
    let mut pieces = Vec::with_capacity(parts.len());
    for part in &parts {
        let (piece, after) = rest.split_at_mut(part.len());
        pieces.push((piece, part));
        rest = after;
    }
    pieces
        .into_par_iter()
        .for_each(|(piece, part)| piece.copy_from_slice(part.values()));
    let array = PrimitiveArray::<T>::new(values.into(), valid(&parts, rows));
    match parts.first() {
        // Zones, precisions and scales are no part of the Rust type.
        Some(first) => array.with_data_type(first.data_type().clone()),
        None => array,
    }
}

fn valid<T: ArrowPrimitiveType>(parts: &[&PrimitiveArray<T>], rows: usize) -> Option<NullBuffer> {
    if parts.iter().all(|p| p.null_count() == 0) {
        return None;
    }
    let mut bits = BooleanBufferBuilder::new(rows);
    for part in parts {
        match part.nulls() {
            Some(nulls) => bits.append_buffer(nulls.inner()),
            None => bits.append_n(part.len(), true),
        }
    }
    Some(NullBuffer::new(bits.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::TimestampMicrosecondArray;

    #[test]
    fn long_columns_are_joined_like_short_ones() {
        let part = |from: i64, rows: i64, null: Option<i64>| {
            let cells = (from..from + rows).map(|v| (Some(v) != null).then_some(v));
            TimestampMicrosecondArray::from_iter(cells).with_timezone("UTC")
        };
        let parts = [
            part(0, 700_001, None),
            part(700_001, 3, Some(700_002)),
            part(700_004, 600_000, Some(1)),
        ];
        let parts: Vec<&dyn Array> = parts.iter().map(|p| p as &dyn Array).collect();
        let found = joined(&parts).expect("one type");
        assert_eq!(found.data_type(), parts[0].data_type());
        assert_eq!(&found, &concat(&parts).expect("one type"));
        assert_eq!(found.null_count(), 1);
    }
}
