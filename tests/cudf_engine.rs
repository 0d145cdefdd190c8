//! The engine `cudf` against a stand-in for the library in host memory: every type of column, every way in which a candidate, a jar or
//! a device can be wrong. Runs only where Java and a Spark are found, and says so otherwise; the real library is for `cudf_device`.

#[path = "jvm/mod.rs"]
mod jvm;

#[path = "cudf_engine/library.rs"]
mod library;

use std::path::Path;
use std::time::{Duration, Instant};

use arrow::array::*;
use arrow::datatypes::{DataType, Int32Type};
use rewright::bench::{self, Lane, Plan, Times};
use rewright::check::{Bench, COMPILED, Runners};
use rewright::compare::{Policy, Verdict, compare};
use rewright::error::{Error, ErrorKind};
use rewright::propose::{Candidate, Tier};
use rewright::run::spark::{Calls, Library, LibraryEngine, with_calls};
use rewright::run::{Cancel, EngineId, Evaluator, Finding, Outcome, Settings};
use rewright::source::{Language, SourceFile};

/// The line of the first line of a body in [`java`].
const BODY: u32 = 9;

/// A candidate in Java, whose compiler takes less time than Scala's.
fn java(body: &str) -> String {
    format!(
        "import ai.rapids.cudf.*;\nimport com.nvidia.spark.RapidsUDF;\nimport org.apache.spark.sql.api.java.UDF1;\n\n\
         public class F implements UDF1<Integer, Integer>, RapidsUDF {{\n  public Integer call(Integer x) {{ return x; }}\n  \
         @Override\n  public ColumnVector evaluateColumnar(int numRows, ColumnVector... args) {{\n{body}\n  }}\n}}\n"
    )
}

fn scala(body: &str) -> String {
    format!(
        "import ai.rapids.cudf._\nimport com.nvidia.spark.RapidsUDF\n\nclass F extends (Int => Int) with RapidsUDF with Serializable {{\n  \
         override def apply(x: Int): Int = x\n  \
         override def evaluateColumnar(numRows: Int, args: ColumnVector*): ColumnVector = {{\n{body}\n  }}\n}}\n"
    )
}

fn numbers() -> RecordBatch {
    let a: ArrayRef = std::sync::Arc::new(Int32Array::from(vec![Some(1), None, Some(3)]));
    RecordBatch::try_from_iter_with_nullable([("x", a, true)]).unwrap()
}

fn engine(text: &str, declared: Option<DataType>, jar: &Path) -> LibraryEngine {
    let library = Library {
        jar: jar.to_owned(),
        native_dir: None,
        device: 0,
        timed: false,
    };
    LibraryEngine::new(text, vec!["x".into()], declared, Settings::default(), &[], library).unwrap()
}

fn run(text: &str, batch: &RecordBatch, declared: Option<DataType>) -> Result<(Outcome, Vec<Finding>), Error> {
    let mut engine = engine(text, declared, library::jar());
    let evidence = engine.prepare(batch.schema_ref())?;
    assert_eq!(evidence.engine, EngineId::Cudf);
    let outcome = engine.eval(batch, &Cancel::default())?;
    Ok((outcome, engine.findings()))
}

fn ids(findings: &[Finding]) -> Vec<(&str, Option<u32>)> {
    findings.iter().map(|f| (f.id.as_str(), f.line)).collect()
}

