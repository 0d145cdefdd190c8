//! Picks files, UDFs, candidates, settings and engines from what the user typed.

use std::path::{Path, PathBuf};

use super::args::{CandidateArgs, SettingsArgs, Which};
use super::config::Config;
use crate::check::Runners;
use crate::compare::Policy;
use crate::error::{Error, Result};
use crate::find::{Found, Udf, find};
use crate::propose::{Candidate, Tier};
use crate::run::cuda::usual_engine;
use crate::run::spark::{JAR_VARIABLE, NATIVE_VARIABLE};
use crate::run::{EngineId, Settings};
use crate::source::SourceFile;

/// A source file with what was found in it.
pub(super) struct Opened {
    pub file: SourceFile,
    pub found: Found,
}

/// Reads and searches the source file.
pub(super) fn open(which: &Which) -> Result<Opened> {
    let file = SourceFile::read(&which.file)?;
    let found = find(&file);
    Ok(Opened { file, found })
}

impl Opened {
    /// The UDF with a name; without a name the only one.
    pub fn one(&self, name: Option<&str>) -> Result<&Udf> {
        let udfs = self.some(name)?;
        match udfs[..] {
            [only] => self.parses(only).map(|()| only),
            _ => Err(Error::input(format!("{} holds {} UDFs", self.path(), udfs.len()))
                .hint(format!("choose one: --udf {}", self.names().join(" | ")))),
        }
    }

    /// The UDF with a name; without a name all.
    pub fn some(&self, name: Option<&str>) -> Result<Vec<&Udf>> {
        if self.found.udfs.is_empty() {
            return Err(self.nothing());
        }
        let Some(name) = name else {
            return Ok(self.found.udfs.iter().collect());
        };
        match self.found.by_name(name) {
            Some(udf) => Ok(vec![udf]),
            None => Err(self.unknown(name)),
        }
    }

    /// No UDF of that name: what is near, or all there is; or why what has the name is none.
    fn unknown(&self, name: &str) -> Error {
        let error = Error::input(format!("{} has no UDF named `{name}`", self.path()));
        let quoted = format!("`{name}`");
        if let Some(r) = self.found.not_udfs.iter().find(|r| r.reason.starts_with(&quoted)) {
            return error.because(&r.reason).at(self.file.location(r.span));
        }
        let near = near(name, &self.all_names());
        if near.is_empty() {
            error.hint(format!("it has: {}", self.names().join(", ")))
        } else {
            error.hint(format!("--udf {}", near.join(" | ")))
        }
    }

    fn all_names(&self) -> Vec<String> {
        let udfs = self.found.udfs.iter();
        udfs.flat_map(|u| std::iter::once(&u.name).chain(&u.aliases))
            .cloned()
            .collect()
    }

    /// Refuses a UDF that does not parse: nothing that is tried with it can succeed.
    pub fn parses(&self, udf: &Udf) -> Result<()> {
        match &udf.program {
            Err(r) if r.is_syntax() => Err(Error::compile(format!("{} does not parse", udf.name))
                .because(&r.reason)
                .at(self.file.location(r.span))),
            _ => Ok(()),
        }
    }

    fn nothing(&self) -> Error {
        match self.found.refused.first() {
            // Something is there, but it does not parse or is of a form that is not known.
            Some(r) if r.is_syntax() => Error::compile(format!("{} does not parse, and no UDF was found", self.path()))
                .because(&r.reason)
                .at(self.file.location(r.span)),
            Some(r) => Error::not_proven(format!("no UDF of {} could be understood", self.path()))
                .because(&r.reason)
                .at(self.file.location(r.span)),
            None if !self.found.not_udfs.is_empty() => {
                let r = &self.found.not_udfs[0];
                Error::input(format!("{} holds no UDF", self.path()))
                    .because(&r.reason)
                    .at(self.file.location(r.span))
            }
            None => Error::input(format!("{} holds no UDF", self.path())).hint(
                "a UDF is a class that extends FunctionN or UDFn, or a function given to udf(…) or spark.udf.register",
            ),
        }
    }

    fn path(&self) -> String {
        self.file.path.display().to_string()
    }

    fn names(&self) -> Vec<String> {
        self.found.udfs.iter().map(|u| u.name.clone()).collect()
    }
}

