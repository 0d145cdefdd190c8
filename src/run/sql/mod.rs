//! Being written.

use arrow::array::RecordBatch;

use crate::error::{Error, Result};
use crate::run::{Cancel, EngineId, Evaluator, Evidence, Outcome, Settings};

/// Being written.
pub struct SqlEngine;

impl SqlEngine {
    /// Being written.
    pub fn new(text: &str, params: Vec<String>, settings: Settings) -> Result<SqlEngine> {
        let _ = (text, params, settings);
        Err(Error::internal("not written yet"))
    }
}

impl Evaluator for SqlEngine {
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
