//! Machines that lack something: what is said, by the command line as the user sees it. Needs no Spark.

use std::path::Path;
use std::process::{Command, Output};

const UDF: &str = "import org.apache.spark.sql.functions.udf\nobject O { val f = udf((x: Int) => x + 1) }\n";

fn check(folder: &Path, environment: &[(&str, &str)]) -> Output {
    let file = folder.join("O.scala");
    std::fs::write(&file, UDF).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_rewright"));
    command
        .args(["check", "--oracle", "jvm", "--rows", "10", "--tier", "sql"])
        .arg(&file);
    command
        .env_clear()
        .env("HOME", folder)
        .envs(environment.iter().copied());
    command.output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.clone(), output.stderr.clone()].concat()).into_owned()
}

/// A folder that looks like a Java of a version.
fn java(folder: &Path, version: &str) -> String {
    let home = folder.join("java");
    std::fs::create_dir_all(home.join("bin")).unwrap();
    std::fs::write(home.join("bin/java"), "#!/bin/sh\nexit 9\n").unwrap();
    std::fs::write(home.join("release"), format!("JAVA_VERSION=\"{version}\"\n")).unwrap();
    home.display().to_string()
}

#[test]
fn without_java_or_with_an_old_one_or_without_jars_the_reason_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let out = check(folder.path(), &[("PATH", "/nonexistent")]);
    assert_eq!(out.status.code(), Some(3), "{}", said(&out));
    assert!(said(&out).contains("no Java was found"), "{}", said(&out));

    let old = java(folder.path(), "1.8.0_402");
    let spark = folder.path().join("spark");
    std::fs::create_dir_all(spark.join("jars")).unwrap();
    std::fs::write(spark.join("jars/spark-catalyst_2.12-3.5.1.jar"), "").unwrap();
    let spark = spark.display().to_string();
    let out = check(folder.path(), &[("JAVA_HOME", &old), ("SPARK_HOME", &spark)]);
    assert_eq!(out.status.code(), Some(3), "{}", said(&out));
    assert!(said(&out).contains("Java 8 is too old"), "{}", said(&out));

    let new = java(folder.path(), "17.0.9");
    let out = check(folder.path(), &[("JAVA_HOME", &new), ("SPARK_HOME", &spark)]);
    assert!(said(&out).contains("lacks jars: scala-compiler"), "{}", said(&out));

    let out = check(folder.path(), &[("JAVA_HOME", &new)]);
    assert!(said(&out).contains("rewright setup spark"), "{}", said(&out));
}