#[test]
fn every_type_goes_to_the_device_and_back() {
    let Some(_alone) = jvm::alone() else { return };
    let text = java("return args[0].incRefCount();");
    let mut wrong = Vec::new();
    for column in library::columns() {
        for part in [
            column.clone(),
            column.slice(1, 1),
            column.slice(0, 0),
            column.slice(2, column.len() - 2),
        ] {
            let batch = RecordBatch::try_from_iter_with_nullable([("x", part.clone(), true)]).unwrap();
            let (outcome, findings) = run(&text, &batch, Some(part.data_type().clone())).unwrap();
            let (got, want) = (library::texts(&outcome.values), library::texts(&part));
            if got != want || !findings.is_empty() {
                wrong.push(format!(
                    "{} of {} rows: {got:?}, {want:?}, {findings:?}",
                    part.data_type(),
                    part.len()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_a_candidate_computes_is_what_the_emulation_computes() {
    let Some(_alone) = jvm::alone() else { return };
    let text = scala("    args.head.add(args.head)");
    let (outcome, findings) = run(&text, &numbers(), Some(DataType::Int32)).unwrap();
    assert!(findings.is_empty(), "{findings:?}");
    let values: Vec<Option<i32>> = outcome.values.as_primitive::<Int32Type>().iter().collect();
    assert_eq!(values, [Some(2), None, Some(6)]);
    let mut emulation = rewright::run::cudf::CudfEngine::new(&text, vec!["x".into()], Settings::default()).unwrap();
    let other = emulation.eval(&numbers(), &Cancel::default()).unwrap();
    let same = compare(&numbers(), &other, &outcome, &Policy::default());
    assert_eq!(same.verdict, Verdict::Equal);
}

/// A body, the exception that every row ends with, and what is noticed: ids with the line of the body.
type Fault = (&'static str, Option<&'static str>, &'static [(&'static str, u32)]);

#[test]
fn every_fault_of_a_candidate_is_told_at_its_line() {
    let Some(_alone) = jvm::alone() else { return };
    let faults: &[Fault] = &[
        ("return null;", Some("NullPointerException"), &[("null-result", 0)]),
        ("return args[0];", None, &[("input-returned", 0)]),
        (
            "var c = args[0].add(args[0]);\nc.close();\nreturn c;",
            Some("NullPointerException"),
            &[("result-closed", 2)],
        ),
        (
            "try (var one = Scalar.fromInt(1)) {\nreturn ColumnVector.fromScalar(one, numRows - 1);\n}",
            Some("IllegalStateException"),
            &[("row-count", 0)],
        ),
        (
            "return args[0].bitCastTo(DType.FLOAT32);",
            Some("IllegalArgumentException"),
            &[("result-type", 0)],
        ),
        (
            "throw new IllegalArgumentException(\"no\");",
            Some("IllegalArgumentException"),
            &[("raised", 1)],
        ),
        (
            "try (var wide = args[0].bitCastTo(DType.FLOAT32)) {\nreturn wide.add(args[0]);\n}",
            Some("CudfException"),
            &[("raised", 2)],
        ),
        (
            "args[0].add(args[0]);\nreturn args[0].add(args[0]);",
            None,
            &[("leak", 1)],
        ),
        (
            "Scalar.fromInt(1);\nthrow new RuntimeException();",
            Some("RuntimeException"),
            &[("raised", 2), ("leak", 1)],
        ),
        (
            "var c = args[0].add(args[0]);\nc.close();\nc.close();\nreturn args[0].incRefCount();",
            Some("IllegalStateException"),
            &[("double-close", 3), ("raised", 3)],
        ),
        (
            "var c = args[0].add(args[0]);\nc.close();\nreturn c.add(args[0]);",
            Some("IllegalStateException"),
            &[("use-after-close", 3), ("raised", 3)],
        ),
        (
            "var c = args[0].add(args[0]);\nargs[0].close();\nreturn c;",
            None,
            &[("input-closed", 2)],
        ),
        (
            "args[0].incRefCount();\nreturn args[0].add(args[0]);",
            None,
            &[("leak", 1)],
        ),
        (
            "var c = args[0].add(args[0]);\nc.incRefCount();\nreturn c;",
            None,
            &[("leak", 2)],
        ),
    ];
    let mut wrong = Vec::new();
    for (body, threw, noticed) in faults {
        let (outcome, findings) = match run(&java(body), &numbers(), Some(DataType::Int32)) {
            Ok(both) => both,
            Err(e) => {
                wrong.push(format!("{body}\n  {e}"));
                continue;
            }
        };
        let wanted: Vec<(&str, Option<u32>)> = noticed
            .iter()
            .map(|(id, line)| (*id, (*line > 0).then_some(BODY + line - 1)))
            .collect();
        let errors: Vec<Option<&str>> = (0..3).map(|i| outcome.error(i)).collect();
        let mut found = ids(&findings);
        found.dedup();
        if found != wanted || errors != [*threw; 3] {
            wrong.push(format!("{body}\n  {errors:?} {findings:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_result_without_a_spark_type_is_refused() {
    let Some(_alone) = jvm::alone() else { return };
    let error = run(&java("return args[0].bitCastTo(DType.UINT32);"), &numbers(), None).unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotProven);
    assert!(error.to_string().contains("UINT32 has no Spark type"), "{error}");
}

#[test]
fn a_candidate_that_cannot_be_made_is_refused_with_the_reason() {
    let Some(_alone) = jvm::alone() else { return };
    let two = format!("{}\nclass G extends F {{}}", java("return args[0].incRefCount();"));
    let arguments = java("return args[0].incRefCount();").replace("  @Override", "  public F(int n) {}\n  @Override");
    let throws =
        java("return args[0].incRefCount();\n  }\n  public F() {\n    throw new IllegalStateException(\"not made\");");
    for (text, why) in [
        (two, "2 classes of the candidate are a RapidsUDF"),
        (arguments, "F has no constructor without parameters"),
        (
            throws,
            "making the candidate threw IllegalStateException: not made at line 12",
        ),
    ] {
        let error = run(&text, &numbers(), None).unwrap_err();
        assert_eq!(error.kind, ErrorKind::NotProven, "{error}");
        assert!(error.to_string().contains(why), "{error}");
    }
}

#[test]
fn what_ends_the_worker_does_not_end_the_next_test() {
    let Some(_alone) = jvm::alone() else { return };
    let crash = "try {\nvar f = sun.misc.Unsafe.class.getDeclaredField(\"theUnsafe\");\nf.setAccessible(true);\n\
                 ((sun.misc.Unsafe) f.get(null)).putAddress(0L, 1L);\n} catch (ReflectiveOperationException e) {}\n\
                 return args[0].incRefCount();";
    let endless = "while (numRows > 0) Thread.onSpinWait();\nreturn args[0].incRefCount();";
    for (body, why) in [
        (crash, "native code crashed while cuDF worked: SIGSEGV"),
        (
            "System.exit(3);\nreturn args[0].incRefCount();",
            "System.exit (candidate.java:9)",
        ),
        (endless, "no answer within 5 s"),
    ] {
        let mut broken = engine(&java(body), None, library::jar()).with_limit(Duration::from_secs(5));
        broken.prepare(numbers().schema_ref()).unwrap();
        let error = broken.eval(&numbers(), &Cancel::default()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::NotProven, "{error}");
        assert!(error.to_string().contains(why), "{error}");
        let (outcome, _) = run(&java("return args[0].incRefCount();"), &numbers(), None).unwrap();
        assert!(outcome.errors.is_none());
    }
}

#[test]
fn a_call_can_be_cancelled() {
    let Some(_alone) = jvm::alone() else { return };
    let text = java("while (numRows > 0) Thread.onSpinWait();\nreturn args[0].incRefCount();");
    let mut engine = engine(&text, None, library::jar());
    engine.prepare(numbers().schema_ref()).unwrap();
    let cancel = Cancel::default();
    let also = cancel.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        also.cancel();
    });
    let start = Instant::now();
    let error = engine.eval(&numbers(), &cancel).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Interrupted);
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_jar_that_cannot_be_used_is_told_with_what_to_try() {
    let Some(_alone) = jvm::alone() else { return };
    let failed = |jar: &Path| {
        let mut engine = engine(&java("return args[0].incRefCount();"), None, jar);
        engine.prepare(numbers().schema_ref()).unwrap_err()
    };
    for (jar, why, hint) in [
        (library::without_cudf(), "is no cuDF library", "--rapids-jar"),
        (library::no_jar(), "is no cuDF library", "--rapids-jar"),
        (
            library::with_mode("no-native"),
            "does not load: FileNotFoundException: Could not locate native dependency amd64/Linux/libnvcomp.so",
            "--rapids-native-dir",
        ),
        (
            library::with_mode("other-cuda"),
            "cuDF cannot use device 0 of this machine: CudaException: CUDA driver version is insufficient",
            "older CUDA",
        ),
    ] {
        let error = failed(&jar);
        assert_eq!(error.kind, ErrorKind::NotProven, "{error}");
        assert!(error.to_string().contains(why), "{error}");
        assert!(error.hints.join(" ").contains(hint), "{:?}", error.hints);
    }
}

#[test]
fn an_older_release_is_called_without_the_number_of_rows() {
    let Some(_alone) = jvm::alone() else { return };
    let text = java("return args[0].add(args[0]);");
    let jar = library::older();
    let run = |text: &str| {
        let mut engine = engine(text, Some(DataType::Int32), &jar);
        engine.prepare(numbers().schema_ref())?;
        engine.eval(&numbers(), &Cancel::default())
    };
    let error = run(&text).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Compile, "{error}");
    let outcome = run(&text.replace("int numRows, ", "")).unwrap();
    assert_eq!(library::texts(&outcome.values), ["2", "null", "6"]);
}

#[test]
fn natives_in_a_folder_are_found_and_a_device_that_is_not_there_is_told() {
    let Some(_alone) = jvm::alone() else { return };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("libcudf.so"), "").unwrap();
    let mut library = Library {
        jar: library::with_mode("no-native"),
        native_dir: Some(folder.path().to_owned()),
        device: 0,
        timed: false,
    };
    let make = |library: &Library| {
        let text = java("return args[0].incRefCount();");
        LibraryEngine::new(&text, vec!["x".into()], None, Settings::default(), &[], library.clone()).unwrap()
    };
    let evidence = make(&library).prepare(numbers().schema_ref()).unwrap();
    assert_eq!(evidence.facts["cuda runtime"], "13.1");
    assert_eq!(evidence.facts["library sha256"].len(), 64);
    library.device = 5;
    let error = make(&library).prepare(numbers().schema_ref()).unwrap_err();
    assert!(error.to_string().contains("it sees 1 device"), "{error}");
}

#[test]
fn a_device_that_is_lost_is_no_outcome() {
    let Some(_alone) = jvm::alone() else { return };
    let mut engine = engine(
        &scala("    throw new RuntimeException()"),
        None,
        &library::with_mode("lost"),
    );
    engine.prepare(numbers().schema_ref()).unwrap();
    let error = engine.eval(&numbers(), &Cancel::default()).unwrap_err();
    assert!(
        error.to_string().contains("the device failed while the candidate ran"),
        "{error}"
    );
    assert!(error.to_string().contains("illegal memory access"), "{error}");
}

#[test]
fn calls_are_timed_over_rows_that_are_repeated() {
    let Some(_alone) = jvm::alone() else { return };
    let library = Library {
        jar: library::jar().to_owned(),
        native_dir: None,
        device: 0,
        timed: true,
    };
    let make = |body: &str| {
        let settings = Settings::default();
        LibraryEngine::new(&java(body), vec!["x".into()], None, settings, &[], library.clone()).unwrap()
    };
    let plan = Plan {
        seconds: 0.1,
        warm_up_seconds: 0.1,
        ..Plan::default()
    };
    let sampled = |calls: &mut Calls| -> (Times, Outcome) {
        let lanes = bench::sample(calls, 1, &plan).unwrap();
        let Lane::Measured(times) = &lanes[0] else {
            panic!("{lanes:?}")
        };
        (times.clone(), calls.outcome().unwrap())
    };
    let time = |body: &str| with_calls(&mut make(body), &numbers(), 100, &Cancel::default(), sampled);
    let ((times, outcome), facts) = time("return args[0].add(args[0]);").unwrap();
    assert!(times.samples.len() >= 6 && times.seconds.median > 0.0, "{times:?}");
    assert_eq!(library::texts(&outcome.values), ["2", "null", "6"]);
    assert_eq!(facts["library sha256"].len(), 64);
    let error = time("return args[0].subVector(0, 5);").unwrap_err();
    assert!(error.to_string().contains("no column of 100 rows"), "{error}");
    let error = time("throw new IllegalStateException(\"no\");").unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the call threw IllegalStateException: no at line 9"),
        "{error}"
    );
}

const ORIGINAL: &str = "import org.apache.spark.sql.api.java.UDF1;\npublic class Twice implements UDF1<Integer, Integer> {\n  \
                        public Integer call(Integer x) { return x == null ? null : x + x; }\n}\n";
const REWRITE: &str = "import ai.rapids.cudf.ColumnVector;\nimport com.nvidia.spark.RapidsUDF;\n\
                       import org.apache.spark.sql.api.java.UDF1;\n\
                       public class Twice implements UDF1<Integer, Integer>, RapidsUDF {\n  \
                       public Integer call(Integer x) { return x == null ? null : x + x; }\n  \
                       @Override public ColumnVector evaluateColumnar(int numRows, ColumnVector... args) {\n    \
                       return args[0].add(args[0]);\n  }\n}\n";

fn candidate(text: &str) -> Candidate {
    Candidate {
        tier: Tier::Cudf,
        text: text.into(),
        span_map: Vec::new(),
        notes: Vec::new(),
        rank: 0,
        rank_reason: String::new(),
    }
}

#[test]
fn a_test_with_the_engine_says_what_ran() {
    let Some(_alone) = jvm::alone() else { return };
    let file = SourceFile::from_text("Twice.java", Language::Java, ORIGINAL);
    let found = rewright::find::find(&file);
    let udf = found.by_name("Twice").unwrap();
    let runners = Runners {
        oracle: EngineId::Jvm,
        cudf: EngineId::Cudf,
        rapids_jar: Some(library::jar().to_owned()),
        ..Runners::default()
    };
    let (settings, policy) = (Settings::default(), Policy::default());
    let bench = Bench {
        file: &file,
        udf,
        settings: &settings,
        runners: &runners,
    };
    let check = |text: &str| bench.check(&candidate(text), &numbers(), &policy, &Cancel::default());
    let report = check(REWRITE).unwrap();
    assert_eq!(report.comparison.verdict, Verdict::Equal);
    assert_eq!(report.engine_evidence.engine, EngineId::Cudf);
    assert!(report.engine_evidence.facts[COMPILED].ends_with(".jar"), "{report:?}");
    let error = check(&REWRITE.replace(".add(args[0])", ".plus(args[0])")).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Compile);
    assert!(error.to_string().starts_with("candidate.java:7:"), "{error}");
}

#[test]
fn the_shell_command_runs_the_engine_and_refuses_it_elsewhere() {
    let Some(_alone) = jvm::alone() else { return };
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let (original, rewrite) = (write("Twice.java", ORIGINAL), write("Rewrite.java", REWRITE));
    let said = |jar: &Path, tier: &str| {
        let out = std::process::Command::new(env!("CARGO_BIN_EXE_rewright"))
            .args(["check", "--json", "--engine", "cudf", "--rows", "50", "--tier", tier])
            .arg(&original)
            .arg("--candidate")
            .arg(&rewrite)
            .arg("--rapids-jar")
            .arg(jar)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned();
        (out.status.code(), text)
    };
    let (code, text) = said(library::jar(), "cudf");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("\"cudf\"") && text.contains("library sha256"), "{text}");
    let (code, text) = said(library::jar(), "sql");
    assert_eq!(code, Some(3), "{text}");
    let (code, text) = said(Path::new("missing.jar"), "cudf");
    assert_eq!(code, Some(2), "{text}");
}
