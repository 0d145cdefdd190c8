//! The shell commands on the bundled samples and on bad input: exit codes, messages with the place, nothing lost.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn rewright(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rewright"))
        .args(args)
        .current_dir(folder)
        .env("XDG_CONFIG_HOME", folder.join("config"))
        .env("XDG_STATE_HOME", folder.join("state"))
        // What these tests say must not depend on whether the machine has a Spark.
        .env("REWRIGHT_ORACLE", "embedded")
        .env_remove("NO_COLOR")
        .output()
        .expect("the binary starts")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("not killed by a signal")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json_lines(output: &Output) -> Vec<Value> {
    text(&output.stdout)
        .lines()
        .map(|l| serde_json::from_str(l).expect("one object per line"))
        .collect()
}

/// A folder with one file in it.
fn folder_with(name: &str, content: &[u8]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("temporary folder");
    std::fs::write(dir.path().join(name), content).expect("writes");
    dir
}

fn sample(name: &str) -> String {
    root("assets/samples").join(name).display().to_string()
}

#[test]
fn the_first_command_of_the_readme_shows_equal_and_edited_shows_last_ulp() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let file = sample("ToFahrenheit.scala");
    let proposals = rewright(dir.path(), &["check", &file, "--json", "--rows", "20000"]);
    assert_eq!(code(&proposals), 0, "{}", text(&proposals.stderr));
    let result = &json_lines(&proposals)[0];
    let status = |tier: &str| -> String {
        let tiers = result["tiers"].as_array().expect("tiers");
        let found = tiers.iter().find(|t| t["tier"] == tier).expect("tier");
        found["status"].as_str().expect("status").to_owned()
    };
    assert_eq!([status("sql"), status("cudf")], ["equal", "equal"]);
    // Where there is neither a GPU nor a C++ compiler, nothing can be said of the kernel.
    let kernel = rewright::run::cuda::usual_engine().map_or("not-proven", |_| "equal");
    assert_eq!(status("cuda"), kernel);
    let edited = sample("ToFahrenheit.edited.scala");
    let edited = rewright(
        dir.path(),
        &["check", &file, "--json", "--rows", "20000", "--candidate", &edited],
    );
    assert_eq!(code(&edited), 1);
    let tier = &json_lines(&edited)[0]["tiers"][0];
    assert_eq!(tier["status"], "different");
    assert!(
        tier["comparison"]["classes"]["last-ulp"]["rows"].as_u64() > Some(100),
        "{tier}"
    );
}

#[test]
fn flags_of_every_command_stand_before_or_after_its_name() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let file = sample("ToFahrenheit.scala");
    let common = ["--quiet", "--json", "--color", "never", "--session"];
    let check = ["check", &file, "--tier", "sql", "--rows", "100"];
    let run = |session: &str, before: bool| {
        let flags = [&common[..], &[session]].concat();
        let line = if before {
            [&flags[..], &check].concat()
        } else {
            [&check[..], &flags].concat()
        };
        rewright(dir.path(), &line)
    };
    let (before, after) = (run("a.rw", true), run("b.rw", false));
    assert_eq!((code(&before), code(&after)), (0, 0), "{}", text(&before.stderr));
    let status = |out: &Output| json_lines(out)[0]["tiers"][0]["status"].clone();
    assert_eq!((status(&before), status(&after)), ("equal".into(), "equal".into()));
    assert!(dir.path().join("a.rw").is_dir() && dir.path().join("b.rw").is_dir());
    let both = rewright(dir.path(), &["--color", "always", "find", &file, "--color", "never"]);
    assert_eq!(code(&both), 0);
    assert!(!text(&both.stdout).contains('\u{1b}'), "the later one counts");

    // What only the workbench takes is refused, not passed over.
    for wrong in [
        &["--udf", "x", "check", &file][..],
        &["--ansi", "check", &file],
        &[&file, "check", &file],
    ] {
        let out = rewright(dir.path(), wrong);
        assert_eq!(code(&out), 2, "{wrong:?}");
        assert!(
            text(&out.stderr).contains("before the command 'check'"),
            "{}",
            text(&out.stderr)
        );
    }
}

