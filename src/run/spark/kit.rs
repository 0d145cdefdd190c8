//! What a worker is made of: a Java, a Spark and the user's jars. In: the environment; out: how to start the worker, or what is
//! missing and how to get it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use super::accelerator::Library;
use super::build;
use super::install::Spark;
use super::java::Java;
use crate::error::{Error, Result};
use crate::run::Cancel;
use crate::run::worker::Launch;

/// Packages that Spark and Arrow reach into; Spark's own scripts open the same.
const OPENED: [&str; 13] = [
    "java.lang",
    "java.lang.invoke",
    "java.lang.reflect",
    "java.io",
    "java.net",
    "java.nio",
    "java.util",
    "java.util.concurrent",
    "java.util.concurrent.atomic",
    "sun.nio.ch",
    "sun.nio.cs",
    "sun.security.action",
    "sun.util.calendar",
];

/// A JVM on a busy machine needs its time.
const START_LIMIT: Duration = Duration::from_secs(180);

/// A Java and a Spark that go together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kit {
    /// The Java.
    pub java: Java,
    /// The Spark.
    pub spark: Spark,
    /// Jars and class folders of the user.
    pub classpath: Vec<PathBuf>,
    /// The cuDF library that its worker calls.
    pub library: Option<Library>,
}

impl Kit {
    /// Finds both; says what is missing or does not fit.
    pub fn find(classpath: &[PathBuf]) -> Result<Kit> {
        let java = Java::find().ok_or_else(|| {
            Error::not_proven("no Java was found in JAVA_HOME or on PATH")
                .hint("install a JDK 17, or set JAVA_HOME to one; `--oracle embedded` needs none")
        })?;
        let spark = Spark::find().ok_or_else(|| {
            Error::not_proven("no Spark was found in SPARK_HOME, in the cache or in Python")
                .hint("`rewright setup spark` gets one; `--oracle embedded` needs none")
        })?;
        let kit = Kit {
            java,
            spark,
            classpath: classpath.to_vec(),
            library: None,
        };
        kit.fits()?;
        Ok(kit)
    }

    /// Whether this Java can run this Spark.
    fn fits(&self) -> Result<()> {
        let least = if self.spark.major().is_some_and(|m| m >= 4) {
            17
        } else {
            11
        };
        if let Some(major) = self.java.major().filter(|m| *m < least) {
            return Err(Error::not_proven(format!(
                "Java {major} is too old: Spark {} needs {least} or newer here",
                self.spark.version
            ))
            .because(format!("found {} by {}", self.java.program.display(), self.java.by))
            .hint("set JAVA_HOME to a JDK 17"));
        }
        let missing = self.spark.missing_jars();
        if !missing.is_empty() {
            return Err(Error::not_proven(format!(
                "the Spark in {} lacks jars: {}",
                self.spark.home.display(),
                missing.join(", ")
            ))
            .hint("use a whole distribution, or `rewright setup spark`"));
        }
        for jar in &self.classpath {
            if !jar.exists() {
                return Err(Error::input(format!(
                    "{} of the class path does not exist",
                    jar.display()
                )));
            }
        }
        Ok(())
    }

    /// The folder of our own classes for this Java and this Spark; compiles them on first use.
    pub fn classes(&self, cancel: &Cancel) -> Result<PathBuf> {
        build::classes(&self.java, &self.spark, cancel).map(|made| made.classes)
    }

    /// The accelerator's jar that candidates are compiled against: one of the class path, else one among Spark's; without any
    /// there are only stubs.
    pub fn accelerator(&self) -> Option<PathBuf> {
        let is_one = |p: &PathBuf| {
            let name = p
                .file_name()
                .map(|n| n.to_string_lossy().into_owned())
                .unwrap_or_default();
            name.starts_with("rapids-4-spark") && name.ends_with(".jar")
        };
        let among_sparks = || {
            let jars = std::fs::read_dir(self.spark.jars()).ok()?;
            jars.flatten().map(|e| e.path()).find(is_one)
        };
        self.classpath.iter().find(|p| is_one(p)).cloned().or_else(among_sparks)
    }

