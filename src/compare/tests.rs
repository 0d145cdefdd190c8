//! Mutation tests: for every type, change one cell and expect one mismatch of the right class at that path.

use std::sync::Arc;

use arrow::array::*;
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::*;

use super::*;

fn batch_of(texts: &[&str]) -> RecordBatch {
    let column: ArrayRef = Arc::new(StringArray::from(texts.to_vec()));
    RecordBatch::try_from_iter([("a", column)]).expect("one column")
}

fn outcome(values: impl Array + 'static) -> Outcome {
    Outcome::of_values(Arc::new(values))
}

/// Compares and gives (row, path, class) of every mismatch.
fn differences(a: Outcome, b: Outcome) -> Vec<(u64, String, String)> {
    let inputs = batch_of(&vec!["x"; a.len()]);
    let result = compare(&inputs, &a, &b, &Policy::default());
    result.sample.into_iter().map(|m| (m.row, m.path, m.class)).collect()
}

/// Both orders must find one mismatch of the class, and each side must equal itself.
fn expect_one(a: Outcome, b: Outcome, row: u64, path: &str, class: &str) {
    for (x, y) in [(&a, &b), (&b, &a)] {
        assert_eq!(
            differences(x.clone(), y.clone()),
            [(row, path.to_owned(), class.to_owned())]
        );
        assert_eq!(differences(x.clone(), x.clone()), []);
    }
}

#[test]
fn floats_differ_by_class() {
    let f = |x: f64| outcome(Float64Array::from(vec![1.5, x]));
    expect_one(f(0.0), f(-0.0), 1, "value", "negative-zero-sign");
    expect_one(f(f64::NAN), f(1.0), 1, "value", "nan-vs-number");
    expect_one(f(f64::INFINITY), f(f64::MAX), 1, "value", "infinity");
    expect_one(f(f64::INFINITY), f(f64::NEG_INFINITY), 1, "value", "infinity");
    expect_one(f(-8956.678), f(-8956.678000000002), 1, "value", "last-ulp");
    expect_one(f(1.02), f(1.03), 1, "value", "round-half");
    expect_one(f(2.0), f(3.0), 1, "value", "float-value");
    let other_nan = f64::from_bits(0xfff8_0000_0000_0001);
    assert_eq!(differences(f(f64::NAN), f(other_nan)), []);
    let g = |x: f32| outcome(Float32Array::from(vec![0.0, x]));
    expect_one(g(0.1), g(0.1f32.next_up()), 1, "value", "last-ulp");
    expect_one(g(0.0), g(-0.0), 1, "value", "negative-zero-sign");
}

#[test]
fn integers_differ_by_class() {
    let i = |x: i32| outcome(Int32Array::from(vec![7, x]));
    expect_one(i(-2), i(-3), 1, "value", "off-by-one");
    expect_one(i(5), i(50), 1, "value", "integer-value");
    expect_one(i(i32::MAX), i(1410065408), 1, "value", "float-to-int-saturate");
    let l = |x: i64| outcome(Int64Array::from(vec![7, x]));
    expect_one(
        l(1704067200),
        l(1704067200 - (1 << 33)),
        1,
        "value",
        "int-overflow-wrap",
    );
    let b = |x: i8| outcome(Int8Array::from(vec![0, x]));
    expect_one(b(3), b(9), 1, "value", "integer-value");
    let s = |x: i16| outcome(Int16Array::from(vec![0, x]));
    expect_one(s(3), s(9), 1, "value", "integer-value");
}

#[test]
fn other_scalars_differ() {
    expect_one(
        outcome(BooleanArray::from(vec![true])),
        outcome(BooleanArray::from(vec![false])),
        0,
        "value",
        "boolean-value",
    );
    let s = |x: &str| outcome(StringArray::from(vec!["same", x]));
    expect_one(s("ß"), s("SS"), 1, "value", "case-map-special");
    expect_one(s("a"), s(" a\t"), 1, "value", "trim-charset");
    expect_one(s("\u{a0}"), s(""), 1, "value", "trim-charset");
    expect_one(s("ab"), s("ab  "), 1, "value", "string-value");
    expect_one(s("a b"), s("a\tb"), 1, "value", "string-value");
    expect_one(s("1.0E10"), s("1.0e+10"), 1, "value", "number-text");
    expect_one(s("1.00"), s("1.01"), 1, "value", "round-half");
    expect_one(s(""), s("x"), 1, "value", "string-value");
    let bin = |x: &[u8]| outcome(BinaryArray::from(vec![x]));
    expect_one(bin(b"a"), bin(b"b"), 0, "value", "binary-value");
    let d = |x: i32| outcome(Date32Array::from(vec![x]));
    expect_one(d(0), d(1), 0, "value", "off-by-one");
    expect_one(d(0), d(30), 0, "value", "date-value");
    let t = |x: i64| outcome(TimestampMicrosecondArray::from(vec![x]).with_timezone("UTC"));
    expect_one(t(0), t(3_600_000_000), 0, "value", "timezone-dst");
    expect_one(t(0), t(1), 0, "value", "date-value");
    let dec = |x: i128| {
        outcome(
            Decimal128Array::from(vec![x])
                .with_precision_and_scale(12, 2)
                .expect("fits"),
        )
    };
    expect_one(dec(100), dec(101), 0, "value", "round-half");
    expect_one(dec(100), dec(300), 0, "value", "decimal-value");
}

