//! Columns made from nothing: sequences and constants.

use super::super::column::{Col, Data, ScalarValue};
use super::super::dtype::{DType, TypeId};
use super::{K, binary, cudf, refuse, whole};

/// `ColumnVector.fromScalar`.
pub fn repeat(s: &ScalarValue, rows: usize) -> K {
    match Col::from_scalar(s, rows) {
        Some(c) => Ok(c),
        None => refuse(format!("a column of null {} scalars is not covered", s.dtype)),
    }
}

/// `ColumnVector.sequence(initial, step, rows)`.
pub fn sequence(initial: &ScalarValue, step: Option<&ScalarValue>, rows: usize) -> K {
    let t = initial.dtype;
    if initial.value.is_none() || step.is_some_and(|s| s.value.is_none() || s.dtype != t) {
        return cudf("init and step must be valid and of one type");
    }
    match t.id {
        TypeId::Float64 => {
            let (a, d) = (binary::scalar_f64(initial), step.map_or(1.0, binary::scalar_f64));
            let v: Vec<f64> = (0..rows).map(|i| a + i as f64 * d).collect();
            Ok(Col::new(t, Data::F64(v.into()), None))
        }
        _ if t.is_integer() => {
            let (a, d) = (binary::scalar_i64(initial), step.map_or(1, binary::scalar_i64));
            Ok(Col::from_i64(
                t,
                (0..rows as i64).map(|i| a.wrapping_add(i.wrapping_mul(d))).collect(),
                None,
            ))
        }
        _ => refuse(format!("a sequence of {t} is not covered")),
    }
}

/// `ColumnVector.sequence(starts, sizes, steps)`: a list per row.
pub fn sequences(starts: &Col, sizes: &Col, steps: Option<&Col>) -> K {
    if starts.null_count() + sizes.null_count() + steps.map_or(0, Col::null_count) > 0 {
        return cudf("starts, sizes and steps must not have nulls");
    }
    if !starts.dtype.is_integer() || !sizes.dtype.is_integer() {
        return refuse(format!("sequences of {} are not covered", starts.dtype));
    }
    if sizes.len != starts.len {
        return cudf("starts and sizes columns must have the same size");
    }
    let (a, n) = (starts.to_i64(), sizes.to_i64());
    let d = match steps {
        Some(steps) => whole(steps)?,
        None => vec![1; starts.len],
    };
    let mut offsets = vec![0i32];
    let mut values = Vec::new();
    for i in 0..starts.len {
        if n[i] < 0 {
            return cudf("sizes must not be negative");
        }
        values.extend((0..n[i]).map(|k| a[i].wrapping_add(k.wrapping_mul(d[i]))));
        offsets.push(values.len() as i32);
    }
    let child = Col::from_i64(starts.dtype, values, None);
    Ok(Col::new(
        DType::of(TypeId::List),
        Data::List(offsets.into(), std::sync::Arc::new(child)),
        None,
    ))
}
