//! Makes the worker from its sources. In: a JDK and Spark's jars; out: a folder of classes in the cache, made once per content,
//! Java and Spark. Never leaves a half-made folder where a whole one is looked for.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sha2::{Digest, Sha256};

use super::install::{Spark, cache_dir};
use super::java::Java;
use crate::error::{Error, Result};

/// The worker's sources, embedded so that one binary is all there is to install.
const SOURCES: [(&str, &str); 13] = [
    ("Bound.java", include_str!("../../../assets/jvm/Bound.java")),
    ("Desk.java", include_str!("../../../assets/jvm/Desk.java")),
    ("Direct.java", include_str!("../../../assets/jvm/Direct.java")),
    ("Failure.java", include_str!("../../../assets/jvm/Failure.java")),
    ("Hive.java", include_str!("../../../assets/jvm/Hive.java")),
    ("Interop.java", include_str!("../../../assets/jvm/Interop.java")),
    (
        "JavaCompiler.java",
        include_str!("../../../assets/jvm/JavaCompiler.java"),
    ),
    ("Main.java", include_str!("../../../assets/jvm/Main.java")),
    ("Program.java", include_str!("../../../assets/jvm/Program.java")),
    ("Query.java", include_str!("../../../assets/jvm/Query.java")),
    ("Rows.java", include_str!("../../../assets/jvm/Rows.java")),
    (
        "ScalaCompiler.java",
        include_str!("../../../assets/jvm/ScalaCompiler.java"),
    ),
    ("Settings.java", include_str!("../../../assets/jvm/Settings.java")),
];

/// The application that `verify` submits, which shares some of the worker's classes.
const APPLICATION: [(&str, &str); 15] = [
    ("Jars.java", include_str!("../../../assets/jvm/Jars.java")),
    (
        "verify/Accepted.java",
        include_str!("../../../assets/jvm/verify/Accepted.java"),
    ),
    (
        "verify/Candidate.java",
        include_str!("../../../assets/jvm/verify/Candidate.java"),
    ),
    (
        "verify/Classify.java",
        include_str!("../../../assets/jvm/verify/Classify.java"),
    ),
    (
        "verify/Comparer.java",
        include_str!("../../../assets/jvm/verify/Comparer.java"),
    ),
    (
        "verify/Events.java",
        include_str!("../../../assets/jvm/verify/Events.java"),
    ),
    (
        "verify/Input.java",
        include_str!("../../../assets/jvm/verify/Input.java"),
    ),
    ("verify/Leaf.java", include_str!("../../../assets/jvm/verify/Leaf.java")),
    (
        "verify/Mismatch.java",
        include_str!("../../../assets/jvm/verify/Mismatch.java"),
    ),
    (
        "verify/Progress.java",
        include_str!("../../../assets/jvm/verify/Progress.java"),
    ),
    ("verify/Spec.java", include_str!("../../../assets/jvm/verify/Spec.java")),
    (
        "verify/Tally.java",
        include_str!("../../../assets/jvm/verify/Tally.java"),
    ),
    ("verify/Task.java", include_str!("../../../assets/jvm/verify/Task.java")),
    ("verify/Text.java", include_str!("../../../assets/jvm/verify/Text.java")),
    (
        "verify/Verify.java",
        include_str!("../../../assets/jvm/verify/Verify.java"),
    ),
];

/// Keeps Spark's log to what is wrong.
const LOGGING: &str = include_str!("../../../assets/jvm/log4j2.properties");

/// All that is compiled together.
fn sources() -> impl Iterator<Item = (&'static str, &'static str)> {
    SOURCES.into_iter().chain(APPLICATION)
}

/// Marks a folder as whole.
const COMPLETE: &str = "complete";

/// The folder of the worker's classes for this Java and this Spark; compiles them if it is not there yet.
pub fn classes(java: &Java, spark: &Spark) -> Result<PathBuf> {
    let root = cache_dir()
        .ok_or_else(|| Error::not_proven("there is no place for a cache").hint("set HOME or XDG_CACHE_HOME"))?
        .join("jvm");
    let folder = root.join(key(java, spark));
    if folder.join(COMPLETE).is_file() {
        return Ok(folder);
    }
    let cannot = |e: std::io::Error| {
        Error::not_proven(format!(
            "the JVM worker cannot be put into the cache {}",
            root.display()
        ))
        .because(e)
        .hint("free some space, or set XDG_CACHE_HOME to a folder that can be written")
    };
    std::fs::create_dir_all(&root).map_err(cannot)?;
    let making = tempfile::Builder::new()
        .prefix("making-")
        .tempdir_in(&root)
        .map_err(cannot)?;
    for (name, text) in sources() {
        let to = making.path().join(name);
        if let Some(parent) = to.parent() {
            std::fs::create_dir_all(parent).map_err(cannot)?;
        }
        std::fs::write(to, text).map_err(cannot)?;
    }
    compile(java, spark, making.path())?;
    std::fs::write(making.path().join("log4j2.properties"), LOGGING).map_err(cannot)?;
    std::fs::write(making.path().join(COMPLETE), "").map_err(cannot)?;
    let made = making.keep();
    if let Err(e) = std::fs::rename(&made, &folder) {
        // Another process may have been faster; then its folder is as good as ours.
        let _ = std::fs::remove_dir_all(&made);
        if !folder.join(COMPLETE).is_file() {
            return Err(cannot(e));
        }
    }
    Ok(folder)
}

fn key(java: &Java, spark: &Spark) -> String {
    let mut hash = Sha256::new();
    for (name, text) in sources() {
        hash.update(name);
        hash.update(text);
    }
    hash.update(LOGGING);
    hash.update(java.program.as_os_str().as_encoded_bytes());
    hash.update(java.version.as_deref().unwrap_or("unknown"));
    hash.update(spark.jars().as_os_str().as_encoded_bytes());
    hash.update(&spark.version);
    let digest = hash.finalize();
    digest.iter().take(12).map(|b| format!("{b:02x}")).collect()
}

fn compile(java: &Java, spark: &Spark, folder: &Path) -> Result<()> {
    let javac = java.home.join("bin/javac");
    let mut command = if javac.is_file() {
        Command::new(javac)
    } else {
        let mut java = Command::new(&java.program);
        java.args(["-m", "jdk.compiler/com.sun.tools.javac.Main"]);
        java
    };
    command.args(["-nowarn", "-g", "-proc:none", "-encoding", "UTF-8", "-cp"]);
    command.arg(spark.jars().join("*")).arg("-d").arg(folder);
    command.args(sources().map(|(name, _)| folder.join(name)));
    let failed = |e: &dyn std::fmt::Display| {
        Error::not_proven("the JVM worker cannot be compiled")
            .because(e)
            .hint("it needs a JDK, a Java with its compiler: set JAVA_HOME to one")
    };
    let out = command.stdin(Stdio::null()).output().map_err(|e| failed(&e))?;
    if out.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&[out.stderr, out.stdout].concat()).into_owned();
    if said.contains("jdk.compiler") && said.contains("not found") {
        return Err(failed(&format!("{} is a Java without a compiler", java.home.display())));
    }
    let first = said.lines().find(|l| l.contains("error")).unwrap_or("no message");
    Err(failed(&first))
}
