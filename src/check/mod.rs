//! The differential test: inputs → oracle → engine → compare. In: a UDF, a candidate, a batch, settings and a policy;
//! out: a [`CheckReport`], or a [`NotProven`] with its reason. The screen and the shell commands both call this.

mod compiled;
mod preferred;

use std::path::PathBuf;

use arrow::array::RecordBatch;

use crate::compare::{Comparison, Policy, compare};
use crate::error::{Error, ErrorKind, Result};
use crate::find::Udf;
use crate::inputs::Recipe;
use crate::propose::{Candidate, Tier};
use crate::run::cuda::{CudaEngine, Kind, make, memory};
use crate::run::spark::{JvmOracle, Library, LibraryEngine, Server, SparkEngine};
use crate::run::{Cancel, EngineId, Evaluator, Evidence, Finding, INTERPRETER_STACK, Outcome, Settings};
use crate::run::{cudf::CudfEngine, embedded::Embedded, sql::SqlEngine};
use crate::source::SourceFile;

pub use compiled::COMPILED;
pub use preferred::INSTEAD;
use preferred::Preferred;

/// A finished test with everything that a screen or a report shows.
#[derive(Debug, Clone)]
pub struct CheckReport {
    /// The arguments, one column per parameter, in order.
    pub inputs: RecordBatch,
    /// What the original gave.
    pub oracle: Outcome,
    /// What the candidate gave.
    pub candidate: Outcome,
    /// How they compare.
    pub comparison: Comparison,
    /// What ran the original.
    pub oracle_evidence: Evidence,
    /// What ran the candidate.
    pub engine_evidence: Evidence,
    /// Leaks, double closes and the like.
    pub findings: Vec<Finding>,
}

/// What runs the original and what runs the candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runners {
    /// The oracle.
    pub oracle: EngineId,
    /// The engine of the sql tier.
    pub engine: EngineId,
    /// The engine of the cudf tier: `cpu` emulates the library.
    pub cudf: EngineId,
    /// The engine of the cuda tier; `cpu` stands for none.
    pub cuda: EngineId,
    /// Which GPU the engines `cuda` and `cudf` use.
    pub device: u32,
    /// Jars and class folders that the original needs beside Spark's.
    pub classpath: Vec<PathBuf>,
    /// Whether nobody chose the oracle. Then what no JVM of this machine can run is interpreted, and the evidence says why.
    pub by_default: bool,
    /// The accelerator's jar that `cudf` candidates are compiled against; it stands in the class path as well.
    pub rapids_jar: Option<PathBuf>,
    /// The folder of that jar's native libraries, where it does not hold them.
    pub rapids_native_dir: Option<PathBuf>,
    /// Whether kernels on a GPU are also run over and over, and under compute-sanitizer, to see that they keep to their memory.
    pub memcheck: bool,
}

impl Default for Runners {
    /// What runs in this process and needs nothing else.
    fn default() -> Runners {
        Runners {
            oracle: EngineId::Embedded,
            engine: EngineId::Cpu,
            cudf: EngineId::Cpu,
            cuda: EngineId::Cpu,
            device: 0,
            classpath: Vec::new(),
            by_default: false,
            rapids_jar: None,
            rapids_native_dir: None,
            memcheck: false,
        }
    }
}

impl Runners {
    /// The same engine with what nobody chose: the JVM where this machine has a JDK and a Spark, else this process.
    pub fn with_default_oracle(self) -> Result<Runners> {
        let oracle = match Server::of(&self.classpath) {
            Ok(server) if server.kit().java.has_compiler => EngineId::Jvm,
            // A wrong class path is the caller's mistake, not a machine without Spark.
            Err(e) if e.kind == ErrorKind::Input => return Err(e),
            _ => EngineId::Embedded,
        };
        Ok(Runners {
            oracle,
            by_default: true,
            ..self
        })
    }

    /// What really runs for a tier: the engine `spark` runs SQL only, the cuda tier has engines of its own.
    pub fn of_tier(&self, tier: Tier) -> Runners {
        let engine = match tier {
            Tier::Sql => self.engine,
            Tier::Cudf => self.cudf,
            Tier::Cuda => self.cuda,
        };
        Runners { engine, ..self.clone() }
    }

    /// The GPU that runs the kernels of a tier, if one does.
    pub fn device_of(&self, tier: Tier) -> Option<u32> {
        (tier == Tier::Cuda && self.cuda == EngineId::Cuda).then_some(self.device)
    }

    /// The user's cuDF library; says where one was looked for.
    pub(crate) fn library(&self) -> Result<Library> {
        let (jar, native_dir) = (self.rapids_jar.as_deref(), self.rapids_native_dir.as_deref());
        Library::find(jar, native_dir, self.device, Server::of(&self.classpath)?.kit())
    }

