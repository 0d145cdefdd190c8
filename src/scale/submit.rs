//! The command line of the application. In: what is asked for, a Java and a Spark, the packed UDF; out: a command and the file
//! that tells the application what to do. Starts nothing.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use super::Request;
use crate::error::{Error, Result};
use crate::run::Cancel;
use crate::run::spark::{Kit, Packed};

/// What is set where the user does not say otherwise: no port for a screen that nobody looks at, progress that is no older
/// than a moment, and no bound on the sum of results, since each is small and goes as soon as it is added.
const DEFAULTS: [(&str, &str); 5] = [
    ("spark.ui.enabled", "false"),
    ("spark.ui.showConsoleProgress", "false"),
    ("spark.executor.heartbeatInterval", "2s"),
    ("spark.driver.maxResultSize", "0"),
    ("spark.driver.memory", "1g"),
];

/// Whether the input is a path: one that exists, or that is written like one.
fn is_path(input: &str) -> bool {
    Path::new(input).exists() || (input.contains('/') && !input.contains('`')) || input.ends_with(".parquet")
}

/// The command that submits the application.
pub(super) fn command(request: &Request, kit: &Kit, packed: &Packed, folder: &Path) -> Result<Command> {
    let spec = folder.join("what.json");
    std::fs::write(&spec, what(request, packed).to_string())
        .map_err(|e| Error::not_proven("the application's files cannot be written").because(e))?;
    let conf = conf(request, folder);
    let value = |key: &str| conf.iter().rev().find(|(k, _)| k == key).map(|(_, v)| v.as_str());
    let mut command = kit.java_command(&Cancel::default())?;
    if let Some(memory) = value("spark.driver.memory") {
        command.arg(format!("-Xmx{memory}"));
    }
    if let Some(options) = value("spark.driver.extraJavaOptions") {
        command.args(options.split_whitespace());
    }
    command.arg("-cp").arg(classpath(kit));
    command.arg("org.apache.spark.deploy.SparkSubmit");
    command.args([
        "--master",
        request.master,
        "--class",
        "rewright.verify.Verify",
        "--jars",
    ]);
    command.arg(jars(packed));
    for (key, value) in &conf {
        command.arg("--conf").arg(format!("{key}={value}"));
    }
    command.arg(&packed.application).arg(&spec);
    command.env("SPARK_HOME", &kit.spark.home);
    // Spark's scripts tell its launcher; executors of `local-cluster` are started by that.
    command.env("SPARK_SCALA_VERSION", &kit.spark.scala);
    Ok(command)
}

fn what(request: &Request, packed: &Packed) -> serde_json::Value {
    let table = !is_path(request.input);
    let input = match std::path::absolute(request.input) {
        Ok(path) if !table && path.exists() => path.display().to_string(),
        _ => request.input.to_owned(),
    };
    let params: Vec<&str> = request.udf.params.iter().map(|p| p.name.as_str()).collect();
    json!({
        "input": input, "table": table, "params": params, "candidate": request.candidate.text.trim(),
        "entry": packed.entry, "file": packed.file, "returns": packed.returns, "policy": request.policy.entries,
        "max_mismatches": request.max_mismatches.map_or(0, |n| n.get()), "samples": request.samples,
    })
}

/// Our own settings, then the user's, which win.
fn conf(request: &Request, folder: &Path) -> Vec<(String, String)> {
    let given = |key: &str| request.conf.iter().any(|(k, _)| k == key);
    let mut all: Vec<(String, String)> = DEFAULTS
        .iter()
        .filter(|(k, _)| !given(k))
        .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
        .collect();
    let settings = [
        ("spark.sql.session.timeZone", request.settings.time_zone.clone()),
        ("spark.sql.ansi.enabled", request.settings.ansi.to_string()),
    ];
    all.extend(
        settings
            .map(|(k, v)| (k.to_owned(), v))
            .into_iter()
            .filter(|(k, _)| !given(k)),
    );
    // Without a metastore of the user's, Spark makes a warehouse in the current folder; nothing is to be left there.
    if !given("spark.sql.warehouse.dir") && !given("spark.sql.catalogImplementation") {
        let warehouse = folder.join("warehouse").display().to_string();
        all.push(("spark.sql.warehouse.dir".into(), warehouse));
    }
    all.extend(request.conf.iter().cloned());
    all
}

/// Spark's jars behind the folders that configure it, as its own scripts have it.
fn classpath(kit: &Kit) -> OsString {
    let named = |key: &str| std::env::var_os(key).filter(|v| !v.is_empty()).map(PathBuf::from);
    let spark = named("SPARK_CONF_DIR").unwrap_or_else(|| kit.spark.home.join("conf"));
    let folders = [Some(spark), named("HADOOP_CONF_DIR"), named("YARN_CONF_DIR")];
    let mut all = OsString::new();
    for folder in folders.into_iter().flatten().filter(|f| f.is_dir()) {
        all.push(folder);
        all.push(":");
    }
    all.push(kit.spark.jars().join("*"));
    all
}

/// The user's classes and jars, which Spark ships to the executors.
fn jars(packed: &Packed) -> OsString {
    let mut all = packed.udf.clone().into_os_string();
    for jar in &packed.classpath {
        all.push(",");
        all.push(jar);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_from_tables() {
        for path in ["/data/x", "hdfs://host/x", "data/x", "x.parquet"] {
            assert!(is_path(path), "{path}");
        }
        for table in ["orders", "shop.orders", "parquet.`/data/x`"] {
            assert!(!is_path(table), "{table}");
        }
    }
}
