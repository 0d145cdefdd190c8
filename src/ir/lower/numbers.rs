//! Numbers: `math`, boxes, rich numbers and decimals.

use super::Lower;
use super::library::Call;
use super::strings::number_text;
use super::sym::{State, Sym};
use crate::ir::func::{Func, Rounding};
use crate::ir::node::{ColTy, Const, NodeId, Op};
use crate::lang::ast::BinOp;
use crate::lang::ty::{Prim, Ty};
use crate::source::{Span, Understood};

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

    /// Static methods of the boxes and companions.
    pub(super) fn box_static(&mut self, st: &mut State, base: &str, call: Call<'_>) -> Understood<Sym> {
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

    /// A number as Scala's `BigDecimal`.
    pub(super) fn decimal_of(&mut self, value: &Sym, ty: &Ty, span: Span) -> Understood<Sym> {
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
    pub(super) fn decimal_static(&mut self, st: &mut State, call: Call<'_>) -> Understood<Sym> {
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

    fn raise_unless_finite(&mut self, st: &mut State, n: NodeId) {
        let nan = self.g.call(Func::IsNan, vec![n], ColTy::BOOL);
        let infinite = self.infinite(n, Prim::Double);
        let bad = self.g.or(nan, infinite);
        self.raise_if(st, bad, "NumberFormatException", "not a finite number");
    }

    /// `new java.math.BigDecimal(…)`.
    pub(super) fn java_decimal(&mut self, st: &mut State, call: Call<'_>) -> Understood<Sym> {
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
    pub(super) fn decimal_method(&mut self, st: &mut State, n: NodeId, call: Call<'_>) -> Understood<Sym> {
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

    fn rounding(&self, value: &Sym) -> Option<Rounding> {
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
fn decimal_text(text: &str) -> Option<Const> {
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

/// Constants of the boxes.
fn box_constant(base: &str, name: &str) -> Option<Const> {
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
