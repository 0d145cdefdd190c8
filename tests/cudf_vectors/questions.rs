//! The questions that were asked of the Java API itself, over the columns that its record describes.

use std::sync::Arc;

use arrow::array::*;
use rewright::run::Outcome;
use serde_json::Value;

use super::cells;

/// Questions that are not asked, and why.
pub const NOT_ASKED: &[(&str, &str)] = &[
    ("stringSplit(,) columns", "its result is a number of columns"),
    ("decimal type", "its result is the type of a column"),
    (
        "dec.add",
        "DECIMAL32 columns of the question are built on the Java side",
    ),
    ("closed twice", "its message names the column"),
];

fn text(v: &[Option<&str>]) -> ArrayRef {
    Arc::new(StringArray::from(v.to_vec()))
}

fn columns() -> Vec<(&'static str, ArrayRef)> {
    let f = |v: &[Option<f64>]| -> ArrayRef { Arc::new(Float64Array::from(v.to_vec())) };
    let i = |v: &[Option<i32>]| -> ArrayRef { Arc::new(Int32Array::from(v.to_vec())) };
    let mut lists = ListBuilder::new(Int32Builder::new());
    lists.append_value([Some(3), Some(1), None, Some(2)]);
    lists.append_value(Vec::<Option<i32>>::new());
    lists.append_null();
    lists.append_value([Some(5)]);
    let numbers = [
        Some("12"),
        Some(" 12"),
        Some("+12"),
        Some("-0"),
        Some("1e3"),
        Some("0x1F"),
        Some("NaN"),
        Some("inf"),
        Some("Infinity"),
        Some("1.5"),
        Some(""),
        None,
        Some("99999999999"),
        Some("12abc"),
        Some("1_000"),
        Some("١"),
    ];
    let ts = TimestampMicrosecondArray::from(vec![
        Some(0),
        Some(-1),
        Some(1_719_792_000_123_456),
        None,
        Some(-62_135_596_800_000_000),
    ]);
    let dec = Decimal128Array::from(vec![Some(125), Some(-135), None, Some(9_999_999)])
        .with_precision_and_scale(9, 2)
        .unwrap();
    vec![
        (
            "str",
            text(&[Some("5551234567"), Some("abc"), Some(""), None, Some("a😀b")]),
        ),
        (
            "w",
            text(&[
                Some(" a b "),
                Some("\tx\n"),
                Some("\u{a0}y\u{a0}"),
                Some("ABC def"),
                Some("ßİ"),
                None,
            ]),
        ),
        (
            "csv",
            text(&[Some("a,b,,"), Some(""), Some(","), Some("x"), None, Some("a,b,c,d")]),
        ),
        (
            "int",
            i(&[Some(7), Some(-7), Some(0), None, Some(i32::MIN), Some(i32::MAX)]),
        ),
        ("j", i(&[Some(3), Some(3), Some(0), Some(2), Some(-1), Some(2)])),
        ("k", i(&[Some(-3), Some(-3), Some(5), Some(2), Some(2), Some(-2)])),
        (
            "double",
            f(&[
                Some(1.5),
                Some(-2.5),
                Some(0.0),
                Some(-0.0),
                Some(f64::NAN),
                Some(f64::INFINITY),
                None,
                Some(1e20),
                Some(0.1),
            ]),
        ),
        (
            "rdouble",
            f(&[
                Some(1.5),
                Some(1.0),
                Some(-0.0),
                Some(0.0),
                Some(f64::NAN),
                Some(f64::NAN),
                Some(1.0),
                Some(3.0),
                Some(0.2),
            ]),
        ),
        (
            "bool",
            Arc::new(BooleanArray::from(vec![Some(true), Some(false), None])),
        ),
        ("rbool", Arc::new(BooleanArray::from(vec![None, None, Some(true)]))),
        ("num", text(&numbers)),
        ("ts", Arc::new(ts.with_timezone("UTC"))),
        (
            "date",
            text(&[
                Some("2024-02-30"),
                Some("2024-02-29"),
                Some("x"),
                Some(""),
                None,
                Some("24-1-1"),
            ]),
        ),
        ("dec", Arc::new(dec)),
        ("list", Arc::new(lists.finish())),
    ]
}