#[test]
fn what_propose_prints_can_be_given_back() {
    let dir = tempfile::tempdir().expect("temporary folder");
    for (tier, name) in [("sql", "c.sql"), ("cudf", "c.scala")] {
        let file = sample("CreditRisk.scala");
        let proposed = rewright(dir.path(), &["propose", &file, "--tier", tier]);
        assert_eq!(code(&proposed), 0, "{}", text(&proposed.stderr));
        std::fs::write(dir.path().join(name), &proposed.stdout).expect("writes");
        let checked = rewright(dir.path(), &["check", &file, "--candidate", name, "--rows", "5000"]);
        assert_eq!(code(&checked), 0, "{tier}: {}", text(&checked.stdout));
    }
}

#[test]
fn eval_writes_row_value_error() {
    let dir = tempfile::tempdir().expect("temporary folder");
    std::fs::write(dir.path().join("in.csv"), "row,celsius\n7,100.0\n8,\n9,-40.0\n").expect("writes");
    let file = sample("ToFahrenheit.scala");
    let out = rewright(
        dir.path(),
        &[
            "eval",
            &file,
            "--udf",
            "ToFahrenheit",
            "--data",
            "in.csv",
            "-o",
            "out.csv",
        ],
    );
    assert_eq!(code(&out), 0, "{}", text(&out.stderr));
    let written = std::fs::read_to_string(dir.path().join("out.csv")).expect("written");
    assert_eq!(written, "row,value,error\n7,212.0,\n8,,\n9,-40.0,\n");
}

#[test]
fn a_policy_accepts_a_class_up_to_its_bound() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let policy = |bound: u64| {
        format!("[[accept]]\nclass = \"last-ulp\"\nmax_ulp = {bound}\nreason = \"display\"\nwho = \"tests\"\n")
    };
    std::fs::write(dir.path().join("wide.toml"), policy(4)).expect("writes");
    std::fs::write(dir.path().join("none.toml"), policy(0)).expect("writes");
    std::fs::write(
        dir.path().join("bad.toml"),
        "[[accept]]\nclass = \"nope\"\nreason = \"\"\nwho = \"\"\n",
    )
    .expect("writes");
    let (file, edited) = (sample("ToFahrenheit.scala"), sample("ToFahrenheit.edited.scala"));
    let run = |policy: &str| {
        let data = ["--rows", "3000", "--seed", "1"];
        let args = [&["check", &file, "--candidate", &edited, "--policy", policy][..], &data].concat();
        rewright(dir.path(), &args)
    };
    assert_eq!(code(&run("none.toml")), 1);
    let wide = run("wide.toml");
    assert!(text(&wide.stdout).contains("last-ulp"));
    let bad = run("bad.toml");
    assert_eq!(code(&bad), 2);
    assert!(
        text(&bad.stderr).contains("`nope` is no class"),
        "{}",
        text(&bad.stderr)
    );
}

#[test]
fn bad_source_files_say_what_and_where() {
    let cases: [(&str, Vec<u8>, i32, &str); 6] = [
        (
            "latin1.scala",
            b"object A { val x = \"\xe4\" }".to_vec(),
            2,
            "not UTF-8",
        ),
        ("empty.scala", Vec::new(), 2, "holds no UDF"),
        ("binary.scala", vec![0, 159, 146, 150, 0, 255], 2, "not UTF-8"),
        (
            "plain.scala",
            b"object A { def f(x: Int) = x }".to_vec(),
            2,
            "holds no UDF",
        ),
        ("notes.txt", b"hello".to_vec(), 2, "language"),
        ("large.scala", vec![b' '; 65 << 20], 2, "MiB"),
    ];
    for (name, content, wanted, words) in cases {
        let dir = folder_with(name, &content);
        let out = rewright(dir.path(), &["check", name]);
        assert_eq!(code(&out), wanted, "{name}: {}", text(&out.stderr));
        assert!(text(&out.stderr).contains(words), "{name}: {}", text(&out.stderr));
        assert!(text(&out.stderr).contains(name), "{name}: {}", text(&out.stderr));
    }
}

