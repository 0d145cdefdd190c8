use super::*;
use arrow::array::{AsArray, Float64Array, Int32Array};
use arrow::datatypes::{Field, Float64Type, Int32Type};

fn run(text: &str, ansi: bool) -> Result<Outcome> {
    let schema = Arc::new(Schema::new(vec![
        Field::new("a", DataType::Int32, true),
        Field::new("x", DataType::Float64, true),
    ]));
    let a = Int32Array::from(vec![Some(1), None, Some(i32::MAX), Some(0)]);
    let x = Float64Array::from(vec![Some(0.5), Some(f64::NAN), None, Some(-0.0)]);
    let batch = RecordBatch::try_new(schema.clone(), vec![Arc::new(a), Arc::new(x)]).unwrap();
    let settings = Settings {
        ansi,
        ..Settings::default()
    };
    let mut e = SqlEngine::new(text, vec!["a".into(), "x".into()], settings)?;
    e.prepare(&schema)?;
    e.eval(&batch, &Cancel::default())
}

#[test]
fn arithmetic_wraps_or_raises() {
    let out = run("a + 1", false).unwrap();
    assert_eq!(out.values.as_primitive::<Int32Type>().value(2), i32::MIN);
    let out = run("a + 1", true).unwrap();
    assert_eq!(out.error(2), Some("SparkArithmeticException"));
    assert_eq!(out.error(1), None);
}

#[test]
fn branches_raise_only_where_they_are_taken() {
    let out = run("IF(a = 1, raise_error('x'), a div 0)", false).unwrap();
    assert_eq!(out.error(0), Some("RuntimeException"));
    assert_eq!(out.error(3), None);
    let out = run("coalesce(a, CAST(raise_error('no') AS INT)) + 1", false).unwrap();
    assert_eq!(out.error(1), Some("RuntimeException"));
    assert_eq!(out.values.as_primitive::<Int32Type>().value(0), 2);
}

#[test]
fn precedence_is_sparks() {
    let out = run("x * 9D / 5D + 32D", false).unwrap();
    assert_eq!(out.values.as_primitive::<Float64Type>().value(0), 32.9);
    let out = run("NOT a = 1 OR a IS NULL AND false", false).unwrap();
    assert!(out.values.as_boolean().value(2));
    assert!(!out.values.as_boolean().value(0));
}

#[test]
fn errors_say_where() {
    let e = run("a +\n  nope", false).unwrap_err();
    assert_eq!(e.kind, ErrorKind::Compile);
    let at = e.location.unwrap();
    assert_eq!((at.line, at.column), (2, 3));
    assert_eq!(run("a + + (", false).unwrap_err().kind, ErrorKind::Compile);
    let e = run("frobnicate(a)", false).unwrap_err();
    assert_eq!(e.kind, ErrorKind::NotProven);
    assert!(e.what.contains("`frobnicate` is not covered"));
}

#[test]
fn a_constant_fills_every_row() {
    let out = run("1 + 2 * 3", false).unwrap();
    assert_eq!(out.len(), 4);
    assert_eq!(out.values.as_primitive::<Int32Type>().value(3), 7);
}