    /// Whether either runs foreign code in a process of its own, which needs the user's trust in the source.
    pub fn start_foreign_code(&self) -> bool {
        self.oracle != EngineId::Embedded || self.engine != EngineId::Cpu
    }
}

/// Makes the chosen oracle for a UDF of a file.
pub fn oracle_of(
    file: &SourceFile,
    udf: &Udf,
    settings: &Settings,
    runners: &Runners,
    cancel: &Cancel,
) -> Result<Box<dyn Evaluator>> {
    let jvm = || JvmOracle::new(file, udf, settings.clone(), &runners.classpath).map(|o| o.with_cancel(cancel));
    match runners.oracle {
        EngineId::Jvm if runners.by_default => Ok(Box::new(Preferred::new(jvm(), udf, settings))),
        EngineId::Jvm => Ok(Box::new(jvm()?)),
        EngineId::Spark => Ok(Box::new(jvm()?.through_session())),
        _ => oracle(udf, settings),
    }
}

/// Makes the oracle for a UDF. Fails with the refusal's reason and place when the UDF is not covered.
pub fn oracle(udf: &Udf, settings: &Settings) -> Result<Box<dyn Evaluator>> {
    Ok(Box::new(Embedded::new(udf, settings.clone())?))
}

/// Makes the engine that runs a candidate's text.
pub fn engine(candidate: &Candidate, udf: &Udf, settings: &Settings) -> Result<Box<dyn Evaluator>> {
    let params = udf.param_names();
    match candidate.tier {
        Tier::Sql => Ok(Box::new(SqlEngine::new(&candidate.text, params, settings.clone())?)),
        Tier::Cudf => Ok(Box::new(CudfEngine::new(&candidate.text, params, settings.clone())?)),
        Tier::Cuda => Err(
            Error::new(ErrorKind::NotProven, "a CUDA kernel does not run on the cpu engine").hint(
                "--engine cuda-host runs it with a C++ compiler, as an emulation; --engine cuda on an NVIDIA GPU",
            ),
        ),
    }
}

/// Makes the chosen engine for a candidate.
pub fn engine_of(
    candidate: &Candidate,
    udf: &Udf,
    settings: &Settings,
    runners: &Runners,
    cancel: &Cancel,
) -> Result<Box<dyn Evaluator>> {
    if candidate.tier == Tier::Cuda {
        let kind = match runners.cuda {
            EngineId::Cuda => Kind::Device(runners.device),
            EngineId::CudaHost => Kind::Host,
            _ => return engine(candidate, udf, settings),
        };
        let engine = CudaEngine::new(&candidate.text, udf.return_type.clone(), settings.clone(), kind)?;
        return Ok(Box::new(engine.with_cancel(cancel)));
    }
    if candidate.tier == Tier::Cudf && runners.cudf == EngineId::Cudf {
        let engine = library_engine(&candidate.text, udf, settings, runners, runners.library()?)?;
        return Ok(Box::new(engine.with_cancel(cancel)));
    }
    if runners.engine != EngineId::Spark {
        return engine(candidate, udf, settings);
    }
    if candidate.tier != Tier::Sql {
        let tier = candidate.tier.name();
        return Err(
            Error::not_proven(format!("the engine `spark` runs the sql tier, not {tier}"))
                .hint("--tier sql, or --engine cpu"),
        );
    }
    let engine = SparkEngine::new(&candidate.text, udf.param_names(), settings.clone(), &runners.classpath)?;
    Ok(Box::new(engine.with_cancel(cancel)))
}

/// The engine that calls the user's cuDF library, for tests and for times.
pub(crate) fn library_engine(
    text: &str,
    udf: &Udf,
    settings: &Settings,
    runners: &Runners,
    library: Library,
) -> Result<LibraryEngine> {
    let (declared, settings) = (udf.return_type.clone(), settings.clone());
    LibraryEngine::new(text, udf.param_names(), declared, settings, &runners.classpath, library)
}

/// Tests one candidate against the original over one batch, in this process.
pub fn check(
    udf: &Udf,
    candidate: &Candidate,
    inputs: &RecordBatch,
    settings: &Settings,
    policy: &Policy,
    cancel: &Cancel,
) -> Result<CheckReport> {
    let (oracle, engine) = (oracle(udf, settings)?, engine(candidate, udf, settings)?);
    run(oracle, engine, inputs, policy, cancel)
}

