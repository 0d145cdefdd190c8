//! The engines `cuda` and `cuda-host`. In: a candidate's text and batches; out: outcomes, with what compiled and ran it as
//! evidence. Runs no kernel itself: that is the worker's.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use arrow::array::{ArrayRef, AsArray, RecordBatch, StringBuilder};
use arrow::datatypes::{DataType, Int32Type, Schema};
use serde_json::Value;

use super::codes::{Code, code};
use super::host;
use super::params::Kernel;
use super::plan::Plan;
use super::server::{COMPILE_LIMIT, Kind, Server, compile_check, output, over_held, with_columns};
use super::{Compiler, Nvrtc};
use crate::error::{Error, Result};
use crate::run::spark::columns;
use crate::run::{Cancel, EngineId, Evaluator, Evidence, Finding, NotRun, Outcome, Settings};

/// How long a run may take.
const RUN_LIMIT: Duration = Duration::from_secs(120);

/// Runs one kernel.
pub struct CudaEngine {
    server: Arc<Server>,
    kind: Kind,
    text: String,
    result: Option<DataType>,
    settings: Settings,
    cancel: Cancel,
    limit: Duration,
    findings: Vec<Finding>,
}

impl CudaEngine {
    /// An engine for a candidate's text whose result is of this type; where that is not known, the kernel's declaration says it.
    pub fn new(text: &str, result: Option<DataType>, settings: Settings, kind: Kind) -> Result<CudaEngine> {
        crate::propose::cuda::check_form(text)?;
        if kind == Kind::Host {
            host::covers(text)?;
        }
        Ok(CudaEngine {
            server: Server::of(kind),
            kind,
            text: text.to_owned(),
            result,
            settings,
            cancel: Cancel::default(),
            limit: RUN_LIMIT,
            findings: Vec::new(),
        })
    }

    /// A switch that also stops compiling.
    pub fn with_cancel(mut self, cancel: &Cancel) -> CudaEngine {
        self.cancel = cancel.clone();
        self
    }

    /// Another limit for a run.
    pub fn with_limit(mut self, limit: Duration) -> CudaEngine {
        self.limit = limit;
        self
    }

    fn ask<T>(
        &self,
        batch: &RecordBatch,
        limit: Duration,
        cancel: &Cancel,
        take: impl FnOnce(Value, &Path) -> Result<T>,
    ) -> Result<T> {
        let request = |base: &Path, token: Option<u64>| match token {
            Some(token) => over_held("run", &self.text, self.result.as_ref(), token, base),
            None => with_columns("run", &self.text, self.result.as_ref(), batch, base),
        };
        let doing = match batch.num_rows() {
            0 => "compiling the kernel",
            _ => "running the kernel",
        };
        self.server
            .hold(cancel)?
            .call_over(Some(batch), doing, limit, cancel, request, |reply, base| {
                take(reply, &output(base))
            })
    }

    /// What NVRTC says of the text, where it is at hand: a kernel that only the host's compiler takes is no kernel.
    fn compiled(&self) -> Result<BTreeMap<String, String>> {
        if self.kind != Kind::Host || Nvrtc::find(None).is_none() {
            return Ok(BTreeMap::new());
        }
        match compile_check(&self.text, &self.cancel) {
            Ok(compiled) => Ok(compiled.facts),
            Err(e) if e.kind == crate::error::ErrorKind::NotProven => Ok(BTreeMap::new()),
            Err(e) => Err(e),
        }
    }
}

impl Evaluator for CudaEngine {
    fn id(&self) -> EngineId {
        match self.kind {
            Kind::Host => EngineId::CudaHost,
            Kind::Device(_) => EngineId::Cuda,
        }
    }

    fn prepare(&mut self, schema: &Schema) -> Result<Evidence> {
        // What can be told without a worker is told at once.
        let kernel = Kernel::parse(&self.text)?;
        Plan::of(&kernel, schema, self.result.as_ref())?;
        if self.kind == Kind::Host {
            Compiler::present()?;
        }
        let empty = RecordBatch::new_empty(Arc::new(schema.clone()));
        let reply = self.ask(&empty, COMPILE_LIMIT, &self.cancel, |reply, _| Ok(reply))?;
        let mut facts: BTreeMap<String, String> = serde_json::from_value(reply["facts"].clone())
            .map_err(|e| Error::internal("the worker's facts cannot be read").because(e))?;
        facts.extend(self.compiled()?);
        facts.insert("time zone".into(), self.settings.time_zone.clone());
        Ok(Evidence {
            engine: self.id(),
            version: reply["version"].as_str().unwrap_or("unknown").to_owned(),
            facts,
        })
    }

    fn eval(&mut self, batch: &RecordBatch, cancel: &Cancel) -> Result<Outcome> {
        let (outcome, findings) = self.ask(batch, self.limit, cancel, |reply, output| {
            let findings: Vec<Finding> = serde_json::from_value(reply["findings"].clone())
                .map_err(|e| Error::internal("the worker's findings cannot be read").because(e))?;
            Ok((read(output, batch.num_rows())?, findings))
        })?;
        self.findings = findings;
        Ok(outcome)
    }

    fn findings(&self) -> Vec<Finding> {
        self.findings.clone()
    }
}

/// The outcome in a worker's file, which is removed.
pub(super) fn read(path: &Path, rows: usize) -> Result<Outcome> {
    let failed = |e: &dyn std::fmt::Display| Error::internal("the worker's columns cannot be read").because(e);
    let batch = columns::take(path)?;
    if batch.num_rows() != rows {
        return Err(failed(&format!("{} rows came back for {rows}", batch.num_rows())));
    }
    match batch.columns() {
        [values] => Ok(Outcome::of_values(values.clone())),
        [values, codes] => {
            let codes = codes.as_primitive_opt::<Int32Type>();
            let codes = codes.ok_or_else(|| failed(&"no error codes"))?;
            Ok(outcome(values.clone(), codes.values()))
        }
        more => Err(failed(&format!("{} columns", more.len()))),
    }
}

/// Values and error codes as outcomes.
fn outcome(values: ArrayRef, codes: &[i32]) -> Outcome {
    if codes.iter().all(|c| *c == 0) {
        return Outcome::of_values(values);
    }
    let (mut errors, mut not_run) = (StringBuilder::new(), NotRun::default());
    for (row, number) in codes.iter().enumerate() {
        let threw = match code(*number) {
            Code::Fine => None,
            Code::Threw(class) => Some(class),
            Code::NotCovered => {
                not_run.add(row, "the kernel does not cover this row (error code 255)", None);
                None
            }
            Code::Unknown => {
                let text = format!("the kernel wrote the error code {number}, which stands for nothing");
                not_run.add(row, &text, None);
                None
            }
        };
        errors.append_option(threw);
    }
    let errors = errors.finish();
    let threw = arrow::array::Array::null_count(&errors) < codes.len();
    Outcome {
        not_run,
        ..Outcome::with_errors(values, threw.then_some(errors))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::Int32Array;

    #[test]
    fn codes_are_values_exceptions_or_rows_that_were_not_run() {
        let values: ArrayRef = Arc::new(Int32Array::from(vec![Some(1), None, None, None]));
        let out = outcome(values.clone(), &[0, 2, 255, 77]);
        assert_eq!(
            (out.error(0), out.error(1), out.error(2)),
            (None, Some("ArithmeticException"), None)
        );
        assert_eq!(out.not_run.len(), 2);
        assert!(outcome(values, &[0; 4]).errors.is_none());
    }
}
