//! `BigDecimal`, of Scala and of Java.

use super::super::Lower;
use super::super::library::Call;
use super::super::sym::{State, Sym};
use super::DECIMAL;
use crate::ir::func::{Func, Rounding};
use crate::ir::node::{ColTy, Const, NodeId, Op};
use crate::lang::ast::BinOp;
use crate::lang::ty::{Prim, Ty};
use crate::source::{Span, Understood};

impl Lower<'_> {
    /// A number as Scala's `BigDecimal`.
    pub(in crate::ir::lower) fn decimal_of(&mut self, value: &Sym, ty: &Ty, span: Span) -> Understood<Sym> {
        let n = self.node_of(value, span)?;
        Ok(Sym::Node(match (self.g.ty(n).clone(), self.g.constant(n).cloned()) {
            (ColTy::Decimal(..), _) => n,
            (_, Some(Const::Int(v))) => self.g.constant_of(Const::Decimal(i128::from(v), 0), DECIMAL),
            (ColTy::Prim(p), _) if p.is_integral() => self.g.call(Func::DecimalOfInt, vec![n], DECIMAL),
            (ColTy::Prim(Prim::Double), Some(Const::F64(bits))) => {
                match decimal_text(&format!("{:?}", f64::from_bits(bits))) {
                    Some(c) => self.g.constant_of(c, DECIMAL),
                    None => return self.refuse(span, "this decimal constant has no columnar form"),
                }
            }
            (ColTy::Prim(Prim::Double), _) => self.g.call(Func::DecimalOfDouble, vec![n], DECIMAL),
            _ => return self.refuse(span, format!("a decimal from `{ty}` has no columnar form")),
        }))
    }

    /// `BigDecimal(…)`, `BigDecimal.valueOf(…)`.
    pub(in crate::ir::lower) fn decimal_static(&mut self, st: &mut State, call: Call<'_>) -> Understood<Sym> {
        match call.key() {
            ("apply" | "valueOf" | "decimal" | "exact", 1) => {
                let n = self.arg(&call, 0)?;
                if let Some(text) = self.g.as_text(n) {
                    return match decimal_text(&text) {
                        Some(c) => Ok(Sym::Node(self.g.constant_of(c, DECIMAL))),
                        None => self.refuse(call.span, "this decimal constant has no columnar form"),
                    };
                }
                if *self.g.ty(n) == ColTy::DOUBLE && self.g.constant(n).is_none() {
                    self.require(st, n);
                    self.raise_unless_finite(st, n);
                }
                let value = self.decimal_of(&Sym::Node(n), &call.ty, call.span)?;
                Ok(value)
            }
            ("ZERO" | "ONE" | "TEN", 0) => {
                let v = match call.name {
                    "ZERO" => 0,
                    "ONE" => 1,
                    _ => 10,
                };
                Ok(Sym::Node(self.g.constant_of(Const::Decimal(v, 0), DECIMAL)))
            }
            ("ROUND_HALF_UP" | "RoundingMode", 0) => Ok(Sym::Named("rounding", "HALF_UP".into())),
            _ => self.not_covered(&call),
        }
    }

    pub(super) fn raise_unless_finite(&mut self, st: &mut State, n: NodeId) {
        let nan = self.g.call(Func::IsNan, vec![n], ColTy::BOOL);
        let infinite = self.infinite(n, Prim::Double);
        let bad = self.g.or(nan, infinite);
        self.raise_if(st, bad, "NumberFormatException", "not a finite number");
    }

    /// `new java.math.BigDecimal(…)`.
    pub(in crate::ir::lower) fn java_decimal(&mut self, st: &mut State, call: Call<'_>) -> Understood<Sym> {
        let n = self.arg(&call, 0)?;
        if *self.g.ty(n) == ColTy::DOUBLE {
            return self.refuse(
                call.span,
                "the exact binary value of a double as a decimal has no columnar form",
            );
        }
        if self.g.as_text(n).is_some() || self.g.ty(n).prim().is_some() {
            return self.decimal_static(st, Call { name: "apply", ..call });
        }
        self.not_covered(&call)
    }

    /// Methods of decimals.
    pub(in crate::ir::lower) fn decimal_method(
        &mut self,
        st: &mut State,
        n: NodeId,
        call: Call<'_>,
    ) -> Understood<Sym> {
        self.require(st, n);
        if st.dead {
            return Ok(Sym::Unit);
        }
        let two = match call.name {
            "+" | "add" => Some(Func::DecimalAdd),
            "-" | "subtract" => Some(Func::DecimalSub),
            "*" | "multiply" => Some(Func::DecimalMul),
            _ => None,
        };
        if let (Some(f), 1) = (two, call.args.len()) {
            let m = self.arg(&call, 0)?;
            self.require(st, m);
            return Ok(Sym::Node(self.g.call(f, vec![n, m], DECIMAL)));
        }
        let comparison = match call.name {
            "<" => Some(BinOp::Lt),
            "<=" => Some(BinOp::Le),
            ">" => Some(BinOp::Gt),
            ">=" => Some(BinOp::Ge),
            _ => None,
        };
        if let (Some(op), 1) = (comparison, call.args.len()) {
            let m = self.arg(&call, 0)?;
            self.require(st, m);
            return Ok(Sym::Node(self.g.add(Op::Compare(op, n, m), ColTy::BOOL)));
        }
        Ok(Sym::Node(match call.key() {
            ("setScale", 2) => {
                let Some(mode) = self.rounding(&call.args[1]) else {
                    return self.not_covered(&call);
                };
                let scale = self.arg(&call, 0)?;
                match self.g.as_int(scale).and_then(|s| i8::try_from(s).ok()) {
                    Some(s) if (0..=18).contains(&s) => self.g.call(Func::SetScale(s, mode), vec![n], DECIMAL),
                    _ => return self.refuse(call.span, "this scale has no columnar form"),
                }
            }
            ("toDouble" | "doubleValue", 0) => match self.g.op(n).clone() {
                Op::Call(Func::SetScale(s, mode @ (Rounding::HalfUp | Rounding::HalfEven)), inner) => {
                    match self.g.op(inner[0]).clone() {
                        Op::Call(Func::DecimalOfDouble, d) => {
                            self.g.call(Func::RoundPlaces(s as u8, mode), d, ColTy::DOUBLE)
                        }
                        _ => self.g.call(Func::DecimalToDouble, vec![n], ColTy::DOUBLE),
                    }
                }
                _ => self.g.call(Func::DecimalToDouble, vec![n], ColTy::DOUBLE),
            },
            ("toInt" | "intValue", 0) => self.g.call(Func::DecimalToInt, vec![n], ColTy::INT),
            ("toLong" | "longValue", 0) => self.g.call(Func::DecimalToLong, vec![n], ColTy::LONG),
            ("signum", 0) => self.g.call(Func::DecimalSign, vec![n], ColTy::INT),
            ("abs", 0) => self.g.call(Func::DecimalAbs, vec![n], DECIMAL),
            ("unary_-" | "negate", 0) => self.g.call(Func::DecimalNeg, vec![n], DECIMAL),
            ("bigDecimal" | "underlying", 0) => n,
            _ => return self.not_covered(&call),
        }))
    }

    pub(super) fn rounding(&self, value: &Sym) -> Option<Rounding> {
        let Sym::Named("rounding", name) = value else {
            return None;
        };
        Some(match name.as_str() {
            "HALF_UP" => Rounding::HalfUp,
            "HALF_EVEN" => Rounding::HalfEven,
            "HALF_DOWN" => Rounding::HalfDown,
            "FLOOR" => Rounding::Floor,
            "CEILING" => Rounding::Ceiling,
            "DOWN" => Rounding::Down,
            "UP" => Rounding::Up,
            _ => return None,
        })
    }
}

/// A decimal constant from its text.
pub(super) fn decimal_text(text: &str) -> Option<Const> {
    let (digits, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], text[at + 1..].parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let unscaled: i128 = format!("{whole}{fraction}").parse().ok()?;
    let scale = fraction.len() as i32 - exponent;
    if scale < 0 {
        let factor = 10i128.checked_pow(scale.unsigned_abs())?;
        return Some(Const::Decimal(unscaled.checked_mul(factor)?, 0));
    }
    (scale <= 37).then_some(Const::Decimal(unscaled, scale as i8))
}