#[test]
fn a_file_of_50_mb_without_a_udf_ends_soon_and_cleanly() {
    let line = "object Filler { def value(x: Int): Int = x + 1 }\n";
    let dir = folder_with("big.scala", line.repeat((50 << 20) / line.len()).as_bytes());
    let out = rewright(dir.path(), &["check", "big.scala"]);
    assert_eq!(code(&out), 2, "{}", text(&out.stderr));
}

#[test]
fn an_unknown_name_lists_what_there_is() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let out = rewright(dir.path(), &["check", &sample("CreditRisk.scala"), "--udf", "nope"]);
    assert_eq!(code(&out), 2);
    assert!(text(&out.stderr).contains("riskBand"), "{}", text(&out.stderr));
}

#[test]
fn a_syntax_error_names_its_line_and_spares_the_other_udfs() {
    let source = "import org.apache.spark.sql.functions.udf\nobject A {\n  val good = udf((x: Int) => x + 1)\n  \
                  val bad = udf((x: Int) => x + + * )\n}\n";
    let dir = folder_with("broken.scala", source.as_bytes());
    let found = rewright(dir.path(), &["find", "broken.scala", "--json"]);
    assert!(text(&found.stdout).contains("\"good\""), "{}", text(&found.stdout));
    let good = rewright(
        dir.path(),
        &[
            "check",
            "broken.scala",
            "--udf",
            "good",
            "--tier",
            "sql",
            "--rows",
            "1000",
        ],
    );
    assert_eq!(code(&good), 0, "{}{}", text(&good.stdout), text(&good.stderr));
}

#[test]
fn a_udf_that_does_not_parse_does_not_compile_in_any_command() {
    let source = "import org.apache.spark.sql.functions.udf\nobject A {\n  val good = udf((x: Int) => x + 1)\n  \
                  val bad = udf((x: Int) => { if (x > 3 { x } else 1 })\n}\n";
    let dir = folder_with("broken.scala", source.as_bytes());
    std::fs::write(dir.path().join("in.csv"), "x\n1\n").expect("writes");
    for args in [
        &["propose", "broken.scala", "--udf", "bad"][..],
        &["check", "broken.scala", "--udf", "bad"],
        &[
            "eval",
            "broken.scala",
            "--udf",
            "bad",
            "--data",
            "in.csv",
            "-o",
            "out.csv",
        ],
        &["check", "broken.scala", "--rows", "100", "--tier", "sql"],
    ] {
        let out = rewright(dir.path(), args);
        let said = format!("{}{}", text(&out.stdout), text(&out.stderr));
        assert_eq!(code(&out), 4, "{args:?}: {said}");
        assert!(said.contains("does not"), "{args:?}: {said}");
    }
    let good = [
        "eval",
        "broken.scala",
        "--udf",
        "good",
        "--data",
        "in.csv",
        "-o",
        "out.csv",
    ];
    assert_eq!(code(&rewright(dir.path(), &good)), 0);
}

