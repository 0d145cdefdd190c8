//! The Scala bodies of the vectors as UDFs, with some of our own: what is proposed for each, run from its text over made-up
//! inputs, against the oracle. What differs must be of an announced class.

use std::path::Path;

use rewright::check::{self, CheckReport, Runners};
use rewright::compare::{Policy, Verdict, compare};
use rewright::find::find;
use rewright::inputs::generate;
use rewright::propose::{Candidate, Tier, propose_tier};
use rewright::run::cuda::{Compiler, has_gpu};
use rewright::run::spark::JAR_VARIABLE;
use rewright::run::{Cancel, EngineId, Settings};
use rewright::source::{Language, SourceFile};
use serde_json::Value as Json;

/// UDFs as people write them: nested branches, early returns, options, tables, patterns, text, dates, decimals.
const OWN: &[&str] = &[
    "(a: Int, b: Int) => { if (a > b) { if (b == 0) -1 else a / b } else if (a == b) 0 else a % (b + 1) }",
    "(a: String) => { if (a == null) \"none\" else if (a.isEmpty) \"empty\" else a.substring(0, 1).toUpperCase + a.substring(1).toLowerCase }",
    "(a: String) => Option(a).map(_.trim).filter(_.nonEmpty).map(_.length).getOrElse(-1)",
    "(a: String) => Map(\"gold\" -> 3, \"silver\" -> 2).getOrElse(a, 0)",
    "(a: String) => Map(\"x\" -> 1.5, \"y\" -> 2.5).get(a).map(_ * 2)",
    "(a: String) => { val R = \"([a-z]+)-([0-9]+)\".r; a match { case R(w, n) => n + w; case null => \"null\"; case _ => \"no\" } }",
    "(a: String) => scala.util.Try(a.trim.toInt).toOption",
    "(a: String) => scala.util.Try(a.toInt).getOrElse(0) + 1",
    "(a: String) => { try { a.toInt * 2 } catch { case _: NumberFormatException => -1 } }",
    "(a: Int) => { var r = 1; if (a > 3) r = r + a; if (a < 10) r *= 2; r }",
    "(a: Int) => { var s = 0; for (i <- 1 to 4) { if (a > i) s += i * a }; s }",
    "(a: Int) => { val sb = new StringBuilder; sb.append(a); if (a < 0) sb.append(\" below\"); sb.toString }",
    "(a: java.sql.Date) => { val d = a.toLocalDate; s\"${d.getYear}-Q${(d.getMonthValue - 1) / 3 + 1}\" }",
    "(a: java.sql.Date) => if (a == null) 0L else a.toLocalDate.plusDays(10).toEpochDay",
    "(a: Double) => if (a.isNaN) 0.0 else if (a < 0) -math.sqrt(-a) else math.min(math.sqrt(a), 100.0)",
    "(a: java.lang.Integer, b: java.lang.Integer) => { if (a == null || b == null) null else Integer.valueOf(a + b) }",
    "(a: Long, b: Int) => (a << b) ^ (a >>> 3)",
    "(a: String) => a match { case \"a\" | \"b\" => 1; case s if s != null && s.startsWith(\"x\") => 2; case _ => 3 }",
    "(a: String) => if (a == null) null else a.filter(c => c.isDigit || c == '-').take(5)",
    "(a: Int, b: Int) => { val t = (a, b); t match { case (0, _) => \"zero\"; case (x, y) if x == y => \"same\"; case _ => \"other\" } }",
    "(a: Option[Int]) => a.map(_ + 1)",
    "(a: String, b: String) => a == b",
    "(a: Double, b: Double) => a == b || a > b",
    "(a: Float) => (a * 3 - 1) / 7",
    "(a: Int) => { def fib(n: Int): Int = if (n < 2) n else fib(n - 1) + fib(n - 2); fib(math.abs(a % 17)) }",
    "(a: Int) => { def down(n: Int): Long = if (n <= 0) 0L else n + down(n - 1); down(a % 3000) }",
    "(a: Int) => { def even(n: Int): Boolean = if (n == 0) true else !odd(n - 1); def odd(n: Int): Boolean = if (n == 0) false else !even(n - 1); even(math.abs(a % 40)) }",
    "(a: Int, b: Int) => { def ack(m: Int, n: Int): Int = if (m == 0) n + 1 else if (n == 0) ack(m - 1, 1) else ack(m - 1, ack(m, n - 1)); ack(math.abs(a % 3), math.abs(b % 5)) }",
    "(a: String) => { def back(s: String): String = if (s.isEmpty) \"\" else back(s.substring(1)) + s.charAt(0); if (a == null) null else back(a) }",
    "(a: String, b: String) => { def apart(i: Int, j: Int): Int = if (i == 0) j else if (j == 0) i else math.min(math.min(apart(i - 1, j) + 1, apart(i, j - 1) + 1), apart(i - 1, j - 1) + (if (a.charAt(i - 1) == b.charAt(j - 1)) 0 else 1)); apart(math.min(a.length, 4), math.min(b.length, 4)) }",
    "(a: Int) => { var calls = 0; def hanoi(n: Int): Unit = if (n > 0) { hanoi(n - 1); calls += 1; hanoi(n - 1) }; hanoi(math.abs(a % 9)); calls }",
    "(a: String) => { val parts = a.split(\",\"); if (parts.length > 1) parts(1) else \"\" }",
];