/// Rows for a test, as [`crate::inputs::generate`] makes them. Many of them are made on the `device` that will run the kernel, if one
/// will, which comes to the same rows.
pub fn made_up(
    file: &SourceFile,
    udf: &Udf,
    rows: usize,
    seed: u64,
    device: Option<u32>,
    cancel: &Cancel,
) -> Result<RecordBatch> {
    let recipe = Recipe::of(udf, file, seed)?;
    if let Some(device) = device {
        match make(&recipe, rows, device, cancel) {
            Ok(Some(batch)) => return Ok(batch),
            Err(e) if e.kind.ends_all() => return Err(e),
            // Whatever the device lacks is told by the engine; the rows can be had without it.
            _ => {}
        }
    }
    recipe.batch(rows)
}

/// A test of one UDF of a file.
pub struct Bench<'a> {
    /// The file.
    pub file: &'a SourceFile,
    /// The UDF.
    pub udf: &'a Udf,
    /// Zone and ANSI mode.
    pub settings: &'a Settings,
    /// What runs the two sides.
    pub runners: &'a Runners,
}

impl Bench<'_> {
    /// Tests one candidate against the original over one batch.
    pub fn check(
        &self,
        candidate: &Candidate,
        inputs: &RecordBatch,
        policy: &Policy,
        cancel: &Cancel,
    ) -> Result<CheckReport> {
        let compiled = compiled::compile(candidate, self.runners, cancel)?;
        let mut engine = self.engine(candidate, cancel)?;
        if let Some(fact) = compiled {
            engine = Box::new(compiled::Compiled::new(engine, fact));
        }
        let oracle = oracle_of(self.file, self.udf, self.settings, self.runners, cancel)?;
        let mut report = run(oracle, engine, inputs, policy, cancel)?;
        if self.runners.memcheck && candidate.tier == Tier::Cuda {
            self.memory(candidate, &mut report, cancel)?;
        }
        Ok(report)
    }

    /// Whether a kernel keeps to its memory, as evidence and findings of the test.
    fn memory(&self, candidate: &Candidate, report: &mut CheckReport, cancel: &Cancel) -> Result<()> {
        if self.runners.cuda != EngineId::Cuda {
            return Err(
                Error::not_proven("the memory of a device is looked at on a device").hint(
                    "--engine cuda runs the kernel on an NVIDIA GPU; cuda-host fences what a kernel writes by itself",
                ),
            );
        }
        let result = self.udf.return_type.as_ref();
        let found = memory(&candidate.text, result, &report.inputs, self.runners.device, cancel)?;
        report.engine_evidence.facts.extend(found.facts());
        report.findings.extend(found.findings());
        Ok(())
    }

    /// Makes the chosen engine for a candidate.
    pub fn engine(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Box<dyn Evaluator>> {
        engine_of(candidate, self.udf, self.settings, self.runners, cancel)
    }
}

/// The finding that two oracles differ.
pub const DISAGREE: &str = "oracles-disagree";

/// Where two oracles gave other outcomes for the same rows: a finding, because one of them is wrong about the original.
pub fn disagreement(before: &CheckReport, now: &CheckReport) -> Option<Finding> {
    let (a, b) = (before.oracle_evidence.engine, now.oracle_evidence.engine);
    if a == b || before.inputs != now.inputs {
        return None;
    }
    let comparison = compare(&now.inputs, &before.oracle, &now.oracle, &Policy::default());
    let first = comparison.sample.first()?;
    Some(Finding {
        id: DISAGREE.into(),
        message: format!(
            "{} and {} differ in {} rows about the original, first in row {}: {} and {}",
            a.name(),
            b.name(),
            comparison.different_rows,
            first.row,
            first.original,
            first.rewrite
        ),
        line: None,
    })
}

fn run(
    mut oracle: Box<dyn Evaluator>,
    mut engine: Box<dyn Evaluator>,
    inputs: &RecordBatch,
    policy: &Policy,
    cancel: &Cancel,
) -> Result<CheckReport> {
    let oracle_evidence = oracle.prepare(inputs.schema_ref())?;
    let engine_evidence = engine.prepare(inputs.schema_ref())?;
    // Side by side: an engine that works through whole columns leaves cores idle that the oracle's rows can use.
    let (oracle_outcome, candidate_outcome) = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("engine".into())
            .stack_size(INTERPRETER_STACK);
        let candidate = thread
            .spawn_scoped(scope, || engine.eval(inputs, cancel))
            .map_err(|e| Error::internal("no thread could be started for the engine").because(e))?;
        let original = oracle.eval(inputs, cancel);
        // A defect of the engine is told by whoever tells those of this thread.
        let candidate = candidate
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok::<_, Error>((original?, candidate?))
    })?;
    let comparison = compare(inputs, &oracle_outcome, &candidate_outcome, policy);
    Ok(CheckReport {
        inputs: inputs.clone(),
        oracle: oracle_outcome,
        candidate: candidate_outcome,
        comparison,
        oracle_evidence,
        engine_evidence,
        findings: engine.findings(),
    })
}
