//! Every call of the vector files and every question asked of the Java API, as bodies of one candidate per hundred of them: the first
//! column says which body runs, so that a compiler runs a few times and not five hundred.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow::array::{ArrayRef, Int32Array, RecordBatch};
use rewright::run::cudf::CudfEngine;
use rewright::run::{Cancel, Evaluator, Outcome, Settings};
use serde_json::Value;

use super::cells::{self, Table, data};
use super::{bodies, questions};

/// Bodies of one candidate: one method of the JVM has to hold the choice, and one compilation all of them.
const BODIES: usize = 100;
const NAMES: [&str; 3] = ["a", "b", "c"];

/// One call over some rows.
struct Case {
    label: String,
    body: String,
    columns: Vec<ArrayRef>,
    rows: usize,
    /// What was recorded, a text for each row, and how many ulp are allowed; or of the whole call.
    wanted: Wanted,
}

enum Wanted {
    Rows(Vec<String>, u64),
    Whole(String),
}

#[derive(Default)]
pub struct Results {
    pub differences: Vec<String>,
    pub calls: usize,
    pub recorded: usize,
    pub emulated: usize,
}

pub fn run() -> Results {
    let (cases, calls) = cases();
    let mut all = Results {
        calls,
        ..Results::default()
    };
    for (width, chunk) in chunks(&cases) {
        compare(&chunk, width, &mut all);
    }
    all
}

/// The texts of all candidates.
pub fn texts() -> Vec<String> {
    let (cases, _) = cases();
    chunks(&cases)
        .iter()
        .map(|(width, chunk)| candidate(chunk, *width))
        .collect()
}

fn chunks(cases: &[Case]) -> Vec<(usize, Vec<&Case>)> {
    let mut all = Vec::new();
    for width in 1..=NAMES.len() {
        let of_width: Vec<&Case> = cases.iter().filter(|c| c.columns.len() == width).collect();
        all.extend(of_width.chunks(BODIES).map(|c| (width, c.to_vec())));
    }
    all
}

/// All calls, and how many.
fn cases() -> (Vec<Case>, usize) {
    let (mut cases, mut calls) = files();
    for line in data("gpu/java/calls.tsv").lines().skip(1) {
        let parts: Vec<&str> = line.splitn(3, '\t').collect();
        let Some((body, batch)) = questions::ask(parts[0]) else {
            continue;
        };
        calls += 1;
        cases.push(Case {
            label: parts[0].to_owned(),
            body,
            columns: batch.columns().to_vec(),
            rows: batch.num_rows(),
            wanted: Wanted::Whole(questions::wanted(parts[1], parts[2])),
        });
    }
    (cases, calls)
}

/// The calls of the vector files; a call whose arguments are literals is one case for each row.
fn files() -> (Vec<Case>, usize) {
    let index: Value = serde_json::from_str(&data("gpu/index.json")).unwrap();
    let known: BTreeMap<(&str, &str), (&str, u64)> = bodies::ALL
        .iter()
        .map(|(f, c, b, ulp)| ((*f, *c), (*b, *ulp)))
        .collect();
    let (mut cases, mut calls) = (Vec::new(), 0);
    for file in index["files"].as_array().unwrap() {
        let name = file["file"].as_str().unwrap();
        let stem = name.trim_end_matches(".csv");
        let table = Table::read(name);
        for call in file["calls"].as_array().unwrap() {
            let column = call["column"].as_str().unwrap();
            let Some((body, ulp)) = known.get(&(stem, column)).copied() else {
                continue;
            };
            calls += 1;
            let label = format!("{stem} {column}");
            let wanted = |rows: std::ops::Range<usize>| {
                let texts = rows.map(|i| table.expected(column, i, call["result"].as_str().unwrap()));
                Wanted::Rows(texts.collect(), ulp)
            };
            if !body.contains("{b}") && !body.contains("{c}") {
                let batch = table.batch();
                cases.push(Case {
                    label,
                    body: body.to_owned(),
                    columns: batch.columns().to_vec(),
                    rows: batch.num_rows(),
                    wanted: wanted(0..table.rows()),
                });
                continue;
            }
            for i in 0..table.rows() {
                if let Some(body) = literal(body, &table, i) {
                    cases.push(Case {
                        label: format!("{label} row {}", i + 2),
                        body,
                        columns: table.row(i).columns().to_vec(),
                        rows: 1,
                        wanted: wanted(i..i + 1),
                    });
                }
            }
        }
    }
    (cases, calls)
}

/// A body with the literals of a row; none where one is null.
fn literal(body: &str, table: &Table, row: usize) -> Option<String> {
    let mut text = body.to_owned();
    for (name, hole) in [("b", "{b}"), ("c", "{c}")] {
        if text.contains(hole) {
            let mut literal = table.literal(name, row)?;
            // The compiler reads such an escape before it looks for the ends of texts and lines.
            for (escape, plain) in [
                ("\\u005c", "\\\\"),
                ("\\u0022", "\\\""),
                ("\\u000a", "\\n"),
                ("\\u000d", "\\r"),
            ] {
                literal = literal.replace(escape, plain);
            }
            text = text.replace(hole, &literal);
        }
    }
    Some(text)
}

