//! Finds Spark. In: the environment and the cache; out: a folder of jars with the versions that their names tell.

use std::path::{Path, PathBuf};

use super::pyspark::importable;

/// A Spark installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spark {
    /// The folder that holds `jars`.
    pub home: PathBuf,
    /// Spark's version: `3.5.9`.
    pub version: String,
    /// Scala's, as far as jars are compatible: `2.12`.
    pub scala: String,
    /// What named it, in words: `SPARK_HOME`, `pyspark of python3`, `rewright setup spark`.
    pub by: String,
}

impl Spark {
    /// The Spark of `SPARK_HOME`, else of an importable `pyspark`, else the newest that `rewright setup spark` made.
    pub fn find() -> Option<Spark> {
        if let Some(home) = std::env::var_os("SPARK_HOME").filter(|v| !v.is_empty())
            && let Some(found) = Spark::at(Path::new(&home), "SPARK_HOME")
        {
            return Some(found);
        }
        // A managed one costs nothing to look for; Python may have to be started.
        managed().into_iter().next().or_else(importable)
    }

    /// The Spark of a folder.
    pub fn at(home: &Path, by: &str) -> Option<Spark> {
        let jars = std::fs::read_dir(home.join("jars")).ok()?;
        let names = jars.flatten().filter_map(|e| e.file_name().into_string().ok());
        let (scala, version) = names.into_iter().find_map(|n| {
            let rest = n.strip_prefix("spark-catalyst_")?.strip_suffix(".jar")?;
            rest.split_once('-').map(|(s, v)| (s.to_owned(), v.to_owned()))
        })?;
        Some(Spark {
            home: home.to_owned(),
            version,
            scala,
            by: by.to_owned(),
        })
    }

    /// The folder of its jars.
    pub fn jars(&self) -> PathBuf {
        self.home.join("jars")
    }

    /// The feature release: 3, 4.
    pub fn major(&self) -> Option<u32> {
        self.version.split('.').next()?.parse().ok()
    }

    /// What is missing among the jars that the worker needs.
    pub fn missing_jars(&self) -> Vec<&'static str> {
        let names: Vec<String> = std::fs::read_dir(self.jars())
            .map(|d| d.flatten().filter_map(|e| e.file_name().into_string().ok()).collect())
            .unwrap_or_default();
        let needed = [
            "scala-compiler",
            "scala-library",
            "scala-reflect",
            "arrow-vector",
            "jackson-databind",
            "spark-sql_",
        ];
        needed
            .into_iter()
            .filter(|p| !names.iter().any(|n| n.starts_with(p)))
            .collect()
    }
}

/// The cache of this user: `XDG_CACHE_HOME/rewright`, else `~/.cache/rewright`.
pub fn cache_dir() -> Option<PathBuf> {
    let base = std::env::var_os("XDG_CACHE_HOME")
        .filter(|v| !v.is_empty())
        .map(PathBuf::from);
    let base = base.or_else(|| std::env::home_dir().map(|h| h.join(".cache")))?;
    Some(base.join("rewright"))
}

/// The Sparks that `rewright setup spark` made, newest first.
pub fn managed() -> Vec<Spark> {
    let Some(root) = cache_dir().map(|c| c.join("spark")) else {
        return Vec::new();
    };
    let mut found: Vec<Spark> = std::fs::read_dir(root)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|e| e.path().join(super::setup::COMPLETE).is_file())
        .filter_map(|e| managed_at(&e.path()))
        .collect();
    found.sort_by_key(|s| std::cmp::Reverse(version_key(&s.version)));
    found
}

/// The Spark inside of a virtual environment.
pub fn managed_at(environment: &Path) -> Option<Spark> {
    let lib = std::fs::read_dir(environment.join("lib")).ok()?;
    lib.flatten()
        .find_map(|e| Spark::at(&e.path().join("site-packages/pyspark"), "`rewright setup spark`"))
}

fn version_key(version: &str) -> Vec<u32> {
    version.split(['.', '-']).map(|p| p.parse().unwrap_or(0)).collect()
}

/// The first Python 3 on `PATH`.
pub fn python() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    pythons(std::env::split_paths(&path)).find(|p| p.is_file())
}

/// Where Python may stand in folders of programs, the likelier name first.
pub(super) fn pythons(folders: impl Iterator<Item = PathBuf>) -> impl Iterator<Item = PathBuf> {
    folders.flat_map(|d| [d.join("python3"), d.join("python")])
}
