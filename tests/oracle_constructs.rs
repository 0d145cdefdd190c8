//! Whole programs that use the language's larger constructs: what the embedded oracle makes of each, against what Scala
//! 2.12.18 gave when it ran them.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int32Array, RecordBatch, StringArray};
use rewright::find::Found;
use rewright::run::embedded::Embedded;
use rewright::run::{Cancel, Evaluator, Settings};
use rewright::source::{Language, SourceFile};

/// Programs that are still refused; the list only gets shorter.
const REFUSED: &[&str] = &[
    "Arrays2",
    "Enumerations",
    "Lazies",
    "Library2",
    "Orderings2",
    "Orderings3",
    "Sharing",
    "Weeks",
];

/// One recorded call: arguments and outcome.
struct Row {
    n: i32,
    s: Option<String>,
    want: String,
}

fn recorded() -> BTreeMap<String, Vec<Row>> {
    let mut out: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for line in include_str!("data/scala/constructs.tsv").lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        out.entry(cells[0].to_owned()).or_default().push(Row {
            n: cells[1].parse().unwrap(),
            s: cells[2].strip_prefix('=').map(str::to_owned),
            want: cells[3].to_owned(),
        });
    }
    out
}

fn run(file: &SourceFile, found: &Found, object: &str, rows: &[Row]) -> Result<Vec<String>, String> {
    let start = file
        .text
        .find(&format!("\nobject {object} {{"))
        .ok_or("no such object")?
        + 1;
    let end = file.text[start..]
        .find("\n}\n")
        .map_or(file.text.len(), |at| start + at);
    let inside = |u: &&rewright::find::Udf| (start..end).contains(&(u.span.start as usize));
    let udf = found.udfs.iter().find(inside).ok_or("not found")?;
    if let Err(refusal) = &udf.program {
        return Err(format!(
            "line {}: {}",
            file.line_of(refusal.span.start) + 1,
            refusal.reason
        ));
    }
    let n: ArrayRef = Arc::new(rows.iter().map(|r| Some(r.n)).collect::<Int32Array>());
    let s: ArrayRef = Arc::new(rows.iter().map(|r| r.s.clone()).collect::<StringArray>());
    let batch = RecordBatch::try_from_iter_with_nullable([("n", n, true), ("s", s, true)]).unwrap();
    let mut oracle = Embedded::new(udf, Settings::default()).map_err(|e| e.to_string())?;
    oracle.prepare(&batch.schema()).map_err(|e| e.to_string())?;
    let outcome = oracle.eval(&batch, &Cancel::default()).map_err(|e| e.to_string())?;
    if let Some(reason) = outcome.not_run.reasons().first() {
        return Err(reason.words());
    }
    let texts = outcome.values.as_string::<i32>();
    let shown = |i| match outcome.error(i) {
        Some(class) => format!("E{class}"),
        None if texts.is_null(i) => "N".to_owned(),
        None => format!(
            "V{}",
            texts
                .value(i)
                .replace('\\', "\\\\")
                .replace('\n', "\\n")
                .replace('\t', "\\t")
        ),
    };
    Ok((0..rows.len()).map(shown).collect())
}

#[test]
fn programs_give_what_scala_gave() {
    let text = include_str!("data/scala/constructs.scala");
    let file = SourceFile::from_text("constructs.scala", Language::Scala, text.to_owned());
    let found = rewright::find::find(&file);
    let (mut wrong, mut refused) = (Vec::new(), Vec::new());
    for (object, rows) in recorded() {
        match run(&file, &found, &object, &rows) {
            Ok(got) => {
                for (row, got) in rows.iter().zip(got) {
                    if got != row.want {
                        let args = format!("{object}({}, {:?})", row.n, row.s);
                        wrong.push(format!("{args}\n    gave  {got}\n    Scala {}", row.want));
                    }
                }
            }
            Err(reason) => refused.push((object, reason)),
        }
    }
    println!("refused: {refused:#?}");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    let unexpected: Vec<_> = refused.iter().filter(|(o, _)| !REFUSED.contains(&o.as_str())).collect();
    assert!(unexpected.is_empty(), "refused: {unexpected:#?}");
}
