//! The `pyspark` that the Python of this shell would import. In: the environment; out: its folder. Python itself is started only
//! where the folders do not tell: it takes a third of a second, and every start of the program looks.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::install::{Spark, python, pythons};

/// The Spark of that `pyspark`: that of an active environment, else of the first Python on `PATH`.
pub(super) fn importable() -> Option<Spark> {
    let active = std::env::var_os("VIRTUAL_ENV").map(|v| PathBuf::from(v).join("bin/python"));
    let python = active.filter(|p| p.is_file()).or_else(python)?;
    let folder = match Around::here().look(&python) {
        Told::Found(folder) => folder,
        Told::Nothing => return None,
        Told::Unclear => ask(&python)?,
    };
    Spark::at(&folder, &format!("pyspark of {}", python.display()))
}

/// Asks Python. Finding is enough: importing pyspark takes a second.
fn ask(python: &Path) -> Option<PathBuf> {
    let script =
        "import importlib.util as u; s = u.find_spec('pyspark'); print(s.submodule_search_locations[0] if s else '')";
    let out = Command::new(python)
        .args(["-c", script])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let folder = String::from_utf8(out.stdout).ok()?;
    Some(PathBuf::from(folder.trim())).filter(|f| !f.as_os_str().is_empty())
}

/// What the folders say.
#[derive(Debug, PartialEq, Eq)]
enum Told {
    /// It is imported from here.
    Found(PathBuf),
    /// There is none.
    Nothing,
    /// Only Python knows.
    Unclear,
}

/// What decides, beside the program, where Python imports from.
struct Around {
    /// `PYTHONPATH`.
    paths: Vec<PathBuf>,
    /// Where the packages of this user stand, if Python looks there.
    user: Option<PathBuf>,
    /// `PATH`.
    programs: Vec<PathBuf>,
}

impl Around {
    fn here() -> Around {
        let list = |name: &str| {
            let value = std::env::var_os(name).unwrap_or_default();
            std::env::split_paths(&value)
                .filter(|p| !p.as_os_str().is_empty())
                .collect()
        };
        let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty());
        let base = || {
            set("PYTHONUSERBASE")
                .map(PathBuf::from)
                .or_else(|| Some(std::env::home_dir()?.join(".local")))
        };
        Around {
            paths: list("PYTHONPATH"),
            user: if set("PYTHONNOUSERSITE").is_some() {
                None
            } else {
                base()
            },
            programs: list("PATH"),
        }
    }

    /// Where a Python would import `pyspark` from.
    fn look(&self, python: &Path) -> Told {
        if let Some(found) = self.paths.iter().map(|p| p.join("pyspark")).find(|p| p.is_dir()) {
            return Told::Found(found);
        }
        match is_script(python) {
            Some(false) => search(&self.folders(python)),
            Some(true) => self.behind(python),
            None => Told::Unclear,
        }
    }

    /// The folders of packages, in Python's order.
    fn folders(&self, python: &Path) -> Vec<PathBuf> {
        let own = |program: &Path| program.parent().and_then(Path::parent).map(Path::to_owned);
        let real = std::fs::canonicalize(python).unwrap_or_else(|_| python.to_owned());
        let version = version_of(&real);
        // A virtual environment is told by its file; its program is often a link to that of another Python.
        let environment = own(python).filter(|p| p.join("pyvenv.cfg").is_file());
        let Some(environment) = environment else {
            let prefix = own(&real).unwrap_or_else(|| "/".into());
            return self.system(&prefix, version.as_deref());
        };
        let mut all = packages(&environment, version.as_deref());
        let settings = std::fs::read_to_string(environment.join("pyvenv.cfg")).unwrap_or_default();
        let setting = |key: &str| {
            let mut pairs = settings.lines().filter_map(|l| l.split_once('='));
            pairs.find(|(k, _)| k.trim() == key).map(|(_, v)| v.trim().to_owned())
        };
        if setting("include-system-site-packages").is_some_and(|v| v.eq_ignore_ascii_case("true"))
            && let Some(home) = setting("home")
            && let Some(prefix) = Path::new(&home).parent()
        {
            all.extend(self.system(prefix, version.as_deref()));
        }
        all
    }

    /// Of a Python that is no virtual environment: the user's packages, then those of everybody.
    fn system(&self, prefix: &Path, version: Option<&str>) -> Vec<PathBuf> {
        let user = self.user.iter().flat_map(|u| packages(u, version));
        user.chain(packages(prefix, version))
            .chain(packages(&prefix.join("local"), version))
            .collect()
    }

    /// A program that starts one of several Pythons, as version managers have it. Which one, only it knows; but where none of
    /// them has the package there is nothing to ask.
    fn behind(&self, script: &Path) -> Told {
        let Some(root) = script.parent().filter(|p| p.ends_with("shims")).and_then(Path::parent) else {
            return Told::Unclear;
        };
        let kept = ["versions", "installs/python"].map(|f| root.join(f));
        let installed = kept
            .iter()
            .flat_map(|f| std::fs::read_dir(f).into_iter().flatten().flatten());
        let mut folders: Vec<PathBuf> = installed.flat_map(|e| self.system(&e.path(), None)).collect();
        if folders.is_empty() {
            return Told::Unclear;
        }
        // It may be told to take the next one of the path.
        let programs = pythons(self.programs.iter().cloned());
        for program in programs.filter(|p| is_script(p) == Some(false)) {
            folders.extend(self.folders(&program));
        }
        match search(&folders) {
            Told::Nothing => Told::Nothing,
            _ => Told::Unclear,
        }
    }
}

