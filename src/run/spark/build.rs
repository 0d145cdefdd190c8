//! Makes the worker and the accelerator's stubs from their sources. In: a JDK and Spark's jars; out: folders of classes in the
//! cache, made once per content, Java and Spark. Never leaves a half-made folder where a whole one is looked for.

use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::install::{Spark, cache_dir};
use super::java::Java;
use super::stubs;
use crate::error::{Error, Result};
use crate::run::Cancel;

/// The worker's sources, embedded so that one binary is all there is to install.
const SOURCES: [(&str, &str); 22] = [
    ("Accelerator.java", include_str!("../../../assets/jvm/Accelerator.java")),
    ("Bound.java", include_str!("../../../assets/jvm/Bound.java")),
    ("Cells.java", include_str!("../../../assets/jvm/Cells.java")),
    ("Columnar.java", include_str!("../../../assets/jvm/Columnar.java")),
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
    ("Nodes.java", include_str!("../../../assets/jvm/Nodes.java")),
    ("Program.java", include_str!("../../../assets/jvm/Program.java")),
    ("Query.java", include_str!("../../../assets/jvm/Query.java")),
    ("Results.java", include_str!("../../../assets/jvm/Results.java")),
    ("Rows.java", include_str!("../../../assets/jvm/Rows.java")),
    (
        "ScalaCompiler.java",
        include_str!("../../../assets/jvm/ScalaCompiler.java"),
    ),
    ("Settings.java", include_str!("../../../assets/jvm/Settings.java")),
    ("Stages.java", include_str!("../../../assets/jvm/Stages.java")),
    ("Timed.java", include_str!("../../../assets/jvm/Timed.java")),
    ("Vigil.java", include_str!("../../../assets/jvm/Vigil.java")),
    ("Wide.java", include_str!("../../../assets/jvm/Wide.java")),
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
pub(super) const COMPLETE: &str = "complete";
/// How often a compiler that runs is looked at.
const TICK: Duration = Duration::from_millis(20);
/// What an unfinished folder is called; one that is older than this was left behind.
const MAKING: &str = "making-";
const ABANDONED: Duration = Duration::from_secs(3600);

/// What was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// The worker's classes.
    pub classes: PathBuf,
    /// Signatures of the accelerator's classes, without content.
    pub stubs: PathBuf,
}

/// The worker's classes for this Java and this Spark; compiles them if they are not there yet.
pub fn classes(java: &Java, spark: &Spark, cancel: &Cancel) -> Result<Made> {
    let compiler = Compiler { java, spark };
    let folder = root()?.join(key(&compiler));
    if !folder.join(COMPLETE).is_file() {
        make_folder(&folder, |making| make(&compiler, making, &folder, cancel))?;
    }
    Ok(Made {
        classes: folder.join("classes"),
        stubs: folder.join("stubs"),
    })
}

/// The folder of all that is made.
pub(super) fn root() -> Result<PathBuf> {
    Ok(cache_dir()
        .ok_or_else(|| Error::not_proven("there is no place for a cache").hint("set HOME or XDG_CACHE_HOME"))?
        .join("jvm"))
}

fn make(compiler: &Compiler, making: &Path, folder: &Path, cancel: &Cancel) -> Result<()> {
    let written: [(&str, Vec<(String, String)>); 2] = [
        (
            "classes",
            sources().map(|(n, t)| (n.to_owned(), t.to_owned())).collect(),
        ),
        ("stubs", stubs::sources()),
    ];
    for (name, files) in &written {
        compiler.compile(&[], &making.join(name), files, cancel)?;
    }
    std::fs::write(making.join("classes/log4j2.properties"), LOGGING).map_err(|e| cannot(folder, &e))
}

/// Makes a folder that is there whole or not at all.
pub(super) fn make_folder(folder: &Path, fill: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let root = folder.parent().unwrap_or(folder);
    let cannot = |e: std::io::Error| cannot(root, &e);
    std::fs::create_dir_all(root).map_err(cannot)?;
    sweep(root);
    let making = tempfile::Builder::new()
        .prefix(MAKING)
        .tempdir_in(root)
        .map_err(cannot)?;
    fill(making.path())?;
    std::fs::write(making.path().join(COMPLETE), "").map_err(cannot)?;
    let made = making.keep();
    if let Err(e) = std::fs::rename(&made, folder) {
        // Another process may have been faster; then its folder is as good as ours.
        let _ = std::fs::remove_dir_all(&made);
        if !folder.join(COMPLETE).is_file() {
            return Err(cannot(e));
        }
    }
    Ok(())
}

pub(super) fn cannot(root: &Path, e: &dyn std::fmt::Display) -> Error {
    Error::not_proven(format!(
        "the JVM worker cannot be put into the cache {}",
        root.display()
    ))
    .because(e)
    .hint("free some space, or set XDG_CACHE_HOME to a folder that can be written")
}

