//! Columns as arguments. In: the entry's parameters with Spark's types and null rules; out: parameters of the kernel, lines that load
//! a row, and what is handed to the entry.

use super::emit::function_name;
use super::lines::Lines;
use super::names::column_name;
use super::types::{Cpp, prim_name};
use crate::find::{NullRule, Udf};
use crate::lang::ast::{Param, Program};
use crate::lang::ty::{Prim, Ty};
use crate::source::{Refusal, Span, Understood};
use arrow::datatypes::DataType;

/// What is written for the arguments.
#[derive(Default)]
pub(super) struct Loads {
    pub params: Vec<String>,
    pub args: Vec<String>,
    pub guards: Vec<String>,
    pub lines: Lines,
    /// Whether loading takes scratch memory.
    pub sequences: bool,
    /// Numbers of decimal columns.
    pub decimals: Vec<usize>,
}

/// All parameters of the entry.
pub(super) fn loads(udf: &Udf, program: &Program) -> Understood<Loads> {
    let entry = &program.functions[program.entry.0 as usize];
    let mut out = Loads {
        args: vec!["cx".to_owned()],
        ..Loads::default()
    };
    for (i, (p, column)) in entry.params.iter().zip(&udf.params).enumerate() {
        out.one(i, p, column.null_rule, column.data_type.as_ref())?;
    }
    Ok(out)
}

/// The call of the entry.
pub(super) fn call(program: &Program, loads: &Loads) -> String {
    format!("{}({})", function_name(program, program.entry), loads.args.join(", "))
}

impl Loads {
    fn one(&mut self, index: usize, p: &Param, rule: NullRule, column: Option<&DataType>) -> Understood<()> {
        let (n, ty) = (column_name(&p.name), Cpp::of(&p.ty, p.span)?);
        let fixed = |element: &str| format!("const {element}* {n}, const uint32_t* {n}_valid");
        match &ty {
            Cpp::Prim(t) => {
                self.params.push(fixed(storage(*t, p.span)?));
                self.row(p, &n);
                self.args.push(primitive(&n, *t));
                if rule == NullRule::ResultIsNull {
                    self.guards.push(format!("{n}_row.valid"));
                }
            }
            Cpp::Maybe(inner) if inner.prim().is_some() => {
                let t = inner.prim().unwrap_or(Prim::Int);
                self.params.push(fixed(storage(t, p.span)?));
                self.row(p, &n);
                self.args.push(format!(
                    "rw::Maybe<{}>{{{}, {n}_row.valid}}",
                    prim_name(t),
                    primitive(&n, t)
                ));
            }
            Cpp::Text => {
                self.params.push(format!(
                    "const int32_t* {n}_offsets, const uint8_t* {n}_bytes, const uint32_t* {n}_valid"
                ));
                self.args
                    .push(format!("rw::load_text({n}_offsets, {n}_bytes, {n}_valid, row)"));
            }
            Cpp::Date => {
                let legacy = matches!(&p.ty, Ty::Class(name) if name == "Date");
                self.params.push(fixed("int32_t"));
                self.row(p, &n);
                self.args.push(format!("rw::load_date(cx, {n}_row, {legacy})"));
            }
            Cpp::Moment => {
                let legacy = matches!(&p.ty, Ty::Class(name) if name == "Timestamp");
                self.params.push(fixed("int64_t"));
                self.row(p, &n);
                self.args.push(format!("rw::load_date_time(cx, {n}_row, {legacy})"));
            }
            Cpp::Decimal => {
                self.params.push(fixed("__int128"));
                self.args
                    .push(format!("rw::load_decimal({n}, {n}_valid, row, RW_SCALE_{index})"));
                self.decimals.push(index);
            }
            Cpp::Seq(item) => self.sequence(p, &n, item, column)?,
            _ => {
                return Err(Refusal::new(
                    p.span,
                    format!("a parameter of type {} has no column", p.ty),
                ));
            }
        }
        Ok(())
    }

    fn row(&mut self, p: &Param, n: &str) {
        self.lines.push(
            Some(p.span),
            format!("const auto {n}_row = rw::load({n}, {n}_valid, row);"),
        );
    }

    /// A list or a binary column; its items are copied into the row's memory.
    fn sequence(&mut self, p: &Param, n: &str, item: &Cpp, column: Option<&DataType>) -> Understood<()> {
        self.sequences = true;
        let items = |t: Prim| -> Understood<String> {
            let element = storage(t, p.span)?;
            Ok(format!(
                "const int32_t* {n}_offsets, const {element}* {n}, const uint32_t* {n}_items_valid, const uint32_t* {n}_valid"
            ))
        };
        let (params, load) = match item {
            Cpp::Prim(Prim::Byte) if column == Some(&DataType::Binary) => (
                format!("const int32_t* {n}_offsets, const uint8_t* {n}_bytes, const uint32_t* {n}_valid"),
                format!("rw::load_bytes(cx, {n}_offsets, {n}_bytes, {n}_valid, row)"),
            ),
            Cpp::Prim(t) => (
                items(*t)?,
                format!(
                    "rw::load_seq<{}>(cx, {n}_offsets, {n}, {n}_items_valid, {n}_valid, row)",
                    prim_name(*t)
                ),
            ),
            Cpp::Maybe(inner)
                if inner.prim().is_some()
                    && !matches!(&p.ty, Ty::Seq(_, i) | Ty::Array(i) if matches!(**i, Ty::Option(_))) =>
            {
                let t = inner.prim().unwrap_or(Prim::Int);
                (
                    items(t)?,
                    format!(
                        "rw::load_boxes<{}>(cx, {n}_offsets, {n}, {n}_items_valid, {n}_valid, row)",
                        prim_name(t)
                    ),
                )
            }
            Cpp::Text => (
                format!(
                    "const int32_t* {n}_offsets, const int32_t* {n}_item_offsets, const uint8_t* {n}_bytes, \
                     const uint32_t* {n}_items_valid, const uint32_t* {n}_valid"
                ),
                format!(
                    "rw::load_texts(cx, {n}_offsets, {n}_item_offsets, {n}_bytes, {n}_items_valid, {n}_valid, row)"
                ),
            ),
            _ => {
                return Err(Refusal::new(
                    p.span,
                    format!("a parameter of type {} has no column", p.ty),
                ));
            }
        };
        self.params.push(params);
        self.args.push(load);
        Ok(())
    }
}

fn primitive(n: &str, t: Prim) -> String {
    match t {
        Prim::Boolean => format!("{n}_row.value != 0"),
        _ => format!("{n}_row.value"),
    }
}

/// How a column stores a primitive; booleans are handed over as a byte each.
pub(super) fn storage(p: Prim, span: Span) -> Understood<&'static str> {
    match p {
        Prim::Boolean => Ok("uint8_t"),
        Prim::Char => Err(Refusal::new(span, "Spark has no column type for Char")),
        other => Ok(prim_name(other)),
    }
}
