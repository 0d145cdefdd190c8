//! Static members of the boxed types.

use super::super::Lower;
use super::super::library::Call;
use super::super::strings::number_text;
use super::super::sym::{State, Sym};
use crate::ir::func::Func;
use crate::ir::node::{ColTy, Const, Op};
use crate::lang::ty::Prim;
use crate::source::Understood;

impl Lower<'_> {
    /// Static methods of the boxes and companions.
    pub(in crate::ir::lower) fn box_static(&mut self, st: &mut State, base: &str, call: Call<'_>) -> Understood<Sym> {
        if let Some(value) = box_constant(base, call.name) {
            let ty = match value {
                Const::F32(_) => ColTy::Prim(Prim::Float),
                Const::F64(_) => ColTy::DOUBLE,
                _ => match base {
                    "Long" => ColTy::LONG,
                    "Short" => ColTy::Prim(Prim::Short),
                    "Byte" => ColTy::Prim(Prim::Byte),
                    _ => ColTy::INT,
                },
            };
            return Ok(Sym::Node(self.g.constant_of(value, ty)));
        }
        if call.args.is_empty() {
            return self.not_covered(&call);
        }
        let n = self.arg(&call, 0)?;
        let is_text = *self.g.ty(n) == ColTy::Str;
        match call.key() {
            ("parseInt" | "parseLong" | "parseDouble" | "parseFloat" | "parseShort" | "parseByte", 1) => {
                let to = format!("to{}", &call.name[5..]);
                match number_text(&to) {
                    Some(kind) => self.parse_number(st, n, kind, 0, &call),
                    None => self.not_covered(&call),
                }
            }
            ("valueOf", 1) if is_text => match number_text(&format!("to{}", base.replace("Integer", "Int"))) {
                Some(kind) => self.parse_number(st, n, kind, 0, &call),
                None => self.not_covered(&call),
            },
            ("valueOf" | "box" | "unbox" | "int2Integer", 1) => Ok(Sym::Node(n)),
            ("parseBoolean", 1) => {
                let lower = self.g.call(Func::Lower, vec![n], ColTy::Str);
                let t = self.g.text("true");
                let yes = self.g.add(Op::Equal(lower, t), ColTy::BOOL);
                let null = self.null_test(st, n);
                let there = self.g.not(null);
                Ok(Sym::Node(self.g.and(there, yes)))
            }
            ("toString", 1) => Ok(Sym::Node(self.text_of(st, &Sym::Node(n), call.span)?)),
            ("toHexString", 1) => Ok(Sym::Node(self.g.call(Func::ToHex, vec![n], ColTy::Str))),
            ("toBinaryString", 1) => Ok(Sym::Node(self.g.call(Func::ToBinary, vec![n], ColTy::Str))),
            ("bitCount", 1) if base == "Integer" => Ok(Sym::Node(self.g.call(Func::BitCount, vec![n], ColTy::INT))),
            ("isNaN", 1) => Ok(Sym::Node(self.g.call(Func::IsNan, vec![n], ColTy::BOOL))),
            ("signum", 1) => match self.g.ty(n).prim() {
                Some(p) if p.is_integral() => Ok(Sym::Node(self.sign(n, p))),
                _ => self.not_covered(&call),
            },
            ("min" | "max", 2) => {
                let m = self.arg(&call, 1)?;
                let ty = self.g.ty(n).clone();
                let f = if call.name == "min" { Func::Min } else { Func::Max };
                Ok(Sym::Node(self.g.call(f, vec![n, m], ty)))
            }
            ("compare", 2) if base == "Double" => {
                let m = self.arg(&call, 1)?;
                Ok(Sym::Node(self.g.call(Func::DoubleCompare, vec![n, m], ColTy::INT)))
            }
            (_, 1) if matches!(base, "Character" | "Char") && *self.g.ty(n) == ColTy::Prim(Prim::Char) => {
                self.char_call(n, &call)
            }
            _ => self.not_covered(&call),
        }
    }
}

/// Constants of the boxes.
pub(super) fn box_constant(base: &str, name: &str) -> Option<Const> {
    let double = |v: f64| Some(Const::F64(v.to_bits()));
    let float = |v: f32| Some(Const::F32(v.to_bits()));
    match (base, name) {
        ("Integer" | "Int", "MaxValue" | "MAX_VALUE") => Some(Const::Int(i64::from(i32::MAX))),
        ("Integer" | "Int", "MinValue" | "MIN_VALUE") => Some(Const::Int(i64::from(i32::MIN))),
        ("Long", "MaxValue" | "MAX_VALUE") => Some(Const::Int(i64::MAX)),
        ("Long", "MinValue" | "MIN_VALUE") => Some(Const::Int(i64::MIN)),
        ("Short", "MaxValue" | "MAX_VALUE") => Some(Const::Int(i64::from(i16::MAX))),
        ("Short", "MinValue" | "MIN_VALUE") => Some(Const::Int(i64::from(i16::MIN))),
        ("Byte", "MaxValue" | "MAX_VALUE") => Some(Const::Int(i64::from(i8::MAX))),
        ("Byte", "MinValue" | "MIN_VALUE") => Some(Const::Int(i64::from(i8::MIN))),
        ("Double", "NaN") => double(f64::NAN),
        ("Double", "PositiveInfinity" | "POSITIVE_INFINITY") => double(f64::INFINITY),
        ("Double", "NegativeInfinity" | "NEGATIVE_INFINITY") => double(f64::NEG_INFINITY),
        ("Double", "MaxValue" | "MAX_VALUE") => double(f64::MAX),
        ("Double", "MinValue") => double(f64::MIN),
        ("Double", "MinPositiveValue" | "MIN_VALUE") => double(5e-324),
        ("Float", "NaN") => float(f32::NAN),
        ("Float", "PositiveInfinity" | "POSITIVE_INFINITY") => float(f32::INFINITY),
        ("Float", "NegativeInfinity" | "NEGATIVE_INFINITY") => float(f32::NEG_INFINITY),
        ("Float", "MaxValue" | "MAX_VALUE") => float(f32::MAX),
        ("Float", "MinValue") => float(f32::MIN),
        _ => None,
    }
}
