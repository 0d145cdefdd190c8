//! The emulated library against the golden values that cuDF gave: every call of the vector files, the questions asked of the
//! Java API, the result types of operators. What is not emulated is listed here with its reason.

#[path = "cudf_vectors/bodies.rs"]
mod bodies;
#[path = "cudf_vectors/cells.rs"]
mod cells;
#[path = "cudf_vectors/questions.rs"]
mod questions;

use std::collections::BTreeMap;

use rewright::error::ErrorKind;
use rewright::run::cudf::CudfEngine;
use rewright::run::{Cancel, Evaluator, Outcome, Settings};

use arrow::array::RecordBatch;
use cells::{Table, data};

/// A candidate around one expression over `a`, `b`, `c`. Resources are left open: only values count here.
fn source(body: &str, params: usize) -> String {
    let names: String = ["a", "b", "c"][..params]
        .iter()
        .enumerate()
        .map(|(i, n)| format!("    val {n} = args({i})\n"))
        .collect();
    format!(
        "import ai.rapids.cudf._\nclass F extends RapidsUDF {{\n  def t(s: String): Scalar = Scalar.fromString(s)\n  \
         def evaluateColumnar(numRows: Int, args: ColumnVector*): ColumnVector = {{\n{names}    {body}\n  }}\n}}\n"
    )
}

fn run(body: &str, batch: &RecordBatch) -> rewright::error::Result<Outcome> {
    let params: Vec<String> = batch.schema().fields().iter().map(|f| f.name().clone()).collect();
    let mut engine = CudfEngine::new(&source(body, params.len()), params, Settings::default())?;
    engine.eval(batch, &Cancel::default())
}

/// Text of every row: a value in the notation of the vector files, or `ERROR`.
fn rows_of(body: &str, table: &Table) -> Result<Vec<String>, String> {
    let per_row = body.contains("{b}") || body.contains("{c}");
    if !per_row {
        return match run(body, &table.batch()) {
            Ok(out) => Ok(cells::show(&out)),
            // One row that is not covered refuses its batch: the others are asked one by one.
            Err(e) if e.kind == ErrorKind::NotProven => (0..table.rows())
                .map(|i| match run(body, &table.row(i)) {
                    Ok(out) => Ok(cells::show(&out).remove(0)),
                    Err(e) if e.kind == ErrorKind::NotProven => Ok("REFUSED".to_string()),
                    Err(e) => Err(format!("row {i}: {e}")),
                })
                .collect(),
            Err(e) => Err(e.to_string()),
        };
    }
    let mut all = Vec::new();
    for i in 0..table.rows() {
        let mut text = body.to_string();
        for (name, hole) in [("b", "{b}"), ("c", "{c}")] {
            if !text.contains(hole) {
                continue;
            }
            match table.literal(name, i) {
                Some(l) => text = text.replace(hole, &l),
                None => {
                    text.clear();
                    break;
                }
            }
        }
        if text.is_empty() {
            all.push("SKIPPED".to_string());
            continue;
        }
        let out = run(&text, &table.row(i)).map_err(|e| format!("row {i}: {e}"))?;
        all.push(cells::show(&out).remove(0));
    }
    Ok(all)
}

