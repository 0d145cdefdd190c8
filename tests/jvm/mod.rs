//! The corpus and what the tests with a JVM share. They run only where Java and a Spark are found, and say so otherwise.

#![allow(dead_code)]

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, StringArray};
use arrow::datatypes::{Float32Type, Float64Type};
use rewright::find::Udf;
use rewright::inputs::read_data;
use rewright::run::Outcome;
use rewright::run::spark::Kit;
use rewright::source::SourceFile;

/// The one worker of this process: a test that kills it must not meet another that uses it.
static WORKER: Mutex<()> = Mutex::new(());

/// Whether this machine has what these tests need; says loudly if not.
pub fn available() -> bool {
    match Kit::find(&[]) {
        Ok(_) => true,
        Err(e) if std::env::var_os("REWRIGHT_REQUIRE_SPARK").is_some() => panic!("{e}; {:?}", e.hints),
        Err(e) => {
            eprintln!("SKIPPED, NOT TESTED: {e}; {}", e.hints.join("; "));
            false
        }
    }
}

/// The right to use the worker, if this machine has what it needs; says loudly if not.
pub fn alone() -> Option<MutexGuard<'static, ()>> {
    available().then(|| WORKER.lock().unwrap_or_else(|p| p.into_inner()))
}

/// Runs tests of this program again, all or by their names, on the Spark 4 that `SPARK4_HOME` names; says loudly if it names none.
pub fn on_spark_4(tests: &[&str]) {
    let Some(home) = std::env::var_os("SPARK4_HOME").filter(|h| !h.is_empty()) else {
        eprintln!("SKIPPED, NOT TESTED: SPARK4_HOME names no Spark 4; `rewright setup spark --version 4` makes one");
        return;
    };
    let out = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--test-threads", "1"])
        .args(tests)
        .env("SPARK_HOME", home)
        .env("REWRIGHT_REQUIRE_SPARK", "1")
        .env_remove("SPARK4_HOME")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned();
    assert!(out.status.success(), "{said}");
    println!("{said}");
}

/// A function of the corpus.
pub struct Case {
    pub id: String,
    pub kind: String,
    pub source: SourceFile,
    pub udf: Option<Udf>,
    pub input: RecordBatch,
    pub values: ArrayRef,
    pub errors: StringArray,
}

fn corpus() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/corpus"))
}

/// The corpus of a language, without aggregators.
pub fn cases(language: &str) -> Vec<Case> {
    let text = std::fs::read_to_string(corpus().join("manifest.jsonl")).unwrap();
    let lines = text
        .lines()
        .map(|l| serde_json::from_str::<serde_json::Value>(l).unwrap());
    lines
        .filter(|v| v["language"] == language && v["kind"] != "aggregator")
        .map(|v| {
            let text = |k: &str| v[k].as_str().unwrap().to_string();
            let source = SourceFile::read(&corpus().join(text("file"))).unwrap();
            let udf = rewright::find::find(&source).by_name(&text("udf")).cloned();
            let input = read_data(&corpus().join(text("input"))).unwrap();
            let args = v["args"].as_array().unwrap().iter();
            let columns: Vec<usize> = args
                .map(|a| input.schema().index_of(a["name"].as_str().unwrap()).unwrap())
                .collect();
            let expected = read_data(&corpus().join(text("expected"))).unwrap();
            let errors: &StringArray = expected.column_by_name("error").unwrap().as_string();
            Case {
                id: text("id"),
                kind: text("kind"),
                source,
                udf,
                input: input.project(&columns).unwrap(),
                values: expected.column_by_name("value").unwrap().clone(),
                errors: errors.clone(),
            }
        })
        .collect()
}

/// The rows in which an outcome is not what Spark gave.
pub fn wrong_rows(case: &Case, outcome: &Outcome) -> Vec<String> {
    assert_eq!(outcome.len(), case.values.len(), "{}", case.id);
    let differs = |row: &usize| {
        let error = case.errors.is_valid(*row).then(|| case.errors.value(*row));
        outcome.error(*row) != error || !same_value(&outcome.values, &case.values, *row)
    };
    let show = |a: &ArrayRef, row| arrow::util::display::array_value_to_string(a, row).unwrap();
    (0..outcome.len())
        .filter(differs)
        .map(|row| {
            format!(
                "{} row {row}: {} {:?}, Spark gave {} {:?}",
                case.id,
                show(&outcome.values, row),
                outcome.error(row),
                show(&case.values, row),
                case.errors.is_valid(row).then(|| case.errors.value(row))
            )
        })
        .collect()
}

fn same_value(a: &ArrayRef, b: &ArrayRef, row: usize) -> bool {
    if a.is_null(row) || b.is_null(row) {
        return a.is_null(row) && b.is_null(row);
    }
    if let (Some(x), Some(y)) = (a.as_primitive_opt::<Float64Type>(), b.as_primitive_opt::<Float64Type>()) {
        let (x, y) = (x.value(row), y.value(row));
        return x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan());
    }
    if let (Some(x), Some(y)) = (a.as_primitive_opt::<Float32Type>(), b.as_primitive_opt::<Float32Type>()) {
        let (x, y) = (x.value(row), y.value(row));
        return x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan());
    }
    let text = |a: &ArrayRef, i| arrow::util::display::array_value_to_string(a, i).unwrap();
    let show = |v: &ArrayRef| match v.as_map_opt() {
        Some(map) => {
            let entries = map.value(row);
            let entry = |i| format!("{}={}", text(entries.column(0), i), text(entries.column(1), i));
            let mut parts: Vec<String> = (0..entries.len()).map(entry).collect();
            parts.sort();
            parts.join(";")
        }
        None => text(v, row),
    };
    show(a) == show(b)
}
