//! Runs the compiled entry over the rows of a batch, ranges of rows in parallel. In: a machine and columns; out: values and
//! exceptions per row, and the rows that could not be run with their reasons. One such row never ends the run.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow::array::{Array, ArrayRef, RecordBatch, StringArray, StringBuilder};
use arrow::buffer::NullBuffer;
use arrow::datatypes::DataType;
use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::find::{NullRule, UdfParam};
use crate::jvm::time::Zone;
use crate::jvm::value::{Throw, Value};
use crate::lang::ast::Dialect;
use crate::run::{Cancel, NotRun, Outcome, joined};

use super::bits;
use super::columns::{self, BitReader, Reader, Shapes};
use super::machine::{Body, Bounds, Cx, LIMIT_DEPTH, Machine, Slot, Stop, Unit, cell};
use super::results::{Out, Push, Unwritten};

/// Rows between two looks at the cancel switch.
const CANCEL_EVERY: usize = 2048;
/// Smallest range of rows that is worth a thread of its own.
const SMALLEST_RANGE: usize = 512;
/// After so many rows that reached a bound on steps or memory no further row is tried: each takes long, and a UDF that
/// loops without end would do so in all of them.
const MOST_LIMITS: usize = 16;

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
    /// How many rows reached a bound on steps or memory.
    pub limits: AtomicUsize,
}

/// What some rows came to.
struct Part {
    values: ArrayRef,
    errors: Option<StringArray>,
    not_run: NotRun,
}

/// How far a stretch of rows got.
enum Stretch {
    /// To its end.
    Whole(Part),
    /// To a row whose value left the column unfit for use.
    Broken(usize, Unwritten),
}

