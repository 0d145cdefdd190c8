//! Walks two outcomes side by side: which rows differ, and at which paths.

use arrow::array::{Array, ArrayRef, ArrowPrimitiveType, AsArray, PrimitiveArray, RecordBatch};
use arrow::datatypes::*;
use rayon::prelude::*;

use super::Mismatch;
use super::classify::{Difference, Hints, classify};
use super::leaf::{Leaf, leaf, same, same_f32, same_f64};
use super::text::{cell_text, leaf_text};
use crate::run::Outcome;

/// Rows whose outcomes are not the same, in order.
pub(super) fn differing_rows(oracle: &Outcome, candidate: &Outcome, chunk: usize) -> Vec<u32> {
    let rows = oracle.len();
    let parts: Vec<Vec<u32>> = (0..rows.div_ceil(chunk.max(1)))
        .into_par_iter()
        .map(|i| {
            let range = i * chunk..((i + 1) * chunk).min(rows);
            differing_in(oracle, candidate, range)
        })
        .collect();
    parts.concat()
}

fn differing_in(oracle: &Outcome, candidate: &Outcome, range: std::ops::Range<usize>) -> Vec<u32> {
    let (a, b) = (&oracle.values, &candidate.values);
    if oracle.errors.is_none() && candidate.errors.is_none() && a.data_type() == b.data_type() {
        match a.data_type() {
            DataType::Float64 => return primitive::<Float64Type>(a, b, range, same_f64),
            DataType::Float32 => return primitive::<Float32Type>(a, b, range, same_f32),
            DataType::Int32 => return primitive::<Int32Type>(a, b, range, |x, y| x == y),
            DataType::Int64 => return primitive::<Int64Type>(a, b, range, |x, y| x == y),
            DataType::Utf8 => return texts(a, b, range),
            _ => {}
        }
    }
    range
        .filter(|row| !same_outcome(oracle, candidate, *row))
        .map(|row| row as u32)
        .collect()
}

fn primitive<T: ArrowPrimitiveType>(
    a: &ArrayRef,
    b: &ArrayRef,
    range: std::ops::Range<usize>,
    same: impl Fn(T::Native, T::Native) -> bool,
) -> Vec<u32> {
    let (a, b): (&PrimitiveArray<T>, &PrimitiveArray<T>) = (a.as_primitive(), b.as_primitive());
    let (x, y) = (a.values(), b.values());
    let mut out = Vec::new();
    for row in range {
        let differs = match (a.is_valid(row), b.is_valid(row)) {
            (true, true) => !same(x[row], y[row]),
            (p, q) => p != q,
        };
        if differs {
            out.push(row as u32);
        }
    }
    out
}

fn texts(a: &ArrayRef, b: &ArrayRef, range: std::ops::Range<usize>) -> Vec<u32> {
    let (a, b) = (a.as_string::<i32>(), b.as_string::<i32>());
    let differs = |row: usize| match (a.is_valid(row), b.is_valid(row)) {
        (true, true) => a.value(row) != b.value(row),
        (p, q) => p != q,
    };
    range.filter(|row| differs(*row)).map(|row| row as u32).collect()
}

fn same_outcome(oracle: &Outcome, candidate: &Outcome, row: usize) -> bool {
    match (oracle.error(row), candidate.error(row)) {
        (None, None) => same_cell(oracle.values.as_ref(), row, candidate.values.as_ref(), row),
        (a, b) => a == b,
    }
}

/// Whether two cells hold the same value; arrays in order, maps as maps, structs by position.
fn same_cell(a: &dyn Array, i: usize, b: &dyn Array, j: usize) -> bool {
    let mut found = false;
    visit(a, i, b, j, "", &mut |_, _, _, _| {
        found = true;
        false
    });
    !found
}

/// How two scalar values of a row differ; `None` where a side threw or is nested, or where they do not differ.
pub(super) fn scalar_difference(
    inputs: &RecordBatch,
    oracle: &Outcome,
    candidate: &Outcome,
    row: usize,
) -> Option<Difference> {
    let (a, b) = (oracle.values.as_ref(), candidate.values.as_ref());
    let threw = oracle.error(row).or(candidate.error(row)).is_some();
    if threw || a.data_type().is_nested() || b.data_type().is_nested() {
        return None;
    }
    let (x, y) = (leaf(a, row), leaf(b, row));
    (!same(&x, &y)).then(|| classify(&x, &y, &Hints::of_row(inputs, row)))
}