/// Whether a program is a text that another one runs; `None` if it cannot be read.
fn is_script(program: &Path) -> Option<bool> {
    let mut first = [0; 2];
    std::fs::File::open(program).ok()?.read_exact(&mut first).ok()?;
    Some(&first == b"#!")
}

/// The version that a program's name tells: `python3.11`.
fn version_of(program: &Path) -> Option<String> {
    let name = program.file_name()?.to_str()?;
    let minor = name.strip_prefix("python3.")?;
    minor.bytes().all(|b| b.is_ascii_digit()).then(|| name.to_owned())
}

/// The folders of packages below a prefix; without a version, of all.
fn packages(prefix: &Path, version: Option<&str>) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for lib in ["lib", "lib64"].map(|l| prefix.join(l)) {
        let names = match version {
            // `python3` is where Debian keeps what serves every version.
            Some(version) => vec![version.to_owned(), "python3".to_owned()],
            None => std::fs::read_dir(&lib)
                .into_iter()
                .flatten()
                .flatten()
                .filter_map(|e| e.file_name().into_string().ok())
                .filter(|n| n.starts_with("python3"))
                .collect(),
        };
        for name in names {
            all.extend(["site-packages", "dist-packages"].map(|p| lib.join(&name).join(p)));
        }
    }
    all.retain(|p| p.is_dir());
    all
}

/// Looks into folders and into what their `.pth` files add.
fn search(folders: &[PathBuf]) -> Told {
    for folder in folders {
        let here = folder.join("pyspark");
        if here.is_dir() {
            return Told::Found(here);
        }
    }
    for folder in folders {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_none_or(|e| e != "pth") {
                continue;
            }
            match added(folder, &path) {
                Told::Nothing => {}
                told => return told,
            }
        }
    }
    Told::Nothing
}

