//! `rewright doctor`: what this machine can do, and how to get what is missing. Starts nothing of the user's.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::config::Config;
use super::output::Output;
use crate::error::Result;
use crate::run::cuda::{Compiler, Survey, survey};
use crate::run::spark::{Java, Kit, Library, Spark};

/// One capability.
#[derive(Debug, Serialize)]
struct Capability {
    /// Stable id.
    id: &'static str,
    /// Whether this build can use it here.
    available: bool,
    /// What was found.
    found: String,
    /// What it is for, or how to get it.
    note: String,
}

pub(super) fn run(out: &mut Output) -> Result<u8> {
    let mut all = vec![
        oracle(),
        cpu_engine(),
        editor(),
        colours(),
        state_folder(),
        java(),
        spark(),
        accelerator(),
        host_compiler(),
    ];
    let kernels = cuda();
    let gpu = kernels
        .iter()
        .any(|c| c.id == "gpu" && c.found.starts_with("engine: device"));
    all.push(library(gpu));
    all.extend(kernels);
    if out.is_json() {
        out.object(&serde_json::json!({
            "format": crate::report::JSON_FORMAT, "version": env!("CARGO_PKG_VERSION"), "capabilities": all,
        }));
        return Ok(0);
    }
    out.text(&format!("rewright {}\n", env!("CARGO_PKG_VERSION")));
    for c in &all {
        let mark = if c.available { "=" } else { "-" };
        out.text(&format!(
            "  {mark} {:<10} {}\n",
            c.id,
            crate::report::printable(&c.found)
        ));
        if !out.is_quiet() {
            out.text(&format!("               {}\n", c.note));
        }
    }
    Ok(0)
}

fn oracle() -> Capability {
    Capability {
        id: "embedded",
        available: true,
        found: "oracle: Scala and Java UDFs interpreted with the JVM's semantics".into(),
        note: "needs nothing else; refuses what it does not cover; the default where there is no JDK or no Spark"
            .into(),
    }
}

fn cpu_engine() -> Capability {
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    Capability {
        id: "cpu",
        available: true,
        found: format!(
            "engine: {} functions and operators of Spark SQL, {} calls of cuDF, over Arrow on {threads} threads",
            crate::run::sql::supported_functions().len(),
            crate::run::cudf::emulated_calls().len()
        ),
        note: "an emulation: a GPU may still differ in the classes that a candidate's notes name".into(),
    }
}

fn editor() -> Capability {
    let name = ["VISUAL", "EDITOR"]
        .into_iter()
        .find_map(|v| std::env::var(v).ok().filter(|e| !e.is_empty()));
    Capability {
        id: "editor",
        available: name.is_some(),
        found: name.unwrap_or_else(|| "neither VISUAL nor EDITOR is set".into()),
        note: "`e` on the screen edits a rewrite in it; without it vi is tried".into(),
    }
}

fn colours() -> Capability {
    let term = std::env::var("TERM").unwrap_or_default();
    let off = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty()) || term == "dumb" || term.is_empty();
    Capability {
        id: "colour",
        available: !off,
        found: format!("TERM={term}{}", if off { ", no colours" } else { "" }),
        note: "every mark has a glyph as well: = ~ ! + -".into(),
    }
}

fn state_folder() -> Capability {
    let folder = crate::session::state_dir();
    let writable = folder.as_ref().is_some_and(|f| {
        let existing = f.ancestors().find(|a| a.exists()).map(PathBuf::from);
        existing.is_some_and(|e| std::fs::metadata(e).is_ok_and(|m| !m.permissions().readonly()))
    });
    Capability {
        id: "sessions",
        available: writable,
        found: folder.map_or("no home folder".into(), |f| f.display().to_string()),
        note: "where sessions are kept unless --session says otherwise".into(),
    }
}

fn java() -> Capability {
    let found = Java::find();
    let note = match &found {
        None => "the jvm and spark oracles and the spark engine need a JDK 17: set JAVA_HOME to one".into(),
        Some(j) if !j.has_compiler => "a Java without a compiler: the JVM worker needs a JDK".into(),
        Some(j) if j.major().is_some_and(|m| m < 11) => {
            "too old for the JVM worker: it needs 11, with Spark 4 17".into()
        }
        Some(_) => {
            "runs the JVM worker: --oracle jvm (the default with a Spark), --oracle spark, --engine spark".to_owned()
        }
    };
    Capability {
        id: "java",
        available: found
            .as_ref()
            .is_some_and(|j| j.has_compiler && j.major().is_none_or(|m| m >= 11)),
        found: found.map_or("no Java on PATH or in JAVA_HOME".into(), |j| {
            let version = j.version.as_deref().unwrap_or("of unknown version");
            let passed_over =
                Java::unusable_home().map(|home| format!("; JAVA_HOME={} has no bin/java", home.display()));
            let passed_over = passed_over.unwrap_or_default();
            format!("Java {version} ({}, by {}{passed_over})", j.program.display(), j.by)
        }),
        note,
    }
}