#[test]
fn every_name_picks_a_udf_and_near_ones_are_suggested() {
    let source = "import org.apache.spark.sql.functions.{udf => mk}\nobject A {\n  def twice(x: Int): Int = x * 2\n  \
                  val twiceUdf = mk(twice _)\n  def wrap(f: Int => Int) = mk(f)\n  \
                  def reg(s: S) = s.udf.register(\"twice_sql\", twiceUdf)\n}\n";
    let dir = folder_with("names.scala", source.as_bytes());
    for name in ["twice", "twiceUdf", "twice_sql"] {
        let out = rewright(dir.path(), &["propose", "names.scala", "--udf", name, "--tier", "sql"]);
        assert_eq!(code(&out), 0, "{name}: {}", text(&out.stderr));
    }
    let near = rewright(dir.path(), &["propose", "names.scala", "--udf", "twiceudf"]);
    assert_eq!(code(&near), 2);
    assert!(
        text(&near.stderr).contains("try: --udf twiceUdf"),
        "{}",
        text(&near.stderr)
    );
    let found = rewright(dir.path(), &["find", "names.scala"]);
    let said = text(&found.stdout);
    assert!(said.contains("twice(x: int) → int  also twiceUdf, twice_sql"), "{said}");
    assert!(said.contains("not a UDF"), "{said}");
    // What is no UDF does not count in a check of the whole file.
    let all = rewright(dir.path(), &["check", "names.scala", "--tier", "sql", "--rows", "100"]);
    assert_eq!(code(&all), 0, "{}{}", text(&all.stdout), text(&all.stderr));
}

#[test]
fn columns_that_are_taken_by_their_place_are_announced() {
    let source = "import org.apache.spark.sql.functions.udf\nobject A { val trimmed = udf[String, String](_.trim) }\n";
    let dir = folder_with("place.scala", source.as_bytes());
    std::fs::write(dir.path().join("in.csv"), "name\n\" a\"\n").expect("writes");
    let args = ["eval", "place.scala", "--data", "in.csv", "-o", "out.jsonl"];
    let out = rewright(dir.path(), &args);
    assert_eq!(code(&out), 0);
    assert!(text(&out.stderr).contains("$x = name"), "{}", text(&out.stderr));
    let out = rewright(dir.path(), &[&args[..], &["--json"]].concat());
    assert_eq!(json_lines(&out)[0]["by_position"][0]["column"], "name");
    let checked = ["check", "place.scala", "--data", "in.csv", "--tier", "sql", "--json"];
    let out = rewright(dir.path(), &checked);
    assert_eq!(json_lines(&out)[0]["by_position"][0]["param"], "$x");
}

#[test]
fn a_signature_that_is_not_known_says_so() {
    let source = "import org.apache.spark.sql.functions.udf\nobject A { val u = udf(Elsewhere.f _) }\n";
    let dir = folder_with("unknown.scala", source.as_bytes());
    let said = text(&rewright(dir.path(), &["find", "unknown.scala"]).stdout);
    assert!(said.contains("u (signature not known)"), "{said}");
    let quiet = rewright(dir.path(), &["check", "unknown.scala", "--quiet"]);
    assert_eq!(code(&quiet), 3);
    assert!(
        text(&quiet.stdout).contains("outside of this file"),
        "{}",
        text(&quiet.stdout)
    );
}

#[test]
fn a_candidate_that_does_not_compile_says_so() {
    let dir = folder_with("bad.sql", b"celsius * (");
    std::fs::write(dir.path().join("bad.scala"), "class A {").expect("writes");
    let file = sample("ToFahrenheit.scala");
    for candidate in ["bad.sql", "bad.scala"] {
        let out = rewright(dir.path(), &["check", &file, "--candidate", candidate, "--rows", "100"]);
        assert_eq!(code(&out), 4, "{candidate}: {}{}", text(&out.stdout), text(&out.stderr));
        assert!(text(&out.stdout).contains("does not compile"), "{}", text(&out.stdout));
    }
}

#[test]
fn bad_data_says_which_file_and_column() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let whole = std::fs::read(root("tests/data/corpus/data/age_group.parquet")).expect("golden");
    std::fs::write(dir.path().join("cut.parquet"), &whole[..whole.len() / 3]).expect("writes");
    std::fs::write(dir.path().join("text.csv"), "celsius\nabc\n").expect("writes");
    std::fs::write(dir.path().join("none.csv"), "celsius\n").expect("writes");
    std::fs::write(dir.path().join("empty.csv"), "").expect("writes");
    let file = sample("ToFahrenheit.scala");
    let run = |data: &str| rewright(dir.path(), &["check", &file, "--tier", "sql", "--data", data]);
    for (data, wanted, words) in [
        ("cut.parquet", 2, "cut.parquet"),
        ("text.csv", 2, "wrong type"),
        ("empty.csv", 2, "lacks a column"),
        ("missing.csv", 2, "missing.csv"),
        ("none.csv", 3, "no rows"),
    ] {
        let out = run(data);
        let said = format!("{}{}", text(&out.stdout), text(&out.stderr));
        assert_eq!(code(&out), wanted, "{data}: {said}");
        assert!(said.contains(words), "{data}: {said}");
    }
}

