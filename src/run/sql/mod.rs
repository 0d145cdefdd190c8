//! The `cpu` engine for the `sql` tier: one Spark SQL expression over named columns, parsed from its text, typed with
//! Spark 3.5's rules, and run over Arrow columns in chunks on all cores. Never runs Spark, and refuses what it does not know.
//!
//! The reading order is the path of the data: [`lex`], [`parse`], [`analyze`] (with `resolve` and `operators`), [`plan`],
//! [`eval`] with its kernels, and the row functions under [`fns`].

pub mod analyze;
pub mod arith;
pub mod ast;
mod branch;
pub mod build;
pub mod calendar;
pub mod cast;
pub mod col;
pub mod decimal;
pub mod eval;
pub mod fns;
mod fold;
pub mod hof;
mod jvmlib;
pub mod lex;
mod lambda;
mod literal;
mod operators;
pub mod parse;
pub mod plan;
mod resolve;
mod special;
pub mod text;
pub mod ty;
pub mod val;
pub mod zone;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use arrow::array::{Array, ArrayRef, RecordBatch, StringArray, new_null_array};
use arrow::datatypes::{DataType, Schema};
use rayon::prelude::*;

use self::analyze::{Analyzer, Unresolved};
use self::ast::Ast;
use self::col::{Col, Env, Rt};
use self::lex::SyntaxError;
use self::plan::{CLASSES, Kind, Node, Stop};
use self::ty::Ty;
use self::zone::Zone;
use crate::error::{Error, ErrorKind, Location, Result};
use crate::run::{Cancel, EngineId, Evaluator, Evidence, Outcome, Settings};
use crate::source::Span;

/// Rows that one task evaluates at a time: columns of this length stay in the cache between operators.
const CHUNK: usize = 1 << 16;

/// Runs one Spark SQL expression.
pub struct SqlEngine {
    text: String,
    ast: Ast,
    params: Vec<String>,
    settings: Settings,
    zone: Zone,
    prepared: Option<Prepared>,
}

struct Prepared {
    plan: Node,
    slots: usize,
    inputs: Vec<Ty>,
    used: Vec<usize>,
}

/// Names that functions, operators and special forms answer to, in order.
pub fn supported_functions() -> &'static [&'static str] {
    static NAMES: OnceLock<Vec<&'static str>> = OnceLock::new();
    NAMES.get_or_init(|| {
        const FORMS: [&str; 52] = [
            "!=",
            "%",
            "&",
            "*",
            "+",
            "-",
            "/",
            "<",
            "<=",
            "<=>",
            "<>",
            "=",
            "==",
            ">",
            ">=",
            "^",
            "|",
            "||",
            "aggregate",
            "and",
            "between",
            "case",
            "cast",
            "coalesce",
            "div",
            "exists",
            "extract",
            "filter",
            "forall",
            "if",
            "ifnull",
            "in",
            "isnotnull",
            "isnull",
            "like",
            "mod",
            "named_struct",
            "not",
            "nullif",
            "nvl",
            "nvl2",
            "or",
            "pmod",
            "reduce",
            "struct",
            "transform",
            "try_add",
            "try_cast",
            "try_divide",
            "try_multiply",
            "try_subtract",
            "zip_with",
        ];
        const MAPS: [&str; 3] = ["map_filter", "transform_keys", "transform_values"];
        let mut names = fns::names();
        names.extend(FORMS);
        names.extend(MAPS);
        names.sort_unstable();
        names.dedup();
        names
    })
}

/// Whether a text parses as one expression; types are only known once there is a schema.
pub fn parse_check(text: &str, params: &[String]) -> Result<()> {
    let _ = params;
    parse::parse(text).map(|_| ()).map_err(|e| syntax_error(text, &e))
}

fn location(text: &str, span: Span) -> Location {
    let start = (span.start as usize).min(text.len());
    let before = &text[..start];
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    Location {
        path: PathBuf::from("candidate.sql"),
        line: before.matches('\n').count() as u32 + 1,
        column: before[line_start..].chars().count() as u32 + 1,
    }
}

fn syntax_error(text: &str, e: &SyntaxError) -> Error {
    Error::compile(format!("the SQL expression does not parse: {}", e.message))
        .at(location(text, e.span))
        .hint("a candidate of the sql tier is one Spark SQL expression, without SELECT")
}

fn analysis_error(text: &str, e: Unresolved) -> Error {
    let err = Error::new(e.kind, e.message).at(location(text, e.span));
    match e.kind {
        ErrorKind::NotProven => {
            err.hint("run it with --engine spark, or write it with functions that `rewright doctor` lists")
        }
        _ => err.hint("add a CAST where two types do not meet"),
    }
}