#[test]
fn every_vector_file_gives_the_recorded_values() {
    let index: serde_json::Value = serde_json::from_str(&data("gpu/index.json")).unwrap();
    let bodies: BTreeMap<(&str, &str), (&str, u64)> = bodies::ALL
        .iter()
        .map(|(f, c, b, ulp)| ((*f, *c), (*b, *ulp)))
        .collect();
    let skipped: BTreeMap<(&str, &str), &str> = bodies::NOT_EMULATED
        .iter()
        .map(|(f, c, why)| ((*f, *c), *why))
        .collect();
    let mut failures = Vec::new();
    let (mut compared, mut calls) = (0, 0);
    for file in index["files"].as_array().unwrap() {
        let name = file["file"].as_str().unwrap();
        let table = Table::read(name);
        for call in file["calls"].as_array().unwrap() {
            let column = call["column"].as_str().unwrap();
            let stem = name.trim_end_matches(".csv");
            if call["java_api"] == false || skipped.contains_key(&(stem, column)) {
                continue;
            }
            let Some((body, ulp)) = bodies.get(&(stem, column)).copied() else {
                failures.push(format!(
                    "{stem} {column}: no body for `{}`",
                    call["call"].as_str().unwrap()
                ));
                continue;
            };
            calls += 1;
            match rows_of(body, &table) {
                Err(e) => failures.push(format!("{stem} {column}: {e}")),
                Ok(got) => {
                    let mut bad = 0;
                    let refused = got.iter().filter(|g| *g == "REFUSED").count();
                    let allowed = bodies::PARTLY
                        .iter()
                        .find(|(f, c, _)| (*f, *c) == (stem, column))
                        .map_or(0, |(.., n)| *n);
                    if refused != allowed {
                        failures.push(format!(
                            "{stem} {column}: {refused} rows are refused, {allowed} are listed"
                        ));
                    }
                    for (i, g) in got.iter().enumerate() {
                        let want = table.expected(column, i, call["result"].as_str().unwrap());
                        if g == "REFUSED" {
                            continue;
                        }
                        compared += 1;
                        if !cells::same(g, &want, ulp) {
                            bad += 1;
                            if bad <= 3 {
                                failures.push(format!(
                                    "{stem} {column} row {}: {} got {g}, want {want}",
                                    i + 2,
                                    table.arguments(i)
                                ));
                            }
                        }
                    }
                    if bad > 3 {
                        failures.push(format!("{stem} {column}: {bad} rows of {}", got.len()));
                    }
                }
            }
        }
    }
    println!("{calls} calls, {compared} cells compared");
    assert!(
        failures.is_empty(),
        "{} failures\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn operators_give_the_recorded_types() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/cudf_implicit_types.tsv");
    let mut bad = Vec::new();
    for line in std::fs::read_to_string(path).unwrap().lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let got = match rewright::run::cudf::implicit_type(cells[0], cells[1], cells[2]) {
            Ok(t) => t,
            Err(e) => format!("THREW {e}"),
        };
        // The place in the library's source is no part of the behaviour.
        let want = cells[3].split("CUDF failure at: ").collect::<Vec<_>>();
        let want = match want[..] {
            [head, tail] => format!("{head}{}", tail.split_once(": ").map_or(tail, |(_, m)| m)),
            _ => cells[3].to_string(),
        };
        if got != want {
            bad.push(format!(
                "{} {} {}: got {got}, want {want}",
                cells[0], cells[1], cells[2]
            ));
        }
    }
    assert!(bad.is_empty(), "{}\n{}", bad.len(), bad[..bad.len().min(20)].join("\n"));
}