impl Run<'_> {
    /// Runs over a batch.
    pub fn batch(&self, batch: &RecordBatch, cancel: &Cancel) -> Result<Outcome> {
        let unit = &self.machine.functions[self.entry];
        let rows = batch.num_rows();
        let inputs = self.inputs(batch, unit)?;
        let range = rows.div_ceil(rayon::current_num_threads() * 4).max(SMALLEST_RANGE);
        let starts: Vec<usize> = (0..rows).step_by(range).collect();
        let parts = starts
            .par_iter()
            .map(|start| self.range(unit, &inputs, *start..(*start + range).min(rows), cancel))
            .collect::<Result<Vec<Vec<Part>>>>()?;
        self.join(parts.into_iter().flatten().collect())
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

    /// Runs a range of rows on this thread.
    fn range(&self, unit: &Unit, inputs: &[Input], rows: Range<usize>, cancel: &Cancel) -> Result<Vec<Part>> {
        let mut cx = Cx::new(self.machine, self.bounds);
        let frame = cx
            .enter(unit, 0, 0)
            .map_err(|_| Error::internal("no frame for the entry"))?;
        let mut parts = Vec::new();
        let mut from = rows.start;
        while from < rows.end {
            match self.stretch(&mut cx, unit, inputs, from..rows.end, cancel)? {
                Stretch::Whole(part) => {
                    parts.push(part);
                    break;
                }
                // What was written of the row cannot be taken back: the rows before it are run again.
                Stretch::Broken(row, why) => {
                    match self.stretch(&mut cx, unit, inputs, from..row, cancel)? {
                        Stretch::Whole(part) => parts.push(part),
                        Stretch::Broken(..) => {
                            return Err(Error::internal("a row came to something else when run again"));
                        }
                    }
                    parts.push(self.unwritten(row, why)?);
                    from = row + 1;
                }
            }
        }
        cx.leave(frame);
        Ok(parts)
    }

    fn stretch<'m>(
        &self,
        cx: &mut Cx<'m>,
        unit: &'m Unit,
        inputs: &[Input],
        rows: Range<usize>,
        cancel: &Cancel,
    ) -> Result<Stretch> {
        let mut out = Out::new(self.result, rows.len(), self.zone)?;
        let mut errors: Option<StringBuilder> = None;
        let mut not_run = NotRun::default();
        for row in rows.clone() {
            if row % CANCEL_EVERY == 0 {
                cancel.check()?;
            }
            cx.next_row();
            let ran = match load(cx, inputs, row) {
                _ if self.limits.load(Ordering::Relaxed) >= MOST_LIMITS => {
                    Err(Throw::Unsupported(format!("not tried: {MOST_LIMITS} other rows reached a bound")).into())
                }
                Ok(true) => run_row(cx, unit, &mut out),
                Ok(false) => {
                    out.push_null();
                    Ok(Ok(()))
                }
                Err(stop) => Err(stop),
            };
            let failed = match ran {
                Ok(Ok(())) => {
                    if let Some(errors) = &mut errors {
                        errors.append_null();
                    }
                    continue;
                }
                Ok(Err(why)) if out.is_nested() => return Ok(Stretch::Broken(row, self.converted(why))),
                Ok(Err(why)) => self.converted(why),
                Err(stop) => self.stopped(stop),
            };
            out.push_null();
            match failed {
                Unwritten::Throws(class) => {
                    let errors = errors.get_or_insert_with(|| nulls(row - rows.start));
                    errors.append_value(class);
                }
                Unwritten::NotRun(reason) => {
                    not_run.add(row, &reason, cx.at);
                    if let Some(errors) = &mut errors {
                        errors.append_null();
                    }
                }
            }
            cx.at = None;
        }
        Ok(Stretch::Whole(Part {
            values: out.finish()?,
            errors: errors.map(|mut e| e.finish()),
            not_run,
        }))
    }

    /// What a row that did not end with a value came to.
    fn stopped(&self, stop: Stop) -> Unwritten {
        match super::machine::thrown(stop) {
            Throw::Exception(e) => Unwritten::Throws(e.class.clone().into()),
            Throw::Limit(what) => {
                if what != LIMIT_DEPTH {
                    self.limits.fetch_add(1, Ordering::Relaxed);
                }
                Unwritten::NotRun(what.to_owned())
            }
            Throw::Unsupported(reason) => Unwritten::NotRun(reason),
            Throw::Control(_) => Unwritten::NotRun("a jump out of the function".into()),
        }
    }

    /// Spark converts the results of Java's UDFs by the type that was registered, and lets null keys of maps pass.
    fn converted(&self, why: Unwritten) -> Unwritten {
        match (&why, self.machine.dialect) {
            (Unwritten::Throws(class), Dialect::Java) if class == "SparkRuntimeException" => {
                Unwritten::NotRun("a map with a null key as the result of a Java UDF is not covered".into())
            }
            _ => why,
        }
    }

    /// A row by itself whose value could not be written.
    fn unwritten(&self, row: usize, why: Unwritten) -> Result<Part> {
        let mut part = Part {
            values: arrow::array::new_null_array(self.result, 1),
            errors: None,
            not_run: NotRun::default(),
        };
        match why {
            Unwritten::Throws(class) => part.errors = Some(StringArray::from(vec![&*class])),
            Unwritten::NotRun(reason) => part.not_run.add(row, &reason, None),
        }
        Ok(part)
    }

    fn join(&self, parts: Vec<Part>) -> Result<Outcome> {
        if parts.is_empty() {
            return Ok(Outcome::of_values(arrow::array::new_empty_array(self.result)));
        }
        let failed = |e| Error::internal("the ranges of a result do not fit together").because(e);
        let values: Vec<&dyn Array> = parts.iter().map(|p| &*p.values).collect();
        let values = match values.len() {
            1 => parts[0].values.clone(),
            _ => joined(&values).map_err(failed)?,
        };
        let errors = match parts.iter().all(|p| p.errors.is_none()) {
            true => None,
            false => {
                let pieces: Vec<ArrayRef> = parts
                    .iter()
                    .map(|p| match &p.errors {
                        Some(e) => Arc::new(e.clone()) as ArrayRef,
                        None => Arc::new(StringArray::new_null(p.values.len())) as ArrayRef,
                    })
                    .collect();
                let pieces: Vec<&dyn Array> = pieces.iter().map(|p| &**p).collect();
                let errors = arrow::compute::concat(&pieces).map_err(failed)?;
                errors.as_any().downcast_ref::<StringArray>().cloned()
            }
        };
        let mut outcome = Outcome::with_errors(values, errors);
        parts.into_iter().for_each(|p| outcome.not_run.extend(p.not_run));
        Ok(outcome)
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
fn run_row<'m>(cx: &mut Cx<'m>, unit: &'m Unit, out: &mut Out) -> std::result::Result<Push, Stop> {
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{Int64Array, StringArray};

    use super::*;
    use crate::run::embedded::Embedded;
    use crate::run::{Evaluator, Settings};
    use crate::source::{Language, SourceFile};

    fn run(body: &str, column: ArrayRef) -> Outcome {
        let source = format!("import org.apache.spark.sql.functions.udf\nobject O {{ val f = udf({body}) }}\n");
        let file = SourceFile::from_text("O.scala", Language::Scala, source);
        let found = crate::find::find(&file);
        let batch = RecordBatch::try_from_iter([("x", column)]).expect("one column");
        let mut oracle = Embedded::new(&found.udfs[0], Settings::default())
            .expect("covered")
            .with_bounds(Bounds {
                steps: 100_000,
                ..Bounds::default()
            });
        oracle.prepare(batch.schema_ref()).expect("prepares");
        oracle.eval(&batch, &Cancel::default()).expect("runs")
    }

    fn longs(values: &[i64]) -> ArrayRef {
        Arc::new(Int64Array::from(values.to_vec()))
    }

    #[test]
    fn one_row_that_cannot_be_run_leaves_the_others() {
        let texts: Vec<Option<&str>> = vec![Some("AB"), Some("A\u{3a3}\u{965}B"), None, Some("CD")];
        let got = run("(s: String) => s.toLowerCase", Arc::new(StringArray::from(texts)));
        let values: &StringArray = got.values.as_any().downcast_ref().expect("text");
        assert_eq!((values.value(0), values.value(3)), ("ab", "cd"));
        assert_eq!(got.error(2), Some("NullPointerException"));
        assert_eq!(got.not_run.len(), 1);
        let reason = got.not_run.reason(1).expect("a reason");
        assert!(reason.text.contains("word breaker"), "{reason:?}");
        assert!(reason.span.is_some());
    }

    #[test]
    fn rows_that_reach_a_bound_are_few() {
        let rows: Vec<i64> = (0..2000).collect();
        let got = run("(n: Long) => { var i = n; while (i % 2 == 1) i += 2; i }", longs(&rows));
        let tried = got
            .not_run
            .reasons()
            .iter()
            .find(|r| r.text == super::super::machine::LIMIT_STEPS);
        let tried = tried.expect("a bound").rows;
        assert!(
            (MOST_LIMITS as u64..MOST_LIMITS as u64 + 64).contains(&tried),
            "{tried}"
        );
        assert!(got.not_run.reason(1999).is_some());
    }

    #[test]
    fn a_failed_write_leaves_nested_columns_whole() {
        // Spark 3.5: new Timestamp(Long.MaxValue) is ArithmeticException, 9223372036854775 is the last that fits.
        let got = run(
            "(n: Long) => Seq(new java.sql.Timestamp(1L), new java.sql.Timestamp(n))",
            longs(&[5, i64::MAX, 6, i64::MIN, i64::MIN, 9_223_372_036_854_775]),
        );
        let lists: &arrow::array::ListArray = got.values.as_any().downcast_ref().expect("lists");
        let lengths: Vec<usize> = (0..6).map(|i| lists.value(i).len()).collect();
        assert_eq!(lengths, [2, 0, 2, 0, 0, 2]);
        assert_eq!([1, 3, 4].map(|i| got.error(i)), [Some("ArithmeticException"); 3]);
        assert!(got.not_run.is_empty() && got.error(0).is_none());
    }

    #[test]
    fn what_is_not_known_of_a_message_is_only_its_text() {
        let body = "(s: String) => try s.trim catch { case e: Exception if e.getMessage == \"x\" => \"x\"; case e: Exception => \"other\" }";
        let got = run(body, Arc::new(StringArray::from(vec![Some(" a "), None])));
        let values: &StringArray = got.values.as_any().downcast_ref().expect("text");
        assert_eq!((values.value(0), values.value(1)), ("a", "other"));
    }
}
