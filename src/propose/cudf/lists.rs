//! Lists, clocks and digests in cuDF calls.

use super::class::quoted;
use super::emit::{Emit, Val};
use crate::ir::func::Func;
use crate::ir::node::{ColTy, NodeId, Op};
use crate::lang::ast::BinOp;
use crate::lang::ty::Prim;
use crate::propose::NoteScope::Everywhere;
use crate::source::Understood;

impl Emit<'_> {
    /// Lists; `None` for other functions.
    pub(super) fn list(&mut self, f: &Func, args: &[NodeId]) -> Understood<Option<Val>> {
        let element = match args.first().map(|a| self.g.ty(*a)) {
            Some(ColTy::Array(e)) => (**e).clone(),
            _ => return Ok(None),
        };
        let text = element == ColTy::Str;
        let integral = element.prim().is_some_and(|p| p.is_integral() && p != Prim::Char);
        let call = match f {
            Func::ListReverse => "reverseStringsOrLists()".to_string(),
            Func::ListSort if text || integral => {
                if text {
                    self.note(
                        "string-order-utf16-vs-utf8",
                        "the JVM orders text by UTF-16 unit, cuDF by byte",
                        Everywhere,
                    );
                }
                "listSortRows(false, false)".into()
            }
            Func::ListMax if integral => "listReduce(SegmentedReductionAggregation.max())".into(),
            Func::ListMin if integral => "listReduce(SegmentedReductionAggregation.min())".into(),
            Func::ListIndexOf if text || integral => match self.value(args[1])? {
                Val::Scalar(key) => format!("listIndexOf({key}, ColumnView.FindOptions.FIND_FIRST)"),
                Val::Col(keys) => format!("listIndexOf({keys}, ColumnView.FindOptions.FIND_FIRST)"),
            },
            Func::Flatten => "flattenLists()".into(),
            Func::ListConcat => {
                let (a, b) = (self.col(args[0])?, self.col(args[1])?);
                return Ok(Some(self.make(format!("ColumnVector.listConcatenateByRow({a}, {b})"))));
            }
            Func::Fold(acc, var) => return self.list_sum((*acc, *var), args),
            _ => return Ok(None),
        };
        let x = self.col(args[0])?;
        Ok(Some(self.make(format!("{x}.{call}"))))
    }

    /// A fold that adds up integers from zero; an empty list gives null in cuDF.
    fn list_sum(&mut self, (acc, var): (u32, u32), args: &[NodeId]) -> Understood<Option<Val>> {
        let is_var = |n: NodeId, id: u32| *self.g.op(n) == Op::Var(id);
        let prim = match *self.g.op(args[2]) {
            Op::Bin(BinOp::Add, p @ (Prim::Int | Prim::Long), a, b) if is_var(a, acc) && is_var(b, var) => p,
            _ => return Ok(None),
        };
        if self.g.as_int(args[1]) != Some(0) {
            return Ok(None);
        }
        let x = self.col(args[0])?;
        let sum = self.let_(format!(
            "{x}.listReduce(SegmentedReductionAggregation.sum(), DType.INT64)"
        ));
        let sum = match prim {
            Prim::Int => self.let_(format!("{sum}.castTo(DType.INT32)")),
            _ => sum,
        };
        let zero = self.number(prim, 0);
        let filled = self.let_(format!("{sum}.replaceNulls({zero})"));
        Ok(Some(self.make(format!(
            "{filled}.mergeAndSetValidity(BinaryOp.BITWISE_AND, {x})"
        ))))
    }

    /// Timestamps, ends of months and digests; `None` for other functions.
    pub(super) fn clock(&mut self, f: &Func, args: &[NodeId]) -> Understood<Option<Val>> {
        let part = match f {
            Func::Hour => "hour()",
            Func::Minute => "minute()",
            Func::Second => "second()",
            _ => "",
        };
        if !part.is_empty() {
            let x = self.col(args[0])?;
            let small = self.let_(format!("{x}.{part}"));
            return Ok(Some(self.make(format!("{small}.castTo(DType.INT32)"))));
        }
        Ok(Some(match f {
            Func::SqlInstant => {
                self.note(
                    "julian-gregorian-rebase",
                    "before 1582-10-15 a java.sql.Timestamp counts by the old calendar",
                    Everywhere,
                );
                Val::Col(self.col(args[0])?)
            }
            Func::EpochMicros | Func::EpochMillis | Func::EpochSeconds => {
                let x = self.col(args[0])?;
                let micros = self.let_(format!("{x}.castTo(DType.INT64)"));
                let per = match f {
                    Func::EpochMicros => return Ok(Some(Val::Col(micros))),
                    Func::EpochMillis => 1_000,
                    _ => 1_000_000,
                };
                let per = self.number(Prim::Long, per);
                self.make(format!("{micros}.floorDiv({per}, DType.INT64)"))
            }
            Func::MonthEnd => {
                let x = self.col(args[0])?;
                self.make(format!("{x}.lastDayOfMonth()"))
            }
            Func::MonthStart => {
                let x = self.col(args[0])?;
                let day = self.let_(format!("{x}.day()"));
                let day = self.let_(format!("{day}.castTo(DType.INT32)"));
                let one = self.number(Prim::Int, 1);
                let before = self.let_(format!("{day}.sub({one}, DType.INT32)"));
                let before = self.let_(format!("{before}.castTo(DType.DURATION_DAYS)"));
                self.make(format!("{x}.sub({before}, DType.TIMESTAMP_DAYS)"))
            }
            Func::PadRight => {
                let (Some(width), Some(fill)) = (self.g.as_int(args[1]), self.g.as_text(args[2])) else {
                    return self.refuse("padding to a computed width has no cuDF form");
                };
                self.note(
                    "length-utf16-vs-codepoints",
                    "the JVM counts UTF-16 units, cuDF characters: text beyond the basic plane differs",
                    Everywhere,
                );
                let x = self.col(args[0])?;
                self.make(format!("{x}.pad({}, PadSide.RIGHT, {})", width.max(0), quoted(&fill)))
            }
            Func::HexOfBytes => {
                let text = match self.g.op(args[0]) {
                    Op::Call(Func::Digest(name), bytes) if &**name == "MD5" => match self.g.op(bytes[0]) {
                        Op::Call(Func::Bytes, text) => text[0],
                        _ => return Ok(None),
                    },
                    _ => return Ok(None),
                };
                let x = self.col(text)?;
                let hash = self.let_(format!("ColumnVector.md5Hash({x})"));
                self.make(format!("{hash}.mergeAndSetValidity(BinaryOp.BITWISE_AND, {x})"))
            }
            _ => return Ok(None),
        }))
    }
}