#[test]
fn an_unwritable_output_is_an_input_error() {
    let dir = folder_with("in.csv", b"celsius\n1.0\n");
    let file = sample("ToFahrenheit.scala");
    let out = rewright(
        dir.path(),
        &["eval", &file, "--data", "in.csv", "-o", "no/such/folder/out.csv"],
    );
    assert_eq!(code(&out), 2);
    assert!(text(&out.stderr).contains("no/such/folder/out.csv"));
}

#[test]
fn control_sequences_never_reach_the_terminal() {
    let source = "import org.apache.spark.sql.functions.udf\nobject A {\n  // \u{1b}[31m\n  \
                  val f = udf((s: String) => if (s == null) null else s + \"\u{1b}]0;owned\u{7}\")\n}\n";
    let dir = folder_with("esc\u{1b}[2Jape.scala", source.as_bytes());
    for args in [
        vec!["find", "."],
        vec!["check", "esc\u{1b}[2Jape.scala", "--rows", "200"],
        vec!["check", "esc\u{1b}[2Jape.scala", "--udf", "no\u{1b}[2Jpe"],
        vec![
            "check",
            "esc\u{1b}[2Jape.scala",
            "--rows",
            "200",
            "--markdown",
            "--show-data",
        ],
    ] {
        let out = rewright(dir.path(), &args);
        let said = format!("{}{}", text(&out.stdout), text(&out.stderr));
        assert!(
            !said.contains('\u{1b}') && !said.contains('\u{7}'),
            "{args:?}: {said:?}"
        );
    }
}

#[test]
fn an_endless_loop_is_a_finding_with_the_row() {
    let source = "import org.apache.spark.sql.functions.udf\nobject A {\n  val f = udf((x: Int) => {\n    var i = 0\n    \
                  while (i >= 0) { i = i & 1 }\n    i + x\n  })\n}\n";
    let dir = folder_with("loop.scala", source.as_bytes());
    std::fs::write(dir.path().join("in.csv"), "x\n1\n").expect("writes");
    std::fs::write(dir.path().join("c.sql"), "x").expect("writes");
    let out = rewright(
        dir.path(),
        &["check", "loop.scala", "--candidate", "c.sql", "--data", "in.csv"],
    );
    assert_eq!(code(&out), 3, "{}{}", text(&out.stdout), text(&out.stderr));
    assert!(text(&out.stdout).contains("steps"), "{}", text(&out.stdout));
}

#[test]
fn engines_that_are_missing_are_not_proven() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let file = sample("ToFahrenheit.scala");
    for (flag, name, expected) in [("--oracle", "python", 3), ("--engine", "metal", 2)] {
        let out = rewright(dir.path(), &["check", &file, flag, name]);
        assert_eq!(code(&out), expected);
        assert!(text(&out.stderr).contains(name), "{}", text(&out.stderr));
    }
}

/// A result that another machine wrote, with a GPU of its own.
const SAVED: &str = "tests/data/bench/h200.json";