fn batch(names: &[&str]) -> RecordBatch {
    let all = columns();
    let pick = |n: &str| {
        all.iter()
            .find(|(k, _)| *k == n)
            .map(|(_, c)| c.clone())
            .unwrap_or_else(|| panic!("{n}"))
    };
    RecordBatch::try_from_iter_with_nullable(
        names
            .iter()
            .enumerate()
            .map(|(i, n)| (["a", "b", "c"][i], pick(n), true)),
    )
    .unwrap()
}

/// The expression of a question and its columns; `None` for those that are not asked.
pub fn ask(q: &str) -> Option<(String, RecordBatch)> {
    if NOT_ASKED.iter().any(|(n, _)| *n == q) {
        return None;
    }
    if let Some((op, right)) = q.strip_prefix("int ").and_then(|r| r.split_once(' ')) {
        return Some((
            format!("a.binaryOp(BinaryOp.{op}, b, DType.INT32)"),
            batch(&["int", right]),
        ));
    }
    if let Some(op) = q.strip_prefix("double ") {
        let comparison = ["EQUAL", "LESS", "GREATER"].iter().any(|c| op.contains(c));
        let out = if comparison { "BOOL8" } else { "FLOAT64" };
        return Some((
            format!("a.binaryOp(BinaryOp.{op}, b, DType.{out})"),
            batch(&["double", "rdouble"]),
        ));
    }
    if let Some(op) = q.strip_prefix("bool NULL_") {
        return Some((
            format!("a.binaryOp(BinaryOp.NULL_{op}, b, DType.BOOL8)"),
            batch(&["bool", "rbool"]),
        ));
    }
    for (prefix, column) in [
        ("int.castTo(", "int"),
        ("double.castTo(", "double"),
        ("string.castTo(", "num"),
    ] {
        if let Some(t) = q.strip_prefix(prefix) {
            return Some((format!("a.castTo(DType.{})", t.trim_end_matches(')')), batch(&[column])));
        }
    }
    let found = BODIES.iter().find(|(n, ..)| *n == q)?;
    Some((found.2.to_string(), batch(found.1)))
}

