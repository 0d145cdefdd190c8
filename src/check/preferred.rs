//! The oracle that nobody chose: the JVM, and the interpreter where no JVM of this machine can run the function. In: both, for
//! one UDF; out: the outcomes of one of them, with the reason if it is not the JVM. What the user's own code does in a JVM,
//! not to compile or not to end among it, is the answer and never a reason to ask the other.

use arrow::array::RecordBatch;
use arrow::datatypes::Schema;

use super::oracle;
use crate::error::{Error, ErrorKind, Result};
use crate::find::Udf;
use crate::run::spark::JvmOracle;
use crate::run::{Cancel, EngineId, Evaluator, Evidence, Outcome, Settings};

/// The fact of the evidence that says why the original was interpreted although the JVM was wanted.
pub const INSTEAD: &str = "not in a jvm";

pub(super) struct Preferred {
    jvm: Result<JvmOracle>,
    udf: Udf,
    settings: Settings,
    interpreter: Option<Box<dyn Evaluator>>,
}

impl Preferred {
    /// The JVM's oracle, or why there is none, for a UDF.
    pub fn new(jvm: Result<JvmOracle>, udf: &Udf, settings: &Settings) -> Preferred {
        Preferred {
            jvm,
            udf: udf.clone(),
            settings: settings.clone(),
            interpreter: None,
        }
    }

    fn interpret(&mut self, schema: &Schema, why: Error) -> Result<Evidence> {
        let hint = format!("and not run in a JVM: {why}");
        let add = |e: Error| e.hint(&hint);
        let mut interpreter = oracle(&self.udf, &self.settings).map_err(add)?;
        let mut evidence = interpreter.prepare(schema).map_err(add)?;
        evidence.facts.insert(INSTEAD.into(), why.to_string());
        self.interpreter = Some(interpreter);
        Ok(evidence)
    }
}

/// Whether an error is about the machine or about reaching the function: one with a place is about the user's code.
fn is_elsewhere(e: &Error) -> bool {
    e.kind == ErrorKind::NotProven && e.location.is_none()
}

impl Evaluator for Preferred {
    fn id(&self) -> EngineId {
        match self.interpreter {
            Some(_) => EngineId::Embedded,
            None => EngineId::Jvm,
        }
    }

    fn prepare(&mut self, schema: &Schema) -> Result<Evidence> {
        self.interpreter = None;
        let prepared = match &mut self.jvm {
            Ok(jvm) => jvm.prepare(schema),
            Err(e) => Err(e.clone()),
        };
        match prepared {
            Err(e) if is_elsewhere(&e) => self.interpret(schema, e),
            other => other,
        }
    }

    fn eval(&mut self, batch: &RecordBatch, cancel: &Cancel) -> Result<Outcome> {
        match (&mut self.interpreter, &mut self.jvm) {
            (Some(interpreter), _) => interpreter.eval(batch, cancel),
            (None, Ok(jvm)) => jvm.eval(batch, cancel),
            (None, Err(e)) => Err(e.clone()),
        }
    }
}