#[test]
fn without_a_gpu_a_benchmark_says_so_and_what_to_try() {
    if rewright::run::cuda::has_gpu() {
        println!("a GPU is here: nothing to test");
        return;
    }
    let dir = tempfile::tempdir().expect("temporary folder");
    let file = sample("ToFahrenheit.scala");
    let args = ["bench", &file, "--rows", "2^10", "-o", "out.json"];
    let out = rewright(dir.path(), &args);
    assert_eq!(code(&out), 3, "{}", text(&out.stderr));
    let told = text(&out.stdout);
    for part in [
        "there is no NVIDIA GPU on this machine",
        "try: ",
        "JVM direct, 1 thread",
        "1,024 rows",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let written = std::fs::read_to_string(dir.path().join("out.json")).expect("written");
    let report: Value = serde_json::from_str(&written).expect("JSON");
    assert!(
        report["gpu"]["missing"]["why"]
            .as_str()
            .is_some_and(|w| w.contains("NVIDIA"))
    );
    assert_eq!(
        (&report["claims"], &report["job"]),
        (&Value::Array(Vec::new()), &Value::Null)
    );
    // The SQL tier has no lane on a GPU, and the emulation is no GPU.
    assert_eq!(
        code(&rewright(
            dir.path(),
            &["bench", &file, "--tier", "sql", "--rows", "100"]
        )),
        3
    );
    let emulated = rewright(dir.path(), &["bench", &file, "--engine", "cuda-host"]);
    assert_eq!(code(&emulated), 3);
    assert!(text(&emulated.stderr).contains("never timed"));
}

#[test]
fn a_benchmark_refuses_what_is_no_baseline() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let file = sample("ToFahrenheit.scala");
    let other = r#"{"format": 99, "tier": "cuda"}"#;
    std::fs::write(dir.path().join("other.json"), other).expect("writes");
    std::fs::write(dir.path().join("text.json"), "no JSON").expect("writes");
    let told = |args: &[&str]| {
        let out = rewright(dir.path(), &[&["bench", &file], args].concat());
        assert_eq!(code(&out), 2, "{args:?}: {}", text(&out.stdout));
        text(&out.stderr)
    };
    assert!(told(&["--baseline", "none.json"]).contains("none.json"));
    assert!(told(&["--baseline", "text.json"]).contains("no benchmark of rewright"));
    assert!(told(&["--baseline", "other.json"]).contains("its format is 99"));
    assert!(told(&["--rows", "0"]).contains("there has to be a row"));
    assert!(told(&["--job-share", "2"]).contains("the share lies above 0"));
}

#[test]
fn nothing_is_claimed_against_a_result_of_another_gpu() {
    if rewright::run::cuda::has_gpu() {
        println!("a GPU is here: nothing to test");
        return;
    }
    let dir = tempfile::tempdir().expect("temporary folder");
    let saved = root(SAVED).display().to_string();
    let file = sample("ToFahrenheit.scala");
    let out = rewright(dir.path(), &["bench", &file, "--rows", "1000", "--baseline", &saved]);
    assert_eq!(code(&out), 3);
    let told = text(&out.stdout);
    assert!(told.contains("nothing can be claimed against ToFahrenheit"), "{told}");
    assert!(told.contains("this run has no time of a kernel"), "{told}");
}

#[test]
fn a_benchmark_is_recorded_and_shown_again() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let file = sample("ToFahrenheit.scala");
    let args = ["bench", &file, "--rows", "1000", "--session", "timed.rw"];
    let out = rewright(dir.path(), &args);
    assert!([0, 3].contains(&code(&out)), "{}", text(&out.stderr));
    let shown = rewright(dir.path(), &["session", "show", "timed.rw"]);
    assert!(
        text(&shown.stdout).contains("timed cuda over 1000 rows"),
        "{}",
        text(&shown.stdout)
    );
    let replayed = rewright(dir.path(), &["replay", "timed.rw", "--verify"]);
    assert_eq!(code(&replayed), 3, "times cannot be run again");
}

#[test]
fn help_completions_man_and_doctor_print() {
    let dir = tempfile::tempdir().expect("temporary folder");
    for (args, words) in [
        (vec!["--help"], "Examples"),
        (vec!["completions", "bash"], "complete"),
        (vec!["man"], ".TH"),
        (vec!["doctor"], "embedded"),
        (vec!["doctor", "--json"], "\"capabilities\""),
    ] {
        let out = rewright(dir.path(), &args);
        assert_eq!(code(&out), 0, "{args:?}");
        assert!(text(&out.stdout).contains(words), "{args:?}: {}", text(&out.stdout));
    }
    assert_eq!(code(&rewright(dir.path(), &["nonsense", "--flag"])), 2);
}

