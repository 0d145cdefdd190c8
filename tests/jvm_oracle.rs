//! The `jvm` oracle against what Spark gave for the corpus.

mod jvm;

use rewright::run::spark::JvmOracle;
use rewright::run::{Cancel, Evaluator, Settings};

fn check(language: &str) {
    if !jvm::available() {
        return;
    }
    let (mut wrong, mut rows) = (Vec::new(), 0);
    for case in jvm::cases(language) {
        let Some(udf) = &case.udf else {
            wrong.push(format!("{}: not found", case.id));
            continue;
        };
        let mut oracle = JvmOracle::new(&case.source, udf, Settings::default(), &[]).unwrap();
        let prepared = oracle.prepare(case.input.schema_ref());
        match prepared.and_then(|_| oracle.eval(&case.input, &Cancel::default())) {
            Ok(outcome) => {
                rows += outcome.len();
                wrong.extend(jvm::wrong_rows(&case, &outcome));
            }
            Err(e) => wrong.push(format!("{}: {e}", case.id)),
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {rows} rows:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(40)].join("\n")
    );
    println!("{rows} rows");
}

#[test]
fn every_scala_udf_of_the_corpus_gives_what_spark_gave() {
    check("scala");
}
