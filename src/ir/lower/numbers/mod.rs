//! Numbers: `math`, boxes, rich numbers and decimals.

mod boxes;
mod decimals;

use super::Lower;
use super::library::Call;
use super::sym::{State, Sym};
use crate::ir::func::Func;
use crate::ir::node::{ColTy, Const, NodeId};
use crate::lang::ast::BinOp;
use crate::lang::ty::Prim;
use crate::source::Understood;

const DECIMAL: ColTy = ColTy::Decimal(38, 18);

impl Lower<'_> {
    /// `Math` and `scala.math`.
    pub(super) fn math(&mut self, st: &mut State, call: Call<'_>) -> Understood<Sym> {
        if let ("Pi" | "PI", 0) = call.key() {
            return Ok(Sym::Node(self.g.double(std::f64::consts::PI)));
        }
        if let ("E", 0) = call.key() {
            return Ok(Sym::Node(self.g.double(std::f64::consts::E)));
        }
        let mut args = Vec::new();
        for i in 0..call.args.len() {
            let n = self.arg(&call, i)?;
            self.require(st, n);
            args.push(n);
        }
        if args.is_empty() {
            return self.not_covered(&call);
        }
        let ty = self.g.ty(args[0]).clone();
        let Some(prim) = ty.prim() else {
            return self.not_covered(&call);
        };
        let float = ty.is_float();
        let f = match call.key() {
            ("abs", 1) => Func::Abs,
            ("sqrt", 1) => Func::Sqrt,
            ("sin", 1) => Func::Math1("sin"),
            ("cos", 1) => Func::Math1("cos"),
            ("tan", 1) => Func::Math1("tan"),
            ("asin", 1) => Func::Math1("asin"),
            ("acos", 1) => Func::Math1("acos"),
            ("atan", 1) => Func::Math1("atan"),
            ("sinh", 1) => Func::Math1("sinh"),
            ("cosh", 1) => Func::Math1("cosh"),
            ("tanh", 1) => Func::Math1("tanh"),
            ("exp", 1) => Func::Math1("exp"),
            ("expm1", 1) => Func::Math1("expm1"),
            ("cbrt", 1) => Func::Math1("cbrt"),
            ("toRadians", 1) => Func::Math1("radians"),
            ("toDegrees", 1) => Func::Math1("degrees"),
            ("log", 1) => Func::Log("ln"),
            ("log10", 1) => Func::Log("log10"),
            ("log1p", 1) => Func::Log("log1p"),
            ("pow", 2) => Func::Pow,
            ("atan2", 2) => Func::Atan2,
            ("hypot", 2) => Func::Hypot,
            ("floor", 1) => Func::Floor,
            ("ceil", 1) => Func::Ceil,
            ("rint", 1) => Func::Rint,
            ("round", 1) if float => Func::Round,
            ("signum", 1) if float => Func::Signum,
            ("min", 2) => Func::Min,
            ("max", 2) => Func::Max,
            ("floorMod" | "floorDiv", 2) => {
                self.divisor(st, args[1], prim);
                if call.name == "floorMod" {
                    Func::FloorMod
                } else {
                    Func::FloorDiv
                }
            }
            ("addExact" | "subtractExact" | "multiplyExact", 2) if prim == Prim::Int => {
                return self.exact(st, &call, &args);
            }
            ("addExact" | "subtractExact" | "multiplyExact", 2) if prim == Prim::Long => {
                return Ok(self.exact_long(st, call.name, args[0], args[1]));
            }
            ("negateExact", 1) if matches!(prim, Prim::Int | Prim::Long) => {
                let zero = self.zero(prim);
                let least = if prim == Prim::Long {
                    i64::MIN
                } else {
                    i64::from(i32::MIN)
                };
                let least = self.g.constant_of(Const::Int(least), ColTy::Prim(prim));
                let bad = self.g.bin(BinOp::Eq, prim, args[0], least);
                self.raise_if(st, bad, "ArithmeticException", "overflow");
                return Ok(Sym::Node(self.g.bin(BinOp::Sub, prim, zero, args[0])));
            }
            ("toIntExact", 1) => {
                let narrow = self.g.conv(Prim::Long, Prim::Int, args[0]);
                let back = self.g.conv(Prim::Int, Prim::Long, narrow);
                let bad = self.g.bin(BinOp::Ne, Prim::Long, back, args[0]);
                self.raise_if(st, bad, "ArithmeticException", "integer overflow");
                return Ok(Sym::Node(narrow));
            }
            _ => return self.not_covered(&call),
        };
        let ret = match (&f, prim) {
            (Func::Round, Prim::Float) => ColTy::INT,
            (Func::Round, _) => ColTy::LONG,
            (Func::FloorMod | Func::FloorDiv, _) => self.g.ty(args[1]).clone(),
            _ => ty,
        };
        Ok(Sym::Node(self.g.call(f, args, ret)))
    }

    fn divisor(&mut self, st: &mut State, b: NodeId, prim: Prim) {
        let zero = self.zero(prim);
        let bad = self.g.bin(BinOp::Eq, prim, b, zero);
        self.raise_if(st, bad, "ArithmeticException", "/ by zero");
    }

    fn exact(&mut self, st: &mut State, call: &Call<'_>, args: &[NodeId]) -> Understood<Sym> {
        let op = match call.name {
            "addExact" => BinOp::Add,
            "subtractExact" => BinOp::Sub,
            _ => BinOp::Mul,
        };
        let (a, b) = (
            self.g.conv(Prim::Int, Prim::Long, args[0]),
            self.g.conv(Prim::Int, Prim::Long, args[1]),
        );
        let wide = self.g.bin(op, Prim::Long, a, b);
        let narrow = self.g.bin(op, Prim::Int, args[0], args[1]);
        let back = self.g.conv(Prim::Int, Prim::Long, narrow);
        let bad = self.g.bin(BinOp::Ne, Prim::Long, back, wide);
        self.raise_if(st, bad, "ArithmeticException", "integer overflow");
        Ok(Sym::Node(narrow))
    }

    /// Exact arithmetic of longs: the sum has another sign than both sides, or dividing does not give the factor back.
    fn exact_long(&mut self, st: &mut State, name: &str, a: NodeId, b: NodeId) -> Sym {
        let op = match name {
            "addExact" => BinOp::Add,
            "subtractExact" => BinOp::Sub,
            _ => BinOp::Mul,
        };
        let long = Prim::Long;
        let result = self.g.bin(op, long, a, b);
        let zero = self.zero(long);
        let bad = if op == BinOp::Mul {
            let minus = self.g.constant_of(Const::Int(-1), ColTy::LONG);
            let least = self.g.constant_of(Const::Int(i64::MIN), ColTy::LONG);
            let (is_minus, is_least) = (
                self.g.bin(BinOp::Eq, long, a, minus),
                self.g.bin(BinOp::Eq, long, b, least),
            );
            let turned = self.g.and(is_minus, is_least);
            let back = self.g.bin(BinOp::Div, long, result, a);
            let lost = self.g.bin(BinOp::Ne, long, back, b);
            let either = self.g.or(turned, lost);
            let nonzero = self.g.bin(BinOp::Ne, long, a, zero);
            self.g.and(nonzero, either)
        } else {
            let other = if op == BinOp::Add { result } else { b };
            let x = self.g.bin(BinOp::BitXor, long, a, other);
            let y = if op == BinOp::Add {
                self.g.bin(BinOp::BitXor, long, b, result)
            } else {
                self.g.bin(BinOp::BitXor, long, a, result)
            };
            let both = self.g.bin(BinOp::BitAnd, long, x, y);
            self.g.bin(BinOp::Lt, long, both, zero)
        };
        self.raise_if(st, bad, "ArithmeticException", "long overflow");
        Sym::Node(result)
    }

    /// Methods of a primitive or its box.
    pub(super) fn number_method(&mut self, st: &mut State, n: NodeId, prim: Prim, call: Call<'_>) -> Understood<Sym> {
        if let ("toString", 0) = call.key() {
            self.require(st, n);
            return Ok(Sym::Node(self.text_of(st, &Sym::Node(n), call.span)?));
        }
        self.require(st, n);
        if st.dead {
            return Ok(Sym::Unit);
        }
        let to = match call.name {
            "intValue" | "toInt" => Some(Prim::Int),
            "longValue" | "toLong" => Some(Prim::Long),
            "doubleValue" | "toDouble" => Some(Prim::Double),
            "floatValue" | "toFloat" => Some(Prim::Float),
            "shortValue" | "toShort" => Some(Prim::Short),
            "byteValue" | "toByte" => Some(Prim::Byte),
            "toChar" => Some(Prim::Char),
            "booleanValue" => Some(Prim::Boolean),
            _ => None,
        };
        if let (Some(to), 0) = (to, call.args.len()) {
            return Ok(Sym::Node(self.g.conv(prim, to, n)));
        }
        match call.key() {
            ("isNaN", 0) => Ok(Sym::Node(self.g.call(Func::IsNan, vec![n], ColTy::BOOL))),
            ("isInfinite" | "isInfinity", 0) => Ok(Sym::Node(self.infinite(n, prim))),
            ("abs", 0) => Ok(Sym::Node(self.g.call(Func::Abs, vec![n], ColTy::Prim(prim)))),
            ("round", 0) if prim == Prim::Double => Ok(Sym::Node(self.g.call(Func::Round, vec![n], ColTy::LONG))),
            ("round", 0) if prim == Prim::Float => Ok(Sym::Node(self.g.call(Func::Round, vec![n], ColTy::INT))),
            ("floor", 0) => Ok(Sym::Node(self.g.call(Func::Floor, vec![n], ColTy::Prim(prim)))),
            ("ceil", 0) => Ok(Sym::Node(self.g.call(Func::Ceil, vec![n], ColTy::Prim(prim)))),
            ("min" | "max", 1) => {
                let m = self.arg(&call, 0)?;
                let f = if call.name == "min" { Func::Min } else { Func::Max };
                Ok(Sym::Node(self.g.call(f, vec![n, m], ColTy::Prim(prim))))
            }
            ("to" | "until", 1) => self.range(n, &call),
            ("toHexString", 0) => Ok(Sym::Node(self.g.call(Func::ToHex, vec![n], ColTy::Str))),
            ("toBinaryString", 0) => Ok(Sym::Node(self.g.call(Func::ToBinary, vec![n], ColTy::Str))),
            ("signum", 0) if prim.is_integral() => Ok(Sym::Node(self.sign(n, prim))),
            _ => self.not_covered(&call),
        }
    }

    fn sign(&mut self, n: NodeId, prim: Prim) -> NodeId {
        let zero = self.zero(prim);
        let (less, more) = (
            self.g.bin(BinOp::Lt, prim, n, zero),
            self.g.bin(BinOp::Gt, prim, n, zero),
        );
        let (m, o, p) = (self.g.int(-1), self.g.int(0), self.g.int(1));
        let rest = self.g.case(more, p, o);
        self.g.case(less, m, rest)
    }

    fn infinite(&mut self, n: NodeId, prim: Prim) -> NodeId {
        let size = self.g.call(Func::Abs, vec![n], ColTy::Prim(prim));
        let inf = match prim {
            Prim::Float => self
                .g
                .constant_of(Const::F32(f32::INFINITY.to_bits()), ColTy::Prim(Prim::Float)),
            _ => self.g.double(f64::INFINITY),
        };
        self.g.bin(BinOp::Eq, prim, size, inf)
    }

    fn range(&mut self, from: NodeId, call: &Call<'_>) -> Understood<Sym> {
        let until = self.arg(call, 0)?;
        let (Some(a), Some(b)) = (self.g.as_int(from), self.g.as_int(until)) else {
            return self.refuse(
                call.span,
                "a range whose bounds depend on the data has no columnar form; only the cuda tier can express it",
            );
        };
        let b = if call.name == "to" { b } else { b - 1 };
        if b - a > 256 {
            return self.refuse(
                call.span,
                "the range is too long to be unrolled; only the cuda tier can express it",
            );
        }
        let always = self.g.bool(true);
        Ok(Sym::Seq((a..=b).map(|i| (always, Sym::Node(self.g.int(i)))).collect()))
    }
}