fn spark() -> Capability {
    let found = Spark::find();
    let missing = found.as_ref().map(Spark::missing_jars).unwrap_or_default();
    let available = found.is_some() && missing.is_empty();
    let note = match &found {
        None => "`rewright setup spark` gets one, in the cache; or set SPARK_HOME".into(),
        Some(_) if !available => format!("it lacks jars: {}", missing.join(", ")),
        Some(s) => format!(
            "originals in Scala {} and Java run as Spark runs them; SQL runs in a real Spark",
            s.scala
        ),
    };
    Capability {
        id: "spark",
        available,
        found: found.map_or("no Spark in SPARK_HOME, in the cache or in Python".into(), |s| {
            format!(
                "Spark {} (Scala {}) in {}, by {}",
                s.version,
                s.scala,
                s.home.display(),
                s.by
            )
        }),
        note,
    }
}

fn accelerator() -> Capability {
    let jar = Kit::find(&[]).ok().and_then(|kit| kit.accelerator());
    Capability {
        id: "rapids",
        available: jar.is_some(),
        found: jar.map_or("no rapids-4-spark jar among Spark's jars".into(), |j| {
            j.display().to_string()
        }),
        note: "cudf candidates are compiled against it (or --rapids-jar), else against the signatures of its API"
            .into(),
    }
}

/// The user's cuDF library, as the configuration of this folder, the environment or Spark's jars name it.
fn library(gpu: bool) -> Capability {
    let config = Config::load(Path::new(".")).unwrap_or_default();
    let (jar, native_dir) = (config.rapids_jar.as_deref(), config.rapids_native_dir.as_deref());
    let found = Kit::find(&[]).and_then(|kit| Library::find(jar, native_dir, 0, &kit));
    let (found, note) = match &found {
        Err(e) => (e.to_string(), e.hints.join("; ")),
        Ok(library) => {
            let natives = library.native_dir.as_ref();
            let natives = natives.map_or(String::new(), |d| format!(", native libraries in {}", d.display()));
            let note = match gpu {
                true => "calls evaluateColumnar with the real cuDF: --engine cudf, --device N",
                false => "--engine cudf needs an NVIDIA GPU with its driver; candidates are compiled against it anyway",
            };
            (format!("engine: {}{natives}", library.jar.display()), note.to_owned())
        }
    };
    Capability {
        id: "cudf",
        available: gpu && found.starts_with("engine:"),
        found,
        note,
    }
}

fn host_compiler() -> Capability {
    let found = Compiler::find();
    Capability {
        id: "cuda-host",
        available: found.is_ok(),
        found: match &found {
            Ok(c) => format!("engine: kernels built by {} ({})", c.program.display(), c.version),
            Err(_) => "no C++ compiler on PATH or in CXX".into(),
        },
        note: match &found {
            Ok(_) => "an emulation: the same text, one thread after the other, in a process of its own".into(),
            Err(_) => "on Debian and Ubuntu: apt install g++".into(),
        },
    }
}

/// What the worker for kernels finds: their compiler, and the devices.
fn cuda() -> Vec<Capability> {
    let survey = survey();
    let (survey, failed) = match survey {
        Ok(survey) => (survey, None),
        Err(e) => (Survey::default(), Some(e.to_string())),
    };
    let why = |no: &Option<String>| no.clone().or(failed.clone()).unwrap_or_else(|| "not found".into());
    let fact =
        |facts: &BTreeMap<String, String>, key: &str| facts.get(key).cloned().unwrap_or_else(|| "unknown".into());
    let nvrtc = Capability {
        id: "nvrtc",
        available: survey.nvrtc.is_some(),
        found: match &survey.nvrtc {
            Some(n) => format!("NVRTC {}, by {}", fact(n, "version"), fact(n, "by")),
            None => why(&survey.no_nvrtc),
        },
        note: match &survey.nvrtc {
            Some(_) => "compiles kernels for a GPU, which needs none: registers and spills are shown".into(),
            None => "`rewright setup cuda` gets it, in the cache; it needs no GPU".into(),
        },
    };
    let driver = survey.driver.as_ref().map(|d| {
        let part = |key: &str| d.get(key).cloned().flatten().unwrap_or_else(|| "unknown".into());
        format!("driver {}, CUDA {}", part("release"), part("cuda"))
    });
    let gpu = |available, found, note: &str| Capability {
        id: "gpu",
        available,
        found,
        note: note.into(),
    };
    let usable = survey.nvrtc.is_some();
    let mut all = vec![nvrtc];
    match driver {
        None => all.push(gpu(
            false,
            why(&survey.no_driver),
            "the engine cuda needs an NVIDIA GPU with its driver",
        )),
        Some(driver) if survey.devices.is_empty() => {
            all.push(gpu(
                false,
                format!("no GPU, {driver}"),
                "the engine cuda needs an NVIDIA GPU",
            ));
        }
        Some(driver) => all.extend(survey.devices.iter().enumerate().map(|(n, d)| {
            let found = format!(
                "engine: device {n}, {} with {}, compute capability {}, {driver}",
                fact(d, "device"),
                fact(d, "memory"),
                fact(d, "compute capability")
            );
            let note = if usable {
                "runs kernels: --engine cuda, --device N"
            } else {
                "runs kernels once NVRTC is there"
            };
            gpu(usable, found, note)
        })),
    }
    all
}
