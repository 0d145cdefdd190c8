//! Machines that lack something: what is said, by the command line as the user sees it. Needs no Spark.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use rewright::run::spark::Kit;

const UDF: &str = "import org.apache.spark.sql.functions.udf\nobject O { val f = udf((x: Int) => x + 1) }\n";

fn check(folder: &Path, environment: &[(&str, &str)]) -> Output {
    let environment = [environment, &[("REWRIGHT_ORACLE", "jvm")]].concat();
    check_with(folder, &[], &environment)
}

/// By the default oracle, through another program if one is named.
fn check_with(folder: &Path, through: &[&str], environment: &[(&str, &str)]) -> Output {
    let file = folder.join("O.scala");
    std::fs::write(&file, UDF).unwrap();
    let line = [through, &[env!("CARGO_BIN_EXE_rewright")]].concat();
    let mut command = Command::new(line[0]);
    command.args(&line[1..]);
    command.args(["check", "--rows", "10", "--tier", "sql"]).arg(&file);
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

/// The Java and the Spark of this machine, if it has both.
fn kit() -> Option<Kit> {
    crate::corpus::available().then(|| Kit::find(&[]).unwrap())
}

#[test]
fn without_a_jvm_the_embedded_oracle_is_the_default() {
    let folder = tempfile::tempdir().unwrap();
    let out = check_with(folder.path(), &[], &[("PATH", "/nonexistent")]);
    assert_eq!(out.status.code(), Some(0), "{}", said(&out));
    assert!(said(&out).contains("oracle embedded"), "{}", said(&out));
}

#[test]
fn with_a_jvm_it_is_the_default_and_flag_environment_and_file_choose() {
    let (Some(kit), Some(_alone)) = (kit(), crate::corpus::alone()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (java, spark) = (
        kit.java.home.display().to_string(),
        kit.spark.home.display().to_string(),
    );
    let cache = rewright::run::spark::cache_dir()
        .unwrap()
        .parent()
        .unwrap()
        .display()
        .to_string();
    let machine = [
        ("JAVA_HOME", &*java),
        ("SPARK_HOME", &*spark),
        ("XDG_CACHE_HOME", &*cache),
    ];
    let out = check_with(folder.path(), &[], &machine);
    assert_eq!(out.status.code(), Some(0), "{}", said(&out));
    assert!(said(&out).contains("oracle jvm"), "{}", said(&out));
    let chosen = [&machine[..], &[("REWRIGHT_ORACLE", "embedded")]].concat();
    let out = check_with(folder.path(), &[], &chosen);
    assert!(said(&out).contains("oracle embedded"), "{}", said(&out));
    std::fs::write(folder.path().join("rewright.toml"), "oracle = \"embedded\"\n").unwrap();
    let out = check_with(folder.path(), &[], &machine);
    assert!(said(&out).contains("oracle embedded"), "{}", said(&out));
    let chosen = [&machine[..], &[("REWRIGHT_ORACLE", "jvm")]].concat();
    let out = check_with(folder.path(), &[], &chosen);
    assert!(said(&out).contains("oracle jvm"), "{}", said(&out));
}

#[test]
fn a_worker_that_dies_at_start_is_said_and_a_default_gives_way() {
    let Some(kit) = kit() else { return };
    let folder = tempfile::tempdir().unwrap();
    let home = java(folder.path(), "17.0.9");
    let program = |name: &str, text: &str| {
        let path = Path::new(&home).join("bin").join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    program("java", "#!/bin/sh\nkill -9 $$\n");
    program("javac", "#!/bin/sh\nexit 0\n");
    let spark = kit.spark.home.display().to_string();
    let machine = [
        ("JAVA_HOME", &*home),
        ("SPARK_HOME", &*spark),
        ("PATH", "/usr/bin:/bin"),
    ];
    let out = check(folder.path(), &machine);
    assert_eq!(out.status.code(), Some(3), "{}", said(&out));
    assert!(
        said(&out).contains("did not start") && said(&out).contains("signal 9"),
        "{}",
        said(&out)
    );
    let out = check_with(folder.path(), &[], &machine);
    assert_eq!(out.status.code(), Some(0), "{}", said(&out));
    assert!(
        said(&out).contains("oracle embedded") && said(&out).contains("not run in a JVM: the JVM worker did not start"),
        "{}",
        said(&out)
    );
}

/// A program that runs another in a file system of its own, on which the cache has next to no room; `None` where the
/// machine lets nobody make one.
fn with_a_full_cache(folder: &Path) -> Option<Vec<String>> {
    let cache = folder.join(".cache");
    std::fs::create_dir_all(&cache).unwrap();
    let mount = format!("mount -t tmpfs -o size=64k none '{}'", cache.display());
    let words = |last: &str| -> Vec<String> {
        let script = format!("{mount} && {last}");
        ["/usr/bin/unshare", "-Urm", "/bin/sh", "-c", &script, "sh"]
            .map(str::to_owned)
            .to_vec()
    };
    let probe = words("true");
    let possible = Command::new(&probe[0]).args(&probe[1..]).output();
    possible.is_ok_and(|o| o.status.success()).then(|| words("exec \"$@\""))
}

#[test]
fn no_space_in_the_cache_is_said_and_a_default_gives_way() {
    let Some(kit) = kit() else { return };
    let folder = tempfile::tempdir().unwrap();
    let Some(through) = with_a_full_cache(folder.path()) else {
        return eprintln!("SKIPPED, NOT TESTED: this machine lets nobody mount a file system of their own");
    };
    let through: Vec<&str> = through.iter().map(String::as_str).collect();
    let (java, spark) = (
        kit.java.home.display().to_string(),
        kit.spark.home.display().to_string(),
    );
    let machine = [
        ("JAVA_HOME", &*java),
        ("SPARK_HOME", &*spark),
        ("PATH", "/usr/bin:/bin:/sbin"),
    ];
    let out = check_with(
        folder.path(),
        &through,
        &[&machine[..], &[("REWRIGHT_ORACLE", "jvm")]].concat(),
    );
    assert_eq!(out.status.code(), Some(3), "{}", said(&out));
    assert!(
        said(&out).contains("cannot be put into the cache") && said(&out).contains("free some space"),
        "{}",
        said(&out)
    );
    let out = check_with(folder.path(), &through, &machine);
    assert_eq!(out.status.code(), Some(0), "{}", said(&out));
    assert!(
        said(&out).contains("not run in a JVM: the JVM worker cannot be put into the cache"),
        "{}",
        said(&out)
    );
}
