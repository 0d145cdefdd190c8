//! The user's cuDF library. In: a jar that was named, or the places where one usually is; out: what a worker needs to call it, with
//! the worker's own classes for it compiled once per content. Never loads it into this process.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::build::{self, COMPLETE, Compiler};
use super::kit::Kit;
use crate::error::{Error, Result};
use crate::run::Cancel;

/// The variable that names the jar where no flag and no configuration does.
pub const JAR_VARIABLE: &str = "REWRIGHT_RAPIDS_JAR";
/// The variable that names the folder of native libraries.
pub const NATIVE_VARIABLE: &str = "REWRIGHT_RAPIDS_NATIVE_DIR";

/// The side of the worker that calls the library.
const SOURCES: [(&str, &str); 9] = [
    ("Call.java", include_str!("../../../assets/jvm/cudf/Call.java")),
    (
        "Candidate.java",
        include_str!("../../../assets/jvm/cudf/Candidate.java"),
    ),
    ("Findings.java", include_str!("../../../assets/jvm/cudf/Findings.java")),
    ("Ledger.java", include_str!("../../../assets/jvm/cudf/Ledger.java")),
    ("Library.java", include_str!("../../../assets/jvm/cudf/Library.java")),
    ("Natives.java", include_str!("../../../assets/jvm/cudf/Natives.java")),
    ("Timing.java", include_str!("../../../assets/jvm/cudf/Timing.java")),
    ("ToDevice.java", include_str!("../../../assets/jvm/cudf/ToDevice.java")),
    ("ToHost.java", include_str!("../../../assets/jvm/cudf/ToHost.java")),
];

/// The interface of columnar UDFs, which a jar of cuDF alone does not have.
const INTERFACE: (&str, &str) = (
    "com/nvidia/spark/RapidsUDF.java",
    include_str!("../../../assets/jvm/cudf/RapidsUDF.java"),
);

/// A library on a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Library {
    /// The accelerator's jar, or one of cuDF alone.
    pub jar: PathBuf,
    /// A folder of native libraries, where the jar does not hold them.
    pub native_dir: Option<PathBuf>,
    /// Which device of this machine.
    pub device: u32,
    /// Whether calls are timed: memory then comes from a pool, as in an executor, and nobody books references.
    pub timed: bool,
}

/// What was made for a jar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Made {
    /// The worker's classes that call the library.
    pub classes: PathBuf,
    /// The interface, for jars without it.
    pub interface: PathBuf,
}

impl Library {
    /// The jar that was named, else that of the environment, else one in the class path or among Spark's jars.
    pub fn find(jar: Option<&Path>, native_dir: Option<&Path>, device: u32, kit: &Kit) -> Result<Library> {
        let named = |given: Option<&Path>, variable: &str| {
            let environment = || std::env::var_os(variable).filter(|v| !v.is_empty()).map(PathBuf::from);
            given.map(Path::to_owned).or_else(environment)
        };
        let jar = named(jar, JAR_VARIABLE)
            .or_else(|| kit.accelerator())
            .ok_or_else(|| {
                Error::not_proven("no cuDF library was found for the engine `cudf`").hint(format!(
                    "name the RAPIDS Accelerator's jar (rapids-4-spark_*.jar) or a cudf jar: --rapids-jar, rapids-jar in rewright.toml, \
                     {JAR_VARIABLE}, or put it into Spark's jars; `--engine cpu` emulates cuDF and needs none"
                ))
            })?;
        if !jar.exists() {
            return Err(
                Error::input(format!("the cuDF library {} does not exist", jar.display()))
                    .hint("--rapids-jar names the RAPIDS Accelerator's jar or a cudf jar"),
            );
        }
        let native_dir = named(native_dir, NATIVE_VARIABLE);
        if let Some(dir) = native_dir.as_deref().filter(|d| !d.is_dir()) {
            return Err(
                Error::input(format!("{} is no folder of native libraries", dir.display()))
                    .hint("--rapids-native-dir names the folder with libcudf.so and libcudfjni.so"),
            );
        }
        Ok(Library {
            jar: absolute(&jar),
            native_dir: native_dir.as_deref().map(absolute),
            device,
            timed: false,
        })
    }

    /// The same for timing.
    pub fn timed(self) -> Library {
        Library { timed: true, ..self }
    }

    /// The JVM's options for it.
    pub(super) fn options(&self) -> Vec<OsString> {
        let mut options: Vec<OsString> = vec!["-XX:-CreateCoredumpOnCrash".into()];
        if !self.timed {
            // Where each reference was taken and given back, which is how a leak gets its line.
            options.push("-Dai.rapids.refcount.debug=true".into());
        }
        if let Some(dir) = &self.native_dir {
            let mut option = OsString::from("-Dai.rapids.cudf.lib-native-dir=");
            option.push(dir);
            options.push(option);
        }
        options
    }

