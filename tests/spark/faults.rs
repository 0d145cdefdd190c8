//! UDFs that misbehave, and workers that die: the outcome or the reason, and that the next request works.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow::array::{Array, AsArray, Int32Array, RecordBatch};
use arrow::datatypes::Int32Type;
use rewright::error::{Error, ErrorKind};
use rewright::run::spark::{JvmOracle, Server};
use rewright::run::{Cancel, Evaluator, Outcome, Settings};
use rewright::source::{Language, SourceFile};

/// A Scala file with members of an object, one of them `f: Int => Int`.
pub fn scala(members: &str) -> SourceFile {
    let text =
        format!("import org.apache.spark.sql.functions.udf\nobject Job {{\n{members}\n  val job = udf(f _)\n}}\n");
    SourceFile::from_text("Job.scala", Language::Scala, text)
}

/// One column `x`.
pub fn ints(values: &[Option<i32>]) -> RecordBatch {
    let column: Arc<dyn Array> = Arc::new(Int32Array::from(values.to_vec()));
    RecordBatch::try_from_iter([("x", column)]).unwrap()
}

fn oracle(members: &str) -> JvmOracle {
    let source = scala(members);
    let found = rewright::find::find(&source);
    let udf = found.by_name("f").unwrap();
    JvmOracle::new(&source, udf, Settings::default(), &[]).unwrap()
}

fn run_over(mut oracle: JvmOracle, batch: &RecordBatch) -> Result<Outcome, Error> {
    oracle.prepare(batch.schema_ref())?;
    oracle.eval(batch, &Cancel::default())
}

fn run(members: &str) -> Result<Outcome, Error> {
    run_over(oracle(members), &ints(&[Some(1), Some(2), Some(3)]))
}

fn value(outcome: &Outcome, row: usize) -> i32 {
    outcome.values.as_primitive::<Int32Type>().value(row)
}

/// The worker, or another one, still answers rightly.
fn still_works() {
    let outcome = run("def f(x: Int): Int = x + 40").unwrap();
    assert_eq!((value(&outcome, 0), value(&outcome, 2)), (41, 43));
}

#[test]
fn what_a_row_does_stays_in_its_row() {
    let Some(_alone) = crate::corpus::alone() else { return };
    let outcome = run("def f(x: Int): Int = if (x == 2) 1 + f(x) else x").unwrap();
    assert_eq!(outcome.error(1), Some("StackOverflowError"));
    assert_eq!((value(&outcome, 0), value(&outcome, 2)), (1, 3));

    let outcome = run("def f(x: Int): Int = if (x == 2) new Array[Array[Long]](1 << 30).map(_ => new Array[Long](1 << 30)).length else x")
        .unwrap();
    assert_eq!(outcome.error(1), Some("OutOfMemoryError"));
    assert_eq!(value(&outcome, 2), 3);

    let loud = "def f(x: Int): Int = { var i = 0; while (i < 100000) { println(s\"line $i of row $x\"); i += 1 }; x }";
    assert_eq!(value(&run(loud).unwrap(), 2), 3);

    let outcome = run("def f(x: Int): Int = { new Thread(() => Thread.sleep(600000)).start(); x }").unwrap();
    assert_eq!(value(&outcome, 0), 1);
    assert!(
        run("def f(x: Int): Int = scala.io.StdIn.readInt() + x")
            .unwrap()
            .error(0)
            .is_some()
    );
    still_works();
}

#[test]
fn what_ends_the_worker_is_said_and_the_next_test_works() {
    let Some(_alone) = crate::corpus::alone() else { return };
    let exit = run("def f(x: Int): Int = {\n  if (x == 2) sys.exit(3)\n  x }").unwrap_err();
    assert!(
        exit.kind == ErrorKind::NotProven && exit.to_string().contains("System.exit"),
        "{exit}"
    );
    assert!(exit.to_string().contains("Job.scala:4"), "{exit}");
    still_works();

    let endless =
        oracle("def f(x: Int): Int = {\n  while (x == 2) {}\n  x }").with_row_limit(Duration::from_millis(700));
    let endless = run_over(endless, &ints(&[Some(1), Some(2)])).unwrap_err();
    assert!(endless.to_string().contains("does not end"), "{endless}");
    assert!(
        endless.to_string().contains("row 1") && endless.to_string().contains("in line 4"),
        "{endless}"
    );
    still_works();

    // Spark itself would wait for ever.
    let session = oracle("def f(x: Int): Int = {\n  while (x == 2) {}\n  x }")
        .through_session()
        .with_row_limit(Duration::from_millis(700));
    let endless = run_over(session, &ints(&[Some(1), Some(2)])).unwrap_err();
    assert!(
        endless.to_string().contains("does not end") && endless.to_string().contains("in line 4"),
        "{endless}"
    );
    still_works();

    let halt = run("def f(x: Int): Int = { Runtime.getRuntime.halt(7); x }").unwrap_err();
    assert!(halt.to_string().contains("exit code 7"), "{halt}");
    still_works();
}

