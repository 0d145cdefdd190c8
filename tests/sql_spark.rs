//! Further Spark SQL expressions over rows of edge values, ANSI off and on, against what Spark 3.5.9 gave in
//! `tests/data/sql/spark.json` (session time zone America/New_York). Inputs are literals that the engine itself reads.

use std::sync::Arc;

use arrow::array::*;
use arrow::datatypes::*;
use rewright::error::ErrorKind;
use rewright::run::sql::SqlEngine;
use rewright::run::sql::ty::Ty;
use rewright::run::sql::val::{Reader, Val};
use rewright::run::{Cancel, Evaluator, Outcome, Settings};
use serde_json::Value as Json;

fn engine(sql: &str, schema: &Schema, ansi: bool) -> Result<SqlEngine, rewright::error::Error> {
    let settings = Settings {
        ansi,
        time_zone: "America/New_York".into(),
    };
    let params = schema.fields().iter().map(|f| f.name().clone()).collect();
    let mut e = SqlEngine::new(sql, params, settings)?;
    e.prepare(schema)?;
    Ok(e)
}

fn inputs(doc: &Json) -> RecordBatch {
    let one = Schema::new(vec![Field::new("none", DataType::Int32, true)]);
    let row: ArrayRef = Arc::new(Int32Array::from(vec![0]));
    let row = RecordBatch::try_new(Arc::new(one.clone()), vec![row]).unwrap();
    let list = |key: &str| doc[key].as_array().unwrap().clone();
    let (mut fields, mut columns) = (Vec::new(), Vec::new());
    for (k, (name, t)) in list("names").iter().zip(list("types")).enumerate() {
        let cells: Vec<ArrayRef> = list("rows")
            .iter()
            .map(|r| {
                let sql = format!("CAST({} AS {})", r[k].as_str().unwrap(), t.as_str().unwrap());
                let mut e = engine(&sql, &one, false).unwrap_or_else(|e| panic!("{sql}: {e}"));
                e.eval(&row, &Cancel::default()).unwrap().values
            })
            .collect();
        let refs: Vec<&dyn Array> = cells.iter().map(|c| c.as_ref()).collect();
        let column = arrow::compute::concat(&refs).unwrap();
        fields.push(Field::new(name.as_str().unwrap(), column.data_type().clone(), true));
        columns.push(column);
    }
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).unwrap()
}

fn show(v: &Val, t: &Ty) -> Json {
    match (v, t) {
        (Val::Null, _) => Json::Null,
        (Val::F64(x), _) if x.is_nan() => "NaN".into(),
        (Val::F32(x), _) if x.is_nan() => "NaN".into(),
        (Val::F64(x), _) => format!("{:016x}", x.to_bits()).into(),
        (Val::F32(x), _) => format!("{:08x}", x.to_bits()).into(),
        (Val::Str(s), _) => s.to_string().into(),
        (Val::Bin(b), _) => b.iter().map(|x| format!("{x:02x}")).collect::<String>().into(),
        (Val::Bool(b), _) => b.to_string().into(),
        (Val::Dec(d), Ty::Dec(_, s)) => rewright::run::sql::decimal::plain(*d, *s).into(),
        (Val::Arr(items), Ty::Arr(e)) => items.iter().map(|x| show(x, e)).collect(),
        _ => v.long().to_string().into(),
    }
}

fn type_name(t: &Ty) -> String {
    t.to_string().to_ascii_lowercase().replace(", ", ",")
}

fn differences(out: &Outcome, want: &Json, got_type: &Ty) -> Vec<String> {
    let reader = Reader::new(got_type, out.values.as_ref());
    let mut found = Vec::new();
    if want["type"].as_str() != Some(&type_name(got_type)) {
        found.push(format!("type: want {}, got {}", want["type"], type_name(got_type)));
    }
    for (i, w) in want["rows"].as_array().unwrap().iter().enumerate() {
        if w.get("skip").is_some() {
            continue;
        }
        let got = match out.error(i) {
            Some(class) => serde_json::json!({ "error": class }),
            None => show(&reader.get(i), got_type),
        };
        if got != *w {
            found.push(format!("row {i}: want {w}, got {got}"));
        }
    }
    found
}

/// Expressions of all kinds.
#[test]
fn expressions_give_what_spark_gave() {
    agrees("spark.json");
}

/// Expressions as they are proposed: lists, maps, clocks, digests.
#[test]
fn proposals_give_what_spark_gave() {
    agrees("proposals.json");
}

fn agrees(file: &str) {
    let path = format!("{}/tests/data/sql/{file}", env!("CARGO_MANIFEST_DIR"));
    let doc: Json = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let batch = inputs(&doc);
    let (mut failures, mut refused, mut compared) = (Vec::new(), Vec::new(), 0);
    for want in doc["results"].as_array().unwrap() {
        let sql = want["sql"].as_str().unwrap();
        let ansi = want["ansi"].as_bool().unwrap();
        let ran = engine(sql, &batch.schema(), ansi).and_then(|mut e| e.eval(&batch, &Cancel::default()));
        match (ran, want["error"].as_str()) {
            (Ok(_), Some(why)) => failures.push(format!("{sql} (ansi {ansi}): Spark rejects it: {why}")),
            (Err(_), Some(_)) => compared += 1,
            (Err(e), None) if e.kind == ErrorKind::NotProven => refused.push(format!("{sql} (ansi {ansi}): {e}")),
            (Err(e), None) => failures.push(format!("{sql} (ansi {ansi}): {e}")),
            (Ok(out), None) => {
                let t = Ty::of_arrow(out.values.data_type()).unwrap();
                let found = differences(&out, want, &t);
                if found.is_empty() {
                    compared += 1;
                } else {
                    failures.push(format!("{sql} (ansi {ansi}):\n    {}", found.join("\n    ")));
                }
            }
        }
    }
    println!(
        "{compared} expressions agree; {} refused:\n{}",
        refused.len(),
        refused.join("\n")
    );
    assert!(
        failures.is_empty(),
        "{} differ:\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(refused.len() <= MAY_REFUSE, "{} are refused", refused.len());
}

/// How many of the expressions may be refused.
const MAY_REFUSE: usize = 6;
