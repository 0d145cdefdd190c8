//! Being written.

use arrow::array::RecordBatch;

use crate::error::{Error, Result};
use crate::run::{Cancel, EngineId, Evaluator, Evidence, Outcome, Settings};

/// Being written.
pub struct Embedded;

impl Embedded {
    /// Being written.
    pub fn new(udf: &crate::find::Udf, settings: Settings) -> Result<Embedded> {
        let _ = (udf, settings);
        Err(Error::internal("not written yet"))
    }
}

impl Evaluator for Embedded {
    fn id(&self) -> EngineId {
        EngineId::Embedded
    }
    fn prepare(&mut self, _schema: &arrow::datatypes::Schema) -> Result<Evidence> {
        Err(Error::internal("not written yet"))
    }
    fn eval(&mut self, _batch: &RecordBatch, _cancel: &Cancel) -> Result<Outcome> {
        Err(Error::internal("not written yet"))
    }
}