#[test]
fn the_java_api_answers_as_recorded() {
    let mut failures = Vec::new();
    let mut asked = 0;
    for line in data("gpu/java/calls.tsv").lines().skip(1) {
        let cells: Vec<&str> = line.splitn(3, '\t').collect();
        let Some((body, batch)) = questions::ask(cells[0]) else {
            if !questions::NOT_ASKED.iter().any(|(q, _)| *q == cells[0]) {
                failures.push(format!("{}: not asked", cells[0]));
            }
            continue;
        };
        asked += 1;
        let got = match run(&body, &batch) {
            Ok(out) => questions::show(&out),
            Err(e) => format!("{e}"),
        };
        let want = questions::wanted(cells[1], cells[2]);
        if !questions::same(cells[0], &got, &want) {
            failures.push(format!("{}: got {got}, want {want}", cells[0]));
        }
    }
    println!("{asked} questions");
    assert!(
        failures.is_empty(),
        "{} failures\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// Rows of one column of any type, with its Scala type.
fn one(name: &str, column: arrow::array::ArrayRef) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable([(name, column, true)]).unwrap()
}

#[test]
fn casts_from_floats_give_the_observed_numbers() {
    use arrow::array::{Float32Array, Float64Array};
    let all: serde_json::Value =
        serde_json::from_str(&data("gpu/more/observations.json").replace("\\udce9", "")).unwrap();
    let matrix = all["cast_matrix"].as_object().unwrap();
    let inputs: Vec<f64> = matrix["inputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_str().unwrap().parse().unwrap())
        .collect();
    let mut bad = Vec::new();
    for (key, wanted) in matrix {
        let Some((from, to)) = key.split_once("->") else {
            continue;
        };
        let batch = match from {
            "FLOAT64" => one("a", std::sync::Arc::new(Float64Array::from(inputs.clone()))),
            "FLOAT32" => one(
                "a",
                std::sync::Arc::new(inputs.iter().map(|v| Some(*v as f32)).collect::<Float32Array>()),
            ),
            _ => continue,
        };
        let (body, wanted) = (format!("a.castTo(DType.{to})"), wanted.as_array().unwrap());
        // Unsigned results have no Spark type: they are read through a wider signed one.
        let body = if to.starts_with("UINT") && to != "UINT64" {
            format!("{body}.castTo(DType.INT64)")
        } else {
            body
        };
        if to == "UINT64" || to.starts_with("FLOAT") || to.starts_with("DECIMAL") || to == "STRING" {
            continue;
        }
        let got = match run(&body, &batch) {
            Ok(out) => cells::show(&out),
            Err(e) => vec![e.to_string()],
        };
        let wanted: Vec<String> = wanted.iter().map(|v| v.to_string()).collect();
        for (i, (g, w)) in got.iter().zip(&wanted).enumerate() {
            if g != w {
                bad.push(format!("{key} of {}: got {g}, want {w}", inputs[i]));
            }
        }
    }
    assert!(bad.is_empty(), "{}\n{}", bad.len(), bad[..bad.len().min(30)].join("\n"));
}

#[test]
fn patterns_are_refused_and_misread_as_observed() {
    use arrow::array::StringArray;
    let mut bad = Vec::new();
    let (mut refused, mut run_count) = (0, 0);
    for row in cells::csv(&data("gpu/more/regex_dialect.csv")).into_iter().skip(1) {
        let (pattern, cudf, example, wanted) = (cells::unescape(&row[0]), &row[2], &row[7], &row[8]);
        let example = if example.is_empty() {
            "abc".to_string()
        } else {
            cells::unescape(example)
        };
        let batch = one("a", std::sync::Arc::new(StringArray::from(vec![example.as_str()])));
        let literal: String = pattern.encode_utf16().map(|u| format!("\\u{u:04x}")).collect();
        // The example shows one of two sets of flags; the record does not say which.
        let ask = |flags: &str| {
            run(
                &format!("a.replaceRegex(new RegexProgram(\"{literal}\"{flags}), t(\"#\"))"),
                &batch,
            )
        };
        let wanted_text = format!("\"{}\"", cells::unescape(wanted));
        let ascii = ask(", java.util.EnumSet.of(RegexFlag.ASCII, RegexFlag.EXT_NEWLINE)");
        if let (Ok(out), false) = (&ascii, wanted.is_empty())
            && cells::show(out)[0] == wanted_text
        {
            run_count += 1;
            continue;
        }
        let got = match ask("") {
            Ok(out) => cells::show(&out).remove(0),
            Err(e) if e.kind == ErrorKind::NotProven => {
                refused += 1;
                continue;
            }
            Err(e) => e.to_string(),
        };
        run_count += 1;
        let raises = got == "ERROR";
        if raises != cudf.starts_with("refuses") {
            bad.push(format!("{pattern}: got {got}, cuDF {cudf}"));
        } else if !wanted.is_empty() && got != wanted_text {
            bad.push(format!("{pattern} on {example:?}: got {got}, want {wanted}"));
        }
    }
    println!("{run_count} patterns compared, {refused} not covered");
    assert!(bad.is_empty(), "{}\n{}", bad.len(), bad.join("\n"));
}