#[test]
fn without_a_terminal_the_screen_names_the_command_to_use() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let out = rewright(dir.path(), &[]);
    assert_eq!(code(&out), 2, "{}", text(&out.stderr));
    assert!(text(&out.stderr).contains("rewright check"), "{}", text(&out.stderr));
}

#[test]
fn an_operator_without_its_right_side_does_not_parse() {
    let source = b"import org.apache.spark.sql.functions.udf\nobject U {\n  val u = udf((x: Int) => x + )\n}\n";
    let dir = folder_with("u.scala", source);
    let out = rewright(dir.path(), &["check", "u.scala", "--rows", "10"]);
    assert_eq!(code(&out), 4, "{}{}", text(&out.stdout), text(&out.stderr));
    assert!(text(&out.stderr).contains("u.scala:3:"), "{}", text(&out.stderr));
}

#[test]
fn output_over_an_input_and_onto_a_full_device_is_refused() {
    let dir = folder_with("in.jsonl", b"{\"celsius\":1.5}\n");
    let file = sample("ToFahrenheit.scala");
    let over = rewright(dir.path(), &["eval", &file, "--data", "in.jsonl", "-o", "in.jsonl"]);
    assert_eq!(code(&over), 2, "{}", text(&over.stderr));
    assert_eq!(
        std::fs::read(dir.path().join("in.jsonl")).expect("is there"),
        b"{\"celsius\":1.5}\n"
    );
    let full = Command::new(env!("CARGO_BIN_EXE_rewright"))
        .args(["propose", &file, "--tier", "sql"])
        .stdout(
            std::fs::OpenOptions::new()
                .write(true)
                .open("/dev/full")
                .expect("a full device"),
        )
        .output()
        .expect("starts");
    assert_eq!(code(&full), 2, "{}", text(&full.stderr));
    assert!(
        text(&full.stderr).contains("cannot write the output"),
        "{}",
        text(&full.stderr)
    );
}

#[test]
fn a_session_of_a_newer_version_is_not_continued() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let session = dir.path().join("new.rw");
    std::fs::create_dir(&session).expect("makes");
    let line = "{\"rewright_session\":9,\"rewright\":\"9.0.0\"}\n";
    std::fs::write(session.join("events.jsonl"), line).expect("writes");
    let file = sample("ToFahrenheit.scala");
    let out = rewright(
        dir.path(),
        &["check", &file, "--tier", "sql", "--rows", "100", "--session", "new.rw"],
    );
    assert_eq!(code(&out), 2, "{}", text(&out.stderr));
    assert!(text(&out.stderr).contains("9.0.0"), "{}", text(&out.stderr));
    assert_eq!(
        std::fs::read_to_string(session.join("events.jsonl")).expect("is there"),
        line
    );
}

#[test]
fn no_name_of_a_udf_or_a_parameter_breaks_a_rewrite() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let file = root("tests/data/scala/names.scala").display().to_string();
    let checked = rewright(dir.path(), &["check", &file, "--rows", "200", "--json"]);
    let udfs = json_lines(&checked);
    assert_eq!(udfs.len(), 19, "{}", text(&checked.stderr));
    for udf in &udfs {
        let name = udf["udf"]["name"].as_str().expect("a name");
        for tier in udf["tiers"].as_array().expect("tiers") {
            let status = tier["status"].as_str().expect("a status");
            // SQL has no case, so that two parameters are one column there; without a C++ compiler no kernel runs.
            let left_out = (name == "caseless" && tier["tier"] == "sql") || tier["tier"] == "cuda";
            assert!(
                status == "equal" || (left_out && status == "not-proven") || (left_out && status == "refused"),
                "{name}: {tier}"
            );
        }
    }
}
