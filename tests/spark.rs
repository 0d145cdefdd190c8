//! The worker with a JVM: oracles against what Spark gave for the corpus, the engine, the compiler, and every fault that a UDF
//! or a machine can produce. Runs only where Java and a Spark are found, and says so otherwise.

#[path = "jvm/mod.rs"]
mod corpus;
#[path = "spark/faults.rs"]
mod faults;
#[path = "spark/forms.rs"]
mod forms;
#[path = "spark/machine.rs"]
mod machine;
#[path = "spark/timing.rs"]
mod timing;

use arrow::array::{Array, RecordBatch};
use rewright::check::{Bench, COMPILED, Runners};
use rewright::compare::{Policy, PolicyEntry, Verdict, compare};
use rewright::error::ErrorKind;
use rewright::find::Udf;
use rewright::propose::{Candidate, NoteScope, Tier, propose_tier};
use rewright::run::spark::{JvmOracle, SparkEngine, compile_check};
use rewright::run::sql::SqlEngine;
use rewright::run::{Cancel, EngineId, Evaluator, Outcome, Settings};

use corpus::Case;

fn run(evaluator: &mut dyn Evaluator, batch: &RecordBatch) -> Result<Outcome, String> {
    evaluator.prepare(batch.schema_ref()).map_err(|e| e.to_string())?;
    evaluator.eval(batch, &Cancel::default()).map_err(|e| e.to_string())
}

/// What in the corpus is written for Scala 2.12 alone: a Spark 4 has to say so.
const FOR_2_12: &[&str] = &["common_prefix"];

#[test]
fn all_of_it_holds_on_spark_4() {
    let Some(_alone) = corpus::alone() else { return };
    corpus::on_spark_4(&[]);
}

