use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Float64Array, Int32Array, RecordBatch, StringArray};
use arrow::datatypes::Float64Type;

use super::*;
use crate::error::ErrorKind;

fn source(body: &str) -> String {
    format!(
        "import ai.rapids.cudf._\nimport com.nvidia.spark.RapidsUDF\nimport scala.util.Using\n\
         class F extends Function1[Any, Any] with RapidsUDF {{\n  override def apply(x: Any): Any = x\n\
         override def evaluateColumnar(numRows: Int, args: ColumnVector*): ColumnVector = {{\n{body}\n}}\n}}\n"
    )
}

fn run(body: &str, column: ArrayRef) -> (Result<Outcome>, Vec<Finding>) {
    let mut engine = match CudfEngine::new(&source(body), vec!["x".into()], Settings::default()) {
        Ok(e) => e,
        Err(e) => return (Err(e), Vec::new()),
    };
    let batch = RecordBatch::try_from_iter_with_nullable([("x", column, true)]).unwrap();
    let out = engine.eval(&batch, &Cancel::default());
    (out, engine.findings())
}

fn doubles() -> ArrayRef {
    Arc::new(Float64Array::from(vec![Some(100.0), None, Some(0.0)]))
}

fn ids(f: &[Finding]) -> Vec<(&str, Option<u32>)> {
    f.iter().map(|f| (f.id.as_str(), f.line)).collect()
}

/// Lines of the body begin at 7.
const FIRST: u32 = 7;

#[test]
fn celsius_with_a_manager_closes_all_it_opens() {
    let body = "Using.Manager { use =>\n  val scale = use(Scalar.fromDouble(9.0 / 5.0))\n  val offset = use(Scalar.fromDouble(32.0))\n\
                use(args.head.mul(scale)).add(offset)\n}.get";
    let (out, findings) = run(body, doubles());
    let values = out.unwrap().values;
    let v = values.as_primitive::<Float64Type>();
    assert_eq!((v.value(0), v.is_null(1), v.value(2)), (212.0, true, 32.0));
    assert_eq!(findings, []);
}

#[test]
fn celsius_with_a_helper_of_the_file() {
    let text = source(
        "withResource(Scalar.fromDouble(1.8)) { s =>\n withResource(args.head.mul(s)) { t =>\n withResource(Scalar.fromInt(32)) { o =>\n t.add(o)\n } } }",
    )
    .replace(
        "override def apply",
        "private def withResource[T <: AutoCloseable, V](r: T)(block: T => V): V = try { block(r) } finally { r.close() }\n override def apply",
    );
    let mut engine = CudfEngine::new(&text, vec!["x".into()], Settings::default()).unwrap();
    let batch = RecordBatch::try_from_iter_with_nullable([("x", doubles(), true)]).unwrap();
    let values = engine.eval(&batch, &Cancel::default()).unwrap().values;
    assert_eq!(values.as_primitive::<Float64Type>().value(0), 212.0);
    assert_eq!(engine.findings(), []);
}

#[test]
fn a_column_that_stays_open_is_a_leak_with_its_line() {
    let (_, findings) = run("val t = args.head.mul(args.head)\n t.add(args.head)", doubles());
    assert_eq!(ids(&findings), [("leak", Some(FIRST))]);
}

#[test]
fn closing_twice_raises_for_the_batch() {
    let body = "val t = args.head.mul(args.head)\nt.close()\nt.close()\nargs.head.add(args.head)";
    let (out, findings) = run(body, doubles());
    assert_eq!(out.unwrap().error(1), Some("IllegalStateException"));
    assert_eq!(
        ids(&findings),
        [("double-close", Some(FIRST + 2)), ("raised", Some(FIRST + 2))]
    );
}

#[test]
fn using_a_closed_column_is_a_null_pointer() {
    let (out, findings) = run(
        "val t = args.head.mul(args.head)\nt.close()\nt.add(args.head)",
        doubles(),
    );
    assert_eq!(out.unwrap().error(0), Some("NullPointerException"));
    assert_eq!(
        ids(&findings),
        [("use-after-close", Some(FIRST + 2)), ("raised", Some(FIRST + 2))]
    );
}

#[test]
fn closing_and_returning_arguments_are_findings() {
    let (_, findings) = run("val r = args.head.add(args.head)\nargs.head.close()\nr", doubles());
    assert_eq!(ids(&findings), [("input-closed", Some(FIRST + 1))]);
    let (_, findings) = run("args.head", doubles());
    assert_eq!(ids(&findings), [("input-returned", None)]);
    let (_, findings) = run("args.head.incRefCount()", doubles());
    assert_eq!(findings, []);
}