/// What the oracle or the engine says where the real result is not known to it: not proven, and no failure.
const UNMEASURED: [&str; 5] = [
    "depends on the JDK's word breaker",
    "was not measured",
    "may be an ulp off",
    "is not covered",
    "a regular expression as a pattern",
];

/// One body in one tier.
fn judge(lambda: &str, tier: Tier, runners: &Runners) -> Result<String, String> {
    let text = format!("import org.apache.spark.sql.functions.udf\nobject Sample {{\n  val f = udf({lambda})\n}}\n");
    let source = SourceFile::from_text("Sample.scala", Language::Scala, text);
    let found = find(&source);
    let Some(udf) = found.udfs.first() else {
        return Ok(format!("not found: {:?}", found.refused));
    };
    let candidate = match propose_tier(&source, udf, tier) {
        Ok(c) => c,
        Err(r) => return Ok(format!("refused: {}", r.reason)),
    };
    let settings = Settings::default();
    let inputs = match generate(udf, &source, 600, 7) {
        Ok(batch) => batch,
        Err(e) => return Ok(format!("no inputs: {e}")),
    };
    if check::oracle(udf, &settings).is_err() {
        return Ok("the oracle does not cover it".into());
    }
    let bench = check::Bench {
        file: &source,
        udf,
        settings: &settings,
        runners,
    };
    let report = match bench.check(&candidate, &inputs, &Policy::default(), &Cancel::default()) {
        Ok(report) => report,
        Err(e) if UNMEASURED.iter().any(|u| format!("{e:?}").contains(u)) => return Ok(format!("not proven: {e}")),
        Err(e) => return Err(format!("did not run: {e:?}\n{}", candidate.text)),
    };
    if let Some(f) = report.findings.first() {
        return Err(format!("finding {}: {}\n{}", f.id, f.message, candidate.text));
    }
    if runners.cudf == EngineId::Cudf {
        let runners = &Runners::default();
        let emulation = check::Bench { runners, ..bench };
        as_emulated(&emulation, &candidate, &report)?;
    }
    let c = &report.comparison;
    let classes: Vec<String> = c.classes.iter().map(|(k, n)| format!("{k}:{}", n.rows)).collect();
    let downstream =
        |class: &str| class.ends_with("-value") && candidate.notes.iter().any(|n| n.class == "parse-unicode-digits");
    let announced = c.classes.keys().all(|k| {
        downstream(k) || {
            let mut one = c.clone();
            one.classes.retain(|other, _| other == k);
            one.only_announced(&candidate.notes)
        }
    });
    if c.verdict == Verdict::Equal || announced {
        return Ok(format!("good {}", classes.join(", ")));
    }
    let notes: Vec<&str> = candidate.notes.iter().map(|n| n.class.as_str()).collect();
    let sample: Vec<_> = c
        .sample
        .iter()
        .filter(|m| !m.accepted)
        .take(4)
        .map(|m| (m.row, &m.class, &m.original, &m.rewrite))
        .collect();
    Err(format!(
        "{} (announced {notes:?})\n{sample:?}\n{}",
        classes.join(", "),
        candidate.text
    ))
}

/// Whether a device gave what the emulation gives, but for the last place of functions whose notes say so.
fn as_emulated(emulation: &check::Bench, candidate: &Candidate, device: &CheckReport) -> Result<(), String> {
    let emulated = emulation.check(candidate, &device.inputs, &Policy::default(), &Cancel::default());
    let Ok(emulated) = emulated else { return Ok(()) };
    let c = compare(
        &device.inputs,
        &emulated.candidate,
        &device.candidate,
        &Policy::default(),
    );
    let last_place = c.classes.keys().all(|k| k == "last-ulp") && c.only_announced(&candidate.notes);
    if c.different_rows == 0 || last_place {
        return Ok(());
    }
    let sample: Vec<_> = c
        .sample
        .iter()
        .take(4)
        .map(|m| (m.row, &m.original, &m.rewrite))
        .collect();
    Err(format!(
        "NOT AS EMULATED {:?} {sample:?}\n{}",
        c.classes, candidate.text
    ))
}

