//! Runs the compiled entry over the rows of a batch, ranges of rows in parallel. In: a machine and columns; out: values and
//! exceptions per row. A row that cannot be decided ends the whole run.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, RecordBatch, StringArray, StringBuilder};
use arrow::buffer::NullBuffer;
use arrow::datatypes::DataType;
use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::find::{NullRule, UdfParam};
use crate::jvm::time::Zone;
use crate::jvm::value::{Throw, Value};
use crate::run::{Cancel, Outcome};
use crate::source::Span;

use super::bits;
use super::columns::{self, BitReader, Reader, Shapes};
use super::machine::{Body, Bounds, Cx, Machine, Slot, Stop, Unit, cell};
use super::results::Out;

/// Rows between two looks at the cancel switch.
const CANCEL_EVERY: usize = 2048;
/// Smallest range of rows that is worth a thread of its own.
const SMALLEST_RANGE: usize = 512;

/// A run that came to nothing, and where in the source if that is known.
pub struct Failed {
    /// Why.
    pub error: Box<Error>,
    /// The loop or call that reached a bound.
    pub at: Option<Span>,
}

impl From<Error> for Failed {
    fn from(error: Error) -> Failed {
        Failed {
            error: Box::new(error),
            at: None,
        }
    }
}

/// One parameter's column.
enum Input {
    /// A primitive parameter: where it is null, the function is not called.
    Bits(usize, BitReader, Option<NullBuffer>),
    /// Any other parameter.
    Value(Slot, Reader, Option<NullBuffer>),
}

/// What a run needs.
pub struct Run<'a> {
    /// The compiled program.
    pub machine: &'a Machine,
    /// Index of the entry.
    pub entry: usize,
    /// What column readers need.
    pub shapes: &'a Shapes,
    /// Result type.
    pub result: &'a DataType,
    /// Parameters of the UDF.
    pub params: &'a [UdfParam],
    /// Bounds of a row.
    pub bounds: Bounds,
    /// The session's zone.
    pub zone: &'a Zone,
    /// Name of the UDF.
    pub name: &'a str,
}

struct Part {
    values: ArrayRef,
    errors: Option<StringArray>,
}