    /// Where the native libraries look for those that they need in turn.
    pub(super) fn environment(&self) -> Vec<(OsString, OsString)> {
        const VARIABLE: &str = "LD_LIBRARY_PATH";
        let Some(dir) = &self.native_dir else {
            return Vec::new();
        };
        let mut path = dir.clone().into_os_string();
        if let Some(before) = std::env::var_os(VARIABLE).filter(|v| !v.is_empty()) {
            path.push(":");
            path.push(before);
        }
        vec![(VARIABLE.into(), path)]
    }

    /// The worker's classes for this jar; compiles them if they are not there yet. `own` are the worker's other classes.
    pub(super) fn made(&self, compiler: &Compiler<'_>, own: &Path, cancel: &Cancel) -> Result<Made> {
        let folder = self.folder(compiler)?;
        if !folder.join(COMPLETE).is_file() {
            self.make(compiler, own, &folder, cancel)?;
        }
        Ok(Made {
            classes: folder.join("classes"),
            interface: folder.join("interface"),
        })
    }

    /// SHA-256 of the jar, read once per content; of a folder of classes, none.
    pub fn digest(&self, kit: &Kit) -> Option<String> {
        let folder = self.folder(&kit.compiler()).ok()?;
        std::fs::read_to_string(folder.join("digest"))
            .ok()
            .filter(|d| !d.is_empty())
    }

    /// What stands for the jar's content without reading all of it: a change to the file changes one of these.
    fn folder(&self, compiler: &Compiler<'_>) -> Result<PathBuf> {
        let failed = |e: std::io::Error| {
            Error::input(format!("the cuDF library {} cannot be read", self.jar.display())).because(e)
        };
        let meta = std::fs::metadata(&self.jar).map_err(failed)?;
        let mut hash = Sha256::new();
        hash.update(self.jar.as_os_str().as_encoded_bytes());
        for number in [meta.len() as i64, meta.ino() as i64, meta.ctime(), meta.ctime_nsec()] {
            hash.update(number.to_le_bytes());
        }
        for (name, text) in SOURCES {
            hash.update(name);
            hash.update(text);
        }
        hash.update(INTERFACE.1);
        hash.update(compiler.key());
        Ok(build::root()?.join(format!("cudf-{}", build::hex(&hash.finalize()))))
    }

    fn make(&self, compiler: &Compiler<'_>, own: &Path, folder: &Path, cancel: &Cancel) -> Result<()> {
        let groups = [
            ("interface", vec![(INTERFACE.0.to_owned(), INTERFACE.1.to_owned())]),
            ("classes", SOURCES.map(|(n, t)| (n.to_owned(), t.to_owned())).into()),
        ];
        build::make_folder(folder, |making| {
            for (name, files) in &groups {
                let into = making.join(name);
                let jars = [self.jar.clone(), own.to_owned(), making.join("interface")];
                compiler
                    .compile(&jars, &into, files, cancel)
                    .map_err(|e| self.no_library(e))?;
            }
            let digest = if self.jar.is_file() {
                sha256(&self.jar)?
            } else {
                String::new()
            };
            std::fs::write(making.join("digest"), digest).map_err(|e| build::cannot(folder, &e))
        })
    }

    /// A compiler that misses the library's classes says that the jar is none, or another release.
    fn no_library(&self, e: Error) -> Error {
        let said = e.to_string();
        let jar = self.jar.display();
        let hint = "--rapids-jar names the RAPIDS Accelerator's jar (rapids-4-spark_*.jar) or a cudf jar";
        if said.contains("ai.rapids.cudf") && said.contains("does not exist") || said.contains("error reading") {
            return Error::not_proven(format!("{jar} is no cuDF library: it has no classes of ai.rapids.cudf"))
                .hint(hint);
        }
        if said.contains("cannot find symbol") || said.contains("cannot be applied") {
            return Error::not_proven(format!(
                "{jar} is of a release whose classes the engine `cudf` does not know"
            ))
            .because(said)
            .hint("cuDF 23.12 to 26.10 have them");
        }
        e
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn sha256(path: &Path) -> Result<String> {
    let failed = |e: std::io::Error| Error::input(format!("{} cannot be read", path.display())).because(e);
    let mut file = File::open(path).map_err(failed)?;
    let (mut hash, mut buffer) = (Sha256::new(), vec![0; 1 << 20]);
    loop {
        match file.read(&mut buffer).map_err(failed)? {
            0 => break,
            n => hash.update(&buffer[..n]),
        }
    }
    Ok(build::hex(&hash.finalize()))
}
