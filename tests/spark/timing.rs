//! The original timed in the worker: each way gives times, a function that throws is timed like any other, and one that a query
//! cannot run leaves its lane without times.

use rewright::bench::Plan;
use rewright::error::ErrorKind;
use rewright::find::find;
use rewright::inputs::generate;
use rewright::run::spark::JvmOracle;
use rewright::run::spark::timed::{Through, time};
use rewright::run::{Cancel, Evaluator, Settings};
use rewright::source::{Language, SourceFile};

const PLAN: Plan = Plan {
    least: 10,
    most: 10,
    seconds: 0.2,
    narrow: 0.05,
    most_warm_up: 10,
    warm_up_seconds: 0.2,
};

#[test]
fn each_way_gives_times() {
    let Some(_alone) = crate::corpus::alone() else { return };
    let text = "import org.apache.spark.sql.functions.udf\nobject O {\n  val f = udf((x: Int) => 100 / x)\n  \
                val g = udf((x: Int) => x + 1L)\n}\n";
    let file = SourceFile::from_text("O.scala", Language::Scala, text);
    let found = find(&file);
    let time = |name: &str, rows: usize, through| {
        let udf = found.by_name(name).expect("a UDF");
        let mut oracle = JvmOracle::new(&file, udf, Settings::default(), &[])?;
        let batch = generate(udf, &file, rows, 42)?;
        oracle.prepare(batch.schema_ref())?;
        time(
            &oracle,
            &batch,
            &Settings::default(),
            through,
            &PLAN,
            &Cancel::default(),
        )
    };
    for through in [Through::OneThread, Through::AllThreads, Through::Query] {
        let times = time("g", 20_000, through).expect("times");
        assert!(
            times.samples.len() >= 10 && times.seconds.low > 0.0,
            "{through:?} {times:?}"
        );
    }
    // Rows that throw are rows; a query ends with the first of them.
    assert!(time("f", 5000, Through::OneThread).is_ok());
    let error = time("f", 5000, Through::Query).expect_err("a query that throws");
    assert_eq!(error.kind, ErrorKind::NotProven);
    // More rows take longer: nothing is left out of the time.
    let (few, many) = (
        time("g", 1000, Through::OneThread),
        time("g", 100_000, Through::OneThread),
    );
    assert!(many.unwrap().seconds.median > 5.0 * few.unwrap().seconds.median);
}
