//! Configuration: `rewright.toml` of the project over the user's file in the XDG configuration folder. Flags and the
//! environment go over both.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::error::{Error, Result};

/// What the files may set; every key may be missing.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// ANSI mode.
    pub ansi: Option<bool>,
    /// Session time zone.
    pub time_zone: Option<String>,
    /// Number of made-up rows.
    pub rows: Option<usize>,
    /// Seed of the made-up rows.
    pub seed: Option<u64>,
    /// Colours of the screen.
    pub theme: Option<String>,
    /// Whether the screen takes the mouse.
    pub mouse: Option<bool>,
    /// What runs the original.
    pub oracle: Option<String>,
    /// What runs the candidate.
    pub engine: Option<String>,
    /// Jars and class folders that originals need; from the file's own folder if they are relative.
    pub classpath: Option<Vec<PathBuf>>,
    /// The accelerator's jar that candidates are compiled against; from the file's own folder if it is relative.
    pub rapids_jar: Option<PathBuf>,
    /// The folder of the jar's native libraries; from the file's own folder if it is relative.
    pub rapids_native_dir: Option<PathBuf>,
}

impl Config {
    /// Reads both files, as far as they exist; the project is the folder of `near` or the first above it that has the file.
    pub fn load(near: &Path) -> Result<Config> {
        let user = user_file().map_or(Ok(Config::default()), |p| read(&p))?;
        let folder = std::path::absolute(near).ok();
        let project = folder
            .iter()
            .flat_map(|f| f.ancestors())
            .map(|d| d.join("rewright.toml"))
            .find(|p| p.is_file());
        let project = project.map_or(Ok(Config::default()), |p| read(&p))?;
        Ok(project.over(user))
    }

    fn over(self, other: Config) -> Config {
        Config {
            ansi: self.ansi.or(other.ansi),
            time_zone: self.time_zone.or(other.time_zone),
            rows: self.rows.or(other.rows),
            seed: self.seed.or(other.seed),
            theme: self.theme.or(other.theme),
            mouse: self.mouse.or(other.mouse),
            oracle: self.oracle.or(other.oracle),
            engine: self.engine.or(other.engine),
            classpath: self.classpath.or(other.classpath),
            rapids_jar: self.rapids_jar.or(other.rapids_jar),
            rapids_native_dir: self.rapids_native_dir.or(other.rapids_native_dir),
        }
    }
}

fn user_file() -> Option<PathBuf> {
    let base = std::env::var_os("XDG_CONFIG_HOME")
        .filter(|v| !v.is_empty())
        .map(PathBuf::from);
    let base = base.or_else(|| std::env::home_dir().map(|h| h.join(".config")))?;
    Some(base.join("rewright").join("config.toml"))
}

fn read(path: &Path) -> Result<Config> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Config::default()),
        Err(e) => return Err(Error::input(format!("cannot read {}", path.display())).because(e)),
    };
    let parsed: std::result::Result<Config, _> = toml::from_str(&text);
    let mut config = parsed.map_err(|e| {
        Error::input(format!("{} is no valid configuration", path.display()))
            .because(e)
            .hint("keys: ansi, time-zone, rows, seed, theme, mouse, oracle, engine, classpath, rapids-jar, rapids-native-dir")
    })?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let library = config.rapids_jar.iter_mut().chain(&mut config.rapids_native_dir);
    for entry in config.classpath.iter_mut().flatten().chain(library) {
        *entry = folder.join(&entry);
    }
    Ok(config)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_project_goes_over_the_user_and_a_wrong_key_is_named() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("rewright.toml");
        std::fs::write(&path, "ansi = true\nrows = 5\n").expect("writes");
        let project = read(&path).expect("valid");
        let user = Config {
            rows: Some(7),
            seed: Some(3),
            ..Config::default()
        };
        let both = project.over(user);
        assert_eq!((both.ansi, both.rows, both.seed), (Some(true), Some(5), Some(3)));
        std::fs::write(&path, "colour = 1\n").expect("writes");
        assert!(read(&path).expect_err("unknown key").to_string().contains("colour"));
    }
}
