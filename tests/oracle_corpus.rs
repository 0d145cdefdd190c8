//! Every Scala, Java and Hive UDF of the corpus, every row: the embedded oracle's value, null or exception class against a real Spark's.

use std::fs::File;
use std::path::{Path, PathBuf};

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, StringArray};
use arrow::compute::concat_batches;
use arrow::datatypes::{DataType, Float32Type, Float64Type, Schema};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use rewright::run::embedded::Embedded;
use rewright::run::{Cancel, Evaluator, Outcome, Settings};
use rewright::source::{Language, SourceFile};

/// What the oracle refuses, and why; shrinks as more is covered.
const REFUSED: &[&str] = &[
    // The `f` interpolator.
    "fiscal_quarter",
];

fn corpus() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/corpus")).to_path_buf()
}

fn table(path: &Path) -> RecordBatch {
    let file = File::open(path).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
    let batches: Vec<RecordBatch> = reader.map(|b| b.unwrap()).collect();
    concat_batches(&batches[0].schema(), &batches).unwrap()
}

/// Units in the last place that the corpus allows where a function uses transcendental functions.
fn ulps(id: &str) -> u64 {
    match id {
        "great_circle_km" | "geometric_mean" => 4,
        _ => 0,
    }
}

fn distance(a: f64, b: f64) -> u64 {
    let key = |v: f64| {
        let bits = v.to_bits() as i64;
        if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits }
    };
    if a.is_nan() && b.is_nan() {
        0
    } else {
        key(a).abs_diff(key(b))
    }
}

fn same_value(id: &str, a: &ArrayRef, b: &ArrayRef, row: usize) -> bool {
    if a.is_null(row) || b.is_null(row) {
        return a.is_null(row) && b.is_null(row);
    }
    if let (Some(x), Some(y)) = (a.as_primitive_opt::<Float64Type>(), b.as_primitive_opt::<Float64Type>()) {
        return distance(x.value(row), y.value(row)) <= ulps(id);
    }
    if let (Some(x), Some(y)) = (a.as_primitive_opt::<Float32Type>(), b.as_primitive_opt::<Float32Type>()) {
        let (x, y) = (x.value(row), y.value(row));
        return x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan());
    }
    let show = |v: &ArrayRef| {
        let text = arrow::util::display::array_value_to_string(v, row).unwrap();
        match v.as_map_opt() {
            Some(map) => {
                let entries = map.value(row);
                let (k, v) = (entries.column(0), entries.column(1));
                let one = |i| {
                    let text = |a: &ArrayRef| arrow::util::display::array_value_to_string(a, i).unwrap();
                    format!("{}={}", text(k), text(v))
                };
                let mut parts: Vec<String> = (0..entries.len()).map(one).collect();
                parts.sort();
                parts.join(";")
            }
            None => text,
        }
    };
    show(a) == show(b)
}

struct Case {
    id: String,
    file: PathBuf,
    udf: String,
    columns: Vec<String>,
    input: PathBuf,
    expected: PathBuf,
}

fn cases() -> Vec<Case> {
    let text = std::fs::read_to_string(corpus().join("manifest.jsonl")).unwrap();
    let lines = text
        .lines()
        .map(|l| serde_json::from_str::<serde_json::Value>(l).unwrap());
    lines
        .filter(|v| (v["language"] == "scala" || v["language"] == "java") && v["kind"] != "aggregator")
        .map(|v| {
            let text = |k: &str| v[k].as_str().unwrap().to_string();
            Case {
                id: text("id"),
                file: corpus().join(text("file")),
                udf: text("udf"),
                columns: v["args"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|a| a["name"].as_str().unwrap().to_string())
                    .collect(),
                input: corpus().join(text("input")),
                expected: corpus().join(text("expected")),
            }
        })
        .collect()
}

fn run(case: &Case) -> Result<Outcome, String> {
    let source = SourceFile::read(&case.file).map_err(|e| e.to_string())?;
    let found = rewright::find::find(&source);
    let udf = found
        .udfs
        .iter()
        .find(|u| u.name == case.udf || u.aliases.contains(&case.udf))
        .ok_or_else(|| {
            format!(
                "not found among {:?}",
                found.udfs.iter().map(|u| &u.name).collect::<Vec<_>>()
            )
        })?;
    // A Java function does not say the precision of its decimals; who registers it does.
    let mut udf = udf.clone();
    if source.language == Language::Java && matches!(udf.return_type, Some(DataType::Decimal128(..))) {
        let expected = table(&case.expected);
        udf.return_type = expected.column_by_name("value").map(|c| c.data_type().clone());
    }
    let udf = &udf;
    let input = table(&case.input);
    let indices: Vec<usize> = case
        .columns
        .iter()
        .map(|c| input.schema().index_of(c).unwrap())
        .collect();
    let batch = input.project(&indices).unwrap();
    let mut oracle = Embedded::new(udf, Settings::default()).map_err(|e| e.to_string())?;
    let schema: &Schema = &batch.schema();
    oracle.prepare(schema).map_err(|e| e.to_string())?;
    oracle.eval(&batch, &Cancel::default()).map_err(|e| e.to_string())
}

#[test]
fn every_udf_of_the_corpus_gives_what_spark_gave() {
    let (mut wrong, mut refused, mut rows) = (Vec::new(), Vec::new(), 0);
    for case in cases() {
        let outcome = match run(&case) {
            Ok(outcome) => outcome,
            Err(reason) => {
                refused.push(format!("{}: {reason}", case.id));
                continue;
            }
        };
        let expected = table(&case.expected);
        let values = expected.column_by_name("value").unwrap();
        let errors: &StringArray = expected.column_by_name("error").unwrap().as_string();
        assert_eq!(outcome.len(), values.len(), "{}", case.id);
        rows += outcome.len();
        if let Some(reason) = outcome.not_run.reasons().first() {
            refused.push(format!("{}: {}", case.id, reason.words()));
        }
        for row in (0..outcome.len()).filter(|row| outcome.not_run.reason(*row).is_none()) {
            let error = (!errors.is_null(row)).then(|| errors.value(row));
            if outcome.error(row) != error || !same_value(&case.id, &outcome.values, values, row) {
                let show = |a: &ArrayRef| arrow::util::display::array_value_to_string(a, row).unwrap();
                wrong.push(format!(
                    "{} row {row}: {} {:?}, Spark gave {} {error:?}",
                    case.id,
                    show(&outcome.values),
                    outcome.error(row),
                    show(values)
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong rows:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(40)].join("\n")
    );
    let unexpected: Vec<&String> = refused
        .iter()
        .filter(|r| !REFUSED.iter().any(|id| r.split(':').next() == Some(id)))
        .collect();
    assert!(unexpected.is_empty(), "refused:\n{unexpected:#?}");
    println!("{rows} rows");
}
