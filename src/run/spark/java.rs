//! Finds Java. In: the environment; out: the program, its version and whether it brings a compiler. Starts nothing.

use std::path::{Path, PathBuf};

/// A Java installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Java {
    /// The `java` program.
    pub program: PathBuf,
    /// Its home.
    pub home: PathBuf,
    /// The version as it names itself: `17.0.15`; `None` if its files do not say.
    pub version: Option<String>,
    /// Whether it is a JDK.
    pub has_compiler: bool,
    /// What named it: `JAVA_HOME` or `PATH`.
    pub by: &'static str,
}

impl Java {
    /// The Java of `JAVA_HOME`, else the first on `PATH`.
    pub fn find() -> Option<Java> {
        if let Some(program) = named_home().map(|h| h.join("bin/java")).filter(|p| p.is_file()) {
            return Some(Java::at(program, "JAVA_HOME"));
        }
        let path = std::env::var_os("PATH")?;
        let program = std::env::split_paths(&path)
            .map(|d| d.join("java"))
            .find(|p| p.is_file())?;
        Some(Java::at(program, "PATH"))
    }

    /// What `JAVA_HOME` names, where there is no Java in it.
    pub fn unusable_home() -> Option<PathBuf> {
        named_home().filter(|home| !home.join("bin/java").is_file())
    }

    /// The Java of a program.
    pub fn at(program: PathBuf, by: &'static str) -> Java {
        let real = std::fs::canonicalize(&program).unwrap_or_else(|_| program.clone());
        let home = real.parent().and_then(Path::parent).unwrap_or(&real).to_owned();
        let release = std::fs::read_to_string(home.join("release")).unwrap_or_default();
        let version = release_value(&release, "JAVA_VERSION");
        let modules = release_value(&release, "MODULES");
        let listed = modules.is_some_and(|m| m.split_whitespace().any(|m| m == "jdk.compiler"));
        // A package manager may split the JDK: the module is listed only where it was built in, javac stands beside java.
        let has_compiler = home.join("bin/javac").is_file() || listed && home.join("lib/ct.sym").is_file();
        Java {
            program,
            home,
            version,
            has_compiler,
            by,
        }
    }

    /// The feature release: 8, 11, 17…
    pub fn major(&self) -> Option<u32> {
        let version = self.version.as_deref()?;
        let rest = version.strip_prefix("1.").unwrap_or(version);
        rest.split(['.', '-', '+', '_']).next()?.parse().ok()
    }
}

/// What `JAVA_HOME` names.
fn named_home() -> Option<PathBuf> {
    let named = std::env::var_os("JAVA_HOME").filter(|v| !v.is_empty())?;
    Some(PathBuf::from(named))
}

fn release_value(release: &str, key: &str) -> Option<String> {
    let line = release.lines().find_map(|l| l.strip_prefix(key)?.strip_prefix('='))?;
    Some(line.trim().trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn java(version: &str) -> Option<u32> {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("bin")).unwrap();
        std::fs::write(dir.path().join("bin/java"), "").unwrap();
        std::fs::write(dir.path().join("release"), format!("JAVA_VERSION=\"{version}\"\n")).unwrap();
        let found = Java::at(dir.path().join("bin/java"), "PATH");
        assert!(!found.has_compiler);
        found.major()
    }

    #[test]
    fn versions_before_and_after_nine() {
        assert_eq!(java("1.8.0_402"), Some(8));
        assert_eq!(java("17.0.15"), Some(17));
        assert_eq!(java("25-ea"), Some(25));
    }
}