/// Question, columns, expression.
#[rustfmt::skip]
const BODIES: &[(&str, &[&str], &str)] = &[
    ("substring(6)", &["str"], "a.substring(6)"),
    ("substring(1)", &["str"], "a.substring(1)"),
    ("substring(0,3)", &["str"], "a.substring(0, 3)"),
    ("substring(1,100)", &["str"], "a.substring(1, 100)"),
    ("substring(-2)", &["str"], "a.substring(-2)"),
    ("substring(1,-1)", &["str"], "a.substring(1, -1)"),
    ("substring(2,1)", &["str"], "a.substring(2, 1)"),
    ("substring(1,MAX)", &["str"], "a.substring(1, Int.MaxValue)"),
    ("substring(cols 1,100)", &["str"], "a.substring(ColumnVector.fromInts(1, 1, 1, 1, 1), ColumnVector.fromInts(100, 100, 100, 100, 100))"),
    ("substring(2,1) columns", &["str"], "a.substring(ColumnVector.fromInts(2, 2, 2, 2, 2), ColumnVector.fromInts(1, 1, 1, 1, 1))"),
    ("getCharLengths", &["str"], "a.getCharLengths()"),
    ("getByteCount", &["str"], "a.getByteCount()"),
    ("reverse", &["str"], "a.reverseStringsOrLists()"),
    ("strip", &["w"], "a.strip()"),
    ("upper", &["w"], "a.upper()"),
    ("lower", &["w"], "a.lower()"),
    ("toTitle", &["w"], "a.toTitle()"),
    ("capitalize(space)", &["w"], "a.capitalize(t(\" \"))"),
    ("capitalize(empty)", &["w"], "a.capitalize(t(\"\"))"),
    ("pad(7)", &["w"], "a.pad(7)"),
    ("zfill(7)", &["w"], "a.zfill(7)"),
    ("repeat(2)", &["w"], "a.repeatStrings(2)"),
    ("repeat(-1)", &["w"], "a.repeatStrings(-1)"),
    ("stringLocate(empty)", &["str"], "a.stringLocate(t(\"\"))"),
    ("stringReplace(empty,-)", &["str"], "a.stringReplace(t(\"\"), t(\"-\"))"),
    ("replaceRegex([0-9]+,$1)", &["str"], "a.replaceRegex(\"[0-9]+\", t(\"$1\"))"),
    ("stringReplaceWithBackrefs(([0-9])([0-9]),\\2\\1)", &["str"], "a.stringReplaceWithBackrefs(\"([0-9])([0-9])\", \"\\\\2\\\\1\")"),
    ("stringSplitRecord(,)", &["csv"], "a.stringSplitRecord(\",\")"),
    ("stringSplitRecord(,,2)", &["csv"], "a.stringSplitRecord(\",\", 2)"),
    ("stringSplitRecord(,,0)", &["csv"], "a.stringSplitRecord(\",\", 0)"),
    ("stringSplitRecord(,)[1]", &["csv"], "a.stringSplitRecord(\",\").extractListElement(1)"),
    ("stringSplitRecord(,)[-1]", &["csv"], "a.stringSplitRecord(\",\").extractListElement(-1)"),
    ("stringSplit(,) column 1", &["csv"], "a.stringSplit(\",\").getColumn(1)"),
    ("extractRe", &["csv"], "a.extractRe(\"a,(.)\").getColumn(0)"),
    ("matchesRe [a-z]", &["csv"], "a.matchesRe(\"[a-z]\")"),
    ("containsRe [a-z]", &["csv"], "a.containsRe(\"[a-z]\")"),
    ("stringContains(empty)", &["csv"], "a.stringContains(t(\"\"))"),
    ("startsWith(a)", &["csv"], "a.startsWith(t(\"a\"))"),
    ("stringConcatenate null", &["csv", "w"], "ColumnVector.stringConcatenate(Array[ColumnView](a, b))"),
    ("stringConcatenate narep", &["csv", "w"], "ColumnVector.stringConcatenate(t(\"-\"), t(\"NA\"), Array[ColumnView](a, b))"),
    ("stringConcatenate sep,null narep", &["csv", "w"], "ColumnVector.stringConcatenate(t(\"-\"), Scalar.fromNull(DType.STRING), Array[ColumnView](a, b))"),
    ("int.div(j) default type", &["int", "j"], "a.div(b)"),
    ("int.trueDiv(j)", &["int", "j"], "a.trueDiv(b)"),
    ("int.mod(j)", &["int", "j"], "a.mod(b)"),
    ("int.pow(j)", &["int", "j"], "a.pow(b)"),
    ("int.floorDiv(j)", &["int", "j"], "a.floorDiv(b)"),
    ("int.add(j)", &["int", "j"], "a.add(b)"),
    ("int.add(long scalar)", &["int"], "a.add(Scalar.fromLong(1L))"),
    ("int.mul(double scalar)", &["int"], "a.mul(Scalar.fromDouble(0.5))"),
    ("int.add(null scalar)", &["int"], "a.add(Scalar.fromNull(DType.INT32))"),
    ("int.equalTo(null scalar)", &["int"], "a.equalTo(Scalar.fromNull(DType.INT32))"),
    ("int.abs", &["int"], "a.abs()"),
    ("floor", &["double"], "a.floor()"),
    ("ceil", &["double"], "a.ceil()"),
    ("rint", &["double"], "a.rint()"),
    ("abs", &["double"], "a.abs()"),
    ("isNan", &["double"], "a.isNan()"),
    ("nansToNulls", &["double"], "a.nansToNulls()"),
    ("normalizeNANsAndZeros", &["double"], "a.normalizeNANsAndZeros()"),
    ("clamp(-1,1)", &["double"], "a.clamp(Scalar.fromDouble(-1.0), Scalar.fromDouble(1.0))"),
    ("sqrt", &["double"], "a.sqrt()"),
    ("log", &["double"], "a.log()"),
    ("sin", &["double"], "a.sin()"),
    ("unary NOT int", &["int"], "a.not()"),
    ("bitInvert", &["int"], "a.bitInvert()"),
    ("bool and", &["bool", "rbool"], "a.and(b)"),
    ("bool or", &["bool", "rbool"], "a.or(b)"),
    ("bool not", &["bool"], "a.not()"),
    ("ifElse(null predicate)", &["bool"], "a.ifElse(ColumnVector.fromInts(1, 2, 3), ColumnVector.fromInts(4, 5, 6))"),
    ("ifElse(scalars)", &["bool"], "a.ifElse(Scalar.fromInt(1), Scalar.fromNull(DType.INT32))"),
    ("ifElse(type mismatch)", &["bool"], "a.ifElse(Scalar.fromInt(1), Scalar.fromLong(1L))"),
    ("row count mismatch add", &["int"], "a.add(ColumnVector.fromInts(1, 2))"),
    ("string equalTo", &["str"], "a.equalTo(t(\"abc\"))"),
    ("string greaterThan", &["str"], "a.greaterThan(t(\"abc\"))"),
    ("isInteger", &["num"], "a.isInteger()"),
    ("isInteger(INT32)", &["num"], "a.isInteger(DType.INT32)"),
    ("isFloat", &["num"], "a.isFloat()"),
    ("closed column", &["int"], "{ val x = a.add(a); x.close(); x.add(a) }"),
    ("closed scalar", &["int"], "{ val x = Scalar.fromInt(1); x.close(); a.add(x) }"),
    ("ts.asTimestampDays", &["ts"], "a.asTimestampDays()"),
    ("ts.castTo(INT64)", &["ts"], "a.castTo(DType.INT64)"),
    ("ts.year", &["ts"], "a.year()"),
    ("ts.hour", &["ts"], "a.hour()"),
    ("ts.asStrings(%Y-%m-%d %H:%M:%S)", &["ts"], "a.asStrings(\"%Y-%m-%d %H:%M:%S\")"),
    ("ts.asTimestampSeconds", &["ts"], "a.asTimestampSeconds().castTo(DType.INT64)"),
    ("date parse", &["date"], "a.asTimestampDays(\"%Y-%m-%d\")"),
    ("date isTimestamp", &["date"], "a.isTimestamp(\"%Y-%m-%d\")"),
    ("dec.mul", &["dec"], "a.mul(a)"),
    ("dec.div", &["dec"], "a.div(a)"),
    ("dec.castTo(scale -1)", &["dec"], "a.castTo(DType.create(DType.DTypeEnum.DECIMAL64, -1))"),
    ("dec.castTo(DOUBLE)", &["dec"], "a.castTo(DType.FLOAT64)"),
    ("dec.castTo(STRING)", &["dec"], "a.castTo(DType.STRING)"),
    ("dec.castTo(INT32)", &["dec"], "a.castTo(DType.INT32)"),
    ("dec.add(int scalar)", &["dec"], "a.add(Scalar.fromInt(1))"),
    ("list element 0", &["list"], "a.extractListElement(0)"),
    ("list element 9", &["list"], "a.extractListElement(9)"),
    ("listContains 1", &["list"], "a.listContains(Scalar.fromInt(1))"),
    ("listSortRows", &["list"], "a.listSortRows(false, true)"),
    ("countElements", &["list"], "a.countElements()"),
    ("listReduce sum", &["list"], "a.listReduce(SegmentedReductionAggregation.sum())"),
    ("listReduce max", &["list"], "a.listReduce(SegmentedReductionAggregation.max())"),
    ("dropListDuplicates", &["list"], "a.dropListDuplicates()"),
];

