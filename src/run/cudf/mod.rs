//! Being written.

use arrow::array::RecordBatch;

use crate::error::{Error, Result};
use crate::run::{Cancel, EngineId, Evaluator, Evidence, Outcome, Settings};

/// Being written.
pub struct CudfEngine;

impl CudfEngine {
    /// Being written.
    pub fn new(text: &str, params: Vec<String>, settings: Settings) -> Result<CudfEngine> {
        let _ = (text, params, settings);
        Err(Error::internal("not written yet"))
    }
}

impl Evaluator for CudfEngine {
    fn id(&self) -> EngineId {
        EngineId::Cpu
    }
    fn prepare(&mut self, _schema: &arrow::datatypes::Schema) -> Result<Evidence> {
        Err(Error::internal("not written yet"))
    }
    fn eval(&mut self, _batch: &RecordBatch, _cancel: &Cancel) -> Result<Outcome> {
        Err(Error::internal("not written yet"))
    }
}
