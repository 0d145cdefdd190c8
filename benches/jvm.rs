//! A million rows of the Celsius sample: `check --oracle jvm` with a warm worker, everything included, beside the same test
//! written in a warm local Spark (UDF, SQL, collect, compare); and compiling again after an edit. One run, turn by turn.
//!
//! `cargo bench --bench jvm`. Needs a JDK and a Spark.

use std::time::{Duration, Instant};

use rewright::check::{Bench, Runners};
use rewright::compare::Policy;
use rewright::find::find;
use rewright::inputs::generate;
use rewright::propose::{Tier, propose_tier};
use rewright::run::spark::{JvmOracle, Server, reference};
use rewright::run::{Cancel, EngineId, Evaluator, Settings};
use rewright::samples::SAMPLES;
use rewright::source::SourceFile;

const ROWS: usize = 1_000_000;
const TURNS: usize = 15;
const READING: Duration = Duration::from_secs(20);

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn main() {
    // `cargo test --benches` asks only whether it starts.
    if std::env::args().any(|a| a == "--test") {
        return;
    }
    match Server::of(&[]) {
        Ok(server) => server.warm_up(),
        Err(e) => {
            println!("SKIPPED: {e}; {}", e.hints.join("; "));
            return;
        }
    }
    // As in the workbench, which starts the worker while its user reads.
    std::thread::sleep(READING);
    let file = SAMPLES[0].source();
    let found = find(&file);
    let udf = &found.udfs[0];
    let inputs = generate(udf, &file, ROWS, 42).expect("the sample has known types");
    let candidate = propose_tier(&file, udf, Tier::Sql).expect("the sample has a proposal");
    let (settings, policy, cancel) = (Settings::default(), Policy::default(), Cancel::default());
    let runners = Runners {
        oracle: EngineId::Jvm,
        ..Runners::default()
    };
    let bench = Bench {
        file: &file,
        udf,
        settings: &settings,
        runners: &runners,
    };
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for turn in 0..TURNS {
        let start = Instant::now();
        let report = bench.check(&candidate, &inputs, &policy, &cancel).expect("runs");
        let own = start.elapsed();
        let spark = reference(&file, udf, &candidate.text, &inputs, &settings, &cancel).expect("runs");
        println!(
            "turn {turn}: check {:.0} ms ({} rows differ), Spark {:.0} ms",
            own.as_secs_f64() * 1e3,
            report.comparison.different_rows,
            spark.as_secs_f64() * 1e3
        );
        if turn >= TURNS / 3 {
            ours.push(own);
            theirs.push(spark);
        }
    }
    let (ours, theirs) = (median(ours), median(theirs));
    println!(
        "warm: check {:.0} ms, Spark {:.0} ms: {:.1} times faster",
        ours.as_secs_f64() * 1e3,
        theirs.as_secs_f64() * 1e3,
        theirs.as_secs_f64() / ours.as_secs_f64()
    );
    let mut edits = Vec::new();
    for turn in 0..TURNS {
        let text = file.text.replace("32.0", &format!("{turn}.5"));
        let edited = SourceFile::from_text(file.path.clone(), file.language, text);
        let found = find(&edited);
        let start = Instant::now();
        let mut oracle = JvmOracle::new(&edited, &found.udfs[0], settings.clone(), &[]).expect("a worker");
        oracle.prepare(inputs.schema_ref()).expect("compiles");
        edits.push(start.elapsed());
    }
    println!(
        "compiling again after an edit: {:.0} ms",
        median(edits).as_secs_f64() * 1e3
    );
}