impl SqlEngine {
    /// Parses a candidate's text. `params` are the UDF's parameter names in order.
    pub fn new(text: &str, params: Vec<String>, settings: Settings) -> Result<SqlEngine> {
        let ast = parse::parse(text).map_err(|e| syntax_error(text, &e))?;
        let unknown = || {
            Error::input(format!("unknown time zone `{}`", settings.time_zone))
                .hint("give an IANA name such as Europe/Berlin")
        };
        let zone = match Zone::parse(&settings.time_zone) {
            Ok(found) => found.ok_or_else(unknown)?,
            Err(Stop::Refuse(why)) => return Err(Error::not_proven(why)),
            Err(Stop::Throw(_)) => return Err(unknown()),
        };
        Ok(SqlEngine {
            text: text.to_string(),
            ast,
            params,
            settings,
            zone,
            prepared: None,
        })
    }

    fn rt(&self, cancel: &Cancel) -> Rt {
        Rt {
            ansi: self.settings.ansi,
            zone: self.zone.clone(),
            cancel: cancel.clone(),
            cache: RefCell::new(HashMap::new()),
        }
    }

    /// The names under which the text may use each column: the parameter that stands for it, and its own.
    fn columns(&self, schema: &Schema, types: &[Ty]) -> Vec<(String, usize, Ty)> {
        let fields = schema.fields();
        let by_name = |n: &str| fields.iter().position(|f| f.name().eq_ignore_ascii_case(n));
        let own = fields
            .iter()
            .enumerate()
            .map(|(i, f)| (f.name().clone(), i, types[i].clone()));
        let named = self.params.iter().enumerate().filter_map(|(i, p)| {
            let at = by_name(p).or((i < fields.len()).then_some(i))?;
            Some((p.clone(), at, types[at].clone()))
        });
        // Later bindings win, so a parameter hides a column of the same name.
        own.chain(named).collect()
    }

    /// The result type, once prepared.
    pub fn result_type(&self) -> Option<DataType> {
        self.prepared.as_ref().map(|p| p.plan.ty.arrow())
    }
}

impl Evaluator for SqlEngine {
    fn id(&self) -> EngineId {
        EngineId::Cpu
    }

    fn prepare(&mut self, schema: &Schema) -> Result<Evidence> {
        let mut types = Vec::new();
        for f in schema.fields() {
            types.push(Ty::of_arrow(f.data_type()).ok_or_else(|| {
                Error::not_proven(format!(
                    "column `{}` has type {}, which Spark SQL does not have",
                    f.name(),
                    f.data_type()
                ))
            })?);
        }
        let rt = self.rt(&Cancel::default());
        let mut analyzer = Analyzer::new(&rt, self.columns(schema, &types), types.len());
        let plan = analyzer.node(&self.ast).map_err(|e| analysis_error(&self.text, e))?;
        if plan.ty.is_interval() {
            return Err(Error::not_proven(
                "an interval as the result is not covered by the cpu engine",
            ));
        }
        let mut used = Vec::new();
        plan.slots(&mut used);
        used.retain(|i| *i < types.len());
        let mut facts = BTreeMap::from([
            ("ansi".to_string(), self.settings.ansi.to_string()),
            ("semantics".to_string(), "Spark SQL 3.5".to_string()),
            ("threads".to_string(), rayon::current_num_threads().to_string()),
            ("time zone".to_string(), self.settings.time_zone.clone()),
        ]);
        let mut inexact = Vec::new();
        find_inexact(&plan, &mut inexact);
        if !inexact.is_empty() {
            // HotSpot's intrinsics for these are not correctly rounded; `crate::jvm::math` is.
            facts.insert("within 1 ulp".to_string(), inexact.join(", "));
        }
        self.prepared = Some(Prepared {
            slots: analyzer.slot_count(),
            plan,
            inputs: types,
            used,
        });
        Ok(Evidence {
            engine: EngineId::Cpu,
            version: env!("CARGO_PKG_VERSION").to_string(),
            facts,
        })
    }

    fn eval(&mut self, batch: &RecordBatch, cancel: &Cancel) -> Result<Outcome> {
        let p = self
            .prepared
            .as_ref()
            .ok_or_else(|| Error::internal("the expression was not prepared for this schema"))?;
        if batch.num_columns() != p.inputs.len() {
            return Err(Error::internal(
                "the batch has other columns than the schema that was prepared",
            ));
        }
        let mut columns: Vec<Option<ArrayRef>> = vec![None; p.inputs.len()];
        for i in &p.used {
            columns[*i] = Some(normalise(batch.column(*i), &p.inputs[*i])?);
        }
        let rows = batch.num_rows();
        let starts: Vec<usize> = (0..rows.max(1)).step_by(CHUNK).collect();
        let parts = starts
            .par_iter()
            .map(|start| {
                cancel.check()?;
                let len = CHUNK.min(rows - start);
                let rt = self.rt(cancel);
                chunk(p, &columns, *start, len, &rt)
            })
            .collect::<Result<Vec<Col>>>()?;
        assemble(p, parts, rows)
    }
}