#[test]
fn a_manager_closes_when_the_body_throws() {
    let body = "Using.Manager { use =>\n val s = use(Scalar.fromInt(1))\n val t = use(args.head.add(s))\n t.ifElse(s, s)\n}.get";
    let (out, findings) = run(body, doubles());
    assert_eq!(out.unwrap().error(2), Some("CudfException"));
    assert_eq!(ids(&findings), [("raised", Some(FIRST + 3))]);
}

#[test]
fn an_unknown_method_does_not_compile() {
    let (out, _) = run("\nargs.head.multiply(args.head)", doubles());
    let e = out.unwrap_err();
    assert_eq!(e.kind, ErrorKind::Compile);
    assert_eq!(e.what, "ColumnVector has no method `multiply`; did you mean `mul`?");
    assert_eq!(e.location.unwrap().line, FIRST + 1);
    let (out, _) = run("args.head.round(2)", doubles());
    assert_eq!(out.unwrap_err().kind, ErrorKind::Compile);
}

#[test]
fn wrong_arguments_do_not_compile() {
    let (out, _) = run("val n = 3\nargs.head.add(n)", doubles());
    let e = out.unwrap_err();
    assert_eq!((e.kind, e.location.unwrap().line), (ErrorKind::Compile, FIRST + 1));
    assert!(
        e.hints.iter().any(|h| h.starts_with("add(rhs: BinaryOperable)")),
        "{:?}",
        e.hints
    );
}

#[test]
fn a_text_that_does_not_parse_says_where() {
    let (out, _) = run("val = 3", doubles());
    assert_eq!(out.unwrap_err().kind, ErrorKind::Compile);
}

#[test]
fn a_class_without_evaluate_columnar_does_not_compile() {
    for text in [
        "public class F implements RapidsUDF { }",
        "class F extends RapidsUDF { }",
    ] {
        let e = CudfEngine::new(text, vec![], Settings::default()).err().unwrap();
        assert_eq!(e.kind, ErrorKind::Compile, "{text}: {e}");
    }
}

#[test]
fn a_wrong_row_count_is_a_finding() {
    let (out, findings) = run("ColumnVector.fromInts(1, 2)", doubles());
    assert!(out.unwrap().error(0).is_some());
    assert_eq!(findings[0].id, "row-count");
}

#[test]
fn scala_collections_and_control_flow() {
    let body = "val buffer = scala.collection.mutable.ArrayBuffer[ColumnVector]()\n\
        try {\n  for (i <- 1 to 3) { withResource(Scalar.fromInt(i)) { s => buffer += args(0).add(s) } }\n\
        val first = buffer.head\n  buffer.tail.zipWithIndex.foldLeft(first.incRefCount()) { case (acc, (c, i)) =>\n\
        try { acc.add(c) } finally { acc.close() } }\n} finally {\n buffer.foreach(_.close())\n}";
    let (out, findings) = run(body, Arc::new(Int32Array::from(vec![10, 20])));
    let out = out.unwrap();
    assert_eq!(
        out.values.as_primitive::<arrow::datatypes::Int32Type>().values(),
        &[36, 66]
    );
    assert_eq!(findings, []);
}

#[test]
fn text_chains_close_in_order() {
    let body = "withResource(args.head.strip()) { t => withResource(t.upper()) { u =>\n\
        withResource(Scalar.fromString(\"-\")) { sep => withResource(Scalar.fromNull(DType.STRING)) { no =>\n\
        ColumnVector.stringConcatenate(sep, no, Array[ColumnView](t, u)) } } } }";
    let (out, findings) = run(body, Arc::new(StringArray::from(vec![Some(" ab "), None])));
    let values = out.unwrap().values;
    assert_eq!(values.as_string::<i32>().value(0), "ab-AB");
    assert!(values.is_null(1));
    assert_eq!(findings, []);
}

#[test]
fn every_emulated_call_exists() {
    for call in emulated_calls() {
        let (class, name) = call.rsplit_once('.').unwrap();
        let class = api::class_name(class).unwrap();
        let known = ["method", "static", "new"]
            .iter()
            .any(|k| !api::signatures(class, k, name).is_empty());
        assert!(known, "{call}");
    }
}

#[test]
fn text_longer_than_a_column_holds_is_refused_before_it_is_made() {
    let column: ArrayRef = Arc::new(Int32Array::from(vec![3, i32::MAX]));
    let body = "val s = Scalar.fromString(\"ab\")\nval c = ColumnVector.fromScalar(s, args.head.getRowCount.toInt)\ntry c.repeatStrings(args.head)\nfinally { s.close(); c.close() }";
    let (out, _) = run(body, column);
    let error = out.expect_err("refused");
    assert_eq!(error.kind, ErrorKind::NotProven);
    assert!(error.to_string().contains("2 GiB"), "{error}");
}
