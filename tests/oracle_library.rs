//! Snippets that exercise the library and the language: what the embedded oracle makes of each, against what Scala 2.12 printed.

use std::sync::Arc;

use arrow::array::{Array, AsArray, Int32Array, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Schema};
use rewright::run::embedded::Embedded;
use rewright::run::{Cancel, Evaluator, Settings};
use rewright::source::{Language, SourceFile};

/// How many snippets may be refused; falls as more is covered.
const REFUSED_AT_MOST: usize = 8;

fn run(body: &str) -> Result<String, String> {
    let source = format!(
        "import org.apache.spark.sql.functions.udf\nobject Snippet {{\n  val f = udf((n: Int, s: String) => {{ {body} }}: String)\n}}\n"
    );
    let file = SourceFile::from_text("Snippet.scala", Language::Scala, source);
    let found = rewright::find::find(&file);
    let udf = found
        .udfs
        .first()
        .ok_or_else(|| format!("not found: {:?}", found.refused))?;
    let schema = Arc::new(Schema::new(vec![
        Field::new("n", DataType::Int32, false),
        Field::new("s", DataType::Utf8, false),
    ]));
    let columns: Vec<arrow::array::ArrayRef> = vec![
        Arc::new(Int32Array::from(vec![7])),
        Arc::new(StringArray::from(vec!["hello"])),
    ];
    let batch = RecordBatch::try_new(schema, columns).unwrap();
    let mut oracle = Embedded::new(udf, Settings::default()).map_err(|e| e.to_string())?;
    oracle.prepare(&batch.schema()).map_err(|e| e.to_string())?;
    let outcome = oracle.eval(&batch, &Cancel::default()).map_err(|e| e.to_string())?;
    if let Some(reason) = outcome.not_run.reason(0) {
        return Err(reason.text.clone());
    }
    Ok(match outcome.error(0) {
        Some(class) => format!("E{class}"),
        None if outcome.values.is_null(0) => "N".into(),
        None => {
            let text = outcome.values.as_string::<i32>().value(0);
            format!(
                "V{}",
                text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t")
            )
        }
    })
}

#[test]
fn snippets_give_what_scala_gave() {
    let data = include_str!("data/library/scala.tsv");
    let (mut wrong, mut refused) = (Vec::new(), Vec::new());
    for line in data.lines() {
        let (want, body) = line.split_once('\t').unwrap();
        match run(body) {
            Ok(got) if got == want => {}
            Ok(got) => wrong.push(format!("{body}\n    gave {got}\n    Scala {want}")),
            Err(reason) => refused.push(format!("{body}\n    {reason}")),
        }
    }
    println!("{} refused:\n{}", refused.len(), refused.join("\n"));
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(
        refused.len() <= REFUSED_AT_MOST,
        "{} snippets are refused",
        refused.len()
    );
}