/// Every differing leaf of one row.
pub(super) fn row_leaves(oracle: &Outcome, candidate: &Outcome, row: usize, hints: &Hints) -> Vec<Mismatch> {
    let mismatch = |path: &str, d: Difference, original: String, rewrite: String| Mismatch {
        row: row as u64,
        path: path.to_owned(),
        class: d.class.to_owned(),
        original,
        rewrite,
        ulp: d.distances.ulp,
        abs: d.distances.abs,
        rel: d.distances.rel,
        accepted: false,
    };
    let shown = |o: &Outcome| match o.error(row) {
        Some(class) => format!("threw {class}"),
        None => cell_text(o.values.as_ref(), row),
    };
    let class = match (oracle.error(row), candidate.error(row)) {
        (None, None) => {
            let mut out = Vec::new();
            visit(
                &oracle.values,
                row,
                &candidate.values,
                row,
                "value",
                &mut |path, d, a, b| {
                    out.push(mismatch(
                        path,
                        d.unwrap_or_else(|| classify(a, b, hints)),
                        leaf_text(a),
                        leaf_text(b),
                    ));
                    true
                },
            );
            return out;
        }
        (Some(a), Some(b)) if a == b => return Vec::new(),
        (Some(_), Some(_)) => "exception-class",
        (Some(_), None) if candidate.values.is_null(row) => "null-vs-throw",
        (None, Some(_)) if oracle.values.is_null(row) => "null-vs-throw",
        _ => "throw-vs-value",
    };
    vec![mismatch(
        "error",
        Difference::of(class),
        shown(oracle),
        shown(candidate),
    )]
}

/// Called with path, a class that the structure itself decided (if any) and both leaves; goes on while it returns true.
type OnDifference<'f> = dyn FnMut(&str, Option<Difference>, &Leaf, &Leaf) -> bool + 'f;

fn visit(a: &dyn Array, i: usize, b: &dyn Array, j: usize, path: &str, on: &mut OnDifference) -> bool {
    if a.is_null(i) || b.is_null(j) {
        if a.is_null(i) && b.is_null(j) {
            return true;
        }
        return on(path, None, &shallow(a, i), &shallow(b, j));
    }
    match (list_items(a, i), list_items(b, j)) {
        (Some(x), Some(y)) => return visit_lists(&x, &y, path, on),
        (None, None) => {}
        _ => return on(path, Some(Difference::of("type")), &shallow(a, i), &shallow(b, j)),
    }
    match (a.data_type(), b.data_type()) {
        (DataType::Map(_, _), DataType::Map(_, _)) => visit_maps(a, i, b, j, path, on),
        (DataType::Struct(x), DataType::Struct(y)) if x.len() == y.len() => {
            let (s, t) = (a.as_struct(), b.as_struct());
            (0..x.len()).all(|k| {
                let path = if path.is_empty() {
                    String::new()
                } else {
                    format!("{path}.{}", x[k].name())
                };
                visit(s.column(k), i, t.column(k), j, &path, on)
            })
        }
        _ => {
            let (x, y) = (leaf(a, i), leaf(b, j));
            same(&x, &y) || on(path, None, &x, &y)
        }
    }
}

/// A nested value as one leaf, for a difference that concerns it as a whole.
fn shallow(array: &dyn Array, row: usize) -> Leaf<'_> {
    match leaf(array, row) {
        Leaf::Other(_) => Leaf::Other(cell_text(array, row)),
        scalar => scalar,
    }
}

fn list_items(array: &dyn Array, row: usize) -> Option<ArrayRef> {
    match array.data_type() {
        DataType::List(_) => Some(array.as_list::<i32>().value(row)),
        DataType::LargeList(_) => Some(array.as_list::<i64>().value(row)),
        DataType::FixedSizeList(_, _) => Some(array.as_fixed_size_list().value(row)),
        _ => None,
    }
}

fn visit_lists(x: &ArrayRef, y: &ArrayRef, path: &str, on: &mut OnDifference) -> bool {
    let whole = |v: &ArrayRef| {
        let items: Vec<String> = (0..v.len()).map(|i| cell_text(v, i)).collect();
        Leaf::Other(format!("[{}]", items.join(", ")))
    };
    if x.len() != y.len() {
        return on(path, Some(Difference::of("array-length")), &whole(x), &whole(y));
    }
    let same_order = (0..x.len()).all(|k| same_cell(x.as_ref(), k, y.as_ref(), k));
    if same_order {
        return true;
    }
    if is_permutation(x, y) {
        return on(path, Some(Difference::of("unordered-output")), &whole(x), &whole(y));
    }
    (0..x.len()).all(|k| visit(x.as_ref(), k, y.as_ref(), k, &format!("{path}[{k}]"), on))
}