#[test]
fn nulls_and_throws_are_outcomes() {
    let v = |x: Option<i32>| outcome(Int32Array::from(vec![Some(1), x]));
    expect_one(v(None), v(Some(0)), 1, "value", "null-vs-value");
    let threw = |class: &str| {
        let errors = StringArray::from(vec![None, Some(class)]);
        Outcome::with_errors(Arc::new(Int32Array::from(vec![Some(1), None])), Some(errors))
    };
    expect_one(threw("NullPointerException"), v(None), 1, "error", "null-vs-throw");
    expect_one(threw("NullPointerException"), v(Some(0)), 1, "error", "throw-vs-value");
    expect_one(
        threw("NullPointerException"),
        threw("MatchError"),
        1,
        "error",
        "exception-class",
    );
}

fn list_of(rows: &[&[i32]]) -> Outcome {
    let mut b = ListBuilder::new(Int32Builder::new());
    for row in rows {
        b.append_value(row.iter().map(|x| Some(*x)));
    }
    outcome(b.finish())
}

#[test]
fn arrays_compare_in_order_with_the_path() {
    expect_one(
        list_of(&[&[1, 2, 3]]),
        list_of(&[&[1, 9, 3]]),
        0,
        "value[1]",
        "integer-value",
    );
    expect_one(list_of(&[&[1, 2]]), list_of(&[&[1, 2, 3]]), 0, "value", "array-length");
    expect_one(
        list_of(&[&[1, 2, 3]]),
        list_of(&[&[3, 2, 1]]),
        0,
        "value",
        "unordered-output",
    );
}

fn map_of(entries: &[(&str, i32)]) -> Outcome {
    let mut b = MapBuilder::new(None, StringBuilder::new(), Int32Builder::new());
    for (k, v) in entries {
        b.keys().append_value(k);
        b.values().append_value(*v);
    }
    b.append(true).expect("keys and values match");
    outcome(b.finish())
}

#[test]
fn maps_compare_as_maps() {
    assert_eq!(
        differences(map_of(&[("a", 1), ("b", 2)]), map_of(&[("b", 2), ("a", 1)])),
        []
    );
    expect_one(
        map_of(&[("1", 2)]),
        map_of(&[("1", 999)]),
        0,
        "value[\"1\"]",
        "integer-value",
    );
    expect_one(
        map_of(&[("a", 1)]),
        map_of(&[("a", 1), ("b", 2)]),
        0,
        "value[\"b\"]",
        "map-keys",
    );
    expect_one(map_of(&[]), map_of(&[("b", 2)]), 0, "value[\"b\"]", "map-keys");
}

#[test]
fn structs_compare_by_field_with_the_path() {
    let lists = |x: f64| -> ArrayRef {
        let values = Float64Array::from(vec![1.0, x]);
        let field = Arc::new(Field::new("item", DataType::Float64, true));
        Arc::new(ListArray::new(
            field,
            OffsetBuffer::from_lengths([2]),
            Arc::new(values),
            None,
        ))
    };
    let s = |x: f64| {
        let items = lists(x);
        let field = Field::new("prices", items.data_type().clone(), true);
        outcome(StructArray::from(vec![(Arc::new(field), items)]))
    };
    expect_one(s(2.0), s(7.5), 0, "value.prices[1]", "float-value");
}

#[test]
fn types_that_are_near_compare_by_value_with_a_finding() {
    let (a, b) = (outcome(Int32Array::from(vec![5])), outcome(Int64Array::from(vec![5])));
    let result = compare(&batch_of(&["x"]), &a, &b, &Policy::default());
    assert_eq!((result.verdict, result.schema_findings.len()), (Verdict::Equal, 1));
    let text = outcome(StringArray::from(vec!["5"]));
    assert_eq!(differences(a, text), [(0, "value".into(), "type".into())]);
}

#[test]
fn what_shows_nothing_is_vacuous() {
    let empty = outcome(Int32Array::from(Vec::<i32>::new()));
    assert_eq!(
        compare(&batch_of(&[]), &empty, &empty, &Policy::default()).verdict,
        Verdict::Vacuous
    );
    let nulls = outcome(Int32Array::from(vec![None, None]));
    assert_eq!(
        compare(&batch_of(&["", ""]), &nulls, &nulls, &Policy::default()).verdict,
        Verdict::Vacuous
    );
}