/// Names that a mistyped one may have meant, nearest first.
fn near(name: &str, all: &[String]) -> Vec<String> {
    let wanted = name.to_lowercase();
    let mut scored: Vec<(usize, &String)> = all
        .iter()
        .filter_map(|n| {
            let candidate = n.to_lowercase();
            let allowed = (wanted.chars().count().max(candidate.chars().count()) / 3).max(1);
            let part =
                wanted.len().min(candidate.len()) >= 3 && (candidate.contains(&wanted) || wanted.contains(&candidate));
            let far = distance(&wanted, &candidate);
            (far <= allowed || part).then_some((far, n))
        })
        .collect();
    scored.sort();
    scored.dedup();
    scored.into_iter().take(5).map(|(_, n)| n.clone()).collect()
}

/// Edit distance with swaps of neighbours.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let changed = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (rows[i - 1][j] + 1)
                .min(row[j - 1] + 1)
                .min(rows[i - 1][j - 1] + changed);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(rows[i - 2][j - 2] + 1);
            }
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// Refuses to write over a file that is read.
pub(super) fn distinct(output: &Path, inputs: &[&Path]) -> Result<()> {
    let place = std::fs::canonicalize(output);
    for input in inputs {
        if let (Ok(a), Ok(b)) = (&place, std::fs::canonicalize(input))
            && *a == b
        {
            return Err(Error::input(format!("{} would be written over", input.display()))
                .because("the output is the same file as an input")
                .hint("give another file with -o"));
        }
    }
    Ok(())
}

/// Reads the user's candidate, if there is one.
pub(super) fn candidate(args: &CandidateArgs) -> Result<Option<Candidate>> {
    let Some(path) = &args.candidate else { return Ok(None) };
    let tier = args
        .tier
        .map(Tier::from)
        .or_else(|| tier_of_path(path))
        .ok_or_else(|| {
            Error::input(format!("cannot tell the tier of {}", path.display())).hint("say it: --tier sql | cudf | cuda")
        })?;
    let text = std::fs::read(path)
        .map_err(|e| Error::input(format!("cannot read the candidate {}", path.display())).because(e))?;
    let text =
        String::from_utf8(text).map_err(|_| Error::input(format!("the candidate {} is not UTF-8", path.display())))?;
    Ok(Some(Candidate {
        tier,
        text,
        span_map: Vec::new(),
        notes: Vec::new(),
        rank: 0,
        rank_reason: "given by hand".into(),
    }))
}

fn tier_of_path(path: &Path) -> Option<Tier> {
    match path.extension()?.to_str()? {
        "sql" => Some(Tier::Sql),
        "scala" | "java" => Some(Tier::Cudf),
        "cu" | "cuh" => Some(Tier::Cuda),
        _ => None,
    }
}

/// Engines and oracles that have a name, but that this version cannot run.
const PLANNED: [&str; 1] = ["python"];

/// Oracle and engine from flags over environment over configuration; refuses names that there are not. Without a choice the
/// JVM gives the answer where this machine has a JDK and a Spark.
pub(super) fn runners(args: &SettingsArgs, config: &Config) -> Result<Runners> {
    let pick = |what: &str, given: &str, known: &[EngineId]| {
        known.iter().copied().find(|k| k.name() == given).ok_or_else(|| {
            let names: Vec<&str> = known.iter().map(|k| k.name()).collect();
            let error = match PLANNED.contains(&given) {
                true => Error::not_proven(format!("the {what} `{given}` is not available")),
                false => Error::input(format!("there is no {what} `{given}`")),
            };
            error.hint(format!(
                "there are: {}; `rewright doctor` says what they need",
                names.join(", ")
            ))
        })
    };
    let oracle = chosen(&args.oracle, "REWRIGHT_ORACLE", &config.oracle);
    let engine = chosen(&args.engine, "REWRIGHT_ENGINE", &config.engine);
    let mut runners = Runners {
        device: args.device,
        ..Runners::default()
    };
    let known = [
        EngineId::Cpu,
        EngineId::Spark,
        EngineId::Cudf,
        EngineId::Cuda,
        EngineId::CudaHost,
    ];
    match engine.map(|name| pick("engine", &name, &known)).transpose()? {
        Some(kernels @ (EngineId::Cuda | EngineId::CudaHost)) => runners.cuda = kernels,
        Some(EngineId::Cudf) => {
            runners.cudf = EngineId::Cudf;
            runners.cuda = usual_engine().unwrap_or(runners.cuda);
        }
        named => {
            runners.engine = named.unwrap_or(runners.engine);
            runners.cuda = usual_engine().unwrap_or(runners.cuda);
        }
    }
    runners.classpath = match &args.classpath[..] {
        [] => config.classpath.clone().unwrap_or_default(),
        given => given.to_vec(),
    };
    runners.rapids_jar = args.rapids_jar.clone().or_else(|| from_environment(JAR_VARIABLE));
    runners.rapids_jar = runners.rapids_jar.or_else(|| config.rapids_jar.clone());
    let native_dir = args
        .rapids_native_dir
        .clone()
        .or_else(|| from_environment(NATIVE_VARIABLE));
    runners.rapids_native_dir = native_dir.or_else(|| config.rapids_native_dir.clone());
    runners.classpath.extend(runners.rapids_jar.clone());
    match oracle {
        Some(name) => {
            runners.oracle = pick("oracle", &name, &[EngineId::Embedded, EngineId::Jvm, EngineId::Spark])?;
            Ok(runners)
        }
        None => runners.with_default_oracle(),
    }
}