#[test]
fn a_thread_that_is_left_running_does_not_keep_the_worker() {
    let Some(_alone) = crate::corpus::alone() else { return };
    // Neither a sleeping nor a busy one, nor one that refuses to be interrupted.
    let busy = "def f(x: Int): Int = { new Thread(() => while (true) try Thread.sleep(50) catch { case _: InterruptedException => () }).start(); x }";
    assert_eq!(value(&run(busy).unwrap(), 2), 3);
    still_works();
    let oracle = oracle("def f(x: Int): Int = x");
    let server = Server::of(&[]).unwrap();
    let process = server.turn(&Cancel::default()).unwrap().worker().unwrap().process();
    let start = Instant::now();
    oracle.release();
    assert!(start.elapsed() < Duration::from_secs(2));
    assert!(!std::path::Path::new(&format!("/proc/{process}")).exists());
    still_works();
}

#[test]
fn a_udf_may_read_files_and_open_sockets_once_a_jvm_runs_it_and_never_before() {
    let Some(_alone) = crate::corpus::alone() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rate.txt");
    std::fs::write(&file, "41").unwrap();
    let reads = format!(
        "def f(x: Int): Int = {{ val s = scala.io.Source.fromFile(\"{}\"); try s.mkString.trim.toInt + x finally s.close() }}",
        file.display()
    );
    assert_eq!(value(&run(&reads).unwrap(), 0), 42);

    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let accepting = std::thread::spawn(move || listener.accept().map(drop));
    let connects =
        format!("def f(x: Int): Int = {{ if (x == 1) new java.net.Socket(\"127.0.0.1\", {port}).close(); x }}");
    assert_eq!(value(&run(&connects).unwrap(), 0), 1);
    accepting.join().unwrap().unwrap();

    // Without trust only the embedded oracle runs, which knows neither.
    for members in [&reads, &connects] {
        let source = scala(members);
        let found = rewright::find::find(&source);
        let refused = rewright::check::oracle(found.by_name("f").unwrap(), &Settings::default());
        assert_eq!(refused.err().map(|e| e.kind), Some(ErrorKind::NotProven), "{members}");
    }
}

#[test]
fn a_file_for_another_scala_is_said_at_its_line() {
    let Some(_alone) = crate::corpus::alone() else { return };
    let scala = rewright::run::spark::Kit::find(&[]).unwrap().spark.scala;
    // What only 2.13 has, or only 2.12.
    let members = match scala.as_str() {
        "2.12" => "def f(x: Int): Int = {\n    x.toString.toIntOption.getOrElse(0) }",
        _ => "def f(x: Int): Int = {\n    import scala.collection.JavaConversions._\n    x }",
    };
    let wrong = run(members).unwrap_err();
    assert_eq!(wrong.kind, ErrorKind::Compile);
    assert!(wrong.to_string().starts_with("Job.scala:4:"), "{wrong}");
    let hints = wrong.hints.join(" ");
    assert!(hints.contains(&format!("Scala {scala}")), "{hints}");
}

#[test]
fn an_initialiser_that_throws_and_text_that_does_not_compile_are_said() {
    let Some(_alone) = crate::corpus::alone() else { return };
    let thrown =
        run("  val table: Int = throw new IllegalStateException(\"no table\")\n  def f(x: Int): Int = x + table")
            .unwrap_err();
    let text = thrown.to_string();
    assert!(
        thrown.kind == ErrorKind::NotProven && text.contains("IllegalStateException: no table"),
        "{text}"
    );
    assert!(text.contains("line 3"), "{text}");

    let broken = run("  def f(x: Int): Int = {\n    val y: Int = \"no number\"\n    x }").unwrap_err();
    assert_eq!(broken.kind, ErrorKind::Compile);
    assert!(broken.to_string().starts_with("Job.scala:4:18"), "{broken}");

    let gone = run("  def helper(x: Int): Int = x\n  def f(x: Int): Int = helper(x)").unwrap();
    assert_eq!(value(&gone, 0), 1);
    // A helper that was in an earlier text is not there any more.
    let gone = run("  def f(x: Int): Int = helper(x)").unwrap_err();
    assert_eq!(gone.kind, ErrorKind::Compile);
}