/// What was recorded, in the notation of [`cells::value`]; an exception by its class.
pub fn wanted(kind: &str, cells: &str) -> String {
    if kind == "THREW" {
        return format!(
            "THREW {}",
            cells
                .split(':')
                .next()
                .unwrap_or(cells)
                .rsplit('.')
                .next()
                .unwrap_or(cells)
        );
    }
    let rows: Vec<String> = cells
        .split(" | ")
        .map(|c| cell(&serde_json::from_str(c).unwrap_or_else(|e| panic!("{c}: {e}"))))
        .collect();
    rows.join(" | ")
}

fn cell(v: &Value) -> String {
    match v {
        Value::Object(o) => {
            let (k, v) = o.iter().next().unwrap();
            let v = v.as_str().unwrap();
            match k.as_str() {
                "d" => format!("d{v:0>16}"),
                "f" => format!("f{v:0>8}"),
                _ => v.to_string(),
            }
        }
        Value::String(s) => format!("\"{s}\""),
        Value::Array(items) => format!("[{}]", items.iter().map(cell).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}

/// The rows of an outcome, or the exception of the batch.
pub fn show(out: &Outcome) -> String {
    match out.error(0) {
        Some(class) => format!("THREW {class}"),
        None => cells::show(out).join(" | "),
    }
}

/// Equal; the transcendental questions within 2 ulp.
pub fn same(question: &str, got: &str, want: &str) -> bool {
    let ulp = match question {
        "log" | "sin" | "double POW" => 2,
        _ => 0,
    };
    let (g, w): (Vec<&str>, Vec<&str>) = (got.split(" | ").collect(), want.split(" | ").collect());
    g.len() == w.len() && g.iter().zip(&w).all(|(g, w)| cells::same(g, w, ulp))
}