/// A candidate whose first column says which body runs. Only values count here, so that resources are left open.
fn candidate(bodies: &[&Case], width: usize) -> String {
    let names: String = (0..width)
        .map(|i| format!("    val {} = args({});\n", NAMES[i], i + 1))
        .collect();
    let mut text = String::from(
        "import ai.rapids.cudf._\nimport com.nvidia.spark.RapidsUDF\nclass F extends RapidsUDF {\n  \
         def t(s: String): Scalar = Scalar.fromString(s)\n",
    );
    for (i, case) in bodies.iter().enumerate() {
        text.push_str(&format!(
            "  def f{i}(numRows: Int, args: Seq[ColumnVector]): ColumnVector = {{\n{names}    {}\n  }}\n",
            case.body
        ));
    }
    text.push_str("  override def evaluateColumnar(numRows: Int, args: ColumnVector*): ColumnVector = {\n");
    text.push_str("    val which = args.head.getScalarElement(0)\n    which.getInt match {\n");
    for i in 0..bodies.len() {
        text.push_str(&format!("      case {i} => f{i}(numRows, args)\n"));
    }
    text.push_str("    }\n  }\n}\n");
    text
}

fn compare(chunk: &[&Case], width: usize, all: &mut Results) {
    let text = candidate(chunk, width);
    let params = [&["which"][..], &NAMES[..width]].concat();
    let mut engine = match super::engine(&text, &params, None) {
        Ok(engine) => engine,
        Err(e) => return all.differences.push(format!("no engine: {e}")),
    };
    for (i, case) in chunk.iter().enumerate() {
        let which: ArrayRef = Arc::new(Int32Array::from(vec![i as i32; case.rows]));
        let columns = std::iter::once(which).chain(case.columns.iter().cloned());
        let named = params.iter().zip(columns).map(|(n, c)| (*n, c, true));
        let batch = RecordBatch::try_from_iter_with_nullable(named).unwrap();
        match engine.eval(&batch, &Cancel::default()) {
            // A type that the notation of the files has no word for must not hide what comes after it.
            Ok(outcome) => {
                if catch_unwind(AssertUnwindSafe(|| one(case, &outcome, all))).is_err() {
                    let ty = outcome.values.data_type();
                    all.differences
                        .push(format!("{} `{}`: a result of {ty}", case.label, case.body));
                }
            }
            Err(e) if e.kind == rewright::error::ErrorKind::Compile => {
                return all.differences.push(format!("chunk of {}: {e}", case.label));
            }
            Err(e) => match emulated(case) {
                Err(_) => {}
                Ok(_) => all
                    .differences
                    .push(format!("{} `{}`: NOT RUN {e}", case.label, case.body)),
            },
        }
    }
}

/// What the emulation gives, or why it gives nothing.
fn emulated(case: &Case) -> rewright::error::Result<Outcome> {
    let width = case.columns.len();
    let names: String = (0..width)
        .map(|i| format!("    val {} = args({i})\n", NAMES[i]))
        .collect();
    let text = format!(
        "import ai.rapids.cudf._\nclass F extends RapidsUDF {{\n  def t(s: String): Scalar = Scalar.fromString(s)\n  \
         def evaluateColumnar(numRows: Int, args: ColumnVector*): ColumnVector = {{\n{names}    {}\n  }}\n}}\n",
        case.body
    );
    let params = NAMES[..width].iter().map(|n| n.to_string()).collect();
    let mut engine = CudfEngine::new(&text, params, Settings::default())?;
    let named = NAMES.iter().zip(&case.columns).map(|(n, c)| (*n, c.clone(), true));
    let batch = RecordBatch::try_from_iter_with_nullable(named).unwrap();
    engine.eval(&batch, &Cancel::default())
}

fn one(case: &Case, outcome: &Outcome, all: &mut Results) {
    let mut told = 0;
    let mut differs = |what: String| {
        told += 1;
        if told <= 3 {
            all.differences.push(format!("{} `{}` {what}", case.label, case.body));
        }
    };
    let got = cells::show(outcome);
    match &case.wanted {
        Wanted::Rows(wanted, ulp) => {
            for (i, (g, w)) in got.iter().zip(wanted).enumerate().filter(|(_, (_, w))| *w != "SKIPPED") {
                all.recorded += 1;
                if !cells::same(g, w, *ulp) {
                    differs(format!("row {i}: device {g}, recorded {w}"));
                }
            }
        }
        Wanted::Whole(wanted) => {
            let got = questions::show(outcome);
            all.recorded += 1;
            if !questions::same(&case.label, &got, wanted) {
                differs(format!("device {got}, recorded {wanted}"));
            }
        }
    }
    let Ok(emulated) = emulated(case) else { return };
    let ulp = match &case.wanted {
        Wanted::Rows(_, ulp) => *ulp,
        Wanted::Whole(_) => 2,
    };
    for (i, (g, e)) in got.iter().zip(cells::show(&emulated)).enumerate() {
        all.emulated += 1;
        if !cells::same(g, &e, ulp) {
            differs(format!("row {i}: device {g}, emulated {e}"));
        }
    }
    if outcome.error(0) != emulated.error(0) {
        let (real, other) = (outcome.error(0), emulated.error(0));
        differs(format!("device throws {real:?}, the emulation {other:?}"));
    }
}
