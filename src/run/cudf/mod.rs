//! Runs cuDF candidates in process. In: the text of a class with `evaluateColumnar` and Arrow columns; out: what an emulation of
//! the `ai.rapids.cudf` calls gives, with findings on leaks and double closes. The values are those that cuDF 26.10 was measured
//! to give; a call or case that was not measured is refused. An emulation: evidence and findings say so.

mod api;
mod ast;
mod calls;
mod chain;
mod check;
mod column;
mod convert;
mod dtype;
mod emulated;
mod heap;
mod interp;
mod ops;
mod parse;
mod value;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use arrow::array::{RecordBatch, StringArray, new_null_array};
use arrow::datatypes::{DataType, Schema};

use crate::error::{Error, Result};
use crate::run::{Cancel, EngineId, Evaluator, Evidence, Finding, Outcome, Settings};
use crate::source::{Language, SourceFile};
use ast::{Template, Unit};
use heap::Res;
use value::{Stop, V};

/// The library version whose behaviour is emulated.
const LIBRARY: &str = "26.10.2";

/// The `cpu` engine for one cuDF candidate.
pub struct CudfEngine {
    file: SourceFile,
    unit: Unit,
    main: Arc<Template>,
    params: Vec<String>,
    settings: Settings,
    findings: Vec<Finding>,
}

impl CudfEngine {
    /// Parses and checks a candidate; columns are passed in the order of `params`.
    pub fn new(text: &str, params: Vec<String>, settings: Settings) -> Result<CudfEngine> {
        let (file, unit, main) = load(text)?;
        Ok(CudfEngine {
            file,
            unit,
            main,
            params,
            settings,
            findings: Vec::new(),
        })
    }

    fn outcome(&mut self, batch: &RecordBatch, cancel: &Cancel) -> Result<Outcome> {
        let mut run = interp::Interp::new(&self.file, &self.unit, self.main.clone(), cancel);
        let outcome = outcome_of(&mut run, batch);
        for f in run.heap.findings {
            if !self.findings.contains(&f) {
                self.findings.push(f);
            }
        }
        outcome.map(|(outcome, _)| outcome)
    }

    /// The batch with the parameters' columns in their order.
    fn ordered(&self, batch: &RecordBatch) -> Result<RecordBatch> {
        let mut columns = Vec::new();
        for (i, name) in self.params.iter().enumerate() {
            let column = batch.column_by_name(name).or_else(|| batch.columns().get(i));
            match column {
                Some(c) => columns.push((name.clone(), c.clone())),
                None => return Err(Error::input(format!("there is no column for the parameter `{name}`"))),
            }
        }
        if columns.is_empty() {
            return Ok(batch.clone());
        }
        RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, c)| (n, c, true)))
            .map_err(|e| Error::internal("the columns make no batch").because(e))
    }
}

/// One call over a batch: what came of it, and what it gave where it gave something.
fn outcome_of(run: &mut interp::Interp<'_>, batch: &RecordBatch) -> Result<(Outcome, Option<V>)> {
    let rows = batch.num_rows();
    let mut args = Vec::new();
    for c in batch.columns() {
        args.push(V::Ref(run.heap.alloc_input(convert::from_arrow(c)?)));
    }
    match call(run, rows, args) {
        Ok(v) => Ok((finish(run, v.clone(), rows)?, Some(v))),
        Err(Stop::Throw(exc)) => {
            run.heap.check_end(None, Some(&exc.class));
            let line = run.file.line_of(exc.span.start) as u32 + 1;
            run.heap
                .note("raised", &format!("{}: {}", exc.class, exc.message), line);
            Ok((thrown(&exc.class, rows), None))
        }
        Err(Stop::Return(_)) => Err(Error::internal("a return left its function")),
        Err(Stop::Refuse(e)) => Err(*e),
    }
}