/// Every row of every UDF of a language, by one of the oracles.
fn gives_what_spark_gave(language: &str, through_session: bool) {
    let Some(_alone) = corpus::alone() else { return };
    let (mut wrong, mut rows) = (Vec::new(), 0);
    for case in corpus::cases(language) {
        let Some(udf) = &case.udf else {
            wrong.push(format!("{}: not found", case.id));
            continue;
        };
        let mut udf = udf.clone();
        if matches!(case.values.data_type(), arrow::datatypes::DataType::Decimal128(..)) {
            // The corpus registered it with a precision that the source does not say.
            udf.return_type = Some(case.values.data_type().clone());
        }
        let oracle = JvmOracle::new(&case.source, &udf, Settings::default(), &[]).unwrap();
        let mut oracle = if through_session {
            oracle.through_session()
        } else {
            oracle
        };
        match run(&mut oracle, &case.input) {
            Ok(outcome) => {
                rows += outcome.len();
                wrong.extend(corpus::wrong_rows(&case, &outcome));
            }
            Err(e) if FOR_2_12.contains(&case.id.as_str()) && e.contains("the file is for Scala 2.12") => {}
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
fn the_jvm_oracle_gives_what_spark_gave_for_scala() {
    gives_what_spark_gave("scala", false);
}

#[test]
fn the_jvm_oracle_gives_what_spark_gave_for_java() {
    gives_what_spark_gave("java", false);
}

#[test]
fn the_spark_oracle_gives_what_spark_gave_for_java() {
    gives_what_spark_gave("java", true);
}

#[test]
fn the_spark_oracle_gives_what_spark_gave_for_scala() {
    gives_what_spark_gave("scala", true);
}

/// What the corpus says of a case.
fn expected(case: &Case) -> Outcome {
    Outcome::with_errors(case.values.clone(), Some(case.errors.clone()))
}

#[test]
fn every_sql_proposal_that_claims_to_be_exact_is_exact_in_spark() {
    let Some(_alone) = corpus::alone() else { return };
    let (mut wrong, mut proposals, mut exact) = (Vec::new(), 0, 0);
    for case in corpus::cases("scala").into_iter().chain(corpus::cases("java")) {
        let Some((udf, candidate)) = case
            .udf
            .as_ref()
            .and_then(|u| Some((u, propose_tier(&case.source, u, Tier::Sql).ok()?)))
        else {
            continue;
        };
        proposals += 1;
        let params: Vec<String> = udf.params.iter().map(|p| p.name.clone()).collect();
        let mut spark = SparkEngine::new(&candidate.text, params.clone(), Settings::default(), &[]).unwrap();
        let outcome = match run(&mut spark, &case.input) {
            Ok(outcome) => outcome,
            Err(e) => {
                wrong.push(format!("{}: {e}: {}", case.id, candidate.text));
                continue;
            }
        };
        let same = |a: &Outcome, b: &Outcome| compare(&case.input, a, b, &Policy::default());
        let seen = same(&expected(&case), &outcome);
        if candidate.notes.iter().all(|n| n.on == NoteScope::Gpu) {
            exact += 1;
            if seen.verdict != Verdict::Equal {
                wrong.push(format!(
                    "{} claims to be exact: {:?}: {}",
                    case.id,
                    seen.sample.first(),
                    candidate.text
                ));
            }
        } else if !seen.only_announced(&candidate.notes) {
            wrong.push(format!("{}: not announced: {:?}", case.id, seen.classes.keys()));
        }
        let mut cpu = SqlEngine::new(&candidate.text, params, Settings::default()).unwrap();
        if let Ok(emulated) = run(&mut cpu, &case.input) {
            // Trigonometry of HotSpot is not correctly rounded; the cpu engine's is, and its evidence says so.
            let last_ulp = PolicyEntry {
                class: "last-ulp".into(),
                max_ulp: Some(1),
                max_abs: None,
                max_rel: None,
                reason: "within 1 ulp".into(),
                who: "this test".into(),
            };
            let inexact = cpu
                .prepare(case.input.schema_ref())
                .is_ok_and(|e| e.facts.contains_key("within 1 ulp"));
            let policy = Policy {
                entries: if inexact { vec![last_ulp] } else { Vec::new() },
            };
            let seen = compare(&case.input, &outcome, &emulated, &policy);
            if !matches!(seen.verdict, Verdict::Equal | Verdict::EqualWithinPolicy) {
                wrong.push(format!(
                    "{}: the cpu engine differs from Spark: {:?}",
                    case.id,
                    seen.sample.first()
                ));
            }
        }
    }
    println!("{proposals} proposals, {exact} claim to be exact");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn one_int_udf() -> Udf {
    let source = faults::scala("def f(x: Int): Int = x");
    rewright::find::find(&source).by_name("f").unwrap().clone()
}

fn numbers() -> RecordBatch {
    faults::ints(&[Some(1), None, Some(0), Some(7)])
}

#[test]
fn sql_that_proves_nothing_is_refused_and_rows_that_raise_are_outcomes() {
    let Some(_alone) = corpus::alone() else { return };
    let udf = one_int_udf();
    let params: Vec<String> = udf.params.iter().map(|p| p.name.clone()).collect();
    let engine = |text: &str, ansi| {
        let settings = Settings {
            ansi,
            ..Settings::default()
        };
        SparkEngine::new(text, params.clone(), settings, &[]).unwrap()
    };
    let error = run(&mut engine("1 + 1", false), &numbers()).unwrap_err();
    assert!(error.contains("reads no column"), "{error}");
    // What a row gives this time says nothing of the next: random numbers, calls by reflection, clocks that become literals.
    for text in [
        "x + cast(rand() AS INT)",
        "if(rand() < 0.0000001D, 1, x)",
        "cast(java_method('java.lang.Integer', 'toString', x) AS INT)",
        "if(current_timestamp() < timestamp'2000-01-01 00:00:00', 1, x)",
        "datediff(current_date(), current_date()) + x",
        "x + cast(monotonically_increasing_id() AS INT)",
    ] {
        let error = run(&mut engine(text, false), &numbers()).unwrap_err();
        assert!(error.contains("for the same row each time"), "{text}: {error}");
    }
    let error = run(&mut engine("x +", false), &numbers()).unwrap_err();
    assert!(error.contains("does not take"), "{error}");
    let error = run(&mut engine("x + no_such_column", false), &numbers()).unwrap_err();
    assert!(
        error.contains("does not take") && error.contains("no_such_column"),
        "{error}"
    );
    let outcome = run(&mut engine("10 div x", true), &numbers()).unwrap();
    assert_eq!(outcome.error(2), Some("SparkArithmeticException"));
    assert_eq!(
        (outcome.error(0), outcome.error(1), outcome.error(3)),
        (None, None, None)
    );
    let outcome = run(&mut engine("10 div x", false), &numbers()).unwrap();
    assert!(outcome.errors.is_none());
    // What Spark 4 computes in a projection of its own is told apart by rows as well.
    let outcome = run(
        &mut engine("10 div nullif(x + 1, 8) + if(x = 0, raise_error('none'), 1)", true),
        &numbers(),
    )
    .unwrap();
    assert_eq!(outcome.error(2), Some("RuntimeException"));
    assert_eq!([0, 1, 3].map(|row| outcome.values.is_null(row)), [false, true, true]);
    let outcome = run(&mut engine("nullif(10 div x, 10)", true), &numbers()).unwrap();
    assert_eq!(outcome.error(2), Some("SparkArithmeticException"));
    assert_eq!([0, 1, 3].map(|row| outcome.values.is_null(row)), [true, true, false]);
    let evidence = engine("x + 1", false).prepare(numbers().schema_ref()).unwrap();
    assert!(
        evidence.facts["plan"].contains("Project") && evidence.version.contains('.'),
        "{evidence:?}"
    );
}

#[test]
fn a_candidate_that_does_not_compile_says_so_at_its_line_though_the_emulation_would_run_it() {
    let Some(_alone) = corpus::alone() else { return };
    let source = faults::scala("def f(x: Int): Int = x");
    let found = rewright::find::find(&source);
    let udf = found.by_name("f").unwrap();
    let mut candidate = propose_tier(&source, udf, Tier::Cudf).unwrap();
    let check = |candidate: &Candidate, oracle: EngineId| {
        let runners = Runners {
            oracle,
            ..Runners::default()
        };
        let bench = Bench {
            file: &source,
            udf,
            settings: &Settings::default(),
            runners: &runners,
        };
        bench.check(candidate, &numbers(), &Policy::default(), &Cancel::default())
    };
    let report = check(&candidate, EngineId::Jvm).unwrap();
    assert_eq!(report.comparison.verdict, Verdict::Equal);
    assert!(
        report.engine_evidence.facts[COMPILED].contains("signatures"),
        "{report:?}"
    );
    // The emulation does not look at the row function.
    candidate.text = candidate
        .text
        .replace("class ", "class Unused extends Missing\n\nclass ");
    let line = 1 + candidate.text.lines().position(|l| l.contains("Missing")).unwrap();
    assert!(check(&candidate, EngineId::Embedded).is_ok());
    let error = check(&candidate, EngineId::Jvm).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Compile);
    let place = format!("candidate.scala:{line}:");
    assert!(error.to_string().starts_with(&place), "{error}");
    assert!(error.hints.join(" ").contains("--rapids-jar"));
}

#[test]
fn every_cudf_proposal_compiles() {
    let Some(_alone) = corpus::alone() else { return };
    let (mut wrong, mut compiled) = (Vec::new(), 0);
    for case in corpus::cases("scala").into_iter().chain(corpus::cases("java")) {
        let Some(udf) = &case.udf else { continue };
        let Ok(candidate) = propose_tier(&case.source, udf, Tier::Cudf) else {
            continue;
        };
        let language = case.source.language;
        let messages = compile_check(
            &candidate.text,
            &format!("Candidate.{}", language.name()),
            language,
            &[],
            &Cancel::default(),
        )
        .unwrap();
        compiled += 1;
        for m in messages {
            let line = m
                .line
                .and_then(|l| candidate.text.lines().nth(l - 1))
                .unwrap_or_default();
            wrong.push(format!("{}: {:?} {}\n    {line}", case.id, m.line, m.text));
        }
    }
    println!("{compiled} candidates compiled");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
