//! Further Spark SQL expressions over rows of edge values, ANSI off and on, against what Spark 3.5.9 gave in
//! `tests/data/sql/spark.json` (session time zone America/New_York). Inputs are literals that the engine itself reads. The same
//! expressions run in a real Spark where there is one.

#[path = "jvm/mod.rs"]
mod jvm;

use std::sync::Arc;

use arrow::array::*;
use arrow::datatypes::*;
use rewright::error::{Error, ErrorKind};
use rewright::run::spark::{Kit, SparkEngine};
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

fn golden(file: &str) -> Json {
    let path = format!("{}/tests/data/sql/{file}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// What running all expressions of a file came to.
#[derive(Default)]
struct Tried {
    failures: Vec<String>,
    refused: Vec<String>,
    compared: usize,
}

/// Runs every so-many-th expression of a file, and holds what comes out against what Spark gave.
fn tried(file: &str, step: usize, run: impl Fn(&str, &RecordBatch, bool) -> Result<Outcome, Error>) -> Tried {
    let doc = golden(file);
    let batch = inputs(&doc);
    let mut out = Tried::default();
    for want in doc["results"].as_array().unwrap().iter().step_by(step) {
        let sql = want["sql"].as_str().unwrap();
        let ansi = want["ansi"].as_bool().unwrap();
        match (run(sql, &batch, ansi), want["error"].as_str()) {
            (Ok(_), Some(why)) => out
                .failures
                .push(format!("{sql} (ansi {ansi}): Spark rejects it: {why}")),
            (Err(_), Some(_)) => out.compared += 1,
            (Err(e), None) if e.kind == ErrorKind::NotProven => out.refused.push(format!("{sql} (ansi {ansi}): {e}")),
            (Err(e), None) => out.failures.push(format!("{sql} (ansi {ansi}): {e}")),
            (Ok(result), None) => {
                let t = Ty::of_arrow(result.values.data_type()).unwrap();
                let found = differences(&result, want, &t);
                match found.is_empty() {
                    true => out.compared += 1,
                    false => out
                        .failures
                        .push(format!("{sql} (ansi {ansi}):\n    {}", found.join("\n    "))),
                }
            }
        }
    }
    println!(
        "{} expressions agree; {} refused:\n{}",
        out.compared,
        out.refused.len(),
        out.refused.join("\n")
    );
    out
}

fn agrees(file: &str) {
    let out = tried(file, 1, |sql, batch, ansi| {
        engine(sql, &batch.schema(), ansi).and_then(|mut e| e.eval(batch, &Cancel::default()))
    });
    let all = out.failures.join("\n");
    assert!(out.failures.is_empty(), "{} differ:\n{all}", out.failures.len());
    assert!(out.refused.len() <= MAY_REFUSE, "{} are refused", out.refused.len());
}

/// How many of the expressions may be refused.
const MAY_REFUSE: usize = 6;

/// The same through the engine `spark`; a query for each expression is slow, so that some have to speak for all.
fn agrees_in_spark(file: &str, step: usize) {
    let Some(_alone) = jvm::alone() else { return };
    let out = tried(file, step, |sql, batch, ansi| {
        let settings = Settings {
            ansi,
            time_zone: "America/New_York".into(),
        };
        let params = batch.schema().fields().iter().map(|f| f.name().clone()).collect();
        SparkEngine::new(sql, params, settings, &[])?.eval(batch, &Cancel::default())
    });
    // What reads no column proves nothing.
    let refused: Vec<&String> = out.refused.iter().filter(|r| !r.contains("reads no column")).collect();
    assert!(refused.is_empty(), "{refused:#?}");
    let spark = Kit::find(&[]).unwrap().spark;
    println!(
        "Spark {}: {} differ:\n{}",
        spark.version,
        out.failures.len(),
        out.failures.join("\n")
    );
    let known = |f: &&String| spark.major() >= Some(4) && OTHERWISE_IN_4.iter().any(|k| f.starts_with(k));
    let new: Vec<&String> = out.failures.iter().filter(|f| !known(f)).collect();
    assert!(new.is_empty(), "{new:#?}");
}

/// What Spark 4 itself gives otherwise: `0.0` and `-0.0` are one element; what does not fit a long raises under ANSI mode; an
/// overflow is Spark's own exception.
const OTHERWISE_IN_4: &[&str] = &[
    "array_distinct(da) (ansi false)",
    "floor(d) (ansi true)",
    "timestamp_millis(l) (ansi true)",
];

#[test]
fn the_spark_engine_gives_what_spark_gave() {
    agrees_in_spark("spark.json", 7);
}

#[test]
fn the_spark_engine_gives_for_proposals_what_spark_gave() {
    agrees_in_spark("proposals.json", 1);
}

#[test]
fn the_spark_engine_holds_on_spark_4() {
    let Some(_alone) = jvm::alone() else { return };
    jvm::on_spark_4(&["the_spark_engine_gives"]);
}
