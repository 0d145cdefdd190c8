//! What generated inputs promise: edges first, the UDF's literals, the null matrix, and the same rows for the same seed.

use std::sync::Arc;

use arrow::array::{Array, AsArray};
use arrow::datatypes::{DataType, Field, Float64Type, Int32Type};

use super::*;
use crate::find::{NullRule, UdfKind, UdfParam};
use crate::lang::ty::Ty;
use crate::source::{Language, Refusal, Span};

pub(super) fn udf(text: &str, params: &[(&str, DataType)]) -> (Udf, SourceFile) {
    let file = SourceFile::from_text("t.scala", Language::Scala, text);
    let span = Span::new(0, text.len());
    let params = params.iter().map(|(name, t)| UdfParam {
        name: (*name).into(),
        ty: Ty::Any,
        data_type: Some(t.clone()),
        null_rule: NullRule::PassedOn,
    });
    let udf = Udf {
        aliases: Vec::new(),
        name: "t".into(),
        kind: UdfKind::UdfLambda,
        span,
        body: span,
        params: params.collect(),
        returns: Ty::Any,
        return_type: None,
        needs: Vec::new(),
        program: Err(Refusal::new(span, "not needed here")),
    };
    (udf, file)
}

#[test]
fn literals_edges_and_the_null_matrix_come_first() {
    let (udf, file) = udf(
        "if (a > 650) b * 1.25 else 0",
        &[("a", DataType::Int32), ("b", DataType::Float64)],
    );
    let batch = generate(&udf, &file, 20_000, 42).expect("known types");
    assert_eq!(batch.num_rows(), 20_000);
    let a = batch.column(0).as_primitive::<Int32Type>();
    let b = batch.column(1).as_primitive::<Float64Type>();
    let nulls: Vec<(bool, bool)> = (0..4).map(|i| (a.is_null(i), b.is_null(i))).collect();
    assert_eq!(nulls, [(false, false), (true, false), (false, true), (true, true)]);
    let edges: Vec<i32> = (0..5000).filter(|i| a.is_valid(*i)).map(|i| a.value(i)).collect();
    for wanted in [649, 650, 651, i32::MIN, i32::MAX, 0] {
        assert!(edges.contains(&wanted), "{wanted}");
    }
    let floats: Vec<u64> = (0..5000)
        .filter(|i| b.is_valid(*i))
        .map(|i| b.value(i).to_bits())
        .collect();
    for wanted in [1.25, 1.25f64.next_up(), -0.0, f64::INFINITY, f64::NAN] {
        assert!(floats.contains(&wanted.to_bits()), "{wanted}");
    }
}

#[test]
fn a_seed_means_the_same_rows() {
    let (udf, file) = udf("\"x;y\"", &[("s", DataType::Utf8)]);
    let once = generate(&udf, &file, 3000, 1).expect("known types");
    assert_eq!(once, generate(&udf, &file, 3000, 1).expect("known types"));
    assert_ne!(once, generate(&udf, &file, 3000, 2).expect("known types"));
}

/// Many rows begin like a few, whatever made them, and no stretch repeats another.
#[test]
fn many_rows_begin_like_a_few() {
    let (udf, file) = udf("650", &[("a", DataType::Int64), ("s", DataType::Utf8)]);
    let many = generate(&udf, &file, FIRST + 2 * STRETCH + 5, 1).expect("known types");
    let fewer = generate(&udf, &file, FIRST + 1, 1).expect("known types");
    assert_eq!(many.slice(0, fewer.num_rows()), fewer);
    assert_eq!(
        many.slice(0, FIRST),
        generate(&udf, &file, FIRST, 1).expect("known types")
    );
    let stretch = |k: usize| many.slice(FIRST + k * STRETCH, STRETCH);
    assert_ne!(stretch(0).column(0), stretch(1).column(0));
}

#[test]
fn nested_types_are_made_up_too() {
    let item = Arc::new(Field::new("item", DataType::Int32, true));
    let list = DataType::List(item);
    let pair = DataType::Struct(
        vec![
            Field::new("_1", list.clone(), true),
            Field::new("_2", DataType::Utf8, true),
        ]
        .into(),
    );
    let (udf, file) = udf("", &[("xs", list), ("p", pair), ("d", DataType::Decimal128(38, 18))]);
    let batch = generate(&udf, &file, 500, 3).expect("known types");
    let lists = batch.column(0).as_list::<i32>();
    assert!((0..500).any(|i| lists.is_valid(i) && lists.value(i).is_empty()));
    assert!((0..500).any(|i| lists.is_valid(i) && lists.value(i).null_count() > 0));
}

#[test]
fn what_only_data_can_tell_is_refused_with_the_place() {
    let (mut udf, file) = udf("x", &[("row", DataType::Int32)]);
    udf.params[0].data_type = None;
    let error = generate(&udf, &file, 10, 1).expect_err("no type");
    assert_eq!(error.kind, crate::error::ErrorKind::NotProven);
    assert!(error.location.is_some());
}
