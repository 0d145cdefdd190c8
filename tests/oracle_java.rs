//! Java and Hive UDFs over edge inputs: the embedded oracle's value, null or exception class against what a real JVM gave.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::*;
use arrow::datatypes::{Field, Schema};
use rewright::find::{Udf, find};
use rewright::run::embedded::Embedded;
use rewright::run::{Cancel, Evaluator, Outcome, Settings};
use rewright::source::SourceFile;
use serde_json::Value;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/java/");

/// What the oracle refuses, and why; shrinks as more is covered.
const REFUSED: &[&str] = &[];

#[derive(serde::Deserialize)]
struct Head {
    file: String,
    udf: String,
    types: Vec<String>,
}

struct Group {
    head: Head,
    rows: Vec<Vec<Value>>,
}

fn golden() -> Vec<Group> {
    let text = std::fs::read_to_string(format!("{ROOT}golden.jsonl")).unwrap();
    let mut groups: Vec<Group> = Vec::new();
    for line in text.lines() {
        if line.starts_with('{') {
            let head = serde_json::from_str(line).unwrap();
            groups.push(Group { head, rows: Vec::new() });
        } else {
            let row = serde_json::from_str(line).unwrap();
            groups.last_mut().unwrap().rows.push(row);
        }
    }
    groups
}

fn double(v: &Value) -> Option<f64> {
    v.as_str().map(|s| f64::from_bits(u64::from_str_radix(s, 16).unwrap()))
}

fn days(text: &str) -> i32 {
    let date: chrono::NaiveDate = text.parse().unwrap();
    (date - chrono::NaiveDate::default()).num_days() as i32
}

fn unscaled(text: &str) -> i128 {
    text.replace('.', "").parse().unwrap()
}

fn column(ty: &str, values: &[&Value]) -> ArrayRef {
    let ints = values.iter().map(|v| v.as_i64());
    match ty {
        "Integer" => Arc::new(Int32Array::from_iter(ints.map(|v| v.map(|v| v as i32)))),
        "Long" => Arc::new(Int64Array::from_iter(ints)),
        "Double" => Arc::new(Float64Array::from_iter(values.iter().map(|v| double(v)))),
        "String" => Arc::new(StringArray::from_iter(values.iter().map(|v| v.as_str()))),
        "Boolean" => Arc::new(BooleanArray::from_iter(values.iter().map(|v| v.as_bool()))),
        "Date" => Arc::new(Date32Array::from_iter(values.iter().map(|v| v.as_str().map(days)))),
        "Timestamp" => Arc::new(TimestampMicrosecondArray::from_iter(ints).with_timezone("UTC")),
        "BigDecimal" => {
            let all = Decimal128Array::from_iter(values.iter().map(|v| v.as_str().map(unscaled)));
            Arc::new(all.with_precision_and_scale(12, 2).unwrap())
        }
        other => panic!("{other}"),
    }
}

fn run(udf: &Udf, group: &Group) -> Result<Outcome, String> {
    let (mut fields, mut columns) = (Vec::new(), Vec::new());
    for (i, ty) in group.head.types[..group.head.types.len() - 1].iter().enumerate() {
        let values: Vec<&Value> = group.rows.iter().map(|r| &r[i]).collect();
        let array = column(ty, &values);
        fields.push(Field::new(format!("a{i}"), array.data_type().clone(), true));
        columns.push(array);
    }
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).unwrap();
    let mut oracle = Embedded::new(udf, Settings::default()).map_err(|e| format!("{e:#}"))?;
    oracle.prepare(&batch.schema()).map_err(|e| format!("{e:#}"))?;
    oracle.eval(&batch, &Cancel::default()).map_err(|e| format!("{e:#}"))
}

/// A value of the outcome in the notation of the golden file.
fn shown(values: &ArrayRef, row: usize) -> Value {
    if values.is_null(row) {
        return Value::Null;
    }
    if let Some(a) = values.as_any().downcast_ref::<Float64Array>() {
        return format!("{:x}", a.value(row).to_bits()).into();
    }
    if let Some(a) = values.as_any().downcast_ref::<BooleanArray>() {
        return a.value(row).into();
    }
    if let Some(a) = values.as_any().downcast_ref::<Int32Array>() {
        return a.value(row).into();
    }
    if let Some(a) = values.as_any().downcast_ref::<Int64Array>() {
        return a.value(row).into();
    }
    arrow::util::display::array_value_to_string(values, row).unwrap().into()
}

fn same(want: &Value, got: &Value, ty: &str) -> bool {
    match (ty, want.as_str(), got.as_str()) {
        ("BigDecimal", Some(a), Some(b)) => a.parse::<f64>() == b.parse::<f64>(),
        ("Double", Some(_), Some(_)) => {
            let (a, b) = (double(want).unwrap(), double(got).unwrap());
            a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
        }
        _ => want == got,
    }
}

#[test]
fn every_java_udf_gives_what_the_jvm_gave() {
    let mut files = BTreeMap::new();
    let mut not_run = std::collections::BTreeSet::new();
    let (mut wrong, mut refused, mut exact, mut rows) = (Vec::new(), Vec::new(), 0, 0);
    for group in golden() {
        let found = files.entry(group.head.file.clone()).or_insert_with(|| {
            let path = format!("{ROOT}udfs/{}", group.head.file);
            let source = SourceFile::read(path.as_ref()).unwrap();
            (find(&source), source)
        });
        let name = &group.head.udf;
        let udf = found.0.by_name(name).unwrap_or_else(|| panic!("{name} is not found"));
        let outcome = match run(udf, &group) {
            Ok(outcome) => outcome,
            Err(reason) => {
                let place = match &udf.program {
                    Err(r) => format!(
                        "{} at `{}`",
                        r.reason,
                        found.1.slice(r.span).lines().next().unwrap_or_default()
                    ),
                    Ok(_) => reason,
                };
                refused.push(format!("{name}: {place}"));
                continue;
            }
        };
        let before = wrong.len();
        let arity = group.head.types.len() - 1;
        for (i, row) in group.rows.iter().enumerate() {
            rows += 1;
            if let Some(reason) = outcome.not_run.reason(i) {
                not_run.insert(format!("{name}: {reason:?}"));
                continue;
            }
            let (value, error) = (&row[arity], row[arity + 1].as_str());
            let got = shown(&outcome.values, i);
            if outcome.error(i) != error || !same(value, &got, &group.head.types[arity]) {
                wrong.push(format!(
                    "{name}{:?}: {got} {:?}, the JVM gave {value} {error:?}",
                    &row[..arity],
                    outcome.error(i)
                ));
            }
        }
        exact += usize::from(wrong.len() == before);
    }
    println!(
        "{exact} functions exact, {} refused, {rows} rows\n{}",
        refused.len(),
        refused.join("\n")
    );
    println!("rows not run: {not_run:#?}");
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong[..wrong.len().min(60)].join("\n")
    );
    let unexpected: Vec<_> = refused
        .iter()
        .filter(|r| !REFUSED.iter().any(|n| r.split(':').next() == Some(n)))
        .collect();
    assert!(unexpected.is_empty(), "refused: {unexpected:#?}");
}