#[test]
fn text_for_the_other_scala_is_said_to_be() {
    let Some(_alone) = crate::corpus::alone() else { return };
    let server = Server::of(&[]).unwrap();
    let spark = &server.kit().spark;
    let (text, other) = match spark.scala.as_str() {
        "2.12" => ("def f(x: Int): Int = x.toString.toIntOption.getOrElse(0)", "2.13"),
        _ => (
            "def f(x: Int): Int = List(x).map(_ + 1)(scala.collection.breakOut).sum",
            "2.12",
        ),
    };
    let error = run(text).unwrap_err();
    let said = format!("{error}; {}", error.hints.join("; "));
    assert_eq!(error.kind, ErrorKind::Compile);
    let has = format!(
        "the file is for Scala {other}, and Spark {} has Scala {}",
        spark.version, spark.scala
    );
    assert!(
        said.contains(&has) && said.contains("rewright setup spark --version"),
        "{said}"
    );
}

#[test]
fn what_does_not_resolve_elsewhere_in_the_file_does_not_matter() {
    let Some(_alone) = crate::corpus::alone() else { return };
    let text = "package shop\nimport com.unknown.Client\nimport org.apache.spark.sql.functions.udf\n\
                object Job {\n  val client = new Client()\n  val rate = 3\n  def f(x: Int): Int = x * rate\n  val job = udf(f _)\n}\n";
    let source = SourceFile::from_text("Job.scala", Language::Scala, text);
    let found = rewright::find::find(&source);
    let mut oracle = JvmOracle::new(&source, found.by_name("f").unwrap(), Settings::default(), &[]).unwrap();
    let batch = ints(&[Some(5)]);
    let evidence = oracle.prepare(batch.schema_ref()).unwrap();
    assert_eq!(evidence.facts["compiled"], "the function with what it uses");
    assert_eq!(value(&oracle.eval(&batch, &Cancel::default()).unwrap(), 0), 15);
}

#[test]
fn a_killed_worker_is_replaced_and_a_cancelled_one_stops_within_a_second() {
    let Some(_alone) = crate::corpus::alone() else { return };
    still_works();
    let server = Server::of(&[]).unwrap();
    let process = || server.turn(&Cancel::default()).unwrap().worker().unwrap().process() as i32;
    let kill = |pid: i32| {
        // SAFETY: the process is the worker that this test's own server started.
        unsafe { libc::kill(pid, libc::SIGKILL) };
    };
    kill(process());
    still_works();

    let sleepy = "def f(x: Int): Int = { Thread.sleep(20000); x }";
    let batch = ints(&[Some(1)]);
    let mut slow = oracle(sleepy);
    // Compiled first: a worker that dies while it compiles is replaced in silence.
    slow.prepare(batch.schema_ref()).unwrap();
    let (pid, started) = (process(), Instant::now());
    let killer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(1500));
        // SAFETY: as above.
        unsafe { libc::kill(pid, libc::SIGKILL) };
    });
    let lost = slow.eval(&batch, &Cancel::default()).unwrap_err();
    killer.join().unwrap();
    assert!(
        lost.to_string().contains("signal 9") && started.elapsed() < Duration::from_secs(15),
        "{lost}"
    );
    still_works();

    let mut oracle = oracle(sleepy);
    oracle.prepare(batch.schema_ref()).unwrap();
    let cancel = Cancel::default();
    let asked = cancel.clone();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(500));
        asked.cancel();
        Instant::now()
    });
    let cancelled = oracle.eval(&batch, &cancel).unwrap_err();
    assert_eq!(cancelled.kind, ErrorKind::Interrupted);
    assert!(canceller.join().unwrap().elapsed() < Duration::from_secs(1));
    still_works();
}

#[test]
fn what_went_wrong_is_said_with_the_next_step_and_kept_in_the_session() {
    let Some(_alone) = crate::corpus::alone() else { return };
    let folder = tempfile::tempdir().unwrap();
    let source = scala("def f(x: Int): Int = {\n  sys.exit(3)\n  x }");
    std::fs::write(folder.path().join("Job.scala"), &*source.text).unwrap();
    std::fs::write(folder.path().join("same.sql"), "x").unwrap();
    let run = |line: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rewright"));
        let out = command
            .args(line.split(' '))
            .current_dir(folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned();
        (out.status.code(), said)
    };
    let (code, said) = run("check Job.scala --udf f --candidate same.sql --rows 10 --oracle jvm --session s.rw");
    assert_eq!(code, Some(3), "{said}");
    for part in ["System.exit (Job.scala:4)", "the next test starts a new worker"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let (code, said) = run("session show s.rw");
    assert_eq!(code, Some(0), "{said}");
    for part in ["tested sql: not proven: ", "the UDF called System.exit (Job.scala:4)"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    // And the session goes on.
    std::fs::write(folder.path().join("Job.scala"), source.text.replace("sys.exit(3)", "")).unwrap();
    let (code, said) = run("check Job.scala --udf f --candidate same.sql --rows 10 --oracle jvm --session s.rw");
    assert_eq!(code, Some(0), "{said}");
}
