//! Makes a Spark of rewright's own: a virtual environment in the cache with `pyspark` from the package index, which brings
//! Spark, the Scala compiler and Arrow for Java. In: a version; out: the Spark, with progress on the way. A run that was
//! stopped is continued by the next one. Never touches anything outside of the cache.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::install::{Spark, cache_dir, managed_at, python};
use crate::error::{Error, Result};

/// Marks an environment as whole.
pub(crate) const COMPLETE: &str = "complete";

/// What helps where it cannot be made.
const INSTEAD: &str = "or set SPARK_HOME to a Spark distribution";

/// The Sparks that can be set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// Spark 3.5 with Scala 2.12.
    V3_5,
    /// Spark 4 with Scala 2.13.
    V4,
}

impl Version {
    /// The name on the command line, and of the folder.
    pub fn name(self) -> &'static str {
        match self {
            Version::V3_5 => "3.5",
            Version::V4 => "4",
        }
    }

    /// What has to be loaded, in words.
    fn size(self) -> &'static str {
        match self {
            Version::V3_5 => "about 300 MB",
            Version::V4 => "about 450 MB",
        }
    }

    /// What the package index is asked for.
    fn requirement(self) -> &'static str {
        match self {
            Version::V3_5 => "pyspark>=3.5,<3.6",
            Version::V4 => "pyspark>=4.0,<5",
        }
    }
}

/// Makes it, or finds it made. `progress` gets a line for each step.
pub fn setup(version: Version, progress: &mut dyn FnMut(&str)) -> Result<Spark> {
    let root = cache_dir()
        .ok_or_else(|| Error::not_proven("there is no place for a cache").hint("set HOME or XDG_CACHE_HOME"))?
        .join("spark");
    let environment = root.join(version.name());
    if environment.join(COMPLETE).is_file()
        && let Some(found) = managed_at(&environment)
    {
        progress(&format!("Spark {} is there already", found.version));
        return Ok(found);
    }
    std::fs::create_dir_all(&root).map_err(|e| no_room(&root, &e))?;
    if !environment.join("bin/pip").exists() {
        progress(&format!("making a Python environment in {}", environment.display()));
        make_environment(&environment, INSTEAD)?;
    }
    progress(&format!(
        "installing {} ({}; the package index is asked)",
        version.requirement(),
        version.size()
    ));
    install(&environment, version.requirement(), INSTEAD, progress)?;
    let spark = managed_at(&environment).ok_or_else(|| {
        Error::not_proven(format!(
            "pyspark was installed into {} without Spark's jars",
            environment.display()
        ))
    })?;
    std::fs::write(environment.join(COMPLETE), &spark.version).map_err(|e| no_room(&root, &e))?;
    Ok(spark)
}

pub(crate) fn no_room(root: &Path, e: &std::io::Error) -> Error {
    Error::not_proven(format!("{} cannot be written", root.display()))
        .because(e)
        .hint("free some space, or set XDG_CACHE_HOME to a folder that can be written")
}

/// Makes a virtual environment; `instead` says what to do where that is not possible.
pub(crate) fn make_environment(environment: &Path, instead: &str) -> Result<()> {
    let python: PathBuf = python()
        .ok_or_else(|| Error::not_proven("no Python 3 is on PATH").hint(format!("install Python 3, {instead}")))?;
    let failed = |why: &dyn std::fmt::Display| {
        Error::not_proven("the Python environment cannot be made")
            .because(why)
            .hint("on Debian and Ubuntu: apt install python3-venv")
            .hint(instead)
    };
    let out = Command::new(&python)
        .args(["-m", "venv", "--clear"])
        .arg(environment)
        .stdin(Stdio::null())
        .output()
        .map_err(|e| failed(&e))?;
    if out.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned();
    Err(failed(
        &said
            .lines()
            .map(str::trim)
            .find(|l| !l.is_empty())
            .unwrap_or("no message"),
    ))
}

/// Installs a package of the package index into a virtual environment.
pub(crate) fn install(
    environment: &Path,
    requirement: &str,
    instead: &str,
    progress: &mut dyn FnMut(&str),
) -> Result<()> {
    let failed = |why: &dyn std::fmt::Display| {
        Error::not_proven(format!("{requirement} cannot be installed"))
            .because(why)
            .hint("run it again: what was loaded is kept")
            .hint(instead)
    };
    let mut child = Command::new(environment.join("bin/python"))
        .args([
            "-m",
            "pip",
            "install",
            "--no-input",
            "--disable-pip-version-check",
            "--progress-bar",
            "off",
        ])
        .arg(requirement)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| failed(&e))?;
    let errors = child.stderr.take().map(|pipe| {
        let read = move || std::io::read_to_string(pipe).unwrap_or_default();
        std::thread::spawn(read)
    });
    if let Some(out) = child.stdout.take() {
        for line in BufReader::new(out).lines().map_while(std::io::Result::ok) {
            progress(line.trim());
        }
    }
    let status = child.wait().map_err(|e| failed(&e))?;
    if status.success() {
        return Ok(());
    }
    let said = errors.and_then(|t| t.join().ok()).unwrap_or_default();
    let last = said
        .lines()
        .map(str::trim)
        .rfind(|l| l.to_lowercase().contains("error"));
    Err(failed(&last.unwrap_or("pip failed without a message")))
}