/// Removes what a process left behind that was killed while it made the classes.
fn sweep(root: &Path) {
    for entry in std::fs::read_dir(root).into_iter().flatten().flatten() {
        let modified = entry.metadata().and_then(|m| m.modified());
        let old = modified.is_ok_and(|m| m.elapsed().is_ok_and(|age| age > ABANDONED));
        if old && entry.file_name().to_string_lossy().starts_with(MAKING) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

fn key(compiler: &Compiler) -> String {
    let mut hash = Sha256::new();
    for (name, text) in sources() {
        hash.update(name);
        hash.update(text);
    }
    for (name, text) in stubs::sources() {
        hash.update(name);
        hash.update(text);
    }
    hash.update(LOGGING);
    hash.update(compiler.key());
    hex(&hash.finalize())[..24].to_owned()
}

/// Bytes as hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// A Java's compiler, with Spark's jars on the class path.
#[derive(Debug, Clone, Copy)]
pub(super) struct Compiler<'a> {
    pub java: &'a Java,
    pub spark: &'a Spark,
}

impl Compiler<'_> {
    /// What its results depend on beside the sources.
    pub fn key(&self) -> Vec<u8> {
        [
            self.java.program.as_os_str().as_encoded_bytes(),
            self.java.version.as_deref().unwrap_or("unknown").as_bytes(),
            self.spark.jars().as_os_str().as_encoded_bytes(),
            self.spark.version.as_bytes(),
        ]
        .concat()
    }

    /// Writes files into a folder, compiles them there and leaves their classes; `first` goes before Spark's jars.
    pub fn compile(&self, first: &[PathBuf], folder: &Path, files: &[(String, String)], cancel: &Cancel) -> Result<()> {
        for (path, text) in files {
            let to = folder.join(path);
            let parent = to.parent().unwrap_or(folder);
            std::fs::create_dir_all(parent)
                .and_then(|()| std::fs::write(&to, text))
                .map_err(|e| cannot(folder, &e))?;
        }
        let mut classpath = std::ffi::OsString::new();
        for path in first {
            classpath.push(path);
            classpath.push(":");
        }
        classpath.push(self.spark.jars().join("*"));
        run_compiler(self.java, &classpath, folder, files, cancel)?;
        // On a class path a compiler would take them for sources that are newer than a jar.
        for (path, _) in files {
            std::fs::remove_file(folder.join(path)).map_err(|e| cannot(folder, &e))?;
        }
        Ok(())
    }
}

fn run_compiler(
    java: &Java,
    classpath: &std::ffi::OsStr,
    folder: &Path,
    files: &[(String, String)],
    cancel: &Cancel,
) -> Result<()> {
    let javac = java.home.join("bin/javac");
    let mut command = if javac.is_file() {
        Command::new(javac)
    } else {
        let mut java = Command::new(&java.program);
        java.args(["-m", "jdk.compiler/com.sun.tools.javac.Main"]);
        java
    };
    command.args(["-nowarn", "-g", "-proc:none", "-encoding", "UTF-8", "-cp"]);
    command.arg(classpath).arg("-d").arg(folder);
    command.args(files.iter().map(|(name, _)| folder.join(name)));
    let failed = |e: &dyn std::fmt::Display| {
        Error::not_proven("the JVM worker cannot be compiled")
            .because(e)
            .hint("it needs a JDK, a Java with its compiler: set JAVA_HOME to one")
    };
    let mut log = tempfile::tempfile().map_err(|e| failed(&e))?;
    let (out, err) = (log.try_clone(), log.try_clone());
    command.stdout(out.map_err(|e| failed(&e))?);
    command.stderr(err.map_err(|e| failed(&e))?);
    let mut child = command.stdin(Stdio::null()).spawn().map_err(|e| failed(&e))?;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|e| failed(&e))? {
            break status;
        }
        if let Err(cancelled) = cancel.check() {
            let _ = child.kill();
            let _ = child.wait();
            return Err(cancelled);
        }
        std::thread::sleep(TICK);
    };
    if status.success() {
        return Ok(());
    }
    let mut said = Vec::new();
    let read = log.rewind().and_then(|()| log.read_to_end(&mut said));
    let said = String::from_utf8_lossy(&said);
    if said.contains("jdk.compiler") && said.contains("not found") {
        return Err(failed(&format!("{} is a Java without a compiler", java.home.display())));
    }
    let first = said.lines().find(|l| l.contains("error"));
    match first {
        Some(line) if line.contains("error while writing") => Err(cannot(folder, &line)),
        Some(line) => Err(failed(&line)),
        // It can be killed, or run against the limit of what may be written, without a word.
        None => Err(failed(&format!("it ended with {status}")).because(match read {
            Ok(_) => said.lines().next_back().unwrap_or("no message").to_owned(),
            Err(e) => e.to_string(),
        })),
    }
}