/// Names of the functions in a plan that may differ from the JVM by one unit in the last place.
fn find_inexact(node: &Node, out: &mut Vec<&'static str>) {
    if let Kind::Call(def, _) = &node.kind
        && matches!(def.name, "sin" | "cos" | "tan" | "cot" | "sec" | "csc")
        && !out.contains(&def.name)
    {
        out.push(def.name);
    }
    for c in node.children() {
        find_inexact(c, out);
    }
}

fn chunk(p: &Prepared, columns: &[Option<ArrayRef>], start: usize, len: usize, rt: &Rt) -> Result<Col> {
    let mut slots: Vec<Option<Col>> = vec![None; p.slots];
    for (i, c) in columns.iter().enumerate() {
        slots[i] = c.as_ref().map(|c| Col::new(c.slice(start, len)));
    }
    let env = Env { rows: len, slots, rt };
    let out = match &p.plan.kind {
        Kind::Lit(v) => Col::constant(&p.plan.ty, v)?,
        _ => eval::eval(&p.plan, &env)?,
    };
    out.expand(len)
}

fn assemble(p: &Prepared, parts: Vec<Col>, rows: usize) -> Result<Outcome> {
    let arrays: Vec<&dyn Array> = parts.iter().map(|c| c.arr.as_ref()).collect();
    let values = match parts.as_slice() {
        [one] => one.arr.clone(),
        _ if p.plan.ty == Ty::Null => new_null_array(&DataType::Null, rows),
        _ => arrow::compute::concat(&arrays).map_err(col::arrow_failed)?,
    };
    let errors = parts.iter().any(|c| c.errs.is_some()).then(|| {
        let classes = parts.iter().flat_map(|c| (0..c.arr.len()).map(move |i| c.err(i)));
        classes
            .map(|e| (e != 0).then(|| CLASSES[usize::from(e)]))
            .collect::<StringArray>()
    });
    Ok(Outcome::with_errors(values, errors))
}

/// The column in the storage that the engine works on.
fn normalise(column: &ArrayRef, ty: &Ty) -> Result<ArrayRef> {
    let want = ty.arrow();
    if *column.data_type() == want {
        return Ok(Arc::clone(column));
    }
    if same_layout(column.data_type(), &want) {
        return relabel(column, &want);
    }
    let cast = arrow::compute::cast(column, &want).map_err(col::arrow_failed)?;
    Ok(cast)
}

/// Whether two types differ only in names, nullability of fields or the time zone's label.
fn same_layout(a: &DataType, b: &DataType) -> bool {
    match (a, b) {
        (DataType::Timestamp(u, _), DataType::Timestamp(v, _)) => u == v,
        (DataType::List(f), DataType::List(g)) | (DataType::Map(f, _), DataType::Map(g, _)) => {
            same_layout(f.data_type(), g.data_type())
        }
        (DataType::Struct(f), DataType::Struct(g)) => {
            f.len() == g.len() && f.iter().zip(g).all(|(x, y)| same_layout(x.data_type(), y.data_type()))
        }
        _ => a == b,
    }
}

fn relabel(column: &ArrayRef, want: &DataType) -> Result<ArrayRef> {
    fn go(data: arrow::array::ArrayData, want: &DataType) -> arrow::array::ArrayData {
        let children: Vec<arrow::array::ArrayData> = match want {
            DataType::List(f) | DataType::Map(f, _) => {
                data.child_data().iter().map(|c| go(c.clone(), f.data_type())).collect()
            }
            DataType::Struct(fs) => data
                .child_data()
                .iter()
                .zip(fs)
                .map(|(c, f)| go(c.clone(), f.data_type()))
                .collect(),
            _ => data.child_data().to_vec(),
        };
        let builder = data.into_builder().data_type(want.clone()).child_data(children);
        // The layout is the same; only labels change, so the buffers stay valid.
        builder
            .build()
            .unwrap_or_else(|_| arrow::array::ArrayData::new_empty(want))
    }
    let data = go(column.to_data(), want);
    if data.len() != column.len() {
        return Err(Error::internal(format!(
            "cannot read a column of type {}",
            column.data_type()
        )));
    }
    Ok(arrow::array::make_array(data))
}

#[cfg(test)]
mod tests;