/// Longest list for which the order is looked at; beyond it elements are compared in place only.
const LONGEST_PERMUTATION: usize = 1000;

fn is_permutation(x: &ArrayRef, y: &ArrayRef) -> bool {
    if x.len() > LONGEST_PERMUTATION {
        return false;
    }
    let mut free: Vec<usize> = (0..y.len()).collect();
    (0..x.len()).all(
        |i| match free.iter().position(|j| same_cell(x.as_ref(), i, y.as_ref(), *j)) {
            Some(at) => {
                free.swap_remove(at);
                true
            }
            None => false,
        },
    )
}

fn visit_maps(a: &dyn Array, i: usize, b: &dyn Array, j: usize, path: &str, on: &mut OnDifference) -> bool {
    let (x, y) = (a.as_map().value(i), b.as_map().value(j));
    let (xk, yk) = (x.column(0), y.column(0));
    // The last entry of a key counts, as in a JVM map.
    let position =
        |keys: &ArrayRef, of: &ArrayRef, k: usize| (0..keys.len()).rev().find(|n| same_cell(keys, *n, of, k));
    for k in 0..x.len() {
        if position(xk, xk, k) != Some(k) {
            continue;
        }
        let path = if path.is_empty() {
            String::new()
        } else {
            format!("{path}[{}]", cell_text(xk, k))
        };
        let go_on = match position(yk, xk, k) {
            Some(n) => visit(x.column(1), k, y.column(1), n, &path, on),
            None => on(
                &path,
                Some(Difference::of("map-keys")),
                &shallow(x.column(1), k),
                &Leaf::Other("no such key".into()),
            ),
        };
        if !go_on {
            return false;
        }
    }
    (0..y.len()).filter(|k| position(xk, yk, *k).is_none()).all(|k| {
        let path = format!("{path}[{}]", cell_text(yk, k));
        on(
            &path,
            Some(Difference::of("map-keys")),
            &Leaf::Other("no such key".into()),
            &shallow(y.column(1), k),
        )
    })
}

/// How two result types differ, in sentences; nullability of nested fields is not a value mismatch.
pub(super) fn schema_findings(oracle: &DataType, candidate: &DataType) -> Vec<String> {
    if same_type(oracle, candidate) {
        return Vec::new();
    }
    let (a, b) = (type_name(oracle), type_name(candidate));
    vec![format!(
        "the rewrite's result is {b}, the original's {a}; values are compared across the types"
    )]
}

fn same_type(a: &DataType, b: &DataType) -> bool {
    match (a, b) {
        (DataType::List(x), DataType::List(y)) => same_type(x.data_type(), y.data_type()),
        (DataType::Map(x, _), DataType::Map(y, _)) => same_type(x.data_type(), y.data_type()),
        (DataType::Struct(x), DataType::Struct(y)) => {
            x.len() == y.len() && x.iter().zip(y).all(|(f, g)| same_type(f.data_type(), g.data_type()))
        }
        (DataType::Timestamp(x, _), DataType::Timestamp(y, _)) => x == y,
        _ => a == b,
    }
}

/// A type by the name that Spark SQL gives it.
pub(crate) fn type_name(t: &DataType) -> String {
    match t {
        DataType::Boolean => "boolean".into(),
        DataType::Int8 => "tinyint".into(),
        DataType::Int16 => "smallint".into(),
        DataType::Int32 => "int".into(),
        DataType::Int64 => "bigint".into(),
        DataType::Float32 => "float".into(),
        DataType::Float64 => "double".into(),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => "string".into(),
        DataType::Binary | DataType::LargeBinary => "binary".into(),
        DataType::Date32 => "date".into(),
        DataType::Timestamp(_, Some(_)) => "timestamp".into(),
        DataType::Timestamp(_, None) => "timestamp_ntz".into(),
        DataType::Decimal128(p, s) => format!("decimal({p},{s})"),
        DataType::Null => "void".into(),
        DataType::List(f) | DataType::LargeList(f) => format!("array<{}>", type_name(f.data_type())),
        DataType::Struct(fields) => {
            let parts: Vec<_> = fields
                .iter()
                .map(|f| format!("{}:{}", f.name(), type_name(f.data_type())))
                .collect();
            format!("struct<{}>", parts.join(","))
        }
        DataType::Map(entries, _) => match entries.data_type() {
            DataType::Struct(f) if f.len() == 2 => {
                format!("map<{},{}>", type_name(f[0].data_type()), type_name(f[1].data_type()))
            }
            other => format!("map<{other}>"),
        },
        other => other.to_string(),
    }
}