/// Every row of a batch whose call raised.
fn thrown(class: &str, rows: usize) -> Outcome {
    let errors = StringArray::from(vec![class; rows]);
    Outcome::with_errors(new_null_array(&DataType::Null, rows), Some(errors))
}

fn call(run: &mut interp::Interp<'_>, rows: usize, args: Vec<V>) -> value::R {
    let main = run.entry();
    let with_rows = main.lists.first().is_some_and(|l| l.len() == 2);
    let mut values = Vec::new();
    if with_rows {
        values.push(V::Int(i32::try_from(rows).unwrap_or(i32::MAX)));
    }
    values.extend(args);
    run.call_entry(&main, values)
}

fn finish(run: &mut interp::Interp<'_>, v: V, rows: usize) -> Result<Outcome> {
    let at = |what: String| Error::compile(what).hint("evaluateColumnar returns a ColumnVector of numRows rows");
    let id = match v {
        V::Ref(id) if run.heap.class(id) == "ColumnVector" => id,
        V::Null => {
            run.heap.check_end(None, None);
            run.heap.note("null-result", "evaluateColumnar returns null", 0);
            return Ok(thrown("NullPointerException", rows));
        }
        V::Ref(id) => return Err(at(format!("evaluateColumnar returns a {}", run.heap.class(id)))),
        other => return Err(at(format!("evaluateColumnar returns a {}", other.type_name()))),
    };
    let Ok(Res::Column(col)) = run.heap.get(id, 0) else {
        run.heap.check_end(None, None);
        run.heap
            .note("result-closed", "evaluateColumnar returns a closed column", 0);
        return Ok(thrown("NullPointerException", rows));
    };
    run.heap.check_end(Some(id), None);
    if col.len != rows {
        let what = format!("evaluateColumnar returns {} rows for a batch of {rows}", col.len);
        run.heap.note("row-count", &what, 0);
        return Ok(thrown("IllegalStateException", rows));
    }
    let col = Rc::unwrap_or_clone(col);
    Ok(Outcome::of_values(convert::to_arrow(&col)?))
}

impl Evaluator for CudfEngine {
    fn id(&self) -> EngineId {
        EngineId::Cpu
    }

    fn prepare(&mut self, schema: &Schema) -> Result<Evidence> {
        for f in schema.fields() {
            if dtype::DType::of_arrow(f.data_type()).is_none() {
                return Err(Error::not_proven(format!(
                    "column `{}` of {} does not reach cuDF",
                    f.name(),
                    f.data_type()
                )));
            }
        }
        let mut facts = BTreeMap::new();
        facts.insert("emulates".into(), format!("ai.rapids.cudf {LIBRARY}"));
        facts.insert("class".into(), self.main.name.clone());
        facts.insert("session time zone".into(), self.settings.time_zone.clone());
        Ok(Evidence {
            engine: EngineId::Cpu,
            version: env!("CARGO_PKG_VERSION").into(),
            facts,
        })
    }

    fn eval(&mut self, batch: &RecordBatch, cancel: &Cancel) -> Result<Outcome> {
        let ordered = self.ordered(batch)?;
        self.outcome(&ordered, cancel)
    }

    fn findings(&self) -> Vec<Finding> {
        self.findings.clone()
    }
}

/// The language of a candidate's text: Java or Scala.
pub fn language_of(text: &str) -> Language {
    let java = text.contains("public class") || text.contains(" implements ");
    match java && !text.contains("def evaluateColumnar") {
        true => Language::Java,
        false => Language::Scala,
    }
}

/// Parses a candidate and checks its names against the library's table, without running it.
pub fn compile_check(text: &str) -> Result<()> {
    load(text).map(|_| ())
}