/// What was chosen: by flag, by the environment, by a file.
fn chosen(flag: &Option<String>, variable: &str, file: &Option<String>) -> Option<String> {
    let environment = || std::env::var(variable).ok().filter(|v| !v.is_empty());
    flag.clone().or_else(environment).or_else(|| file.clone())
}

fn from_environment(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|v| !v.is_empty()).map(PathBuf::from)
}

/// Refuses an engine that was asked for where it does not run the tier that was asked for.
pub(super) fn engine_of_tier(args: &SettingsArgs, tier: Option<Tier>) -> Result<()> {
    let (Some(name), Some(tier)) = (&args.engine, tier) else {
        return Ok(());
    };
    let runs = match name.as_str() {
        "cuda" | "cuda-host" => tier == Tier::Cuda,
        "spark" => tier == Tier::Sql,
        "cudf" => tier == Tier::Cudf,
        _ => true,
    };
    if runs {
        return Ok(());
    }
    let of = match tier {
        Tier::Sql => "cpu and spark",
        Tier::Cudf => "cpu and cudf",
        Tier::Cuda => "cuda and cuda-host",
    };
    let tier = tier.name();
    Err(
        Error::not_proven(format!("the engine `{name}` does not run the {tier} tier"))
            .hint(format!("the {tier} tier is run by {of}")),
    )
}

/// Settings from flags over configuration.
pub(super) fn settings(args: &SettingsArgs, config: &Config) -> Result<Settings> {
    let zone = args
        .time_zone
        .clone()
        .or_else(|| config.time_zone.clone())
        .unwrap_or_else(|| "UTC".into());
    if zone.parse::<chrono_tz::Tz>().is_err() {
        return Err(Error::input(format!("`{zone}` is no time zone")).hint("give an IANA name such as Europe/Berlin"));
    }
    Ok(Settings {
        ansi: args.ansi || config.ansi.unwrap_or(false),
        time_zone: zone,
    })
}

/// Reads a policy file.
pub(super) fn policy(path: Option<&PathBuf>) -> Result<Policy> {
    let Some(path) = path else { return Ok(Policy::default()) };
    let failed = |e: &dyn std::fmt::Display| {
        Error::input(format!("cannot use the policy {}", path.display()))
            .because(e)
            .hint("it is TOML: [[accept]] with class, reason, who and optionally max_ulp, max_abs, max_rel")
    };
    let text = std::fs::read_to_string(path).map_err(|e| failed(&e))?;
    let policy: Policy = toml::from_str(&text).map_err(|e| failed(&e))?;
    for entry in &policy.entries {
        if crate::compare::class_info(&entry.class).is_none() {
            let known: Vec<_> = crate::compare::CLASSES.iter().map(|c| c.id).collect();
            return Err(
                failed(&format!("`{}` is no class", entry.class)).hint(format!("classes: {}", known.join(", ")))
            );
        }
    }
    Ok(policy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_name_is_answered_with_near_ones() {
        let all = ["normPhone", "phone", "sieve", "a", "titleCase"].map(str::to_owned);
        assert_eq!(near("normPhnoe", &all), ["normPhone"]);
        assert_eq!(near("Titlecase", &all), ["titleCase"]);
        assert_eq!(near("Phone", &all), ["phone", "normPhone"]);
        assert!(near("quantity", &all).is_empty());
    }
}