/// What a `.pth` file adds: a folder on each line, or code that Python runs.
fn added(folder: &Path, file: &Path) -> Told {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    for line in text
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
    {
        if line.starts_with("import ") {
            // An editable installation of the package itself comes as code.
            if file.to_string_lossy().contains("pyspark") || line.contains("pyspark") {
                return Told::Unclear;
            }
            continue;
        }
        let there = folder.join(line).join("pyspark");
        if there.is_dir() {
            return Told::Found(there);
        }
    }
    Told::Nothing
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Machine {
        dir: tempfile::TempDir,
        around: Around,
    }

    impl Machine {
        /// With Pythons at these paths: programs, or scripts where a path has `shims` in it.
        fn with(programs: &[&str]) -> Machine {
            let dir = tempfile::tempdir().unwrap();
            for program in programs {
                let path = dir.path().join(program);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                let text = if program.contains("shims") {
                    "#!/bin/sh\nexit 1\n"
                } else {
                    "\u{7f}ELF"
                };
                std::fs::write(path, text).unwrap();
            }
            let around = Around {
                paths: Vec::new(),
                user: Some(dir.path().join("home/.local")),
                programs: Vec::new(),
            };
            Machine { dir, around }
        }

        fn path(&self, path: &str) -> PathBuf {
            self.dir.path().join(path)
        }

        fn folder(&self, path: &str) -> PathBuf {
            std::fs::create_dir_all(self.path(path)).unwrap();
            self.path(path)
        }

        fn look(&self, python: &str) -> Told {
            self.around.look(&self.path(python))
        }
    }

    #[test]
    fn packages_of_the_system_of_the_user_and_of_a_path() {
        let mut machine = Machine::with(&["usr/bin/python3.11"]);
        std::os::unix::fs::symlink("python3.11", machine.path("usr/bin/python3")).unwrap();
        machine.folder("usr/lib/python3.12/site-packages/pyspark");
        assert_eq!(machine.look("usr/bin/python3"), Told::Nothing, "of another version");
        let system = machine.folder("usr/local/lib/python3.11/dist-packages/pyspark");
        let real = |p: PathBuf| std::fs::canonicalize(p).unwrap();
        assert_eq!(machine.look("usr/bin/python3"), Told::Found(real(system)));
        let user = machine.folder("home/.local/lib/python3.11/site-packages/pyspark");
        assert_eq!(machine.look("usr/bin/python3"), Told::Found(user));
        machine.around.paths = vec![machine.path("mine")];
        let mine = machine.folder("mine/pyspark");
        assert_eq!(machine.look("usr/bin/python3"), Told::Found(mine));
    }

    #[test]
    fn a_virtual_environment_has_its_own_and_those_of_the_system_only_where_it_says_so() {
        let machine = Machine::with(&["usr/bin/python3.11"]);
        let system = machine.folder("usr/lib/python3.11/site-packages/pyspark");
        machine.folder("venv/bin");
        machine.folder("venv/lib/python3.11/site-packages");
        std::os::unix::fs::symlink(machine.path("usr/bin/python3.11"), machine.path("venv/bin/python")).unwrap();
        let home = machine.path("usr/bin").display().to_string();
        let settings = |system: bool| format!("home = {home}\ninclude-system-site-packages = {system}\n");
        std::fs::write(machine.path("venv/pyvenv.cfg"), settings(false)).unwrap();
        assert_eq!(machine.look("venv/bin/python"), Told::Nothing);
        std::fs::write(machine.path("venv/pyvenv.cfg"), settings(true)).unwrap();
        assert_eq!(machine.look("venv/bin/python"), Told::Found(system));
        let own = machine.folder("venv/lib/python3.11/site-packages/pyspark");
        assert_eq!(machine.look("venv/bin/python"), Told::Found(own));
    }

    #[test]
    fn a_version_manager_is_asked_only_where_one_of_its_pythons_has_it() {
        let machine = Machine::with(&["pyenv/shims/python3", "pyenv/versions/3.11.7/bin/python3.11"]);
        machine.folder("pyenv/versions/3.11.7/lib/python3.11/site-packages");
        assert_eq!(machine.look("pyenv/shims/python3"), Told::Nothing);
        machine.folder("pyenv/versions/3.11.7/lib/python3.11/site-packages/pyspark");
        assert_eq!(machine.look("pyenv/shims/python3"), Told::Unclear);
        let other = Machine::with(&["other/shims/python3"]);
        assert_eq!(other.look("other/shims/python3"), Told::Unclear);
    }

    #[test]
    fn what_a_pth_file_adds_counts() {
        let machine = Machine::with(&["opt/bin/python3.10"]);
        let folder = machine.folder("opt/lib/python3.10/site-packages");
        let code = machine.folder("src/python/pyspark");
        std::fs::write(folder.join("distutils.pth"), "import os; os.getcwd()\n").unwrap();
        assert_eq!(machine.look("opt/bin/python3.10"), Told::Nothing);
        std::fs::write(
            folder.join("mine.pth"),
            format!("# a checkout\n{}\n", machine.path("src/python").display()),
        )
        .unwrap();
        assert_eq!(machine.look("opt/bin/python3.10"), Told::Found(code));
        std::fs::remove_file(folder.join("mine.pth")).unwrap();
        std::fs::write(
            folder.join("__editable__.pyspark-4.0.0.pth"),
            "import __editable___finder\n",
        )
        .unwrap();
        assert_eq!(machine.look("opt/bin/python3.10"), Told::Unclear);
    }
}
