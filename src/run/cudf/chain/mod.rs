//! The calls of a cuDF candidate as kernels of their own, one launch a call, for timing where the library is not at hand. In: a
//! candidate and rows; out: what it called over these, each call as the text of a kernel that reads and writes whole columns. A call
//! that has no such kernel is refused with its name. Runs no kernel.

mod binary;
mod decimal;
mod emit;
mod record;
mod types;

use std::collections::HashMap;

use arrow::array::RecordBatch;
use arrow::datatypes::DataType;

use super::dtype::DType;
use super::value::V;
use super::{CudfEngine, interp, outcome_of};
use crate::error::{Error, Result};
use crate::run::cuda::{Chain, ChainJob, Step};
use crate::run::{Cancel, Outcome};

pub use record::Traced;
use record::{Gives, Known};

/// Calls that start nothing on the device.
const FREE: &[&str] = &["close", "incRefCount", "getRefCount", "getType", "getRowCount"];

impl CudfEngine {
    /// The calls as kernels, and what the emulation gave for the same rows.
    pub fn chain(&mut self, batch: &RecordBatch, cancel: &Cancel) -> Result<(ChainJob, Outcome)> {
        let batch = self.ordered(batch)?;
        let mut run = interp::Interp::new(&self.file, &self.unit, self.main.clone(), cancel);
        run.trace = Some(Vec::new());
        let (outcome, result) = outcome_of(&mut run, &batch)?;
        let Some(V::Ref(result)) = result.filter(|_| outcome.errors.is_none()) else {
            return Err(Error::not_proven("its calls give no column for these rows"));
        };
        let trace = run.trace.take().unwrap_or_default();
        let job = build(&trace, result, &batch, outcome.values.data_type())?;
        Ok((job, outcome))
    }
}

/// Where columns of the trace are in the chain.
struct Slots {
    of: HashMap<usize, usize>,
    count: usize,
}

fn build(trace: &[Traced], result: usize, batch: &RecordBatch, ty: &DataType) -> Result<ChainJob> {
    let columns = batch.num_columns();
    let mut slots = Slots {
        of: (0..columns).map(|i| (i, i)).collect(),
        count: columns,
    };
    let mut steps = Vec::new();
    let mut types: HashMap<usize, DType> = HashMap::new();
    for call in trace.iter().filter(|t| !FREE.contains(&t.name.as_str())) {
        let why = |why: String| refused(call, &why);
        match call.gives {
            Gives::Column(id, _) if slots.of.contains_key(&id) => {}
            Gives::Column(id, dtype) => {
                types.insert(id, dtype);
                if let Some(same) = emit::same_memory(call) {
                    let slot = slots.of.get(&same).copied();
                    slots
                        .of
                        .insert(id, slot.ok_or_else(|| why("its column is unknown".into()))?);
                    continue;
                }
                let kernel = emit::kernel(call, dtype, batch.num_rows()).map_err(why)?;
                let operands = kernel.columns.iter().map(|c| slots.of.get(c).copied());
                let operands: Option<Vec<usize>> = operands.collect();
                steps.push(Step {
                    call: call.name.clone(),
                    text: kernel.text,
                    operands: operands.ok_or_else(|| why("one of its columns is unknown".into()))?,
                    width: kernel.width,
                });
                slots.of.insert(id, slots.count);
                slots.count += 1;
            }
            Gives::Scalar | Gives::Other if !call.reads_columns() => {}
            Gives::Scalar | Gives::Other => return Err(why("it hands a value to the host".into())),
        }
    }
    let result_slot = slots.of.get(&result).copied().filter(|s| *s >= columns);
    let result_slot = result_slot.ok_or_else(|| Error::not_proven("it gives one of its arguments back"))?;
    let used = |slot: &usize| steps.iter().any(|s| s.operands.contains(slot));
    let inputs: Vec<usize> = (0..columns).filter(used).collect();
    let renumber = |slot: usize| match slot.checked_sub(columns) {
        Some(step) => Some(inputs.len() + step),
        None => inputs.iter().position(|i| *i == slot),
    };
    for step in &mut steps {
        let operands: Option<Vec<usize>> = step.operands.iter().map(|s| renumber(*s)).collect();
        step.operands = operands.ok_or_else(|| Error::internal("an operand that is no column"))?;
    }
    let result_slot = renumber(result_slot).ok_or_else(|| Error::internal("a result that is no column"))?;
    if inputs.is_empty() {
        return Err(Error::not_proven("its calls read no column"));
    }
    let columns = batch
        .project(&inputs)
        .map_err(|e| Error::internal("the columns make no batch").because(e))?;
    let out = types.get(&result).copied();
    let out = out.ok_or_else(|| Error::internal("a result without a type"))?;
    Ok(ChainJob {
        chain: Chain {
            declaration: types::declaration(&columns, out)?,
            result: result_slot,
            steps,
        },
        inputs: columns,
        result: ty.clone(),
    })
}

fn refused(call: &Traced, why: &str) -> Error {
    Error::not_proven(format!(
        "`{}` in line {} has no kernel of its own here: {why}",
        call.name, call.line
    ))
}

/// The type of a column or scalar.
fn dtype_of(known: &Known) -> DType {
    match known {
        Known::Column(_, t) => *t,
        Known::Scalar(s) => s.dtype,
    }
}
