//! `rewright verify` on real Sparks: in one process, on a cluster of processes, on a standalone cluster that loses a worker.
//! They run only where Java and a Spark are found, and say so otherwise.

mod jvm;

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow::array::{Float64Array, Int32Array, RecordBatch};
use parquet::arrow::ArrowWriter;
use rewright::run::Cancel;
use rewright::run::spark::Kit;
use serde_json::Value;

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A folder with Parquet files of readings `celsius` and numbers `n`; every tenth reading is missing.
struct Data {
    dir: tempfile::TempDir,
}

const FILES: usize = 4;

impl Data {
    fn of(rows: usize) -> Data {
        let dir = tempfile::tempdir().unwrap();
        let input = dir.path().join("input");
        std::fs::create_dir(&input).unwrap();
        for part in 0..FILES {
            let all: Vec<usize> = (0..rows).filter(|r| r % FILES == part).collect();
            let celsius = |r: &usize| (r % 10 != 7).then_some(*r as f64 * 0.1 - 4993.71);
            let celsius: Float64Array = all.iter().map(celsius).collect();
            let n: Int32Array = all.iter().map(|r| Some(*r as i32)).collect();
            let batch = RecordBatch::try_from_iter([
                ("celsius", Arc::new(celsius) as _),
                ("n", Arc::new(n) as arrow::array::ArrayRef),
            ])
            .unwrap();
            let file = std::fs::File::create(input.join(format!("{part}.parquet"))).unwrap();
            let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
            writer.write(&batch).unwrap();
            writer.close().unwrap();
        }
        Data { dir }
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    fn input(&self) -> String {
        self.dir.path().join("input").display().to_string()
    }

    /// `verify` with one file per partition and nothing that listens beyond this machine.
    fn command(&self, source: &str, sql: &str, master: &str, more: &[&str]) -> Command {
        let candidate = self.file("candidate.sql", sql);
        let input = self.input();
        let mut command = Command::new(env!("CARGO_BIN_EXE_rewright"));
        command.args(["verify", source, "--candidate", &candidate, "--tier", "sql", "--json"]);
        command.args(["--input", &input, "--master", master]);
        for conf in [
            "spark.driver.host=127.0.0.1",
            "spark.driver.bindAddress=127.0.0.1",
            // To open a file costs as much as a partition may: so each has one.
            "spark.sql.files.maxPartitionBytes=134217728",
            "spark.sql.files.openCostInBytes=134217728",
        ] {
            command.args(["--conf", conf]);
        }
        command.args(more).current_dir(self.dir.path());
        command
    }

    fn verify(&self, source: &str, sql: &str, master: &str, more: &[&str]) -> Said {
        Said::of(self.command(source, sql, master, more).output().unwrap())
    }
}

/// What a run printed.
struct Said {
    code: Option<i32>,
    lines: Vec<Value>,
    errors: String,
}

impl Said {
    fn of(output: Output) -> Said {
        let text = String::from_utf8(output.stdout).unwrap();
        Said {
            code: output.status.code(),
            lines: text.lines().map(|l| serde_json::from_str(l).unwrap()).collect(),
            errors: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    fn result(&self) -> &Value {
        let last = self.lines.last().unwrap_or_else(|| panic!("{}", self.errors));
        assert_eq!(last["event"], "result", "{last} {}", self.errors);
        &last["result"]
    }
}

fn fahrenheit() -> String {
    root("assets/samples/ToFahrenheit.scala").display().to_string()
}

#[test]
fn the_golden_cases_compare_in_java_as_they_say() {
    if !jvm::available() {
        return;
    }
    let kit = Kit::find(&[]).unwrap();
    let classes = kit.classes(&Cancel::default()).unwrap();
    let out = tempfile::tempdir().unwrap();
    let classpath = format!(
        "{}:{}:{}/*",
        out.path().display(),
        classes.display(),
        kit.spark.jars().display()
    );
    let javac = Command::new(kit.java.home.join("bin/javac"))
        .args(["-nowarn", "-proc:none", "-cp", &classpath, "-d"])
        .arg(out.path())
        .arg(root("tests/jvm/Golden.java"))
        .output()
        .unwrap();
    assert!(javac.status.success(), "{}", String::from_utf8_lossy(&javac.stderr));
    let mut java = kit.java_command(&Cancel::default()).unwrap();
    let run = java
        .args(["-cp", &classpath, "rewright.verify.Golden"])
        .arg(root("tests/data/compare"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(run.status.success(), "{text}{}", String::from_utf8_lossy(&run.stderr));
    println!("{text}");
}

#[test]
fn it_holds_on_spark_4() {
    jvm::on_spark_4(&[]);
}

#[test]
fn an_equal_candidate_is_equal_and_recorded_with_its_evidence() {
    if !jvm::available() {
        return;
    }
    let data = Data::of(20_000);
    let session = data.dir.path().join("proof.rw").display().to_string();
    let said = data.verify(
        &fahrenheit(),
        "celsius * 9.0D / 5.0D + 32.0D",
        "local[2]",
        &["--session", &session],
    );
    let result = said.result();
    assert_eq!((said.code, &result["verdict"]), (Some(0), &"equal".into()));
    assert_eq!(
        (&result["rows"], &result["original_values"]),
        (&20_000.into(), &18_000.into())
    );
    let evidence = &result["evidence"];
    assert_eq!(evidence["partitions"], FILES);
    assert_eq!(
        (&evidence["time_zone"], &evidence["ansi"]),
        (&"UTC".into(), &false.into())
    );
    assert!(
        evidence["plan"].as_str().unwrap().contains("FileScan parquet"),
        "{evidence}"
    );
    assert_eq!(
        (&evidence["input"]["file_count"], &evidence["rewrite_ran"]),
        (&FILES.into(), &"in Spark's plan".into())
    );
    let done: u64 = said
        .lines
        .iter()
        .filter(|l| l["event"] == "progress")
        .flat_map(|l| l["parts"].as_array().unwrap().clone())
        .filter(|p| p["done"] == true)
        .map(|p| p["rows"].as_u64().unwrap())
        .sum();
    assert_eq!(done, 20_000);
    let shown = Command::new(env!("CARGO_BIN_EXE_rewright"))
        .args(["session", "show", &session])
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(
        shown.contains("verified sql on a cluster: equal (0 of 20000 rows differ"),
        "{shown}"
    );
    let again = Command::new(env!("CARGO_BIN_EXE_rewright"))
        .args(["replay", "--verify", &session])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&again.stdout).into_owned();
    assert_eq!(again.status.code(), Some(3), "{said}");
    assert!(said.contains("a run over a whole input"), "{said}");
}

#[test]
fn hive_functions_and_folders_of_classes_reach_the_executors() {
    if !jvm::available() {
        return;
    }
    let data = Data::of(2_000);
    let kit = Kit::find(&[]).unwrap();
    // A class that the original needs, in a folder as a build tool leaves it.
    let classes = data.dir.path().join("classes");
    let helper = data.file(
        "Scale.java",
        "package units; public class Scale { public static int of(int n) { return n * 2; } }",
    );
    let javac = Command::new(kit.java.home.join("bin/javac"))
        .args(["-d", &classes.display().to_string(), &helper])
        .output()
        .unwrap();
    assert!(javac.status.success(), "{javac:?}");
    let source = data.file(
        "HiveScale.java",
        "import org.apache.hadoop.hive.ql.exec.UDF;\n\
         public class HiveScale extends UDF {\n  public Integer evaluate(Integer n) {\n    \
         if (n != null && n == 7) throw new IllegalStateException(\"seven\");\n    \
         return n == null ? null : units.Scale.of(n);\n  }\n}\n",
    );
    let classpath = classes.display().to_string();
    let said = data.verify(&source, "n * 2", "local[2]", &["--classpath", &classpath]);
    let result = said.result();
    assert_eq!((said.code, &result["verdict"]), (Some(1), &"different".into()));
    assert_eq!(result["original_threw"], 1);
    let row = &result["classes"]["throw-vs-value"]["worst"];
    // What the function threw, not Hive's wrapper around it.
    assert!(row["original"].to_string().contains("IllegalStateException"), "{row}");
    assert_eq!(result["different_rows"], 1);
}

#[test]
fn differences_are_counted_sampled_and_end_it_early() {
    if !jvm::available() {
        return;
    }
    let data = Data::of(20_000);
    let sql = "if(n % 1000 = 5, NULL, celsius * 9.0D / 5.0D + 32.0D)";
    let source = data.file(
        "Warm.scala",
        "import org.apache.spark.sql.functions.udf\nobject Warm {\n  val warm = udf((celsius: Double, n: Int) => celsius * 9.0 / 5.0 + 32.0)\n}\n",
    );
    let said = data.verify(&source, sql, "local[2]", &["--samples", "2"]);
    let result = said.result();
    assert_eq!(
        (said.code, &result["verdict"], &result["different_rows"]),
        (Some(1), &"different".into(), &20.into())
    );
    let class = &result["classes"]["null-vs-value"];
    assert_eq!(
        (&class["rows"], class["sample"].as_array().unwrap().len()),
        (&20.into(), 2)
    );
    // Row 5 stands in the second file: 5 % 4 is 1, and it is its second row.
    let first = &class["sample"][0];
    assert_eq!(
        (&first["rewrite"], &first["args"][1]),
        (&"null".into(), &serde_json::json!(["n", "5"]))
    );
    let early = data.verify(
        &source,
        "celsius * 1.8D + 32.0D",
        "local[2]",
        &["--max-mismatches", "10"],
    );
    let result = early.result();
    assert_eq!((early.code, &result["stopped"]), (Some(1), &true.into()));
    assert!(
        result["different_rows"].as_u64().unwrap() >= 10 && result["rows"].as_u64().unwrap() < 20_000,
        "{result}"
    );
}

#[test]
fn a_candidate_that_throws_is_compared_row_by_row() {
    if !jvm::available() {
        return;
    }
    let data = Data::of(8_000);
    let source = data.file(
        "Strict.scala",
        "import org.apache.spark.sql.functions.udf\nobject Strict {\n  val strict = udf((n: Int) => if (n < 10) throw new IllegalArgumentException(\"small\") else n * 2)\n}\n",
    );
    let sql = "if(n < 12, raise_error('small'), n * 2)";
    let said = data.verify(&source, sql, "local[2]", &[]);
    let result = said.result();
    assert_eq!(
        (&result["rows"], &result["different_rows"]),
        (&8_000.into(), &12.into())
    );
    assert_eq!(
        (&result["original_threw"], &result["rewrite_threw"]),
        (&10.into(), &12.into())
    );
    assert_eq!(result["classes"]["exception-class"]["rows"], 10);
    assert_eq!(result["classes"]["throw-vs-value"]["rows"], 2);
    assert!(
        result["evidence"]["rewrite_ran"]
            .as_str()
            .unwrap()
            .starts_with("row by row")
    );
    // What is needed twice Spark 4 computes in a projection of its own; row 2000 becomes null.
    let sql = "nullif(n * 2, 4000) + if(n < 12, raise_error('small'), 0)";
    let said = data.verify(&source, sql, "local[2]", &[]);
    let result = said.result();
    assert_eq!(
        (&result["different_rows"], &result["rewrite_threw"]),
        (&13.into(), &12.into())
    );
    assert_eq!(result["classes"]["null-vs-value"]["rows"], 1);
}

#[test]
fn what_proves_nothing_is_refused_with_its_reason() {
    if !jvm::available() {
        return;
    }
    let data = Data::of(40);
    for (sql, code, reason) in [
        ("1.5D", 3, "reads no column"),
        ("celsius * no_such_function(1)", 4, "no_such_function"),
        ("explode(array(celsius))", 3, "one row"),
        (
            "if(rand() < 0.0000001D, -1D, celsius)",
            3,
            "for the same row each time: rand(",
        ),
    ] {
        let said = data.verify(&fahrenheit(), sql, "local[1]", &[]);
        assert_eq!(said.code, Some(code), "{sql}: {}", said.errors);
        assert!(said.errors.contains(reason), "{sql}: {}", said.errors);
    }
    let source = data.file(
        "Gone.scala",
        "import org.apache.spark.sql.functions.udf\nobject Gone {\n  val gone = udf((n: Int) => { if (n == 30) System.exit(3); n })\n}\n",
    );
    let said = data.verify(&source, "n", "local[1]", &[]);
    assert_eq!(said.code, Some(3), "{}", said.errors);
    assert!(said.errors.contains("ended without a result"), "{}", said.errors);
}

#[test]
fn a_cluster_of_processes_gives_the_same() {
    if !jvm::available() {
        return;
    }
    let data = Data::of(20_000);
    let said = data.verify(&fahrenheit(), "celsius * 1.8D + 32.0D", "local-cluster[2,1,1024]", &[]);
    let local = data.verify(&fahrenheit(), "celsius * 1.8D + 32.0D", "local[2]", &[]);
    let (a, b) = (said.result(), local.result());
    assert_eq!((said.code, &a["rows"]), (Some(1), &20_000.into()));
    for key in ["different_rows", "classes", "original_values", "rewrite_values"] {
        assert_eq!(a[key], b[key]);
    }
}

/// A process of a standalone cluster, in a group of its own; killed with what it started.
struct Node(Child);

impl Node {
    fn start(kit: &Kit, work: &Path, args: &[&str]) -> Node {
        let mut command = kit.java_command(&Cancel::default()).unwrap();
        command.arg("-Xmx256m").arg("-Dspark.master.rest.enabled=false");
        command.arg("-cp").arg(kit.spark.jars().join("*")).args(args);
        command
            .env("SPARK_HOME", &kit.spark.home)
            .env("SPARK_SCALA_VERSION", &kit.spark.scala)
            .env("SPARK_LOCAL_IP", "127.0.0.1");
        let log = std::fs::File::create(work.join(format!("{}.log", args[0]))).unwrap();
        Node(
            command
                .stdout(Stdio::null())
                .stderr(log)
                .process_group(0)
                .spawn()
                .unwrap(),
        )
    }

    fn kill(&mut self) {
        let group = self.0.id() as libc::pid_t;
        // SAFETY: the group is that of our own child, which has not been waited for.
        unsafe {
            libc::kill(-group, libc::SIGKILL);
        }
        let _ = self.0.wait();
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.kill();
    }
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn wait_for_port(port: u16) {
    let start = Instant::now();
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(start.elapsed() < Duration::from_secs(90), "nobody listens on {port}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn a_worker_that_is_killed_half_way_changes_nothing() {
    if !jvm::available() {
        return;
    }
    let kit = Kit::find(&[]).unwrap();
    let data = Data::of(12_000);
    let work = data.dir.path();
    let port = free_port().to_string();
    let url = format!("spark://127.0.0.1:{port}");
    let master = [
        "org.apache.spark.deploy.master.Master",
        "--host",
        "127.0.0.1",
        "--port",
        &port,
        "--webui-port",
        "0",
    ];
    let _master = Node::start(&kit, work, &master);
    wait_for_port(port.parse().unwrap());
    let folder = work.join("work").display().to_string();
    let worker = [
        "org.apache.spark.deploy.worker.Worker",
        "--host",
        "127.0.0.1",
        "--cores",
        "1",
        "--memory",
        "1g",
        "--webui-port",
        "0",
        "--work-dir",
        &folder,
        &url,
    ];
    let mut workers = [Node::start(&kit, work, &worker), Node::start(&kit, work, &worker)];
    let source = data.file(
        "Slow.scala",
        "import org.apache.spark.sql.functions.udf\nobject Slow {\n  val slow = udf((n: Int) => { Thread.sleep(2); n / 7 })\n}\n",
    );
    // Both executors are waited for, so that the one that is killed has work.
    let more = [
        "--conf",
        "spark.executor.memory=512m",
        "--conf",
        "spark.scheduler.minRegisteredResourcesRatio=1.0",
        "--conf",
        "spark.scheduler.maxRegisteredResourcesWaitingTime=90s",
        "--conf",
        "spark.cores.max=2",
    ];
    let mut child = data
        .command(&source, "CAST(n AS INT) div 7 + if(n = 11111, 1, 0)", &url, &more)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = Vec::new();
    let mut killed = false;
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let event: Value = serde_json::from_str(&line.unwrap()).unwrap();
        // Half-way: partitions are under way on both, and none of the later ones is done.
        if !killed && event["event"] == "progress" && event["rows"].as_u64().unwrap() > 2_000 {
            workers[0].kill();
            killed = true;
        }
        lines.push(event);
    }
    let code = child.wait().unwrap().code();
    let last = lines.last().unwrap();
    assert!(killed, "it ended before a worker could be killed: {last}");
    let result = &last["result"];
    assert_eq!(
        (code, &result["rows"], &result["different_rows"]),
        (Some(1), &12_000.into(), &1.into()),
        "{last}"
    );
    assert_eq!(
        result["classes"]["off-by-one"]["worst"]["args"],
        serde_json::json!([["n", "11111"]])
    );
    assert_eq!(result["evidence"]["lost_executors"], 1);
    assert!(lines.iter().any(|l| l["event"] == "executor-lost"));
}

#[test]
fn it_ends_with_whoever_asked_for_it() {
    if !jvm::available() {
        return;
    }
    let data = Data::of(400);
    let source = data.file(
        "Endless.scala",
        "import org.apache.spark.sql.functions.udf\nobject Endless {\n  val endless = udf((n: Int) => { while (n >= 0) {}; n })\n}\n",
    );
    let mut child = data
        .command(&source, "n", "local[1]", &[])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let started = lines.next().unwrap().unwrap();
    assert!(started.contains("started"), "{started}");
    let running = || {
        let all = Command::new("ps").args(["-eo", "args"]).output().unwrap();
        let all = String::from_utf8_lossy(&all.stdout).into_owned();
        all.contains(data.dir.path().to_str().unwrap()) && all.contains("SparkSubmit")
    };
    assert!(running() || !Path::new("/bin/ps").exists());
    let _ = child.kill();
    let _ = child.wait();
    let start = Instant::now();
    while running() {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "the application outlives its caller"
        );
        std::thread::sleep(Duration::from_millis(100));
    }
}
