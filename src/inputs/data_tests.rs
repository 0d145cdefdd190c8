//! Data files: the golden tables read back, outcomes survive a round trip in every format, and bad files say what is wrong.

use std::path::PathBuf;

use arrow::array::{Array, AsArray, Int32Array};
use arrow::datatypes::{Int64Type, TimestampMicrosecondType};

use super::*;
use crate::inputs::tests::udf;

fn golden(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/corpus/data")).join(name)
}

#[test]
fn every_golden_table_is_read() {
    let dir = golden("");
    for entry in std::fs::read_dir(dir).expect("golden data") {
        let path = entry.expect("entry").path();
        let batch = read_data(&path).unwrap_or_else(|e| panic!("{e}"));
        assert!(batch.num_rows() > 0, "{}", path.display());
    }
}

#[test]
fn timestamps_far_from_now_keep_their_microseconds() {
    let batch = read_data(&golden("local_hour.parquet")).expect("golden");
    let ts = batch
        .column_by_name("ts")
        .expect("column")
        .as_primitive::<TimestampMicrosecondType>();
    // Year 1582 or 9999 in nanoseconds would have overflowed into another century.
    let years: Vec<i64> = ts.iter().flatten().map(|v| v / 31_556_952_000_000 + 1970).collect();
    assert!(years.iter().all(|y| (0..=10_000).contains(y)), "{years:?}");
}

#[test]
fn columns_bind_by_name_then_by_position() {
    let (u, _) = udf("", &[("a", DataType::Int32), ("b", DataType::Int32)]);
    let column = |v: i32| -> ArrayRef { Arc::new(Int32Array::from(vec![v])) };
    let named = RecordBatch::try_from_iter([("row", column(9)), ("B", column(2)), ("A", column(1))]).expect("batch");
    let bound = bind(&u, &named, &PathBuf::from("x.csv")).expect("binds");
    assert_eq!(
        bound
            .args
            .column(0)
            .as_primitive::<arrow::datatypes::Int32Type>()
            .value(0),
        1
    );
    assert_eq!(bound.rows.values().as_ref(), [9]);
    let other = RecordBatch::try_from_iter([("row", column(9)), ("p", column(1)), ("q", column(2))]).expect("batch");
    let bound = bind(&u, &other, &PathBuf::from("x.csv")).expect("binds");
    assert_eq!(
        bound
            .args
            .column(1)
            .as_primitive::<arrow::datatypes::Int32Type>()
            .value(0),
        2
    );
    let few = RecordBatch::try_from_iter([("p", column(1))]).expect("batch");
    let error = bind(&u, &few, &PathBuf::from("x.csv"))
        .expect_err("lacks one")
        .to_string();
    assert!(error.contains("lacks a column") && error.contains("(p)"), "{error}");
}

#[test]
fn a_wrong_type_names_the_column_and_both_types() {
    let (u, _) = udf("", &[("a", DataType::Int32)]);
    let column: ArrayRef = Arc::new(StringArray::from(vec!["x"]));
    let batch = RecordBatch::try_from_iter([("a", column)]).expect("batch");
    let error = bind(&u, &batch, &PathBuf::from("x.csv")).expect_err("text").to_string();
    assert!(
        error.contains("column `a`") && error.contains("string") && error.contains("int"),
        "{error}"
    );
}

#[test]
fn a_value_that_does_not_fit_the_parameter_is_refused_and_never_made_null() {
    let (u, _) = udf("", &[("x", DataType::Int32)]);
    let column: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), None, Some(2_147_483_648)]));
    let batch = RecordBatch::try_from_iter([("x", column)]).expect("batch");
    let error = bind(&u, &batch, &PathBuf::from("big.parquet"))
        .expect_err("too large")
        .to_string();
    assert!(error.contains("column `x`") && error.contains("2147483648"), "{error}");
    let fits: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), None]));
    let batch = RecordBatch::try_from_iter([("x", fits)]).expect("batch");
    assert_eq!(
        bind(&u, &batch, &PathBuf::from("x.csv"))
            .expect("fits")
            .args
            .column(0)
            .null_count(),
        1
    );
}

#[test]
fn outcomes_survive_a_round_trip_in_every_format() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let errors = StringArray::from(vec![None, None, Some("MatchError")]);
    let outcome = Outcome::with_errors(Arc::new(Int32Array::from(vec![Some(5), None, None])), Some(errors));
    for name in ["o.parquet", "o.arrow", "o.csv", "o.jsonl"] {
        let path = dir.path().join(name);
        write_outcome(&path, &Int64Array::from(vec![0, 1, 2]), &outcome).expect("writes");
        let back = read_data(&path).expect("reads");
        assert_eq!(
            back.column_by_name("row")
                .expect("column")
                .as_primitive::<Int64Type>()
                .values()
                .as_ref(),
            [0, 1, 2],
            "{name}"
        );
        let errors = back.column_by_name("error").expect("column").as_string::<i32>();
        assert_eq!(errors.value(2), "MatchError", "{name}");
        assert_eq!(back.column_by_name("value").expect("column").null_count(), 2, "{name}");
    }
}

#[test]
fn bad_files_say_what_is_wrong() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let whole = std::fs::read(golden("age_group.parquet")).expect("golden");
    let cut = dir.path().join("cut.parquet");
    std::fs::write(&cut, &whole[..whole.len() / 2]).expect("writes");
    for path in [cut, dir.path().join("missing.csv"), dir.path().join("x.xlsx")] {
        let error = read_data(&path).expect_err("bad");
        assert_eq!(error.kind, crate::error::ErrorKind::Input);
        assert!(error.to_string().contains(&path.display().to_string()), "{error}");
    }
}