fn lambdas() -> Vec<(String, String)> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/vectors/index.json"));
    let index: Json = serde_json::from_str(&std::fs::read_to_string(path).expect("the index")).expect("JSON");
    let mut out: Vec<(String, String)> = OWN.iter().map(|l| ("own".to_string(), (*l).to_string())).collect();
    for entry in index.as_array().expect("a list") {
        if entry["locale"].as_str().is_some_and(|l| l.starts_with("tr")) {
            continue;
        }
        let list = |key: &str| entry[key].as_array().cloned().unwrap_or_default();
        let (types, boxed) = (list("arg_types"), list("nullable_boxed"));
        let params: Vec<String> = types
            .iter()
            .zip(&boxed)
            .zip(["a", "b", "c"])
            .map(|((t, b), n)| {
                format!(
                    "{n}: {}",
                    scala_type(t.as_str().unwrap_or(""), b.as_bool() == Some(true))
                )
            })
            .collect();
        let body = entry["scala"].as_str().expect("a body");
        let name = entry["file"].as_str().expect("a file").to_string();
        out.push((name, format!("({}) => {{ {body} }}", params.join(", "))));
    }
    out
}

fn hold(tier: Tier, runners: &Runners) {
    let (mut good, mut bad, mut other) = (0, Vec::new(), 0);
    // The host's compiler takes a second for each kernel: a fifth of them speaks for all where nobody asks for all.
    let all = runners.cuda != EngineId::CudaHost || std::env::var_os("REWRIGHT_TEST_ALL").is_some();
    for (name, lambda) in lambdas().into_iter().step_by(if all { 1 } else { 5 }) {
        match judge(&lambda, tier, runners) {
            Ok(text) => {
                println!("{:4} {name:28} {text}", tier.name());
                if text.starts_with("good") {
                    good += 1
                } else {
                    other += 1
                }
            }
            Err(text) => {
                println!("{:4} {name:28} BAD {lambda}\n     {text}", tier.name());
                bad.push(name);
            }
        }
    }
    println!(
        "{}: {good} good, {other} refused, {} bad: {bad:?}",
        tier.name(),
        bad.len()
    );
    assert!(bad.is_empty(), "{bad:?}");
}

fn kernels_by(cuda: EngineId) -> Runners {
    Runners {
        cuda,
        ..Runners::default()
    }
}

#[test]
fn sql_proposals_hold() {
    hold(Tier::Sql, &Runners::default());
}

#[test]
fn cudf_proposals_hold() {
    hold(Tier::Cudf, &Runners::default());
}

#[test]
fn cudf_proposals_hold_on_a_device() {
    if std::env::var_os(JAR_VARIABLE).is_none() || !has_gpu() {
        println!("no GPU, or {JAR_VARIABLE} names no cuDF library: nothing to test");
        return;
    }
    let runners = Runners {
        cudf: EngineId::Cudf,
        ..Runners::default()
    };
    hold(Tier::Cudf, &runners);
}

#[test]
fn cuda_proposals_hold() {
    if Compiler::program().is_none() {
        println!("no C++ compiler: nothing to test");
        return;
    }
    hold(Tier::Cuda, &kernels_by(EngineId::CudaHost));
}

#[test]
fn cuda_proposals_hold_on_a_device() {
    if !has_gpu() {
        println!("no GPU: nothing to test");
        return;
    }
    hold(Tier::Cuda, &kernels_by(EngineId::Cuda));
}

fn scala_type(ty: &str, boxed: bool) -> String {
    let prim = |scala: &str, java: &str| {
        if boxed {
            format!("java.lang.{java}")
        } else {
            scala.to_string()
        }
    };
    match ty {
        "int" => prim("Int", "Integer"),
        "bigint" => prim("Long", "Long"),
        "smallint" => prim("Short", "Short"),
        "tinyint" => prim("Byte", "Byte"),
        "boolean" => prim("Boolean", "Boolean"),
        "double" => prim("Double", "Double"),
        "float" => prim("Float", "Float"),
        "string" => "String".into(),
        "date" => "java.time.LocalDate".into(),
        "sqldate" => "java.sql.Date".into(),
        "ts" => "java.time.Instant".into(),
        "sqlts" => "java.sql.Timestamp".into(),
        "array<int>" => format!("Seq[{}]", prim("Int", "Integer")),
        "array<double>" => format!("Seq[{}]", prim("Double", "Double")),
        "array<string>" => "Seq[String]".into(),
        "map<string,int>" => format!("Map[String, {}]", prim("Int", "Integer")),
        _ => "java.math.BigDecimal".into(),
    }
}