    /// Java with what Spark needs of it and a quiet log, for another program than the worker.
    pub fn java_command(&self, cancel: &Cancel) -> Result<Command> {
        let classes = self.classes(cancel)?;
        let mut command = Command::new(&self.java.program);
        command.args(opened());
        command.args(["-XX:-UsePerfData", "-Djava.awt.headless=true", "-Dfile.encoding=UTF-8"]);
        let logging = classes.join("log4j2.properties");
        command.arg(format!("-Dlog4j2.configurationFile={}", logging.display()));
        Ok(command)
    }

    /// What compiles the worker's own classes.
    pub(super) fn compiler(&self) -> build::Compiler<'_> {
        build::Compiler {
            java: &self.java,
            spark: &self.spark,
        }
    }

    /// The worker's class path; compiles its classes on first use.
    fn whole_classpath(&self, cancel: &Cancel) -> Result<OsString> {
        let made = build::classes(&self.java, &self.spark, cancel)?;
        let mut parts = vec![made.classes.clone()];
        let mut last = made.stubs;
        if let Some(library) = &self.library {
            let side = library.made(&self.compiler(), &made.classes, cancel)?;
            // The library that was named goes before another one among Spark's jars.
            parts.extend([side.classes, library.jar.clone()]);
            last = side.interface;
        }
        parts.push(self.spark.jars().join("*"));
        let absolute = |jar: &PathBuf| std::path::absolute(jar).unwrap_or_else(|_| jar.clone());
        parts.extend(self.classpath.iter().map(absolute));
        // Last, so that a jar of the accelerator goes before it.
        parts.push(last);
        let mut whole = OsString::new();
        for (i, part) in parts.into_iter().enumerate() {
            whole.push(if i == 0 { "" } else { ":" });
            whole.push(part);
        }
        Ok(whole)
    }

    /// How to start the worker; compiles it on first use.
    pub fn launch(&self, life: Life, cancel: &Cancel) -> Result<Launch> {
        let classpath = self.whole_classpath(cancel)?;
        let mut args: Vec<OsString> = opened().collect();
        let options = [
            "-XX:+UseParallelGC",
            "-XX:-UsePerfData",
            "-Xshare:auto",
            // Each time the classes outgrow their space the whole heap is collected; they do so four times before a first test.
            "-XX:MetaspaceSize=256m",
            // Spark's own code reads an element before it asks whether that is null, which rows allow and Arrow does not.
            "-Darrow.enable_null_check_for_get=false",
            "-Djava.awt.headless=true",
            "-Dfile.encoding=UTF-8",
            "-Duser.language=en",
            "-Duser.country=US",
            "-Dio.netty.tryReflectionSetAccessible=true",
            "-cp",
        ];
        args.extend(life.options().iter().map(OsString::from));
        let library = self.library.as_ref();
        args.extend(library.map(Library::options).unwrap_or_default());
        args.extend(options.map(OsString::from));
        args.push(classpath);
        args.push("rewright.worker.Main".into());
        Ok(Launch {
            name: match library {
                Some(_) => "the JVM worker with cuDF".into(),
                None => "the JVM worker".into(),
            },
            program: self.java.program.clone(),
            args,
            environment: library.map(Library::environment).unwrap_or_default(),
            start_limit: START_LIMIT,
        })
    }
}

/// How long a worker is going to be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    /// For one command.
    Once,
    /// While a user works, who tests again and again.
    Long,
}

impl Life {
    /// A worker that compiles one UDF ends before the second of HotSpot's compilers has earned its own time, which is half
    /// of all that such a run takes. Its thresholds are ten times as high there; a loop over many rows still reaches them.
    fn options(self) -> &'static [&'static str] {
        match self {
            Life::Long => &[],
            Life::Once => &[
                "-XX:Tier4InvocationThreshold=50000",
                "-XX:Tier4MinInvocationThreshold=6000",
                "-XX:Tier4CompileThreshold=150000",
                "-XX:Tier4BackEdgeThreshold=400000",
            ],
        }
    }
}

/// Opens the packages.
fn opened() -> impl Iterator<Item = OsString> {
    OPENED
        .iter()
        .map(|p| format!("--add-opens=java.base/{p}=ALL-UNNAMED").into())
}