fn load(text: &str) -> Result<(SourceFile, Unit, Arc<Template>)> {
    let language = language_of(text);
    let name = match language {
        Language::Java => "candidate.java",
        _ => "candidate.scala",
    };
    let file = SourceFile::from_text(name, language, text);
    let unit = parse::parse(&file)?;
    let main = unit
        .templates
        .iter()
        .find(|t| !t.is_object && t.defs.iter().any(|d| d.name == "evaluateColumnar"))
        .cloned()
        .ok_or_else(|| {
            Error::compile("no class defines evaluateColumnar")
                .hint("class F extends RapidsUDF { override def evaluateColumnar(numRows: Int, args: ColumnVector*): ColumnVector = … }")
        })?;
    if !main.parents.iter().any(|p| p == "RapidsUDF") {
        return Err(Error::compile(format!("{} does not extend RapidsUDF", main.name)).at(file.location(main.span)));
    }
    check::check(&file, &unit, &main)?;
    Ok((file, unit, main))
}

/// Whether the accelerator hands columns of this type to cuDF.
pub fn reaches(t: &DataType) -> bool {
    dtype::DType::of_arrow(t).is_some()
}

/// The type that cuDF has for one of Spark's, in the library's words.
pub fn library_type(t: &DataType) -> String {
    dtype::DType::of_arrow(t).map_or_else(|| "of no type there".to_owned(), |d| d.to_string())
}

/// Whether the accelerator takes a result for the declared type. Decimals differ in width and scale only; a map is a list of
/// pairs; a type that cuDF has no word for is not asked about.
pub fn fits(declared: &DataType, given: &DataType) -> bool {
    match (declared, given) {
        (DataType::List(a), DataType::List(b)) => fits(a.data_type(), b.data_type()),
        (DataType::Map(a, _), DataType::List(b) | DataType::Map(b, _)) => fits(a.data_type(), b.data_type()),
        (DataType::Struct(a), DataType::Struct(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(x, y)| fits(x.data_type(), y.data_type()))
        }
        (DataType::Binary, other) | (other, DataType::Binary) => *other == DataType::Binary,
        _ => dtype::DType::of_arrow(declared).is_none_or(|d| dtype::DType::of_arrow(given) == Some(d)),
    }
}

/// `Class.method` of every call that is emulated.
pub fn emulated_calls() -> Vec<String> {
    emulated::emulated().to_vec()
}

/// Calls whose values can differ from the device's in the last places: the host's functions stand in for the device's.
pub fn inexact_calls() -> &'static [&'static str] {
    &[
        "ColumnView.sin",
        "ColumnView.cos",
        "ColumnView.tan",
        "ColumnView.arcsin",
        "ColumnView.arccos",
        "ColumnView.arctan",
        "ColumnView.sinh",
        "ColumnView.cosh",
        "ColumnView.tanh",
        "ColumnView.arcsinh",
        "ColumnView.arccosh",
        "ColumnView.arctanh",
        "ColumnView.exp",
        "ColumnView.log",
        "ColumnView.log2",
        "ColumnView.log10",
        "ColumnView.cbrt",
        "BinaryOperable.pow",
        "BinaryOperable.log",
        "BinaryOperable.arctan2",
        "ColumnView.asDoubles",
        "ColumnView.asFloats",
    ]
}

/// Result type that `lhs.op(rhs)` has when none is asked for, as the table of measurements names types; or the exception.
pub fn implicit_type(op: &str, lhs: &str, rhs: &str) -> std::result::Result<String, String> {
    let read = |t: &str| -> Option<dtype::DType> {
        let (name, scale) = match t.split_once(" scale:") {
            Some((n, s)) => (n, s.parse().ok()?),
            None => (t, 0),
        };
        dtype::DType::named(name).map(|t| dtype::DType { id: t.id, scale })
    };
    let (Some(a), Some(b)) = (read(lhs), read(rhs)) else {
        return Err(format!("unknown type {lhs} or {rhs}"));
    };
    match ops::binary::implicit_type(op, a, b) {
        Ok(t) => Ok(t.to_string()),
        Err(ops::Fail::Throw(class, message)) => Err(format!("{class}: {message}")),
        Err(ops::Fail::Refuse(why)) => Err(why),
    }
}

#[cfg(test)]
mod tests;