impl Run<'_> {
    /// Runs over a batch.
    pub fn batch(&self, batch: &RecordBatch, cancel: &Cancel) -> std::result::Result<Outcome, Failed> {
        let unit = &self.machine.functions[self.entry];
        let rows = batch.num_rows();
        let inputs = self.inputs(batch, unit)?;
        let range = rows.div_ceil(rayon::current_num_threads() * 4).max(SMALLEST_RANGE);
        let starts: Vec<usize> = (0..rows).step_by(range).collect();
        let parts = starts
            .par_iter()
            .map(|start| self.range(unit, &inputs, *start, (*start + range).min(rows), cancel))
            .collect::<std::result::Result<Vec<Part>, Failed>>()?;
        Ok(self.join(parts)?)
    }

    fn inputs(&self, batch: &RecordBatch, unit: &Unit) -> Result<Vec<Input>> {
        if unit.params.len() != batch.num_columns() || self.params.len() != batch.num_columns() {
            return Err(Error::internal(
                "the batch has another number of columns than was prepared",
            ));
        }
        let mut inputs = Vec::new();
        for ((slot, param), column) in unit.params.iter().zip(self.params).zip(batch.columns()) {
            let skip = match param.null_rule {
                NullRule::ResultIsNull => column.logical_nulls(),
                NullRule::PassedOn => None,
            };
            inputs.push(match slot {
                Slot::Prim(i, prim) => {
                    let column = columns::canonical(column)?;
                    let nulls = column.logical_nulls();
                    Input::Bits(*i, columns::bits_of(&column, *prim)?, nulls)
                }
                other => Input::Value(*other, columns::reader(column, &param.ty, self.shapes)?, skip),
            });
        }
        Ok(inputs)
    }

    fn range(
        &self,
        unit: &Unit,
        inputs: &[Input],
        start: usize,
        end: usize,
        cancel: &Cancel,
    ) -> std::result::Result<Part, Failed> {
        let mut cx = Cx::new(self.machine, self.bounds);
        let mut out = Out::new(self.result, end - start, self.zone)?;
        let mut errors: Option<StringBuilder> = None;
        let frame = cx
            .enter(unit, 0, 0)
            .map_err(|_| Error::internal("no frame for the entry"))?;
        for row in start..end {
            if row % CANCEL_EVERY == 0 {
                cancel.check()?;
            }
            cx.next_row();
            let ran = match load(&mut cx, inputs, row) {
                Ok(true) => run_row(&mut cx, unit, &mut out),
                Ok(false) => {
                    out.push_null();
                    Ok(Ok(()))
                }
                Err(stop) => Err(stop),
            };
            let error = match ran {
                Ok(Ok(())) => None,
                Ok(Err(reason)) => return Err(self.refused(row, &reason).into()),
                Err(stop) => Some(self.threw(&mut cx, row, stop)?),
            };
            if let Some(class) = &error {
                out.push_null();
                let errors = errors.get_or_insert_with(|| nulls(row - start));
                errors.append_value(class);
            } else if let Some(errors) = &mut errors {
                errors.append_null();
            }
        }
        cx.leave(frame);
        Ok(Part {
            values: out.finish()?,
            errors: errors.map(|mut e| e.finish()),
        })
    }

    /// The exception class of a row that threw, or the end of the run.
    fn threw(&self, cx: &mut Cx<'_>, row: usize, stop: Stop) -> std::result::Result<String, Failed> {
        match super::machine::thrown(stop) {
            Throw::Exception(e) => Ok(e.class.clone()),
            Throw::Limit(what) => Err(Failed {
                error: Box::new(
                    Error::not_proven(format!("row {row} of `{}` could not be finished", self.name)).because(what),
                ),
                at: cx.at,
            }),
            Throw::Unsupported(reason) => Err(self.refused(row, &reason).into()),
            Throw::Control(_) => Err(self.refused(row, "a jump out of the function").into()),
        }
    }

    fn refused(&self, row: usize, reason: &str) -> Error {
        Error::not_proven(format!("the embedded oracle cannot run row {row} of `{}`", self.name)).because(reason)
    }

    fn join(&self, parts: Vec<Part>) -> Result<Outcome> {
        if parts.is_empty() {
            return Ok(Outcome::of_values(arrow::array::new_empty_array(self.result)));
        }
        let failed = |e| Error::internal("the ranges of a result do not fit together").because(e);
        let values: Vec<&dyn Array> = parts.iter().map(|p| &*p.values).collect();
        let values = match values.len() {
            1 => parts[0].values.clone(),
            _ => arrow::compute::concat(&values).map_err(failed)?,
        };
        if parts.iter().all(|p| p.errors.is_none()) {
            return Ok(Outcome::of_values(values));
        }
        let pieces: Vec<ArrayRef> = parts
            .iter()
            .map(|p| match &p.errors {
                Some(e) => Arc::new(e.clone()) as ArrayRef,
                None => Arc::new(StringArray::new_null(p.values.len())) as ArrayRef,
            })
            .collect();
        let pieces: Vec<&dyn Array> = pieces.iter().map(|p| &**p).collect();
        let errors = arrow::compute::concat(&pieces).map_err(failed)?;
        let errors = errors.as_any().downcast_ref::<StringArray>().cloned();
        Ok(Outcome { values, errors })
    }
}

fn nulls(rows: usize) -> StringBuilder {
    let mut builder = StringBuilder::new();
    (0..rows).for_each(|_| builder.append_null());
    builder
}

/// Puts a row's arguments into the frame; `false` if Spark does not call the function for it.
#[inline]
fn load(cx: &mut Cx<'_>, inputs: &[Input], row: usize) -> std::result::Result<bool, Stop> {
    for input in inputs {
        match input {
            Input::Bits(slot, read, nulls) => {
                if nulls.as_ref().is_some_and(|n| n.is_null(row)) {
                    return Ok(false);
                }
                let at = cx.pb + slot;
                cx.prims[at] = read(row);
            }
            Input::Value(slot, read, nulls) => {
                if nulls.as_ref().is_some_and(|n| n.is_null(row)) {
                    return Ok(false);
                }
                let v = read(row)?;
                match slot {
                    Slot::Val(i) => {
                        let at = cx.vb + i;
                        cx.vals[at] = v;
                    }
                    Slot::Cell(i, _) | Slot::Lazy(i, _) => {
                        let at = cx.vb + i;
                        cx.vals[at] = cell(v);
                    }
                    Slot::Prim(i, prim) => {
                        let at = cx.pb + i;
                        cx.prims[at] = bits::unwrap(&v, *prim)?;
                    }
                }
            }
        }
    }
    Ok(true)
}

/// Runs one row and writes its result. The inner error is a value that does not fit the result type.
#[inline]
fn run_row<'m>(cx: &mut Cx<'m>, unit: &'m Unit, out: &mut Out) -> std::result::Result<Result<(), String>, Stop> {
    match &unit.body {
        Body::Prim(..) => {
            let b = cx.run_prim(unit)?;
            Ok(out.push_bits(b))
        }
        Body::Boxed(code, prim) => match cx.run_boxed(unit, code, *prim)? {
            Some(b) => Ok(out.push_bits(b)),
            None => {
                out.push_null();
                Ok(Ok(()))
            }
        },
        Body::Val(_) => {
            let v: Value = cx.run(unit)?;
            Ok(out.push(&v))
        }
    }
}
