//! Proposals against Spark's own results: every Scala, Java and Hive UDF of the corpus, and every operation of the vectors as a UDF. A
//! candidate is run from its text; what differs must be of an announced class.

use std::path::{Path, PathBuf};

use arrow::array::{Array, ArrayRef, RecordBatch, StringArray};
use rewright::check::{self, Runners};
use rewright::compare::{Policy, Verdict, compare};
use rewright::find::{Udf, find};
use rewright::inputs::data::{bind, read_data};
use rewright::propose::{Candidate, Tier, propose_tier};
use rewright::run::cuda::{Compiler, has_gpu};
use rewright::run::{Cancel, EngineId, Outcome, Settings};
use rewright::source::SourceFile;

fn corpus(path: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/corpus")).join(path)
}

/// What became of one proposal.
#[derive(Debug)]
enum Proposed {
    Equal,
    Announced(String),
    Different(String),
    Refused(String),
    NotRun(String),
}

impl Proposed {
    fn words(&self) -> String {
        match self {
            Proposed::Equal => "equal".into(),
            Proposed::Announced(classes) => format!("announced {classes}"),
            Proposed::Different(how) => format!("DIFFERENT {how}"),
            Proposed::Refused(why) => format!("refused: {why}"),
            Proposed::NotRun(why) => format!("NOT RUN {why}"),
        }
    }
}

fn expected(path: &Path) -> Outcome {
    let batch = read_data(path).expect("the corpus is readable");
    let column = |name: &str| -> ArrayRef { batch.column_by_name(name).expect("a column of the corpus").clone() };
    let errors = column("error").as_any().downcast_ref::<StringArray>().cloned();
    let errors = errors.filter(|e| e.null_count() < e.len());
    Outcome::with_errors(column("value"), errors)
}

fn run(candidate: &Candidate, udf: &Udf, args: &RecordBatch, expected: &Outcome, cuda: EngineId) -> Proposed {
    let settings = Settings::default();
    let runners = Runners {
        cuda,
        ..Runners::default()
    };
    let engine = check::engine_of(candidate, udf, &settings, &runners, &Cancel::default());
    let outcome = engine.and_then(|mut engine| {
        engine.prepare(args.schema_ref())?;
        let outcome = engine.eval(args, &Cancel::default())?;
        match engine.findings().first() {
            Some(f) => Err(rewright::error::Error::internal(format!(
                "finding {}: {}",
                f.id, f.message
            ))),
            None => Ok(outcome),
        }
    });
    let outcome = match outcome {
        Ok(o) => o,
        Err(e) => return Proposed::NotRun(e.to_string()),
    };
    let comparison = compare(args, expected, &outcome, &Policy::default());
    let mut classes: Vec<String> = comparison
        .classes
        .iter()
        .map(|(c, n)| format!("{c}:{}", n.rows))
        .collect();
    if !outcome.not_run.is_empty() {
        classes.push(format!("not covered:{}", outcome.not_run.len()));
    }
    let notes: Vec<&str> = candidate.notes.iter().map(|n| n.class.as_str()).collect();
    match comparison.verdict {
        Verdict::Equal => Proposed::Equal,
        _ if comparison.only_announced(&candidate.notes) && comparison.vacuous_because.is_none() => {
            Proposed::Announced(classes.join(", "))
        }
        _ => Proposed::Different(format!(
            "{} (announced {notes:?}) {:?} {:?}",
            classes.join(", "),
            comparison.vacuous_because,
            comparison
                .sample
                .iter()
                .take(3)
                .map(|m| (m.row, &m.original, &m.rewrite))
                .collect::<Vec<_>>()
        )),
    }
}

fn check_corpus(tier: Tier, cuda: EngineId) -> Vec<(String, Proposed)> {
    let manifest = std::fs::read_to_string(corpus("manifest.jsonl")).expect("the corpus has a manifest");
    let mut results = Vec::new();
    for line in manifest.lines() {
        let entry: serde_json::Value = serde_json::from_str(line).expect("a JSON line");
        let language = entry["language"].as_str().expect("a language");
        if !matches!(language, "scala" | "java") || entry["kind"] == "aggregator" {
            continue;
        }
        let text = |key: &str| entry[key].as_str().expect("a text").to_string();
        let source = SourceFile::read(&corpus(&text("file"))).expect("a source file");
        let found = find(&source);
        let id = text("id");
        let Some(udf) = found.by_name(&text("udf")) else {
            results.push((id, Proposed::Refused("not found".into())));
            continue;
        };
        let candidate = match propose_tier(&source, udf, tier) {
            Ok(c) => c,
            Err(refusal) => {
                let why = format!("{} | {}", refusal.reason, source.slice(refusal.span).replace('\n', " "));
                results.push((id, Proposed::Refused(why)));
                continue;
            }
        };
        let input = corpus(&text("input"));
        let data = read_data(&input).expect("an input table");
        let bound = bind(udf, &data, &input).expect("columns for the parameters");
        let outcome = expected(&corpus(&text("expected")));
        if std::env::var_os("SHOW").is_some() {
            println!("--- {id} ({})\n{}", tier.name(), candidate.text);
        }
        results.push((id, run(&candidate, udf, &bound.args, &outcome, cuda)));
    }
    results
}

/// Prints what became of every UDF; how many hold, and how many differ or did not run.
fn report(tier: Tier, results: &[(String, Proposed)]) -> (usize, usize) {
    let mut good = 0;
    let mut bad = 0;
    for (id, result) in results {
        println!("{:5} {id:18} {}", tier.name(), result.words());
        match result {
            Proposed::Equal | Proposed::Announced(_) => good += 1,
            Proposed::Different(_) | Proposed::NotRun(_) => bad += 1,
            Proposed::Refused(_) => {}
        }
    }
    println!("{}: {good} of {} good, {bad} different", tier.name(), results.len());
    (good, bad)
}

#[test]
fn sql_proposals_of_the_corpus_hold() {
    let results = check_corpus(Tier::Sql, EngineId::Cpu);
    let (good, bad) = report(Tier::Sql, &results);
    assert_eq!(bad, 0);
    let wanted = 60 * results.len();
    assert!(good * 100 >= wanted, "{good} of {}", results.len());
}

#[test]
fn cudf_proposals_of_the_corpus_hold() {
    let results = check_corpus(Tier::Cudf, EngineId::Cpu);
    let (good, bad) = report(Tier::Cudf, &results);
    assert_eq!(bad, 0);
    let wanted = 50 * results.len();
    assert!(good * 100 >= wanted, "{good} of {}", results.len());
}

#[test]
fn cuda_proposals_of_the_corpus_hold() {
    if Compiler::program().is_none() {
        println!("no C++ compiler: nothing to test");
        return;
    }
    cuda_proposals_hold_on(EngineId::CudaHost);
}

#[test]
fn cuda_proposals_of_the_corpus_hold_on_a_device() {
    if !has_gpu() {
        println!("no GPU: nothing to test");
        return;
    }
    cuda_proposals_hold_on(EngineId::Cuda);
}

fn cuda_proposals_hold_on(engine: EngineId) {
    let results = check_corpus(Tier::Cuda, engine);
    let (good, bad) = report(Tier::Cuda, &results);
    assert_eq!(bad, 0);
    let wanted = 75 * results.len();
    assert!(good * 100 >= wanted, "{good} of {}", results.len());
}
