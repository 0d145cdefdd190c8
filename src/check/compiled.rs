//! A `cudf` candidate is compiled before it is emulated, where a JVM worker is there for it: the emulation reads less than a
//! compiler does. In: the text; out: against what it was compiled, or an error at the line that does not compile.

use arrow::array::RecordBatch;
use arrow::datatypes::Schema;

use super::Runners;
use crate::error::{ErrorKind, Result};
use crate::propose::{Candidate, Tier};
use crate::run::spark::{Server, compile_check, does_not_compile, stubs};
use crate::run::{Cancel, EngineId, Evaluator, Evidence, Finding, Outcome, cudf};
use crate::source::Language;

/// The fact of the evidence that says against what the candidate was compiled, or why it was not.
pub const COMPILED: &str = "compiled against";

/// Compiles a candidate; `None` where there is nothing to compile or no JVM is wanted.
pub(super) fn compile(candidate: &Candidate, runners: &Runners, cancel: &Cancel) -> Result<Option<String>> {
    // The engine `cudf` compiles what it runs itself.
    if candidate.tier != Tier::Cudf || runners.oracle == EngineId::Embedded || runners.cudf == EngineId::Cudf {
        return Ok(None);
    }
    let language = cudf::language_of(&candidate.text);
    let name = match language {
        Language::Java => "candidate.java",
        _ => "candidate.scala",
    };
    match compile_check(&candidate.text, name, language, &runners.classpath, cancel) {
        Ok(messages) if messages.is_empty() => Ok(Some(against(runners))),
        Ok(messages) => Err(does_not_compile(name, &messages, &against(runners))),
        // Whether the original can be run without a worker is for the oracle to say.
        Err(e) if e.kind == ErrorKind::NotProven => Ok(Some(format!("nothing: {e}"))),
        Err(e) => Err(e),
    }
}

/// The jar that was named, else one that stands in the class path or among Spark's jars, else the stubs.
fn against(runners: &Runners) -> String {
    let found = || Server::of(&runners.classpath).ok()?.kit().accelerator();
    match runners.rapids_jar.clone().or_else(found) {
        Some(jar) => jar.display().to_string(),
        None => stubs::WHAT.to_owned(),
    }
}

/// An engine whose evidence also says that its candidate compiles.
pub(super) struct Compiled {
    engine: Box<dyn Evaluator>,
    against: String,
}

impl Compiled {
    pub fn new(engine: Box<dyn Evaluator>, against: String) -> Compiled {
        Compiled { engine, against }
    }
}

impl Evaluator for Compiled {
    fn id(&self) -> EngineId {
        self.engine.id()
    }

    fn prepare(&mut self, schema: &Schema) -> Result<Evidence> {
        let mut evidence = self.engine.prepare(schema)?;
        evidence.facts.insert(COMPILED.into(), self.against.clone());
        Ok(evidence)
    }

    fn eval(&mut self, batch: &RecordBatch, cancel: &Cancel) -> Result<Outcome> {
        self.engine.eval(batch, cancel)
    }

    fn findings(&self) -> Vec<Finding> {
        self.engine.findings()
    }
}