#[test]
fn a_candidate_that_loses_rows_is_different() {
    let (a, b) = (
        outcome(Int32Array::from(vec![1, 2])),
        outcome(Int32Array::from(vec![1])),
    );
    assert_eq!(
        compare(&batch_of(&["", ""]), &a, &b, &Policy::default()).verdict,
        Verdict::Different
    );
}

#[test]
fn a_tolerance_reaches_no_other_class() {
    let entry = |class: &str, max_ulp| PolicyEntry {
        class: class.into(),
        max_ulp,
        max_abs: None,
        max_rel: None,
        reason: "display only".into(),
        who: "a reviewer".into(),
    };
    let a = outcome(Float64Array::from(vec![0.1, 0.0, 1.0]));
    let b = outcome(Float64Array::from(vec![0.1f64.next_up(), -0.0, 1.0]));
    let with = |entries| compare(&batch_of(&["", "", ""]), &a, &b, &Policy { entries });
    assert_eq!(with(vec![entry("last-ulp", Some(1000))]).verdict, Verdict::Different);
    assert_eq!(
        with(vec![entry("last-ulp", Some(0)), entry("negative-zero-sign", None)]).verdict,
        Verdict::Different
    );
    let all = with(vec![entry("last-ulp", Some(1)), entry("negative-zero-sign", None)]);
    assert_eq!((all.verdict, all.different_rows), (Verdict::EqualWithinPolicy, 2));
    assert_eq!(all.classes["last-ulp"].max_ulp, Some(1));
}

#[test]
fn a_row_is_accepted_only_with_all_its_mismatches_of_the_class() {
    let lists = |first: f64, second: f64, third: f64| {
        let mut b = ListBuilder::new(Float64Builder::new());
        b.append_value([first, second].map(Some));
        b.append_value([third].map(Some));
        outcome(b.finish())
    };
    let up = |x: f64, ulps: u32| (0..ulps).fold(x, |x, _| x.next_up());
    let policy = Policy {
        entries: vec![PolicyEntry {
            class: "last-ulp".into(),
            max_ulp: Some(1),
            max_abs: None,
            max_rel: None,
            reason: "display only".into(),
            who: "a reviewer".into(),
        }],
    };
    let a = lists(0.1, 0.2, 0.3);
    for b in [
        lists(up(0.1, 1), up(0.2, 2), up(0.3, 1)),
        lists(up(0.1, 2), up(0.2, 1), up(0.3, 1)),
    ] {
        let result = compare(&batch_of(&["", ""]), &a, &b, &policy);
        let count = &result.classes["last-ulp"];
        assert_eq!((count.rows, count.accepted, count.max_ulp), (2, 1, Some(2)));
        assert_eq!(result.verdict, Verdict::Different);
    }
}

#[test]
fn text_beyond_the_bmp_is_its_own_class() {
    let (a, b) = (outcome(Int32Array::from(vec![2])), outcome(Int32Array::from(vec![1])));
    let result = compare(&batch_of(&["😀"]), &a, &b, &Policy::default());
    assert_eq!(result.sample[0].class, "utf16-index");
}

#[test]
fn every_class_is_told_apart_once() {
    for (i, c) in CLASSES.iter().enumerate() {
        assert_eq!(
            CLASSES.iter().position(|d| d.id == c.id),
            Some(i),
            "{} stands twice",
            c.id
        );
    }
}

#[test]
fn rows_that_were_not_run_are_left_out_and_counted() {
    let rows = 1000;
    let values = |bad: Option<usize>| {
        let v: Vec<Option<i32>> = (0..rows).map(|i| (Some(i as usize) != bad).then_some(i)).collect();
        outcome(Int32Array::from(v))
    };
    let mut oracle = values(Some(7));
    oracle.not_run.add(7, "unclear", None);
    let made_up = || {
        let batch = batch_of(&vec!["x"; rows as usize]);
        let mark = std::collections::HashMap::from([("rewright.made-up".to_owned(), "1".to_owned())]);
        let schema = batch.schema().as_ref().clone().with_metadata(mark);
        RecordBatch::try_new(Arc::new(schema), batch.columns().to_vec()).expect("the same columns")
    };
    let given = batch_of(&vec!["x"; rows as usize]);
    let c = compare(&made_up(), &oracle, &values(None), &Policy::default());
    assert_eq!(
        (c.verdict, c.rows, c.not_run_rows(), c.different_rows),
        (Verdict::Equal, 999, 1, 0)
    );
    let c = compare(&given, &oracle, &values(None), &Policy::default());
    assert_eq!(c.verdict, Verdict::NotProven);
    let c = compare(&given, &oracle, &values(Some(8)), &Policy::default());
    assert_eq!((c.verdict, c.different_rows), (Verdict::Different, 1));
    (8..20).for_each(|row| oracle.not_run.add(row, "unclear", None));
    let c = compare(&made_up(), &oracle, &values(None), &Policy::default());
    assert_eq!(c.verdict, Verdict::NotProven);
}
